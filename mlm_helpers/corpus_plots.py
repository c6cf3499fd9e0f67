"""The slots of a corpus and its branches as shares of all tokens, drawn on axes that are given."""

from matplotlib.transforms import blended_transform_factory

from mlm_helpers.colours import BRANCH_COLOURS, OTHER_GREY
from mlm_helpers.figures import FONT_SIZE, LINE_WIDTH, moving_text, prepare
from mlm_helpers.mask_plots import BRANCH_HATCHES

ROWS = ("all slots", *BRANCH_COLOURS)
_TICKS = {0.01: 0.0025, 0.02: 0.005, 0.05: 0.01, 0.1: 0.025, 0.2: 0.05, 0.5: 0.1, 1: 0.25}
"""The lengths that the axis may have, as shares of the corpus, and the step of its ticks."""


class CorpusBars:
    """A bar for all slots and one per branch, with columns of numbers to their right.

    Attributes
    ----------
    rectangles : list of Rectangle
        One per row.
    rate : Line2D
        The share that was asked for, dashed beside the bar of all slots.
    columns : list of list of Text
        Each column from top to bottom, set flush right so that digits stand below digits.
    """

    def __init__(self, ax, rectangles, rate, columns):
        self.ax = ax
        self.rectangles, self.rate, self.columns = list(rectangles), rate, columns

    @property
    def artists(self):
        """All that changes when a count does."""
        numbers = [number for column in self.columns for number in column]
        return [*self.rectangles, self.rate, *numbers]

    def fit(self, highest):
        """Choose the length of the axis for a share; say whether it changed."""
        length = next(length for length in _TICKS if length >= highest)
        if (0, length) == self.ax.get_xlim():
            return False
        self.ax.set_xlim(0, length)
        step = _TICKS[length]
        ticks = [step * number for number in range(round(length / step) + 1)]
        self.ax.set_xticks(ticks, [f"{100 * tick:g} %" if tick else "0" for tick in ticks])
        return True

    def move(self, shares, texts, rate):
        """Set the bars from the shares of the corpus, the columns row by row, and the rate."""
        for bar, share in zip(self.rectangles, shares, strict=True):
            bar.set_width(share)
        for row, numbers in enumerate(texts):
            for column, number in zip(self.columns, numbers, strict=True):
                column[row].set_text(number)
        self.rate.set_xdata([rate, rate])


def plot_corpus(ax, columns):
    """Draw the rows without length, and the headings of the columns beside them.

    Parameters
    ----------
    ax : Axes
        Where to draw the bars.
    columns : dict of str to float
        The heading of each column, and where its right edge is, in widths of the axes.

    Returns
    -------
    CorpusBars
        Call ``fit`` first, then ``move``.
    """
    prepare(ax, "share of the corpus; dashed: the rate asked for")
    ax.set_ylim(len(ROWS) - 0.4, -0.6)
    ax.set_yticks(range(len(ROWS)), ROWS)
    colours = [OTHER_GREY, *BRANCH_COLOURS.values()]
    rectangles = ax.barh(range(len(ROWS)), [0] * len(ROWS), height=0.6, color=colours,
                         edgecolor="black", linewidth=1)
    for bar, hatch in zip(rectangles, ["", *BRANCH_HATCHES.values()], strict=True):
        bar.set_hatch(hatch)
    (rate,) = ax.plot([0, 0], [-0.45, 0.45], color="black", linestyle="--", linewidth=LINE_WIDTH,
                      zorder=3, clip_on=False)
    beside = blended_transform_factory(ax.transAxes, ax.transData)
    texts = []
    for heading, edge in columns.items():
        ax.annotate(heading, (edge, 1), xycoords="axes fraction", xytext=(0, 6),
                    textcoords="offset points", ha="right", fontsize=FONT_SIZE)
        texts.append([moving_text(ax, edge, row, transform=beside, ha="right", va="center",
                                  clip_on=False) for row in range(len(ROWS))])
    return CorpusBars(ax, rectangles, rate, texts)
