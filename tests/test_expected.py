"""The table of wrong answers to expect: each mistake once, named and answered as in practice."""

import pytest

from mlm_helpers.classroom import expected_mistakes
from mlm_helpers.exercises.draw import GENERATORS
from mlm_helpers.exercises.mistakes import MISTAKES
from refusals import assert_refused

TYPICAL = {"A": "not_exponentiated", "B": "shown_word", "C": "unchanged_zero",
           "D": "floor_for_round", "E": "uniform_ceiling", "F": "token_mean",
           "G": "share_of_all_tokens", "H": "nsp_other_label"}


@pytest.mark.parametrize("scenario", GENERATORS)
def test_each_mistake_stands_there_once_and_the_typical_one_is_among_them(scenario):
    names = [wrong.mistake for wrong in expected_mistakes(scenario).found]
    assert len(set(names)) == len(names) >= 5 and TYPICAL[scenario] in names


def test_a_row_says_what_was_done_with_an_example_and_what_to_say():
    head, rule, *rows = repr(expected_mistakes("B")).splitlines()
    assert head == "| It looks as if | for example | Say |" and rule == "|:--|:--|:--|"
    assert len(rows) == len(expected_mistakes("B").found)
    row = next(row for row in rows if MISTAKES["shown_word"].remedy in row)
    assert row.startswith("| You scored the word that the input shows and not the label | −ln P(")


def test_all_mistakes_are_met_in_some_scenario():
    met = {wrong.mistake for scenario in GENERATORS
           for wrong in expected_mistakes(scenario).found}
    assert met == set(MISTAKES)


def test_unknown_scenario():
    assert_refused(lambda: expected_mistakes("Z"), "'Z'", "choose one of 'A'")
