"""Stored notebooks damaged on purpose: the suite's own checks must catch every single damage.

Each damage is done to a copy, one at a time. The checks are those of the suite: the rules on form,
nbval's comparison, and the hooks beside the notebooks. In place of a fresh run stands what is
stored, which the same suite compares with a fresh run; the last test does without that and runs a
damaged notebook. ``pytest -rP tests/test_tampering.py`` prints how many were caught of how many.
"""

import base64
import copy
import functools
import io
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import SimpleNamespace

import nbformat
import numpy as np
import pytest
from nbformat.v4 import new_output
from nbval.plugin import IPyNbCell, IPyNbFile, nocolors
from PIL import Image

from notebook_rules import PICTURES, RULES, SECTIONS

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
SCENARIOS = [name for name in NOTEBOOKS if re.match("[A-H]_", name)]
INKS = ((0x00, 0x72, 0xB2), (0xE6, 0x9F, 0x00), (0x00, 0x9E, 0x73), (0x99, 0x99, 0x99))
TALLER = 2  # rows of pixels: about 2 % of a bar


def load_hooks():
    spec = spec_from_file_location("hooks", ROOT / "notebooks" / "conftest.py")
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks


HOOKS = load_hooks()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A copy of the notebooks with all that their links lead to."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copy(ROOT / "README.md", root)
    return shutil.copytree(ROOT / "notebooks", root / "notebooks",
                           ignore=shutil.ignore_patterns(".*", "__pycache__"))


@functools.cache
def stored(name):
    return nbformat.read(ROOT / "notebooks" / f"{name}.ipynb", 4)


def read(name):
    """A copy to be damaged."""
    return copy.deepcopy(stored(name))


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


# ---- the suite's checks ----


def broken_rules(folder, name, notebook):
    """What the rules on form complain about, rule by rule; the undamaged copy is put back."""
    path = folder / f"{name}.ipynb"
    before = path.read_bytes()
    path.write_text(nbformat.v4.writes(notebook) + "\n", "utf-8")
    try:
        yield from (complaint for rule in RULES for complaint in rule(path))
    finally:
        path.write_bytes(before)


def breaks_a_rule(folder, name, notebook):
    """Whether there is a complaint; the first one is enough."""
    with closing(broken_rules(folder, name, notebook)) as complaints:
        return next(complaints, None) is not None


def is_caught(damaged, run):
    """Whether comparing a stored cell with its run fails: by nbval, or by the hooks."""
    fresh, stored = (HOOKS.merge_neighbouring_streams(cell.outputs) for cell in (run, damaged))
    return not compare_as_nbval(fresh, stored) or bool(list(HOOKS.differences(damaged, fresh)))


def compare_as_nbval(fresh, stored):
    """nbval's own comparison, with as much of a pytest item around it as it looks at."""
    item = SimpleNamespace(colors=nocolors, sanitize=lambda text: text,
                           format_output_compare=lambda *_: None)
    return IPyNbCell.compare_outputs(item, fresh, stored, skip_compare=skipped_by_nbval())


def skipped_by_nbval():
    """The fields that nbval leaves out, read from its source so that a change of it shows here."""
    source = Path(sys.modules[IPyNbFile.__module__].__file__).read_text("utf-8")
    block = re.search(r"self\.skip_compare = \((.*?)\n        \)", source, re.DOTALL)[1]
    lines = [line.split("#")[0] for line in block.splitlines()]
    return (*re.findall(r"'([^']+)'", "".join(lines)), *PICTURES)


# ---- damages to one output: each says whether it found something to damage ----


def change_digit(text):
    """The text with its last digit one higher, or None if it has none."""
    found = list(re.finditer(r"\d", text))
    if not found:
        return None
    place = found[-1].start()
    return text[:place] + str((int(text[place]) + 1) % 10) + text[place + 1:]


def in_data(mime):
    def damage(output):
        changed = change_digit(output.get("data", {}).get(mime, ""))
        if changed is not None:
            output.data[mime] = changed
        return changed is not None
    return damage


def in_printed_text(output):
    changed = change_digit(output.get("text", ""))
    if changed is not None:
        output.text = changed
    return changed is not None


def in_alternative_text(output):
    changed = change_digit(output.get("metadata", {}).get("image/png", {}).get("alt", ""))
    if changed is not None:
        output.metadata["image/png"]["alt"] = changed
    return changed is not None


def taller_bar(output):
    encoded = output.get("data", {}).get("image/png")
    if encoded is None:
        return False
    pixels = np.array(Image.open(io.BytesIO(base64.b64decode(encoded))).convert("RGB"))
    ink = next(ink for ink in INKS if (pixels == ink).all(axis=-1).any())
    coloured = (pixels == ink).all(axis=-1)
    top = coloured.any(axis=1).argmax()
    pixels[top - TALLER:top, coloured[top]] = ink
    file = io.BytesIO()
    Image.fromarray(pixels).save(file, format="PNG")
    output.data["image/png"] = base64.b64encode(file.getvalue()).decode("ascii")
    return True


OUTPUT_DAMAGES = {
    "digit in printed text": in_printed_text,
    "digit in plain text": in_data("text/plain"),
    "digit in HTML": in_data("text/html"),
    "digit in Markdown or LaTeX": in_data("text/markdown"),
    "digit in an alternative text": in_alternative_text,
    "bar a little taller": taller_bar,
}


def damaged_outputs(notebook, damage):
    """Each way to damage one output: the undamaged cell and the damaged one."""
    for cell in code(notebook):
        for number in range(len(cell.outputs)):
            changed = copy.deepcopy(cell)
            if damage(changed.outputs[number]):
                yield cell, changed


def deleted_outputs(notebook):
    for cell in code(notebook):
        for number in range(len(cell.outputs)):
            changed = copy.deepcopy(cell)
            del changed.outputs[number]
            yield cell, changed


# ---- damages to the file ----


def clear_a_count(notebook):
    code(notebook)[1].execution_count = None


def swap_two_counts(notebook):
    first, second = code(notebook)[:2]
    first.execution_count, second.execution_count = 2, 1


def add_stderr(notebook):
    code(notebook)[2].outputs.append(new_output("stream", name="stderr", text="a warning\n"))


def plant_widget_state(notebook):
    notebook.metadata["widgets"] = {"application/vnd.jupyter.widget-state+json": {"state": {}}}


def break_a_link(notebook):
    cell = next(cell for cell in notebook.cells if "00_start_here.ipynb" in cell.source
                or "A_standard_mask.ipynb" in cell.source)
    cell.source = re.sub(r"\((00_start_here|A_standard_mask)\.ipynb", "(gone.ipynb", cell.source)


def break_an_anchor(notebook):
    cell = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
    cell.source += "\n\n[below](#Nowhere)"


def take_ids_away(notebook):
    notebook.cells[3].id = notebook.cells[4].id


def change_code_only(notebook):
    code(notebook)[0].source = "print(1)"


FILE_DAMAGES = {
    "count cleared": clear_a_count,
    "two counts swapped": swap_two_counts,
    "stderr added": add_stderr,
    "widget state planted": plant_widget_state,
    "link broken": break_a_link,
    "anchor broken": break_an_anchor,
    "id used twice": take_ids_away,
    "comment of a cell gone": change_code_only,
}


# ---- the tests ----


def report(kind, results):
    """Say how many were caught, and fail unless all were."""
    results = list(results)
    print(f"{kind}: {sum(results)} caught of {len(results)}")
    assert all(results)
    return len(results)


def test_nothing_is_caught_where_nothing_is_damaged(folder):
    """Without this a check that always complains would pass all the others."""
    for name in NOTEBOOKS:
        notebook = read(name)
        assert list(broken_rules(folder, name, notebook)) == []
        assert not [cell.id for cell in code(notebook) if is_caught(copy.deepcopy(cell), cell)]


@pytest.mark.parametrize("kind", OUTPUT_DAMAGES)
def test_every_damaged_output_is_caught(kind):
    pairs = [pair for name in NOTEBOOKS
             for pair in damaged_outputs(read(name), OUTPUT_DAMAGES[kind])]
    assert report(kind, (is_caught(damaged, cell) for cell, damaged in pairs)) >= len(NOTEBOOKS)


def test_every_deleted_output_is_caught():
    pairs = [pair for name in NOTEBOOKS for pair in deleted_outputs(read(name))]
    report("output deleted", (is_caught(damaged, cell) for cell, damaged in pairs))


@pytest.mark.parametrize("kind", FILE_DAMAGES)
def test_every_damaged_file_is_caught(folder, kind):
    def caught(name):
        notebook = read(name)
        FILE_DAMAGES[kind](notebook)
        return breaks_a_rule(folder, name, notebook)

    report(kind, map(caught, NOTEBOOKS))


def test_every_dropped_section_is_caught(folder):
    def caught(name, section):
        notebook = read(name)
        notebook.cells = [cell for cell in notebook.cells
                          if not cell.source.startswith(f"## {section}")]
        return breaks_a_rule(folder, name, notebook)

    pairs = [(name, section) for name in SCENARIOS for section in SECTIONS]
    report("section dropped", (caught(*pair) for pair in pairs))


RUN_DAMAGES = {  # cell of notebook E: what is done to its output
    "E-units": "digit in printed text",
    "E-verify-published": "digit in HTML",
    "E-step-2": "digit in Markdown or LaTeX",
    "E-explorer": "bar a little taller",
}


def test_a_real_run_fails_in_the_damaged_cells_and_nowhere_else(folder):
    name = "E_limiting_values"
    notebook = read(name)
    for cell in code(notebook):
        if cell.id in RUN_DAMAGES:
            assert any(map(OUTPUT_DAMAGES[RUN_DAMAGES[cell.id]], cell.outputs))
    shutil.copy(ROOT / "requirements.txt", folder.parent)
    path = folder / "damaged.ipynb"
    nbformat.write(notebook, path)
    report_file = folder.parent / "report.xml"
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTEST_")}
    subprocess.run(
        [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "--nbval",
         "--nbval-current-env", f"--junitxml={report_file}", path],
        cwd=folder, env=environment, capture_output=True, timeout=120)
    failed = [code(notebook)[int(case.get("name").removeprefix("Cell "))].id
              for case in ET.parse(report_file).iter("testcase")
              if case.find("failure") is not None]
    assert sorted(failed) == sorted(RUN_DAMAGES)
