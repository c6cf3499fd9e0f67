"""Seed and variant → one exercise, the same on every machine, and no two alike."""

from dataclasses import replace
from functools import lru_cache
from hashlib import sha256

from mlm_helpers.checks import check_choice, check_whole
from mlm_helpers.exercises import corpus_exercises as corpus
from mlm_helpers.exercises import limit_exercises as limits
from mlm_helpers.exercises import several_slots_exercises as several_slots
from mlm_helpers.exercises import slot_count_exercises as slot_counts
from mlm_helpers.exercises import slot_exercises as slot
from mlm_helpers.exercises import total_exercises as total
from mlm_helpers.exercises.exercise import is_sound

GENERATORS = {"A": slot.MASKED, "B": slot.SWAPPED, "C": slot.KEPT, "D": slot_counts.KINDS,
              "E": limits.KINDS, "F": several_slots.KINDS, "G": corpus.KINDS, "H": total.KINDS}
"""For each scenario the kinds of question that take turns."""


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
        When the letter is unknown, a number negative, or there are not so many variants: there are
        more than a thousand.

    Examples
    --------
    >>> draw_exercise("A", seed=2026, variant=3) == draw_exercise("A", seed=2026, variant=3)
    True
    """
    check_choice("letter", letter, tuple(GENERATORS))
    check_whole("seed", seed)
    check_whole("variant", variant)
    return _drawn(letter, int(seed)).exercise(int(variant))


class _Drawn:
    """The exercises of one letter and seed, made as they are asked for."""

    def __init__(self, letter, seed):
        self._letter, self._seed, self._exercises = letter, seed, []
        salt = f"{seed}:{letter}"
        kinds = _shuffled(GENERATORS[letter], salt, key=lambda kind: kind.name)
        self._waiting = _in_turn([_sound(kind, f"{salt}:{kind.name}") for kind in kinds])

    def exercise(self, variant):
        while len(self._exercises) <= variant:
            numbers, exercise = next(self._waiting, (None, None))
            if exercise is None:
                raise ValueError(f"variant {variant} of {self._letter} does not exist: choose 0 to "
                                 f"{len(self._exercises) - 1}")
            self._exercises.append(replace(exercise, numbers=numbers, seed=self._seed,
                                           variant=len(self._exercises)))
        return self._exercises[variant]


_drawn = lru_cache(maxsize=64)(_Drawn)


def _sound(kind, salt):
    """The sound exercises of a kind, each with its numbers, in the order drawn."""
    for numbers in _shuffled(kind.numbers(), salt, key=repr):
        exercise = kind.exercise(*numbers)
        if is_sound(exercise):
            yield (kind.name, *numbers), exercise


def _in_turn(streams):
    """One of each stream, again and again; a stream that has ended is left out."""
    while streams:
        for stream in list(streams):
            drawn = next(stream, None)
            if drawn is None:
                streams.remove(stream)
            else:
                yield drawn


def _shuffled(items, salt, key):
    """In an order that only the salt decides: numpy's and random's may change with a version."""
    return sorted(items, key=lambda item: sha256(f"{salt}:{key(item)}".encode()).digest())
