"""Any cell can be run twice: at once, and again when all others have run, with the same outputs."""

import base64
import io
from pathlib import Path

import pytest
from nbclient import NotebookClient
from nbformat.v4 import new_code_cell, new_notebook
from PIL import Image

from notebook_pages import code_cells, read
from thorough import plainly

FOLDER = Path(__file__).parents[1] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
START = [path for path in NOTEBOOKS if path.stem.startswith("00")]
WIDGET = "application/vnd.jupyter.widget-view+json"
WARM_UP = "exec('import matplotlib.font_manager', {})"  # says on stderr if it takes long


def outcome(cell):
    """All that a cell's outputs show: the pixels of its pictures, but no widget's name."""
    shown = []
    for output in cell["outputs"]:
        kind = output.get("name", output["output_type"])
        if shown and kind == shown[-1][0] and "text" in output:
            shown[-1] = kind, shown[-1][1] + text_of(output["text"])
        elif "text" in output:
            shown.append((kind, text_of(output["text"])))
        else:
            data = {mime: pixels(content) if mime == "image/png" else text_of(content)
                    for mime, content in output.get("data", {}).items() if mime != WIDGET}
            shown.append((kind, data, output.get("metadata"), WIDGET in output.get("data", {})))
    return shown


def text_of(content):
    """A text as it is, or put together from the lines that a file holds."""
    return "".join(content) if isinstance(content, list) else content


def pixels(encoded):
    picture = Image.open(io.BytesIO(base64.b64decode(text_of(encoded)))).convert("RGB")
    return picture.size, picture.tobytes()


def executed(sources):
    """The cells of these sources, run one after the other in a kernel of their own."""
    cells = [new_code_cell(source) for source in [WARM_UP, *sources]]
    client = NotebookClient(new_notebook(cells=cells), timeout=60, kernel_name="python3",
                            store_widget_state=False, resources={"metadata": {"path": FOLDER}})
    return client.execute().cells[1:]


@pytest.mark.parametrize("path", plainly(START, NOTEBOOKS), ids=lambda path: path.stem)
def test_every_cell_gives_the_same_outputs_when_it_is_run_again(path):
    cells = list(code_cells(read(path)))
    sources = [cell.source for _, cell in cells]
    at_once = [source for source in sources for _ in range(2)]
    ran = [outcome(cell) for cell in executed([*at_once, *sources])]
    first, second, third = ran[:len(at_once):2], ran[1:len(at_once):2], ran[len(at_once):]
    names = [name for name, _ in cells]
    assert any(first)
    for when, again in (("at once", second), ("in the end", third)):
        other = [name for name, one, two in zip(names, first, again, strict=True) if one != two]
        assert not other, f"run again {when}, these cells show something else: {other}"
