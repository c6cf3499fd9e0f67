"""BERT's whole loss: the masked words' and the next sentence's, added without weights."""

import math
from dataclasses import dataclass

import numpy as np

from mlm_helpers.checks import check_choice
from mlm_helpers.losses import cross_entropy
from mlm_helpers.reductions import reduce_losses

IS_NEXT, IS_RANDOM = 0, 1
"""The labels of the two classes: 0 where sentence B follows A, 1 where it is a random one."""


@dataclass(frozen=True)
class PretrainingLoss:
    """The two parts of BERT's loss, in nats.

    Attributes
    ----------
    masked_lm : float
        Loss of the slots, reduced to one number; 0.0 without slots.
    next_sentence : float or None
        Loss of the sentence pair; None where there is no such task.
    n_slots : int
        How many slots ``masked_lm`` is about: a 0.0 of no slots is no perfect model.
    """

    masked_lm: float
    next_sentence: float | None
    n_slots: int

    @property
    def total(self):
        """Sum of the parts that there are: always a number, never None."""
        return self.masked_lm + (self.next_sentence or 0.0)

    @property
    def next_sentence_share(self):
        """Part of the total that the next sentence costs; nan of a total of 0 or infinity."""
        if self.total == 0 or math.isinf(self.total):
            return math.nan
        return (self.next_sentence or 0.0) / self.total


def pretraining_loss(slot_losses, next_sentence=None, *, reduction="mean"):
    """Add the masked-word loss and the next-sentence loss.

    Parameters
    ----------
    slot_losses : sequence of float
        One loss per slot, in nats. Without any, the masked part is 0.0 under every reduction, so
        that the other part is not lost.
    next_sentence : float, optional
        Loss of the sentence pair in nats; leave it out where there is no such task.
    reduction : {"sum", "mean", "bert_mean"}
        See ``reductions.reduce_losses``. BERT and Hugging Face take a mean.

    Returns
    -------
    PretrainingLoss

    Raises
    ------
    ValueError
        When the reduction is none of the three.

    Notes
    -----
    Devlin et al., *BERT* (2019), appendix A.2: the sum of the mean masked LM likelihood and the
    mean next sentence prediction likelihood.

    Examples
    --------
    >>> loss = pretraining_loss((0.9163, 1.6094), 0.1054, reduction="sum")
    >>> round(loss.total, 4)
    2.6311
    >>> pretraining_loss((), 0.1054).total
    0.1054
    """
    check_choice("reduction", reduction, ("sum", "mean", "bert_mean"))
    slot_losses = list(slot_losses)
    masked_lm = reduce_losses(slot_losses or [0.0], reduction)
    if next_sentence is not None:
        next_sentence = float(next_sentence)
    return PretrainingLoss(masked_lm, next_sentence, len(slot_losses))


def next_sentence_loss(logits, next_sentence_labels):
    """Cross-entropy of the next-sentence head, mean over the pairs.

    Parameters
    ----------
    logits : array_like, shape (..., 2)
        Scores of "is next" and "random", in this order.
    next_sentence_labels : int or array_like of int, shape (...)
        0 where B follows A, 1 where it is random. Every pair counts, so no label is ignored.

    Returns
    -------
    float
        In nats.

    Raises
    ------
    ValueError
        When there are not two logits per pair, or a label is neither 0 nor 1.

    Notes
    -----
    ``get_next_sentence_output`` of google-research/bert's ``run_pretraining.py``.

    Examples
    --------
    >>> [round(next_sentence_loss((2, 0), label), 4) for label in (IS_NEXT, IS_RANDOM)]
    [0.1269, 2.1269]
    """
    logits, labels = np.asarray(logits), np.asarray(next_sentence_labels)
    if logits.ndim == 0 or logits.shape[-1] != 2:
        raise ValueError(f"logits of shape {logits.shape} are not two per pair: "
                         "give the scores of 'is next' and 'random'")
    wrong = labels[(labels != IS_NEXT) & (labels != IS_RANDOM)]
    if wrong.size:
        raise ValueError(f"next sentence label {wrong.tolist()[0]!r} is unknown: "
                         "give 0 where B follows A, 1 where it is random")
    return cross_entropy(logits, next_sentence_labels, reduction="mean")
