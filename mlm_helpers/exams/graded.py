"""The numbers that a learning platform compares an answer with, and how near is near enough."""

from typing import NamedTuple

_PER_UNIT = 10_000  # what is no count is compared in ten thousandths, as it is shown


class Graded(NamedTuple):
    """A number as a platform reads it, and how far off an answer may be to count as it."""

    number: str
    tolerance: str


def graded_answer(exercise):
    """The right answer.

    Rounding it to four decimals shuts out nobody who gives two: the ends of what is accepted stay
    on the grid of four decimals, as does the answer.

    Examples
    --------
    >>> from mlm_helpers.exercises import draw_exercise
    >>> graded_answer(draw_exercise("A", seed=2026, variant=1))
    Graded(number='1.4197', tolerance='0.005')
    """
    return Graded(_number(exercise, exercise.answer), _plain(exercise.tolerance))


def graded_mistakes(exercise):
    """The known mistakes, none within reach of the right answer or of another number.

    Parameters
    ----------
    exercise : Exercise
        The question.

    Returns
    -------
    list of (WrongAnswer, Graded)
        A number that two mistakes lead to stands once.
    """
    first = {}
    for wrong in exercise.wrong_answers:
        first.setdefault(_number(exercise, wrong.value), wrong)
    return [(wrong, Graded(number, _plain(_reach(exercise, number, first))))
            for number, wrong in first.items()]


def _reach(exercise, number, numbers):
    """As far as the answer's own tolerance, but short of anything else."""
    if exercise.is_count:
        return 0
    width, place, right = map(_on_grid, (exercise.tolerance, number, exercise.answer))
    gaps = [abs(place - _on_grid(other)) for other in numbers if other != number]
    reach = min([width, abs(place - right) - width - 1, *((gap - 1) // 2 for gap in gaps)])
    return max(reach, 0) / _PER_UNIT


def _on_grid(value):
    return round(float(value) * _PER_UNIT)


def _number(exercise, value):
    return _plain(value if exercise.is_count else _on_grid(value) / _PER_UNIT)


def _plain(value):
    """Without exponent, thousands or needless zeros."""
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
