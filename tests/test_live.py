"""The picture that a reader sees, pixel by pixel against matplotlib's own full drawing."""

import base64
import gc
import io
import random
import subprocess
import sys
from html.parser import HTMLParser

import ipywidgets as widgets
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from mlm_helpers.examples import RANDOM_SWAP, STANDARD_MASK
from mlm_helpers.explorers import explore_masking, explore_softmax, explore_surprisal
from mlm_helpers.explorers.slot_picture import SlotPicture
from mlm_helpers.figures import white_figure
from mlm_helpers.live import HINT, LiveFigure, encode
from mlm_helpers.plots import plot_bars
from mlm_helpers.wording import UNITS
from test_wording import HOSTILE

pytestmark = pytest.mark.filterwarnings("error")

VOCABULARIES = (4, 4, 5, 30_522, 250_002)
LARGEST_DEVIATION = 24  # measured: 23 of 255, where three colours meet in one pixel


class Picture(HTMLParser):
    """The image, its alternative text and the sentence below it, as a browser reads them."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.tags, self.image, self.sentence = [], {}, ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        if tag == "img":
            self.image = dict(attributes)

    def handle_data(self, data):
        self.sentence += data

    @property
    def pixels(self):
        return decoded(base64.b64decode(self.image["src"].partition("base64,")[2]))


@pytest.fixture(autouse=True)
def widgets_closed():
    """ipywidgets keeps every widget until it is closed."""
    yield
    widgets.Widget.close_all()


def decoded(png):
    return np.array(Image.open(io.BytesIO(png)).convert("RGB"))


def full_redraw(live):
    """The figure as matplotlib draws it in one go, with nothing animated."""
    figure, canvas = live.figure, live.figure.canvas
    animated = [artist for artist in figure.findobj() if artist.get_animated()]
    for artist in animated:
        artist.set_animated(False)
    fresh = FigureCanvasAgg(figure)
    fresh.draw()
    for artist in animated:
        artist.set_animated(True)
    figure.set_canvas(canvas)
    return np.array(fresh.buffer_rgba())


def different_pixels(one, other):
    return int((one != other).any(axis=-1).sum())


def small_live_figure():
    figure = white_figure(2, 1)
    bars = plot_bars(figure.add_axes((0.1, 0.2, 0.8, 0.5)), 2, "p", (0, 1.2))
    return LiveFigure(figure, bars.artists), bars


# The kept background


def softmax_walk(explorer, steps, seed):
    """States one after the other, each changing a few controls: scales, units, the rest bar."""
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            for control in rng.sample(explorer.logits, 2):
                control.value = rng.choice([-10, 10, 0, round(rng.uniform(-10, 10), 1)])
            explorer.rest_logit.value = rng.choice([-10, 0, 10])
            explorer.vocab_size.value = rng.choice(VOCABULARIES)
            explorer.label.index = rng.randrange(4)
            explorer.shown.label = rng.choice([text for text, _ in explorer.shown.options])
            explorer.unit.value = rng.choice(list(UNITS))
        yield explorer.figure


def surprisal_walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.probability.value = rng.choice([0, 1, 1e-9, rng.random(), rng.random()])
            explorer.vocab_size.value = rng.choice([2, *VOCABULARIES])
            explorer.unit.value = rng.choice(list(UNITS))
        yield explorer.figure


def masking_walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.mlm_probability.value = rng.choice([0, 0.15, 0.5, 1])
            explorer.policy.index = rng.randrange(3)
            explorer.seed.value = rng.randrange(1000)
        yield explorer.figure


WALKS = {
    "softmax": (lambda: explore_softmax(STANDARD_MASK), softmax_walk, 16),
    "surprisal": (explore_surprisal, surprisal_walk, 16),
    "masking": (explore_masking, masking_walk, 8),
}


@pytest.mark.parametrize(("make", "walk", "steps"), WALKS.values(), ids=WALKS)
def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(make, walk, steps):
    off = [different_pixels(live.pixels(), full_redraw(live))
           for live in walk(make(), steps, seed=0)]
    assert off == [0] * steps


def test_the_picture_is_that_of_a_new_one_made_in_the_same_state():
    explorer = explore_softmax(STANDARD_MASK)
    for live in softmax_walk(explorer, 6, seed=1):
        fresh = SlotPicture(explorer.slot.tokens)
        fresh.draw(explorer.slot, UNITS[explorer.unit.value])
        assert different_pixels(live.pixels(), fresh.live.pixels()) == 0


def test_a_drawing_that_failed_half_way_leaves_no_stale_background(monkeypatch):
    explorer = explore_softmax(STANDARD_MASK)
    with monkeypatch.context() as patch:
        patch.setattr(explorer.figure, "draw", lambda *args, **kwargs: 1 / 0)
        explorer.vocab_size.value = 250_002
    explorer.logits[0].value = -3.0
    live = explorer.figure
    assert different_pixels(live.pixels(), full_redraw(live)) == 0


# The encoded picture


def states():
    for example in (STANDARD_MASK, RANDOM_SWAP):
        explorer = explore_softmax(example)
        yield from softmax_walk(explorer, 3, seed=2)
    yield from surprisal_walk(explore_surprisal(), 3, seed=3)
    yield from masking_walk(explore_masking(), 3, seed=4)


@pytest.fixture(scope="module")
def encodings():
    """Pairs of what was drawn and what a browser decodes."""
    return [(live.pixels()[..., :3].copy(), decoded(encode(live.pixels()))) for live in states()]


def test_encoding_keeps_the_size_and_no_pixel_is_far_off(encodings):
    for drawn, seen in encodings:
        assert seen.shape == drawn.shape
        assert np.abs(seen.astype(int) - drawn).max() <= LARGEST_DEVIATION


@pytest.mark.parametrize("ink", ["#FFFFFF", "#000000", "#0072B2", "#E69F00", "#999999", "#009E73"])
def test_encoding_keeps_white_and_every_ink_exactly(encodings, ink):
    colour = np.array(list(bytes.fromhex(ink[1:])))
    n_pixels = 0
    for drawn, seen in encodings:
        solid = (drawn == colour).all(axis=-1)
        n_pixels += solid.sum()
        assert (seen[solid] == colour).all()
    assert n_pixels > 1000


def test_encoding_is_a_png_with_a_palette_and_half_as_large_as_one_without():
    pixels = explore_softmax(RANDOM_SWAP).figure.pixels()
    png, true_colours = encode(pixels), io.BytesIO()
    Image.fromarray(pixels).convert("RGB").save(true_colours, format="PNG", compress_level=1)
    image = Image.open(io.BytesIO(png))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (960, 390))
    assert len(png) < 0.5 * len(true_colours.getvalue())


# What the widget holds


def test_the_widget_shows_the_pixels_that_were_drawn():
    live = explore_softmax(STANDARD_MASK).figure
    picture = Picture(live.widget.value)
    np.testing.assert_array_equal(picture.pixels, decoded(encode(live.pixels())))
    assert (picture.image["width"], picture.image["height"]) == ("960", "390")


@pytest.mark.parametrize("text", [*HOSTILE, '" onload="x', "&amp;", "loss ∞"], ids=ascii)
def test_alternative_text_and_line_below_are_the_sentence_whatever_it_holds(text):
    live, _ = small_live_figure()
    live.draw(text)
    picture = Picture(live.widget.value)
    assert picture.image["alt"] == picture.sentence == live.sentence == text
    assert picture.tags == ["img", "p"]
    assert set(picture.image) == {"class", "alt", "width", "height", "decoding", "style", "src"}


def test_draw_shows_the_moving_artists_as_they_now_are():
    live, bars = small_live_figure()
    bars.move([0.0, 0.0])
    bars.mark(0, None)
    live.draw("empty")
    before = live.pixels().copy()
    bars.move([0.5, 1.0])
    live.draw("full")
    assert different_pixels(before, live.pixels()) > 1000
    bars.move([0.0, 0.0])
    live.draw("empty again")
    assert different_pixels(before, live.pixels()) == 0


@pytest.mark.parametrize("text", ["short", "a sentence of many words " * 20, "$$", "猫", "<b>"])
def test_the_still_picture_is_the_drawing_with_lines_of_text_below(text):
    live, _ = small_live_figure()
    live.draw(text)
    seen = decoded(live.still())
    height, width = live.pixels().shape[:2]
    assert seen.shape[0] > height and seen.shape[1] == width
    np.testing.assert_array_equal(seen[:height], decoded(encode(live.pixels())))
    assert (seen[height:] < 128).any() and (seen[-1] == 255).all()


@pytest.mark.parametrize("text", ["30 000 000 ± 5 196 " * 12, "WWWW MMMM " * 20, "word " * 60])
def test_a_caption_is_cut_off_nowhere_though_its_letters_be_wide(text):
    live = LiveFigure(white_figure(9.6, 1), [])
    live.draw(text)
    caption = decoded(live.still())[100:]
    assert (caption[:, -8:] == 255).all() and (caption[:, -150:] != 255).any()


def test_the_hint_says_what_to_do():
    assert "Run all cells" in HINT


# Nothing piles up


def observers(widget):
    """How many callbacks a widget and all within it have."""
    own = sum(len(handlers) for kinds in widget._trait_notifiers.values()
              for handlers in kinds.values())
    return own + sum(map(observers, getattr(widget, "children", ())))


def artists(figure):
    return [len(ax.get_children()) for ax in figure.axes]


def living():
    """How many widgets and figures there are; ipywidgets keeps each widget until it is closed."""
    gc.collect()
    return len(widgets.widget._instances), sum(type(thing) is Figure for thing in gc.get_objects())


def test_500_updates_leave_nothing_behind():
    live, bars = small_live_figure()
    live.draw("start")
    before = artists(live.figure), living()
    for step in range(500):
        bars.move([step / 500, 1 - step / 500])
        live.draw(f"step {step}")
    assert (artists(live.figure), living()) == before


@pytest.mark.parametrize(("make", "walk", "steps"), WALKS.values(), ids=WALKS)
def test_a_walk_through_an_explorer_and_showing_it_leave_nothing_behind(make, walk, steps):
    explorer = make()
    figure = explorer.figure.figure
    before = observers(explorer), artists(figure), living()
    for _ in walk(explorer, steps // 2, seed=5):
        pass
    explorer._repr_mimebundle_()
    assert (observers(explorer), artists(figure), living()) == before


def test_explorers_never_load_pyplot():
    code = """
import sys
from mlm_helpers.examples import STANDARD_MASK
from mlm_helpers.explorers import explore_masking, explore_softmax, explore_surprisal
for explorer in (explore_masking(), explore_softmax(STANDARD_MASK), explore_surprisal()):
    explorer._repr_mimebundle_()
assert "matplotlib.pyplot" not in sys.modules
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True,
                         text=True, timeout=120)
    assert run.returncode == 0, run.stderr
