"""The rules for notebooks are themselves tested: each one meets the faults it is there to catch."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

import link_rules as links
import notebook_rules as rules

ROOT = Path(__file__).parents[1]
PNG = (
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
METADATA = {
    "kernelspec": {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
    "language_info": {"name": "python", "version": "3.13.1"},
}


# ---- the rules that read the raw JSON ----


def good_notebook():
    """A scenario that keeps every rule: a title, then a heading and a code cell a section."""
    title = "# Mask one word\n\n[Back](00_start_here.ipynb) [Next](B_two_words.ipynb#By-hand)"
    cells = [new_markdown_cell(title, id="title")]
    for number, section in enumerate(rules.SECTIONS, start=1):
        collapsed = section in rules.COLLAPSED
        metadata = {"jp-MarkdownHeadingCollapsed": True} if collapsed else {}
        name = section.replace(" ", "-").lower()
        cells += [
            new_markdown_cell(f"## {section}", id=name, metadata=metadata),
            new_code_cell(
                f"# Show the number of the section.\nprint({number})",
                id=f"{name}-code",
                execution_count=number,
                outputs=[new_output("stream", text=f"{number}\n")],
            ),
        ]
    cells[-1].outputs = [explorer_output()]
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.metadata.update(slideshow={"slide_type": "slide"})
    return new_notebook(cells=cells, metadata=METADATA)


def explorer_output():
    """A widget with its stand-in: a picture, the alternative text of it, and a sentence."""
    sentence = "P(cat) = 0.5344"
    view = {"model_id": "0", "version_major": 2, "version_minor": 0}
    data = {"image/png": PNG, "text/plain": sentence, rules.WIDGET: view}
    return new_output("display_data", data=data, metadata={"image/png": {"alt": sentence}})


def write(folder, notebook):
    """Store a notebook as it is, faults included, between the neighbours it links to."""
    neighbour = new_notebook(cells=[new_markdown_cell("# Title\n\n## By hand", id="title")])
    for name in ("00_start_here.ipynb", "B_two_words.ipynb"):
        (folder / name).write_text(nbformat.v4.writes(neighbour), "utf-8")
    path = folder / "A_one_word.ipynb"
    path.write_text(nbformat.v4.writes(notebook) + "\n", "utf-8")
    return path


def code(notebook, number=1):
    return [cell for cell in notebook.cells if cell.cell_type == "code"][number - 1]


def heading(notebook, section):
    return next(cell for cell in notebook.cells if cell.source == f"## {section}")


def source(text):
    """The fault of a code cell that reads like this."""
    return lambda notebook: code(notebook).update(source=text)


def prose(text):
    """The fault of a Markdown cell that reads like this below its heading."""
    return lambda notebook: heading(notebook, "The case").update(source=f"## The case\n\n{text}")


def printed(text):
    """The fault of a cell that shows this."""
    return lambda notebook: code(notebook).outputs[0].update(text=text)


def explorer(notebook):
    return code(notebook, 11).outputs[0]


FAULTS = [
    (rules.format_is_valid, lambda nb: nb.update(nbformat_minor=4)),
    (rules.format_is_valid, lambda nb: nb.cells[1].update(id=nb.cells[2].id)),
    (rules.format_is_valid, lambda nb: nb.cells[1].pop("id")),
    (rules.format_is_valid, lambda nb: code(nb).update(colour="blue")),
    (rules.metadata_is_lean, lambda nb: nb.metadata.update(widgets={})),
    (rules.metadata_is_lean, lambda nb: code(nb).metadata.update(execution={"iopub": "12:00"})),
    (rules.kernel_is_python3, lambda nb: nb.metadata.kernelspec.update(name="my-env")),
    (rules.kernel_is_python3, lambda nb: nb.metadata.pop("language_info")),
    (rules.cells_ran_in_order, lambda nb: code(nb).update(execution_count=None)),
    (rules.cells_ran_in_order, lambda nb: code(nb, 2).update(execution_count=7)),
    (rules.cells_ran_in_order, lambda nb: code(nb).outputs[0].update(execution_count=9)),
    (rules.no_errors_or_warnings, lambda nb: code(nb).outputs[0].update(name="stderr")),
    (
        rules.no_errors_or_warnings,
        lambda nb: code(nb).outputs.append(new_output("error", ename="ValueError")),
    ),
    (rules.outputs_fit_every_machine, printed("saved in /home/ada/plot.png")),
    (rules.outputs_fit_every_machine, printed(r"C:\Users\ada")),
    (rules.outputs_fit_every_machine, printed("file:///tmp/plot.png")),
    (rules.outputs_fit_every_machine, printed("[np.float64(0.5)]")),
    (rules.outputs_fit_every_machine, printed("loss -0.0000 nats")),
    (rules.outputs_fit_every_machine, printed("<Figure object at 0x7f2a91>")),
    (
        rules.outputs_fit_every_machine,
        lambda nb: explorer(nb).data.update({"text/plain": "−0.0"}),
    ),
    (rules.sources_fit_every_machine, source("# Read it.\nopen('/tmp/words.txt')")),
    (rules.sources_fit_every_machine, prose("See /work/notes.")),
    (rules.outputs_are_small, printed("x" * 300_001)),
    (rules.pictures_stand_alone, lambda nb: explorer(nb).data.pop("image/png")),
    (rules.pictures_stand_alone, lambda nb: explorer(nb).data.pop("text/plain")),
    (rules.pictures_stand_alone, lambda nb: explorer(nb).update(metadata={})),
    (rules.pictures_stand_alone, lambda nb: explorer(nb).data.update({"image/png": "anVuaw=="})),
    (rules.pictures_stand_alone, lambda nb: explorer(nb).data.update({"image/png": PNG[:64]})),
    (rules.widgets_have_a_stand_in, lambda nb: explorer(nb).data.pop("image/png")),
    (rules.widgets_have_a_stand_in, lambda nb: explorer(nb).data.pop("text/plain")),
    (rules.nothing_opts_out, source("# NBVAL_IGNORE_OUTPUT\nprint(1)")),
    (rules.nothing_opts_out, lambda nb: code(nb).metadata.update(tags=["nbval-skip"])),
    (rules.nothing_opts_out, lambda nb: code(nb).metadata.update(tags=["raises-exception"])),
    (rules.code_cells_are_short, source("# Count.\n" + "print(1)\n" * 12)),
    (rules.code_cells_start_with_a_comment, source("print(1)  # count")),
    (rules.code_cells_start_with_a_comment, source("")),
    (rules.code_is_plain_python, source("# Draw.\n%matplotlib inline")),
    (rules.code_is_plain_python, source("# Install.\n!ls")),
    (rules.code_is_plain_python, source("# Draw.\nget_ipython().run_line_magic('matplotlib', '')")),
    (rules.code_is_plain_python, source("# Find it.\nimport sys\nsys.path.append('..')")),
    (rules.code_is_plain_python, source("# Import.\nfrom mlm_helpers.losses import *")),
    (rules.length_is_readable, lambda nb: nb.cells.__delitem__(slice(19, None))),
    (rules.length_is_readable, lambda nb: nb.cells.extend([new_markdown_cell("more")] * 10)),
    (rules.headings_are_in_order, prose("# A second title")),
    (rules.headings_are_in_order, prose("#### A level left out")),
    (rules.headings_are_in_order, lambda nb: nb.cells[0].update(source="No title")),
    (rules.sections_are_complete, lambda nb: heading(nb, "Verify").update(source="## Check")),
    (rules.sections_are_complete, lambda nb: nb.cells.insert(1, nb.cells.pop(5))),
    (rules.answers_start_collapsed, lambda nb: heading(nb, "Steps").update(metadata={})),
    (rules.slides_are_planned, lambda nb: heading(nb, "Verify").metadata.pop("slideshow")),
    (rules.slides_are_planned, lambda nb: code(nb).metadata.update(slideshow={"slide_type": "-"})),
    (rules.slides_are_planned, lambda nb: nb.cells[0].metadata.pop("slideshow")),
    (links.navigation_is_there, lambda nb: nb.cells[0].update(source="# Mask one word")),
    (links.links_resolve, prose("[more](Z_nowhere.ipynb)")),
    (links.links_resolve, prose("[more](B_two_words.ipynb#by-hand)")),
    (links.links_resolve, prose("[more](#Nowhere)")),
    (links.links_resolve, prose("[more][there]\n\n[there]: nowhere.md")),
    (links.links_resolve, prose("[paper](http://example.org)")),
    (links.links_resolve, prose("[paper](https://example)")),
    (links.links_resolve, prose("<a href='nowhere.md'>more</a>")),
    (links.links_resolve, prose("![a picture](nowhere.png)")),
    (links.images_have_alt_text, prose("![](https://example.org/plot.png)")),
    (links.images_have_alt_text, prose("<img src='https://example.org/plot.png'>")),
]


@pytest.mark.parametrize("rule", rules.RULES, ids=lambda rule: rule.__name__)
def test_good_notebook_passes(rule, tmp_path):
    assert rule(write(tmp_path, good_notebook())) == []


@pytest.mark.parametrize(("rule", "fault"), FAULTS, ids=lambda each: each.__name__.strip("<>"))
def test_fault_is_caught(rule, fault, tmp_path):
    notebook = good_notebook()
    fault(notebook)
    assert rule(write(tmp_path, notebook))


def test_every_rule_has_a_planted_fault():
    assert set(rules.RULES) - {rule for rule, _ in FAULTS} == {rules.json_is_canonical}


@pytest.mark.parametrize("old, new", [('\n "nbformat"', '\n  "nbformat"'), ("\n}\n", "\n}")])
def test_json_of_another_writer_is_caught(old, new, tmp_path):
    path = write(tmp_path, good_notebook())
    path.write_text(path.read_text("utf-8").replace(old, new), "utf-8")
    assert rules.json_is_canonical(path)


@pytest.mark.parametrize(
    "text",
    [
        "[same page](#What-you-will-see), [next](B_two_words.ipynb)",
        "[a paper](https://en.wikipedia.org/wiki/Softmax_(function)#Definition)",
        "`[code](nowhere.md)` and p < 1, 1 > p, home/work, https://example.org/home/x",
        "![a plot of [MASK]](00_start_here.ipynb)",
    ],
)
def test_good_prose_passes(text, tmp_path):
    notebook = good_notebook()
    prose(text)(notebook)
    path = write(tmp_path, notebook)
    assert [complaint for rule in rules.RULES for complaint in rule(path)] == []


def test_anchors_of_a_markdown_file_are_those_of_github(tmp_path):
    path = tmp_path / "README.md"
    path.write_text("# How to `teach`, with it?\n\n## Try\n\n## Try\n", "utf-8")
    assert links.anchors(path) == {"how-to-teach-with-it", "try", "try-1"}
    path.write_text(path.read_text("utf-8") + "\n[up](#try-2)", "utf-8")
    assert links.links_resolve(path) == ["#try-2 leads to no heading"]


# ---- the hooks that look at a run: notebooks/conftest.py ----

SETUP = """# Draw one bar and show it with its alternative text.
import io
from IPython.display import display
from matplotlib.figure import Figure

def bar(height=0.7, face="white", alt="one bar", size=(9.6, 5), **more):
    axes = Figure(figsize=size, facecolor=face).subplots()
    axes.set_ylim(0, axes.bar(0, height) and 1)
    axes.figure.savefig(file := io.BytesIO())
    show(alt, **{"image/png": file.getvalue()} | more)

def show(alt="one bar", **data):
    display(data, raw=True, metadata={"image/png": {"alt": alt}} if "image/png" in data else {})
"""
TEXT = "**{'text/plain': 'text'}"
WIDGET_VIEW = f"**{{'text/plain': 'text', {rules.WIDGET!r}: {{'model_id': '0'}}}}"
SAME = {  # the source of a cell whose outputs are stored as they are
    "picture": "bar()",
    "text around a picture": "print('before'); bar(); print('after')",
    "two prints": "print('a', flush=True)\nprint('b', flush=True)",
}
CHANGED = {  # the source whose outputs are stored, the source that is run
    "bar 2 % taller": ("bar(0.714)", "bar(0.7)"),
    "background a shade darker": ("bar(face='#fdfdfd')", "bar()"),
    "picture of another size": ("bar(size=(9.6, 4.9))", "bar()"),
    "no picture at all": ("show(**{'image/png': b'junk'})", "bar()"),
    "other alternative text": ("bar(alt='two bars')", "bar()"),
    "picture missing": (f"show({TEXT})", f"bar({TEXT})"),
    "picture too many": ("bar(); bar()", "bar()"),
    "widget view missing": (f"show({TEXT})", f"show({WIDGET_VIEW})"),
    "picture before text": ("bar(); print('text')", "print('text'); bar()"),
    "text moved over a picture": (
        "print('before'); print('after'); bar()",
        "print('before'); bar(); print('after')",
    ),
    "text moved between texts": (
        "print('a\\nb'); bar(); print('c')",
        "print('a'); bar(); print('b\\nc')",
    ),
    "never run": ("bar()", "bar()"),
}
PIXELS = {"bar 2 % taller", "background a shade darker", "picture of another size"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A small project: the hooks, the pins, and a notebook stored by the documented command."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "notebooks").mkdir()
    shutil.copy(ROOT / "notebooks" / "conftest.py", folder / "notebooks")
    shutil.copy(ROOT / "requirements.txt", folder)
    sources = {"setup": SETUP} | SAME | {name: stored for name, (stored, _) in CHANGED.items()}
    cells = [new_code_cell(text, id=name_to_id(name)) for name, text in sources.items()]
    path = folder / "notebooks" / "bars.ipynb"
    nbformat.write(new_notebook(cells=cells, metadata=METADATA), path)
    run(folder, *shlex.split(refresh_command(path.name))[1:])
    return folder


def name_to_id(name):
    return name.replace(" ", "-").replace("%", "percent")


def refresh_command(name):
    """The command that the hooks recommend."""
    spec = spec_from_file_location("hooks", ROOT / "notebooks" / "conftest.py")
    hooks = module_from_spec(spec)
    spec.loader.exec_module(hooks)
    return hooks.REFRESH.format(name)


def run(folder, module, *arguments):
    """Run a module's command in the folder, untouched by the settings of this test run."""
    environment = {key: text for key, text in os.environ.items() if not key.startswith("PYTEST_")}
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
    )


def run_pytest(folder, *arguments):
    """What pytest prints, and its failures as {name of the case: message}."""
    options = ["-p", "no:cacheprovider", "--nbval", "--nbval-current-env", "--junitxml=report.xml"]
    printed = run(folder, "pytest", *options, *arguments).stdout
    cases = ET.parse(folder / "report.xml").iter("testcase")
    names = ["setup", *SAME, *CHANGED]
    failures = {
        names[int(case.get("name").removeprefix("Cell "))]: case.find("failure").text
        for case in cases
        if case.find("failure") is not None
    }
    return printed, failures


@pytest.fixture(scope="module")
def changed_folder(folder):
    """The same project after its code was edited and not run again."""
    path = folder / "notebooks" / "bars.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell, (_, edited) in zip(notebook.cells[1 + len(SAME) :], CHANGED.values(), strict=True):
        cell.source = edited
    notebook.cells[-1].update(execution_count=None, outputs=[])
    nbformat.write(notebook, path)
    return folder


def test_refreshed_notebook_keeps_the_rules(folder):
    path = folder / "notebooks" / "bars.ipynb"
    on_run = (
        rules.format_is_valid,
        rules.json_is_canonical,
        rules.metadata_is_lean,
        rules.kernel_is_python3,
        rules.cells_ran_in_order,
        rules.no_errors_or_warnings,
        rules.outputs_fit_every_machine,
    )
    assert [complaint for rule in on_run for complaint in rule(path)] == []


def test_only_changed_cells_fail(changed_folder):
    """And each failure says what was stored, what is fresh and how to refresh the notebook."""
    _, failures = run_pytest(changed_folder, "-n0", "notebooks/bars.ipynb")
    assert failures.keys() == CHANGED.keys()
    for name, message in failures.items():
        assert repr(name_to_id(name)) in message
        assert re.search("(?i)stored|reference", message)
        assert refresh_command("bars.ipynb") in message


def test_pixels_wait_for_the_pinned_matplotlib(changed_folder):
    """With another minor version only the pixels go unchecked, and pytest says so once.

    Two cells are named here, and run by a worker of xdist: the cells above them run first, unseen.
    """
    (changed_folder / "requirements.txt").write_text("matplotlib==1.0.0\n", "utf-8")
    names = ["setup", *SAME, *CHANGED]
    chosen = ["bar 2 % taller", "other alternative text"]
    nodes = [f"notebooks/bars.ipynb::Cell {names.index(name)}" for name in chosen]
    printed, failures = run_pytest(changed_folder, "-n1", "--dist=loadfile", *nodes)
    assert list(failures) == ["other alternative text"]
    assert printed.count("pictures NOT compared") == 1
