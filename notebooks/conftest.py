"""Closes the holes of nbval, in the same kernel run, for every notebook in this folder.

nbval compares text only. It skips pictures and widget views, passes a cell that was never run, and
loses the order of texts and pictures. The hooks below look at what nbval has just computed and
compare the rest. They sit beside the notebooks so that they also hold for a notebook named alone.
"""

import base64
import functools
import importlib.metadata
import importlib.util
import io
import re
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pytest
from nbformat import NotebookNode
from nbval.plugin import IPyNbCell, NbCellError
from PIL import Image

PICTURES = ("image/png", "image/jpeg")  # what nbval leaves out
MAX_RMS = 0.5  # grey levels over the whole picture: catches a faint change of a large area
MAX_PIXEL = 8  # grey levels of the worst pixel: catches a strong change of a small area
REFRESH = (
    "jupyter nbconvert --to notebook --execute --inplace"
    " --NotebookClient.record_timing=False --NotebookClient.store_widget_state=False notebooks/{}"
)
WARM_UP = "exec('import matplotlib.font_manager', {})"


def pytest_configure(config):
    """Keep the reader's own IPython and matplotlib settings out of the kernels.

    And let nbval describe a message only when somebody reads its log: it pretty-prints every one.
    """
    home = tempfile.TemporaryDirectory(prefix="kernels-")
    config.add_cleanup(home.cleanup)
    environment = pytest.MonkeyPatch()
    config.add_cleanup(environment.undo)
    package = Path(importlib.util.find_spec("matplotlib").origin).parent
    environment.setenv("IPYTHONDIR", home.name)
    environment.setenv("MATPLOTLIBRC", str(package / "mpl-data" / "matplotlibrc"))
    for name in ("MPLBACKEND", "PYTHONSTARTUP"):
        environment.delenv(name, raising=False)
    environment.setattr("nbval.kernel.pformat", lambda message: message)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    """Let nbval run a cell and compare its texts; then compare what it has left out."""
    if not isinstance(item, IPyNbCell):
        return (yield)
    run_cells_above(item)
    try:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("nbval.plugin.coalesce_streams", merge_neighbouring_streams)
            result = yield
        complaints = "\n".join(differences(item.cell, item.test_outputs))
        if complaints:
            item.raise_cell_error("The stored cell and its run disagree", complaints)
        return result
    except NbCellError as error:
        hint = f"If cell {item.cell.get('id')!r} is right as it runs now, refresh the notebook:"
        command = REFRESH.format(item.path.name)
        error.inner_traceback = "\n".join([error.inner_traceback or "", hint, "  " + command])
        raise


def run_cells_above(item):
    """Run what this cell builds on and nobody selected (one cell named, --last-failed).

    First of all comes matplotlib's list of fonts: on a new machine it takes long and says so on
    stderr, which would land in the first plotting cell's output.
    """
    notebook, timeout = item.parent, item.config.option.nbval_cell_timeout
    sources = [WARM_UP, *(cell.source for cell in notebook.nb.cells if cell.cell_type == "code")]
    for source in sources[getattr(notebook, "cells_run", 0) : item.cell_num + 1]:
        request = notebook.kernel.execute_cell_input(source, allow_stdin=False)
        notebook.kernel.await_reply(request, timeout=timeout)
    notebook.cells_run = item.cell_num + 2


def merge_neighbouring_streams(outputs):
    """Join pieces of printed text, but unlike nbval never across a picture that stands between."""
    merged = []
    for output in outputs:
        if merged and output.output_type == "stream" and kind(merged[-1]) == kind(output):
            merged[-1] = NotebookNode(merged[-1], text=merged[-1].text + output.text)
        else:
            merged.append(output)
    return merged


def kind(output):
    """What an output is, apart from what it says: its type, its stream or its mime types."""
    contents = output.get("name") or ", ".join(sorted(output.get("data", [])))
    return f"{output.output_type}: {contents}"


def differences(cell, fresh):
    """Yield what is stored for a cell and not confirmed by its run."""
    if cell.execution_count is None:
        yield "stored: a cell that was never run (no execution count)"
        return
    stored = merge_neighbouring_streams(cell.outputs)
    kinds, fresh_kinds = [kind(output) for output in stored], [kind(output) for output in fresh]
    if kinds != fresh_kinds:
        yield f"kinds of output, in order\n  stored: {kinds}\n  fresh:  {fresh_kinds}"
        return
    for number, (before, now) in enumerate(zip(stored, fresh, strict=True), start=1):
        for complaint in differences_of_one_output(before, now):
            yield f"output {number}, {complaint}"


def differences_of_one_output(stored, fresh):
    """Yield what differs in the metadata (a picture's alternative text) and in the pictures."""
    metadata, fresh_metadata = stored.get("metadata", {}), fresh.get("metadata", {})
    if metadata != fresh_metadata:
        yield f"metadata\n  stored: {dict(metadata)}\n  fresh:  {dict(fresh_metadata)}"
    for mime in PICTURES:
        if mime in stored.get("data", {}) and pictures_are_comparable():
            complaint = pixel_difference(stored.data[mime], fresh.data[mime])
            if complaint:
                yield f"{mime}: {complaint}"


def pixel_difference(stored, fresh):
    """How far two encoded pictures are apart, or None if nobody could see it.

    It takes two measures: the mean alone lets a slightly taller bar pass, the worst pixel alone a
    slightly darker background.
    """
    try:
        before, now = pixels(stored), pixels(fresh)
    except (OSError, SyntaxError, ValueError) as error:
        return f"cannot be read: {error}"
    if before.shape != now.shape:
        return f"stored: {before.shape[1::-1]} pixels, fresh: {now.shape[1::-1]} pixels"
    apart = np.abs(before - now)
    rms, worst = np.sqrt(np.mean(apart**2)), apart.max(axis=-1)
    if rms <= MAX_RMS and worst.max() <= MAX_PIXEL:
        return None
    row, column = np.unravel_index(worst.argmax(), worst.shape)
    return (
        f"{np.count_nonzero(worst)} pixels of the stored picture differ from the fresh one, most"
        f" by {worst.max():.0f} grey levels at ({column}, {row}); RMS {rms:.2f}"
    )


def pixels(encoded):
    """An encoded picture as floats (unsigned bytes would wrap around in a difference)."""
    picture = Image.open(io.BytesIO(base64.b64decode(encoded)))
    return np.asarray(picture.convert("RGBA"), dtype=float)


@functools.cache
def pictures_are_comparable():
    """Whether the installed matplotlib draws like the pinned one; warns once if it does not.

    Each minor version rasterises text in its own way, and no tolerance tells that from a wrong one.
    """
    requirements = Path(__file__).parents[1].joinpath("requirements.txt").read_text("utf-8")
    pinned = re.search(r"^matplotlib==(\d+\.\d+)", requirements, re.MULTILINE)[1]
    installed = importlib.metadata.version("matplotlib")
    if installed.startswith(f"{pinned}."):
        return True
    message = (
        f"pictures NOT compared: the stored ones were drawn with matplotlib {pinned},"
        f" installed is {installed}"
    )
    warnings.warn(message, pytest.PytestWarning, stacklevel=1)
    return False
