"""Choosing and corrupting, against the published rules restated and numbers written down by hand.

Shares are compared at five standard deviations of a draw with a fixed seed: tight enough to tell
81/10/9 from 80/10/10, and never a matter of luck.
"""

import math

import numpy as np
import pytest

from mlm_helpers.losses import cross_entropy
from mlm_helpers.masking import (
    choose_positions,
    corrupt,
    drawn_branch_counts,
    expected_branch_counts,
)
from mlm_helpers.slot_counts import slot_count
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

MASK_ID = 3
SENTENCE = ["[CLS]", *("w" * 8), "[SEP]"]


def generator(seed=0):
    return np.random.default_rng(seed)


def words(count):
    return [f"w{i}" for i in range(count)]


def five_deviations(n, share):
    return 5 * math.sqrt(n * share * (1 - share))


def corrupt_all(n, vocab_size=30_522, **shares):
    token_ids = np.arange(n) % vocab_size
    return corrupt(
        token_ids, np.arange(n), mask_token_id=MASK_ID, vocab_size=vocab_size, rng=generator(),
        **shares,
    )


# Which ones


def test_positions_are_sorted_distinct_and_as_many_as_counted():
    for n in (1, 7, 30, 128, 512):
        for policy in ("page", "bert"):
            positions = choose_positions(words(n), policy, rng=generator(n))
            assert positions.dtype == np.int64
            assert (np.diff(positions) > 0).all()
            assert len(positions) == slot_count(n, policy)


@pytest.mark.parametrize("padding", [0, 6, 100])
@pytest.mark.parametrize("policy", ["page", "bert", "hugging_face"])
def test_special_tokens_are_never_chosen(policy, padding):
    tokens = SENTENCE + ["[PAD]"] * padding
    chosen = choose_positions(
        tokens, policy, mlm_probability=1, max_predictions_per_seq=512, rng=generator()
    )
    assert chosen.tolist() == list(range(1, 9))


@pytest.mark.parametrize("padding", [0, 6, 100])
def test_fairseq_takes_the_marks_of_a_sequences_ends_for_ordinary_tokens(padding):
    tokens = SENTENCE + ["[PAD]"] * padding
    chosen = choose_positions(tokens, "fairseq", mlm_probability=1, rng=generator())
    assert chosen.tolist() == list(range(10))


@pytest.mark.parametrize("padding", [0, 6, 100])
@pytest.mark.parametrize(("policy", "count"), [("page", 1), ("bert", 2)])
def test_padding_is_not_counted_but_cls_and_sep_are(policy, count, padding):
    tokens = SENTENCE + ["[PAD]"] * padding
    assert len(choose_positions(tokens, policy, rng=generator())) == count


@pytest.mark.parametrize("policy", ["page", "bert"])
def test_every_ordinary_token_is_equally_likely(policy):
    n, rng = 20_000, generator()
    times = np.zeros(10)
    for _ in range(n):
        times[choose_positions(SENTENCE, policy, rng=rng)] += 1
    share = {"page": 1, "bert": 2}[policy] / 8
    assert times[0] == times[9] == 0
    assert np.abs(times[1:9] - n * share).max() < five_deviations(n, share)


def test_independent_draws_have_no_minimum_and_no_fixed_count():
    n, rng = 20_000, generator()
    tokens = ["[CLS]", *words(10), "[SEP]"]
    counts = [len(choose_positions(tokens, "hugging_face", rng=rng)) for _ in range(n)]
    assert abs(counts.count(0) - n * 0.1969) < five_deviations(n, 0.1969)
    assert abs(sum(counts) - n * 1.5) < five_deviations(10 * n, 0.15)
    assert {len(choose_positions(tokens, "bert", rng=rng)) for _ in range(100)} == {2}


def test_independent_draws_have_no_limit():
    n = 200_000
    positions = choose_positions(words(n), "hugging_face", rng=generator())
    assert abs(len(positions) - n * 0.15) < five_deviations(n, 0.15)


@pytest.mark.parametrize("policy", ["page", "bert", "hugging_face"])
@pytest.mark.parametrize("tokens", [[], ["[CLS]", "[SEP]"], ["[CLS]", "[SEP]", "[PAD]"]])
def test_without_ordinary_tokens_nothing_is_chosen(tokens, policy):
    assert choose_positions(tokens, policy, mlm_probability=1, rng=generator()).tolist() == []


def test_a_short_text_may_have_no_slot_by_floor_but_has_one_by_bert():
    assert choose_positions(words(4), "page", rng=generator()).size == 0
    assert choose_positions(words(4), "bert", rng=generator()).size == 1


@pytest.mark.parametrize("convert", [np.array, iter], ids=["array", "generator"])
@pytest.mark.parametrize("policy", ["page", "bert", "hugging_face"])
def test_tokens_may_be_an_array_or_come_one_by_one_and_may_repeat(policy, convert):
    tokens = convert(["[CLS]", "the", "the", "[SEP]"])
    chosen = choose_positions(tokens, policy, mlm_probability=1, rng=generator())
    assert chosen.tolist() == [1, 2]


class EdgeOfTheRate:
    """Stands in for a generator: draws 0.15 itself, the number just below it, and one above."""

    def random(self, size):
        return np.array([0.15, np.nextafter(0.15, 0), 0.9])[:size]


def test_a_draw_of_the_rate_itself_chooses_no_token():
    chosen = choose_positions(words(3), "hugging_face", rng=EdgeOfTheRate())
    assert chosen.tolist() == [1]


# What the input shows


def test_branches_are_80_10_10_of_one_draw():
    n = 200_000
    drawn = drawn_branch_counts(corrupt_all(n).branches)
    for branch, share in {"mask": 0.8, "swap": 0.1, "keep": 0.1}.items():
        assert abs(drawn[branch] - n * share) < five_deviations(n, share)
    assert sum(drawn.values()) == n


def test_each_branch_shows_what_it_says():
    made = corrupt_all(50_000)
    original = np.arange(50_000) % 30_522
    np.testing.assert_array_equal(made.labels, original)
    assert (made.input_ids[made.branches == "mask"] == MASK_ID).all()
    kept = made.branches == "keep"
    np.testing.assert_array_equal(made.input_ids[kept], original[kept])
    swapped = made.branches == "swap"
    assert np.mean(made.input_ids[swapped] == original[swapped]) < 0.01


def test_a_swap_may_draw_a_special_token_or_the_original():
    n = 10_000
    made = corrupt_all(n, vocab_size=5, mask_share=0, swap_share=1)
    times = np.bincount(made.input_ids, minlength=5)
    assert np.abs(times - n / 5).max() < five_deviations(n, 0.2)
    unchanged = np.sum(made.input_ids == made.labels)
    assert abs(unchanged - n / 5) < five_deviations(n, 0.2)


@pytest.mark.parametrize(
    ("mask_share", "swap_share", "only"),
    [(1, 0, "mask"), (0, 1, "swap"), (0, 0, "keep"), (1.0, 0.0, "mask")],
)
def test_a_share_of_one_leaves_no_other_branch(mask_share, swap_share, only):
    made = corrupt_all(5_000, mask_share=mask_share, swap_share=swap_share)
    assert set(made.branches.tolist()) == {only}


class EdgeDraws:
    """Stands in for a generator: draws the edges of the branches, and 7 as a word."""

    def random(self, size):
        return np.array([0.0, np.nextafter(0.8, 0), 0.8, np.nextafter(0.9, 0), 0.9])[:size]

    def integers(self, stop, size):
        return np.full(size, 7)


def test_a_draw_on_an_edge_belongs_to_the_next_branch():
    made = corrupt([9] * 5, range(5), mask_token_id=0, vocab_size=10, rng=EdgeDraws())
    assert made.branches.tolist() == ["mask", "mask", "swap", "swap", "keep"]
    assert made.input_ids.tolist() == [0, 0, 7, 7, 9]


def test_only_the_chosen_token_has_a_label():
    made = corrupt([5, 6, 7], [1], mask_token_id=0, vocab_size=8, rng=generator())
    assert made.labels.tolist() == [-100, 6, -100]
    assert made.masked_positions.tolist() == [1]


def test_the_loss_counts_the_chosen_slots_only():
    made = corrupt(range(6), [4, 1], mask_token_id=0, vocab_size=8, rng=generator())
    loss = cross_entropy(np.zeros((6, 8)), made.labels)
    assert loss == pytest.approx(2 * math.log(8), rel=1e-14)


def test_kept_and_swapped_slots_have_labels_too():
    made = corrupt_all(1000)
    assert len(set(made.branches.tolist())) == 3
    assert (made.labels != -100).all()


def test_no_positions_leave_the_input_as_it_is():
    made = corrupt([5, 6], [], mask_token_id=0, vocab_size=8, rng=generator(), ignore_index=-1)
    assert made.input_ids.tolist() == [5, 6]
    assert made.labels.tolist() == [-1, -1]
    assert made.masked_positions.tolist() == made.branches.tolist() == []


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "int64", "uint64"])
def test_ids_of_any_integer_type_are_left_alone(dtype):
    token_ids, positions = np.arange(6, dtype=dtype), np.array([5, 0], dtype=dtype)
    for array in (token_ids, positions):
        array.setflags(write=False)
    made = corrupt(token_ids, positions, mask_token_id=7, vocab_size=30_522, rng=generator())
    assert token_ids.tolist() == [0, 1, 2, 3, 4, 5]
    assert made.labels.tolist() == [0, -100, -100, -100, -100, 5]
    assert made.input_ids.dtype == made.labels.dtype == made.masked_positions.dtype == np.int64
    assert not np.shares_memory(made.input_ids, token_ids)
    assert not np.shares_memory(made.masked_positions, positions)


def test_the_same_seed_gives_the_same_result_and_another_seed_another():
    def run(seed):
        rng = generator(seed)
        positions = choose_positions(words(2000), "hugging_face", rng=rng)
        return corrupt(
            np.arange(2000), positions, mask_token_id=0, vocab_size=2000, rng=rng
        ).input_ids.tolist()

    assert run(1) == run(1) != run(2)


def test_other_shares_do_not_move_the_draws():
    fewer, more = corrupt_all(2000, mask_share=0.5, swap_share=0.5), corrupt_all(2000)
    both = (fewer.branches == "swap") & (more.branches == "swap")
    assert both.sum() > 100
    np.testing.assert_array_equal(fewer.input_ids[both], more.input_ids[both])


# Expected and drawn counts


def test_expected_counts_are_exact_in_decimals_and_complete():
    assert expected_branch_counts(300_000_000) == {"mask": 240e6, "swap": 30e6, "keep": 30e6}
    assert expected_branch_counts(1) == {"mask": 0.8, "swap": 0.1, "keep": 0.1}
    assert list(expected_branch_counts(19, 0.7, 0.2).values()) == [13.3, 3.8, 1.9]
    assert expected_branch_counts(0) == {"mask": 0.0, "swap": 0.0, "keep": 0.0}
    # As a float64, the float32 0.8 is 0.80000001192.
    shares = map(np.float32, (0.8, 0.1))
    assert expected_branch_counts(15, *shares) == {"mask": 12.0, "swap": 1.5, "keep": 1.5}


def test_drawn_counts_are_in_order_and_plain_integers():
    drawn = drawn_branch_counts(np.array(["keep", "mask", "keep"]))
    assert list(drawn.items()) == [("mask", 1), ("swap", 0), ("keep", 2)]
    assert {type(count) for count in drawn.values()} == {int}
    assert drawn_branch_counts([]) == {"mask": 0, "swap": 0, "keep": 0}


# Refusals name the value and what to do


def choose_badly(tokens=("a",), policy="bert", **options):
    return choose_positions(tokens, policy, rng=generator(), **options)


def corrupt_badly(token_ids=(1, 2, 3), positions=(1,), **changes):
    given = {"mask_token_id": 0, "vocab_size": 5, "rng": generator()} | changes
    return corrupt(token_ids, positions, **given)


REFUSALS = {
    "unknown policy of choice": (
        lambda: choose_badly(policy="roberta"), "policy 'roberta' is unknown", "'bert'"
    ),
    "negative rate": (
        lambda: choose_badly(mlm_probability=-0.1), "mlm_probability -0.1", "[0, 1]"
    ),
    "cap": (
        lambda: choose_badly(policy="fairseq", max_predictions_per_seq=-1),
        "max_predictions_per_seq -1", "0 or more",
    ),
    "share above 1": (
        lambda: corrupt_badly(mask_share=1.5, swap_share=0), "mask_share 1.5 is outside [0, 1]"
    ),
    "negative share": (lambda: corrupt_badly(swap_share=-0.1), "swap_share -0.1", "[0, 1]"),
    "shares above 1": (
        lambda: corrupt_badly(mask_share=0.8, swap_share=0.3), "0.8", "0.3", "1.1", "at most 1"
    ),
    "position beyond": (
        lambda: corrupt_badly(positions=[0, 3]),
        "masked position 3 at index 1 is outside [0, 3): count tokens from 0",
    ),
    "negative position": (lambda: corrupt_badly(positions=[-1]), "position -1", "from 0"),
    "repeated position": (
        lambda: corrupt_badly(positions=[2, 1, 2]),
        "masked position 2 occurs more than once: give each position once",
    ),
    "mask id beyond": (
        lambda: corrupt_badly(mask_token_id=5),
        "mask_token_id 5 is outside [0, 5): give the id of [MASK], or the true vocab_size",
    ),
    "mask id negative": (lambda: corrupt_badly(mask_token_id=-1), "mask_token_id -1", "[0, 5)"),
    "mask id true": (lambda: corrupt_badly(mask_token_id=True), "mask_token_id True"),
    "mask id a fraction": (lambda: corrupt_badly(mask_token_id=1.5), "mask_token_id 1.5"),
    "id beyond": (
        lambda: corrupt_badly([1, 2, 9]), "token id 9 at index 2 is outside [0, 5): correct it,",
        "correct it, or give the true vocab_size",
    ),
    "id ignored already": (lambda: corrupt_badly([-100, 2]), "token id -100 at index 0"),
    "batch of ids": (
        lambda: corrupt_badly([[1, 2], [3, 4]]), "(2, 2)", "sequence: give a flat list of integers"
    ),
    "single position": (lambda: corrupt_badly(positions=1), "masked_positions of shape ()"),
    "no vocabulary": (lambda: corrupt_badly(vocab_size=0), "vocab_size 0", "1 or more"),
    "ignore_index": (
        lambda: corrupt_badly(ignore_index=0),
        "ignore_index 0 could be a token id: choose a negative integer, for example -100",
    ),
    "negative slots": (lambda: expected_branch_counts(-1), "n_slots -1", "0 or more"),
    "expected shares": (lambda: expected_branch_counts(1, 0.9, 0.2), "0.9", "0.2", "1.1"),
    "branch of another type": (lambda: drawn_branch_counts(["mask", 3, "x"]), "'3'", "'keep'"),
    "unknown branch": (
        lambda: drawn_branch_counts(["mask", "drop"]), "'drop'", "only 'mask', 'swap', 'keep'"
    ),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: corrupt_badly([1.0, 2.0]), r"token_ids of dtype float64.* values\.astype\(int\)$"),
        (lambda: corrupt_badly(positions=[True, False]), r"bool.* np\.flatnonzero\(chosen\)$"),
        (lambda: corrupt_badly(positions=np.zeros(0)), r"masked_positions of dtype float64"),
        (lambda: choose_badly("the cat"), r"'the cat'.*, for example tokens\.split\(\)$"),
        (lambda: choose_badly(["[CLS]", 7]), r"token 7 at index 1 .*: give the tokens themselves"),
    ],
    ids=["float ids", "boolean positions", "no positions", "one string", "ids for tokens"],
)
def test_a_wrong_type_is_refused_with_a_remedy(call, message):
    with pytest.raises(TypeError, match=message):
        call()
