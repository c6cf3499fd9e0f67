"""HTML tables that read the same in a light and a dark theme: text and ground are both set."""

from html import escape

_CELL = ("color: #000000; border: 1px solid #999999; padding: 4px 10px; font-size: 16px; "
         "line-height: 1.3")
_TABLE = "border-collapse: collapse; margin: 4px 0"


def cell(tag, content, *, background="#ffffff", align="center", bold=False, scope=""):
    """One cell; the content is HTML, escaped by the caller."""
    scope = scope and f' scope="{scope}"'
    weight = "bold" if bold else "normal"
    return (f'<{tag}{scope} style="{_CELL}; background: {background}; text-align: {align}; '
            f'font-weight: {weight}">{content}</{tag}>')


def table(rows, caption=""):
    """A table of finished rows of cells, with a caption above it."""
    caption = caption and (f'<caption style="text-align: left; font-size: 14px; color: inherit">'
                           f"{caption}</caption>")
    body = "".join(f"<tr>{''.join(cells)}</tr>" for cells in rows)
    return f'<table style="{_TABLE}">{caption}{body}</table>'


def number_table(head, rows, caption="", bold_row=None):
    """A table of numbers: the first column names a row, the others are set flush right."""
    header = [cell("th", title, bold=True, scope="col") if title else cell("td", "")
              for title in head]
    body = [_number_row(row, index == bold_row) for index, row in enumerate(rows)]
    return table([header, *body], caption)


def _number_row(row, bold):
    name, *numbers = row
    return [cell("th", name, align="left", bold=True, scope="row"),
            *(cell("td", number, align="right", bold=bold) for number in numbers)]


class Table:
    """A table of numbers that shows itself in a notebook, and as aligned text elsewhere.

    Parameters
    ----------
    head : sequence of str
        The columns' titles.
    rows : sequence of sequence of str
        The first text of a row names it. Texts are plain: no HTML is read into them.
    caption : str
        What stands above the table.

    Examples
    --------
    >>> Table(("model", "nats"), [("base", "1.3838"), ("large", "1.1725")], "held-out loss")
    held-out loss
    model    nats
    base   1.3838
    large  1.1725
    """

    def __init__(self, head, rows, caption=""):
        self.head, self.rows, self.caption = tuple(head), [tuple(row) for row in rows], caption

    def __eq__(self, other):
        return isinstance(other, Table) and self._content() == other._content()

    def __hash__(self):
        return hash(self._content())

    def _content(self):
        return self.head, tuple(self.rows), self.caption

    def _repr_html_(self):
        rows = [tuple(map(escape, row)) for row in self.rows]
        return number_table(tuple(map(escape, self.head)), rows, escape(self.caption))

    def __repr__(self):
        lines = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        texts = ["  ".join([line[0].ljust(widths[0]),
                            *(text.rjust(width) for text, width
                              in zip(line[1:], widths[1:], strict=True))])
                 for line in lines]
        return "\n".join([self.caption, *texts] if self.caption else texts)
