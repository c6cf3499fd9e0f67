"""BERT's two losses and their sum, against mpmath, scipy and numbers written down by hand."""

import math
from dataclasses import FrozenInstanceError

import mpmath
import numpy as np
import pytest
import scipy.special

from mlm_helpers.pretraining import (
    IS_NEXT,
    IS_RANDOM,
    PretrainingLoss,
    next_sentence_loss,
    pretraining_loss,
)
from refusals import assert_refused
from test_losses import is_plain_zero, relative_error

pytestmark = pytest.mark.filterwarnings("error")

TWO_SLOTS = (0.916290731874155, 1.6094379124341003)  # of probability 0.40 and 0.20
NEXT_SENTENCE = 0.10536051565782628  # of probability 0.90
REDUCTIONS = ("sum", "mean", "bert_mean")


# The two parts together


def test_the_exam_question_to_the_last_digit():
    by_sum = pretraining_loss(TWO_SLOTS, NEXT_SENTENCE, reduction="sum")
    by_mean = pretraining_loss(TWO_SLOTS, NEXT_SENTENCE)
    with mpmath.workdps(50):
        slots, pair = -mpmath.log(mpmath.mpf("0.08")), -mpmath.log(mpmath.mpf("0.9"))
        assert relative_error(by_sum.total, slots + pair) < 4e-16
        assert relative_error(by_mean.total, slots / 2 + pair) < 4e-16
        assert relative_error(by_sum.next_sentence_share, pair / (slots + pair)) < 4e-16
    assert round(by_sum.total, 4) == 2.6311
    assert round(by_mean.total, 4) == 1.3682


def test_berts_own_mean_has_its_small_number_below():
    loss = pretraining_loss(TWO_SLOTS, NEXT_SENTENCE, reduction="bert_mean")
    assert loss.masked_lm == pytest.approx(1.2628580, abs=5e-8)
    assert loss.total == pytest.approx(1.3682185, abs=5e-8)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_without_slots_the_next_sentence_is_not_lost(reduction):
    loss = pretraining_loss((), NEXT_SENTENCE, reduction=reduction)
    assert loss == PretrainingLoss(0.0, NEXT_SENTENCE, 0)
    assert round(loss.total, 4) == 0.1054
    assert loss.next_sentence_share == 1.0


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_without_slots_and_without_a_pair_the_loss_is_zero_of_no_slots(reduction):
    loss = pretraining_loss((), reduction=reduction)
    assert is_plain_zero(loss.total)
    assert (loss.n_slots, loss.next_sentence) == (0, None)
    assert math.isnan(loss.next_sentence_share)


@pytest.mark.parametrize(
    ("reduction", "total"), [("sum", 2.5257), ("mean", 1.2629), ("bert_mean", 1.2629)]
)
def test_without_a_pair_the_total_is_the_masked_loss_and_never_none(reduction, total):
    loss = pretraining_loss(TWO_SLOTS, reduction=reduction)
    assert round(loss.total, 4) == total and loss.total == loss.masked_lm
    assert (loss.n_slots, loss.next_sentence, loss.next_sentence_share) == (2, None, 0.0)


def test_late_in_training_the_next_sentence_is_a_small_share():
    # SciBERT's own evaluation: masked 1.2882848, next sentence 0.0196654
    loss = pretraining_loss([1.2882848], 0.0196654)
    assert loss.total == pytest.approx(1.3079502, rel=1e-12)
    assert round(100 * loss.next_sentence_share, 1) == 1.5


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_part_that_is_no_number_or_infinite_stays_visible(bad):
    for loss in (pretraining_loss([1.0, bad], 0.5), pretraining_loss([1.0], bad)):
        assert loss.total == pytest.approx(bad, nan_ok=True)
        assert math.isnan(loss.next_sentence_share)


def test_a_perfect_model_costs_nothing_on_its_slots():
    loss = pretraining_loss([0.0, 0.0], 0.0)
    assert is_plain_zero(loss.total) and loss.n_slots == 2
    assert math.isnan(loss.next_sentence_share)


@pytest.mark.parametrize(
    "convert", [list, iter, np.array, lambda losses: map(np.float64, losses)],
    ids=["list", "generator", "array", "numpy scalars"],
)
@pytest.mark.parametrize("number", [float, np.float64, np.array])
def test_any_kind_of_numbers_gives_the_same_plain_ones(convert, number):
    loss = pretraining_loss(convert(TWO_SLOTS), number(NEXT_SENTENCE))
    assert loss == pretraining_loss(TWO_SLOTS, NEXT_SENTENCE)
    numbers = (loss.masked_lm, loss.next_sentence, loss.total, loss.next_sentence_share)
    assert {type(number) for number in numbers} == {float}


def test_a_float32_part_does_not_make_the_total_a_float32():
    loss = pretraining_loss([1.0], np.float32(0.1))
    assert type(loss.total) is float
    assert loss.total == pytest.approx(1.1 + 1.490116e-9, abs=1e-14)


def test_an_empty_array_is_no_slots():
    assert pretraining_loss(np.array([]), 0.5) == PretrainingLoss(0.0, 0.5, 0)


def test_the_reduction_has_to_be_named_and_the_losses_may_be():
    with pytest.raises(TypeError):
        pretraining_loss(TWO_SLOTS, NEXT_SENTENCE, "sum")
    by_name = pretraining_loss(slot_losses=TWO_SLOTS, next_sentence=NEXT_SENTENCE)
    assert by_name == pretraining_loss(TWO_SLOTS, NEXT_SENTENCE)


def test_a_loss_cannot_be_altered():
    with pytest.raises(FrozenInstanceError):
        pretraining_loss(TWO_SLOTS).masked_lm = 0.0


# The next-sentence head


def test_label_zero_means_that_the_sentence_follows():
    assert (IS_NEXT, IS_RANDOM) == (0, 1)
    for label, printed in ((0, 0.1269), (1, 2.1269)):
        loss = next_sentence_loss((2, 0), label)
        with mpmath.workdps(50):
            exact = mpmath.log(1 + mpmath.exp(-2)) + 2 * label
        assert relative_error(loss, exact) < 4e-16
        assert round(loss, 4) == printed


def test_a_head_that_knows_nothing_costs_ln_2():
    for label in (IS_NEXT, IS_RANDOM):
        assert next_sentence_loss((-3.0, -3.0), label) == pytest.approx(0.6931471805599453)


def test_logits_of_a_probability_of_nine_tenths():
    logits = np.log([0.9, 0.1])
    assert next_sentence_loss(logits, IS_NEXT) == pytest.approx(NEXT_SENTENCE, rel=1e-14)
    assert next_sentence_loss(logits, IS_RANDOM) == pytest.approx(-math.log(0.1), rel=1e-14)


@pytest.mark.parametrize("shape", [(1,), (7,), (2, 3)])
@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64])
def test_several_pairs_are_averaged(shape, dtype):
    rng = np.random.default_rng(0)
    logits, labels = rng.normal(scale=3.0, size=(*shape, 2)), rng.integers(2, size=shape)
    log_p = scipy.special.log_softmax(logits, axis=-1)
    expected = -np.take_along_axis(log_p, labels[..., None], -1).mean()
    loss = next_sentence_loss(logits, labels.astype(dtype))
    assert type(loss) is float
    assert loss == pytest.approx(expected, rel=1e-13)
    assert next_sentence_loss(logits.tolist(), labels.tolist()) == loss


def test_extreme_logits_are_not_clipped():
    assert next_sentence_loss((1000, -1000), IS_RANDOM) == 2000.0
    assert is_plain_zero(next_sentence_loss((1000, -1000), IS_NEXT))
    assert next_sentence_loss((0.0, -math.inf), IS_RANDOM) == math.inf
    assert math.isnan(next_sentence_loss((math.nan, 0.0), IS_NEXT))


@pytest.mark.parametrize("labels", [[], np.zeros(0, dtype=int)], ids=["list", "array"])
def test_no_pairs_have_no_mean(labels):
    assert math.isnan(next_sentence_loss(np.zeros((0, 2)), labels))


# Refusals name the value and what to do


PAIRS = [[2.0, 0.0], [0.0, 1.0]]
REFUSALS = {
    "reduction": (
        lambda: pretraining_loss(TWO_SLOTS, reduction="average"), "reduction 'average' is unknown"
    ),
    "reduction of no slots": (
        lambda: pretraining_loss((), 0.1, reduction="average"), "'average'", "'mean'"
    ),
    "mean over all tokens": (
        lambda: pretraining_loss(TWO_SLOTS, reduction="token_mean"),
        "reduction 'token_mean' is unknown: choose one of 'sum', 'mean', 'bert_mean'",
    ),
    "mean over all tokens, no slots": (
        lambda: pretraining_loss((), reduction="token_mean"), "'token_mean'", "'bert_mean'"
    ),
    "label too large": (
        lambda: next_sentence_loss((2, 0), 2),
        "label 2 is unknown: give 0 where B follows A, 1 where it is random",
    ),
    "label ignored": (lambda: next_sentence_loss(PAIRS, [0, -100]), "label -100", "0 where"),
    "first of several": (lambda: next_sentence_loss(PAIRS, [3, -1]), "label 3 is unknown"),
    "negative label": (lambda: next_sentence_loss(PAIRS, [-1, 0]), "label -1", "1 where"),
    "label nan": (lambda: next_sentence_loss((2, 0), math.nan), "label nan", "0 where"),
    "no label": (lambda: next_sentence_loss((2, 0), None), "label None", "0 where"),
    "three logits": (
        lambda: next_sentence_loss((1, 2, 3), 0), "(3,)",
        "two per pair: give the scores of 'is next' and 'random'",
    ),
    "one logit": (lambda: next_sentence_loss(2.0, 0), "()", "two per pair", "'is next'"),
    "no logits": (lambda: next_sentence_loss([], []), "(0,)", "two per pair"),
    "a label short": (lambda: next_sentence_loss(PAIRS, [0]), "(1,)", "(2, 2)", "(2,)"),
    "one label for all": (lambda: next_sentence_loss(PAIRS, 0), "()", "(2, 2)", "(2,)"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)


@pytest.mark.parametrize("label", [0.0, True, np.float32(1)], ids=["float", "bool", "float32"])
def test_labels_that_are_not_integers_are_refused(label):
    with pytest.raises(TypeError, match=r"dtype (float|bool).*give integers"):
        next_sentence_loss((2, 0), label)
