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
def read(chromium, tmp_path_factory):
    """A function that opens the HTML page of a notebook; returns it and what it asked for."""
    folder = tmp_path_factory.mktemp("html")
    (folder / "images").symlink_to(FOLDER / "images")
    context = chromium.new_context(viewport=SCREEN)
    asked, pages, exporter = [], {}, cache(HTMLExporter)

    def refuse(route):
        asked.append(route.request.url)
        route.abort()

    def open_once(name, theme):
        if (name, theme) not in pages:
            html, _ = exporter(theme=theme).from_filename(FOLDER / f"{name}.ipynb")
            path = folder / f"{name}_{theme}.html"
            path.write_text(html, "utf-8")
            asked.clear()
            page = context.new_page()
            page.goto(path.as_uri())
            pages[name, theme] = page, {urlsplit(url).path.rsplit("/", 1)[1] for url in asked}
        return pages[name, theme]

    context.route(re.compile("^https?:"), refuse)
    yield open_once
    context.close()


def printed(path):
    """The texts that a notebook file's cells have printed."""
    outputs = [output for cell in stored_code_cells(path) for output in cell["outputs"]]
    return ["".join(output["text"]) for output in outputs if output["output_type"] == "stream"]


@pytest.mark.parametrize(("name", "theme"), [
    *((name, "light") for name in NOTEBOOKS),
    *((name, "dark") for name in plainly((START,), NOTEBOOKS))])
class TestEachPage:
    def test_it_shows_plots_with_their_sentences(self, read, name, theme):
        page, asked = read(name, theme)
        assert asked <= ELSEWHERE
        for _, picture in stored_stills(FOLDER / f"{name}.ipynb"):
            still = page.locator(f'img[src="data:image/png;base64,{picture}"]')
            pixels = pixels_of(base64.b64decode(picture))
            painted = screenshot(still)
            assert_plot_on_white(painted)
            assert painted.shape[1] >= 0.9 * pixels.shape[1]
            caption = painted[-round(2 * LINE_HEIGHT * painted.shape[1] / pixels.shape[1]):]
            assert 0.01 < (caption < 128).any(axis=-1).mean() < 0.3
            assert np.ptp(caption.astype(int), axis=-1).max() < 16  # black on white, no hue

    def test_it_shows_numbers_as_text(self, read, name, theme):
        page, _ = read(name, theme)
        path = FOLDER / f"{name}.ipynb"
        text = page.locator("body").inner_text()
        assert [lines for lines in printed(path) if lines.strip() not in text] == []
        sentences = [sentence for sentence, _ in stored_stills(path) if name in DERIVED]
        numbers = set(re.findall(NUMBER, " ".join(sentences)))
        assert numbers - set(re.findall(NUMBER, text)) == set()

    def test_its_texts_stand_out(self, read, name, theme):
        page, _ = read(name, theme)
        assert pale_texts(page.locator("body"), besides=CODE) == {}
