"""The training panel in JupyterLab: it trains while the page goes on, pauses, and starts anew."""

import re

import pytest
from playwright.sync_api import expect

from lab_page import REAL_TEXT

pytestmark = pytest.mark.notebook(REAL_TEXT)
STEP = re.compile(r"step ([\d\u202f]+) of")


@pytest.fixture
def panel(visit):
    return visit(REAL_TEXT).run_all().explorer("steps of training")


def steps(panel):
    found = STEP.search(panel.sentence.inner_text())
    return int(found[1].replace("\u202f", "")) if found else 0


def test_it_trains_pauses_and_goes_on(panel):
    panel.click("Start")
    expect(panel.sentence).to_contain_text(re.compile(r"running, step .*held-out loss [2-6]\."))
    panel.click("Pause")
    expect(panel.sentence).to_contain_text("paused, step")
    there = steps(panel)
    panel.page.wait_for_timeout(1000)
    assert steps(panel) == there > 0
    panel.click("Continue")
    expect(panel.sentence).to_contain_text("running, step")
    panel.click("Pause")
    expect(panel.sentence).to_contain_text("paused, step")
    assert steps(panel) >= there


def test_the_sentence_below_asks_the_model_in_training(panel, visit):
    words = visit(REAL_TEXT).explorer("sentence")
    words.root.get_by_role("button", name="expression", exact=True).click()
    expect(words.sentence).to_contain_text("P(expression) = ")
    expect(words.sentence).not_to_contain_text("P(expression) = 0.0005")
    words.click("Open in the softmax explorer")
    expect(words.root.get_by_label("logit of expression", exact=True)).to_have_count(1)


def test_reset_drops_the_training(panel):
    panel.click("Reset")
    expect(panel.sentence).to_contain_text("not yet trained")
