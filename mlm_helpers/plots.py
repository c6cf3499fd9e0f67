"""Drawing on axes that are given: each ``plot_*`` draws once and returns what moves later.

Colours are Okabe and Ito's, and never alone: the label's bar is blue, the shown word's is hatched,
the uniform line is dashed. Type is 14 points, so that it reads from the back row.
"""

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.transforms import offset_copy

from mlm_helpers.colours import BRANCH_COLOURS, LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.fonts import drawable
from mlm_helpers.quick_text import QuickText
from mlm_helpers.wording import decimal, integer, percent, shorten

BRANCH_HATCHES = {"mask": "", "swap": "//", "keep": ".."}
FONT_SIZE, LINE_WIDTH = 14, 2
_BELOW_THE_BARS = 0.9  # what stands still must lie under what moves
_ROOM_ABOVE = 0.68
_LONGEST_NAME, _MOST_NUMBERED = 14, 6
_CEILINGS = (2, 4, 8, 12, 16, 24, 36, 48, 72)


def white_figure(width, height):
    """A figure of so many inches with a white ground, whatever the notebook's theme."""
    figure = Figure(figsize=(width, height), dpi=100, facecolor="white")
    FigureCanvasAgg(figure)
    return figure


def _prepare(ax, title, font_size=FONT_SIZE):
    ax.set_title(title, fontsize=FONT_SIZE, loc="left")
    ax.tick_params(labelsize=font_size, width=1)
    ax.spines[["top", "right"]].set_visible(False)


def _moving_text(ax, x, y, fontsize=FONT_SIZE, **looks):
    return ax.add_artist(QuickText(x, y, "", fontsize=fontsize, parse_math=False, **looks))


class Bars:
    """Bars of one row of words that can be moved, each with its number.

    Attributes
    ----------
    rectangles, numbers : list of matplotlib artists
        One per word, in the words' order.
    """

    def __init__(self, rectangles, numbers):
        self.rectangles, self.numbers = list(rectangles), list(numbers)

    @property
    def artists(self):
        """All that changes when the bars move."""
        return [*self.rectangles, *self.numbers]

    def move(self, heights):
        """Give each bar its height, and its number unless there are too many to be read."""
        for bar, number, height in zip(self.rectangles, self.numbers, heights, strict=True):
            bar.set_height(height)
            number.set_text(decimal(height) if len(self.numbers) <= _MOST_NUMBERED else "")
            number.set_y(max(height, 0.0))

    def mark(self, label, shown):
        """Paint the label's bar blue, hatch the shown word's, and leave the others grey."""
        for index, bar in enumerate(self.rectangles):
            colour = SHOWN_ORANGE if index == shown else OTHER_GREY
            bar.set_facecolor(LABEL_BLUE if index == label else colour)
            bar.set_hatch("//" if index == shown else "")

    def show_last(self, visible):
        """Show or hide the last bar and its number."""
        self.rectangles[-1].set_visible(visible)
        self.numbers[-1].set_visible(visible)


def plot_bars(ax, n_bars, title, limits):
    """Draw a bar per word at 0, 1, 2, …, so that a repeated word keeps a bar of its own.

    Returns
    -------
    Bars
        All of height zero; call ``move`` and ``mark``.
    """
    _prepare(ax, title)
    ax.set_ylim(*limits)
    ax.set_xlim(-0.5, n_bars - 0.5)
    ax.set_xticks([])
    ax.axhline(0, color="black", linewidth=1, zorder=_BELOW_THE_BARS)
    rectangles = ax.bar(range(n_bars), np.zeros(n_bars), width=0.62, edgecolor="black", linewidth=1)
    above = offset_copy(ax.transData, ax.figure, y=3, units="points")
    numbers = [_moving_text(ax, i, 0, transform=above, ha="center", va="bottom")
               for i in range(n_bars)]
    return Bars(rectangles, numbers)


def name_bars(ax, names):
    """Write a name under each bar, as it is (no formula is read into it) but no wider."""
    room = ax.get_window_extent().width / len(names)
    return [_name(ax, index, fitted(ax.figure, name, room)) for index, name in enumerate(names)]


def _name(ax, index, name):
    text, families = drawable(name)
    return ax.text(index, -0.04, text, transform=ax.get_xaxis_transform(), ha="center", va="top",
                   fontsize=FONT_SIZE, fontfamily=families, parse_math=False)


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


class SurprisalCurve:
    """The curve of surprisal against probability, with a point that moves along it.

    Attributes
    ----------
    curve, uniform, point, mistake : Line2D
        The curve, the dashed uniform line, the label's point, the wrongly scored word's point.
    readouts : list of Text
        Three lines of numbers in the corner that the curve never reaches.
    """

    def __init__(self, ax):
        self.ax = ax
        (self.curve,) = ax.plot([], [], color=OTHER_GREY, linewidth=LINE_WIDTH,
                                zorder=_BELOW_THE_BARS)
        (self.uniform,) = ax.plot([0, 1], [0, 0], color="black", linestyle="--",
                                  linewidth=LINE_WIDTH)
        (self.mistake,) = ax.plot([], [], "X", color=SHOWN_ORANGE, markersize=13,
                                  markeredgecolor="black", clip_on=False)
        (self.point,) = ax.plot([], [], "o", color=LABEL_BLUE, markersize=12,
                                markeredgecolor="black", clip_on=False)
        heights = (0.93, 0.84, 0.75)
        self.readouts = [_moving_text(ax, 0.22, y, transform=ax.transAxes, va="center")
                         for y in heights]
        self._keys = [ax.plot(x, [y] * len(x), transform=ax.transAxes, **_key_of(line))[0]
                      for x, y, line in zip(([0.17], [0.13, 0.2], [0.17]), heights,
                                            (self.point, self.uniform, self.mistake), strict=True)]

    @property
    def artists(self):
        """All that changes when the point moves."""
        return [self.uniform, self.mistake, self.point, *self.readouts, *self._keys]

    def fit(self, highest, unit):
        """Choose the height of the axis; say whether it changed, so that all is drawn again."""
        ceiling = next((c for c in _CEILINGS if c >= highest), highest) * unit.per_nat / _ROOM_ABOVE
        label = f"−{unit.log} p ({unit.name})"
        if (0, ceiling) == self.ax.get_ylim() and label == self.ax.get_ylabel():
            return False
        surprisal = np.linspace(0, ceiling / unit.per_nat, 400)
        self.curve.set_data(np.exp(-surprisal), surprisal * unit.per_nat)
        self.ax.set_ylim(0, ceiling)
        self.ax.set_ylabel(label, fontsize=FONT_SIZE)
        return True

    def move(self, point, uniform, texts, mistake=None):
        """Set the point (probability, loss), the uniform level, and the corner's lines of text."""
        self._place(self.point, point, "o")
        self._place(self.mistake, mistake, "X")
        self.uniform.set_ydata([uniform, uniform])
        for readout, text in zip(self.readouts, texts, strict=True):
            word, families = drawable(text)
            readout.set(text=word, fontfamily=families)
        self._keys[2].set_visible(mistake is not None)

    def _place(self, line, point, marker):
        line.set_visible(point is not None)
        if point is not None:
            top = self.ax.get_ylim()[1]
            off_the_top = not point[1] <= top
            line.set_data([point[0]], [top if off_the_top else point[1]])
            line.set_marker("^" if off_the_top else marker)


def _key_of(line):
    names = ("color", "linestyle", "linewidth", "marker", "markeredgecolor")
    return {**{name: getattr(line, f"get_{name}")() for name in names}, "markersize": 10}


def plot_surprisal(ax):
    """Draw -ln p over p from 0 to 1, ready to be fitted and moved.

    Returns
    -------
    SurprisalCurve
        Call ``fit`` first, then ``move``.
    """
    curve = SurprisalCurve(ax)
    _prepare(ax, "surprisal of a probability")
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability p", fontsize=FONT_SIZE)
    return curve


class BranchShares:
    """Three bars: the share of the drawn slots that each branch got."""

    def __init__(self, rectangles, numbers, references):
        self.rectangles, self.numbers = list(rectangles), list(numbers)
        self.references = list(references)

    @property
    def artists(self):
        """All that changes with a new draw."""
        return [*self.rectangles, *self.references, *self.numbers]

    def move(self, counts):
        """Set the bars from the drawn counts of each branch."""
        n_slots = sum(counts.values())
        for bar, number, line, drawn in zip(self.rectangles, self.numbers, self.references,
                                            counts.values(), strict=True):
            share = drawn / n_slots if n_slots else 0.0
            bar.set_width(share)
            number.set_x(max(share, line.get_xdata()[0]))  # clear of the dashed line
            number.set_text(f"{integer(drawn)} of {integer(n_slots)} ({percent(share)})" if n_slots
                            else "0 slots")


def plot_branch_shares(ax, expected):
    """Draw a bar per branch, with its expected share as a dashed line.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    expected : dict of str to float
        The share of each branch, such as 0.8 for "mask".
    """
    _prepare(ax, "share of the slots, drawn (bar) and expected (dashed)")
    ax.set_xlim(0, 1.4)
    ax.set_ylim(len(expected) - 0.4, -0.6)
    ax.set_yticks(range(len(expected)), list(expected))
    ax.set_xticks([0, 0.1, 0.8, 1], ["0", "10 %", "80 %", "100 %"])
    colours = [BRANCH_COLOURS[branch] for branch in expected]
    rectangles = ax.barh(range(len(expected)), [0] * len(expected), height=0.55, color=colours,
                         edgecolor="black", linewidth=1)
    for bar, branch in zip(rectangles, expected, strict=True):
        bar.set_hatch(BRANCH_HATCHES[branch])
    references = [ax.plot([share, share], [row - 0.42, row + 0.42], color="black", linestyle="--",
                          linewidth=LINE_WIDTH, zorder=3)[0]
                  for row, share in enumerate(expected.values())]
    beside = offset_copy(ax.transData, ax.figure, x=8, units="points")
    numbers = [_moving_text(ax, 0, row, transform=beside, va="center")
               for row in range(len(expected))]
    return BranchShares(rectangles, numbers, references)


def plot_ribbon(ax, rows, backgrounds):
    """Draw rows of tokens, one box each: the ribbon as a picture.

    Parameters
    ----------
    ax : Axes
        Where to draw; its frame is taken away.
    rows : list of (str, list of str)
        A heading, and one text per token.
    backgrounds : list of str
        A colour per token.
    """
    ax.set_axis_off()
    ax.set_xlim(-1.2, len(backgrounds))
    room = 0.95 * ax.get_window_extent().width / (len(backgrounds) + 1.2)
    ax.set_ylim(len(rows), 0)
    for row, (heading, texts) in enumerate(rows):
        ax.text(-0.15, row + 0.5, heading, ha="right", va="center", fontsize=FONT_SIZE)
        for column, (text, colour) in enumerate(zip(texts, backgrounds, strict=True)):
            ax.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor=OTHER_GREY))
            if text is not None:
                word, families = drawable(fitted(ax.figure, text, room))
                ax.text(column + 0.5, row + 0.5, word, ha="center", va="center",
                        fontsize=FONT_SIZE, fontfamily=families, parse_math=False)
