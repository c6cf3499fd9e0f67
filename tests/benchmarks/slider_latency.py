"""From a key press on a slider to the changed picture on the screen, ours beside the usual ways.

Run by hand: ``python tests/benchmarks/slider_latency.py``. JupyterLab and Chromium run as readers
have them; the ways take turns within one run, because only a ratio measured on the same machine at
the same time says anything. The page itself keeps the time: from the event to the frame after the
one that holds the last change of the picture, decoded. ipympl and bqplot join in where installed.
With ``--explorers`` it times the scenarios' explorers beside the softmax one instead.
"""

import importlib.util
import json
import shutil
import statistics
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from lab import find_browser, open_browser, start_lab  # noqa: E402
from lab_page import LabPage  # noqa: E402

WAYS = ("ours", "interact", "ipympl", "bqplot")
TARGETS = {"interact": 0.27, "ipympl": 0.6, "bqplot": 1.0}
EXPLORERS = {  # and which slider is moved, by its place on the page
    "softmax": 1, "slots_12": 1, "empty_mask_512": 1, "limits": 0, "corpus_10_trillion": 1,
    "total": 1,
}
MOST_TIMES_SOFTMAX = 1.5
PICTURE = "img, canvas, svg.svg-figure, .bqplot svg"
ROUNDS, PRESSES = 6, 10
METER = """() => {
    const meter = window.meter = {began: 0, painted: 0, pending: 0};
    const frame = () => new Promise(requestAnimationFrame);
    const changed = async image => {
        meter.pending += 1;
        if (image) await image.decode().catch(() => {});
        await frame();
        await frame();
        meter.painted = performance.now();
        meter.pending -= 1;
    };
    const begin = event => { meter.began = event.timeStamp; };
    addEventListener('keydown', begin, true);
    addEventListener('pointermove', begin, true);
    const look = ({target, addedNodes}) => {
        const element = target.nodeType === 1 ? target : target.parentElement;
        if (element?.closest('svg')) return changed();
        for (const node of [element, ...addedNodes]) {
            const images = node?.tagName === 'IMG' ? [node] : node?.querySelectorAll?.('img') || [];
            if (node !== element || node.tagName === 'IMG') images.forEach(changed);
        }
    };
    new MutationObserver(records => records.forEach(look)).observe(
        document.querySelector('.jp-Notebook'),
        {subtree: true, childList: true, attributes: true, characterData: true});
    const drawImage = CanvasRenderingContext2D.prototype.drawImage;
    CanvasRenderingContext2D.prototype.drawImage = function (...given) {
        if (this.canvas.isConnected) changed();
        return drawImage.apply(this, given);
    };
}"""
SETTLED = """quiet => meter.painted > meter.began && !meter.pending
                       && performance.now() - meter.painted > quiet"""


class Way:
    """One way to show a plot, a function of one of the modules beside, on a page of its own."""

    def __init__(self, browser, lab, folder, module, name, slider=1):
        self.name, self.presses, self.drags = name, [], []
        path = folder / f"{name}.ipynb"
        path.write_text(json.dumps(notebook(f"import {module}\n{module}.{name}()")))
        self.page = LabPage(browser, lab).visit(name).run_all().page
        self.handle = self.page.locator(".noUi-handle").nth(slider)
        self.track = self.page.locator(".noUi-target").nth(slider)
        self.handle.wait_for()
        self.page.locator(f".jp-OutputArea-output :is({PICTURE})").first.wait_for()
        self.page.wait_for_timeout(1000)  # whatever a library still does after its first picture
        self.page.evaluate(METER)

    def take_turn(self, key):
        """Some presses in one direction, then one fast drag the same way."""
        self.page.bring_to_front()
        for _ in range(PRESSES):
            self.handle.press(key)
            self.presses.append(self._elapsed())
        self._drag(0.25 if key == "ArrowRight" else -0.25)
        self.drags.append(self._elapsed(quiet=1500))

    def _elapsed(self, quiet=300):
        self.page.wait_for_function(SETTLED, arg=quiet)
        return self.page.evaluate("meter.painted - meter.began")

    def _drag(self, share):
        place = self.handle.bounding_box()
        x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
        track = self.track.bounding_box()["width"]
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        self.page.mouse.move(x + share * track, y, steps=40)
        self.page.mouse.up()


def notebook(source):
    """A notebook of one cell."""
    cell = {"cell_type": "code", "id": "way", "metadata": {}, "execution_count": None,
            "outputs": [], "source": source}
    kernel = {"name": "python3", "display_name": "Python 3"}
    return {"cells": [cell], "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


def report(ways):
    """Print a row per way."""
    print(f"{ROUNDS * PRESSES} key presses and {ROUNDS} drags each, in turn; milliseconds")
    print(f"{'':<20}{'median':>8}{'95th pct':>10}{'after a drag':>14}")
    for way in ways:
        percentile = statistics.quantiles(way.presses, n=20)[-1]
        print(f"{way.name:<20}{statistics.median(way.presses):8.0f}{percentile:10.0f}"
              f"{statistics.median(way.drags):14.0f}")


def compare(one, other, most):
    """Print how many times as long one way takes as another."""
    presses, drags = (statistics.median(own) / statistics.median(theirs) for own, theirs in
                      ((one.presses, other.presses), (one.drags, other.drags)))
    print(f"{one.name} / {other.name}: {presses:.2f} (at most {most}), after a drag {drags:.2f}")


def timed(module, sliders):
    """The ways of a module, having taken turns; ``sliders`` says for each which one is moved."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        shutil.copy(HERE / f"{module}.py", folder)
        lab = stack.enter_context(start_lab(folder, folder / "home"))
        browser = stack.enter_context(open_browser(find_browser()))
        ways = [Way(browser, lab, folder, module, *each) for each in sliders.items()]
        for turn in range(ROUNDS):
            for way in ways:
                way.take_turn("ArrowLeft" if turn % 2 else "ArrowRight")
    return ways


def main():
    names = [name for name in WAYS
             if name in ("ours", "interact") or importlib.util.find_spec(name)]
    for name in WAYS:
        if name not in names:
            print(f"{name} is not installed: skipped")
    ours, *others = ways = timed("slider_ways", dict.fromkeys(names, 1))
    report(ways)
    for way in others:
        compare(ours, way, TARGETS[way.name])


def main_explorers():
    softmax, *others = ways = timed("explorer_ways", EXPLORERS)
    report(ways)
    for way in others:
        compare(way, softmax, MOST_TIMES_SOFTMAX)


if __name__ == "__main__":
    main_explorers() if "--explorers" in sys.argv else main()
