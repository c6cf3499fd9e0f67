"""A browser for the tests that look at pages, and how the tests share out the machine's time."""

import gc
import os

import pytest
from xdist.scheduler import LoadFileScheduling

from lab import open_browser_or_skip

TOGETHER = "tests/browser/"  # these share one JupyterLab


def pytest_configure(config):
    """Give every process that the tests start pytest's own path: they start sooner by it.

    And one thread for its matrices: the processors are busy with the other tests.
    """
    environment = pytest.MonkeyPatch()
    config.add_cleanup(environment.undo)
    environment.setenv("OPENBLAS_NUM_THREADS", "1")
    for path in config.getini("pythonpath"):
        environment.setenv("PYTHONPATH", str(path), prepend=os.pathsep)


@pytest.hookimpl(tryfirst=True)
def pytest_collection():
    """Thousands of tests stay until the end: looking through them for garbage is a waste."""
    gc.disable()


def pytest_collection_finish():
    gc.enable()


@pytest.fixture(scope="module", autouse=True)
def _what_stays_is_no_garbage():
    """Nor is what was imported since, through which each count of figures would look again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def chromium():
    """A browser, for one module only: see `open_browser`."""
    with open_browser_or_skip() as browser:
        yield browser


class FilesAndOneFolder(LoadFileScheduling):
    """A worker takes a whole file, or all files of the folder whose tests share a server."""

    def _split_scope(self, nodeid):
        return TOGETHER if nodeid.startswith(TOGETHER) else super()._split_scope(nodeid)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Left to xdist's own choice where its default was overruled."""
    return FilesAndOneFolder(config, log) if config.getoption("dist") == "loadfile" else None
