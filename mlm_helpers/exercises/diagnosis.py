"""A typed answer → right, a known mistake, or simply wrong."""

from dataclasses import dataclass

from mlm_helpers.exercises.answers import read_answer
from mlm_helpers.exercises.exercise import WrongAnswer
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.wording import decimal

_FINEST = 1e-4  # nobody is asked for more than four decimals


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
    typed = read_answer(text, whole=exercise.is_count)
    off = abs(typed.value - exercise.answer)
    if off <= exercise.tolerance * (1 + 1e-9):
        return Diagnosis(True, f"Right: {exercise.shown(exercise.answer)}.")
    cause = _nearest_cause(exercise, typed)
    if cause:
        return Diagnosis(False, _explained(exercise, cause), cause)
    if not exercise.is_count and off <= typed.last_place / 2:
        return Diagnosis(False, "Right as far as it goes, but too coarse: give two decimals.")
    return Diagnosis(False, "Not right, and none of the usual mistakes gives this number.")


def _nearest_cause(exercise, typed):
    """The mistake whose result, rounded or cut to the digits typed, is the number typed."""
    reach = 0 if exercise.is_count else max(typed.last_place, _FINEST)
    reach = min(reach, max(exercise.tolerance, _FINEST))
    near = [each for each in exercise.wrong_answers if abs(each.value - typed.value) <= reach]
    return min(near, key=lambda each: abs(each.value - typed.value), default=None)


def _explained(exercise, cause):
    mistake = MISTAKES[cause.mistake]
    text = f"Not right. It looks as if {mistake.what}: {cause.how}. {mistake.remedy}"
    if cause.mistake == "rounded":
        text += f" It cost {decimal(abs(cause.value - exercise.answer))} {exercise.unit} here."
    return text
