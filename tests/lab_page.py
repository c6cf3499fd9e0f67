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
LIVE = ".mlm-explorer:has(img.mlm-picture)"
expect.set_options(timeout=PATIENCE * 1000)


class NotebookPage:
    """A notebook opened in the browser: not trusted, not run, until ``run_all``.

    Attributes
    ----------
    path : Path
        The file that the page shows and saves.
    stills : list of (sentence, picture)
        What the file holds for each explorer; the picture in base64.
    errors : list of str
        What the page's scripts complained about.
    """

    def __init__(self, browser, lab, path):
        self.path, self.errors = path, []
        self.stills = stored_stills(path)
        self.page = browser.new_page(viewport=SCREEN)
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._listen)
        self._ran = False
        news = self.page.get_by_role("button", name="No", exact=True)
        self.page.add_locator_handler(news, lambda button: button.click())
        self.page.goto(lab.address(path.relative_to(lab.folder).as_posix()))
        self.page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        self.page.get_by_text("| Idle").wait_for()  # without a kernel, running does nothing at all

    def _listen(self, message):
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.errors.append(message.text)

    @property
    def text(self):
        """All that can be read on the page."""
        return self.page.locator("body").inner_text()

    def still(self, picture):
        """The element that shows a stored picture."""
        images = self.page.locator(".jp-OutputArea-output img")
        images.first.wait_for()
        sources = images.evaluate_all("images => images.map(image => image.src)")
        return images.nth(sources.index(f"data:image/png;base64,{picture}"))

    def choose(self, *entries):
        """Click through the menu bar, as in ``choose("Run", "Run All Cells")``."""
        menu, *below = entries
        self.page.locator(".lm-MenuBar-itemLabel").get_by_text(menu, exact=True).click()
        for entry in below:
            self.page.locator(".lm-Menu-itemLabel").get_by_text(entry, exact=True).click()

    @contextmanager
    def theme(self, name):
        """JupyterLab in its theme "Light", which it has from the start, or "Dark" for a while."""
        if name == "Light":
            yield
            return
        self._use_theme(name)
        try:
            yield
        finally:
            self._use_theme("Light")

    def _use_theme(self, name):
        self.choose("Settings", "Theme", f"JupyterLab {name}")
        light = str(name == "Light").lower()
        expect(self.page.locator(f"body[data-jp-theme-light={light}]")).to_have_count(1)

    def run_all(self, press_button=False):
        """Run every cell by the menu or the page's own button; a second call changes nothing."""
        if not self._ran:
            self._ran = True
            if press_button:
                self.page.get_by_role("button", name="Run all cells", exact=True).first.click()
                self.page.get_by_role("button", name="Run Once").click()  # it is not trusted
            else:
                self.choose("Run", "Run All Cells")
            expect(self.page.locator(LIVE)).to_have_count(len(self.stills))
        return self

    def unfold(self):
        """Open every heading and every output that is closed."""
        self.choose("View", "Expand All Outputs")
        self.page.locator(".jp-Cell").first.click()
        self.page.keyboard.press("Control+Shift+ArrowRight")
        expect(self.page.locator(".jp-collapseHeadingButton.jp-mod-collapsed")).to_have_count(0)
        expect(self.page.locator(".jp-OutputPlaceholder")).to_have_count(0)

    def explorer(self, label):
        """The live explorer that has a control with this label."""
        control = self.page.get_by_label(label, exact=True)
        return LiveExplorer(self.page, self.page.locator(LIVE).filter(has=control))

    def saved_when_done(self):
        """The code cells as JupyterLab saves them once the last one has run."""
        def all_counted():
            self.page.keyboard.press("Control+s")
            self.page.wait_for_timeout(1000)  # saving twice at once asks which file to keep
            counts = [cell["execution_count"] for cell in stored_code_cells(self.path)]
            return counts == list(range(1, len(counts) + 1))

        wait_until(self.page, all_counted)
        return stored_code_cells(self.path)


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

    def drag(self, label, distance):
        """Take the handle with the mouse, move it so many pixels to the right, and let go."""
        self.handle(label).scroll_into_view_if_needed()
        place = self.handle(label).bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + distance, y, steps=30)
        self.page.mouse.up()

    def upload(self, file):
        """Choose a file (a dict of name, mimeType and buffer) for the upload button."""
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


def stored_code_cells(path):
    """The code cells that a notebook file holds at this moment."""
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [cell for cell in cells if cell["cell_type"] == "code"]


def stored_stills(path):
    """Sentence and picture (base64) of each explorer that a notebook file holds."""
    outputs = [output for cell in stored_code_cells(path) for output in cell["outputs"]]
    bundles = [output["data"] for output in outputs if WIDGET_VIEW in output.get("data", {})]
    return [("".join(bundle["text/plain"]), "".join("".join(bundle["image/png"]).split()))
            for bundle in bundles if "image/png" in bundle]
