"""One slot of a sequence: scores for a few listed words, and one score shared by all the others."""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from mlm_helpers.losses import (
    cross_entropy,
    cross_entropy_gradient,
    pooled_logit,
    softmax,
    uniform_loss,
)
from mlm_helpers.masking import MASK


def _check_text(token):
    if not isinstance(token, str):
        raise ValueError(f"token {token!r} is no text: give words, for example 'cat'")


def _as_float(name, logit):
    """The logit as a plain float, whatever library it comes from."""
    try:
        number = math.nan if isinstance(logit, bool | str) else float(logit)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not number < math.inf:
        raise ValueError(f"logit {logit!r} of {name!r} is not possible: "
                         "give a number, for example 1.5")
    return number


@dataclass(frozen=True)
class Slot:
    """A position whose word is predicted, with the logits the model gives there.

    Only ``tokens`` have a bar each. The other ``vocab_size - len(tokens)`` words share
    ``rest_logit``; they are one more term, ``rest_logit + ln(how many)``, so nothing here costs
    more for a vocabulary of 250 002 words than for one of four.

    Parameters
    ----------
    tokens : sequence of str
        The listed words. A word may occur twice.
    logits : sequence of float
        One unnormalised score per listed word.
    label : int
        Index in ``tokens`` of the true word, which the loss is about.
    shown : int or None
        Index in ``tokens`` of the word that the input shows; None when it shows ``[MASK]``.
    vocab_size : int or None
        Number of classes; the listed words alone when None.
    rest_logit : float
        The score of each word not listed.

    Raises
    ------
    ValueError
        When lengths differ, a token is no text, a logit is no number (-inf is one: such a word
        cannot be), an index points outside ``tokens``, or ``vocab_size`` is smaller than the number
        of listed words.

    Examples
    --------
    >>> slot = Slot(("dog", "cat", "mat", "owl"), (1, 2, 0, 1), label=1)
    >>> round(slot.loss, 4), round(slot.uniform, 4)
    (0.6265, 1.3863)
    """

    tokens: tuple
    logits: tuple
    label: int
    shown: int | None = None
    vocab_size: int | None = None
    rest_logit: float = 0.0

    def __post_init__(self):
        # Of its own: a list that changes later would leave the cached numbers behind.
        object.__setattr__(self, "tokens", tuple(self.tokens))
        logits, n_listed = tuple(self.logits), len(self.tokens)
        if n_listed == 0 or len(logits) != n_listed:
            raise ValueError(f"{n_listed} tokens but {len(logits)} logits: "
                             "give each token one logit")
        for token in self.tokens:
            _check_text(token)
        object.__setattr__(self, "logits", tuple(map(_as_float, self.tokens, logits)))
        object.__setattr__(self, "rest_logit", _as_float("all others", self.rest_logit))
        for name, index in (("label", self.label), ("shown", self.shown)):
            if name == "shown" and index is None:
                continue
            if index not in range(n_listed):
                raise ValueError(f"{name} {index} is no index of the {n_listed} tokens: "
                                 f"choose 0 to {n_listed - 1}")
        if self.vocab_size is None:
            object.__setattr__(self, "vocab_size", n_listed)
        if self.vocab_size < n_listed:
            raise ValueError(f"vocab_size {self.vocab_size} is smaller than the {n_listed} listed "
                             f"tokens: choose {n_listed} or more")

    @property
    def label_token(self):
        """The true word."""
        return self.tokens[self.label]

    @property
    def shown_token(self):
        """The word that the input shows."""
        return MASK if self.shown is None else self.tokens[self.shown]

    @property
    def n_rest(self):
        """How many words of the vocabulary are not listed."""
        return self.vocab_size - len(self.tokens)

    @cached_property
    def pooled_logits(self):
        """Logits of the listed words and, if there are others, the one that stands for them."""
        if not self.n_rest:
            return np.array(self.logits, dtype=float)
        return np.array([*self.logits, pooled_logit(self.rest_logit, self.n_rest)])

    @cached_property
    def probabilities(self):
        """Softmax of ``pooled_logits``; the last entry, if any, is all the other words together."""
        return softmax(self.pooled_logits)

    @cached_property
    def weights(self):
        """e to the power of each of ``pooled_logits``, as one computes softmax by hand."""
        with np.errstate(over="ignore"):
            return np.exp(self.pooled_logits)

    @property
    def label_probability(self):
        """What the model gives the true word."""
        return float(self.probabilities[self.label])

    @cached_property
    def loss(self):
        """Cross-entropy of this slot in nats, against the true word."""
        return cross_entropy(self.pooled_logits, self.label)

    @cached_property
    def gradient(self):
        """Derivative of ``loss`` by each of ``pooled_logits``: p minus one-hot."""
        return cross_entropy_gradient(self.pooled_logits, self.label)

    @cached_property
    def uniform(self):
        """Loss in nats of guessing each word of the vocabulary alike: ln V."""
        return uniform_loss(self.vocab_size)

    @property
    def misleads(self):
        """Whether the input shows a word other than the true one."""
        return self.shown is not None and self.shown != self.label

    @cached_property
    def mistaken_loss(self):
        """The wrong number in nats, scored against the shown word; None if that one is right."""
        if not self.misleads:
            return None
        return cross_entropy(self.pooled_logits, self.shown)
