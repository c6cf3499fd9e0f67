"""How many slots: the published rules restated, scipy's binomial, and numbers written by hand.

Drawn counts are compared with the laws at five standard deviations, with a fixed seed.
"""

import math
from dataclasses import FrozenInstanceError
from fractions import Fraction

import numpy as np
import pytest
import scipy

from mlm_helpers.checks import exact
from mlm_helpers.masking import choose_positions
from mlm_helpers.slot_counts import (
    DRAWN_POLICIES,
    POLICIES,
    draw_slot_counts,
    slot_count,
    slot_count_law,
)
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

FOUR_DECIMALS = 5e-5
LENGTHS = range(1, 513)
RATES = (0, 1e-5, 0.15, 0.29, 0.4, 0.999, 1)


def generator(seed=0):
    return np.random.default_rng(seed)


def numbers(law):
    return law.mean, law.standard_deviation, law.no_slot


def fairseq_outcomes(n_tokens, percentage):
    """The counts that rounding by chance can give, each with its chance, in whole percentages."""
    whole, part = divmod(percentage * n_tokens, 100)
    return {whole: Fraction(100 - part, 100), whole + 1: Fraction(part, 100)}


# Fixed counts


@pytest.mark.parametrize("cap", [20, 77, 512])
def test_bert_slot_counts_are_those_of_the_published_rule(cap):
    for n in LENGTHS:
        published = min(cap, max(1, int(round(n * 0.15))))
        assert slot_count(n, "bert", max_predictions_per_seq=cap) == published, n


def test_bert_slot_counts_written_down():
    rounded = {1: 1, 3: 1, 6: 1, 7: 1, 10: 2, 12: 2, 20: 3, 30: 4, 50: 8, 64: 10, 100: 15, 128: 19}
    assert {n: slot_count(n, "bert") for n in rounded} == rounded
    assert slot_count(512, "bert") == 20
    assert slot_count(512, "bert", max_predictions_per_seq=77) == 77
    assert slot_count(0, "bert") == 1


def test_a_half_goes_to_the_even_number_and_not_always_up():
    differ = [
        n for n in LENGTHS
        if slot_count(n, "bert", max_predictions_per_seq=512) != max(1, (15 * n + 50) // 100)
    ]
    assert differ == [30, 70, 110, 150, 190, 230, 270, 310, 350, 390, 430, 470, 510]


def test_the_cap_comes_after_the_least_of_one():
    assert slot_count(100, "bert", max_predictions_per_seq=0) == 0
    assert slot_count(3, "bert", mlm_probability=0, max_predictions_per_seq=1) == 1
    assert [slot_count(512, "bert", max_predictions_per_seq=cap) for cap in (76, 77, 78)] == [
        76, 77, 77
    ]


def test_floor_is_taken_of_the_decimal_product():
    for n in range(513):
        assert slot_count(n, "page") == 15 * n // 100
        assert slot_count(n, "page", mlm_probability=0.29) == 29 * n // 100
    assert slot_count(2_000_000_000, "page") == 300_000_000
    assert slot_count(10**13 + 7, "page") == 1_500_000_000_001
    assert [slot_count(9, "page", mlm_probability=p) for p in (0, 1, 1e-5)] == [0, 9, 0]


def test_bert_does_not_take_the_floor():
    floor, rounded = (
        [slot_count(n, policy, max_predictions_per_seq=512) for n in LENGTHS]
        for policy in ("page", "bert")
    )
    assert sum(f != r for f, r in zip(floor, rounded, strict=True)) == 246


@pytest.mark.parametrize("policy", ["page", "bert"])
@pytest.mark.parametrize(
    "rate", [0.15, np.float64(0.15), np.float32(0.15), np.float16(0.15), Fraction(3, 20)]
)
def test_a_rate_of_any_precision_is_the_decimal_that_it_is_written_as(policy, rate):
    # As a float64, the float32 0.15 is 0.15000000596, and 30 times that is no half any more.
    assert exact(rate) == Fraction(3, 20)
    assert slot_count(30, policy, mlm_probability=rate) == 4


def test_equal_numbers_of_different_precision_are_written_differently_and_kept_apart():
    single = np.float32(0.1)
    assert single == float(single)
    assert exact(single) == Fraction("0.1")
    assert exact(float(single)) == Fraction("0.10000000149011612")


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_fixed_counts_of_numpy_integers_are_plain_integers(kind):
    for policy, count in (("page", 15), ("bert", 9)):
        slots = slot_count(kind(100), policy, max_predictions_per_seq=kind(9))
        assert (type(slots), slots) == (int, count)


# What is known before the draw


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("n_special", [0, 2])
def test_independent_draws_are_binomial_over_the_ordinary_tokens(n_special, rate):
    for n in (2, 3, 12, 128, 512):
        law = slot_count_law(n, "hugging_face", n_special=n_special, mlm_probability=rate)
        reference = scipy.stats.binom(n - n_special, rate)
        expected = (reference.mean(), reference.std(), reference.pmf(0))
        assert numbers(law) == pytest.approx(expected, rel=1e-12, abs=1e-15)


def test_chance_of_no_slot_among_independent_draws_written_down():
    written = {1: 0.85, 2: 0.7225, 4: 0.5220, 5: 0.4437, 8: 0.2725, 10: 0.1969, 16: 0.0743,
               20: 0.0388, 30: 0.0076}
    for n, chance in written.items():
        for n_special in (0, 2):
            law = slot_count_law(n + n_special, "hugging_face", n_special=n_special)
            assert law.no_slot == pytest.approx(chance, abs=FOUR_DECIMALS)


def test_independent_draws_need_29_ordinary_tokens_to_be_99_percent_sure_of_a_slot():
    chances = [slot_count_law(n, "hugging_face").no_slot for n in (28, 29)]
    assert chances[0] > 0.01 > chances[1]


@pytest.mark.parametrize("percentage", [0, 1, 15, 29, 50, 100])
def test_rounding_by_chance_has_the_right_mean_and_two_outcomes(percentage):
    for n in range(200):
        outcomes = fairseq_outcomes(n, percentage)
        mean = sum(count * chance for count, chance in outcomes.items())
        variance = sum((count - mean) ** 2 * chance for count, chance in outcomes.items())
        law = slot_count_law(n, "fairseq", mlm_probability=percentage / 100)
        assert mean == Fraction(percentage * n, 100)
        assert numbers(law) == pytest.approx(
            (float(mean), math.sqrt(variance), float(outcomes.get(0, 0))), rel=1e-15
        )


def test_fairseq_laws_written_down():
    assert numbers(slot_count_law(30, "fairseq")) == (4.5, 0.5, 0.0)
    assert {n: slot_count_law(n, "fairseq").no_slot for n in (3, 6)} == {3: 0.55, 6: 0.1}
    assert {slot_count_law(n, "fairseq").no_slot for n in range(7, 513)} == {0.0}
    assert all(slot_count_law(n, "fairseq").no_slot > 0 for n in range(7))


def test_fairseq_counts_its_special_tokens_as_well():
    assert slot_count_law(3, "fairseq", n_special=2) == slot_count_law(3, "fairseq")


@pytest.mark.parametrize(
    ("n_tokens", "policy", "options", "expected"),
    [
        (4, "page", {}, (0.0, 0.0, 1.0)),
        (10, "page", {}, (1.0, 0.0, 0.0)),
        (12, "bert", {"n_special": 2}, (2.0, 0.0, 0.0)),
        (3, "bert", {"n_special": 2}, (1.0, 0.0, 0.0)),
        (2, "bert", {"n_special": 2}, (0.0, 0.0, 1.0)),
        (512, "bert", {"n_special": 3}, (20.0, 0.0, 0.0)),
        (9, "page", {"n_special": 8, "mlm_probability": 1}, (1.0, 0.0, 0.0)),
        (9, "bert", {"max_predictions_per_seq": 0}, (0.0, 0.0, 1.0)),
    ],
)
def test_a_fixed_count_has_no_scatter_and_ends_at_the_ordinary_tokens(
    n_tokens, policy, options, expected
):
    assert numbers(slot_count_law(n_tokens, policy, **options)) == expected


@pytest.mark.parametrize("policy", POLICIES)
def test_bounds_of_the_laws(policy):
    least = 1.0 if policy == "bert" else 0.0
    never = slot_count_law(20, policy, mlm_probability=0)
    always = slot_count_law(20, policy, mlm_probability=1)
    assert numbers(never) == (least, 0.0, 1.0 - least)
    assert numbers(always) == (20.0, 0.0, 0.0)
    assert numbers(slot_count_law(0, policy)) == (0.0, 0.0, 1.0)
    if policy != "fairseq":
        assert numbers(slot_count_law(20, policy, n_special=20)) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64, np.uint64])
def test_laws_of_numpy_integers_are_those_of_plain_ones(policy, kind):
    law = slot_count_law(kind(100), policy, n_special=kind(3), mlm_probability=np.float32(0.15))
    assert law == slot_count_law(100, policy, n_special=3)
    assert {type(number) for number in numbers(law)} == {float}


def test_a_corpus_of_any_size_has_a_law():
    assert numbers(slot_count_law(10**13, "hugging_face")) == pytest.approx(
        (1.5e12, math.sqrt(10**13 * 0.1275), 0.0), rel=1e-15
    )
    assert numbers(slot_count_law(10**13 + 1, "fairseq")) == pytest.approx(
        (1.5e12, math.sqrt(0.1275), 0.0), rel=1e-12
    )


# Drawn counts


@pytest.mark.parametrize(("n_tokens", "n_special"), [(4, 0), (12, 2), (30, 2), (128, 3)])
def test_independent_draws_fall_as_the_binomial_says(n_tokens, n_special):
    n = 50_000
    counts = draw_slot_counts(n, n_tokens, "hugging_face", n_special=n_special, rng=generator())
    times = np.bincount(counts, minlength=n_tokens - n_special + 1)
    chances = scipy.stats.binom.pmf(np.arange(times.size), n_tokens - n_special, 0.15)
    assert (np.abs(times - n * chances) <= 5 * np.sqrt(n * chances * (1 - chances)) + 1).all()


@pytest.mark.parametrize("n_tokens", [1, 3, 6, 7, 20, 30, 128, 512])
def test_rounding_by_chance_draws_its_two_counts_as_often_as_it_should(n_tokens):
    n = 50_000
    counts = draw_slot_counts(n, n_tokens, "fairseq", rng=generator())
    outcomes = fairseq_outcomes(n_tokens, 15)
    assert set(counts.tolist()) == {count for count, chance in outcomes.items() if chance}
    for count, chance in outcomes.items():
        allowed = 5 * math.sqrt(n * chance * (1 - chance))
        assert abs((counts == count).sum() - n * chance) <= allowed


@pytest.mark.parametrize("policy", DRAWN_POLICIES)
@pytest.mark.parametrize("rate", [0.05, 0.15, 0.4])
def test_drawn_counts_agree_with_their_law(policy, rate):
    n = 50_000
    options = {"n_special": 2, "mlm_probability": rate}
    law = slot_count_law(19, policy, **options)
    counts = draw_slot_counts(n, 19, policy, rng=generator(), **options)
    assert abs(counts.mean() - law.mean) <= 5 * law.standard_deviation / math.sqrt(n)
    assert counts.std() == pytest.approx(law.standard_deviation, rel=0.03)
    none = n * law.no_slot
    assert abs((counts == 0).sum() - none) <= 5 * math.sqrt(none * (1 - law.no_slot))


def test_as_many_positions_are_chosen_as_the_law_of_rounding_by_chance_says():
    n, rng = 5_000, generator()
    tokens = ["[CLS]", *("w" * 28), "[SEP]", *["[PAD]"] * 9]
    counts = [choose_positions(tokens, "fairseq", rng=rng).size for _ in range(n)]
    assert set(counts) == {4, 5}
    assert abs(counts.count(4) - n / 2) <= 5 * math.sqrt(n / 4)


@pytest.mark.parametrize("policy", DRAWN_POLICIES)
def test_the_same_seed_gives_the_same_counts_and_another_seed_others(policy):
    def run(seed):
        return draw_slot_counts(1000, 30, policy, rng=generator(seed)).tolist()

    assert run(1) == run(1) != run(2)


@pytest.mark.parametrize("policy", DRAWN_POLICIES)
@pytest.mark.parametrize("kind", [int, np.uint8, np.int64])
def test_drawn_counts_are_int64_and_one_per_sequence(policy, kind):
    counts = draw_slot_counts(kind(7), kind(30), policy, n_special=kind(2), rng=generator())
    assert (counts.dtype, counts.shape) == (np.int64, (7,))
    assert draw_slot_counts(kind(0), kind(30), policy, rng=generator()).shape == (0,)


@pytest.mark.parametrize(("n_sequences", "n_tokens"), [(600, 500), (3, 2**17 + 1), (5, 1), (4, 0)])
def test_tossing_in_blocks_gives_the_draws_of_one_large_table(n_sequences, n_tokens):
    table = generator(3).random((n_sequences, n_tokens)) < 0.15
    counts = draw_slot_counts(n_sequences, n_tokens, "hugging_face", rng=generator(3))
    np.testing.assert_array_equal(counts, table.sum(axis=1))


def test_a_law_cannot_be_altered():
    with pytest.raises(FrozenInstanceError):
        slot_count_law(4, "page").mean = 1.0


class EdgeOfTheRate:
    """Stands in for a generator: each row holds 0.15 itself, the number just below it, and 0.9."""

    def random(self, size):
        return np.tile([0.15, np.nextafter(0.15, 0), 0.9], (size[0], 1))


def test_a_draw_of_the_rate_itself_makes_no_slot():
    counts = draw_slot_counts(2, 3, "hugging_face", rng=EdgeOfTheRate())
    assert counts.tolist() == [1, 1]


@pytest.mark.parametrize("policy", DRAWN_POLICIES)
def test_bounds_of_the_draws(policy):
    def drawn(n_tokens, **options):
        return set(draw_slot_counts(1000, n_tokens, policy, rng=generator(), **options).tolist())

    assert drawn(20, mlm_probability=0) == {0}
    assert drawn(20, mlm_probability=1) == {20}
    assert drawn(0) == {0}
    specials_count = {0} if policy == "hugging_face" else {20}
    assert drawn(20, n_special=20, mlm_probability=1) == specials_count


# Refusals name the value and what to do


def law(n_tokens=9, policy="hugging_face", **options):
    return slot_count_law(n_tokens, policy, **options)


def draw(n_sequences=5, n_tokens=9, policy="fairseq", **options):
    return draw_slot_counts(n_sequences, n_tokens, policy, rng=generator(), **options)


REFUSALS = {
    "negative length": (lambda: slot_count(-1, "page"), "n_tokens -1", "0 or more"),
    "half a token": (lambda: slot_count(2.5, "bert"), "n_tokens 2.5", "whole number"),
    "length of numpy": (lambda: slot_count(np.int64(-1), "bert"), "n_tokens -1 is", "0 or more"),
    "length nan": (lambda: slot_count(math.nan, "bert"), "n_tokens nan", "whole number"),
    "length as text": (lambda: slot_count("12", "bert"), "n_tokens '12'", "whole number"),
    "rate above 1": (lambda: slot_count(9, "bert", mlm_probability=15), "15", "[0, 1]", "0.15"),
    "length true": (lambda: slot_count(True, "bert"), "n_tokens True", "whole number"),
    "rate true": (
        lambda: slot_count(9, "bert", mlm_probability=True), "mlm_probability True", "0.15"
    ),
    "rate as text": (
        lambda: slot_count(9, "page", mlm_probability="0.2"), "mlm_probability '0.2' is no number",
        "for example 0.15",
    ),
    "no rate": (lambda: slot_count(9, "page", mlm_probability=None), "None is no number", "0.15"),
    "rate just above 1": (
        lambda: slot_count(9, "page", mlm_probability=1.0000001), "1.0000001 is outside [0, 1]"
    ),
    "rate nan": (lambda: slot_count(9, "page", mlm_probability=math.nan), "nan", "[0, 1]"),
    "negative cap": (
        lambda: slot_count(9, "bert", max_predictions_per_seq=-2), "max_predictions_per_seq -2",
        "0 or more",
    ),
    "drawn number": (
        lambda: slot_count(9, "hugging_face"), "'hugging_face'",
        "no fixed one: slot_count_law gives the mean",
    ),
    "drawn by fairseq": (lambda: slot_count(9, "fairseq"), "'fairseq'", "slot_count_law"),
    "unknown policy": (
        lambda: slot_count(9, "floor"), "policy 'floor' is unknown", "'page'", "'hugging_face'"
    ),
    "law's policy": (
        lambda: law(policy="google"), "policy 'google' is unknown", "'bert'", "'fairseq'"
    ),
    "law's length": (lambda: law(n_tokens=-3), "n_tokens -3", "0 or more"),
    "law's length infinite": (lambda: law(n_tokens=math.inf), "n_tokens inf", "whole number"),
    "law's specials": (lambda: law(n_special=-1), "n_special -1", "0 or more"),
    "law's rate": (lambda: law(mlm_probability=-0.1), "mlm_probability -0.1", "[0, 1]"),
    "law's cap": (lambda: law(policy="bert", max_predictions_per_seq=1.5), "1.5", "whole number"),
    "law's cap though without use": (
        lambda: law(max_predictions_per_seq=-2), "max_predictions_per_seq -2", "0 or more"
    ),
    "more specials than tokens": (lambda: law(n_special=10), "n_special 10", "9 tokens", "0 to 9"),
    "specials of an unsigned": (
        lambda: law(n_tokens=np.uint8(2), n_special=np.uint8(3)), "n_special 3", "0 to 2"
    ),
    "draw of a fixed number": (
        lambda: draw(policy="bert"), "policy 'bert' is unknown", "'hugging_face', 'fairseq'"
    ),
    "draw's sequences": (lambda: draw(n_sequences=-1), "n_sequences -1", "0 or more"),
    "draw's length": (lambda: draw(n_tokens=1.5), "n_tokens 1.5", "whole number"),
    "draw's specials": (lambda: draw(n_special=10), "n_special 10", "0 to 9"),
    "draw's negative specials": (lambda: draw(n_special=-1), "n_special -1", "0 or more"),
    "draw's rate": (lambda: draw(mlm_probability=math.inf), "mlm_probability inf", "[0, 1]"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)
