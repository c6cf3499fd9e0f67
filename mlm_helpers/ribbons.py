"""The ribbon: original, input, label and branch of each token, one above the other.

Colour is never alone: each branch has a symbol and its word too. Text and background are both set,
so the ribbon reads the same in a dark theme.
"""

from typing import NamedTuple

from mlm_helpers.masking import MASK
from mlm_helpers.tables import cell, table
from mlm_helpers.wording import integer, markup, shorten

PER_LINE = 12
PER_PAGE = 2 * PER_LINE
_NO_LABEL = "\N{MINUS SIGN}100"


class BranchMark(NamedTuple):
    """How one branch of the 80/10/10 rule is drawn."""

    symbol: str
    background: str


BRANCH_MARKS = {
    "mask": BranchMark("▣", "#cfe5f5"),
    "swap": BranchMark("⇄", "#fbe3b5"),
    "keep": BranchMark("=", "#cdebdf"),
}


class Ribbon:
    """A stretch of text before and after corruption, as a table.

    Parameters
    ----------
    original, shown : sequence of str
        The tokens before and after corruption.
    branches : dict of int to str
        "mask", "swap" or "keep" for each chosen position, and only for those.
    start : int
        Position in the text of the first token, for the captions.

    Examples
    --------
    >>> Ribbon(["The", "cat"], ["The", "[MASK]"], {1: "mask"})
    original  The   cat
    input     The   [MASK]
    label     −100  cat
    branch          ▣ mask
    """

    def __init__(self, original, shown, branches, start=0):
        self.original, self.shown, self.branches = list(original), list(shown), dict(branches)
        self.start = start

    def page(self, number):
        """The part of the ribbon on one page, counted from 1."""
        start = (number - 1) * PER_PAGE
        stop = start + PER_PAGE
        branches = {position - start: branch for position, branch in self.branches.items()
                    if start <= position < stop}
        return Ribbon(self.original[start:stop], self.shown[start:stop], branches, start)

    @property
    def n_pages(self):
        """How many pages the ribbon fills, at least one."""
        return max(1, -(-len(self.original) // PER_PAGE))

    def rows(self):
        """The four rows as (heading, one text per token); None where there is nothing to say."""
        positions = range(len(self.original))
        labels = [self.original[i] if i in self.branches else _NO_LABEL for i in positions]
        branches = [self._branch_text(i) for i in positions]
        return [("original", self.original), ("input", self.shown),
                ("label", labels), ("branch", branches)]

    def _branch_text(self, position):
        name = self.branches.get(position)
        return f"{BRANCH_MARKS[name].symbol} {name}" if name else None

    def __repr__(self):
        columns = [["" if texts[i] is None else shorten(texts[i]) for _, texts in self.rows()]
                   for i in range(len(self.original))]
        widths = [max(map(len, column)) for column in columns]
        lines = []
        for row, (heading, _) in enumerate(self.rows()):
            cells = [column[row].ljust(width)
                     for column, width in zip(columns, widths, strict=True)]
            lines.append("  ".join([heading.ljust(8), *cells]).rstrip())
        return "\n".join(lines)

    def _repr_html_(self):
        if not self.original:
            return "<p>No tokens: the text is empty, so 0 slots can be chosen.</p>"
        starts = range(0, len(self.original), PER_LINE)
        return "".join(self._line_html(start, start + PER_LINE) for start in starts)

    def _line_html(self, start, stop):
        positions = range(start, min(stop, len(self.original)))
        rows = [[cell("th", heading, bold=True, scope="row"),
                 *(self._cell_html(texts[i], i) for i in positions)]
                for heading, texts in self.rows()]
        first, last = self.start + start, self.start + positions[-1]
        caption = f"positions {integer(first)} to {integer(last)}"
        is_whole = self.start == 0 and len(self.original) <= PER_LINE
        return table(rows, "" if is_whole else caption)

    def _cell_html(self, text, position):
        branch = self.branches.get(position)
        background = BRANCH_MARKS[branch].background if branch else "#ffffff"
        content = "" if text is None else markup(text)
        return cell("td", content, background=background, bold=bool(branch))


def slot_ribbon(sentence, position, slot):
    """The ribbon of a sentence with one chosen position.

    Examples
    --------
    >>> from mlm_helpers.examples import KEEP_UNCHANGED as example
    >>> slot_ribbon(example.sentence, example.position, example.slot)
    original  The   cat     sat   down  .
    input     The   cat     sat   down  .
    label     −100  cat     −100  −100  −100
    branch          = keep
    """
    original = list(sentence)
    original[position] = slot.label_token
    shown = list(original)
    shown[position] = slot.shown_token
    branch = "swap" if slot.misleads else "mask" if slot.shown is None else "keep"
    return Ribbon(original, shown, {position: branch})


def masked_ribbon(sentence, masked_positions):
    """The ribbon of a sentence whose chosen positions all show ``[MASK]``.

    Examples
    --------
    >>> masked_ribbon(("The", "cat", "sat"), (1,))
    original  The   cat     sat
    input     The   [MASK]  sat
    label     −100  cat     −100
    branch          ▣ mask
    """
    shown = [MASK if position in masked_positions else token
             for position, token in enumerate(sentence)]
    return Ribbon(sentence, shown, dict.fromkeys(masked_positions, "mask"))
