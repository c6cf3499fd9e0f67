"""Windows: what the model sees around a slot, the word to predict there, and the branch.

A window shows the corrupted text, so other slots near by are corrupted in it too, as in a sequence
of BERT's.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from mlm_helpers.checks import check_share
from mlm_helpers.masking import corrupt
from mlm_helpers.real_text.vocabulary import MASK_ID


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
