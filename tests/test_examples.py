"""The worked examples' literals against mpmath in 50 digits and the source page's figures."""

from dataclasses import FrozenInstanceError
from fractions import Fraction

import mpmath
import pytest

from mlm_helpers.examples import (
    EMPTY_MASK,
    EXAM_TWIST,
    KEEP_UNCHANGED,
    LIMITING_VALUES,
    RANDOM_SWAP,
    SEVERAL_SLOTS,
    STANDARD_MASK,
    WORD_PROBLEM,
    WorkedExample,
)
from mlm_helpers.losses import cross_entropy, nats_to_bits, surprisal, uniform_loss
from mlm_helpers.masking import SPECIAL_TOKENS, expected_branch_counts
from mlm_helpers.pretraining import pretraining_loss
from mlm_helpers.reductions import reduce_losses
from mlm_helpers.slot_counts import slot_count, slot_count_law
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
    assert figure.reason == "the sum of weights that were each rounded to four places first"
    assert round(sum(rounded), 4) == figure.value == 13.8257


@pytest.mark.parametrize("name", ["A", "C"])
def test_the_printed_probability_rounds_up_what_rounds_down(name):
    figure = EXAMPLES[name].printed["label_probability"]
    exact = exact_answers(EXAMPLES[name].slot)["label_probability"]
    digits = mpmath.nstr(exact, 15)[:7]  # five decimals, cut and not rounded
    assert figure.reason == f"one too many in the last place: {digits}… rounds down"
    assert float(digits) < figure.value - 0.00005


@pytest.mark.parametrize("name", ["A", "C"])
def test_the_printed_loss_is_the_logarithm_of_the_printed_probability(name):
    printed = EXAMPLES[name].printed
    probability = printed["label_probability"].value
    assert printed["loss"].reason == f"the logarithm of the rounded {probability:.4f}"
    assert four_places(-mpmath.log(probability)) == printed["loss"].value


def test_the_printed_probabilities_of_the_swap_add_up_to_too_much():
    figure = RANDOM_SWAP.printed["shown_probability"]
    dog, cat, _, owl = RANDOM_SWAP.answers["probabilities"]
    reason = "one too many in the last place: with it the four add up to 1.0001"
    assert figure.reason == reason
    assert round(dog + cat + figure.value + owl, 4) == 1.0001


@pytest.mark.parametrize(
    ("example", "sentence"),
    [
        *[(example, "The cat sat down .") for example in EXAMPLES.values()],
        (EMPTY_MASK, "The cat sat ."),
        (SEVERAL_SLOTS, "[CLS] The old cat chased two mice [SEP] It caught one [SEP]"),
        (EXAM_TWIST, "[CLS] The old cat chased two mice [SEP] It caught one [SEP]"),
        (WORD_PROBLEM, ""),
    ],
    ids=[*EXAMPLES, "D", "F", "H", "G"],
)
def test_the_sentences_are_the_pages(example, sentence):
    assert " ".join(example.sentence) == sentence


def test_an_example_of_ones_own_has_no_answers():
    mine = WorkedExample(Slot(("tea", "rum"), (0.0, 1.0), label=0))
    assert (mine.answers, mine.printed, mine.sentence, mine.position) == ({}, {}, (), 0)


@pytest.mark.parametrize(
    "example",
    [STANDARD_MASK, STANDARD_MASK.printed["loss"], EMPTY_MASK, LIMITING_VALUES, SEVERAL_SLOTS],
    ids=lambda example: type(example).__name__,
)
def test_no_notebook_can_alter_an_example_for_the_next_cell(example):
    with pytest.raises(FrozenInstanceError):
        example.answers = {}


# The empty mask set: four tokens, a rate of 15 %


def test_the_answers_of_the_empty_mask_are_exact():
    rate, n_tokens = Fraction("0.15"), 4
    assert EMPTY_MASK.answers == {
        "product": float(rate * n_tokens),
        "slots": rate * n_tokens // 1,
        "loss": 0.0,
        "no_slot": round(float((1 - rate) ** n_tokens), 4),
    }


def test_the_package_gives_the_answers_of_the_empty_mask():
    answers, n_tokens = EMPTY_MASK.answers, EMPTY_MASK.n_tokens
    rate = EMPTY_MASK.mlm_probability
    assert slot_count(n_tokens, "page", mlm_probability=rate) == answers["slots"] == 0
    assert slot_count_law(n_tokens, "fairseq", mlm_probability=rate).mean == answers["product"]
    law = slot_count_law(n_tokens, "hugging_face", mlm_probability=rate)
    assert round(law.no_slot, 4) == answers["no_slot"] == 0.5220
    assert reduce_losses((), "sum") == answers["loss"] == 0.0


def test_the_empty_mask_has_four_ordinary_tokens():
    assert EMPTY_MASK.n_tokens == len(EMPTY_MASK.sentence) == 4
    assert not set(EMPTY_MASK.sentence).intersection(SPECIAL_TOKENS)
    assert EMPTY_MASK.mlm_probability == 0.15


# The limiting values: a certain word, and a guess among 30 000


def test_the_answers_of_the_limiting_values_are_exact():
    with mpmath.workdps(50):
        uniform = mpmath.log(30_000)
        exact = {
            "best": -mpmath.log(1),
            "uniform": uniform,
            "uniform_bits": uniform / mpmath.log(2),
            "above_uniform": exact_loss((10, 0, 0, 0), 1),
            "uniform_of_four": mpmath.log(4),
        }
        rounded = {name: four_places(value) for name, value in exact.items()}
    assert LIMITING_VALUES.vocab_size == 30_000
    assert LIMITING_VALUES.answers == rounded


def test_the_package_gives_the_answers_of_the_limiting_values():
    uniform = uniform_loss(LIMITING_VALUES.vocab_size)
    computed = {
        "best": surprisal(1.0),
        "uniform": uniform,
        "uniform_bits": nats_to_bits(uniform),
        "above_uniform": cross_entropy((10, 0, 0, 0), 1),
        "uniform_of_four": uniform_loss(4),
    }
    rounded = {name: round(value, 4) for name, value in computed.items()}
    assert rounded == LIMITING_VALUES.answers
    assert rounded["uniform"] == 10.3090 and rounded["uniform_bits"] == 14.8727
    assert rounded["above_uniform"] > rounded["uniform_of_four"]
    assert f"{rounded['best']:.4f}" == "0.0000"


# Several slots, without and with a next-sentence task


PAIRS = {"several slots": SEVERAL_SLOTS, "exam twist": EXAM_TWIST}


def test_the_answers_of_several_slots_are_exact():
    with mpmath.workdps(50):
        losses = [-mpmath.log(mpmath.mpf(p)) for p in ("0.40", "0.20")]
        total = mpmath.fsum(losses)
        assert SEVERAL_SLOTS.answers == {
            "losses": tuple(map(four_places, losses)),
            "sum": four_places(total),
            "mean": four_places(total / 2),
            "product": float(Fraction("0.40") * Fraction("0.20")),
            "uniform_sum": four_places(2 * mpmath.log(30_000)),
        }


def test_the_package_gives_the_answers_of_several_slots():
    slots, answers = SEVERAL_SLOTS.slots, SEVERAL_SLOTS.answers
    assert tuple(round(loss, 4) for loss in slots.losses) == answers["losses"] == (0.9163, 1.6094)
    assert round(slots.loss("sum"), 4) == answers["sum"] == 2.5257
    assert round(slots.loss("mean"), 4) == answers["mean"] == 1.2629
    assert slots.product == pytest.approx(answers["product"], rel=1e-15)
    assert round(slots.uniform("sum"), 4) == answers["uniform_sum"] == 20.6179


def test_the_answers_of_the_exam_question_are_exact():
    with mpmath.workdps(50):
        pair, slots = -mpmath.log(mpmath.mpf("0.90")), -mpmath.log(mpmath.mpf("0.08"))
        assert EXAM_TWIST.answers == {
            "next_sentence": four_places(pair),
            "total": four_places(slots + pair),
            "total_of_mean": four_places(slots / 2 + pair),
        }


def test_the_package_gives_the_answers_of_the_exam_question():
    answers, losses = EXAM_TWIST.answers, EXAM_TWIST.slots.losses
    pair = surprisal(EXAM_TWIST.next_sentence_probability)
    by_sum, by_mean = (pretraining_loss(losses, pair, reduction=name) for name in ("sum", "mean"))
    assert round(pair, 4) == answers["next_sentence"] == 0.1054
    assert round(by_sum.total, 4) == answers["total"] == 2.6311
    assert round(by_mean.total, 4) == answers["total_of_mean"] == 1.3682


@pytest.mark.parametrize("example", PAIRS.values(), ids=PAIRS)
def test_both_have_the_pages_slots_in_a_sentence_pair_that_fits(example):
    slots, sentence = example.slots, example.sentence
    assert example.masked_positions == (3, 5) and slots.probabilities == (0.40, 0.20)
    assert slots.vocab_size == 30_000 and slots.n_tokens == len(sentence)
    assert (sentence[3], sentence[5]) == ("cat", "two")
    assert sentence[0] == "[CLS]" and sentence[-1] == "[SEP]" and sentence.count("[SEP]") == 2
    assert slot_count(slots.n_tokens, "bert") == slots.n_slots == 2


def test_only_the_exam_question_has_a_next_sentence():
    assert SEVERAL_SLOTS.next_sentence_probability is None
    assert EXAM_TWIST.next_sentence_probability == 0.90


# The word problem: two thousand million tokens


def test_the_answers_of_the_word_problem_are_exact():
    n_tokens = 2 * 10**9
    assert WORD_PROBLEM.n_tokens == n_tokens
    slots = n_tokens * 15 // 100
    assert slots * 100 == n_tokens * 15  # nothing was cut off
    full, capped = divmod(n_tokens, 128), divmod(n_tokens, 512)
    assert full[1] == capped[1] == 0  # whole sequences
    assert WORD_PROBLEM.answers == {
        "slots": slots,
        "mask": slots * 8 // 10,
        "swap": slots // 10,
        "keep": slots // 10,
        "bert_slots": full[0] * 19,
        "capped_slots": capped[0] * 20,
    }
    assert {type(answer) for answer in WORD_PROBLEM.answers.values()} == {int}


def test_the_package_gives_the_answers_of_the_word_problem():
    answers, n_tokens = WORD_PROBLEM.answers, WORD_PROBLEM.n_tokens
    mask_share, swap_share, keep_share = WORD_PROBLEM.shares
    slots = slot_count(n_tokens, "page", mlm_probability=WORD_PROBLEM.mlm_probability)
    assert slots == answers["slots"] == 300_000_000
    assert expected_branch_counts(slots, mask_share, swap_share) == {
        branch: answers[branch] for branch in ("mask", "swap", "keep")
    }
    assert keep_share == 0.1
    assert n_tokens // 128 * slot_count(128, "bert") == answers["bert_slots"] == 296_875_000
    assert n_tokens // 512 * slot_count(512, "bert") == answers["capped_slots"] == 78_125_000
