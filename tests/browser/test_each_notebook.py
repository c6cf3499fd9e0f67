"""Every notebook in JupyterLab and Chromium: what a reader sees before and after Run All.

They are opened as a stranger would open them: copied, not trusted, not run. The tests of
a notebook build on one page, in this order, before those of the files after this one.
"""

import pytest
from playwright.sync_api import expect

from accessibility import findings
from lab_page import CORPUS, LIVE, NOTEBOOKS, REAL_TEXT, START, TEACHING
from looks import assert_plot_on_white, pale_texts, screenshot

WITH_TWO = (START, CORPUS, TEACHING, REAL_TEXT)
FAILURES = ("Error displaying widget", "Loading widget...", "model not found", "Traceback")
JUPYTERLABS = ".cm-editor, .jp-Notebook-footer"  # whose colours are the theme's, down to 2.7


pytestmark = pytest.mark.parametrize("name", NOTEBOOKS)


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_unrun_it_shows_each_explorer_as_a_still_picture(visit, name, theme):
    notebook = visit(name)
    notebook.lab_page.use_theme(theme)
    assert len(notebook.stills) == (2 if name in WITH_TWO else 1)
    for _, picture in notebook.stills:
        still = notebook.still(picture)
        assert still.evaluate("image => image.naturalWidth * image.naturalHeight") > 0
        assert_plot_on_white(screenshot(still))
    assert pale_texts(notebook.panel.locator(".jp-Notebook"), besides=JUPYTERLABS) == {}
    assert [text for text in FAILURES if text in notebook.text] == []


def test_it_runs_to_the_end(visit, name):
    """By the menu; the start page by the button that it offers."""
    cells = visit(name).run_all(press_button=name == START).saved_when_done()
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    kinds = {output.get("name", output["output_type"])
             for cell in cells for output in cell["outputs"]}
    assert not kinds & {"error", "stderr"}


def test_run_it_shows_each_explorer_once(run, name):
    notebook = run(name)
    for index, (sentence, _) in enumerate(notebook.stills):
        explorer = notebook.panel.locator(LIVE).nth(index)
        cell = explorer.locator("xpath=ancestor::*[contains(@class, 'jp-CodeCell')]")
        expect(cell.locator(".jp-OutputArea img")).to_have_count(1)
        expect(cell.get_by_alt_text(sentence, exact=True)).to_be_visible()
        expect(explorer.locator(".mlm-sentence")).to_have_text(sentence)
        assert_plot_on_white(screenshot(explorer.locator("img.mlm-picture")))
    assert [text for text in FAILURES if text in notebook.text] == []


def test_run_and_unfolded_its_texts_stand_out_in_the_dark(run, name):
    notebook = run(name)
    notebook.unfold()
    notebook.lab_page.use_theme("Dark")
    assert pale_texts(notebook.panel.locator(".jp-Notebook"), besides=JUPYTERLABS) == {}


def test_run_and_unfolded_it_is_accessible(run, name):
    notebook = run(name)
    notebook.unfold()
    notebook.lab_page.use_theme("Light")
    assert findings(notebook.panel.locator(".jp-Notebook")) == []
