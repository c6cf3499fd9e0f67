"""The slots of a corpus, against literals, scipy's distributions, and sums over its sequences."""

import math
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy

from explorer_promises import n_operations
from mlm_helpers.corpus import (
    CORPUS_POLICIES,
    Expected,
    corpus_counts,
    rounded_quotas,
    sequence_slots,
)
from mlm_helpers.examples import WORD_PROBLEM
from mlm_helpers.slot_counts import slot_count_law
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

PER_SEQUENCE = CORPUS_POLICIES[1:]
SPLITS = [("0.8", "0.1", "0.1"), ("1", "0", "0"), ("0", "0.8", "0.2"), ("0.333", "0.333", "0.334")]
ANSWERS = WORD_PROBLEM.answers


def means(counts):
    return [counts.n_slots, *(branch.mean for branch in counts.branches.values())]


def deviations(counts):
    return [branch.standard_deviation for branch in counts.branches.values()]


# The word problem


def test_the_source_pages_numbers_are_exact_integers():
    counts = corpus_counts(WORD_PROBLEM.n_tokens, "share", shares=WORD_PROBLEM.shares,
                           mlm_probability=WORD_PROBLEM.mlm_probability)
    assert means(counts) == [300_000_000, 240_000_000, 30_000_000, 30_000_000]
    assert means(counts) == [ANSWERS[name] for name in ("slots", "mask", "swap", "keep")]
    assert all(type(number) is int for number in means(counts))
    assert [round(sd) for sd in deviations(counts)] == [6_928, 5_196, 5_196]
    assert list(counts.branches) == ["mask", "swap", "keep"]
    assert (counts.n_sequences, counts.slots.standard_deviation) == (None, 0)


def test_sequences_of_128_under_berts_rounding():
    counts = corpus_counts(2_000_000_000, "bert", sequence_length=128)
    assert means(counts) == [296_875_000, 237_500_000, 29_687_500, 29_687_500]
    assert (counts.n_slots, counts.n_sequences) == (ANSWERS["bert_slots"], 15_625_000)


def test_sequences_of_512_with_at_most_20_slots():
    counts = corpus_counts(2_000_000_000, "bert", sequence_length=512)
    assert counts.n_slots == ANSWERS["capped_slots"] == 78_125_000
    assert counts.share(counts.slots) == 0.0390625
    uncapped = corpus_counts(2_000_000_000, "bert", sequence_length=512,
                             max_predictions_per_seq=77)
    assert uncapped.n_slots == 77 * 3_906_250


def test_berts_own_corpora():
    assert corpus_counts(3_300_000_000, "share").n_slots == 495_000_000


def test_a_coin_per_token_scatters_the_slots_too():
    counts = corpus_counts(2_000_000_000, "hugging_face", sequence_length=128)
    assert means(counts) == [300_000_000, 240_000_000, 30_000_000, 30_000_000]
    assert round(counts.slots.standard_deviation) == 15_969  # sqrt(2e9 · 0.15 · 0.85)
    assert [round(sd) for sd in deviations(counts)] == [14_533, 5_436, 5_436]


# Restated


@pytest.mark.parametrize("split", SPLITS, ids="/".join)
@pytest.mark.parametrize("rate", ["0", "0.15", "0.29", "1"])
@pytest.mark.parametrize("n_tokens", [0, 1, 1001, 2_000_000_000])
def test_the_plain_share_is_a_product_of_fractions(n_tokens, rate, split):
    counts = corpus_counts(n_tokens, "share", mlm_probability=float(rate),
                           shares=tuple(map(float, split)))
    n_slots = Fraction(rate) * n_tokens
    assert means(counts) == [n_slots, *(n_slots * Fraction(share) for share in split)]
    assert sum(means(counts)[1:]) == n_slots
    for branch, share in zip(counts.branches.values(), map(Fraction, split), strict=True):
        assert branch.variance == n_slots * share * (1 - share)


@pytest.mark.parametrize("policy", PER_SEQUENCE)
@pytest.mark.parametrize("rate", [0, 0.15, 0.29, 1])
@pytest.mark.parametrize("n_tokens", [0, 1, 7, 8, 9, 100, 1001])
def test_a_corpus_is_the_sum_over_its_sequences(n_tokens, rate, policy):
    counts = corpus_counts(n_tokens, policy, sequence_length=8, mlm_probability=rate)
    lengths = [8] * (n_tokens // 8) + [n_tokens % 8] * (n_tokens % 8 > 0)
    laws = [slot_count_law(length, policy, mlm_probability=rate) for length in lengths]
    assert counts.n_sequences == len(lengths)
    assert float(counts.n_slots) == pytest.approx(sum(law.mean for law in laws), abs=1e-9)
    assert float(counts.slots.variance) == pytest.approx(
        sum(law.standard_deviation**2 for law in laws), abs=1e-9)
    assert sum(means(counts)[1:]) == counts.n_slots


def test_the_last_sequence_is_rounded_by_its_own_length():
    full = corpus_counts(1280, "bert", sequence_length=128).n_slots
    assert full == 190
    lasts = [corpus_counts(1280 + rest, "bert", sequence_length=128).n_slots - full
             for rest in (0, 1, 10, 30, 127)]
    assert lasts == [0, 1, 2, 4, 19]
    assert corpus_counts(100, "page", sequence_length=128).n_slots == 15


@pytest.mark.parametrize("policy", PER_SEQUENCE)
def test_one_sequence_is_what_slot_counts_says(policy):
    for n_tokens in range(1, 200):
        slots, law = sequence_slots(n_tokens, policy), slot_count_law(n_tokens, policy)
        assert (float(slots.mean), slots.standard_deviation) == pytest.approx(
            (law.mean, law.standard_deviation), abs=1e-12)


@pytest.mark.parametrize("policy", CORPUS_POLICIES)
def test_a_sequence_of_nothing_has_no_slots_though_bert_asks_for_one(policy):
    assert sequence_slots(0, policy) == Expected(0)


@pytest.mark.parametrize("share", [0, 0.1, 0.8, 1])
def test_a_branch_of_a_fixed_number_is_binomial(share):
    branch = Expected(300).branch(Fraction(str(share)))
    exact = scipy.stats.binom(300, share)
    assert (float(branch.mean), branch.standard_deviation) == pytest.approx(
        (exact.mean(), exact.std()), abs=1e-9)


@pytest.mark.parametrize("n_tokens", [1, 30, 1001])
def test_a_branch_of_coins_is_binomial_in_the_tokens(n_tokens):
    counts = corpus_counts(n_tokens, "hugging_face", sequence_length=128, mlm_probability=0.15)
    for branch, share in zip(counts.branches.values(), (0.8, 0.1, 0.1), strict=True):
        exact = scipy.stats.binom(n_tokens, 0.15 * share)
        assert (float(branch.mean), branch.standard_deviation) == pytest.approx(
            (exact.mean(), exact.std()), rel=1e-12)


@pytest.mark.parametrize("share", [0.1, 0.8])
def test_a_branch_of_a_number_rounded_by_chance_is_a_mixture(share):
    """fairseq in 30 tokens: 4 or 5 slots, each in half of the draws."""
    mixture = np.zeros(6)
    for n_slots in (4, 5):
        mixture[: n_slots + 1] += 0.5 * scipy.stats.binom(n_slots, share).pmf(range(n_slots + 1))
    mean = mixture @ np.arange(6)
    branch = sequence_slots(30, "fairseq").branch(Fraction(str(share)))
    assert float(branch.mean) == pytest.approx(mean)
    assert float(branch.variance) == pytest.approx(mixture @ (np.arange(6) - mean) ** 2)


# Ten trillion


@pytest.mark.parametrize("policy", CORPUS_POLICIES)
def test_ten_trillion_and_one_tokens_are_counted_exactly(policy):
    """Floats would do: they have 53 bits, and 0.15 · 10 000 000 000 001 needs a decimal too."""
    n_tokens = 10**13 + 1
    counts = corpus_counts(n_tokens, policy, sequence_length=128)
    share = Fraction(15, 100) * n_tokens
    n_full, rest = divmod(n_tokens, 128)
    assert rest == 1
    assert counts.n_slots == {"page": 19 * n_full, "bert": 19 * n_full + 1}.get(policy, share)
    assert sum(means(counts)[1:]) == counts.n_slots


@pytest.mark.parametrize("policy", CORPUS_POLICIES)
def test_ten_trillion_tokens_cost_no_more_than_a_thousand(policy):
    small, large = (n_operations(lambda n=n: corpus_counts(n, policy, sequence_length=125))
                    for n in (1000, 10**13))
    assert 10 < large <= 1.3 * small


def test_numpy_integers_are_counted_as_exactly():
    n_tokens = np.int64(10**13 + 1)
    assert corpus_counts(n_tokens, "share") == corpus_counts(int(n_tokens), "share")
    assert type(corpus_counts(n_tokens, "share").n_tokens) is int


# Quotas


def test_quotas_of_15_and_19_slots_written_down():
    assert rounded_quotas(15, rounding="int") == (12, 1, 1)
    assert rounded_quotas(15, rounding="round") == (12, 2, 2)
    assert rounded_quotas(19, rounding="int") == (15, 1, 1)
    assert rounded_quotas(19, rounding="round") == (15, 2, 2)
    assert rounded_quotas(25) == (20, 2, 2)  # from halfway to the even one, as Python rounds
    assert rounded_quotas(15) == rounded_quotas(15, (0.8, 0.1, 0.1), "round")


@pytest.mark.parametrize("split", SPLITS, ids="/".join)
@pytest.mark.parametrize(("rounding", "way"), [("int", ROUND_FLOOR), ("round", ROUND_HALF_EVEN)])
def test_quotas_are_rounded_decimals(split, rounding, way):
    for n_slots in range(200):
        expected = [int((n_slots * Decimal(share)).quantize(Decimal(1), way)) for share in split]
        assert list(rounded_quotas(n_slots, tuple(map(float, split)), rounding)) == expected


def test_cutting_off_never_gives_too_many_and_most_numbers_of_slots_too_few():
    missing = [n - sum(rounded_quotas(n, rounding="int")) for n in range(1000)]
    assert (min(missing), max(missing), sum(m > 0 for m in missing)) == (0, 2, 900)


# Shares and refusals


def test_an_empty_corpus_has_no_slots_and_no_share():
    counts = corpus_counts(0, "bert", sequence_length=128)
    assert (counts.n_sequences, counts.n_slots, counts.share(counts.slots)) == (0, 0, 0.0)


def test_thirds_can_be_given_as_fractions():
    counts = corpus_counts(1000, "share", shares=(Fraction(1, 3),) * 3)
    assert means(counts) == [150, 50, 50, 50]


REFUSALS = {
    "too much": (dict(shares=(0.8, 0.2, 0.2)), "0.8, 0.2, 0.2", "add up to 1.2", "up to 1, as 0.8"),
    "too little": (dict(shares=(0.8, 0.1, 0)), "0.8, 0.1, 0", "add up to 0.9", "0.8, 0.1, 0.1"),
    "per cent": (dict(shares=(80, 10, 10)), "share of mask 80", "[0, 1]", "0.15"),
    "nan": (dict(shares=(0.8, math.nan, 0.1)), "share of swap nan", "[0, 1]"),
    "two shares": (dict(shares=(0.8, 0.2)), "0.8, 0.2", "2 in number", "mask, swap, keep"),
    "rate": (dict(mlm_probability=15), "mlm_probability 15", "[0, 1]", "0.15"),
    "size": (dict(n_tokens=-1), "n_tokens -1", "0 or more"),
    "half a token": (dict(n_tokens=2e9), "n_tokens 2000000000.0", "whole number"),
    "policy": (dict(policy="google"), "'google'", "'share'", "'fairseq'"),
    "no length": (dict(policy="bert"), "'bert'", "give sequence_length, for example 128"),
    "length": (dict(policy="page", sequence_length=0), "sequence_length 0", "1 or more"),
    "cap": (dict(policy="bert", sequence_length=8, max_predictions_per_seq=-1),
            "max_predictions_per_seq -1", "0 or more"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_refusals_name_the_value_and_the_remedy(case):
    changes, *parts = case
    given = {"n_tokens": 1000, "policy": "share", **changes}
    assert_refused(lambda: corpus_counts(**given), *parts)


def test_quotas_refuse_what_cannot_be():
    assert_refused(lambda: rounded_quotas(-1), "n_slots -1", "0 or more")
    assert_refused(lambda: rounded_quotas(15, rounding="up"), "'up'", "'int'", "'round'")
    assert_refused(lambda: rounded_quotas(15, (0.8, 0.2, 0.2)), "add up to 1.2", "0.8, 0.1, 0.1")
