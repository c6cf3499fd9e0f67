"""Recall cards: what a reader sees, what the score says, and that no card is lost."""

import re

import pytest

from mlm_helpers.classroom import recall_cards
from mlm_helpers.classroom.cards import Cards
from mlm_helpers.classroom.recall import CARDS, Card
from refusals import assert_refused

PAGE = {  # the recall checks of the source page, and where each belongs
    "B": "give a bigger loss|cost more than the one in A",
    "E": "largest loss one slot can have",
    "D": "no slot. Is its loss 0",
}


@pytest.fixture
def cards():
    return Cards([Card("one?", "1"), Card("two?", "**2**"), Card("three?", "$3$")])


def texts(cards):
    return [re.sub("<[^>]+>", "", part.value) for part in (cards.place, cards.question,
                                                           cards.answer)]


@pytest.mark.parametrize("scenario", CARDS)
def test_at_least_four_for_each_and_none_twice(scenario):
    questions = [card.question for card in CARDS[scenario]]
    assert len(set(questions)) == len(questions) >= 4


@pytest.mark.parametrize("scenario", PAGE)
def test_those_of_the_source_page_are_among_them(scenario):
    assert any(re.search(PAGE[scenario], card.question) for card in CARDS[scenario])


def test_the_answer_waits_for_the_button(cards):
    assert texts(cards) == ["Known 0 of 3, 3 to go.", "one?", ""]
    cards.show_button.click()
    assert texts(cards)[2] == "1"


@pytest.mark.parametrize("judge", ["knew_button", "not_yet_button"])
def test_nobody_judges_a_card_before_its_answer_is_seen(cards, judge):
    getattr(cards, judge).click()
    assert texts(cards) == ["Known 0 of 3, 3 to go.", "one?", "1"]


def test_a_card_not_known_comes_again_until_it_is_known(cards):
    seen = []
    for known in (False, True, True, True):
        seen.append(texts(cards)[1])
        cards.show_button.click()
        (cards.knew_button if known else cards.not_yet_button).click()
    assert seen == ["one?", "two?", "three?", "one?"]
    assert texts(cards) == ["All 3 known, in 4 answers.", "", ""]
    assert cards.card is None
    for button in (cards.show_button, cards.knew_button, cards.not_yet_button):
        button.click()
        assert texts(cards) == ["All 3 known, in 4 answers.", "", ""]


def test_the_score_says_how_many_and_how_often(cards):
    cards.show_answer()
    cards.take_unknown()
    cards.show_answer()
    cards.take_known()
    assert cards.score == "Known 1 of 3, 2 to go, 2 answers so far."


def test_start_again_takes_all_back(cards):
    cards.show_answer()
    cards.take_known()
    cards.reset()
    assert texts(cards) == ["Known 0 of 3, 3 to go.", "one?", ""]


def test_without_a_kernel_each_question_opens_onto_its_answer(cards):
    bundle = cards._repr_mimebundle_()
    assert bundle["text/plain"] == "3 recall cards: one? / two? / three?"
    assert re.findall("<summary><strong>(.+?)</strong></summary>", bundle["text/html"]) == [
        "one?", "two?", "three?"]
    assert bundle["text/html"].count("<details") == 3
    assert "<strong>2</strong>" in bundle["text/html"] and "<math" in bundle["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in bundle


def test_texts_are_shown_and_not_obeyed():
    cards = Cards([Card("<b>?", "a")])
    assert "&lt;b&gt;?" in cards.question.value and "&lt;b&gt;?" in cards.still


def test_unknown_scenario():
    assert_refused(lambda: recall_cards("Z"), "'Z'", "choose one of 'start', 'A'")
