"""Seed and variant → one exercise, the same on every machine, and no two alike."""

from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

from mlm_helpers.checks import check_choice, check_whole
from mlm_helpers.exercises.exercise import is_sound
from mlm_helpers.exercises.slot_exercises import masked_exercise, masked_slots

GENERATORS = {
    "A": (masked_slots, masked_exercise),
}
"""For each scenario: all the numbers that may be drawn, and the exercise that they make."""


def draw_exercise(letter, seed=0, variant=0):
    """The exercise that seed and variant decide.

    Parameters
    ----------
    letter : {"A", ..., "H"}
        The scenario.
    seed, variant : int
        0 or more. Two variants of one seed never share their numbers.

    Returns
    -------
    Exercise

    Raises
    ------
    ValueError
        When the letter is unknown, a number negative, or there are not so many variants.

    Examples
    --------
    >>> draw_exercise("A", seed=2026, variant=3) == draw_exercise("A", seed=2026, variant=3)
    True
    """
    check_choice("letter", letter, tuple(GENERATORS))
    check_whole("seed", seed)
    check_whole("variant", variant)
    found = _drawn(letter, int(seed))
    while len(found.exercises) <= variant:
        exercise = found.next()
        if exercise is None:
            raise ValueError(f"variant {variant} of {letter} does not exist: seed {seed} gives "
                             f"{len(found.exercises)}, choose 0 to {len(found.exercises) - 1}")
    return found.exercises[variant]


class _Drawn:
    """The exercises of one letter and seed, made as they are asked for."""

    def __init__(self, letter, seed):
        self.letter, self.seed, self.exercises = letter, seed, []
        numbers, self._make = GENERATORS[letter]
        self._waiting = iter(_shuffled(numbers(), f"{seed}:{letter}"))

    def next(self):
        """One more sound exercise, or None when the numbers are used up."""
        for numbers in self._waiting:
            exercise = self._make(numbers)
            if is_sound(exercise):
                exercise = replace(exercise, seed=self.seed, variant=len(self.exercises))
                self.exercises.append(exercise)
                return exercise
        return None


_drawn = lru_cache(maxsize=64)(_Drawn)


def _shuffled(items, salt):
    """In an order that only the salt decides: numpy's and random's may change with a version."""
    return sorted(items, key=lambda item: sha256(f"{salt}:{item!r}".encode()).digest())
