"""What all plots share: the white figure, the size of type, texts that move or must fit.

Type is 14 points, so that it reads from the back row.
"""

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mlm_helpers.fonts import drawable
from mlm_helpers.quick_text import QuickText
from mlm_helpers.wording import shorten

FONT_SIZE, LINE_WIDTH = 14, 2
DPI = 100
BELOW_WHAT_MOVES = 0.9  # the zorder of what stands still but meets moving artists
_LONGEST_NAME = 14


def white_figure(width, height):
    """A figure of so many inches with a white ground, whatever the notebook's theme."""
    figure = Figure(figsize=(width, height), dpi=DPI, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def prepare(ax, title):
    """Give axes their title, the size of their type, and a frame on two sides only."""
    # Without a y matplotlib would measure all tick labels to find it, at each full redraw.
    ax.set_title(title, fontsize=FONT_SIZE, loc="left", y=1.0)
    ax.tick_params(labelsize=FONT_SIZE, width=1)
    ax.spines[["top", "right"]].set_visible(False)


def moving_text(ax, x, y, **looks):
    """Add an empty text whose words will change."""
    return ax.add_artist(QuickText(x, y, "", fontsize=FONT_SIZE, parse_math=False, **looks))


def fitted(figure, text, room):
    """The text shortened until it is at most ``room`` pixels wide, but never to nothing."""
    trial = figure.text(0, 0, "", fontsize=FONT_SIZE, parse_math=False)
    for limit in range(_LONGEST_NAME, 1, -1):
        word, families = drawable(shorten(text, limit))
        trial.set(text=word, fontfamily=families)
        if trial.get_window_extent(figure.canvas.get_renderer()).width <= room:
            break
    trial.remove()
    return shorten(text, limit)
