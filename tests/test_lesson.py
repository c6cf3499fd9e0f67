"""A lesson of one's own: its three parts agree, and start from the words that were given."""

import math

import numpy as np
import pytest

from mlm_helpers.classroom import make_lesson
from mlm_helpers.controls import NumberSlider
from refusals import assert_refused
from test_explorers import within

P_TEA = "0.0900"  # 1 / (1 + e + e²)


@pytest.fixture
def lesson():
    return make_lesson(("tea", "rum", "ink"), (0, 1, 2), "tea", shown="ink")


def test_explorer_derivation_and_exercise_are_of_one_slot(lesson):
    assert lesson.sentence.startswith(f"P(tea) = {P_TEA}, loss 2.4076 nats, uniform ln 3 = 1.0986")
    assert "2.4076" in repr(lesson.steps[-1])
    lesson.practice.answer.value = "2.41"
    assert "Right: 2.4076 nats." in lesson.practice.verdict.value


def test_the_shown_word_is_known_as_the_usual_mistake(lesson):
    lesson.practice.answer.value = "0.4076"  # −ln of e² / (1 + e + e²)
    assert "Not right. It looks as if" in lesson.practice.verdict.value


def test_its_sliders_carry_the_words(lesson):
    names = [slider.name for slider in within(lesson.explorer, NumberSlider)]
    assert names[:3] == ["logit of tea", "logit of rum", "logit of ink"]


def test_without_a_kernel_it_shows_the_plot_and_its_sentence(lesson):
    data, metadata = lesson._repr_mimebundle_()
    assert data["image/png"].startswith(b"\x89PNG")
    assert data["text/plain"] == metadata["image/png"]["alt"] == lesson.sentence


def test_refusals():
    assert_refused(lambda: make_lesson(("tea", "rum"), (0, 1), "gin"), "label 'gin'",
                   "choose one of 'tea', 'rum'")
    assert_refused(lambda: make_lesson(("tea", "rum"), (0, 1), "tea", shown="ale"), "shown 'ale'")
    assert_refused(lambda: make_lesson(("tea", "rum"), (0,), "tea"), "2 tokens but 1 logits")
    assert_refused(lambda: make_lesson((), (), "tea"), "no words were given", "two or more")
    assert_refused(lambda: make_lesson(("tea", "rum"), (0, 1e308), "tea"), "logit 1e+308 of 'rum'",
                   "at most 1000000")
    assert_refused(lambda: make_lesson(("tea", "rum"), (-math.inf, 0), "tea"),
                   "logit -inf of 'tea'")


@pytest.mark.parametrize("word", ["label", "shown"])
def test_a_word_that_stands_twice_is_refused_only_where_nobody_could_tell_which(word):
    """A reader of "the true word is bank" could not know which of the two rows it is."""
    words = {"label": "river", "shown": "river"}
    banks = ("bank", "bank", "river")
    assert make_lesson(banks, (1, 2, 0), **words).sentence.startswith("P(river) = 0.0900")
    assert_refused(lambda: make_lesson(banks, (1, 2, 0), **{**words, word: "bank"}),
                   f"{word} 'bank' is 2 of the words", "its own name")


def test_logits_of_a_model_may_be_of_another_float_type():
    lesson = make_lesson(("tea", "rum", "ink"), np.array([0, 1, 2], dtype=np.float32), "tea")
    assert lesson.sentence.startswith(f"P(tea) = {P_TEA}")
