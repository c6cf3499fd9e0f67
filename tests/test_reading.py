"""The notebooks as HTML pages that nbconvert makes, read without a kernel and without a network.

Such a page asks for two scripts from elsewhere, and everything but the look of formulas is there
without them: MathJax sets the formulas, which else stand as LaTeX, numbers included; require.js
would load live widgets, of which there are none.
"""

import base64
import re
from functools import cache
from urllib.parse import urlsplit

import numpy as np
import pytest
from nbconvert import HTMLExporter

from lab_page import (
    FOLDER,
    KEPT,
    MASKED,
    NOTEBOOKS,
    SCREEN,
    SEVERAL,
    START,
    SWAPPED,
    TOTAL,
    stored_code_cells,
    stored_stills,
)
from looks import assert_plot_on_white, pale_texts, pixels_of, screenshot
from thorough import plainly

ELSEWHERE = {"latest.js", "require.min.js"}  # the first is MathJax
CODE = ".highlight"  # whose colours are Pygments'
NUMBER = r"\d+(?:\.\d+)?"
DERIVED = (MASKED, SWAPPED, KEPT, SEVERAL, TOTAL)  # whose text derives what the picture shows
LINE_HEIGHT = 30  # of the sentence in the picture


@pytest.fixture(scope="module")
def browser_page(chromium):
    """An empty page of a browser, and the names of what is asked of the network, refused."""
    page, asked = chromium.new_page(viewport=SCREEN), []

    def refuse(route):
        asked.append(urlsplit(route.request.url).path.rsplit("/", 1)[-1])
        route.abort()

    page.route(re.compile("^https?:"), refuse)
    yield page, asked
    page.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the HTML pages are, beside the pictures of the start page."""
    folder = tmp_path_factory.mktemp("html")
    (folder / "images").symlink_to(FOLDER / "images")
    return folder


@pytest.fixture(scope="module", ids="-".join, params=[
    *((name, "light") for name in NOTEBOOKS),
    *((name, "dark") for name in plainly((START,), NOTEBOOKS))])
def opened(request, browser_page, folder):
    """The page of a notebook in a theme: the browser's page, what it asked for, the notebook."""
    name, theme = request.param
    page, asked = browser_page
    notebook, path = FOLDER / f"{name}.ipynb", folder / f"{name}_{theme}.html"
    path.write_text(exporter(theme).from_filename(notebook)[0], "utf-8")
    asked.clear()
    page.goto(path.as_uri())
    return page, {*asked}, notebook


@cache
def exporter(theme):
    return HTMLExporter(theme=theme)


def printed(path):
    """The texts that a notebook file's cells have printed."""
    outputs = [output for cell in stored_code_cells(path) for output in cell["outputs"]]
    return ["".join(output["text"]) for output in outputs if output["output_type"] == "stream"]


def test_it_shows_plots_with_their_sentences(opened):
    page, asked, notebook = opened
    assert asked <= ELSEWHERE
    for _, picture in stored_stills(notebook):
        still = page.locator(f'img[src="data:image/png;base64,{picture}"]')
        pixels = pixels_of(base64.b64decode(picture))
        painted = screenshot(still)
        assert_plot_on_white(painted)
        assert painted.shape[1] >= 0.9 * pixels.shape[1]
        caption = painted[-round(2 * LINE_HEIGHT * painted.shape[1] / pixels.shape[1]):]
        assert 0.01 < (caption < 128).any(axis=-1).mean() < 0.3
        assert np.ptp(caption.astype(int), axis=-1).max() < 16  # black on white, no hue


def test_it_shows_numbers_as_text(opened):
    page, _, notebook = opened
    text = page.locator("body").inner_text()
    assert [lines for lines in printed(notebook) if lines.strip() not in text] == []
    stills = stored_stills(notebook) if notebook.stem in DERIVED else []
    numbers = set(re.findall(NUMBER, " ".join(sentence for sentence, _ in stills)))
    assert numbers - set(re.findall(NUMBER, text)) == set()


def test_its_texts_stand_out(opened):
    page, *_ = opened
    assert pale_texts(page.locator("body"), besides=CODE) == {}
