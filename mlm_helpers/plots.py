"""Bars and the surprisal curve, drawn on axes that are given.

Each ``plot_*`` draws once and returns what moves later. Colours are Okabe and Ito's, and never
alone: the label's bar is blue, the shown word's is hatched, the uniform line is dashed.
"""

import numpy as np
from matplotlib.transforms import offset_copy

from mlm_helpers.colours import LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.figures import (
    BELOW_WHAT_MOVES,
    FONT_SIZE,
    LINE_WIDTH,
    fitted,
    moving_text,
    prepare,
)
from mlm_helpers.fonts import drawable
from mlm_helpers.wording import decimal

_ROOM_ABOVE = 0.68
_MOST_NUMBERED = 6
_ABOVE_AXES = 4  # a point at p = 0 lies on the numbers of the axis
_CEILINGS = (2, 4, 8, 12, 16, 24, 36, 48, 72)


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
    prepare(ax, title)
    ax.set_ylim(*limits)
    ax.set_xlim(-0.5, n_bars - 0.5)
    ax.set_xticks([])
    ax.axhline(0, color="black", linewidth=1, zorder=BELOW_WHAT_MOVES)
    rectangles = ax.bar(range(n_bars), np.zeros(n_bars), width=0.62, edgecolor="black", linewidth=1)
    above = offset_copy(ax.transData, ax.figure, y=3, units="points")
    numbers = [moving_text(ax, i, 0, transform=above, ha="center", va="bottom")
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
                                zorder=BELOW_WHAT_MOVES)
        (self.uniform,) = ax.plot([0, 1], [0, 0], color="black", linestyle="--",
                                  linewidth=LINE_WIDTH)
        looks = {"markeredgecolor": "black", "clip_on": False, "zorder": _ABOVE_AXES}
        (self.mistake,) = ax.plot([], [], "X", color=SHOWN_ORANGE, markersize=13, **looks)
        (self.point,) = ax.plot([], [], "o", color=LABEL_BLUE, markersize=12, **looks)
        heights = (0.93, 0.84, 0.75)
        self.readouts = [moving_text(ax, 0.22, y, transform=ax.transAxes, va="center")
                         for y in heights]
        pixel = 1 / ax.get_window_extent().width
        centre, left, right = (0.22 - away * pixel for away in (17, 28, 6))
        self._keys = [ax.plot(x, [y] * len(x), transform=ax.transAxes, **_key_of(line))[0]
                      for x, y, line in zip(([centre], [left, right], [centre]), heights,
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
    prepare(ax, "surprisal of a probability")
    ax.set_xlim(0, 1)
    ax.set_xlabel("probability p", fontsize=FONT_SIZE)
    return curve
