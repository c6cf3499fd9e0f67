"""The worked examples' literals against mpmath in 50 digits and the source page's figures."""

import mpmath
import pytest

from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK, WorkedExample
from mlm_helpers.slots import Slot
from test_losses import exact_loss, exact_probabilities

pytestmark = pytest.mark.filterwarnings("error")

EXAMPLES = {"A": STANDARD_MASK, "B": RANDOM_SWAP, "C": KEEP_UNCHANGED}
GIVENS = {
    "A": ((1, 2, 0, 1), None, None),
    "B": ((0.5, 1.5, 2.0, 0.5), 2, "mat"),
    "C": ((0, 3, 0, 0), 1, "cat"),
}
PRINTED = {
    "A": {"normaliser": 13.8257, "label_probability": 0.5345, "loss": 0.6264},
    "B": {"shown_probability": 0.4872},
    "C": {"label_probability": 0.8701, "loss": 0.1391},
}
FIGURES = [(name, quantity) for name, figures in PRINTED.items() for quantity in figures]


@pytest.fixture(params=EXAMPLES)
def name(request):
    return request.param


def four_places(exact):
    """Correctly rounded: nothing printed in the table is a tie."""
    with mpmath.workdps(50):
        return float(mpmath.nint(exact * 10_000) / 10_000)


def exact_answers(slot):
    with mpmath.workdps(50):
        probabilities = exact_probabilities(slot.logits)
        return {
            "normaliser": mpmath.fsum(mpmath.exp(mpmath.mpf(z)) for z in slot.logits),
            "probabilities": tuple(probabilities),
            "label_probability": probabilities[1],
            "shown_probability": probabilities[2],
            "loss": exact_loss(slot.logits, 1),
            "uniform": mpmath.log(4),
        }


def test_givens_are_the_pages(name):
    slot = EXAMPLES[name].slot
    logits, shown, shown_word = GIVENS[name]
    assert slot.logits == logits and (slot.label, slot.label_token) == (1, "cat")
    assert slot.shown == shown and slot.shown_token == (shown_word or "[MASK]")
    assert slot.tokens[2] == "mat" and slot.vocab_size == 4 and slot.n_rest == 0


def test_the_three_share_their_words_and_the_sentence_holds_the_true_one(name):
    example = EXAMPLES[name]
    assert example.slot.tokens == STANDARD_MASK.slot.tokens
    assert len(set(example.slot.tokens)) == 4
    assert example.sentence[example.position] == "cat"


def test_answers_are_the_exact_ones_correctly_rounded(name):
    exact = exact_answers(EXAMPLES[name].slot)
    answers = EXAMPLES[name].answers
    assert answers["probabilities"] == tuple(map(four_places, exact.pop("probabilities")))
    del exact["shown_probability"]
    assert {key: answers[key] for key in exact} == {
        key: four_places(value) for key, value in exact.items()
    }


def test_printed_holds_every_figure_that_differs_and_no_other(name):
    printed = EXAMPLES[name].printed
    assert {quantity: figure.value for quantity, figure in printed.items()} == PRINTED[name]


@pytest.mark.parametrize(("name", "quantity"), FIGURES)
def test_a_printed_figure_is_off_by_one_in_the_last_place(name, quantity):
    exact = exact_answers(EXAMPLES[name].slot)[quantity]
    assert abs(PRINTED[name][quantity] - four_places(exact)) == pytest.approx(0.0001, abs=1e-9)


# Each stated reason reproduces the figure


def test_the_printed_normaliser_is_the_sum_of_rounded_weights():
    figure = STANDARD_MASK.printed["normaliser"]
    rounded = [four_places(mpmath.exp(z)) for z in GIVENS["A"][0]]
    assert "rounded to four places first" in figure.reason
    assert round(sum(rounded), 4) == figure.value == 13.8257


@pytest.mark.parametrize("name", ["A", "C"])
def test_the_printed_probability_rounds_up_what_rounds_down(name):
    figure = EXAMPLES[name].printed["label_probability"]
    exact = exact_answers(EXAMPLES[name].slot)["label_probability"]
    digits = mpmath.nstr(exact, 15)[:7]  # five decimals, cut and not rounded
    assert f"{digits}… rounds down" in figure.reason
    assert float(digits) < figure.value - 0.00005


@pytest.mark.parametrize("name", ["A", "C"])
def test_the_printed_loss_is_the_logarithm_of_the_printed_probability(name):
    printed = EXAMPLES[name].printed
    probability = printed["label_probability"].value
    assert f"logarithm of the rounded {probability:.4f}" in printed["loss"].reason
    assert four_places(-mpmath.log(probability)) == printed["loss"].value


def test_the_printed_probabilities_of_the_swap_add_up_to_too_much():
    figure = RANDOM_SWAP.printed["shown_probability"]
    dog, cat, _, owl = RANDOM_SWAP.answers["probabilities"]
    assert "the four add up to 1.0001" in figure.reason
    assert round(dog + cat + figure.value + owl, 4) == 1.0001


def test_an_example_of_ones_own_has_no_answers():
    mine = WorkedExample(Slot(("tea", "rum"), (0.0, 1.0), label=0))
    assert (mine.answers, mine.printed, mine.sentence) == ({}, {}, ())
