"""Whole texts, cut and masked, against the cutting rule restated and counts worked out by hand."""

import numpy as np
import pytest

from mlm_helpers.masked_text import mask_text
from mlm_helpers.slot_counts import POLICIES
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

SPECIAL = {"[CLS]", "[SEP]"}


def words(count):
    return [f"w{i}" for i in range(count)]


def masked(tokens, policy, seed=0, **options):
    return mask_text(tokens, policy, rng=np.random.default_rng(seed), **options)


# Cutting


@pytest.mark.parametrize(
    ("policy", "n_words", "lengths"),
    [
        ("page", 0, []),
        ("page", 128, [128]),
        ("page", 129, [128, 1]),
        ("bert", 0, []),
        ("bert", 1, [3]),
        ("bert", 126, [128]),
        ("bert", 127, [128, 3]),
        ("hugging_face", 252, [128, 128]),
        ("hugging_face", 253, [128, 128, 3]),
    ],
)
def test_sequences_of_128_tokens_with_their_special_tokens(policy, n_words, lengths):
    result = masked(words(n_words), policy)
    assert result.n_sequences == len(lengths)
    assert len(result.original) == len(result.shown) == sum(lengths)
    rest = iter(words(n_words))
    for start, length in zip(np.cumsum([0, *lengths]), lengths, strict=False):
        sequence = result.original[start:start + length]
        if policy != "page":
            assert (sequence[0], sequence[-1]) == ("[CLS]", "[SEP]")
            sequence = sequence[1:-1]
        assert sequence == [next(rest) for _ in sequence]
    assert not list(rest)


def test_another_sequence_length():
    original = masked(words(7), "bert", sequence_length=5).original
    assert " ".join(original) == "[CLS] w0 w1 w2 [SEP] [CLS] w3 w4 w5 [SEP] [CLS] w6 [SEP]"


# Choosing


@pytest.mark.parametrize(
    ("policy", "n_words", "rate", "n_slots"),
    [
        ("page", 4, 0.15, 0),
        ("page", 256, 0.15, 2 * 19),
        ("page", 257, 0.15, 2 * 19),
        ("bert", 1, 0.15, 1),
        ("bert", 252, 0.15, 2 * 19),
        ("bert", 253, 0.15, 2 * 19 + 1),
        ("bert", 252, 0.9, 2 * 20),
        ("bert", 252, 0.0, 2 * 1),
        ("hugging_face", 300, 0.0, 0),
        ("hugging_face", 300, 1.0, 300),
        ("page", 300, 1.0, 300),
        ("bert", 0, 0.15, 0),
    ],
)
def test_number_of_slots_sequence_by_sequence(policy, n_words, rate, n_slots):
    result = masked(words(n_words), policy, mlm_probability=rate)
    assert len(result.branches) == sum(result.branch_counts.values()) == n_slots


def test_independent_coins_scatter_around_the_rate():
    result = masked(words(20_000), "hugging_face")
    assert abs(len(result.branches) - 3000) < 5 * (20_000 * 0.15 * 0.85) ** 0.5


@pytest.mark.parametrize("policy", POLICIES)
def test_special_tokens_are_chosen_by_fairseq_alone_and_only_chosen_positions_change(policy):
    result = masked(words(3000), policy, mlm_probability=1.0)
    chosen = {result.original[position] for position in result.branches}
    assert SPECIAL & chosen == (SPECIAL if policy == "fairseq" else set())
    for position, (before, after) in enumerate(zip(result.original, result.shown, strict=True)):
        if result.branches.get(position) == "mask":
            assert after == "[MASK]"
        elif result.branches.get(position) != "swap":
            assert after == before


def test_every_sequence_has_slots_of_its_own():
    result = masked(words(126 * 40), "bert")
    per_sequence = np.bincount(np.array(list(result.branches)) // 128, minlength=40)
    assert per_sequence.tolist() == [19] * 40


# Corrupting


def test_branches_fall_80_10_10():
    counts = masked(words(50_000), "page", mlm_probability=1.0).branch_counts
    for branch, share in {"mask": 0.8, "swap": 0.1, "keep": 0.1}.items():
        assert abs(counts[branch] - 50_000 * share) < 5 * (50_000 * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("tokens", [["a", "b"] * 2000, ["a", "[MASK]"] * 2000],
                         ids=["plain", "with [MASK] in the text"])
def test_swaps_are_drawn_evenly_from_the_different_words_of_the_text_and_mask(tokens):
    result = masked(tokens, "page", mlm_probability=1.0, seed=1)
    swapped = [result.shown[i] for i, branch in result.branches.items() if branch == "swap"]
    vocabulary = {"[MASK]", *tokens}
    assert set(swapped) == vocabulary
    share = 1 / len(vocabulary)
    for word in vocabulary:
        deviation = (len(swapped) * share * (1 - share)) ** 0.5
        assert abs(swapped.count(word) - len(swapped) * share) < 5 * deviation


@pytest.mark.parametrize("policy", POLICIES)
def test_the_same_seed_gives_the_same_result_and_another_seed_another(policy):
    tokens = words(500)
    assert masked(tokens, policy) == masked(tokens, policy)
    assert masked(tokens, policy, seed=1) != masked(tokens, policy)


def test_the_tokens_given_are_not_altered():
    tokens = words(300)
    masked(tokens, "bert", mlm_probability=1.0)
    assert tokens == words(300)


# Refusals


@pytest.mark.parametrize("tokens", [[], ["cat"]], ids=["no token", "one token"])
@pytest.mark.parametrize(
    ("options", "parts"),
    [
        ({"policy": "bart"}, ("'bart'", "'bert'")),
        ({"policy": "bert", "mlm_probability": 1.5}, ("1.5", "[0, 1]")),
        ({"policy": "bert", "sequence_length": 2}, ("sequence_length 2", "3 or more")),
        ({"policy": "page", "sequence_length": 0}, ("sequence_length 0", "1 or more")),
    ],
    ids=["policy", "rate", "short", "zero"],
)
def test_a_refusal_names_the_value_and_the_remedy(tokens, options, parts):
    assert_refused(lambda: masked(tokens, **options), *parts)
