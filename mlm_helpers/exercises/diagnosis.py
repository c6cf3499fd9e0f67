"""A typed answer → right, a known mistake, or simply wrong."""

import math
from dataclasses import dataclass

from mlm_helpers.exercises.answers import read_answer
from mlm_helpers.exercises.exercise import WrongAnswer, least_gap
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.wording import decimal

_FINEST = 1e-4  # nobody is asked for more than four decimals
_ASKED = 0.01  # the last place of an answer to two decimals
_RELATIVE = 1e-3  # three digits name a large number
_SLACK = 1e-9  # of a float that should lie on a boundary
NOT_LISTED = "Not right, and none of the usual mistakes gives this number."


@dataclass(frozen=True)
class Diagnosis:
    """What an answer shows.

    Attributes
    ----------
    right : bool
        Whether it counts.
    message : str
        What to say, without giving the right answer away.
    cause : WrongAnswer or None
        The known mistake that gives this number.
    """

    right: bool
    message: str
    cause: WrongAnswer | None = None


def diagnose(exercise, text):
    """Compare what a student typed with the right answer and with the known wrong ones.

    Parameters
    ----------
    exercise : Exercise
        The question.
    text : str
        What was typed; see ``answers.read_answer``.

    Returns
    -------
    Diagnosis

    Raises
    ------
    ValueError
        When the text is no number.

    Examples
    --------
    >>> from mlm_helpers.exercises import draw_exercise
    >>> exercise = draw_exercise("A", seed=0)
    >>> diagnose(exercise, str(exercise.answer)).right
    True
    """
    typed = read_answer(text, whole=exercise.is_count, unit=exercise.unit)
    off = abs(typed.value - exercise.answer)
    if off <= exercise.tolerance + _SLACK * max(_FINEST, _FINEST * abs(exercise.answer)):
        return Diagnosis(True, right_text(exercise))
    if exercise.is_count:
        return _of_a_count(exercise, typed)
    too_coarse = (_ASKED * (1 + _SLACK) < typed.last_place < abs(exercise.answer)
                  and off <= typed.last_place / 2)
    cause = (_nearest_cause(exercise.wrong_answers, typed.value,
                            _SLACK if too_coarse else _reach(typed))
             or _probability_in_per_cent(exercise, typed))
    if cause:
        return Diagnosis(False, explain(exercise, cause), cause)
    if too_coarse:
        return Diagnosis(False, "Right as far as it goes, but too coarse: give two decimals.")
    return Diagnosis(False, _other_remark(exercise, typed, off))


def _of_a_count(exercise, typed):
    slack = _SLACK * max(1, _FINEST * abs(typed.value))
    cause = _nearest_cause(exercise.wrong_answers, typed.value, slack)
    if cause:
        return Diagnosis(False, explain(exercise, cause), cause)
    if not math.isclose(typed.value, round(typed.value), rel_tol=1e-12):
        return Diagnosis(False, f"Not right: {exercise.unit} come whole. See what the question "
                                "says about rounding.")
    if abs(typed.value - exercise.answer) <= typed.last_place / 2 > _FINEST:
        return Diagnosis(False, "Right as far as it goes, but the exact whole number is asked for.")
    return Diagnosis(False, NOT_LISTED)


def _reach(typed):
    """How far the number typed may be from a mistake's result: rounded or cut, never guessed."""
    return min(max(typed.last_place, _FINEST), max(_ASKED, _RELATIVE * abs(typed.value)))


def _nearest_cause(wrong_answers, value, reach):
    near = [each for each in wrong_answers if abs(each.value - value) <= reach]
    return min(near, key=lambda each: abs(each.value - value), default=None)


def _probability_in_per_cent(exercise, typed):
    probabilities = [each for each in exercise.wrong_answers if each.mistake == "probability"]
    return _nearest_cause(probabilities, typed.value / 100, min(typed.last_place / 200, 0.005))


def right_text(exercise):
    """What is said to whoever is right."""
    return f"Right: {exercise.shown(exercise.answer)}."


def explain(exercise, cause):
    """What is said to whoever made a known mistake, without the right answer.

    Parameters
    ----------
    exercise : Exercise
        The question.
    cause : WrongAnswer
        One of its wrong answers.

    Returns
    -------
    str
    """
    mistake = MISTAKES[cause.mistake]
    text = f"Not right. It looks as if {mistake.what}: {cause.how}. {mistake.remedy}"
    if cause.mistake == "rounded":
        text += f" It cost {decimal(abs(cause.value - exercise.answer))} {exercise.unit} here."
    return text


def _other_remark(exercise, typed, off):
    """What can be said of a number that no known mistake gives."""
    if _is_cut(exercise.answer, typed):
        return "Not quite: it looks cut off. Look at the next digit, and round up from 5."
    if off <= least_gap(exercise.tolerance):
        return (f"Close, but off by {decimal(off)} {exercise.unit}. Carry all digits your "
                "calculator has, and round once, at the end.")
    if math.isclose(typed.value, 100 * exercise.answer, abs_tol=100 * exercise.tolerance):
        return f"Not right: a hundred times too large. The answer is in {exercise.unit}, not in %."
    return NOT_LISTED


def _is_cut(answer, typed):
    """Whether the number typed is the answer without its further digits."""
    if not typed.last_place:
        return False
    places = typed.value / typed.last_place
    return math.trunc(answer / typed.last_place) == round(places) and answer * places > 0
