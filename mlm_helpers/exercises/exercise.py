"""An exercise as data: what is given and asked, the answer and its derivation, wrong answers."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from mlm_helpers.tables import Table
from mlm_helpers.wording import count, decimal

TO_TWO_DECIMALS = 0.005
"""How far off an answer in nats may be: whoever rounds it to two decimals is right."""

_CLEAR = 2  # tolerances between the right answer and a wrong one, or between two wrong ones
_CLEAR_COUNT = 0.5


@dataclass(frozen=True)
class WrongAnswer:
    """What one known mistake gives with these numbers.

    Attributes
    ----------
    mistake : str
        A key of ``mistakes.MISTAKES``.
    value : float
        The number that it gives, in the unit asked for.
    how : str
        The working that gives it, with its numbers: "−log₂ 0.5344 = 0.9039".
    step : int
        Number of the derivation's step at which it leaves the right way.
    """

    mistake: str
    value: float
    how: str
    step: int


@dataclass(frozen=True)
class Exercise:
    """A question with one number as its answer. All texts are plain, to be escaped where shown.

    Attributes
    ----------
    letter : str
        The scenario it belongs to, "A" to "H".
    numbers : tuple
        What was drawn, the kind of question first; two variants of a letter never share it.
    story : str
        What is the case, in a sentence or two.
    givens : Table
        The numbers that are given.
    question : str
        What is asked, with the unit.
    answer : float
        Unrounded.
    unit : str
        "nats" or "bits", else what is counted: "slots", "tokens".
    tolerance : float
        How far off an answer may be; 0 for a count.
    hint : str
        The first help: where to begin, without a result.
    steps : tuple of Step
        The derivation.
    wrong_answers : tuple of WrongAnswer
        What the known mistakes give.
    seed, variant : int
        What it was drawn by.
    """

    letter: str
    numbers: tuple
    story: str
    givens: Table
    question: str
    answer: float
    unit: str
    tolerance: float
    hint: str
    steps: tuple
    wrong_answers: tuple
    seed: int = 0
    variant: int = 0

    @property
    def is_count(self):
        """Whether a whole number is asked for."""
        return self.tolerance == 0

    def shown(self, value):
        """A value with the unit of the answer, as a reader sees it."""
        if self.is_count:
            return count(round(value), self.unit.removesuffix("s"))
        return f"{decimal(value)} {self.unit}"

    @property
    def accepts(self):
        """What counts as right, in words."""
        if self.is_count:
            return f"The exact whole number of {self.unit}."
        return f"In {self.unit}, to two decimals (within {self.tolerance})."


class Kind(NamedTuple):
    """A kind of question: all the numbers that may be drawn, and the exercise that they make."""

    name: str
    numbers: Callable
    exercise: Callable


def least_gap(tolerance):
    """How far a wrong answer must be off to be told from the right one, typed to two decimals.

    Examples
    --------
    >>> least_gap(0.005), least_gap(0)
    (0.01, 0.5)
    """
    return _CLEAR * tolerance or _CLEAR_COUNT


def is_sound(exercise):
    """Whether each wrong answer can be told from the right one and from every other mistake's.

    A mistake that gives the right answer by chance would teach that it is none.

    Examples
    --------
    >>> def giving(value):
    ...     wrong = WrongAnswer("sign", value, "", step=1)
    ...     return Exercise("A", (), "", Table((), []), "", 0.63, "nats", 0.005, "", (), (wrong,))
    >>> is_sound(giving(-0.63)), is_sound(giving(0.633))
    (True, False)
    """
    return len(_told_apart(exercise)) == len(exercise.wrong_answers)


def sound_part(exercise):
    """The exercise without those wrong answers that could not be told apart.

    For a question whose numbers are not drawn but somebody's own.
    """
    return replace(exercise, wrong_answers=tuple(_told_apart(exercise)))


def _told_apart(exercise):
    gap = least_gap(exercise.tolerance)
    kept = []
    for wrong in exercise.wrong_answers:
        others = [each.value for each in kept if each.mistake != wrong.mistake]
        if math.isfinite(wrong.value) and all(abs(wrong.value - other) > gap
                                              for other in (exercise.answer, *others)):
            kept.append(wrong)
    return kept
