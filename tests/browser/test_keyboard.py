"""Notebook A worked through with the keyboard alone, from its first cell to the last card.

JupyterLab has no key for a closed output; its command palette, opened by keys, has the command.
"""

import pytest
from playwright.sync_api import expect

from lab_page import LIVE, MASKED, stored_cells, wait_until

FOCUSED = "selector => document.activeElement.matches(selector)"
FOCUSED_NAME = """() => {
    const focused = document.activeElement;
    return [...focused.labels ?? []].map(label => label.innerText).join() || focused.innerText;
}"""
WORKED = "P(cat) = 0.5344, loss 0.6265 nats, uniform ln 4 = 1.3863"
OUTPUT = ".jp-OutputArea-output"
ENOUGH = 150  # keys: more than it takes to get anywhere on the page


class Keyboard:
    """A notebook's page for someone without a mouse."""

    def __init__(self, notebook):
        self.page = notebook.page
        self.press = self.page.keyboard.press
        self.panel = notebook.panel
        self.cells = ["".join(cell["source"]).splitlines()
                      for cell in stored_cells(notebook.path)]
        self.explorer = self.panel.locator(LIVE)
        self.sentence = self.explorer.locator(".mlm-sentence")

    def tab_to(self, selector, name=None):
        """Press Tab until an element has the focus that matches, with this label or caption."""
        for _ in range(ENOUGH):
            self.press("Tab")
            if self.page.evaluate(FOCUSED, selector) and name in (None, self.focused_name()):
                return
        raise AssertionError(f"Tab does not lead to {selector} {name or ''}")

    def push(self, button):
        """Press Tab until the button with this caption has the focus, then Enter."""
        self.tab_to("button", button)
        self.press("Enter")

    def focused_name(self):
        return self.page.evaluate(FOCUSED_NAME).strip()

    def select(self, start):
        """Go up or down to the first cell that contains a line, or heading, that starts so.

        In a number box or on a slider the arrow keys move the number: there, Tab on to a button.
        """
        place = next(place for place, lines in enumerate(self.cells)
                     if any(line.removeprefix("## ").startswith(start) for line in lines))
        while self.page.evaluate(FOCUSED, "input, select, .noUi-handle"):
            self.press("Tab")
        for _ in range(ENOUGH):
            here = int(self.selected().get_attribute("data-windowed-list-index"))
            if here == place:
                return self.selected()
            self.press("ArrowUp" if here > place else "ArrowDown")
        raise AssertionError(f"the arrow keys do not lead to {start}")

    def selected(self):
        return self.panel.locator(".jp-Cell.jp-mod-active")

    def command(self, name):
        """Give a command by its name.

        JupyterLab may move the focus to the selected cell a moment later, which closes the palette:
        then it is opened once more.
        """
        wait_until(self.page, lambda: self.page.evaluate(FOCUSED, ".lm-CommandPalette-input")
                   or self.press("Control+Shift+c"))
        self.page.keyboard.type(name)
        chosen = self.page.locator(".lm-CommandPalette-item.lm-mod-active")
        expect(chosen.locator(".lm-CommandPalette-itemLabel")).to_have_text(name)
        self.press("Enter")


@pytest.fixture(scope="module")
def keyboard(lab_page):
    """The page of notebook A, not run, with one of its cells or links reached by Tab."""
    keyboard = Keyboard(lab_page.visit_copy(MASKED))
    keyboard.tab_to(".jp-Cell, .jp-Cell a")
    return keyboard


@pytest.fixture(scope="module")
def running(keyboard):
    """The same, all cells run."""
    keyboard.command("Run All Cells")
    expect(keyboard.explorer).to_have_count(1)
    expect(keyboard.sentence).to_have_text(WORKED)
    return keyboard


def test_steps_and_their_outputs_open(keyboard):
    keyboard.select("Steps")
    keyboard.press("ArrowRight")
    step = keyboard.select("# Step 1")
    reason = step.locator(OUTPUT).get_by_text("Exponentiate every logit.")
    expect(reason).to_have_count(0)
    keyboard.command("Expand Selected Outputs")
    expect(reason).to_be_visible()


def test_recall_answer_opens_and_closes_before_anything_is_run(keyboard):
    keyboard.select("# Turn the cards")
    keyboard.tab_to("summary", "Add 5 to all four logits. What happens to the loss?")
    answer = keyboard.panel.locator("details").get_by_text("Nothing. Each weight")
    expect(answer).to_be_hidden()
    keyboard.press("Enter")
    expect(answer).to_be_visible()
    keyboard.press("Enter")
    expect(answer).to_be_hidden()


def test_forecast_is_locked_in(running):
    forecast = running.select("# Commit yourself").locator(".mlm-page")
    for name, typed in (("Probability of cat", "0,6"), ("Loss (nats)", "1/2")):
        running.tab_to("input[type=text]", name)
        running.page.keyboard.type(typed)
    running.push("below 1")
    expect(forecast).not_to_contain_text("0.5344")
    running.push("Lock in my forecast")
    expect(forecast).to_contain_text("0.5344")
    expect(forecast).to_contain_text("0.1265 nats too low")


def test_practice_is_answered_and_helped(running):
    practice = running.select("# Check your answer").locator(".mlm-page")
    running.tab_to("input[type=text]", "answer (nats)")
    running.page.keyboard.type("7.77")
    running.press("Enter")
    expect(practice).to_contain_text("none of the usual mistakes")
    running.push("Hint")
    expect(practice.get_by_role("button", name="Show the step")).to_have_count(1)


def test_card_is_turned_and_laid_aside(running):
    cards = running.select("# Turn the cards").locator(".mlm-page")
    running.push("Show answer")
    expect(cards).to_contain_text("Nothing. Each weight")
    running.push("I knew it")
    expect(cards).to_contain_text("Known 1 of 4, 3 to go")


def test_presets_number_box_slider_and_reset(running):
    running.select("# Move the logits")
    running.push("Uniform")
    expect(running.sentence).to_contain_text("loss 1.3863 nats")
    running.tab_to("input[type=number]", "logit of cat")
    running.press("Control+a")
    running.page.keyboard.type("2")
    running.press("Enter")
    expect(running.sentence).to_contain_text("P(cat) = 0.7112")  # e²/(e² + 3)
    running.tab_to(".noUi-handle")
    running.press("Home")
    expect(running.sentence).to_contain_text("loss 11.0986 nats")  # 10 + ln 3
    running.press("ArrowRight")
    expect(running.sentence).to_contain_text("loss 10.9986 nats")
    running.tab_to("button", "Reset")
    running.press("Space")
    expect(running.sentence).to_have_text(WORKED)


def test_refused_number_is_told_and_the_old_one_stands(running):
    running.select("# Move the logits")
    running.tab_to("input[type=number]", "logit of cat")
    running.press("Control+a")
    running.page.keyboard.type("99")
    running.press("Enter")
    expect(running.explorer.get_by_role("alert")).to_contain_text("99 is not possible")
    expect(running.sentence).to_have_text(WORKED)
