"""Each notebook through Voila: live plots with their sentences, and no code."""

import shutil

import pytest
from playwright.sync_api import expect

from lab import start_voila
from lab_page import FOLDER, LIVE, NOTEBOOKS, SCREEN, START, stored_stills
from looks import assert_plot_on_white, screenshot
from thorough import plainly


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    place = tmp_path_factory.mktemp("voila")
    shutil.copytree(FOLDER, place / "notebooks", ignore=shutil.ignore_patterns(".*"))
    with start_voila(place / "notebooks", place / "home") as address:
        yield address


@pytest.fixture
def page(chromium):
    page = chromium.new_page(viewport=SCREEN)
    yield page
    page.close()


@pytest.mark.parametrize("name", plainly((START,), NOTEBOOKS))
def test_plots_are_live_and_say_what_is_stored_and_no_code_is_shown(page, address, name):
    page.goto(f"{address.rstrip('/')}/voila/render/{name}.ipynb")
    stills = stored_stills(FOLDER / f"{name}.ipynb")
    expect(page.locator(LIVE)).to_have_count(len(stills))
    for index, (sentence, _) in enumerate(stills):
        explorer = page.locator(LIVE).nth(index)
        expect(explorer.locator(".mlm-sentence")).to_have_text(sentence)
        assert_plot_on_white(screenshot(explorer.locator("img.mlm-picture")))
    assert "import " not in page.locator("body").inner_text()
