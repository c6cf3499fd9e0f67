"""An exercise as data: what is given and asked, the answer and its derivation, wrong answers."""

import math
from dataclasses import dataclass

from mlm_helpers.tables import Table
from mlm_helpers.wording import count, decimal

TO_TWO_DECIMALS = 0.005
"""How far off an answer in nats may be: whoever rounds it to two decimals is right."""

_CLEAR = 2  # tolerances between the right answer and a wrong one, or between two wrong ones


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
        What was drawn; two variants of a letter never share it.
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


def is_sound(exercise):
    """Whether each wrong answer can be told from the right one and from every other mistake's.

    A mistake that gives the right answer by chance would teach that it is none.
    """
    apart = max(_CLEAR * exercise.tolerance, 0.5 if exercise.is_count else 0.0)
    wrong = exercise.wrong_answers
    if not all(math.isfinite(each.value) for each in wrong):
        return False
    if any(abs(each.value - exercise.answer) <= apart for each in wrong):
        return False
    return not any(abs(one.value - other.value) <= apart
                   for place, one in enumerate(wrong) for other in wrong[:place]
                   if one.mistake != other.mistake)
