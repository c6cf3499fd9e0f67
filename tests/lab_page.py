"""What a reader does on a notebook's page, and where its explorers' parts are."""

import base64
import json
import time
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import expect

from lab import PATIENCE

FOLDER = Path(__file__).parents[1] / "notebooks"
(START, MASKED, SWAPPED, KEPT, EMPTY, LIMITS, SEVERAL, CORPUS, TOTAL, TEACHING,
 REAL_TEXT) = NOTEBOOKS = (
    "00_start_here", "A_standard_mask", "B_random_swap", "C_keep_unchanged", "D_empty_mask",
    "E_limiting_values", "F_multi_token_sum", "G_word_problem", "H_exam_twist", "for_instructors",
    "real_text")
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
SCREEN = {"width": 1600, "height": 1000}  # room for a whole picture, or screenshots are cut off
NOT_OURS = ("Failed to load resource",  # what JupyterLab says itself when a kernel ends
            "Canceled future for")
LIVE = ".mlm-explorer:has(img.mlm-picture)"
COMMAND = "async ([name, args]) => { await jupyterapp.commands.execute(name, args); }"
SHUT_DOWN = """async () => {
    const notebook = jupyterapp.shell.currentWidget;
    await notebook.sessionContext.shutdown();
    notebook.dispose();
}"""
IS_IDLE = "() => jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'"
expect.set_options(timeout=PATIENCE * 1000)


class LabPage:
    """JupyterLab in one page of a browser, with notebooks as its tabs.

    Loading JupyterLab takes most of the time, so all share one page; and each tab more makes it
    slower in everything, so opening a notebook closes what was open. What is no test's subject is
    done by JupyterLab's commands, which are faster than its menus.

    Attributes
    ----------
    page : Page
        Playwright's.
    folder : Path
        Where the notebooks are.
    errors : list of str
        What the page's scripts complained about.
    """

    def __init__(self, browser, lab):
        self.folder, self._notebooks, self.errors = lab.folder, {}, []
        self.page = browser.new_page(viewport=SCREEN)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("pageerror", lambda error: self._note(str(error)))
        self.page.on("console", self._listen)
        self.page.goto(lab.address)
        self.page.wait_for_function("() => window.jupyterapp?.restored.then(() => true)")

    def _listen(self, message):
        if message.type == "error":
            self._note(message.text)

    def _note(self, error):
        if not any(text in error for text in NOT_OURS):
            self.errors.append(error)

    def visit(self, name, beside=None):
        """The notebook of this name in front; if it must be opened, only ``beside`` stays open."""
        if name in self._notebooks:
            self._bring_to_front(name)
        else:
            for other in self._notebooks.keys() - {beside}:
                self.close(other)
            self._notebooks[name] = self._open(self.folder / f"{name}.ipynb")
        return self._notebooks[name]

    def visit_copy(self, name, beside=None):
        """Another copy of it, as a stranger finds it: JupyterLab trusts the one that it saved."""
        copy = f"{name}_copy"
        if copy in self._notebooks:
            self.close(copy)
        (self.folder / f"{copy}.ipynb").write_bytes((FOLDER / f"{name}.ipynb").read_bytes())
        return self.visit(copy, beside)

    def _open(self, path):
        self.command("docmanager:open", path=path.name)
        expect(self._tab_in_front()).to_have_text(path.name)
        return NotebookPage(self, path)

    def close(self, name):
        """Close the notebook's tab, and its kernel with it, whether it is saved or not."""
        del self._notebooks[name]
        self._bring_to_front(name)
        self.page.evaluate(SHUT_DOWN)

    def _bring_to_front(self, name):
        if self._tab_in_front().inner_text() != f"{name}.ipynb":
            self._tabs().get_by_text(f"{name}.ipynb", exact=True).click()

    def _tabs(self):
        return self.page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel")

    def _tab_in_front(self):
        return self.page.locator("#jp-main-dock-panel .lm-mod-current .lm-TabBar-tabLabel")

    def use_theme(self, name):
        """Show JupyterLab in its theme "Light", which it has from the start, or "Dark"."""
        if self.page.locator("body").get_attribute("data-jp-theme-name") != f"JupyterLab {name}":
            self.command("apputils:change-theme", theme=f"JupyterLab {name}")
            light = str(name == "Light").lower()
            expect(self.page.locator(f"body[data-jp-theme-light={light}]")).to_have_count(1)
            expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)  # it fades away

    def command(self, name, **arguments):
        """Give one of JupyterLab's commands for the notebook in front; returns when it is done."""
        self.page.evaluate(COMMAND, [name, arguments])


class NotebookPage:
    """A notebook opened in JupyterLab: not trusted, not run, until ``run_all``.

    Attributes
    ----------
    path : Path
        The file that is shown and saved.
    stills : list of (sentence, picture)
        What the file holds for each explorer; the picture in base64.
    page, panel : Page, Locator
        The whole page, and the part of it that shows this notebook.
    """

    def __init__(self, lab_page, path):
        self.lab_page, self.page, self.path = lab_page, lab_page.page, path
        self.stills = stored_stills(path)
        self._ran = False
        in_front = self.page.locator(".jp-NotebookPanel:not(.lm-mod-hidden)")
        self.panel = self.page.locator(f"#{in_front.get_attribute('id')}")
        self.panel.locator(".jp-Notebook .jp-Cell").first.wait_for()

    def wait_until_idle(self):
        """Wait until this notebook, in front of all others, has a kernel with nothing to do."""
        self.page.wait_for_function(IS_IDLE)

    @property
    def text(self):
        """All that can be read in the notebook."""
        return self.panel.inner_text()

    def still(self, picture):
        """The element that shows a stored picture."""
        source = f"data:image/png;base64,{picture}"
        return self.panel.locator(f'.jp-OutputArea-output img[src="{source}"]')

    def run_all(self, press_button=False):
        """Run every cell by the menu or the page's own button; a second call changes nothing."""
        if not self._ran:
            self._ran = True
            self.wait_until_idle()  # without a kernel, running does nothing at all
            if press_button:
                self.panel.get_by_role("button", name="Run all cells", exact=True).first.click()
                self.page.get_by_role("button", name="Run Once").click()  # it is not trusted
            else:
                choose(self.page, "Run", "Run All Cells")
            expect(self.panel.locator(LIVE)).to_have_count(len(self.stills))
        return self

    def unfold(self):
        """Open every heading and every output that is closed."""
        self.lab_page.command("notebook:show-all-cell-outputs")
        self.lab_page.command("notebook:expand-all-headings")
        expect(self.panel.locator(".jp-collapseHeadingButton.jp-mod-collapsed")).to_have_count(0)
        expect(self.panel.locator(".jp-OutputPlaceholder")).to_have_count(0)

    def explorer(self, label):
        """The live explorer that has a control with this label."""
        control = self.page.get_by_label(label, exact=True)
        root = self.panel.locator(LIVE).filter(has=control)
        root.scroll_into_view_if_needed()  # elsewhere JupyterLab shows no text
        return LiveExplorer(self.page, root)

    def saved_when_done(self):
        """The code cells as JupyterLab saves them once all have run."""
        self.wait_until_idle()
        prompts = self.panel.locator(".jp-CodeCell .jp-InputPrompt")
        expect(prompts.filter(has_text="*")).to_have_count(0)
        self.lab_page.command("docmanager:save")
        return stored_code_cells(self.path)


def choose(page, *entries):
    """Click through JupyterLab's menus, as in ``choose(page, "Run", "Run All Cells")``."""
    menu, *below = entries
    page.locator(".lm-MenuBar-itemLabel").get_by_text(menu, exact=True).click()
    for entry in below:
        page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()


class LiveExplorer:
    """The parts of one explorer on the page."""

    def __init__(self, page, root):
        self.page, self.root = page, root
        self.picture = root.locator("img.mlm-picture")
        self.sentence = root.locator(".mlm-sentence")
        self.notice = root.get_by_role("alert")

    def box(self, label):
        """The number box, text field or list of this label."""
        return self.root.get_by_label(label, exact=True)

    def number(self, label):
        """What the number box says."""
        return float(self.box(label).input_value())

    def handle(self, label):
        """The slider's handle beside the number box of this label."""
        control = self.box(label).locator("xpath=ancestor::*[contains(@class, 'widget-hbox')][1]")
        return control.locator(".noUi-handle")

    def click(self, button):
        """Press the button with this caption."""
        self.root.get_by_role("button", name=button, exact=True).click()

    def type_number(self, label, text):
        """Type into the number box and confirm."""
        self.box(label).fill(text)
        self.box(label).press("Enter")

    def drag(self, label, distance, steps=10):
        """Take the handle with the mouse, move it so many pixels to the right, and let go."""
        self.handle(label).hover()  # which waits until nothing on the page moves it any more
        place = self.handle(label).bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        self.page.mouse.down()
        self.page.mouse.move(x + distance, y, steps=steps)
        self.page.mouse.up()

    def upload(self, file):
        """Choose a file, given by its path, for the upload button."""
        with self.page.expect_file_chooser() as chooser:
            self.root.get_by_role("button", name="Upload").click()
        chooser.value.set_files(file)

    @contextmanager
    def filmed(self):
        """A list that takes in each frame painted meanwhile: the screen at half its size, JPEG."""
        self.root.evaluate("explorer => explorer.scrollIntoView({block: 'start'})")
        camera = self.page.context.new_cdp_session(self.page)
        frames = []

        def keep(frame):
            frames.append(base64.b64decode(frame["data"]))
            camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        camera.on("Page.screencastFrame", keep)
        camera.send("Page.startScreencast", {"format": "jpeg", "maxWidth": SCREEN["width"] // 2})
        yield frames
        camera.send("Page.stopScreencast")

    def expect(self, sentence):
        """Wait until the picture's alternative text and the line below it say this."""
        expect(self.sentence).to_have_text(sentence)
        expect(self.picture).to_have_attribute("alt", sentence)

    def expect_sentence_of(self, controls):
        """Wait until they say what ``controls()`` says, and go on saying it.

        On a busy machine a drag's last moves arrive long after the mouse has let go.
        """
        def agree():
            said = controls()
            return (self.sentence.inner_text() == said
                    and self.picture.get_attribute("alt") == said == controls())

        wait_until(self.page, lambda: agree() and (self.page.wait_for_timeout(500) or agree()))


def wait_until(page, condition):
    """Ask again and again, with the page running on in between."""
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, f"{condition} did not come true in {PATIENCE} s"
        page.wait_for_timeout(100)


def stored_cells(path):
    """The cells that a notebook file holds at this moment."""
    return json.loads(path.read_text("utf-8"))["cells"]


def stored_code_cells(path):
    """Those of them that hold code."""
    return [cell for cell in stored_cells(path) if cell["cell_type"] == "code"]


def stored_stills(path):
    """Sentence and picture (base64) of each explorer that a notebook file holds."""
    outputs = [output for cell in stored_code_cells(path) for output in cell["outputs"]]
    bundles = [output["data"] for output in outputs if WIDGET_VIEW in output.get("data", {})]
    return [("".join(bundle["text/plain"]), "".join("".join(bundle["image/png"]).split()))
            for bundle in bundles if "image/png" in bundle]
