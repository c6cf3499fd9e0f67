"""What the tests that look at pages share: a browser, JupyterLab, and the notebooks open in it.

They last for one module. Playwright keeps an event loop running in the tests' own thread, which
nothing else, such as the kernels of the notebooks' tests, should meet there.
"""

import os
import shutil

import pytest

from lab import find_browser, open_browser, start_lab
from lab_page import FOLDER, START, NotebookPage


@pytest.fixture(scope="module")
def chromium():
    """A browser. On CI it must be there, or pages would go unseen."""
    path = find_browser()
    if path is None:
        reason = "no Chromium: install one, or run 'playwright install chromium'"
        (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)
    with open_browser(path) as browser:
        yield browser


@pytest.fixture(scope="module")
def visit(chromium, tmp_path_factory):
    """A function that opens a notebook, or returns to the page where it is open already."""
    place = tmp_path_factory.mktemp("browser")
    copies = shutil.copytree(FOLDER, place / "notebooks", ignore=shutil.ignore_patterns(".*"))
    pages = {}

    def open_once(name):
        if name not in pages:
            pages[name] = NotebookPage(chromium, lab, copies / f"{name}.ipynb")
        pages[name].page.bring_to_front()
        return pages[name]

    with start_lab(copies, place / "home") as lab:
        yield open_once


@pytest.fixture
def run(visit):
    """A function that opens a notebook and runs it: the start page by the button that it offers."""
    return lambda name: visit(name).run_all(press_button=name == START)
