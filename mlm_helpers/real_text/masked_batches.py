"""Slots to learn from, drawn anew without end, and slots to test on, drawn once.

Choosing and corrupting is done by ``masking``, under the policy "hugging_face": each token is a
slot by a coin of its own.
"""

import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.masking import BRANCHES, choose_positions
from mlm_helpers.real_text.vocabulary import MASK_ID
from mlm_helpers.real_text.windows import Windows, mask_windows

POLICY = "hugging_face"
_SEGMENT = 1 << 16  # tokens masked at once: 0.02 s


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
