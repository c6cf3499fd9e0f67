"""The losses against scipy, mpmath in 50 digits, and numbers written down by hand."""

import math
import tracemalloc

import mpmath
import numpy as np
import pytest
import scipy.special

from mlm_helpers.losses import (
    cross_entropy,
    cross_entropy_gradient,
    log_softmax,
    nats_to_bits,
    perplexity,
    pooled_logit,
    softmax,
    surprisal,
    uniform_loss,
)
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

INTEGERS = [np.dtype(code) for code in "bhilqBHILQ"]
BERT_VOCABULARY = 30_522
FOUR_DECIMALS = 5e-5


def exact_probabilities(logits):
    with mpmath.workdps(50):
        weights = [mpmath.exp(mpmath.mpf(z)) for z in logits]
        return [w / mpmath.fsum(weights) for w in weights]


def exact_loss(logits, label):
    with mpmath.workdps(50):
        return -mpmath.log(exact_probabilities(logits)[label])


def relative_error(value, exact):
    with mpmath.workdps(50):
        return float(abs(mpmath.mpf(value) / exact - 1))


def logits_of(probabilities):
    """Logits of two classes, the first of them with the given probabilities."""
    p = np.asarray(probabilities)
    return np.log(np.stack([p, 1 - p], axis=-1))


def is_plain_zero(value):
    return value == 0 and math.copysign(1, value) == 1


def random_logits(shape, scale=3.0, seed=0):
    return np.random.default_rng(seed).normal(scale=scale, size=shape)


# The worked examples, as printed and in 50 digits


WORKED = {
    "standard mask": ((1, 2, 0, 1), 1, 13.82561975584874, "0.1966 0.5344 0.0723 0.1966", 0.6265),
    "random swap": (
        (0.5, 1.5, 2.0, 0.5), 1, 15.16818771066897, "0.1087 0.2955 0.4871 0.1087", 1.2192
    ),
    "keep unchanged": ((0, 3, 0, 0), 1, 23.085536923187668, "0.0433 0.8700 0.0433 0.0433", 0.1392),
}


@pytest.mark.parametrize(("logits", "label", "z", "printed", "loss"), WORKED.values(), ids=WORKED)
def test_worked_examples_to_the_last_digit(logits, label, z, printed, loss):
    probabilities = softmax(logits)
    assert " ".join(f"{p:.4f}" for p in probabilities) == printed
    for p, exact in zip(probabilities, exact_probabilities(logits), strict=True):
        assert relative_error(p, exact) < 1e-15
    with mpmath.workdps(50):
        exact_z = mpmath.fsum(mpmath.exp(mpmath.mpf(logit)) for logit in logits)
    assert relative_error(z, exact_z) < 1e-15
    assert relative_error(math.exp(logits[label]) / probabilities[label], exact_z) < 1e-15
    assert round(cross_entropy(logits, label), 4) == loss
    assert relative_error(cross_entropy(logits, label), exact_loss(logits, label)) < 1e-15


def test_limiting_values_certain_and_uniform():
    assert is_plain_zero(surprisal(1.0))
    assert relative_error(uniform_loss(30_000), mpmath.mpf("10.308952660644292812")) < 1e-15
    assert uniform_loss(4) == 1.3862943611198906
    assert surprisal(1 / 30_000) == pytest.approx(10.308952660644293, rel=1e-15)


def test_several_slots_and_the_next_sentence_head():
    slots, next_sentence = logits_of([0.4, 0.2]), logits_of(0.9)
    separate = cross_entropy(slots, [0, 0], reduction="none")
    total = cross_entropy(slots, [0, 0]) + cross_entropy(next_sentence, 0)
    mean_total = cross_entropy(slots, [0, 0], reduction="mean") + cross_entropy(next_sentence, 0)
    assert separate == pytest.approx([0.916290731874155, 1.6094379124341003], rel=1e-14)
    assert cross_entropy(slots, [0, 0]) == pytest.approx(2.5257286443082556, rel=1e-14)
    assert total == pytest.approx(2.631089159966082, rel=1e-14)
    assert mean_total == pytest.approx(1.3682, abs=FOUR_DECIMALS)


# Softmax and log-softmax


@pytest.mark.parametrize("scale", [1e-3, 3, 1e3])
@pytest.mark.parametrize("shape", [(1,), (7,), (5, 11), (2, 3, 4, 5), (2, BERT_VOCABULARY)])
def test_softmax_and_log_softmax_agree_with_scipy(shape, scale):
    logits = random_logits(shape, scale)
    expected = scipy.special.log_softmax(logits, axis=-1)
    np.testing.assert_allclose(log_softmax(logits), expected, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(
        softmax(logits), scipy.special.softmax(logits, axis=-1), rtol=1e-12, atol=0
    )
    np.testing.assert_allclose(softmax(logits).sum(axis=-1), 1, rtol=1e-14)


@pytest.mark.parametrize("shift", [-1000, 0.5, 2.0**20])
def test_adding_one_number_to_all_logits_of_a_row_changes_nothing(shift):
    logits = np.array([[2.0, 1.0, 0.5, -1.0], [0.0, 0.25, 3.0, 0.0]])
    np.testing.assert_allclose(softmax(logits + shift), softmax(logits), rtol=1e-14)
    np.testing.assert_allclose(log_softmax(logits + shift), log_softmax(logits), rtol=1e-14)
    assert cross_entropy(logits + shift, [1, 2]) == pytest.approx(
        cross_entropy(logits, [1, 2]), rel=1e-14
    )


@pytest.mark.parametrize(
    ("logits", "log_probabilities"),
    [
        ([1000.0, 0.0, -1000.0], [0.0, -1000.0, -2000.0]),
        ([1e8, -1e8], [0.0, -2e8]),
        ([-1e8, -1e8], [-math.log(2), -math.log(2)]),
        ([-math.inf, 5.0], [-math.inf, 0.0]),
        ([-math.inf, 3.0, 3.0], [-math.inf, -math.log(2), -math.log(2)]),
        ([1e308, -1e308], [0.0, -math.inf]),
        ([-7.0], [0.0]),
    ],
)
def test_extreme_logits_give_exact_values(logits, log_probabilities):
    assert log_softmax(logits).tolist() == log_probabilities
    np.testing.assert_allclose(softmax(logits), np.exp(log_probabilities), rtol=1e-15)
    for label, expected in enumerate(log_probabilities):
        assert cross_entropy(logits, label) == -expected


@pytest.mark.parametrize("gap", [40, 700])
def test_a_tiny_loss_does_not_round_to_zero(gap):
    logits = [gap, 0, 0, 0]
    with mpmath.workdps(50):
        exact = 3 * mpmath.exp(-gap)  # ln(1 + x) = x as far as a float can tell
    assert relative_error(cross_entropy(logits, 0), exact) < 1e-15
    assert relative_error(-log_softmax(logits)[0], exact) < 1e-15
    assert relative_error(-cross_entropy_gradient(logits, 0)[0], exact) < 1e-15


@pytest.mark.parametrize(
    "row",
    [[math.nan, 1, 2], [0, math.inf, 1], [math.inf, math.inf, 1], [-math.inf] * 3, [math.nan] * 3],
)
def test_a_row_without_a_softmax_is_nan_and_leaves_other_rows_alone(row):
    logits = [row, [1, 2, 0]]
    for result in (
        softmax(logits),
        log_softmax(logits),
        cross_entropy_gradient(logits, [2, 1]),
        cross_entropy(logits, [2, 1], reduction="none"),
    ):
        assert np.isnan(result[0]).all()
        assert np.isfinite(result[1]).all()
    assert math.isnan(cross_entropy(logits, [0, 1]))


def test_a_single_class_costs_nothing_unless_its_logit_is_not_finite():
    assert is_plain_zero(cross_entropy([-3.0], 0))
    assert np.isnan(cross_entropy([math.nan], 0))
    assert np.isnan(cross_entropy_gradient([math.nan], 0)).all()


# What goes in


@pytest.mark.parametrize(
    "convert",
    [
        np.ndarray.tolist,
        lambda a: a.astype(np.float32),
        lambda a: a.astype(np.float16),
        lambda a: a.astype(np.int16),
        np.asfortranarray,
        lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
        lambda a: a[::-1, ::-1].copy()[::-1, ::-1],
    ],
    ids=["list", "float32", "float16", "int16", "fortran", "strided", "reversed"],
)
def test_any_kind_of_logits_gives_the_float64_result(convert):
    logits = np.random.default_rng(1).integers(-9, 9, size=(6, 50)).astype(float)
    labels = [0, 49, -100, 3, 7, -100]
    given = convert(logits)
    for function in (softmax, log_softmax):
        assert function(given).dtype == np.float64
        np.testing.assert_array_equal(function(given), function(logits))
    for function in (cross_entropy, cross_entropy_gradient):
        np.testing.assert_array_equal(function(given, labels), function(logits, labels))


@pytest.mark.parametrize("dtype", INTEGERS, ids=lambda d: d.name + d.char)
def test_labels_of_every_integer_type(dtype):
    logits = random_logits((2, BERT_VOCABULARY))
    expected = -scipy.special.log_softmax(logits, axis=-1)[[0, 1], [1, 120]]
    labels = np.array([1, 120], dtype=dtype)
    np.testing.assert_allclose(
        cross_entropy(logits, labels, reduction="none"), expected, rtol=1e-13
    )
    if dtype.kind == "i":
        labels[0] = -100
        assert cross_entropy(logits, labels) == pytest.approx(expected[1], rel=1e-13)


def test_strided_labels_and_another_ignore_index():
    labels = np.array([1, 7, -1, 7, 0, 7])[::2]
    logits = random_logits((3, 4))
    expected = -scipy.special.log_softmax(logits, axis=-1)[[0, 2], [1, 0]]
    assert cross_entropy(logits, labels, ignore_index=-1, reduction="none") == pytest.approx(
        [expected[0], 0, expected[1]], rel=1e-13
    )


def test_inputs_are_not_altered():
    logits, labels = random_logits((4, 9)), np.array([1, -100, 8, 0])
    p = np.array([0.0, 0.4, 1.0])
    before = [array.copy() for array in (logits, labels, p)]
    for array in (logits, labels, p):
        array.setflags(write=False)
    softmax(logits), log_softmax(logits), surprisal(p), perplexity(p), nats_to_bits(p)
    for reduction in ("sum", "mean"):
        cross_entropy(logits, labels, reduction=reduction)
        cross_entropy_gradient(logits, labels, reduction=reduction)
    for array, copy in zip((logits, labels, p), before, strict=True):
        np.testing.assert_array_equal(array, copy)


# Reductions: which slots count, and by what the sum is divided


def test_each_reduction_against_scipy_over_blocks_of_rows():
    logits = random_logits((3, 40, 2000))
    labels = np.random.default_rng(2).integers(2000, size=(3, 40))
    labels[:, ::3] = -100
    counts = labels != -100
    log_p = scipy.special.log_softmax(logits, axis=-1)
    picked = np.take_along_axis(log_p, np.where(counts, labels, 0)[..., None], -1)[..., 0]
    expected = np.where(counts, -picked, 0.0)
    got = cross_entropy(logits, labels, reduction="none")
    np.testing.assert_allclose(got, expected, rtol=1e-13)
    assert cross_entropy(logits, labels) == pytest.approx(expected.sum(), rel=1e-13)
    assert cross_entropy(logits, labels, reduction="mean") == pytest.approx(
        expected.sum() / counts.sum(), rel=1e-13
    )


def test_result_types():
    assert type(cross_entropy([1, 2], 0)) is float
    assert type(cross_entropy([1, 2], 0, reduction="mean")) is float
    for label, expected in ((0, 1.3133), (-100, 0.0)):
        alone = cross_entropy([1, 2], label, reduction="none")
        assert isinstance(alone, np.ndarray) and alone.shape == ()
        assert float(alone) == pytest.approx(expected, abs=FOUR_DECIMALS)


def test_mean_is_over_slots_and_not_over_rows():
    # One text with a single slot of loss 0.9163, one with three slots of 2.3026.
    logits = logits_of([[0.4, 0.5, 0.5], [0.1, 0.1, 0.1]])
    labels = [[0, -100, -100], [0, 0, 0]]
    mean = cross_entropy(logits, labels, reduction="mean")
    assert mean == pytest.approx((0.9163 + 3 * 2.3026) / 4, abs=FOUR_DECIMALS)
    assert mean != pytest.approx((0.9163 + 2.3026) / 2, abs=0.1)


@pytest.mark.parametrize("junk", [math.nan, math.inf, -math.inf])
def test_rows_with_ignored_labels_do_not_matter(junk):
    logits, labels = random_logits((3, 5)), [2, -100, 4]
    spoilt = logits.copy()
    spoilt[1] = junk
    for function in (cross_entropy, cross_entropy_gradient):
        for reduction in ("sum", "mean"):
            np.testing.assert_array_equal(
                function(spoilt, labels, reduction=reduction),
                function(logits, labels, reduction=reduction),
            )
    assert is_plain_zero(cross_entropy(spoilt, labels, reduction="none")[1])


@pytest.mark.parametrize("shape", [(5, 10), (0, 10), (2, 0, 10)])
def test_no_slot_gives_sum_zero_and_mean_nan(shape):
    logits, labels = np.zeros(shape), np.full(shape[:-1], -100)
    assert is_plain_zero(cross_entropy(logits, labels))
    assert math.isnan(cross_entropy(logits, labels, reduction="mean"))
    assert cross_entropy(logits, labels, reduction="none").tolist() == np.zeros(shape[:-1]).tolist()
    for reduction in ("sum", "mean"):
        gradient = cross_entropy_gradient(logits, labels, reduction=reduction)
        np.testing.assert_array_equal(gradient, np.zeros(shape))


def test_an_empty_list_of_labels_is_no_slots():
    assert cross_entropy(np.zeros((0, 10)), []) == 0.0


# The gradient


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_gradient_against_central_differences(reduction):
    logits = random_logits((2, 3, 5), scale=1)
    labels = np.array([[0, -100, 4], [2, 2, -100]])
    gradient = cross_entropy_gradient(logits, labels, reduction=reduction)
    step = 1e-5
    for index in np.ndindex(logits.shape):
        moved = np.zeros_like(logits)
        moved[index] = step
        rise = cross_entropy(logits + moved, labels, reduction=reduction) - cross_entropy(
            logits - moved, labels, reduction=reduction
        )
        assert gradient[index] == pytest.approx(rise / (2 * step), abs=1e-9)


@pytest.mark.parametrize("scale", [0.1, 10, 1000])
def test_gradient_rows_sum_to_zero(scale):
    logits = random_logits((4, 3, 300), scale)
    labels = np.random.default_rng(3).integers(300, size=(4, 3))
    labels[1] = -100
    gradient = cross_entropy_gradient(logits, labels)
    np.testing.assert_allclose(gradient.sum(axis=-1), 0, atol=1e-15)
    assert not gradient[1].any()
    assert not np.signbit(gradient[gradient == 0]).any()


def test_gradient_of_an_impossible_label_is_finite():
    assert cross_entropy_gradient([-math.inf, 0, 0], 0).tolist() == [-1.0, 0.5, 0.5]


# The small functions


@pytest.mark.parametrize("base", [2, math.e, 10])
def test_surprisal_in_any_base(base):
    p = np.array([1e-300, 1e-5, 0.2, 0.4, 0.9, 1 - 1e-10])
    got = surprisal(p, base)
    for value, probability in zip(got, p, strict=True):
        with mpmath.workdps(50):
            exact = -mpmath.log(mpmath.mpf(probability)) / mpmath.log(mpmath.mpf(base))
        assert relative_error(value, exact) < 1e-15
    assert type(surprisal(float(p[2]), base)) is float


@pytest.mark.parametrize("kind", [np.float16, np.float32])
@pytest.mark.parametrize("shape", [(), (3,)])
def test_the_small_functions_compute_in_float64_whatever_they_are_given(kind, shape):
    given = np.full(shape, kind(0.1))
    number = float(kind(0.1))  # in float32 it is 0.10000000149
    for function, exact in (
        (surprisal, -math.log(number)), (perplexity, math.exp(number)),
        (nats_to_bits, number / math.log(2)),
    ):
        result = function(given)
        assert np.asarray(result).dtype == np.float64
        np.testing.assert_allclose(result, exact, rtol=1e-15)


def test_surprisal_is_the_loss_of_a_softmax():
    logits = [2, 1, 0.5, -1]
    for label, printed in enumerate([0.4952, 1.4952, 1.9952, 3.4952]):
        assert surprisal(softmax(logits)[label]) == pytest.approx(printed, abs=FOUR_DECIMALS)
        assert cross_entropy(logits, label) == pytest.approx(printed, abs=FOUR_DECIMALS)


def test_uniform_loss_of_several_slots_and_of_none():
    assert uniform_loss(30_000, 2) == pytest.approx(20.6179, abs=FOUR_DECIMALS)
    assert is_plain_zero(uniform_loss(1)) and is_plain_zero(uniform_loss(30_000, 0))
    logits = np.zeros((2, 30_000))
    assert uniform_loss(30_000, 2) == pytest.approx(cross_entropy(logits, [0, 9]), rel=1e-13)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_uniform_loss_of_numpy_integers_is_a_plain_float(kind):
    assert type(uniform_loss(4, kind(2))) is type(uniform_loss(kind(4), 2)) is float
    assert uniform_loss(kind(4), kind(100)) == pytest.approx(138.62943611198906, rel=1e-15)


def test_perplexity():
    # BERT's table 6: perplexities and the losses in nats they stand for
    nats = np.array([1.7647, 1.6563, 1.5433, 1.3838, 1.2641, 1.1725])
    np.testing.assert_allclose(perplexity(nats), [5.84, 5.24, 4.68, 3.99, 3.54, 3.23], rtol=1e-4)
    assert perplexity(0.0) == 1.0 and type(perplexity(0.0)) is float
    assert perplexity(math.inf) == perplexity(1000) == perplexity(1e308) == math.inf
    assert math.isnan(perplexity(math.nan))


def test_nats_to_bits():
    assert nats_to_bits(10.308952660644293) == pytest.approx(14.8727, abs=FOUR_DECIMALS)
    assert type(nats_to_bits(1)) is float and is_plain_zero(nats_to_bits(-0.0))
    np.testing.assert_allclose(nats_to_bits([math.log(2), math.log(8)]), [1, 3], rtol=1e-15)


@pytest.mark.parametrize("logit", [-2.5, 0, 700.0])
def test_pooled_logit_stands_for_equal_words(logit):
    assert pooled_logit(logit, 30_518) == pytest.approx(
        scipy.special.logsumexp(np.full(30_518, logit)), rel=1e-14
    )
    every_word = np.array([1.0, 2.0, 0.0, 1.0, *np.full(30_518, logit)])
    pooled = [1.0, 2.0, 0.0, 1.0, pooled_logit(logit, 30_518)]
    assert cross_entropy(pooled, 1) == pytest.approx(cross_entropy(every_word, 1), rel=1e-12)


@pytest.mark.parametrize("logit", [3, math.inf])
def test_pooled_logit_of_no_words_takes_no_probability(logit):
    assert pooled_logit(logit, 0) == -math.inf
    assert pooled_logit(3, 1) == 3.0


# Faults that others have reported


def test_a_label_of_minus_one_is_refused_and_not_the_last_class():
    with pytest.raises(ValueError, match=r"label -1 at position 1 .*-100"):
        cross_entropy(np.log([[0.4, 0.3, 0.2, 0.1]] * 2), [0, -1])


def test_minus_100_is_ignored_and_not_an_index_from_the_end():
    assert cross_entropy(random_logits((1, 30_000)), [-100]) == 0.0


def test_padding_is_not_averaged_in():
    padded = logits_of([0.4, 0.2, math.exp(-5)])
    mean = cross_entropy(padded, [0, 0, -100], reduction="mean")
    assert mean == pytest.approx(1.2629, abs=FOUR_DECIMALS)  # 2.5086 with the padding


def test_unmasked_tokens_are_not_scored():
    logits, labels = logits_of([0.9, 0.4, 0.9, 0.2, 0.9, 0.9]), [-100, 0, -100, 0, -100, -100]
    assert cross_entropy(logits, labels) == pytest.approx(2.5257, abs=FOUR_DECIMALS)
    mean = cross_entropy(logits, labels, reduction="mean")
    assert mean == pytest.approx(1.2629, abs=FOUR_DECIMALS)


def test_sum_and_mean_rank_answers_of_different_length_differently():
    two_slots, one_slot = (logits_of([0.4, 0.2]), [0, 0]), (logits_of([0.1]), [0])
    assert cross_entropy(*two_slots) > cross_entropy(*one_slot)
    assert cross_entropy(*two_slots, reduction="mean") < cross_entropy(*one_slot, reduction="mean")


def test_bits_are_converted_before_the_perplexity():
    logged = 1.753  # in bits
    nats = logged * math.log(2)
    assert nats_to_bits(nats) == pytest.approx(logged, rel=1e-15)
    assert nats == pytest.approx(1.2151, abs=FOUR_DECIMALS)
    assert perplexity(nats) == pytest.approx(3.3706, abs=FOUR_DECIMALS)
    assert nats_to_bits(uniform_loss(50_265)) > 15.191  # so that value was below uniform


def test_large_logits_do_not_overflow():
    assert cross_entropy([1000, 999, 998, 0], 0) == pytest.approx(0.4076, abs=FOUR_DECIMALS)


def test_a_probability_too_small_for_float32_still_has_its_loss():
    loss = cross_entropy(np.array([0, -200, 0, 0], dtype=np.float32), 1)
    assert loss == pytest.approx(201.0986, abs=FOUR_DECIMALS)


def test_softmax_is_applied_once():
    logits = [2, 1, 0.5, -1]
    assert cross_entropy(logits, 0) == pytest.approx(0.4952, abs=FOUR_DECIMALS)
    assert cross_entropy(softmax(logits), 0) == pytest.approx(1.0520, abs=FOUR_DECIMALS)


def test_a_loss_may_exceed_the_uniform_reference():
    loss = cross_entropy([10, 0, 0, 0], 1)
    assert loss == pytest.approx(10.0001, abs=FOUR_DECIMALS)
    assert loss > uniform_loss(4)


@pytest.mark.parametrize(("label", "loss"), [(0, 0.1269), (1, 2.1269)])
def test_next_sentence_label_zero_means_it_follows(label, loss):
    assert cross_entropy([2, 0], label) == pytest.approx(loss, abs=FOUR_DECIMALS)


def test_a_zero_is_never_negative():
    zeros = [surprisal(1.0), *surprisal([1.0, 1]), cross_entropy([0, -1000], 0)]
    zeros += [log_softmax([0, -1000])[0], uniform_loss(1), nats_to_bits(0.0), pooled_logit(-0.0, 1)]
    zeros += [*cross_entropy_gradient([0, -1000], 0)]
    assert [f"{zero:.4f}" for zero in zeros] == ["0.0000"] * len(zeros)


def test_nothing_is_clipped_and_no_epsilon_added():
    assert surprisal([1.0, 0.0]).tolist() == [0.0, math.inf]
    assert cross_entropy([0, -math.inf], 0) == 0.0
    assert cross_entropy([0, -math.inf], 1) == math.inf


# Refusals name the value and what to do


FOUR = np.zeros((3, 4))
REFUSALS = {
    "label too large": (lambda: cross_entropy(FOUR, [0, 1, 4]), "label 4 at position 2", "[0, 4)"),
    "label in two axes": (lambda: cross_entropy([FOUR], [[0, 9, 1]]), "9 at position (0, 1)"),
    "single label": (lambda: cross_entropy(FOUR[0], 7), "label 7 is outside", "-100"),
    "wrapped label": (
        lambda: cross_entropy(FOUR[0], np.uint64(2**64 - 100)), "18446744073709551516"
    ),
    "gradient's label": (lambda: cross_entropy_gradient(FOUR, [0, 1, -2]), "label -2"),
    "other ignore_index": (
        lambda: cross_entropy(FOUR, [0, 1, -100], ignore_index=-1), "label -100", "or -1 where"
    ),
    "ignore_index": (
        lambda: cross_entropy(FOUR, [0, 1, 2], ignore_index=0),
        "ignore_index 0 could be a token id: choose a negative one, for example -100",
    ),
    "too few labels": (
        lambda: cross_entropy(FOUR, [0, 1]),
        "labels of shape (2,) do not fit logits of shape (3, 4): give labels of shape (3,)",
    ),
    "labels of a batch": (
        lambda: cross_entropy([FOUR, FOUR], [0, 1]), "give labels of shape (2, 3)"
    ),
    "one label for rows": (lambda: cross_entropy(FOUR, 1), "()", "(3,)"),
    "empty vocabulary": (
        lambda: softmax(np.zeros((3, 0))), "logits of shape (3, 0) hold no vocabulary: "
        "the last axis must have one score per class",
    ),
    "no axis": (lambda: log_softmax(1.0), "()", "last axis"),
    "reduction": (
        lambda: cross_entropy(FOUR, [0, 1, 2], reduction="average"),
        "reduction 'average' is unknown: choose one of 'sum', 'mean', 'none'",
    ),
    "gradient's reduction": (
        lambda: cross_entropy_gradient(FOUR, [0, 1, 2], reduction="none"),
        "reduction 'none' is unknown: choose one of 'sum', 'mean'",
    ),
    "probability above 1": (lambda: surprisal([0.5, 1.5]), "1.5", "[0, 1]"),
    "percentage": (
        lambda: surprisal(40), "probability 40.0",
        "give a share, not a percentage, a logit or a count",
    ),
    "negative probability": (lambda: surprisal(-0.25), "-0.25", "[0, 1]"),
    "probability nan": (lambda: surprisal(math.nan), "nan", "[0, 1]"),
    "base 1": (lambda: surprisal(0.5, base=1), "base 1", "2 for bits"),
    "base infinite": (lambda: surprisal(0.5, base=math.inf), "base inf", "2 for bits"),
    "base nan": (lambda: surprisal(0.5, base=math.nan), "base nan"),
    "no vocabulary": (lambda: uniform_loss(0), "vocab_size 0", "1 or more"),
    "half a word": (lambda: uniform_loss(2.5), "vocab_size 2.5", "whole number"),
    "negative slots": (lambda: uniform_loss(4, -1), "n_slots -1", "0 or more"),
    "negative words": (lambda: pooled_logit(0.0, -3), "n_words -3", "0 or more"),
    "true words": (lambda: uniform_loss(True), "vocab_size True", "whole number of 1 or more"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)


@pytest.mark.parametrize(
    "labels", [[0.0, 1.0, 2.0], [True, False, True], np.zeros(3, "float32"), np.zeros(0)]
)
def test_labels_that_are_not_integers_are_refused(labels):
    message = (r"^labels of dtype (float\d\d|bool) are no token ids: "
               r"give integers, for example labels\.astype\(int\)$")
    with pytest.raises(TypeError, match=message):
        cross_entropy(FOUR[: len(labels)], labels)


# Memory


@pytest.mark.parametrize(
    ("call", "arrays"),
    [
        (lambda logits, labels: cross_entropy(logits, labels), 0.1),
        (lambda logits, labels: softmax(logits), 1.1),
        (lambda logits, labels: log_softmax(logits), 1.1),
        (lambda logits, labels: cross_entropy_gradient(logits, labels), 2.1),
    ],
    ids=["cross_entropy", "softmax", "log_softmax", "gradient"],
)
def test_peak_memory_in_arrays_of_the_size_of_the_logits(call, arrays):
    logits = random_logits((256, 5000))
    labels = np.zeros(256, dtype=np.int64)
    tracemalloc.start()
    try:
        call(logits, labels)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < arrays * logits.nbytes
