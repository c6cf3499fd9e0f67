"""The loss of a training over its steps, on axes that are given."""

import math

import numpy as np

from mlm_helpers.colours import BRANCH_COLOURS, OTHER_GREY
from mlm_helpers.figures import BELOW_WHAT_MOVES, FONT_SIZE, LINE_WIDTH, moving_text, prepare
from mlm_helpers.wording import decimal, integer

_STYLES = {  # never colour alone: each has a mark or a dash of its own
    "training": {"color": OTHER_GREY, "linestyle": "-"},
    "held out": {"color": "black", "linestyle": "-"},
    "mask": {"color": BRANCH_COLOURS["mask"], "linestyle": "-", "marker": "o"},
    "swap": {"color": BRANCH_COLOURS["swap"], "linestyle": "--", "marker": "^"},
    "keep": {"color": BRANCH_COLOURS["keep"], "linestyle": "-.", "marker": "s"},
}
NAMES = tuple(_STYLES)
_SMOOTHED = 20  # steps of which the training's line shows the mean
_N_POINTS = 400  # of the training's line at most: as many as one sees


class TrainingCurves:
    """The curves, and beside them their names and last values.

    Attributes
    ----------
    lines : dict of Line2D
        By name: training, held out, mask, swap, keep.
    readouts : dict of Text
        The value of each.
    best : Line2D
        Where the held-out loss is lowest.
    """

    def __init__(self, ax, legend):
        self.ax, self._scale = ax, None
        self._uniform = ax.axhline(1, color="black", linestyle="--", linewidth=LINE_WIDTH,
                                   zorder=BELOW_WHAT_MOVES)
        self._label = ax.text(0.99, 1, "", transform=ax.get_yaxis_transform(), ha="right",
                              va="bottom", fontsize=FONT_SIZE, zorder=BELOW_WHAT_MOVES)
        (self.best,) = ax.plot([], [], color="black", linestyle=":", linewidth=LINE_WIDTH)
        self.lines = {name: ax.plot([], [], linewidth=LINE_WIDTH, markersize=7, **style)[0]
                      for name, style in _STYLES.items()}
        self.readouts = {}
        for row, (name, style) in enumerate(_STYLES.items()):
            height = 0.86 - 0.17 * row
            legend.plot([0.02, 0.16], [height] * 2, linewidth=LINE_WIDTH, markersize=7, **style)
            legend.text(0.21, height, name, va="center", fontsize=FONT_SIZE)
            self.readouts[name] = moving_text(legend, 1.0, height, ha="right", va="center")

    @property
    def artists(self):
        """All that changes as the training goes on."""
        return [*self.lines.values(), self.best, *self.readouts.values()]

    def fit(self, n_steps, vocab_size, uniform):
        """Set both axes for a training; say whether that changed them."""
        scale = n_steps, vocab_size
        if scale == self._scale:
            return False
        self._scale = scale
        self.ax.set_xlim(0, n_steps)
        self.ax.set_ylim(0, 1.18 * uniform)
        self.ax.set_xticks([0, n_steps / 2, n_steps],
                           ["0", integer(n_steps // 2), integer(n_steps)])
        self._uniform.set_ydata([uniform, uniform])
        self._label.set_y(1.01 * uniform)
        self._label.set_text(f"uniform: ln {integer(vocab_size)} = {decimal(uniform)}")
        return True

    def move(self, history=None, best_step=None):
        """Show a history, or none."""
        curves = dict.fromkeys(NAMES, ([], []))
        if history is not None:
            held_out = {"held out": history.held_out, **history.branches}
            curves |= {name: (history.steps, losses) for name, losses in held_out.items()}
            curves["training"] = smoothed(history.training)
        for name, (steps, losses) in curves.items():
            line = self.lines[name]
            line.set_data(steps, losses)
            line.set_markevery([len(losses) - 1] if len(losses) else None)  # at its end
            shown = len(losses) and not math.isnan(losses[-1])
            self.readouts[name].set_text(decimal(losses[-1], 2) if shown else "–")
        self.best.set_data([], []) if best_step is None else self.best.set_data(
            [best_step] * 2, [0, self.ax.get_ylim()[1]])


def smoothed(losses):
    """Steps and running means of a training's losses, no more points than one sees.

    Examples
    --------
    >>> steps, means = smoothed([4.0, 2.0, 3.0])
    >>> steps.tolist(), means.tolist()
    ([1, 2, 3], [4.0, 3.0, 3.0])
    """
    sums = np.concatenate([[0.0], np.cumsum(losses)])
    n_all = len(losses)
    ends = np.unique(np.linspace(1, n_all, min(n_all, _N_POINTS)).astype(int)) if n_all else []
    ends = np.asarray(ends, dtype=int)
    starts = np.maximum(0, ends - _SMOOTHED)
    return ends, (sums[ends] - sums[starts]) / np.maximum(1, ends - starts)


def plot_training_curves(ax, legend):
    """Prepare the axes of the curves and those of their names.

    Returns
    -------
    TrainingCurves
        Call ``fit`` and ``move``.
    """
    prepare(ax, "loss per slot (nats)")
    ax.set_xlabel("steps of training", fontsize=FONT_SIZE)
    legend.set_xlim(0, 1)
    legend.set_ylim(0, 1)
    legend.axis("off")
    return TrainingCurves(ax, legend)
