"""The shares of the three branches, and the ribbon as a picture, drawn on axes that are given."""

from matplotlib.patches import Rectangle
from matplotlib.transforms import offset_copy

from mlm_helpers.colours import BRANCH_COLOURS, OTHER_GREY
from mlm_helpers.figures import FONT_SIZE, LINE_WIDTH, fitted, moving_text, prepare
from mlm_helpers.fonts import drawable
from mlm_helpers.wording import integer, percent

BRANCH_HATCHES = {"mask": "", "swap": "//", "keep": ".."}


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
    prepare(ax, "share of the slots, drawn (bar) and expected (dashed)")
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
    numbers = [moving_text(ax, 0, row, transform=beside, va="center")
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
    ax.set_xlim(-1.2, len(backgrounds) + 0.02)  # with room for the boxes' outer lines
    room = 0.95 * ax.get_window_extent().width / (len(backgrounds) + 1.2)
    ax.set_ylim(len(rows) + 0.02, -0.02)
    for row, (heading, texts) in enumerate(rows):
        ax.text(-0.15, row + 0.5, heading, ha="right", va="center", fontsize=FONT_SIZE)
        for column, (text, colour) in enumerate(zip(texts, backgrounds, strict=True)):
            ax.add_patch(Rectangle((column, row), 1, 1, facecolor=colour, edgecolor=OTHER_GREY))
            if text is not None:
                word, families = drawable(fitted(ax.figure, text, room))
                ax.text(column + 0.5, row + 0.5, word, ha="center", va="center",
                        fontsize=FONT_SIZE, fontfamily=families, parse_math=False)
