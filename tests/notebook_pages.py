"""Reads notebooks and Markdown files as a reader meets them: cells, outputs, headings, links."""

import functools
import re
from html.parser import HTMLParser

import mistune
import nbformat


def read(path):
    """The notebook as it is stored, to be looked at only: all that ask share one object.

    `nbformat.read` would repair some faults on the way.
    """
    return _notebook(path.read_text("utf-8"))


@functools.lru_cache(maxsize=32)  # a dozen rules read each file
def _notebook(text):
    return nbformat.v4.reads(text)


def code_cells(notebook):
    """Every code cell with the name complaints use: its place among all cells and its id."""
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.cell_type == "code":
            yield f"cell {number} ({cell.get('id')})", cell


def outputs(notebook):
    """Every stored output with the name of its cell."""
    return [(name, output) for name, cell in code_cells(notebook) for output in cell.outputs]


def data(output):
    """The contents of an output by mime type; printed text has none."""
    return output.get("data", {})


def is_lettered(path):
    """Whether this is one of the scenarios, which keep more rules than the start page."""
    return re.match("[A-H]_", path.name) is not None


def headings(notebook):
    """Every heading, top to bottom, as (level, text, cell)."""
    return [
        (level, text, cell)
        for cell in notebook.cells
        if cell.cell_type == "markdown"
        for level, text in markdown_page(cell.source).headings
    ]


@functools.cache
def markdown_page(*texts):
    """The page that some Markdown gives."""
    return Page(*map(mistune.html, texts))


def page(path):
    """The prose of a notebook, stored rich outputs included, or of a Markdown file."""
    if path.suffix != ".ipynb":
        return markdown_page(path.read_text("utf-8"))
    notebook = read(path)
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    rich = [data(output) for _, output in outputs(notebook)]
    prose += [each.get("text/markdown", "") for each in rich]
    return Page(*map(mistune.html, prose), *(each.get("text/html", "") for each in rich))


class Page(HTMLParser):
    """The headings, link targets and images (their attributes) of some HTML."""

    def __init__(self, *texts):
        super().__init__()
        self.headings, self.links, self.images = [], [], []
        self._level = self._text = None
        for text in texts:
            self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"] or "")
        if tag == "img":
            self.images.append(attributes)
        if re.fullmatch("h[1-6]", tag):
            self._level, self._text = int(tag[1]), ""

    def handle_data(self, text):
        if self._level:
            self._text += text

    def handle_endtag(self, tag):
        if self._level and tag == f"h{self._level}":
            self.headings.append((self._level, self._text.strip()))
            self._level = None


def slide_type(cell):
    """Where a cell stands in a talk; None where it goes on on the slide before it."""
    return cell.metadata.get("slideshow", {}).get("slide_type")
