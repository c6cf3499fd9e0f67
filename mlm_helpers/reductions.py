"""From the losses of several slots to one number: a sum, and the means that go by that name."""

import math

from mlm_helpers.checks import check_choice, check_whole
from mlm_helpers.losses import uniform_loss

REDUCTIONS = ("sum", "mean", "bert_mean", "token_mean")
"""Ways to one number; see ``reduce_losses``."""

BERT_EPSILON = 1e-5
"""What BERT adds to the number of slots before it divides by it."""


def reduce_losses(losses, reduction, *, n_tokens=None):
    """One number from the losses of the slots.

    Parameters
    ----------
    losses : sequence of float
        One loss per slot that counts, in nats. There may be none.
    reduction : {"sum", "mean", "bert_mean", "token_mean"}
        "mean" divides by the number of slots: nan for none, as in PyTorch. "bert_mean" divides by
        that number plus 1e-5: 0.0 for none. "token_mean" divides by all tokens of the sequence,
        whether they are slots or not: a common mistake.
    n_tokens : int, optional
        Number of all tokens, needed for "token_mean" alone.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        When the reduction is unknown, or "token_mean" has no ``n_tokens`` or fewer than slots.

    Notes
    -----
    "bert_mean" is ``get_masked_lm_output`` of google-research/bert's ``run_pretraining.py``; "sum"
    and "mean" are those of PyTorch's ``cross_entropy``.

    Examples
    --------
    >>> losses = (1.0, 2.0)
    >>> [reduce_losses(losses, name) for name in ("sum", "mean")]
    [3.0, 1.5]
    >>> [reduce_losses((), name) for name in ("sum", "mean", "bert_mean")]
    [0.0, nan, 0.0]
    """
    check_choice("reduction", reduction, REDUCTIONS)
    losses = [float(loss) for loss in losses]
    divisor = _divisor(len(losses), reduction, n_tokens)
    return math.fsum(losses) / divisor if divisor else math.nan


def _divisor(n_slots, reduction, n_tokens):
    if reduction == "token_mean":
        if n_tokens is None:
            raise ValueError("reduction 'token_mean' needs n_tokens: give the number of all tokens")
        check_whole("n_tokens", n_tokens, least=n_slots)
        return int(n_tokens)
    return {"sum": 1, "mean": n_slots, "bert_mean": n_slots + BERT_EPSILON}[reduction]


def reduced_uniform(vocab_size, n_slots, reduction, *, n_tokens=None):
    """What guessing each word alike gives under the same reduction: the reference to compare with.

    Parameters
    ----------
    vocab_size, n_slots : int
        V and the number of slots k.
    reduction, n_tokens
        As for ``reduce_losses``.

    Returns
    -------
    float
        In nats: k * ln V for "sum", ln V for "mean".

    Examples
    --------
    >>> [round(reduced_uniform(30_000, 2, name), 4) for name in ("sum", "mean")]
    [20.6179, 10.309]
    """
    check_choice("reduction", reduction, REDUCTIONS)
    total = uniform_loss(vocab_size, n_slots)
    divisor = _divisor(int(n_slots), reduction, n_tokens)
    return float(total / divisor) if divisor else math.nan
