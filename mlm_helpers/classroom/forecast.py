"""A forecast that is locked in before anything is revealed."""

import base64
from html import escape

import ipywidgets as widgets

from mlm_helpers.checks import check_choice
from mlm_helpers.classroom.forecasts import FORECASTS
from mlm_helpers.classroom.guesses import ChoiceGuess, guess_control
from mlm_helpers.classroom.page import Page, box, paragraph, warning
from mlm_helpers.controls import buttons, row
from mlm_helpers.figures import white_figure
from mlm_helpers.guess_plots import plot_guesses, plot_hands
from mlm_helpers.live import drawn, encode
from mlm_helpers.tables import cell, table
from mlm_helpers.wording import decimal

ALONE, TOGETHER = "I guess", "The whole class guesses"


class Forecast(Page):
    """See ``ask_forecast``."""

    def __init__(self, forecasts):
        self.forecasts = forecasts
        self.sentence = "Forecast: " + "; ".join(map(_asked, forecasts.questions)) + "."
        self.still = "".join(map(paragraph, [
            "Write down before you read on:", *map(_asked, forecasts.questions),
            "Run all cells to lock your forecast in; only then is the outcome shown."]))
        self.who = widgets.ToggleButtons(options=[ALONE, TOGETHER], style={"button_width": "auto"})
        self.guesses = [guess_control(question) for question in forecasts.questions]
        self.notice, self.outcome = widgets.HTML(), widgets.HTML()
        self.lock_button, self.clear_button = buttons({
            "Lock in my forecast": self.lock, "Clear": self.clear})
        self.locked = False
        super().__init__([self.who, *self.guesses, row(self.lock_button, self.clear_button),
                          self.notice, self.outcome])
        self.who.observe(self._ask, "value")

    @property
    def whole_class(self):
        """Whether a room guesses."""
        return self.who.value == TOGETHER

    def _ask(self, _=None):
        for guess in self.guesses:
            guess.ask(self.whole_class)
        self.lock_button.description = ("Lock in our forecast" if self.whole_class
                                        else "Lock in my forecast")
        self.notice.value = ""

    def lock(self):
        """Take the guesses, let nobody change them, and only then reveal; or say what is amiss."""
        if self.locked:
            return
        try:
            taken = [guess.read() for guess in self.guesses]
        except ValueError as error:
            self.notice.value = warning(str(error))
            return
        self.notice.value = ""
        self._freeze(True)
        self.outcome.value = self._revealed(taken)

    def clear(self):
        """Begin anew: for the next class, say."""
        self._freeze(False)
        self.outcome.value = self.notice.value = ""
        for guess in self.guesses:
            guess.clear()

    def _freeze(self, frozen):
        self.locked = frozen
        self.who.disabled = frozen  # but no button: a keyboard would lose its place on the page
        for guess in self.guesses:
            guess.freeze(frozen)

    def _revealed(self, taken):
        answers = list(zip(self.guesses, taken, strict=True))
        picture = _room_picture(answers) if self.whole_class else ""
        return picture + _guess_table(answers) + box(
            f"<strong>Why:</strong> {escape(self.forecasts.why)}<br>"
            f"<strong>The source page forecasts:</strong> {escape(self.forecasts.source_page)}")


def _asked(question):
    if question.choices:
        return f"{question.text} {' / '.join(question.choices)}?"
    return f"{question.text}{f' in {question.unit}' if question.unit else ''}?"


def _guess_table(answers):
    """Each guess beside the truth, and how far off it is."""
    head = [cell("th", title, bold=True, scope="col")
            for title in ("asked", "forecast", "truth", "off by")]
    return table([head, *(_guess_row(guess, taken) for guess, taken in answers)],
                 "forecasts and truths")


def _guess_row(guess, taken):
    texts = (_hands_texts if isinstance(guess, ChoiceGuess) else _number_texts)(guess, taken)
    return [cell("th", escape(guess.question.text), align="left", bold=True, scope="row"),
            *(cell("td", escape(text), align="right") for text in texts)]


def _number_texts(guess, numbers):
    truth = guess.question.truth
    mean = sum(numbers) / len(numbers)
    shown = guess.shown(mean) + (f" (mean of {len(numbers)})" if len(numbers) > 1 else "")
    return shown, guess.shown(truth), _off(guess, mean - truth)


def _off(guess, difference):
    if abs(difference) < 5e-5:
        return "nothing"
    return f"{guess.shown(abs(difference))} too {'high' if difference > 0 else 'low'}"


def _hands_texts(guess, hands):
    question = guess.question
    right = hands[question.choices.index(question.truth)]
    if sum(hands) == 1:
        forecast = question.choices[hands.index(1)]
        return forecast, question.truth, "nothing" if right else "the other way"
    shown = ", ".join(f"{choice}: {number}"
                      for choice, number in zip(question.choices, hands, strict=True))
    return shown, question.truth, f"{decimal(100 * right / sum(hands), 0)} % were right"


def _room_picture(answers):
    """The room's guesses, a plot for each question."""
    figure = white_figure(9.6, 2.6 * len(answers))
    for ax, (guess, taken) in zip(figure.subplots(len(answers), squeeze=False).flat, answers,
                                  strict=True):
        question = guess.question
        if question.choices:
            plot_hands(ax, question.text, question.choices, taken, question.truth)
        else:
            plot_guesses(ax, _asked(question).rstrip("?"), taken, question.truth,
                         f"truth {guess.shown(question.truth)}")
    figure.tight_layout()
    data = base64.b64encode(encode(drawn(figure))).decode("ascii")
    text = "; ".join(_spoken(guess, taken) for guess, taken in answers)
    return f'<img alt="{escape(text)}" style="max-width: 100%" src="data:image/png;base64,{data}">'


def _spoken(guess, taken):
    if guess.question.choices:
        return f"{guess.question.text} {_hands_texts(guess, taken)[0]}"
    return (f"{guess.question.text}: guesses {', '.join(map(guess.shown, taken))}; truth "
            f"{guess.shown(guess.question.truth)}")


def ask_forecast(scenario):
    """Questions to commit to before reading on.

    Parameters
    ----------
    scenario : {"A", ..., "H"}
        Whose questions.

    Returns
    -------
    Forecast
        A widget. Nothing of the answers is in the page, nor in its source, until ``lock`` is
        called by its button.

    Raises
    ------
    ValueError
        When there is no such scenario.

    Examples
    --------
    >>> forecast = ask_forecast("A")
    >>> forecast.lock()
    >>> forecast.locked  # nothing was written down yet
    False
    """
    check_choice("scenario", scenario, tuple(FORECASTS))
    return Forecast(FORECASTS[scenario])
