"""One JupyterLab for all tests in this folder, with the notebooks as tabs of one page."""

import shutil
from pathlib import Path

import pytest

from lab import open_browser_or_skip, start_lab
from lab_page import FOLDER, NOTEBOOKS, LabPage

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items):
    """All tests of one notebook follow each other, for it takes seconds to open and to run one.

    Which notebook it is says a test's parameter ``name`` or its mark ``notebook``.
    """
    places = [place for place, item in enumerate(items) if item.path.parent == HERE]
    ours = sorted((items[place] for place in places), key=place_of_notebook)
    for place, item in zip(places, ours, strict=True):
        items[place] = item


def place_of_notebook(item):
    parameters = item.callspec.params if hasattr(item, "callspec") else {}
    mark = item.get_closest_marker("notebook")
    name = mark.args[0] if mark else parameters.get("name")
    return NOTEBOOKS.index(name) if name in NOTEBOOKS else len(NOTEBOOKS)


@pytest.fixture(scope="package")
def lab_page(tmp_path_factory):
    """JupyterLab on copies of the notebooks, as a stranger finds them: not trusted, not run."""
    place = tmp_path_factory.mktemp("browser")
    copies = shutil.copytree(FOLDER, place / "notebooks", ignore=shutil.ignore_patterns(".*"))
    with open_browser_or_skip() as browser, start_lab(copies, place / "home") as lab:
        yield LabPage(browser, lab)


@pytest.fixture
def visit(lab_page):
    """A function that opens a notebook, or returns to its tab if it is open already."""
    return lab_page.visit


@pytest.fixture
def run(visit):
    """A function that opens a notebook and runs all its cells."""
    return lambda name: visit(name).run_all()


@pytest.fixture(autouse=True)
def _no_script_complains(lab_page):
    lab_page.errors.clear()
    yield
    assert lab_page.errors == []
