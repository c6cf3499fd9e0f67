"""What can be measured of a page's looks: painted pixels, and the contrast of its texts."""

import io

import numpy as np
from PIL import Image

from lab_page import wait_until

LABEL_BLUE, OTHER_GREY = (0x00, 0x72, 0xB2), (0x99, 0x99, 0x99)
ONE_NUMBER = np.array((0x10000, 0x100, 1))  # red, green and blue in one
READABLE = 4.5  # WCAG 2.2, success criterion 1.4.3, for text of ordinary size
TEXTS = """(root, besides) => {
    const channels = colour => {
        const [red, green, blue, alpha = 1] = colour.match(/[\\d.]+/g).map(Number);
        return [red, green, blue, alpha];
    };
    const over = (top, below) => [0, 1, 2].map(i => top[3] * top[i] + (1 - top[3]) * below[i]);
    const ground = element => {
        if (!element) return [255, 255, 255];
        const own = channels(getComputedStyle(element).backgroundColor);
        return own[3] === 1 ? own : over(own, ground(element.parentElement));
    };
    const texts = [], walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const text = walker.currentNode.data.trim(), element = walker.currentNode.parentElement;
        if (!text || !element.checkVisibility({visibilityProperty: true})) continue;
        if (besides && element.closest(besides)) continue;
        const below = ground(element);
        texts.push([text, over(channels(getComputedStyle(element).color), below), below]);
    }
    return texts;
}"""


def screenshot(locator):
    """What is painted there; JupyterLab shows nothing at all for a moment after scrolling."""
    shots = []

    def inked():
        shots.append(pixels_of(locator.screenshot(caret="initial")))
        return (shots[-1] != 255).any()

    locator.scroll_into_view_if_needed()
    wait_until(locator.page, inked)
    return shots[-1]


def pixels_of(encoded):
    return np.asarray(Image.open(io.BytesIO(encoded)).convert("RGB"))


def assert_plot_on_white(pixels):
    """A plot was painted: ink of several colours on a ground that is white, corner to corner.

    Among them is a bar or point of the label, or a bar of other words: where nothing has been
    learnt yet, the label's bar is no pixel long.
    """
    corners = pixels[[2, 2, -3, -3], [2, -3, 2, -3]]
    assert (corners == 255).all(), f"the picture's corners are {corners.tolist()}"
    assert 0.02 < (pixels != 255).any(axis=-1).mean() < 0.6
    colours = np.unique(pixels @ ONE_NUMBER)
    assert len(colours) > 10
    assert np.isin((LABEL_BLUE, OTHER_GREY) @ ONE_NUMBER, colours).any()


def pale_texts(root, besides=None):
    """The visible texts in an element that are hard to read, each with its contrast.

    Parameters
    ----------
    root : Locator
        The element.
    besides : str, optional
        A selector: what lies in such elements is left out.
    """
    texts = root.evaluate(TEXTS, besides)
    assert texts, "there is no text to be read"
    ratios = [(text, contrast(colour, ground)) for text, colour, ground in texts]
    return {text: round(ratio, 2) for text, ratio in ratios if ratio < READABLE}


def contrast(*colours):
    """The ratio of the Web Content Accessibility Guidelines between text and its ground."""
    light, dark = sorted(map(luminance, colours), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
              for c in (channel / 255 for channel in colour[:3])]
    return sum(weight * c for weight, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
