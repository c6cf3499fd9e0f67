"""What the tests of exams share: an exam with every letter that can be drawn."""

from functools import lru_cache

from mlm_helpers.exams.papers import draw_papers
from mlm_helpers.exercises.draw import GENERATORS

LETTERS = list(GENERATORS)
SEED = 424242  # a number that turns up nowhere by chance


@lru_cache
def papers(variants=6):
    """Some papers, drawn once."""
    return draw_papers(SEED, variants, LETTERS)


def exercises(variants=6):
    """All exercises of these papers."""
    return [exercise for paper in papers(variants) for exercise in paper.exercises]
