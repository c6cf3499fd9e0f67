"""Splits in exact fractions: checked, moved, rounded, and read from what readers type."""

import random
from fractions import Fraction
from itertools import permutations

import pytest

from mlm_helpers.splits import exact_split, moved_split, read_split, rounded_split, share_of
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

TENTHS = (Fraction(8, 10), Fraction(1, 10), Fraction(1, 10))


def random_moves(n_moves, seed=0):
    """Which share is set, and to what: whole per cents, ends, and numbers in between."""
    rng = random.Random(seed)
    for _ in range(n_moves):
        percent = rng.choice([0, 100, rng.randrange(101), rng.uniform(0, 100), 100 / 3])
        yield rng.randrange(3), share_of(percent)


# Exact


@pytest.mark.parametrize("shares", [(0.8, 0.1, 0.1), [0.7, 0.2, 0.1], (1, 0, 0), (0.5, 0.25, 0.25),
                                    (0.1, 0.2, 0.7), (Fraction(1, 3),) * 3, (1e-9, 0, 0.999999999)])
def test_decimals_that_add_up_are_taken_exactly(shares):
    """As floats 0.7 + 0.2 + 0.1 are less than 1."""
    assert exact_split(shares) == tuple(Fraction(str(share)) for share in shares)
    assert sum(exact_split(shares)) == 1


@pytest.mark.parametrize("shares", [*permutations((0.8, 0.2, 0.2)), (0.8, 0.1, 0.1000001)])
def test_a_wrong_sum_is_refused_with_the_three_the_sum_and_the_remedy(shares):
    total = "1.0000001" if 0.1000001 in shares else "1.2"
    assert_refused(lambda: exact_split(shares), ", ".join(map(str, shares)),
                   f"add up to {total}", "give three that add up to 1", "0.8, 0.1, 0.1")


# Moved


def test_the_others_keep_their_proportion():
    assert moved_split(TENTHS, 0, Fraction(7, 10)) == (
        Fraction(7, 10), Fraction(15, 100), Fraction(15, 100))
    assert moved_split(TENTHS, 1, Fraction(1, 2)) == (
        Fraction(4, 9), Fraction(1, 2), Fraction(1, 18))
    assert moved_split(TENTHS, 2, Fraction(1)) == (0, 0, 1)


@pytest.mark.parametrize("index", range(3))
def test_where_the_others_are_zero_they_share_alike(index):
    split = tuple(Fraction(int(place == index)) for place in range(3))
    moved = moved_split(split, index, Fraction(6, 10))
    assert moved == tuple(Fraction(6 if place == index else 2, 10) for place in range(3))


def test_a_zero_stays_zero_while_another_can_grow():
    assert moved_split((Fraction(4, 5), Fraction(1, 5), Fraction(0)), 0, Fraction(0)) == (0, 1, 0)


def test_a_walk_never_leaves_the_splits():
    split = TENTHS
    for index, share in random_moves(2000):
        split = moved_split(split, index, share)
        assert split[index] == share and sum(split) == 1 and min(split) >= 0


def test_there_and_back_is_where_one_was():
    there = moved_split(TENTHS, 1, Fraction(99, 100))
    assert moved_split(there, 1, Fraction(1, 10)) == TENTHS


# Rounded


def test_rounded_shares_add_up_as_decimals_and_the_set_one_stands():
    split = TENTHS
    for index, share in random_moves(2000, seed=1):
        split = moved_split(split, index, share)
        shown = rounded_split(split, index)
        assert sum(exact_split(shown)) == 1 and shown[index] == float(share)
        for rounded, exact in zip(exact_split(shown), split, strict=True):
            assert (10**6 * rounded).denominator == 1
            assert abs(rounded - exact) <= Fraction(1, 2 * 10**6)


@pytest.mark.parametrize(("percent", "share"), [
    (80, "0.8"), (12.5, "0.125"), (33.3333, "0.333333"), (33.33333333, "0.333333"), (0, "0"),
    (100.0, "1"), (7.0, "0.07")])
def test_per_cents_become_shares_of_six_decimals(percent, share):
    assert share_of(percent) == Fraction(share)


# Typed


@pytest.mark.parametrize("text", [
    "80/10/10", "80 10 10", "0.8/0.1/0.1", "80,10,10", "80, 10, 10", "0,8/0,1/0,1", "0,8 0,1 0,1",
    " 80 / 10 / 10 ", "80 % / 10 % / 10 %", "80%/10%/10%", "80;10;10", "80:10:10", "80|10|10",
    "80.0/10.00/10.", ".8/.1/.1", "80\t10\n10", "080/10/10"])
def test_a_split_can_be_typed_in_many_ways(text):
    assert read_split(text) == TENTHS


@pytest.mark.parametrize(("text", "split"), [
    ("100/0/0", (1, 0, 0)), ("1/0/0", (1, 0, 0)), ("0 0 1", (0, 0, 1)), ("0/0/100", (0, 0, 1)),
    ("12.5/12.5/75", (Fraction(1, 8), Fraction(1, 8), Fraction(3, 4))),
    ("33.33/33.33/33.34", (Fraction(3333, 10_000), Fraction(3333, 10_000), Fraction(1667, 5000)))])
def test_parts_of_a_hundred_and_parts_of_one(text, split):
    assert read_split(text) == split


REFUSALS = {
    "80/20/20": ("80/20/20 adds up to 120", "must add up to 100 (or to 1)"),
    "0.8/0.2/0.2": ("0.8/0.2/0.2 adds up to 1.2:", "100 (or to 1)"),
    "80/10/9": ("80/10/9 adds up to 99:", "100 (or to 1)"),
    "33.33333/33.33333/33.33333": ("adds up to 99.99999:", "100 (or to 1)"),
    "8/1/1": ("8/1/1 adds up to 10:", "100 (or to 1)"),
    "0/0/0": ("0/0/0 adds up to 0:", "100 (or to 1)"),
    "500/500/0": ("500/500/0 adds up to 1000:", "100 (or to 1)"),
    "-10/10/100": ("-10/10/100 has a part below 0", "0 or more"),
    "−10/10/100": ("−10/10/100 has a part below 0", "0 or more"),
    "80/20": ("“80/20” is not three numbers", "such as 80/10/10"),
    "80/10/5/5": ("“80/10/5/5” is not three numbers", "such as 80/10/10"),
    "80": ("“80” is not three numbers", "such as 80/10/10"),
    "": ("“␣” is not three numbers", "such as 80/10/10"),
    " / / ": ("“/ /” is not three numbers", "such as 80/10/10"),
    "a/b/c": ("“a/b/c” is not three numbers", "such as 80/10/10"),
    "nan/1/0": ("“nan/1/0” is not three numbers", "such as 80/10/10"),
    "inf/0/0": ("“inf/0/0” is not three numbers", "such as 80/10/10"),
    "1e99999999/0/0": ("“1e99999999/0/0” is not three numbers", "such as 80/10/10"),
    "²/0/0": ("“²/0/0” is not three numbers", "such as 80/10/10"),
    "<b>80</b>/10/10": ("“<b>80</b>/10/10” is not three numbers", "such as 80/10/10"),
    "9" * 5000: ("“99999", "…” is not three numbers", "such as 80/10/10"),
}


@pytest.mark.parametrize(("text", "parts"), REFUSALS.items(), ids=lambda text: ascii(text)[:30])
def test_what_is_no_split_is_refused_with_its_text_and_the_remedy(text, parts):
    assert_refused(lambda: read_split(text), *parts)
