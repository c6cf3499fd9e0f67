"""Which tokens become slots, and what the input then shows there.

Choosing and corrupting are two steps, as in BERT: first positions are chosen, then one draw for
each decides between ``[MASK]`` (80 %), any word of the vocabulary (10 %) and the word itself
(10 %). The loss counts at every chosen position, whatever the input shows there.
"""

from collections import Counter
from numbers import Integral
from typing import NamedTuple

import numpy as np

from mlm_helpers.checks import check_choice, check_share, check_whole, exact
from mlm_helpers.slot_counts import POLICIES, draw_slot_counts, slot_count

SPECIAL_TOKENS = ("[CLS]", "[SEP]", "[PAD]")
"""Tokens that no policy ever chooses, but for fairseq's sentence marks."""

MASK = "[MASK]"
"""What the input shows at a masked position."""

BRANCHES = ("mask", "swap", "keep")
"""What may happen at a chosen position."""


def choose_positions(tokens, policy, *, mlm_probability=0.15, max_predictions_per_seq=20, rng):
    """Positions of the tokens to predict, in ascending order.

    Parameters
    ----------
    tokens : sequence of str
        A sequence with its special tokens. Those are never chosen (but see "fairseq"); ``[UNK]``
        is an ordinary token, as in BERT's code.
    policy : {"page", "bert", "hugging_face", "fairseq"}
        How many are chosen is described at ``slot_counts.slot_count_law``. "fairseq" also takes
        the marks of a sequence's ends, here ``[CLS]`` and ``[SEP]``, for ordinary tokens.
    mlm_probability, max_predictions_per_seq
        As for ``slot_counts.slot_count``.
    rng : numpy.random.Generator
        Source of the draws; the same seed gives the same positions.

    Returns
    -------
    ndarray of int64, shape (number of slots,)

    Raises
    ------
    TypeError
        When ``tokens`` is one string, or holds ids instead of strings.
    ValueError
        When a number is out of range or the policy is unknown.

    Notes
    -----
    "bert" follows google-research/bert's ``create_pretraining_data.py``: shuffle the candidates,
    take the first ones. "hugging_face" follows ``DataCollatorForLanguageModeling`` of transformers,
    "fairseq" the ``MaskTokensDataset`` of fairseq.

    Examples
    --------
    >>> tokens = "[CLS] the cat sat down [SEP] [PAD] [PAD]".split()
    >>> positions = choose_positions(tokens, "bert", rng=np.random.default_rng(0))
    >>> len(positions), tokens[positions[0]] in ("the", "cat", "sat", "down")
    (1, True)
    """
    check_choice("policy", policy, POLICIES)
    check_share("mlm_probability", mlm_probability)
    check_whole("max_predictions_per_seq", max_predictions_per_seq)
    tokens = _tokens(tokens)
    candidates = _positions_without(tokens, ("[PAD]",) if policy == "fairseq" else SPECIAL_TOKENS)
    if policy == "hugging_face":
        return candidates[rng.random(candidates.size) < mlm_probability]
    n_tokens = sum(token != "[PAD]" for token in tokens)
    if policy == "fairseq":
        (n_slots,) = draw_slot_counts(1, n_tokens, policy, mlm_probability=mlm_probability, rng=rng)
    else:
        n_slots = slot_count(n_tokens, policy, mlm_probability=mlm_probability,
                             max_predictions_per_seq=max_predictions_per_seq)
    return np.sort(rng.permutation(candidates)[:n_slots])


class Corruption(NamedTuple):
    """A sequence made ready for training.

    Attributes
    ----------
    input_ids : ndarray of int64, shape (n_tokens,)
        What the model sees.
    labels : ndarray of int64, shape (n_tokens,)
        The original ids at the chosen positions, ``ignore_index`` elsewhere.
    masked_positions : ndarray of int64, shape (number of slots,)
        The chosen positions, in the order given: masked, swapped and kept alike.
    branches : ndarray of str, shape (number of slots,)
        "mask", "swap" or "keep" for each of them.
    """

    input_ids: np.ndarray
    labels: np.ndarray
    masked_positions: np.ndarray
    branches: np.ndarray


def corrupt(
    token_ids,
    masked_positions,
    *,
    mask_token_id,
    vocab_size,
    rng,
    mask_share=0.8,
    swap_share=0.1,
    ignore_index=-100,
):
    """Replace the chosen tokens by BERT's rule, and label them with the original ids.

    One uniform draw per slot decides: below ``mask_share`` the input shows ``[MASK]``; in the next
    ``swap_share`` a word drawn from the whole vocabulary, which may be a special token or the
    original itself; in the rest the original. The shares are chances, not quotas.

    Parameters
    ----------
    token_ids : array_like of int, shape (n_tokens,)
        The original sequence; it is not altered.
    masked_positions : array_like of int
        The chosen positions, each once.
    mask_token_id : int
        Id of ``[MASK]``.
    vocab_size : int
        Number of words to draw from.
    rng : numpy.random.Generator
        Source of the draws; the same seed gives the same result. Each slot uses up two numbers
        whatever its branch, so other shares leave the draws as they are.
    mask_share, swap_share : float
        Chances of the first two branches.
    ignore_index : int
        Label of the positions not chosen; negative.

    Returns
    -------
    Corruption

    Raises
    ------
    TypeError
        When ids or positions are not integers.
    ValueError
        When ids are not one-dimensional, an id or position is out of range, a position occurs
        twice, the shares are not in [0, 1] or exceed 1 together, or ``ignore_index`` is not
        negative.

    Notes
    -----
    Devlin et al., *BERT* (2019), section 3.1 and appendix A.1; google-research/bert's
    ``create_pretraining_data.py``; ``DataCollatorForLanguageModeling`` of transformers.

    Examples
    --------
    >>> made = corrupt([5, 6, 7, 8], [1, 3], mask_token_id=0, vocab_size=9,
    ...                rng=np.random.default_rng(0), mask_share=1, swap_share=0)
    >>> made.input_ids.tolist(), made.labels.tolist(), made.branches.tolist()
    ([5, 0, 7, 0], [-100, 6, -100, 8], ['mask', 'mask'])
    """
    check_whole("vocab_size", vocab_size, least=1)
    _check_mask_token_id(mask_token_id, vocab_size)
    _check_ignore_index(ignore_index)
    bounds = _branch_bounds(mask_share, swap_share)
    original = _integers("token_ids", token_ids)
    _check_inside("token id", original, vocab_size, "correct it, or give the true vocab_size")
    positions = _integers("masked_positions", masked_positions)
    _check_inside("masked position", positions, original.size, "count tokens from 0")
    _check_distinct(positions)

    branch = np.searchsorted(bounds, rng.random(positions.size), side="right")
    words = rng.integers(vocab_size, size=positions.size)
    input_ids = original.astype(np.int64)
    labels = np.full_like(input_ids, ignore_index)
    labels[positions] = input_ids[positions]
    input_ids[positions] = np.choose(branch, (mask_token_id, words, input_ids[positions]))
    return Corruption(input_ids, labels, positions.astype(np.int64), np.array(BRANCHES)[branch])


def expected_branch_counts(n_slots, mask_share=0.8, swap_share=0.1):
    """Mean number of slots in each branch.

    Parameters
    ----------
    n_slots : int
        Number of chosen positions.
    mask_share, swap_share : float
        Chances of the first two branches.

    Returns
    -------
    dict of float
        Keys "mask", "swap", "keep"; exact in decimals, and together ``n_slots``.

    Raises
    ------
    ValueError
        When a number is out of range.

    Notes
    -----
    The draws of ``corrupt`` scatter around it: one branch of share s has the standard deviation
    sqrt(n_slots * s * (1 - s)).

    Examples
    --------
    >>> expected_branch_counts(15)
    {'mask': 12.0, 'swap': 1.5, 'keep': 1.5}
    """
    check_whole("n_slots", n_slots)
    first, second = (exact(bound) for bound in _branch_bounds(mask_share, swap_share))
    shares = (first, second - first, 1 - second)
    return {
        name: float(share * int(n_slots)) for name, share in zip(BRANCHES, shares, strict=True)
    }


def drawn_branch_counts(branches):
    """Number of slots that were drawn into each branch.

    Parameters
    ----------
    branches : sequence of str
        As in ``Corruption``.

    Returns
    -------
    dict of int
        Keys "mask", "swap", "keep".

    Raises
    ------
    ValueError
        When there is any other branch.

    Examples
    --------
    >>> drawn_branch_counts(["mask", "keep", "mask"])
    {'mask': 2, 'swap': 0, 'keep': 1}
    """
    drawn = Counter(branches)
    unknown = set(drawn).difference(BRANCHES)
    if unknown:
        raise ValueError(f"branch {min(map(str, unknown))!r} is unknown: give only "
                         f"{', '.join(map(repr, BRANCHES))}")
    return {name: drawn[name] for name in BRANCHES}


def _tokens(tokens):
    if isinstance(tokens, str):
        raise TypeError(f"tokens is the string {tokens!r}: give a list of tokens, "
                        "for example tokens.split()")
    tokens = list(tokens)
    for index, token in enumerate(tokens):
        if not isinstance(token, str):  # among ids no special token would be recognised
            raise TypeError(f"token {token!r} at index {index} is no string: "
                            "give the tokens themselves, not their ids")
    return tokens


def _positions_without(tokens, special):
    return np.flatnonzero([token not in special for token in tokens]).astype(np.int64)


def _branch_bounds(mask_share, swap_share):
    """Upper ends of the first two branches' parts of [0, 1)."""
    check_share("mask_share", mask_share)
    check_share("swap_share", swap_share)
    both = exact(mask_share) + exact(swap_share)
    if both > 1:
        raise ValueError(f"mask_share {mask_share} and swap_share {swap_share} add up to "
                         f"{float(both)}: together at most 1")
    return float(exact(mask_share)), float(both)


def _integers(name, values):
    array = np.asarray(values)
    if array.ndim != 1:
        raise ValueError(f"{name} of shape {array.shape} is not one sequence: "
                         "give a flat list of integers")
    if array.size == 0 and not hasattr(values, "dtype"):
        array = array.astype(np.int64)  # numpy takes an empty list for floats
    if array.dtype.kind not in "iu":
        remedy = "np.flatnonzero(chosen)" if array.dtype.kind == "b" else "values.astype(int)"
        raise TypeError(f"{name} of dtype {array.dtype} is not possible: "
                        f"give integers, for example {remedy}")
    return array


def _check_mask_token_id(mask_token_id, vocab_size):
    whole = isinstance(mask_token_id, Integral) and not isinstance(mask_token_id, bool)
    if not whole or not 0 <= mask_token_id < vocab_size:
        raise ValueError(f"mask_token_id {mask_token_id} is outside [0, {vocab_size}): "
                         "give the id of [MASK], or the true vocab_size")


def _check_inside(name, values, size, remedy):
    outside = np.flatnonzero((values < 0) | (values >= size))
    if outside.size:
        index = outside[0]
        raise ValueError(f"{name} {values[index]} at index {index} is outside [0, {size}): "
                         f"{remedy}")


def _check_distinct(positions):
    ordered = np.sort(positions)
    repeated = ordered[1:][ordered[1:] == ordered[:-1]]
    if repeated.size:
        raise ValueError(f"masked position {repeated[0]} occurs more than once: "
                         "give each position once")


def _check_ignore_index(ignore_index):
    if not isinstance(ignore_index, Integral) or ignore_index >= 0:
        raise ValueError(f"ignore_index {ignore_index} could be a token id: "
                         "choose a negative integer, for example -100")
