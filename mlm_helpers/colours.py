"""The collection's colours: Okabe and Ito's, which colour-blind readers can tell apart."""

from PIL import Image

LABEL_BLUE, SHOWN_ORANGE, OTHER_GREY, GREEN = "#0072B2", "#E69F00", "#999999", "#009E73"
BRANCH_COLOURS = {"mask": LABEL_BLUE, "swap": SHOWN_ORANGE, "keep": GREEN}
_TO_WHITE, _TO_BLACK = 10, 5


def palette_image():
    """A one-pixel image whose palette holds every colour that our plots are made of.

    Each ink comes with its blends towards white and black, which is what smoothed edges are made
    of, and grey with all its own; white and the inks themselves are exact.
    """
    greys = [(level, level, level) for level in range(0, 256, 15)]
    inks = [_rgb(ink) for ink in (LABEL_BLUE, SHOWN_ORANGE, GREEN)]
    colours = [*greys, _rgb(OTHER_GREY)]
    for ink in inks:
        colours += [_blend(ink, 255, step / _TO_WHITE) for step in range(_TO_WHITE)]
        colours += [_blend(ink, 0, step / _TO_BLACK) for step in range(1, _TO_BLACK)]
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in colours for channel in colour])
    return image


def _rgb(ink):
    return tuple(bytes.fromhex(ink[1:]))


def _blend(colour, end, share):
    return tuple(round(channel + share * (end - channel)) for channel in colour)
