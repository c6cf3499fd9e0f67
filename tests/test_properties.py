"""What holds for any input, with inputs that hypothesis looks for: any shape, type and layout.

The examples are the same whenever the same code is run. Losses and gradients are held against
mpmath in 50 digits, counts against exact fractions.
"""

import math
from fractions import Fraction

import hypothesis.extra.numpy as arrays
import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

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
from mlm_helpers.masking import (
    BRANCHES,
    choose_positions,
    corrupt,
    drawn_branch_counts,
    expected_branch_counts,
)
from mlm_helpers.pretraining import pretraining_loss
from mlm_helpers.reductions import REDUCTIONS, reduce_losses, reduced_uniform
from mlm_helpers.slot_counts import (
    DRAWN_POLICIES,
    FIXED_POLICIES,
    POLICIES,
    draw_slot_counts,
    slot_count,
    slot_count_law,
)
from mlm_helpers.slots import Slot

pytestmark = pytest.mark.filterwarnings("error")

settings.register_profile("fixed", derandomize=True, deadline=None, max_examples=50,
                          suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("fixed")

INTEGERS = [np.dtype(code) for code in "bhilqBHILQ"]
FLOATS = [np.dtype(code) for code in "efd"]
SEEDS = st.integers(0, 2**32)


def generator(seed):
    return np.random.default_rng(seed)


# Any logits and labels


def numbers(dtype):
    """Logits of one type: ordinary ones, and the extremes that it can hold."""
    if dtype.kind == "f":
        most = 1e8 if dtype.itemsize > 2 else 6e4  # float16 ends there
        extremes = [0.0, -0.0, 1000.0, -1000.0, most, -most, -math.inf]
        return st.floats(-30, 30, width=8 * dtype.itemsize) | st.sampled_from(extremes)
    info = np.iinfo(dtype)
    return st.integers(max(info.min, -(10**8)), min(info.max, 10**8))


LAYOUTS = {
    "plain": lambda array: array,
    "transposed": lambda array: array.T.copy().T,
    "strided": lambda array: np.repeat(array, 2, axis=-1)[..., ::2],
    "reversed": lambda array: array[..., ::-1].copy()[..., ::-1],
}


@st.composite
def laid_out(draw, array):
    """The same numbers, in memory in some other way; nobody may write to them."""
    if array.ndim:
        array = LAYOUTS[draw(st.sampled_from(sorted(LAYOUTS)))](array)
    array.setflags(write=False)
    return array


@st.composite
def logits_arrays(draw, dtypes=(*INTEGERS, *FLOATS), elements=numbers):
    """Any number of axes before the vocabulary, some of them empty; a softmax in each row."""
    leading = draw(st.lists(st.integers(0, 3), max_size=3))
    dtype = draw(st.sampled_from(dtypes))
    shape = (*leading, draw(st.integers(1, 5)))
    array = draw(arrays.arrays(dtype, shape, elements=elements(dtype)))
    if dtype.kind == "f":
        array[(array == -np.inf).all(axis=-1)] = 0
    return draw(laid_out(array))


@st.composite
def batches(draw, dtypes=(*INTEGERS, *FLOATS), elements=numbers):
    """Logits with labels that fit: any integer type, ignored ones where it has a sign."""
    logits = draw(logits_arrays(dtypes, elements))
    dtype = draw(st.sampled_from(INTEGERS))
    labels = st.integers(0, logits.shape[-1] - 1)
    if dtype.kind == "i":
        labels |= st.just(-100)
    return logits, draw(laid_out(draw(arrays.arrays(dtype, logits.shape[:-1], elements=labels))))


def exact(row, label):
    """Loss and gradient of one slot in 50 digits, from the row's numbers as float64."""
    with mpmath.workdps(50):
        row = [mpmath.mpf(float(z)) for z in row]
        peak = row.index(max(row))
        weights = [mpmath.exp(z - row[peak]) for z in row]
        rest = mpmath.fsum(weights[:peak] + weights[peak + 1 :])
        gradient = [weight / (1 + rest) for weight in weights]
        gradient[label] = -mpmath.fsum(gradient[:label] + gradient[label + 1 :])
        loss = mpmath.log1p(rest) + (row[peak] - row[label])
        return float(loss), [float(slope) for slope in gradient]


def counted(logits, labels):
    """The slots that count: index, row and label of each."""
    return [(index, logits[index], int(labels[index]))
            for index in np.ndindex(labels.shape) if labels[index] != -100]


def near(expected, rel=1e-12):
    """Within a relative error, down to where a float has no digits left."""
    return pytest.approx(expected, rel=rel, abs=1e-300)


@given(logits_arrays())
def test_softmax_gives_shares_that_add_up_to_one(logits):
    shares = softmax(logits)
    assert shares.dtype == np.float64 and shares.shape == logits.shape
    assert ((shares >= 0) & (shares <= 1)).all()
    np.testing.assert_allclose(shares.sum(axis=-1), 1, rtol=2e-15)


@given(logits_arrays(dtypes=INTEGERS), st.integers(-(2**40), 2**40))
def test_softmax_does_not_see_a_number_added_to_all_logits(logits, shift):
    shifted = logits.astype(float) + shift  # exact, so the results are the same to the last bit
    np.testing.assert_array_equal(softmax(shifted), softmax(logits))
    np.testing.assert_array_equal(log_softmax(shifted), log_softmax(logits))


@given(logits_arrays())
def test_log_softmax_is_the_logarithm_of_softmax_as_far_as_that_is_known(logits):
    shares, logs = softmax(logits), log_softmax(logits)
    assert logs.shape == logits.shape and (logs <= 0).all()
    known = shares > 1e-300
    np.testing.assert_allclose(logs[known], np.log(shares[known]), rtol=1e-12, atol=1e-15)
    assert (logs[~known] < -690).all()


@given(batches())
def test_cross_entropy_of_each_slot_is_the_exact_one(batch):
    logits, labels = batch
    losses = cross_entropy(logits, labels, reduction="none")
    assert losses.shape == labels.shape and losses.dtype == np.float64
    expected = np.zeros(labels.shape)
    for index, row, label in counted(logits, labels):
        expected[index] = exact(row, label)[0]
    assert losses == near(expected)
    assert not np.signbit(losses).any()


@given(batches())
def test_sum_and_mean_are_those_of_the_slots_that_count(batch):
    losses = cross_entropy(*batch, reduction="none")
    n_slots = len(counted(*batch))
    total = cross_entropy(*batch)
    mean = cross_entropy(*batch, reduction="mean")
    assert type(total) is type(mean) is float
    assert total == near(math.fsum(losses.flat), rel=1e-14)
    if n_slots:
        assert mean == near(math.fsum(losses.flat) / n_slots, rel=1e-14)
    else:
        assert math.isnan(mean)


@given(batches())
def test_gradient_is_the_exact_one_and_its_rows_add_up_to_zero(batch):
    logits, labels = batch
    gradient = cross_entropy_gradient(logits, labels)
    assert gradient.shape == logits.shape and gradient.dtype == np.float64
    expected = np.zeros(logits.shape)
    slots = counted(logits, labels)
    for index, row, label in slots:
        expected[index] = exact(row, label)[1]
    assert gradient == near(expected)
    np.testing.assert_allclose(gradient.sum(axis=-1), 0, atol=1e-15)
    mean = cross_entropy_gradient(logits, labels, reduction="mean")
    np.testing.assert_allclose(mean * len(slots), gradient, rtol=1e-15, atol=1e-300)


@given(batches([np.dtype(float)], lambda dtype: st.floats(-5, 5)),
       st.sampled_from(["sum", "mean"]))
def test_gradient_is_the_slope_of_the_loss(batch, reduction):
    logits, labels = batch
    assume(counted(logits, labels))
    gradient = cross_entropy_gradient(logits, labels, reduction=reduction)
    step = 1e-5
    for index in np.ndindex(logits.shape):
        up, down = np.array(logits), np.array(logits)
        up[index] += step
        down[index] -= step
        rise = (cross_entropy(up, labels, reduction=reduction)
                - cross_entropy(down, labels, reduction=reduction))
        assert gradient[index] == pytest.approx(rise / (2 * step), abs=1e-9)


@given(batches(FLOATS), st.sampled_from([math.nan, math.inf, -math.inf]))
def test_rows_that_do_not_count_may_hold_anything(batch, junk):
    logits, labels = batch
    spoilt = np.array(logits)
    spoilt[labels == -100] = junk
    np.testing.assert_array_equal(cross_entropy_gradient(spoilt, labels),
                                  cross_entropy_gradient(logits, labels))
    for reduction in ("sum", "mean", "none"):
        np.testing.assert_array_equal(cross_entropy(spoilt, labels, reduction=reduction),
                                      cross_entropy(logits, labels, reduction=reduction))


@given(batches())
def test_no_input_is_altered(batch):
    logits, labels = batch
    before = logits.copy(), labels.copy()
    softmax(logits), log_softmax(logits)
    cross_entropy(logits, labels), cross_entropy_gradient(logits, labels)
    np.testing.assert_array_equal(logits, before[0])
    np.testing.assert_array_equal(labels, before[1])


@given(batches(), st.sampled_from([-1, 0, 7, 2**31]))
def test_a_label_outside_the_vocabulary_is_refused_wherever_it_stands(batch, offset):
    logits, labels = batch
    assume(labels.size)
    beyond = labels.astype(np.int64)
    beyond.flat[-1] = -1 if offset < 0 else logits.shape[-1] + offset
    for function in (cross_entropy, cross_entropy_gradient):
        with pytest.raises(ValueError, match=f"label {beyond.flat[-1]} "):
            function(logits, beyond)


# The small functions


PROBABILITIES = st.floats(0, 1) | st.sampled_from([0.0, 1.0, 5e-324, 1 - 2**-53])


@given(PROBABILITIES, st.sampled_from([2, math.e, 10, 1.5]))
def test_surprisal_is_the_exact_logarithm(probability, base):
    with mpmath.workdps(50):
        expected = float(-mpmath.log(probability) / mpmath.log(base)) if probability else math.inf
    assert surprisal(probability, base) == near(expected, rel=1e-15)
    assert not math.copysign(1, surprisal(probability, base)) < 0


@given(PROBABILITIES.filter(lambda probability: probability > 1e-300))
def test_perplexity_of_a_surprisal_is_one_in_so_many(probability):
    loss = surprisal(probability)
    assert perplexity(loss) == pytest.approx(1 / probability, rel=1e-12)
    assert nats_to_bits(loss) == near(surprisal(probability, base=2), rel=4e-16)


@given(st.integers(1, 40), st.integers(0, 40))
def test_a_uniform_guess_is_a_row_of_equal_logits(vocab_size, n_slots):
    rows = np.zeros((n_slots, vocab_size))
    loss = cross_entropy(rows, np.zeros(n_slots, dtype=int))
    assert uniform_loss(vocab_size, n_slots) == near(loss, rel=1e-13)


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=4), st.floats(-20, 20),
       st.integers(0, 50), st.data())
def test_a_slot_is_the_whole_vocabulary_and_its_own(logits, rest_logit, n_rest, data):
    label = data.draw(st.integers(0, len(logits) - 1))
    whole = np.array([*logits, *[rest_logit] * n_rest])
    words, given_logits = ["w"] * len(logits), list(logits)
    slot = Slot(words, given_logits, label, vocab_size=whole.size, rest_logit=rest_logit)
    words.clear(), given_logits.clear()  # what was given may change later
    assert slot == Slot(("w",) * len(logits), tuple(logits), label, vocab_size=whole.size,
                        rest_logit=rest_logit)
    loss, gradient = exact(whole, label)
    assert slot.loss == near(loss)
    assert slot.pooled_logits.size == len(logits) + (n_rest > 0)
    assert slot.gradient[: len(logits)] == near(np.array(gradient[: len(logits)]))
    assert slot.probabilities.sum() == pytest.approx(1, rel=1e-15)
    if n_rest:
        assert slot.pooled_logits[-1] == pooled_logit(rest_logit, n_rest)


# From several losses to one number


LOSSES = st.lists(st.floats(0, 1e6), max_size=8)


@given(LOSSES, st.integers(0, 20))
def test_every_reduction_is_the_sum_divided_by_something(losses, others):
    n_slots = len(losses)
    total = sum(map(Fraction, losses))
    divisors = {"sum": 1, "mean": n_slots, "bert_mean": n_slots + Fraction("0.00001"),
                "token_mean": n_slots + others}
    for reduction in REDUCTIONS:
        divisor = divisors[reduction]
        reduced = reduce_losses(losses, reduction, n_tokens=n_slots + others)
        uniform = reduced_uniform(7, n_slots, reduction, n_tokens=n_slots + others)
        if divisor:
            assert reduced == near(float(total / divisor), rel=1e-15)
            assert uniform == near(float(n_slots / Fraction(divisor)) * math.log(7), rel=1e-15)
        else:
            assert math.isnan(reduced) and math.isnan(uniform)


@given(LOSSES, st.none() | st.floats(0, 1e6), st.sampled_from(["sum", "mean", "bert_mean"]))
def test_the_whole_loss_is_its_parts(losses, next_sentence, reduction):
    loss = pretraining_loss(losses, next_sentence, reduction=reduction)
    masked = reduce_losses(losses, reduction) if losses else 0.0
    assert (loss.masked_lm, loss.next_sentence) == (masked, next_sentence)
    assert loss.n_slots == len(losses)
    assert loss.total == masked + (next_sentence or 0)
    if loss.total:
        assert 0 <= loss.next_sentence_share <= 1
        assert loss.next_sentence_share * loss.total == near(next_sentence or 0, rel=1e-15)
    else:
        assert math.isnan(loss.next_sentence_share)


# How many slots


SHARES = st.integers(0, 10_000).map(lambda n: n / 10_000)


@given(st.integers(0, 2000), SHARES, st.integers(0, 500))
def test_fixed_counts_stay_within_their_bounds(n_tokens, share, cap):
    product = Fraction(str(share)) * n_tokens
    page, bert = (
        slot_count(n_tokens, policy, mlm_probability=share, max_predictions_per_seq=cap)
        for policy in FIXED_POLICIES
    )
    assert type(page) is type(bert) is int
    assert 0 <= page <= product < page + 1
    assert min(1, cap) <= bert <= cap
    half = Fraction(1, 2)
    assert bert in (0, 1, cap) or abs(bert - product) <= half
    assert bert != 1 or cap == 1 or product <= 1 + half
    assert bert != cap or cap <= 1 or product >= cap - half


@st.composite
def lengths(draw):
    """Number of tokens, and how many of them are special."""
    n_tokens = draw(st.integers(0, 300))
    return n_tokens, draw(st.integers(0, n_tokens))


@given(lengths(), SHARES, st.sampled_from(POLICIES), st.integers(0, 60))
def test_every_law_stays_within_its_sequence(length, share, policy, cap):
    n_tokens, n_special = length
    law = slot_count_law(n_tokens, policy, n_special=n_special, mlm_probability=share,
                         max_predictions_per_seq=cap)
    most = n_tokens if policy == "fairseq" else n_tokens - n_special
    assert 0 <= law.mean <= most
    assert 0 <= law.no_slot <= 1
    assert law.no_slot >= 1 - law.mean - 1e-12  # Markov: at least one slot costs that much mean
    assert 0 <= law.standard_deviation <= most / 2 + 1e-12  # Popoviciu
    assert (law.no_slot == 1) == (law.mean == 0)


@given(lengths(), SHARES, st.sampled_from(DRAWN_POLICIES), SEEDS)
def test_drawn_counts_stay_within_their_sequence_and_follow_the_seed(length, share, policy, seed):
    n_tokens, n_special = length
    first, again = (
        draw_slot_counts(20, n_tokens, policy, n_special=n_special, mlm_probability=share,
                         rng=generator(seed))
        for _ in range(2)
    )
    assert first.shape == (20,) and first.dtype == np.int64
    np.testing.assert_array_equal(first, again)
    if policy == "hugging_face":
        assert (first >= 0).all() and (first <= n_tokens - n_special).all()
    else:
        product = Fraction(str(share)) * n_tokens
        assert set(first.tolist()) <= {math.floor(product), math.ceil(product)}


# Which ones, and what the input shows


TOKENS = st.lists(st.sampled_from(["[CLS]", "[SEP]", "[PAD]", "[UNK]", "[MASK]", "the", "##s", ""]),
                  max_size=40)


@given(TOKENS, SHARES, st.sampled_from(POLICIES), st.integers(0, 30), SEEDS)
def test_positions_are_sorted_distinct_ordinary_and_follow_the_seed(
    tokens, share, policy, cap, seed
):
    positions, again = (
        choose_positions(given_as(tokens), policy, mlm_probability=share,
                         max_predictions_per_seq=cap, rng=generator(seed))
        for given_as in (list, iter)
    )
    assert positions.dtype == np.int64
    np.testing.assert_array_equal(positions, again)
    assert positions.tolist() == sorted(set(positions.tolist()))
    never = {"[PAD]"} if policy == "fairseq" else {"[CLS]", "[SEP]", "[PAD]"}
    allowed = [index for index, token in enumerate(tokens) if token not in never]
    assert set(positions.tolist()) <= set(allowed)
    n_tokens = len(tokens) - tokens.count("[PAD]")
    if policy in FIXED_POLICIES:
        n_slots = slot_count(n_tokens, policy, mlm_probability=share, max_predictions_per_seq=cap)
        assert positions.size == min(n_slots, len(allowed))
    elif policy == "fairseq":
        product = Fraction(str(share)) * n_tokens
        assert math.floor(product) <= positions.size <= math.ceil(product)


@st.composite
def corruptions(draw):
    """A sequence of ids and positions of any integer type, shares, and a seed."""
    vocab_size = draw(st.integers(1, 100))
    ids = draw(st.lists(st.integers(0, vocab_size - 1), max_size=12))
    positions = draw(st.permutations(range(len(ids))))[: draw(st.integers(0, len(ids)))]
    mask_share = draw(SHARES)
    swap_share = draw(SHARES.filter(lambda share: mask_share + share <= 1))
    id_type, position_type = (draw(st.sampled_from(INTEGERS)) for _ in range(2))
    options = {
        "mask_token_id": draw(st.integers(0, vocab_size - 1)), "vocab_size": vocab_size,
        "mask_share": mask_share, "swap_share": swap_share,
        "ignore_index": draw(st.integers(-1000, -1)),
    }
    return (draw(laid_out(np.array(ids, dtype=id_type))),
            draw(laid_out(np.array(positions, dtype=position_type))), options, draw(SEEDS))


@given(corruptions())
def test_only_chosen_positions_change_and_only_they_have_labels(case):
    token_ids, positions, options, seed = case
    made = corrupt(token_ids, positions, rng=generator(seed), **options)
    chosen = np.isin(np.arange(token_ids.size), positions)
    np.testing.assert_array_equal(made.input_ids[~chosen], token_ids[~chosen])
    np.testing.assert_array_equal(made.labels[chosen], token_ids[chosen])
    assert (made.labels[~chosen] == options["ignore_index"]).all()
    np.testing.assert_array_equal(made.masked_positions, positions)
    assert {array.dtype for array in made[:3]} == {np.dtype(np.int64)}
    assert ((made.input_ids >= 0) & (made.input_ids < options["vocab_size"])).all()


@given(corruptions())
def test_each_branch_shows_what_it_says_and_has_a_chance(case):
    token_ids, positions, options, seed = case
    made = corrupt(token_ids, positions, rng=generator(seed), **options)
    shown = made.input_ids[positions]
    assert (shown[made.branches == "mask"] == options["mask_token_id"]).all()
    kept = made.branches == "keep"
    np.testing.assert_array_equal(shown[kept], token_ids[positions][kept])
    shares = (options["mask_share"], options["swap_share"],
              1 - Fraction(str(options["mask_share"])) - Fraction(str(options["swap_share"])))
    drawn = drawn_branch_counts(made.branches)
    assert sum(drawn.values()) == positions.size
    assert {branch for branch, share in zip(BRANCHES, shares, strict=True) if not share} <= {
        branch for branch, number in drawn.items() if not number
    }


@given(corruptions())
def test_the_same_seed_gives_the_same_corruption(case):
    token_ids, positions, options, seed = case
    first, again = (
        corrupt(ids, places, rng=generator(seed), **options)
        for ids, places in ((token_ids, positions), (token_ids.tolist(), positions.tolist()))
    )
    for one, other in zip(first, again, strict=True):
        np.testing.assert_array_equal(one, other)


@given(st.integers(0, 10**12), SHARES, SHARES)
def test_expected_counts_are_shares_and_complete(n_slots, mask_share, swap_share):
    assume(Fraction(str(mask_share)) + Fraction(str(swap_share)) <= 1)
    counts = expected_branch_counts(n_slots, mask_share, swap_share)
    first, second = Fraction(str(mask_share)), Fraction(str(swap_share))
    exact_counts = (first * n_slots, second * n_slots, (1 - first - second) * n_slots)
    assert list(counts) == list(BRANCHES)
    assert list(counts.values()) == [float(count) for count in exact_counts]
