"""From several losses to one number, against mpmath in 50 digits and numbers written down by hand.

The slots of the worked example have the probabilities 0.40 and 0.20; its sequence has 12 tokens.
"""

import math

import mpmath
import numpy as np
import pytest
import scipy.special

from mlm_helpers.reductions import BERT_EPSILON, REDUCTIONS, reduce_losses, reduced_uniform
from refusals import assert_refused
from test_losses import is_plain_zero, relative_error

pytestmark = pytest.mark.filterwarnings("error")

LOSSES = (0.916290731874155, 1.6094379124341003)
FOUR_DECIMALS = 5e-5
N_TOKENS = 12
# What the sum is divided by, for a number of slots.
DIVISORS = {
    "sum": lambda n_slots: 1,
    "mean": lambda n_slots: n_slots,
    "bert_mean": lambda n_slots: n_slots + mpmath.mpf("0.00001"),
    "token_mean": lambda n_slots: N_TOKENS,
}


def reduced(losses, reduction):
    return reduce_losses(losses, reduction, n_tokens=N_TOKENS)


def exact_uniform(vocab_size, n_slots, reduction):
    with mpmath.workdps(50):
        return n_slots * mpmath.log(vocab_size) / DIVISORS[reduction](n_slots)


def test_every_reduction_has_a_reference_here():
    assert tuple(DIVISORS) == REDUCTIONS


# The losses


@pytest.mark.parametrize("reduction", DIVISORS)
def test_two_slots_to_the_last_digit(reduction):
    with mpmath.workdps(50):
        exact = -mpmath.log(mpmath.mpf("0.08")) / DIVISORS[reduction](2)
    assert relative_error(reduced(LOSSES, reduction), exact) < 4e-16


@pytest.mark.parametrize(
    ("reduction", "printed"),
    [("sum", 2.5257), ("mean", 1.2629), ("bert_mean", 1.2629), ("token_mean", 0.2105)],
)
def test_two_slots_written_down(reduction, printed):
    assert round(reduced(LOSSES, reduction), 4) == printed


def test_berts_mean_is_a_little_below_the_mean():
    assert BERT_EPSILON == 0.00001
    assert reduce_losses(LOSSES, "bert_mean") == pytest.approx(1.2628580, abs=5e-8)
    assert reduce_losses(LOSSES, "mean") == pytest.approx(1.2628643, abs=5e-8)


def test_berts_mean_is_the_published_formula_with_weights_of_0_and_1():
    losses, weights = np.array([0.5, 9.0, 2.0, 1.25, 7.0]), np.array([1.0, 0.0, 1.0, 1.0, 0.0])
    published = np.sum(weights * losses) / (np.sum(weights) + 1e-5)
    counted = losses[weights == 1]
    assert reduce_losses(counted, "bert_mean") == pytest.approx(published, rel=1e-14)


def test_dividing_by_all_tokens_is_the_mean_over_rows_with_zeros_for_the_ignored():
    # Two rows of probability 0.40 and 0.20 and an ignored one: 0.8419, and not 1.2629.
    with_zeros = np.mean([*LOSSES, 0.0])
    by_all = reduce_losses(LOSSES, "token_mean", n_tokens=3)
    assert by_all == pytest.approx(with_zeros, rel=1e-15)
    assert round(by_all, 4) == 0.8419


def test_many_slots_agree_with_scipy_and_numpy():
    logits = np.random.default_rng(0).normal(scale=3.0, size=(500, 40))
    losses = -scipy.special.log_softmax(logits, axis=-1)[:, 0]
    assert reduce_losses(losses, "sum") == pytest.approx(np.sum(losses), rel=1e-13)
    assert reduce_losses(losses, "mean") == pytest.approx(np.mean(losses), rel=1e-13)
    assert reduce_losses(losses, "token_mean", n_tokens=1000) == pytest.approx(
        np.sum(losses) / 1000, rel=1e-13
    )


def test_the_sum_does_not_depend_on_the_order_of_the_slots():
    assert reduce_losses([0.1] * 10, "sum") == 1.0  # added one by one in floats it is less
    mixed = [1e16, 1.0, 1.0]
    assert reduce_losses(mixed, "sum") == reduce_losses(mixed[::-1], "sum") == 1e16 + 2


@pytest.mark.parametrize("empty", [(), [], np.array([])], ids=["tuple", "list", "array"])
def test_no_slots_cost_nothing_or_have_no_mean(empty):
    for reduction in ("sum", "bert_mean", "token_mean"):
        assert is_plain_zero(reduced(empty, reduction))
    assert math.isnan(reduced(empty, "mean"))
    assert math.isnan(reduce_losses(empty, "token_mean", n_tokens=0))


@pytest.mark.parametrize("reduction", DIVISORS)
def test_one_loss_that_is_no_number_or_infinite_stays_visible(reduction):
    assert reduced((1.0, math.inf), reduction) == math.inf
    assert math.isnan(reduced((1.0, math.nan), reduction))
    assert math.isnan(reduced((math.inf, math.nan), reduction))
    assert is_plain_zero(reduced((0.0, -0.0), reduction))


@pytest.mark.parametrize("reduction", DIVISORS)
@pytest.mark.parametrize(
    "convert", [list, iter, np.array, lambda losses: map(np.float64, losses)],
    ids=["list", "generator", "array", "numpy scalars"],
)
def test_any_kind_of_sequence_gives_the_same_plain_float(reduction, convert):
    result = reduced(convert(LOSSES), reduction)
    assert (type(result), result) == (float, reduced(LOSSES, reduction))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_a_numpy_number_of_tokens_gives_a_plain_float(kind):
    result = reduce_losses((1.0, 2.0), "token_mean", n_tokens=kind(4))
    assert (type(result), result) == (float, 0.75)


def test_the_number_of_tokens_matters_for_one_reduction_only():
    for reduction in ("sum", "mean", "bert_mean"):
        assert reduce_losses(LOSSES, reduction, n_tokens=2) == reduce_losses(LOSSES, reduction)


# The reference of guessing each word alike


@pytest.mark.parametrize("reduction", DIVISORS)
@pytest.mark.parametrize("n_slots", [1, 2, 3, 12])
@pytest.mark.parametrize("vocab_size", [2, 4, 30_000, 250_002])
def test_the_uniform_reference_follows_the_reduction(reduction, n_slots, vocab_size):
    uniform = reduced_uniform(vocab_size, n_slots, reduction, n_tokens=N_TOKENS)
    assert relative_error(uniform, exact_uniform(vocab_size, n_slots, reduction)) < 5e-16


def test_the_uniform_reference_written_down():
    values = {"sum": 20.6179, "mean": 10.3090, "bert_mean": 10.3089, "token_mean": 1.7182}
    for reduction, printed in values.items():
        uniform = reduced_uniform(30_000, 2, reduction, n_tokens=N_TOKENS)
        assert uniform == pytest.approx(printed, abs=FOUR_DECIMALS)


def test_the_uniform_reference_of_no_slots_or_of_one_word():
    for reduction in ("sum", "bert_mean", "token_mean"):
        assert is_plain_zero(reduced_uniform(4, 0, reduction, n_tokens=N_TOKENS))
    assert math.isnan(reduced_uniform(4, 0, "mean"))
    assert math.isnan(reduced_uniform(4, 0, "token_mean", n_tokens=0))
    for reduction in DIVISORS:
        assert is_plain_zero(reduced_uniform(1, 2, reduction, n_tokens=N_TOKENS))


@pytest.mark.parametrize("n_slots", [300_000_000, 10**13])
def test_the_slots_of_a_whole_corpus_are_not_listed_one_by_one(n_slots):
    with mpmath.workdps(50):
        exact = n_slots * mpmath.log(30_000)
    assert relative_error(reduced_uniform(30_000, n_slots, "sum"), exact) < 4e-16
    assert reduced_uniform(30_000, n_slots, "mean") == pytest.approx(10.308952660644293, rel=1e-15)


@pytest.mark.parametrize("reduction", DIVISORS)
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_the_uniform_reference_of_numpy_integers_is_a_plain_float(reduction, kind):
    uniform = reduced_uniform(kind(4), kind(2), reduction, n_tokens=kind(12))
    expected = float(exact_uniform(4, 2, reduction))
    assert type(uniform) is float
    assert uniform == pytest.approx(expected, rel=1e-15)


# Refusals name the value and what to do


REFUSALS = {
    "reduction": (
        lambda: reduce_losses(LOSSES, "average"), "reduction 'average' is unknown", "'bert_mean'"
    ),
    "reduction of no slots": (lambda: reduce_losses((), "average"), "'average'", "'mean'"),
    "no number of tokens": (lambda: reduce_losses(LOSSES, "token_mean"), "n_tokens", "all tokens"),
    "no tokens for no slots": (lambda: reduce_losses((), "token_mean"), "n_tokens", "all tokens"),
    "fewer tokens than slots": (
        lambda: reduce_losses(LOSSES, "token_mean", n_tokens=1), "n_tokens 1", "2 or more"
    ),
    "half a token": (
        lambda: reduce_losses(LOSSES, "token_mean", n_tokens=2.5), "n_tokens 2.5", "whole number"
    ),
    "tokens nan": (
        lambda: reduce_losses((), "token_mean", n_tokens=math.nan), "n_tokens nan", "0 or more"
    ),
    "negative tokens": (
        lambda: reduce_losses((), "token_mean", n_tokens=-1), "n_tokens -1", "0 or more"
    ),
    "uniform's reduction": (
        lambda: reduced_uniform(4, 2, "none"), "reduction 'none' is unknown", "'token_mean'"
    ),
    "uniform's reduction of no slots": (lambda: reduced_uniform(4, 0, "none"), "'none'", "'sum'"),
    "uniform's vocabulary": (lambda: reduced_uniform(0, 2, "sum"), "vocab_size 0", "1 or more"),
    "uniform's vocabulary of no slots": (lambda: reduced_uniform(0, 0, "sum"), "vocab_size 0"),
    "uniform's slots": (lambda: reduced_uniform(4, -1, "sum"), "n_slots -1", "0 or more"),
    "half a slot": (lambda: reduced_uniform(4, 0.5, "sum"), "n_slots 0.5", "whole number"),
    "uniform's tokens": (lambda: reduced_uniform(4, 2, "token_mean"), "n_tokens", "all tokens"),
    "uniform's fewer tokens": (
        lambda: reduced_uniform(4, 3, "token_mean", n_tokens=2), "n_tokens 2", "3 or more"
    ),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)


def test_the_whole_sentence_of_a_refusal():
    sentence = "reduction 'token_mean' needs n_tokens: give the number of all tokens"
    with pytest.raises(ValueError, match=f"^{sentence}$"):
        reduce_losses(LOSSES, "token_mean")
