"""Practice: checked answers, help in three helpings, and nothing given away before."""

import re

import pytest
from ipywidgets.embed import dependency_state

from html_text import text_of
from mlm_helpers.classroom import practise, practise_on
from mlm_helpers.exercises import draw_exercise, slot_exercise
from mlm_helpers.exercises.draw import GENERATORS
from mlm_helpers.slots import Slot
from refusals import assert_refused

TEA = Slot(("tea", "rum"), (1.0, 2.0), label=0)  # ln(1 + e) = 1.3133
P_TEA = "0.2689"


@pytest.fixture
def practice():
    return practise_on(slot_exercise(TEA))


def answer(practice, text):
    practice.answer.value = text
    practice.check_button.click()
    return text_of(practice.verdict.value)


@pytest.mark.parametrize("typed", ["1.31", "1,31", "1.3133", "ln(1 + e)", "131e-2", " 1.31 "])
def test_right_in_any_spelling(practice, typed):
    assert answer(practice, typed) == "Right: 1.3133 nats."
    assert text_of(practice.standing.value) == "Solved 1 of 1 exercise seen."


def test_a_known_mistake_is_named_with_its_remedy(practice):
    said = answer(practice, P_TEA)
    assert "you gave the probability and not the loss" in said and "take −ln of it" in said
    assert "1.31" not in said
    assert text_of(practice.standing.value) == "Solved 0 of 1 exercise seen."


def test_an_unknown_wrong_answer_is_not_explained(practice):
    assert "none of the usual mistakes" in answer(practice, "7.77")


def test_what_is_no_number_is_told_and_stands(practice):
    assert "“x” is no number" in answer(practice, "x")
    assert practice.answer.value == "x"


def test_an_empty_answer(practice):
    practice.check_button.click()
    assert "nothing typed yet" in text_of(practice.verdict.value)


def test_the_enter_key_checks(practice):
    practice.answer.value = "1.31"  # the box sends its text on Enter
    assert "Right" in text_of(practice.verdict.value)


def test_help_comes_in_three_helpings(practice):
    assert practice.help_button.description == "Hint"
    practice.help_button.click()
    assert text_of(practice.helped.value) == practice.exercise.hint
    assert practice.help_button.description == "Show the step"
    practice.help_button.click()
    assert text_of(practice.helped.value).startswith("Step 1.")
    assert "1.313" not in practice.helped.value
    practice.help_button.click()
    derivation = practice.helped.value
    assert "1.3133" in derivation and "Step 4." in derivation
    practice.help_button.click()
    assert (practice.helped.value, practice.help_button.description) == (
        derivation, "No more help")


def test_the_step_shown_is_the_one_that_went_wrong(practice):
    answer(practice, P_TEA)
    practice.help_button.click()
    practice.help_button.click()
    assert text_of(practice.helped.value).startswith("Step 4. Take −ln.")


def test_the_next_exercise_begins_with_an_empty_page():
    practice = practise("A", seed=7)
    answer(practice, "7.77")
    practice.help_button.click()
    practice.next_button.click()
    assert practice.exercise == draw_exercise("A", seed=7, variant=1)
    assert practice.answer.value == practice.verdict.value == practice.helped.value == ""
    assert practice.help_button.description == "Hint"
    assert text_of(practice.standing.value) == "Solved 0 of 2 exercises seen."


def test_each_student_types_a_number_of_their_own():
    practice = practise("A")
    practice.number.box.value = 417
    assert practice.exercise == draw_exercise("A", seed=0, variant=417)
    practice.number.box.value = 1000
    assert "1 000 is not possible" in text_of(practice.verdict.value).replace("\u202f", " ")
    assert practice.exercise.variant == 417


def test_after_the_last_number_comes_the_first():
    practice = practise("A")
    practice.number.value = 999
    practice.next_button.click()
    assert practice.exercise.variant == 0


@pytest.mark.parametrize("scenario", GENERATORS)
def test_question_and_tolerance_stand_there_and_the_answer_does_not(scenario):
    practice = practise(scenario)
    exercise = practice.exercise
    bundle = practice._repr_mimebundle_()
    for shown in (text_of(practice.task.value), re.sub("<[^>]+>", " ", bundle["text/html"])):
        assert exercise.question in shown.replace("&#x27;", "'") and exercise.accepts in shown
    assert bundle["text/plain"] == f"Practice {scenario}: {exercise.question}"
    source = f"{bundle} {dependency_state(practice)}"
    if not exercise.is_count:
        assert f"{exercise.answer:.4f}" not in source
    assert exercise.hint not in source


def test_an_exercise_of_ones_own_has_no_numbers_to_choose(practice):
    assert practice.number not in [each for child in practice.children
                                   for each in getattr(child, "children", ())]


def test_refusals():
    assert_refused(lambda: practise("Z"), "'Z'", "choose one of 'A'")
    assert_refused(lambda: practise("A", seed=-1), "seed -1", "0 or more")
