"""Notebooks under stress in JupyterLab: many moves, two at once, a killed kernel, a restart.

What a picture must say is worked out here from where the sliders' handles stand, with nothing from
the package. The plain suite makes 12 moves in each of two notebooks and restarts one; the thorough
one makes 200 and restarts all.
"""

import math
import os
import random
import signal
from urllib.parse import urljoin

import psutil
import pytest
from playwright.sync_api import expect

from lab_page import (
    CORPUS,
    FOLDER,
    LIVE,
    MASKED,
    NOTEBOOKS,
    SEVERAL,
    SWAPPED,
    choose,
    stored_code_cells,
    wait_until,
)
from test_explorers import parts_of
from test_rerun import outcome
from test_wording import is_rounded, read_number
from thorough import plainly

MOVES = plainly(12, 200)
RESTARTED = plainly((CORPUS,), NOTEBOOKS)
WARM_UP, MOST_GROWTH = min(50, MOVES // 2), 5  # moves, MB
KEYS = ("ArrowLeft", "ArrowRight", "PageUp", "PageDown", "Home", "End")
HALF_A_TICK = 0.012  # of a number on a scale of powers of ten by 0.01
SLIDERS = """root => Object.fromEntries([...root.querySelectorAll('.noUi-handle')].map(handle => {
    const control = handle.closest('.widget-hbox');
    const box = control.querySelector('input');
    return [control.querySelector('.widget-label').textContent,
            [Number(handle.getAttribute('aria-valuenow')), box.valueAsNumber]];
}))"""


# What the page must show


def scale(least, step=0.01):
    """The number at a tick of a slider that runs by powers of ten."""
    return lambda tick: least * 10 ** (step * tick)


SCALES = {"number of slots": lambda tick: 1 + tick, "vocabulary size": scale(2),
          "sequence length": scale(12)}


def misplaced(sliders, scales, other):
    """Number boxes that say something else than their handles."""
    for name, (tick, number) in sliders.items():
        expected = scales.get(name, other)(tick)
        whole = 0.5 if name in SCALES else 0.001
        if number != pytest.approx(expected, rel=HALF_A_TICK, abs=whole):
            yield f"{name} is {number}, the handle stands at {expected}"


def faults_of_several(sentence, sliders):
    """What F's explorer says wrongly, by its handles."""
    yield from misplaced(sliders, SCALES, scale(1e-6))
    numbers = {name: number for name, (_, number) in sliders.items()}
    p = [number for name, number in numbers.items() if name.startswith("p of slot")]
    pattern = ("NUMBER slots? among NUMBER tokens?, sum NUMBER nats, product of p NUMBER; "
               "uniform NUMBER")
    n_slots, n_tokens, total, product, uniform = parts_of(sentence, pattern)
    exact = {total: -math.fsum(map(math.log, p)), product: math.prod(p),
             uniform: len(p) * math.log(numbers["vocabulary size"])}
    whole = {n_slots: numbers["number of slots"], n_tokens: numbers["sequence length"]}
    if len(p) != numbers["number of slots"]:
        yield f"{len(p)} sliders"
    yield from (f"{text} is not {number}" for text, number in exact.items()
                if not is_rounded(text, number))
    yield from (f"{text} is not {number}" for text, number in whole.items()
                if read_number(text) != number)


def faults_of_masked(sentence, sliders):
    """What A's explorer says wrongly, by its handles."""
    yield from misplaced(sliders, {"vocabulary size": scale(4)}, lambda tick: tick / 10 - 10)
    numbers = {name: number for name, (_, number) in sliders.items()}
    size = numbers.pop("vocabulary size")
    rest = numbers.pop("logit of all others")
    all_weights = math.fsum([*map(math.exp, numbers.values()), (size - 4) * math.exp(rest)])
    loss = math.log(all_weights) - numbers["logit of cat"]
    pattern = r"P\(cat\) = NUMBER, loss NUMBER nats, uniform ln NUMBER = NUMBER"
    p_text, loss_text, size_text, uniform = parts_of(sentence, pattern)
    exact = {p_text: math.exp(-loss), loss_text: loss, uniform: math.log(size)}
    yield from (f"{text} is not {number}" for text, number in exact.items()
                if not is_rounded(text, number))
    if read_number(size_text) != size:
        yield f"{size_text} is not {size}"


def faults_of_swapped(sentence, sliders):
    """What B's explorer says wrongly: that of A, but for the word shown by mistake."""
    said, _, wrong = sentence.partition("; scored against mat by mistake: ")
    yield from faults_of_masked(said, sliders)
    cat, mat = (sliders[f"logit of {word}"][1] for word in ("cat", "mat"))
    (_, loss, *_) = parts_of(said, r"P\(cat\) = NUMBER, loss NUMBER nats, .+")
    if read_number(wrong) != pytest.approx(read_number(loss) + cat - mat, abs=0.00011):
        yield f"{wrong} by mistake"


def expect_right(explorer, faults):
    """Wait until sentence, boxes and handles agree."""
    def found():
        return [*faults(explorer.sentence.inner_text(), explorer.root.evaluate(SLIDERS))]

    try:
        wait_until(explorer.page, lambda: not found())
    except AssertionError:
        raise AssertionError("\n".join(found())) from None
    expect(explorer.picture).to_have_attribute("alt", explorer.sentence.inner_text())


# The kernel behind a page


def kernel_of(notebook):
    """The process that runs a page's cells."""
    address = urljoin(notebook.page.url, "/api/sessions")
    sessions = notebook.page.request.get(address).json()
    (kernel,) = (session["kernel"]["id"] for session in sessions
                 if session["path"] == notebook.path.name)
    (process,) = (child for child in psutil.Process().children(recursive=True)
                  if any(kernel in part for part in child.cmdline()))
    return process


def megabytes(process):
    return process.memory_info().rss / 2**20


# Many moves


def move_at_random(explorer, rng):
    """A key on some slider's handle, or a drag of it; what it leads to is not waited for."""
    label = rng.choice([*explorer.root.evaluate(SLIDERS)])
    if rng.random() < 0.8:
        explorer.handle(label).press(rng.choice(KEYS))
    else:
        explorer.drag(label, rng.randint(-150, 150))
    if label == "number of slots":
        wait_until(explorer.page, lambda: has_its_sliders(explorer.root.evaluate(SLIDERS)))


def has_its_sliders(sliders):
    return sum(name.startswith("p of slot") for name in sliders) == 1 + sliders[
        "number of slots"][0]


@pytest.mark.parametrize(("name", "label", "faults"), [
    (MASKED, "logit of cat", faults_of_masked),
    (SEVERAL, "number of slots", faults_of_several),
], ids=[MASKED, SEVERAL])
def test_many_moves_end_right_and_use_no_more_memory(run, name, label, faults):
    notebook, rng = run(name), random.Random(0)
    explorer, kernel = notebook.explorer(label), kernel_of(notebook)
    notebook.saved_when_done()
    for _ in range(WARM_UP):
        move_at_random(explorer, rng)
    expect_right(explorer, faults)
    before = megabytes(kernel)
    for _ in range(MOVES - WARM_UP):
        move_at_random(explorer, rng)
    expect_right(explorer, faults)
    grown = megabytes(kernel) - before
    print(f"{name}: {before:.1f} MB, {grown:+.1f} MB after {MOVES} moves")
    assert grown <= MOST_GROWTH


# Two notebooks


@pytest.mark.notebook(SWAPPED)
def test_two_open_notebooks_do_not_disturb_each_other(run, lab_page):
    swapped = run(SWAPPED)
    masked = lab_page.visit_copy(MASKED, beside=SWAPPED).run_all()
    assert kernel_of(masked) != kernel_of(swapped)
    one = masked.explorer("logit of cat")
    other = run(SWAPPED).explorer("logit of cat")
    for notebook, moved, faults, still in ((swapped, other, faults_of_swapped, one),
                                           (masked, one, faults_of_masked, other)):
        before = still.sentence.text_content(), still.picture.get_attribute("src")
        lab_page.visit(notebook.path.stem)
        moved.click("Reset")
        sentence = moved.sentence.inner_text()
        moved.drag("logit of cat", 60)
        expect(moved.sentence).not_to_have_text(sentence)
        expect_right(moved, faults)
        assert (still.sentence.text_content(), still.picture.get_attribute("src")) == before


# Kernels killed and restarted


def restart_and_run_all(notebook):
    """By the menu; what is on the page until then is marked, so that it is not taken for new."""
    page = notebook.page
    notebook.wait_until_idle()
    notebook.panel.locator(LIVE).evaluate_all("old => old.forEach(part => part.dataset.old = '')")
    choose(page, "Kernel", "Restart Kernel and Run All Cells…")
    page.get_by_role("button", name="Confirm Kernel Restart").click()
    expect(notebook.panel.locator("[data-old]")).to_have_count(0)
    expect(notebook.panel.locator(LIVE)).to_have_count(len(notebook.stills))
    return notebook.saved_when_done()


@pytest.mark.notebook(SWAPPED)
def test_a_kernel_killed_in_mid_drag_is_replaced_and_all_works_again(run):
    notebook = run(SWAPPED)
    page, explorer = notebook.page, notebook.explorer("logit of cat")
    notebook.saved_when_done()
    killed = kernel_of(notebook)
    place = explorer.handle("logit of cat").bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y, steps=10)
    os.kill(killed.pid, signal.SIGKILL)
    page.mouse.move(x + 60, y, steps=20)
    page.mouse.up()
    page.get_by_text("appears to have died").wait_for()
    page.get_by_role("button", name="Ok").click()
    notebook.wait_until_idle()
    restart_and_run_all(notebook)
    assert kernel_of(notebook).pid != killed.pid
    explorer.drag("logit of cat", 60)
    wait_until(page, lambda: explorer.number("logit of cat") > 1.5)
    expect_right(explorer, faults_of_swapped)


@pytest.mark.parametrize("name", RESTARTED)
def test_restart_and_run_all_gives_what_is_stored(visit, name):
    notebook = visit(name)
    ran = restart_and_run_all(notebook)
    stored = stored_code_cells(FOLDER / f"{name}.ipynb")
    assert [cell["source"] for cell in ran] == [cell["source"] for cell in stored]
    other = [cell["id"] for cell, before in zip(ran, stored, strict=True)
             if outcome(cell) != outcome(before)]
    assert not other, f"these cells show something else: {other}"
