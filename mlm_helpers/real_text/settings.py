"""What a training is made of."""

import math
from dataclasses import dataclass

from mlm_helpers.checks import check_whole
from mlm_helpers.real_text.windows import MaskingRule


@dataclass(frozen=True)
class Settings:
    """What a training is made of; ``dataclasses.replace`` changes one thing.

    Attributes
    ----------
    vocab_size : int
        Words asked for, 100 to 10 000; a short text has fewer.
    rule : MaskingRule
        Masking rate and split.
    n_context, embedding_size, hidden_size, activation
        Of the model.
    batch_size : int
        Slots per step.
    learning_rate : float
        Of Adam.
    n_steps : int
        The most steps to take.
    evaluate_every : int
        Steps from one look at the held-out slots to the next.
    patience : int or None
        Looks without a new lowest held-out loss after which the training stops early; None never.
    seed : int
        Of all draws.
    """

    vocab_size: int = 2000
    rule: MaskingRule = MaskingRule()
    n_context: int = 4
    embedding_size: int = 64
    hidden_size: int = 128
    activation: str = "tanh"
    batch_size: int = 256
    learning_rate: float = 0.002
    n_steps: int = 1200
    evaluate_every: int = 50
    patience: int | None = 5
    seed: int = 0

    def __post_init__(self):
        for name in ("n_steps", "evaluate_every", "batch_size"):
            check_whole(name, getattr(self, name), least=1)
        check_whole("seed", self.seed)
        if self.patience is not None:
            check_whole("patience", self.patience, least=1)
        if not 0 < self.learning_rate < math.inf:
            raise ValueError(f"learning_rate {self.learning_rate} is not possible: "
                             "choose a number above 0, for example 0.002")
