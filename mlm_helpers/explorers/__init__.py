"""``explore_*()``: one line in a notebook makes a widget to play with."""

from mlm_helpers.explorers.masking import explore_masking
from mlm_helpers.explorers.softmax import explore_softmax
from mlm_helpers.explorers.surprisal import explore_surprisal

__all__ = ["explore_masking", "explore_softmax", "explore_surprisal"]
