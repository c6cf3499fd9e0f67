"""What every notebook keeps, read from its raw JSON without a kernel.

Each rule takes the path of a notebook and returns its complaints, so that a test can also hand it
a damaged copy. The copy keeps its name (a scenario keeps more rules than the start page) and, for
the rules about links, its neighbours. That a run gives what is stored is not checked here but by
nbval and `notebooks/conftest.py`.
"""

import ast
import base64
import io
import json
import re

import nbformat
from nbval.plugin import metadata_tags
from PIL import Image

from link_rules import images_have_alt_text, links_resolve, navigation_is_there
from notebook_pages import code_cells, data, headings, is_lettered, outputs, read, slide_type

SECTIONS = (
    "What you will see",
    "The case",
    "Forecast",
    "Steps",
    "By hand",
    "Verify",
    "Explore",
    "Watch out",
    "Practice",
    "Recall",
    "Further reading",
)
COLLAPSED = ("Steps", "Verify")
NOTEBOOK_METADATA = {"kernelspec", "language_info"}
CELL_METADATA = {"editable", "jp-MarkdownHeadingCollapsed", "jupyter", "slideshow", "tags"}
SLIDE_TYPES = ("slide", "subslide", "fragment", "notes", "skip")
WIDGET = "application/vnd.jupyter.widget-view+json"
PICTURES = ("image/png", "image/jpeg")
MAX_CODE_LINES = 12
MAX_OUTPUT_BYTES = 300_000
CELLS = range(20, 31)
NEVER_SHOWN = {
    "a path of one machine": r"(?<![\w.])(?<!:/)/(?:home|root|tmp|work|Users)\b|\b[A-Z]:\\+Users",
    "a numpy scalar's repr": r"\bnp\.(?:u?int|float|complex)\d+\(|\bnp\.(?:True|False|bool|str)_",
    "a negative zero": r"(?<![\w)])[-−]0\.0+(?!\d)",
    "a memory address": r"\bat 0x[0-9a-fA-F]+",
}


# ---- the file ----


def format_is_valid(path):
    """Notebook format 4.5, the first with cell ids, and every id used once."""
    notebook = read(path)
    ids = [cell.get("id") for cell in notebook.cells]
    complaints = [f"the id {each} is used twice" for each in set(ids) if ids.count(each) > 1]
    if (notebook.nbformat, notebook.nbformat_minor) != (4, 5):
        complaints.append(f"format {notebook.nbformat}.{notebook.nbformat_minor} is not 4.5")
    invalid = nbformat.validator.iter_validate(
        notebook
    )  # unlike nbformat.validate, repairs nothing
    return complaints + [f"not a valid notebook: {error.message}" for error in invalid]


def json_is_canonical(path):
    """Written as Jupyter writes it, so that saving a notebook changes only what was edited."""
    text = path.read_text("utf-8")
    canonical = nbformat.v4.writes(read(path)) + "\n"
    return [] if text == canonical else ["the JSON is not as Jupyter writes it: save it again"]


def metadata_is_lean(path):
    """Nothing of one run, machine or session: no widget state, no timing, no window layout."""
    notebook = read(path)
    unwanted = [("the notebook", key) for key in notebook.metadata.keys() - NOTEBOOK_METADATA]
    for number, cell in enumerate(notebook.cells, start=1):
        unwanted += [(f"cell {number}", key) for key in cell.metadata.keys() - CELL_METADATA]
    return [f"{place} stores the metadata {key!r}" for place, key in unwanted]


def kernel_is_python3(path):
    """The kernel that every installation has; whichever Python version saved the notebook last."""
    metadata = read(path).metadata
    return [
        f"{key}.name is not {name!r}"
        for key, name in (("kernelspec", "python3"), ("language_info", "python"))
        if metadata.get(key, {}).get("name") != name
    ]


# ---- the run ----


def cells_ran_in_order(path):
    """Every code cell was run once, from top to bottom: counts 1, 2, 3, ..."""
    complaints = []
    for count, (name, cell) in enumerate(code_cells(read(path)), start=1):
        shown = [output.get("execution_count", count) for output in cell.outputs]
        if cell.execution_count != count or any(each != count for each in shown):
            complaints.append(f"{name} and its outputs count {cell.execution_count}, not {count}")
    return complaints


def no_errors_or_warnings(path):
    """No exception and nothing on stderr: expected mistakes are shown as text."""
    return [
        f"{name} stores {output.get('ename') or 'text on stderr'}"
        for name, output in outputs(read(path))
        if output.output_type == "error" or output.get("name") == "stderr"
    ]


def outputs_fit_every_machine(path):
    """Nothing that reads differently elsewhere, and no number in a form nobody would write."""
    return [
        f"{name} shows {what}: {match[0]}"
        for name, output in outputs(read(path))
        for what, pattern in NEVER_SHOWN.items()
        for match in re.finditer(pattern, shown_text(output))
    ]


def shown_text(output):
    """All that a reader, or a screen reader, gets to read of an output."""
    texts = [text for mime, text in data(output).items() if mime not in PICTURES]
    return "\n".join(map(str, [output.get("text", ""), *texts, output.get("metadata", "")]))


def sources_fit_every_machine(path):
    """No path of one machine in code or prose."""
    pattern = NEVER_SHOWN["a path of one machine"]
    return [
        f"cell {number} names a path of one machine: {match[0]}"
        for number, cell in enumerate(read(path).cells, start=1)
        for match in re.finditer(pattern, cell.source)
    ]


def outputs_are_small(path):
    """Under 300 kB each, so that the page opens at once, also on a slow link."""
    sizes = [(name, len(json.dumps(output))) for name, output in outputs(read(path))]
    return [f"{name} stores {size} bytes" for name, size in sizes if size > MAX_OUTPUT_BYTES]


# ---- what a reader sees without a kernel ----


def pictures_stand_alone(path):
    """At least one picture, and each with text beside it, for those who do not see it."""
    found = [(name, output) for name, output in outputs(read(path)) if "image/png" in data(output)]
    complaints = [] if found else ["stores no picture (image/png)"]
    for name, output in found:
        if not data(output).get("text/plain"):
            complaints.append(f"{name} has a picture without text/plain beside it")
        if not output.metadata.get("image/png", {}).get("alt"):
            complaints.append(f"{name} has a picture without metadata['image/png']['alt']")
        if not is_png(data(output)["image/png"]):
            complaints.append(f"{name} has a picture that cannot be read")
    return complaints


def is_png(encoded):
    """Whether this decodes to a whole PNG picture."""
    try:
        picture = Image.open(io.BytesIO(base64.b64decode(encoded)))
        picture.load()
    except (OSError, SyntaxError, ValueError):
        return False
    return picture.format == "PNG"


def widgets_have_a_stand_in(path):
    """A stored widget shows nothing before it is run: a picture or HTML, and a sentence, do."""
    return [
        f"{name} shows a widget without {' or '.join(mimes)} beside it"
        for name, output in outputs(read(path))
        for mimes in (("image/png", "text/html"), ("text/plain",))
        if WIDGET in data(output) and not any(map(data(output).get, mimes))
    ]


# ---- code ----


def nothing_opts_out(path):
    """No marker that tells nbval to look away."""
    return [
        f"{name} asks nbval to look away"
        for name, cell in code_cells(read(path))
        if re.search("NBVAL_|PYTEST_VALIDATE_", cell.source)
        or set(cell.metadata.get("tags", [])) & set(metadata_tags)
    ]


def code_cells_are_short(path):
    """At most 12 lines, so that a cell can be taken in at a glance."""
    lines = [(name, len(cell.source.splitlines())) for name, cell in code_cells(read(path))]
    return [f"{name} has {count} lines" for name, count in lines if count > MAX_CODE_LINES]


def code_cells_start_with_a_comment(path):
    """The first line is all a collapsed cell shows, so it says in words what the cell does."""
    return [
        f"{name} does not start with a comment"
        for name, cell in code_cells(read(path))
        if not re.match(r"# \w", cell.source)
    ]


def code_is_plain_python(path):
    """No magics, no import tricks: what runs here runs in any Python."""
    return [
        f"{name}: {complaint}"
        for name, cell in code_cells(read(path))
        for complaint in tricks(cell.source)
    ]


def tricks(source):
    """Yield what is not plain Python in a cell's code."""
    try:
        tree = ast.parse(source)
    except SyntaxError as error:
        yield f"not plain Python (a magic?), line {error.lineno}: {error.text}"
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*":
            yield f"star import of {node.module}"
        if isinstance(node, ast.Attribute) and ast.unparse(node) == "sys.path":
            yield "uses sys.path"
        if isinstance(node, ast.Name) and node.id == "get_ipython":
            yield "calls IPython's magics"


# ---- structure ----


def length_is_readable(path):
    """A scenario is 20 to 30 cells: one sitting."""
    count = len(read(path).cells)
    return [f"has {count} cells"] if is_lettered(path) and count not in CELLS else []


def headings_are_in_order(path):
    """One title, at the top, and no level left out below it: screen readers navigate by them."""
    levels = [level for level, _, _ in headings(read(path))]
    complaints = [] if levels.count(1) == 1 and levels[0] == 1 else ["needs one H1, at the top"]
    for above, level in zip(levels, levels[1:], strict=False):
        if level > above + 1:
            complaints.append(f"an H{level} follows an H{above}")
    return complaints


def sections_are_complete(path):
    """The same sections in the same order in every scenario."""
    titles = [text for level, text, _ in headings(read(path)) if level == 2]
    found = [name for text in titles for name in SECTIONS if text.startswith(name)]
    if not is_lettered(path) or found == list(SECTIONS):
        return []
    return [f"the H2 sections are {found}, not {list(SECTIONS)}"]


def answers_start_collapsed(path):
    """JupyterLab folds away what a reader should first think about."""
    return [
        f"the heading {text!r} starts open: set jp-MarkdownHeadingCollapsed in its cell's metadata"
        for level, text, cell in headings(read(path))
        if is_lettered(path) and level == 2 and text.startswith(COLLAPSED)
        if cell.metadata.get("jp-MarkdownHeadingCollapsed") is not True
    ]


def slides_are_planned(path):
    """A talk begins with the title, and each section with a slide of its own or on that one.

    A cell that goes on where the last one ended has no slide type: nbconvert would take "-" for
    that, but slides in JupyterLab leave such a cell out.
    """
    complaints = []
    for place, cell in enumerate(read(path).cells):
        kind = slide_type(cell)
        if kind is not None and kind not in SLIDE_TYPES:
            complaints.append(f"the cell {cell.id} has the slide type {kind!r}: choose one of "
                              f"{', '.join(SLIDE_TYPES)}, or none")
        if place == 0 and kind != "slide":
            complaints.append(f"the title is no slide of its own but {kind!r}")
        if place > 1 and kind is None and cell.source.startswith("## "):
            complaints.append(f"the section in the cell {cell.id} begins no slide")
    return complaints


RULES = (
    format_is_valid,
    json_is_canonical,
    metadata_is_lean,
    kernel_is_python3,
    cells_ran_in_order,
    no_errors_or_warnings,
    outputs_fit_every_machine,
    sources_fit_every_machine,
    outputs_are_small,
    pictures_stand_alone,
    widgets_have_a_stand_in,
    nothing_opts_out,
    code_cells_are_short,
    code_cells_start_with_a_comment,
    code_is_plain_python,
    length_is_readable,
    headings_are_in_order,
    sections_are_complete,
    answers_start_collapsed,
    slides_are_planned,
    navigation_is_there,
    links_resolve,
    images_have_alt_text,
)
