"""All answers of an exam as comma-separated values."""

import csv
import io

from mlm_helpers.exams.papers import points

HEAD = ("variant", "question", "letter", "answer", "answer_4_decimals", "unit", "tolerance",
        "points", "drawn_as_variant")


def answers_csv(papers):
    """One line for each paper and question.

    The full answer has ten decimals: what comes after may differ between processors. Every cell is
    a number or a word of letters, so a spreadsheet meets no formula, and a number below zero stays
    a number. ``draw_exercise(letter, seed, drawn_as_variant)`` draws the exercise again.

    Examples
    --------
    >>> from mlm_helpers.exams.papers import draw_papers
    >>> print(answers_csv(draw_papers(2026, 1, ["A"])))
    variant,question,letter,answer,answer_4_decimals,unit,tolerance,points,drawn_as_variant
    1,1,A,1.4197166463,1.4197,nats,0.005,4,1
    <BLANKLINE>
    """
    text = io.StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(HEAD)
    for paper in papers:
        for number, exercise in enumerate(paper.exercises, start=1):
            lines.writerow((paper.variant, number, exercise.letter, *_answers(exercise),
                            exercise.unit, exercise.tolerance, points(exercise), exercise.variant))
    return text.getvalue()


def _answers(exercise):
    if exercise.is_count:
        return round(exercise.answer), round(exercise.answer)
    return tuple(f"{exercise.answer + 0.0:.{places}f}" for places in (10, 4))
