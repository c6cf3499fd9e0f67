"""How many tokens of a sequence become slots, under each named policy.

Two policies fix the number, two draw it. All four are described by the same three numbers: mean,
standard deviation, and the chance of no slot at all.
"""

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from mlm_helpers.checks import check_choice, check_share, check_whole, exact

FIXED_POLICIES = ("page", "bert")
DRAWN_POLICIES = ("hugging_face", "fairseq")
POLICIES = (*FIXED_POLICIES, *DRAWN_POLICIES)
"""Ways to decide how many tokens are chosen; see ``slot_count_law``."""

_COINS_AT_ONCE = 2**17


def slot_count(n_tokens, policy, *, mlm_probability=0.15, max_predictions_per_seq=20):
    """Number of slots in a sequence, for the policies that fix it.

    Parameters
    ----------
    n_tokens : int
        Length of the sequence with ``[CLS]`` and ``[SEP]`` and without ``[PAD]``.
    policy : {"page", "bert"}
        "page": floor(mlm_probability * n_tokens), the product taken in decimals, so that
        0.29 * 100 is 29. "bert": round, half to even, at least 1, then at most
        ``max_predictions_per_seq``.
    mlm_probability : float
        Share of the tokens to choose, in [0, 1].
    max_predictions_per_seq : int
        Upper limit of the policy "bert".

    Returns
    -------
    int

    Raises
    ------
    ValueError
        When a number is out of range, or the policy is unknown or one that draws the number of
        slots.

    Notes
    -----
    "bert" is ``create_masked_lm_predictions`` of google-research/bert's
    ``create_pretraining_data.py`` (without whole-word masking), under Python 3.

    Examples
    --------
    >>> [slot_count(n, "page") for n in (4, 10, 128, 512)]
    [0, 1, 19, 76]
    >>> [slot_count(n, "bert") for n in (4, 10, 128, 512)]
    [1, 2, 19, 20]
    """
    check_choice("policy", policy, POLICIES)
    check_whole("n_tokens", n_tokens)
    check_whole("max_predictions_per_seq", max_predictions_per_seq)
    check_share("mlm_probability", mlm_probability)
    if policy in DRAWN_POLICIES:
        raise ValueError(f"policy {policy!r} draws its number of slots, it has no fixed one: "
                         "slot_count_law gives the mean")
    if policy == "page":
        return math.floor(exact(mlm_probability) * int(n_tokens))
    rounded = round(int(n_tokens) * float(exact(mlm_probability)))
    return min(int(max_predictions_per_seq), max(1, rounded))


@dataclass(frozen=True)
class SlotCountLaw:
    """What is known of the number of slots before it is drawn.

    Attributes
    ----------
    mean, standard_deviation : float
        Of the number of slots in one sequence.
    no_slot : float
        The chance that there is none.
    """

    mean: float
    standard_deviation: float
    no_slot: float


def slot_count_law(
    n_tokens, policy, *, n_special=0, mlm_probability=0.15, max_predictions_per_seq=20
):
    """Mean, scatter and chance of none for the number of slots in a sequence.

    Parameters
    ----------
    n_tokens : int
        Length of the sequence with its special tokens and without padding.
    policy : {"page", "bert", "hugging_face", "fairseq"}
        "page" and "bert" take ``slot_count`` tokens, or all ordinary ones if there are fewer.
        "hugging_face" draws each ordinary token on its own. "fairseq" rounds
        mlm_probability * n_tokens up or down by chance, so that the mean is right; its sentence
        marks can be chosen too.
    n_special : int
        How many of the tokens are special: ``[CLS]`` and ``[SEP]``.
    mlm_probability, max_predictions_per_seq
        As for ``slot_count``.

    Returns
    -------
    SlotCountLaw

    Raises
    ------
    ValueError
        When a number is out of range, the policy is unknown, or there are more special tokens than
        tokens.

    Notes
    -----
    ``DataCollatorForLanguageModeling`` of transformers makes the number binomial, with no slot at
    all in (1 - mlm_probability) ** n_ordinary of the draws. fairseq's ``MaskTokensDataset`` takes
    int(mlm_probability * n_tokens + u) slots with u uniform in [0, 1).

    Examples
    --------
    >>> round(slot_count_law(4, "hugging_face").no_slot, 4)
    0.522
    >>> slot_count_law(12, "bert", n_special=2)
    SlotCountLaw(mean=2.0, standard_deviation=0.0, no_slot=0.0)
    """
    check_choice("policy", policy, POLICIES)
    check_whole("n_tokens", n_tokens)
    check_whole("n_special", n_special)
    check_whole("max_predictions_per_seq", max_predictions_per_seq)
    check_share("mlm_probability", mlm_probability)
    n_ordinary = _ordinary(n_tokens, n_special)
    if policy == "hugging_face":
        return _binomial(n_ordinary, exact(mlm_probability))
    if policy == "fairseq":
        return _rounded_by_chance(exact(mlm_probability) * int(n_tokens))
    fixed = slot_count(n_tokens, policy, mlm_probability=mlm_probability,
                       max_predictions_per_seq=max_predictions_per_seq)
    n_slots = min(fixed, n_ordinary)
    return SlotCountLaw(float(n_slots), 0.0, float(n_slots == 0))


def _ordinary(n_tokens, n_special):
    if n_special > n_tokens:
        raise ValueError(f"n_special {n_special} is more than the {n_tokens} tokens: "
                         f"choose 0 to {n_tokens}")
    return int(n_tokens - n_special)


def _binomial(n_tokens, probability):
    variance = n_tokens * probability * (1 - probability)
    return SlotCountLaw(float(n_tokens * probability), math.sqrt(variance),
                        float(1 - probability) ** n_tokens)


def _rounded_by_chance(product):
    """``product`` rounded up with the chance of its fractional part, else down."""
    fraction = product - math.floor(product)
    no_slot = 1 - fraction if product < 1 else Fraction(0)
    return SlotCountLaw(float(product), math.sqrt(fraction * (1 - fraction)), float(no_slot))


def draw_slot_counts(n_sequences, n_tokens, policy, *, n_special=0, mlm_probability=0.15, rng):
    """The number of slots in each of many sequences, for the policies that draw it.

    Parameters
    ----------
    n_sequences : int
        How many sequences to draw.
    n_tokens, n_special, mlm_probability
        As for ``slot_count_law``.
    policy : {"hugging_face", "fairseq"}
        A coin per ordinary token, or one draw per sequence that rounds up or down.
    rng : numpy.random.Generator
        Source of the draws; the same seed gives the same numbers.

    Returns
    -------
    ndarray of int64, shape (n_sequences,)

    Raises
    ------
    ValueError
        When a number is out of range, or the policy is none of the two.

    Examples
    --------
    >>> counts = draw_slot_counts(1000, 4, "hugging_face", rng=np.random.default_rng(0))
    >>> float((counts == 0).mean())
    0.501
    """
    check_choice("policy", policy, DRAWN_POLICIES)
    check_whole("n_sequences", n_sequences)
    check_whole("n_tokens", n_tokens)
    check_whole("n_special", n_special)
    check_share("mlm_probability", mlm_probability)
    n_ordinary = _ordinary(n_tokens, n_special)
    if policy == "hugging_face":
        return _coins(int(n_sequences), n_ordinary, mlm_probability, rng)
    return np.floor(float(exact(mlm_probability) * int(n_tokens)) + rng.random(n_sequences)).astype(
        np.int64)


def _coins(n_sequences, n_ordinary, mlm_probability, rng):
    """How many coins of each sequence fall; tossed in blocks, or 10 000 times 512 take 41 MB."""
    counts = np.empty(n_sequences, dtype=np.int64)
    n_rows = max(1, _COINS_AT_ONCE // max(1, n_ordinary))
    for start in range(0, n_sequences, n_rows):
        block = counts[start:start + n_rows]
        block[:] = (rng.random((len(block), n_ordinary)) < mlm_probability).sum(axis=1)
    return counts
