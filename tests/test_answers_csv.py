"""The answers as comma-separated values."""

import csv
import io

import pytest

from exam_files import SEED, exercises, papers
from mlm_helpers.exams.answers_csv import HEAD, answers_csv
from mlm_helpers.exercises import draw_exercise


def lines():
    return list(csv.DictReader(io.StringIO(answers_csv(papers()))))


def test_lines_equal_the_exercises():
    assert tuple(lines()[0]) == HEAD
    for line, exercise in zip(lines(), exercises(), strict=True):
        assert line["letter"] == exercise.letter and line["unit"] == exercise.unit
        assert float(line["answer"]) == pytest.approx(exercise.answer, abs=1e-10)
        assert float(line["answer_4_decimals"]) == pytest.approx(exercise.answer, abs=5.1e-5)
        assert float(line["tolerance"]) == exercise.tolerance
        assert int(line["points"]) == len(exercise.steps)
        again = draw_exercise(line["letter"], SEED, int(line["drawn_as_variant"]))
        assert again.answer == exercise.answer


def test_every_question_of_every_variant():
    keys = [(int(line["variant"]), int(line["question"])) for line in lines()]
    assert keys == [(paper.variant, number) for paper in papers()
                    for number in range(1, len(paper.exercises) + 1)]


def test_no_cell_is_a_formula():
    """A spreadsheet runs what begins with =, +, @ or a minus before anything but a number."""
    for line in lines():
        for cell in line.values():
            assert cell[0] not in "=+@\t\r"
            assert cell[0] != "-" or float(cell) < 0
