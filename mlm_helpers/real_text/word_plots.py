"""The likeliest words of a slot as bars that lie, so that long words can be read."""

import numpy as np

from mlm_helpers.colours import LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.figures import moving_text, prepare
from mlm_helpers.fonts import drawable
from mlm_helpers.wording import decimal, shorten

_LONGEST = 13  # letters


class WordBars:
    """A row per word: its name, its bar, its probability.

    Attributes
    ----------
    rectangles, names, numbers : list of matplotlib artists
    """

    def __init__(self, ax, n_rows):
        self.rectangles = list(ax.barh(range(n_rows), np.zeros(n_rows), height=0.7,
                                       edgecolor="black", linewidth=1))
        beside = {"va": "center", "transform": ax.get_yaxis_transform()}
        self.names = [moving_text(ax, -0.015, row, ha="right", **beside) for row in range(n_rows)]
        self.numbers = [moving_text(ax, 0, row, va="center") for row in range(n_rows)]

    @property
    def artists(self):
        """All that changes with the slot."""
        return [*self.rectangles, *self.names, *self.numbers]

    def move(self, slot):
        """Show a slot's listed words, and all others together below them."""
        rows = [*slot.tokens, *(["all others"] if slot.n_rest else [])]
        for row, (bar, name, number) in enumerate(zip(self.rectangles, self.names, self.numbers,
                                                      strict=True)):
            here = row < len(rows)
            probability = float(slot.probabilities[row]) if here else 0.0
            role = " (true)" if row == slot.label else " (shown)" if row == slot.shown else ""
            text, families = drawable(shorten(rows[row], _LONGEST) + role if here else "")
            name.set(text=text, fontfamily=families)
            number.set(text=decimal(probability) if here else "", x=probability + 0.012)
            bar.set_width(probability)
            bar.set_facecolor(LABEL_BLUE if row == slot.label else
                              SHOWN_ORANGE if row == slot.shown else OTHER_GREY)
            bar.set_hatch("//" if row == slot.shown else "")
            bar.set_visible(here)


def plot_word_bars(ax, n_rows):
    """Prepare axes for so many rows.

    Returns
    -------
    WordBars
        Call ``move``.
    """
    prepare(ax, "softmax p")
    ax.set_xlim(0, 1.12)
    ax.set_xticks([0, 0.25, 0.5, 0.75, 1], ["0", "0.25", "0.5", "0.75", "1"])
    ax.set_ylim(n_rows - 0.4, -0.6)
    ax.set_yticks([])
    return WordBars(ax, n_rows)
