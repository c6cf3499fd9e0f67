"""Copied letters look like matplotlib's own text: as much ink, in the same place."""

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from mlm_helpers.quick_text import QuickText

pytestmark = pytest.mark.filterwarnings("error")
TEXTS = ["0.5344", "−0.7045", "1.2·10⁻⁹", "uniform ln V = 1.3863", "ffif: loss ∞", "5 of 6 (83 %)"]


def drawn(kind, text, ha="center", va="center"):
    """How dark the picture of one text is, from 0 to 1, shape (60, 500)."""
    canvas = FigureCanvasAgg(Figure(figsize=(5, 0.6), dpi=100, facecolor="white"))
    artist = kind(250, 30, text, fontsize=14, ha=ha, va=va, parse_math=False)
    canvas.figure.add_artist(artist)
    artist.set_transform(None)
    canvas.draw()
    return 1 - np.asarray(canvas.buffer_rgba())[..., 0] / 255


def middle(ink):
    return [np.average(np.arange(ink.shape[axis]), weights=ink.sum(1 - axis)) for axis in (0, 1)]


@pytest.mark.parametrize("text", TEXTS)
def test_it_has_the_ink_of_text(text):
    assert drawn(QuickText, text).sum() == pytest.approx(drawn(Text, text).sum(), rel=0.04)


@pytest.mark.parametrize("ha", ["left", "center", "right"])
@pytest.mark.parametrize(("va", "off"), [("center", 3), ("bottom", 5)])
@pytest.mark.parametrize("text", TEXTS)
def test_it_stands_where_text_stands(text, ha, va, off):
    rows, columns = np.subtract(middle(drawn(QuickText, text, ha, va)),
                                middle(drawn(Text, text, ha, va)))
    assert abs(columns) < 0.3 * len(text) and abs(rows) < off


def test_letters_that_need_shaping_are_left_to_text():
    assert (drawn(QuickText, "é ü ß") == drawn(Text, "é ü ß")).all()


@pytest.mark.parametrize("hide", [lambda text: text.set_visible(False),
                                  lambda text: text.set_text("")])
def test_what_is_hidden_or_empty_leaves_no_ink(hide):
    canvas = FigureCanvasAgg(Figure(figsize=(2, 1), facecolor="white"))
    artist = canvas.figure.add_artist(QuickText(0.5, 0.5, "0.5344"))
    hide(artist)
    canvas.draw()
    assert (np.asarray(canvas.buffer_rgba()) == 255).all()
