"""The limiting values of a loss, and where training ends, drawn on axes that are given."""

import math

import numpy as np

from mlm_helpers.colours import GREEN, LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.figures import (
    BELOW_WHAT_MOVES,
    FONT_SIZE,
    LINE_WIDTH,
    moving_text,
    prepare,
)
from mlm_helpers.wording import decimal

SMALLEST = 1e-12
_HIGHEST = -math.log(SMALLEST)
_ABOVE_AXES = 4  # points at the ends of the line lie on the frame
_TRAINING_TOP = 14.0


class LimitsPlot:
    """Surprisal over a logarithmic axis of probabilities: a straight line without an upper end.

    Attributes
    ----------
    uniform, guess, point : Line2D
        The dashed uniform line, its point p = 1/V, and the point that the slider moves.
    readouts : list of Text
        Lines of numbers in the corner that the line never reaches.
    """

    def __init__(self, ax, unit):
        self.ax = ax
        self.unit = None
        (self._line,) = ax.plot([SMALLEST, 1], [_HIGHEST, 0], color=OTHER_GREY,
                                linewidth=LINE_WIDTH, zorder=BELOW_WHAT_MOVES)
        (self._end,) = ax.plot([SMALLEST], [_HIGHEST], "^", color="black", markersize=11,
                               clip_on=False, zorder=BELOW_WHAT_MOVES)
        (self.uniform,) = ax.plot([SMALLEST, 1], [0, 0], color="black", linestyle="--",
                                  linewidth=LINE_WIDTH)
        looks = {"markeredgecolor": "black", "clip_on": False, "zorder": _ABOVE_AXES}
        (self._best,) = ax.plot([1], [0], "s", color=GREEN, markersize=10, **looks)
        (self.guess,) = ax.plot([], [], "D", color=SHOWN_ORANGE, markersize=10, **looks)
        (self.point,) = ax.plot([], [], "o", color=LABEL_BLUE, markersize=13, **looks)
        self.readouts = [moving_text(ax, 0.36, y, transform=ax.transAxes, va="center")
                         for y in (0.95, 0.87, 0.79)]
        self.fit(unit)

    @property
    def artists(self):
        """All that changes when the point moves, and what it may cross."""
        return [self.uniform, self._best, self.guess, self.point, *self.readouts]

    def fit(self, unit):
        """Set the axis to a unit; say whether that changed it."""
        if unit == self.unit:
            return False
        self.unit = unit
        self.ax.set_ylim(0, 1.04 * _HIGHEST * unit.per_nat)
        self.ax.set_ylabel(f"−{unit.log} p ({unit.name})", fontsize=FONT_SIZE)
        for line in (self._line, self._end):
            line.set_ydata(-np.log(line.get_xdata()) * unit.per_nat)
        return True

    def move(self, probability, vocab_size, texts):
        """Set the point, the uniform line, and the corner's lines of text."""
        per_nat = self.unit.per_nat
        uniform = math.log(vocab_size) * per_nat
        self.point.set_data([probability], [-math.log(probability) * per_nat])
        self.guess.set_data([1 / vocab_size], [uniform])
        self.uniform.set_ydata([uniform, uniform])
        for readout, text in zip(self.readouts, texts, strict=True):
            readout.set_text(text)


def plot_limits(ax, unit):
    """Draw -ln p over p from 1e-12 to 1, both ends named.

    Returns
    -------
    LimitsPlot
        Call ``move``.
    """
    prepare(ax, "one slot: −ln p has no upper end")
    ax.set_xscale("log")
    ax.set_xlim(SMALLEST, 1)
    ax.minorticks_off()
    ax.set_xticks([1e-12, 1e-9, 1e-6, 1e-3, 1])
    ax.set_xlabel("probability p of the true word", fontsize=FONT_SIZE)
    ax.annotate("p → 0: ∞", (0.03, 0.985), xycoords="axes fraction", fontsize=FONT_SIZE, va="top")
    return LimitsPlot(ax, unit)


class TrainingPlot:
    """Mean loss over training: where it starts, where published models end, and a measured curve.

    Attributes
    ----------
    level, point : Line2D
        The loss of one slot, to compare with the means.
    measured : Line2D
        A measured curve, empty until ``measure`` is called.
    """

    def __init__(self, ax, labels):
        self.ax = ax
        self._labelled = [label.get_window_extent().transformed(ax.transData.inverted())
                          for label in labels]
        (self.measured,) = ax.plot([], [], color=SHOWN_ORANGE, linewidth=LINE_WIDTH,
                                   zorder=BELOW_WHAT_MOVES)
        (self.level,) = ax.plot([0, 1], [0, 0], color=LABEL_BLUE, linewidth=LINE_WIDTH)
        (self.point,) = ax.plot([0], [0], color=LABEL_BLUE, markeredgecolor="black", marker="o",
                                markersize=13, clip_on=False, zorder=_ABOVE_AXES)

    @property
    def artists(self):
        """All that changes when the slot's loss does."""
        return [self.level, self.point]

    def move(self, loss):
        """Set the slot's loss in nats; above the axis it shows as an arrow."""
        shown = min(loss, _TRAINING_TOP)
        ends = [room.x0 - 0.02 for room in self._labelled if room.y0 <= shown <= room.y1]
        self.level.set_data([0, min(ends, default=1)], [shown, shown])  # strikes no label through
        self.level.set_visible(shown == loss)
        self.point.set_ydata([shown])
        self.point.set_marker("o" if shown == loss else "^")

    def measure(self, steps, losses):
        """Draw a measured curve, of losses in nats; its last step is the end of the axis."""
        steps, losses = np.asarray(steps, dtype=float), np.asarray(losses, dtype=float)
        if steps.shape != losses.shape or not steps.size or not steps[-1] > 0:
            raise ValueError(f"{steps.size} steps and {losses.size} losses are no curve: "
                             "give one loss per step, and a last step above 0")
        self.measured.set_data(steps / steps[-1], losses)
        self.ax.set_xlabel("orange: measured; dotted: drawn")


def plot_training(ax, uniform, fresh, ends):
    """Draw the start and the ends of training.

    Parameters
    ----------
    ax : Axes
        Where to draw.
    uniform : float
        The uniform reference of the models' vocabulary, in nats.
    fresh : sequence of float
        First losses in nats of freshly initialised models.
    ends : sequence of float
        Mean losses in nats of trained models. The first and the last get a dotted guide, which is
        drawn and not measured.

    Returns
    -------
    TrainingPlot
        Call ``move``.
    """
    prepare(ax, "BERT's mean loss (nats)")
    ax.set_xlim(0, 1)
    ax.set_ylim(0, _TRAINING_TOP)
    ax.set_xticks([0, 1], ["start", "end of training"])
    ax.get_xticklabels()[-1].set_horizontalalignment("right")
    ax.set_xlabel("dotted: drawn, not measured", fontsize=FONT_SIZE)
    still = {"linewidth": LINE_WIDTH, "zorder": BELOW_WHAT_MOVES}
    ax.axhline(uniform, color="black", linestyle="--", **still)
    progress = np.linspace(0, 1, 60)
    start = sum(fresh) / len(fresh)
    for end in (ends[0], ends[-1]):
        ax.plot(progress, end + (start - end) * np.exp(-9 * progress), color=OTHER_GREY,
                linestyle=":", **still)
    looks = {"markeredgecolor": "black", "markersize": 9, "clip_on": False,
             "zorder": BELOW_WHAT_MOVES}
    ax.plot([0] * len(fresh), fresh, "D", color=SHOWN_ORANGE, **looks)
    ax.plot([1] * len(ends), ends, "s", color=GREEN, **looks)
    on_white = {"facecolor": "white", "edgecolor": "none", "pad": 1}
    labels = [ax.text(0.97, height, text, fontsize=FONT_SIZE, ha="right", va="bottom",
                      bbox=on_white)
              for height, text in ((max(fresh) + 1.5, f"fresh: {_span(fresh)}"),
                                   (max(fresh) + 0.2, f"uniform: {decimal(uniform)}"),
                                   (max(ends) + 0.5, f"trained: {_span(ends)}"))]
    return TrainingPlot(ax, labels)


def _span(losses):
    return f"{decimal(min(losses), 2)} to {decimal(max(losses), 2)}"
