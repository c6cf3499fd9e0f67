"""An exercise's texts as HTML, the same on paper and on a learning platform."""

from functools import lru_cache
from html import escape

from mlm_helpers.typeset import typeset_steps

TITLE = "Masked language modelling: exam"


def story_html(exercise):
    """What is the case."""
    return f"<p>{escape(exercise.story)}</p>"


def givens_html(exercise):
    """The table of what is given, with its look written into each cell."""
    return exercise.givens._repr_html_()


def asked_html(exercise):
    """What is asked."""
    return f"<p><strong>{escape(exercise.question)}</strong></p>"


def accepts_html(exercise):
    """What counts as right."""
    return escape(exercise.accepts)


def question_html(exercise):
    """All that a student is told."""
    return (story_html(exercise) + givens_html(exercise) + asked_html(exercise)
            + f"<p>{accepts_html(exercise)}</p>")


@lru_cache(maxsize=16)  # one question bank after the other asks for it
def derivation_html(exercise):
    """All steps, their formulas in MathML."""
    return typeset_steps(exercise.steps)
