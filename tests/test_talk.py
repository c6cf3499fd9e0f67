"""Slides: what the slide types make of each notebook with nbconvert, whose talk hides the code."""

import re
from collections import Counter

import pytest
from nbconvert import SlidesExporter

from lab_page import FOLDER, NOTEBOOKS
from notebook_pages import read, slide_type


@pytest.fixture(scope="module", params=NOTEBOOKS)
def talk(request):
    """A notebook's cells, and its slides as HTML."""
    path = FOLDER / f"{request.param}.ipynb"
    html, _ = SlidesExporter(exclude_input=True).from_filename(str(path))
    return read(path).cells, html[html.index('<div class="slides">'):]


def kinds(cells):
    return Counter(map(slide_type, cells))


def test_each_planned_slide_is_one(talk):
    cells, html = talk
    planned = kinds(cells)
    assert planned["slide"] >= 5
    # nbconvert wraps each slide in a section of its own, so that others can stand below it
    assert html.count("<section>") == 2 * planned["slide"] + planned["subslide"]


def test_what_is_skipped_is_not_shown_and_notes_are_for_the_speaker(talk):
    cells, html = talk
    headings = {kind: [cell.source.splitlines()[0].lstrip("# ") for cell in cells
                       if cell.cell_type == "markdown" and cell.source.startswith("#")
                       and slide_type(cell) == kind]
                for kind in ("skip", "slide")}
    shown = re.findall(r"<h[1-3][^>]*>([^<]+)", html)
    assert all(any(title.split("`")[0].split("*")[0] in text for text in shown)
               for title in headings["slide"])
    assert not set(headings["skip"]) & set(shown)
    assert html.count('<aside class="notes">') == kinds(cells)["notes"]


def test_no_code_is_shown(talk):
    assert 'class="jp-InputArea-editor"' not in talk[1] and "import " not in talk[1]
