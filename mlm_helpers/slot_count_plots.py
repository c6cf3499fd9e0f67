"""How many slots each policy makes, and how often none, over the length of the sequence.

Drawn on axes that are given. A policy has its colour, its line and its marker; where two lines or
markers lie on each other, the lower one is the wider.
"""

from typing import NamedTuple

from mlm_helpers.colours import GREEN, LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.figures import BELOW_WHAT_MOVES, FONT_SIZE, LINE_WIDTH, moving_text, prepare
from mlm_helpers.policy_wording import POLICY_NAMES

LONGEST = 512
_ENDS = (0.87, 590)  # a marker's width beyond the lengths 1 and 512
_TOP = 8000  # room for the lines of text above the 512 slots of the longest sequence
_ABOVE_CURVES = 4
_ROW_TOP, _ROW_STEP = 0.955, 0.082
_KEY, _KEY_END, _NAME, _NUMBER, _DRAWN_KEY, _DRAWN = 8, 48, 56, 196, 334, 347  # pixels from left


class Look(NamedTuple):
    """What a policy's line and marker look like."""

    colour: str
    line: str
    width: float
    marker: str
    size: float
    drawstyle: str = "default"


LOOKS = {
    "page": Look(OTHER_GREY, "-", 3 * LINE_WIDTH, "s", 14, "steps-post"),
    "bert": Look(LABEL_BLUE, "-", LINE_WIDTH, "D", 8, "steps-post"),
    "hugging_face": Look(SHOWN_ORANGE, "--", 1.5 * LINE_WIDTH, "o", 14),
    "fairseq": Look(GREEN, ":", 1.5 * LINE_WIDTH, "^", 12),
}


class PolicyCurves:
    """A curve, a point and a number for each policy, over the length of the sequence.

    Attributes
    ----------
    curves, points, numbers : dict of str to artist
        One per policy.
    """

    def __init__(self, ax):
        self.curves = {policy: _curve(ax, look) for policy, look in LOOKS.items()}
        self.points = {policy: _point(ax, look.marker, look.colour, look.size)
                       for policy, look in LOOKS.items()}
        self.numbers = {policy: _row_text(ax, _NUMBER, height) for policy, height in _rows()}
        for policy, height in _rows():
            _name(ax, policy, height)

    @property
    def artists(self):
        """All that changes with the length or the rate."""
        return [*self.curves.values(), *self.points.values(), *self.numbers.values()]

    def fit(self, lengths, heights):
        """Set each policy's curve to its heights over the lengths."""
        for policy, curve in self.curves.items():
            curve.set_data(lengths, heights[policy])

    def move(self, length, heights, texts):
        """Set each policy's point at the length, and its number."""
        for policy, point in self.points.items():
            point.set_data([length], [heights[policy]])
            self.numbers[policy].set_text(texts[policy])


class NoSlotCurves(PolicyCurves):
    """The chances of no slot, with the share observed in a draw beside them.

    Attributes
    ----------
    drawn, drawn_numbers : dict of str to artist
        A cross and a number for each policy that draws its slots.
    """

    def __init__(self, ax, drawn_policies):
        super().__init__(ax)
        self.drawn = {policy: _point(ax, "X", LOOKS[policy].colour, 9)
                      for policy in drawn_policies}
        self.drawn_numbers = {policy: _row_text(ax, _DRAWN, height)
                              for policy, height in _rows() if policy in drawn_policies}
        for policy, height in _rows():
            if policy in drawn_policies:
                _key(ax, [_DRAWN_KEY], height, marker="X", color=LOOKS[policy].colour)

    @property
    def artists(self):
        """All that changes with the length, the rate or the draw."""
        return [*super().artists, *self.drawn.values(), *self.drawn_numbers.values()]

    def move_drawn(self, length, shares, texts):
        """Set the crosses at the length, and their numbers."""
        for policy, cross in self.drawn.items():
            cross.set_data([length], [shares[policy]])
            self.drawn_numbers[policy].set_text(texts[policy])


def _curve(ax, look):
    (line,) = ax.plot([], [], color=look.colour, linestyle=look.line, linewidth=look.width,
                      drawstyle=look.drawstyle)
    return line


def _point(ax, marker, colour, size):
    (point,) = ax.plot([], [], marker, color=colour, markersize=size, markeredgecolor="black",
                       clip_on=False, zorder=_ABOVE_CURVES)
    return point


def _rows():
    """Each policy with the height of its line of text."""
    return [(policy, _ROW_TOP - row * _ROW_STEP) for row, policy in enumerate(LOOKS)]


def _place(ax, pixels):
    return pixels / ax.get_window_extent().width


def _name(ax, policy, height):
    look = LOOKS[policy]
    _key(ax, [_KEY, (_KEY + _KEY_END) / 2, _KEY_END], height, color=look.colour,
         linestyle=look.line, linewidth=look.width, marker=look.marker, markevery=[1])
    _row_text(ax, _NAME, height, zorder=BELOW_WHAT_MOVES).set_text(POLICY_NAMES[policy])


def _row_text(ax, pixels, height, **looks):
    return moving_text(ax, _place(ax, pixels), height, transform=ax.transAxes, va="center", **looks)


def _key(ax, pixels, height, **looks):
    ax.plot([_place(ax, x) for x in pixels], [height] * len(pixels), transform=ax.transAxes,
            markeredgecolor="black", markersize=10, zorder=BELOW_WHAT_MOVES, **looks)


def _prepare_lengths(ax, title):
    prepare(ax, title)
    ax.set_xscale("log")
    ax.set_xlim(*_ENDS)
    ax.minorticks_off()
    ticks = (1, 4, 10, 32, 128, LONGEST)
    ax.set_xticks(ticks, map(str, ticks))
    ax.set_xlabel("sequence length (tokens)", fontsize=FONT_SIZE)


def plot_slot_counts(ax):
    """Draw the axes of the number of slots: even steps up to 1, logarithmic from there.

    Returns
    -------
    PolicyCurves
        Call ``fit`` and ``move``.
    """
    _prepare_lengths(ax, "number of slots (mean)")
    ax.set_yscale("symlog", linthresh=1, linscale=0.7)
    ax.set_ylim(-0.2, _TOP)
    ax.minorticks_off()
    ticks = (0, 1, 3, 10, 30, 100, LONGEST)
    ax.set_yticks(ticks, map(str, ticks))
    return PolicyCurves(ax)


def plot_no_slot(ax, drawn_policies):
    """Draw the axes of the chance of no slot.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    drawn_policies : sequence of str
        The policies that get a cross for the share observed in a draw.

    Returns
    -------
    NoSlotCurves
        Call ``fit``, ``move`` and ``move_drawn``.
    """
    _prepare_lengths(ax, "chance of no slot (X: share in the draw)")
    ax.set_ylim(-0.05, 1.6)
    ax.set_yticks([0, 0.25, 0.5, 0.75, 1], ["0", "25 %", "50 %", "75 %", "100 %"])
    return NoSlotCurves(ax, drawn_policies)
