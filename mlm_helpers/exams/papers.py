"""Seed, number of variants and letters → the papers of an exam, as data."""

from collections import Counter
from dataclasses import dataclass
from itertools import count
from operator import itemgetter

from mlm_helpers.checks import check_choice, check_whole
from mlm_helpers.exercises.draw import GENERATORS, draw_exercise

_LARGEST_SEED = 10**12  # it stands in the identifiers of learning platforms, which have a limit

_PROBE = 40  # exercises that show whether a kind of question has answers enough


@dataclass(frozen=True)
class Paper:
    """What one student is handed.

    Attributes
    ----------
    variant : int
        From 1.
    exercises : tuple of Exercise
        In the order of the questions.
    """

    variant: int
    exercises: tuple

    @property
    def name(self):
        """The variant with leading zeros, so that names sort as numbers do."""
        return f"{self.variant:03d}"

    @property
    def points(self):
        """What the paper is worth."""
        return sum(map(points, self.exercises))


def points(exercise):
    """What a question is worth: a point for each step of its derivation."""
    return len(exercise.steps)


def draw_papers(seed, variants, letters):
    """All papers of an exam, of which no two share the numbers of a question.

    Where a letter has several kinds of question, the seed decides which of them everybody gets.
    Kinds that always have the same answer are left to practice.

    Parameters
    ----------
    seed : int
        What decides the numbers.
    variants : int
        How many papers.
    letters : sequence of str
        The scenarios, in the order of the questions, none twice.

    Returns
    -------
    list of Paper

    Raises
    ------
    ValueError
        When a letter is unknown or repeated, or there are not so many variants.

    Examples
    --------
    >>> [paper.name for paper in draw_papers(seed=2026, variants=2, letters=["A"])]
    ['001', '002']
    """
    check_whole("seed", seed)
    if seed > _LARGEST_SEED:
        raise ValueError(f"seed {seed} is too large: choose one up to {_LARGEST_SEED}")
    check_whole("variants", variants, least=1)
    if not letters:
        raise ValueError("no question was chosen: name at least one letter, for example 'A'")
    for place, letter in enumerate(letters):
        check_choice("question", letter, tuple(GENERATORS))
        if letter in letters[:place]:
            raise ValueError(f"question {letter!r} is named twice: name each letter once")
    columns = [_variants(letter, seed, variants) for letter in letters]
    letter, most = min(zip(letters, map(len, columns), strict=True), key=itemgetter(1))
    if most < variants:
        raise ValueError(f"variants {variants} are too many: question {letter!r} has {most} with "
                         f"seed {seed}; choose 1 to {most}")
    return [Paper(variant, exercises)
            for variant, exercises in enumerate(zip(*columns, strict=True), start=1)]


def _variants(letter, seed, variants):
    """So many exercises that ask the same: the first kind drawn that has enough, or the most."""
    alike = {}
    for exercise in _drawn(letter, seed):
        found = alike.setdefault(_task(exercise), [])
        found.append(exercise)
        if len(found) == max(variants, _PROBE) and _is_varied(found):
            return found[:variants]
    fit = [found for found in alike.values() if _is_varied(found)]
    enough = (found for found in fit if len(found) >= variants)
    return next(enough, max(fit, key=len))[:variants]


def _is_varied(exercises):
    """Whether a neighbour's answer is of little help: no answer is that of every fourth."""
    answers = Counter(round(exercise.answer, 2) for exercise in exercises[:_PROBE])
    return max(answers.values()) <= _PROBE / 4


def _drawn(letter, seed):
    """All that can be drawn, from variant 1 on."""
    for variant in count(1):
        try:
            yield draw_exercise(letter, seed, variant)
        except ValueError:
            return


def _task(exercise):
    """What is asked, whatever the numbers: the kind of question, its unit, its steps."""
    kind, *_ = exercise.numbers
    return kind, exercise.unit, len(exercise.steps)
