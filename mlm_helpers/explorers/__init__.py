"""``explore_*()``: one line in a notebook makes a widget to play with."""

from mlm_helpers.explorers.corpus import explore_corpus
from mlm_helpers.explorers.empty_mask import explore_empty_mask
from mlm_helpers.explorers.limits import explore_limits
from mlm_helpers.explorers.masking import explore_masking
from mlm_helpers.explorers.slots import explore_slots
from mlm_helpers.explorers.softmax import explore_softmax
from mlm_helpers.explorers.surprisal import explore_surprisal
from mlm_helpers.explorers.total import explore_total

__all__ = [
    "explore_corpus",
    "explore_empty_mask",
    "explore_limits",
    "explore_masking",
    "explore_slots",
    "explore_softmax",
    "explore_surprisal",
    "explore_total",
]
