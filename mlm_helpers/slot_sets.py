"""Several slots of one sequence, each known by what the model gives its true word."""

import math
from dataclasses import dataclass
from functools import cached_property

from mlm_helpers.checks import check_whole
from mlm_helpers.losses import surprisal
from mlm_helpers.reductions import reduce_losses, reduced_uniform


@dataclass(frozen=True)
class SlotSet:
    """The slots of a sequence.

    Parameters
    ----------
    probabilities : sequence of float
        What the model gives the true word at each slot, above 0 and at most 1. There may be none.
    vocab_size : int
        Number of classes.
    n_tokens : int
        Length of the sequence, slots and all others.

    Raises
    ------
    ValueError
        When a probability is not above 0 and at most 1, or there are more slots than tokens.

    Examples
    --------
    >>> slots = SlotSet((0.4, 0.2), vocab_size=30_000, n_tokens=12)
    >>> round(slots.loss("sum"), 4), round(slots.uniform("sum"), 4)
    (2.5257, 20.6179)
    """

    probabilities: tuple
    vocab_size: int
    n_tokens: int

    def __post_init__(self):
        object.__setattr__(self, "probabilities", tuple(map(float, self.probabilities)))
        check_whole("vocab_size", self.vocab_size, least=1)
        check_whole("n_tokens", self.n_tokens, least=self.n_slots)
        for number, probability in enumerate(self.probabilities, start=1):
            if not 0 < probability <= 1:
                raise ValueError(f"probability {probability} of slot {number} is not possible: "
                                 "give a number above 0 and at most 1")

    @property
    def n_slots(self):
        """How many slots there are."""
        return len(self.probabilities)

    @cached_property
    def losses(self):
        """The loss of each slot in nats."""
        return [surprisal(probability) for probability in self.probabilities]

    @property
    def product(self):
        """The chance of all true words at once, the slots taken as independent."""
        return math.prod(self.probabilities)

    def loss(self, reduction):
        """The losses as one number; see ``reductions.reduce_losses``."""
        return reduce_losses(self.losses, reduction, n_tokens=self.n_tokens)

    def uniform(self, reduction):
        """What guessing each word alike gives under the same reduction."""
        return reduced_uniform(self.vocab_size, self.n_slots, reduction, n_tokens=self.n_tokens)
