"""Forecasts: nothing is revealed before the lock, and then the numbers are right."""

import re
from itertools import takewhile
from pathlib import Path

import pytest
from ipywidgets.embed import dependency_state

from html_text import text_of
from mlm_helpers.classroom import ask_forecast
from mlm_helpers.classroom.forecast import ALONE, TOGETHER, Forecast
from mlm_helpers.classroom.forecasts import FORECASTS, Forecasts, Question
from notebook_pages import data, read
from refusals import assert_refused

TRUTHS = {  # worked out apart from the package, as many digits as are shown
    "A": ["0.5344", "0.6265", "below 1"],  # e²/(2e + e² + 1), −ln of it
    "B": ["1.2192", "larger", "smaller"],
    "C": ["0.1392", "above 0"],
    "D": ["0.0000", "stay where they are", "undefined"],
    "E": ["0.0000", "10.3090", "has no upper end"],  # ln 30000
    "F": ["2.5257", "below 4", "the same"],  # −ln 0.08
    "G": ["240 000 000", "12.0000 %"],  # 2e9 · 0.15 · 0.8
    "H": ["0.1054", "4.0"],  # −ln 0.9, of 2.6311
}

SAID_OTHERWISE = {"B": ["costs more"], "C": ["not 0"], "E": ["no ceiling", "nothing is the worst"]}
NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def fill(forecast, number="1"):
    """Answer every question: a number, the first choice."""
    for guess in forecast.guesses:
        if guess.question.choices:
            guess.buttons.value = guess.question.choices[0]
        else:
            guess.boxes[0].value = number


@pytest.fixture
def forecast():
    return Forecast(Forecasts(
        (Question("Loss", 0.25, "nats"), Question("It is", "small", choices=("small", "large"))),
        "about a quarter", "a quarter it is"))


@pytest.mark.parametrize("scenario", FORECASTS)
def test_the_truths(scenario):
    forecast = ask_forecast(scenario)
    fill(forecast)
    forecast.lock_button.click()
    shown = text_of(forecast.outcome.value)
    for truth in TRUTHS[scenario]:
        assert truth in shown
    assert f"Why: {FORECASTS[scenario].why}".replace("\N{NARROW NO-BREAK SPACE}", " ") in (
        shown.replace("&#x27;", "'"))


@pytest.mark.parametrize("scenario", FORECASTS)
def test_nothing_is_revealed_before_the_lock_in_the_page_or_its_source(scenario):
    forecast = ask_forecast(scenario)
    bundle = forecast._repr_mimebundle_()
    source = " ".join(map(str, [bundle, dependency_state(forecast)]))
    assert FORECASTS[scenario].why not in source and FORECASTS[scenario].source_page not in source
    digits = re.compile(r"(?<![\d.])\d+\.\d{3,}")
    asked = "".join(question.text for question in FORECASTS[scenario].questions)
    assert not set(digits.findall(source)) - set(digits.findall(asked))
    assert "truth" not in source


def sentences_above_the_forecast(scenario):
    [path] = NOTEBOOKS.glob(f"{scenario}_*.ipynb")
    for cell in takewhile(lambda cell: "ask_forecast" not in cell.source, read(path).cells):
        outputs = [data(output).get("text/plain", "") for output in cell.get("outputs", [])]
        for text in [cell.source, *outputs]:
            yield from re.split(r"(?<=[.?!;])\s|\n\s*\n|\n- ", text)


@pytest.mark.parametrize("scenario", FORECASTS)
def test_above_the_forecast_only_questions_name_its_answer(scenario):
    tells = TRUTHS[scenario] + SAID_OTHERWISE.get(scenario, [])
    for sentence in sentences_above_the_forecast(scenario):
        told = [tell for tell in tells if re.search(rf"(?<![\w.]){re.escape(tell)}\b", sentence)]
        assert not told or sentence.endswith("?"), sentence


def test_an_empty_answer_is_asked_for_by_name_and_nothing_is_lost(forecast):
    forecast.guesses[0].boxes[0].value = "0,3"
    forecast.lock_button.click()
    assert "“It is” is still open: choose one of small, large" in text_of(forecast.notice.value)
    assert not forecast.locked and forecast.outcome.value == ""
    assert forecast.guesses[0].boxes[0].value == "0,3"
    forecast.guesses[1].buttons.value = "large"
    forecast.lock_button.click()
    assert forecast.locked and forecast.notice.value == ""


def test_what_is_no_number_is_told(forecast):
    fill(forecast, "a lot")
    forecast.lock_button.click()
    assert "“a lot” is no number" in text_of(forecast.notice.value)
    assert not forecast.locked


@pytest.mark.parametrize(("typed", "off"), [
    ("0,3", "0.3000 nats 0.2500 nats 0.0500 nats too high"),
    (".2", "0.2000 nats 0.2500 nats 0.0500 nats too low"), ("1/4", "0.2500 nats nothing"),
])
def test_how_far_off(forecast, typed, off):
    fill(forecast, typed)
    forecast.lock_button.click()
    assert off in text_of(forecast.outcome.value)


def test_a_locked_forecast_cannot_be_changed_until_it_is_cleared(forecast):
    fill(forecast)
    forecast.lock_button.click()
    controls = [forecast.guesses[0].boxes[0], forecast.guesses[1].buttons, forecast.who]
    assert all(control.disabled for control in controls)
    revealed = forecast.outcome.value
    forecast.lock_button.click()
    assert forecast.outcome.value == revealed
    forecast.clear_button.click()
    assert not any(control.disabled for control in controls)
    assert forecast.outcome.value == forecast.guesses[0].boxes[0].value == ""
    assert forecast.guesses[1].buttons.value is None


def test_a_room_guesses_five_times_and_sees_them_beside_the_truth(forecast):
    forecast.who.value = TOGETHER
    number, choice = forecast.guesses
    assert len(number.children) == 5
    for box, typed in zip(number.boxes, ["0.1", "0.2", "0.3", "0,4", "0.5"], strict=True):
        box.value = typed
    choice.hands[0].value, choice.hands[1].value = 12, 4
    forecast.lock_button.click()
    alt = re.search('alt="([^"]+)"', forecast.outcome.value)[1]
    assert alt == ("Loss: guesses 0.1000 nats, 0.2000 nats, 0.3000 nats, 0.4000 nats, 0.5000 nats; "
                   "truth 0.2500 nats; It is small: 12, large: 4")
    shown = text_of(forecast.outcome.value)
    assert "0.3000 nats (mean of 5) 0.2500 nats 0.0500 nats too high" in shown
    assert "small: 12, large: 4 small 75 % were right" in shown


def test_a_room_need_not_use_all_five(forecast):
    forecast.who.value = TOGETHER
    forecast.guesses[0].boxes[3].value = "2"
    forecast.guesses[1].hands[1].value = 1
    forecast.lock_button.click()
    assert forecast.locked and "large small the other way" in text_of(forecast.outcome.value)


def test_alone_again_the_rooms_guesses_do_not_count(forecast):
    forecast.who.value = TOGETHER
    forecast.guesses[0].boxes[1].value = "99"
    forecast.who.value = ALONE
    fill(forecast, "0.25")
    forecast.lock_button.click()
    assert "0.2500 nats nothing" in text_of(forecast.outcome.value)
    assert "<img" not in forecast.outcome.value


def test_thousands_of_tokens_may_be_set_apart():
    forecast = ask_forecast("G")
    forecast.guesses[0].boxes[0].value = "200,000,000"
    forecast.guesses[1].boxes[0].value = "10 %"
    forecast.lock_button.click()
    assert "40 000 000 tokens too low" in text_of(forecast.outcome.value)


def test_unknown_scenario():
    assert_refused(lambda: ask_forecast("start"), "'start'", "choose one of 'A'")
