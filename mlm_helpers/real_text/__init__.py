"""Real text: a small masked language model, trained in seconds on a text of any kind."""

from mlm_helpers.real_text import measured
from mlm_helpers.real_text.bert_reader import read_bert
from mlm_helpers.real_text.comparisons import compare, masking_rates, splits, vocabulary_sizes
from mlm_helpers.real_text.corpus import Corpus, language_reference, read_text
from mlm_helpers.real_text.evaluation import (
    branch_effects,
    branch_losses,
    calibration,
    estimate,
    share_above_uniform,
    unmasked_windows,
)
from mlm_helpers.real_text.live_training import training_panel
from mlm_helpers.real_text.masked_batches import every_slot_once
from mlm_helpers.real_text.next_sentence import JointTraining
from mlm_helpers.real_text.own_sentence import sentence_panel
from mlm_helpers.real_text.own_slots import own_example
from mlm_helpers.real_text.settings import Settings
from mlm_helpers.real_text.training import Training, slot_losses
from mlm_helpers.real_text.training_wording import verdict
from mlm_helpers.real_text.windows import MaskingRule

__all__ = [
    "Corpus",
    "JointTraining",
    "MaskingRule",
    "Settings",
    "Training",
    "branch_effects",
    "branch_losses",
    "calibration",
    "compare",
    "estimate",
    "every_slot_once",
    "language_reference",
    "masking_rates",
    "measured",
    "own_example",
    "read_bert",
    "read_text",
    "sentence_panel",
    "share_above_uniform",
    "slot_losses",
    "splits",
    "training_panel",
    "unmasked_windows",
    "verdict",
    "vocabulary_sizes",
]
