"""Masked windows: what the model sees around a slot, the word to predict there, and the branch.

Choosing and corrupting is done by ``masking``, under the policy "hugging_face": each token is a
slot by a coin of its own. A window shows the corrupted text, so other slots near by are corrupted
in it too, as in a sequence of BERT's.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlm_helpers.checks import check_share, check_whole
from mlm_helpers.masking import BRANCHES, choose_positions, corrupt
from mlm_helpers.real_text.vocabulary import MASK_ID

POLICY = "hugging_face"
_SEGMENT = 1 << 16  # tokens masked at once: 0.02 s


@dataclass(frozen=True)
class MaskingRule:
    """Which share of the tokens become slots, and what the input shows there.

    Attributes
    ----------
    mlm_probability, mask_share, swap_share : float
        As for ``masking.choose_positions`` and ``masking.corrupt``; the rest is kept.

    Raises
    ------
    ValueError
        When ``mlm_probability`` is 0, which leaves no slot, a number is outside [0, 1], or the
        shares exceed 1 together.
    """

    mlm_probability: float = 0.15
    mask_share: float = 0.8
    swap_share: float = 0.1

    def __post_init__(self):
        check_share("mlm_probability", self.mlm_probability)
        if self.mlm_probability == 0:
            raise ValueError("mlm_probability 0 leaves no slot to learn from: "
                             "choose a share above 0, for example 0.15")
        corrupt([0], [0], mask_token_id=0, vocab_size=1, rng=np.random.default_rng(0),
                mask_share=self.mask_share, swap_share=self.swap_share)  # it refuses wrong shares


class Windows(NamedTuple):
    """Slots with what surrounds them.

    Attributes
    ----------
    input_ids : ndarray of int64, shape (n, 2 * n_context + 1)
        What the input shows; the slot is in the middle, and beyond the text stands the id
        ``vocab_size``.
    labels : ndarray of int64, shape (n,)
        The true words.
    branches : ndarray of str, shape (n,)
        "mask", "swap" or "keep".
    """

    input_ids: np.ndarray
    labels: np.ndarray
    branches: np.ndarray

    def take(self, chosen):
        """Some of the slots, by index, slice or truth value."""
        return Windows(*(part[chosen] for part in self))

    def showing(self, shown_ids, branch):
        """The same slots and surroundings with other words shown in the middle."""
        input_ids = self.input_ids.copy()
        input_ids[:, input_ids.shape[1] // 2] = shown_ids
        return Windows(input_ids, self.labels, np.full(len(self.labels), branch))


def windows_at(input_ids, positions, n_context, outside_id):
    """What stands around each position.

    Examples
    --------
    >>> windows_at(np.array([5, 6, 7]), [0, 2], 1, 9).tolist()
    [[9, 5, 6], [6, 7, 9]]
    """
    padded = np.pad(input_ids, n_context, constant_values=outside_id)
    return padded[np.asarray(positions)[:, np.newaxis] + np.arange(2 * n_context + 1)]


def mask_windows(token_ids, positions, rule, *, vocab_size, n_context=4, rng):
    """Corrupt the text at the positions, and cut a window around each of them.

    Parameters
    ----------
    token_ids : ndarray of int, shape (n_tokens,)
        The original text; it is not altered.
    positions : ndarray of int
        The slots.
    rule : MaskingRule
        Its shares.
    vocab_size, n_context : int
        Of the model.
    rng : numpy.random.Generator
        Source of the draws.

    Returns
    -------
    Windows

    Examples
    --------
    >>> windows = mask_windows(np.array([5, 6, 7, 8]), np.array([1]), MaskingRule(0.25, 1.0, 0.0),
    ...                        vocab_size=9, n_context=1, rng=np.random.default_rng(0))
    >>> windows.input_ids.tolist(), windows.labels.tolist(), windows.branches.tolist()
    ([[5, 0, 7]], [6], ['mask'])
    """
    made = corrupt(token_ids, positions, mask_token_id=MASK_ID, vocab_size=vocab_size, rng=rng,
                   mask_share=rule.mask_share, swap_share=rule.swap_share)
    return Windows(windows_at(made.input_ids, positions, n_context, vocab_size),
                   made.labels[positions], made.branches)


def masked_batches(token_ids, vocabulary, rule, *, batch_size=256, n_context=4, rng):
    """Batches without end, masked anew each time round: BERT's paper calls the other way static.

    The text is taken in segments, in a new order each time, of which each is masked as a whole and
    its slots shuffled.

    Parameters
    ----------
    token_ids : ndarray of int, shape (n_tokens,)
        The part for training.
    vocabulary : Vocabulary
        Its words.
    rule : MaskingRule
        Rate and shares.
    batch_size : int
        Slots in a batch; a segment that has fewer gives one smaller batch.
    n_context : int
        Of the model.
    rng : numpy.random.Generator
        Source of all draws.

    Yields
    ------
    Windows
    """
    check_whole("batch_size", batch_size, least=1)
    n_segments = -(-len(token_ids) // _SEGMENT)
    segments = np.array_split(np.arange(len(token_ids)), n_segments)
    while True:
        for index in rng.permutation(n_segments):
            segment = token_ids[segments[index]]
            positions = choose_positions(vocabulary.decode(segment), POLICY,
                                         mlm_probability=rule.mlm_probability, rng=rng)
            windows = mask_windows(segment, positions, rule, vocab_size=len(vocabulary),
                                   n_context=n_context, rng=rng)
            order = rng.permutation(len(positions))
            whole = max(batch_size, len(order) - len(order) % batch_size)
            for start in range(0, min(whole, len(order)), batch_size):
                yield windows.take(order[start:start + batch_size])


def every_slot_once(token_ids, rule, *, vocab_size, n_context=4, limit=None, rng):
    """Mask a text several times over, so that each token is a slot exactly once.

    To test a model on all of a text held out: of one masking at 15 %, fifteen slots in a thousand
    tokens would be swapped. Each round is an ordinary masking at about the rule's rate.

    Parameters
    ----------
    token_ids, rule, vocab_size, n_context
        As for ``mask_windows``.
    limit : int, optional
        Take so many slots at most, drawn from all.
    rng : numpy.random.Generator
        Source of the draws: the same seed masks the same words in the same way.

    Returns
    -------
    Windows
    """
    n_rounds = max(1, round(1 / rule.mlm_probability))
    rounds = np.array_split(rng.permutation(len(token_ids)), n_rounds)
    made = [mask_windows(token_ids, np.sort(positions), rule, vocab_size=vocab_size,
                         n_context=n_context, rng=rng) for positions in rounds]
    windows = Windows(*map(np.concatenate, zip(*made, strict=True)))
    return windows.take(rng.permutation(len(token_ids))[:limit])


def shown_in_turn(windows, vocab_size, *, rng):
    """Each slot under all three branches, its surroundings the same.

    What one branch costs more than another is then told slot by slot, from every slot there is.

    Parameters
    ----------
    windows : Windows
        The slots.
    vocab_size : int
        Number of words to draw the swapped ones from; the true word may be drawn, as in BERT.
    rng : numpy.random.Generator
        Source of the swapped words.

    Returns
    -------
    dict of Windows
        Keys "mask", "swap", "keep".

    Examples
    --------
    >>> windows = Windows(np.array([[5, 6, 7]]), np.array([6]), np.array(["keep"]))
    >>> shown = shown_in_turn(windows, 9, rng=np.random.default_rng(0))
    >>> [shown[branch].input_ids.tolist() for branch in ("mask", "keep")]
    [[[5, 0, 7]], [[5, 6, 7]]]
    """
    swapped = rng.integers(vocab_size, size=len(windows.labels))
    shown = (MASK_ID, swapped, windows.labels)
    return {branch: windows.showing(ids, branch)
            for branch, ids in zip(BRANCHES, shown, strict=True)}
