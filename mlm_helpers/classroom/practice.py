"""Exercises with an answer box that says what went wrong, and help in three helpings."""

from html import escape

import ipywidgets as widgets

from mlm_helpers.checks import check_choice
from mlm_helpers.classroom.page import TYPE, Page, box, paragraph, warning
from mlm_helpers.controls import NumberSlider, buttons, row
from mlm_helpers.exercises import diagnose, draw_exercise
from mlm_helpers.exercises.draw import GENERATORS
from mlm_helpers.typeset import typeset_steps
from mlm_helpers.wording import count

LAST_NUMBER = 999  # as many students as a lecture hall holds
HELPINGS = ("Hint", "Show the step", "Show the derivation", "No more help")


class Practice(Page):
    """See ``practise`` and ``practise_on``.

    Attributes
    ----------
    answer : ipywidgets.Text
        What is typed; it is checked when it changes.
    last_message : str
        What was said to the last answer that was a number, in plain text.
    """

    def __init__(self, draw, last_number=0):
        self._draw = draw
        self.number = NumberSlider("exercise number", 0, 0, max(1, last_number), step=1, whole=True)
        self.task, self.verdict, self.helped = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.answer = widgets.Text(placeholder="for example 0.63 or ln(2)",
                                   continuous_update=False,  # a change is then the Enter key
                                   style={"description_width": "initial"},
                                   layout=widgets.Layout(width="26em", max_width="100%"))
        self.check_button, self.help_button = buttons({"Check": self.check, "Hint": self.help})
        self.next_button, = buttons({"Next exercise": self.take_next})
        self.standing = widgets.HTML()
        self._solved, self._seen, self.last_message = set(), {0}, ""
        super().__init__([*([row(self.number, self.next_button)] if last_number else []),
                          self.task, row(self.answer, self.check_button, self.help_button),
                          self.verdict, self.helped, self.standing])
        self.answer.observe(lambda change: change.new and self.check(), "value")
        self.number.observe(self._begin, "value")
        self.number.observe(lambda change: self._say(warning(change.new) if change.new else ""),
                            "problem")
        self._begin()
        self.still = _task(self.exercise) + paragraph("Run all cells to check your answer.")
        self.sentence = f"Practice {self.exercise.letter}: {self.exercise.question}"

    @property
    def exercise(self):
        """The one on the page."""
        return self._exercise

    def _begin(self, _=None):
        number = int(self.number.value)
        self._exercise = self._draw(number)
        self._cause, self._n_helpings = None, 0
        self._seen.add(number)
        self.task.value = _task(self._exercise)
        self.answer.description = f"answer ({self._exercise.unit})"
        self.answer.value = self.verdict.value = self.helped.value = ""
        self._show_standing()
        self._offer_help()

    def check(self):
        """Say whether the typed answer is right, and if not, which mistake gives it."""
        try:
            diagnosis = diagnose(self.exercise, self.answer.value)
        except ValueError as error:
            self._say(warning(str(error)))
            return
        self._cause = diagnosis.cause
        if diagnosis.right:
            self._solved.add(int(self.number.value))
        self.last_message = diagnosis.message
        self._say(box(escape(diagnosis.message), "right") if diagnosis.right
                  else warning(diagnosis.message))
        self._show_standing()

    def help(self):
        """A hint first, then the step that went wrong, or else the first one, then all steps."""
        self._n_helpings = min(self._n_helpings + 1, 3)
        steps = self.exercise.steps
        if self._n_helpings == 1:
            content = escape(self.exercise.hint)
        elif self._n_helpings == 2:
            content = typeset_steps([steps[self._cause.step - 1 if self._cause else 0]])
        else:
            content = typeset_steps(steps)
        self.helped.value = box(content)
        self._offer_help()

    def take_next(self):
        """The exercise with the next number; after the last comes the first."""
        self.number.value = (self.number.value + 1) % (self.number.maximum + 1)

    def _offer_help(self):
        self.help_button.description = HELPINGS[self._n_helpings]

    def _say(self, html):
        self.verdict.value = html

    def _show_standing(self):
        self.standing.value = (f'<p style="{TYPE}; margin: 4px 0">Solved {len(self._solved)} of '
                               f"{count(len(self._seen), 'exercise')} seen.</p>")


def _task(exercise):
    return (paragraph(exercise.story) + exercise.givens._repr_html_()
            + f'<p style="{TYPE}; margin: 4px 0"><strong>{escape(exercise.question)}</strong><br>'
            f"<em>{escape(exercise.accepts)}</em></p>")


def practise(scenario, seed=0):
    """Exercises of a scenario, as many as one likes.

    Parameters
    ----------
    scenario : {"A", ..., "H"}
        Which kind.
    seed : int
        Another seed gives other numbers: one for each class, say. The exercise number on the page
        is the variant, so that each student can take their own.

    Returns
    -------
    Practice
        A widget; ``answer.value``, ``check()`` and ``help()`` are what box and buttons do.

    Raises
    ------
    ValueError
        When there is no such scenario, or the seed is no whole number of 0 or more.

    Examples
    --------
    >>> practice = practise("A")
    >>> practice.answer.value = str(practice.exercise.answer)
    >>> practice.check()
    >>> "Right" in practice.verdict.value
    True
    """
    check_choice("scenario", scenario, tuple(GENERATORS))
    return Practice(lambda number: draw_exercise(scenario, seed, number), LAST_NUMBER)


def practise_on(exercise):
    """The same for one exercise of your own; ``exercises.slot_exercise`` makes one of a slot.

    Examples
    --------
    >>> from mlm_helpers.exercises import slot_exercise
    >>> from mlm_helpers.slots import Slot
    >>> mine = practise_on(slot_exercise(Slot(("tea", "rum"), (1.0, 2.0), label=0)))
    >>> mine.answer.value = "1,31"
    >>> mine.check()
    >>> "Right" in mine.verdict.value
    True
    """
    return Practice(lambda number: exercise)
