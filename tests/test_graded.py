"""What a learning platform compares: no number within reach of another's."""

from dataclasses import replace
from itertools import combinations

import pytest

from exam_files import exercises
from mlm_helpers.exams.graded import graded_answer, graded_mistakes
from mlm_helpers.exercises import draw_exercise
from mlm_helpers.exercises.exercise import WrongAnswer


def interval(graded):
    number, tolerance = map(float, graded)
    return number - tolerance, number + tolerance


def apart(one, other):
    return interval(one)[1] < interval(other)[0] or interval(other)[1] < interval(one)[0]


def test_intervals_never_meet():
    for exercise in exercises(40):
        all_graded = [graded_answer(exercise),
                      *(graded for _, graded in graded_mistakes(exercise))]
        assert all(apart(*pair) for pair in combinations(all_graded, 2)), exercise


def test_two_decimals_of_the_answer_are_right():
    for exercise in exercises(40):
        low, high = interval(graded_answer(exercise))
        given = round(exercise.answer, 0 if exercise.is_count else 2)
        assert low - 1e-9 <= given <= high + 1e-9


def test_four_decimals_of_a_mistake_are_that_mistake():
    for exercise in exercises(40):
        for wrong, graded in graded_mistakes(exercise):
            low, high = interval(graded)
            given = wrong.value if exercise.is_count else round(wrong.value, 4)
            assert low - 1e-9 <= given <= high + 1e-9


@pytest.mark.parametrize("value, expected", [
    (3.0, ("3", "0.005")), (1.8523, ("1.8523", "0.0049")), (1.8524, ("1.8524", "0.005")),
    (-0.00001, ("0", "0.005")), (2.5000001, ("2.5", "0.005"))])
def test_a_mistake_ends_before_the_right_answer_begins(value, expected):
    exercise = replace(draw_exercise("A"), answer=1.8423,
                       wrong_answers=(WrongAnswer("sign", value, "", 1),))
    assert [tuple(graded) for _, graded in graded_mistakes(exercise)] == [expected]


def test_two_mistakes_share_what_is_between_them():
    near = [WrongAnswer("sign", value, "", 1) for value in (3.0, 3.0041, 3.0)]
    exercise = replace(draw_exercise("A"), answer=1.0, wrong_answers=tuple(near))
    assert [tuple(graded) for _, graded in graded_mistakes(exercise)] == [
        ("3", "0.002"), ("3.0041", "0.002")]
