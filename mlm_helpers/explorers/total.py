"""Total explorer: the slots' loss and the next sentence's, added to BERT's whole loss."""

import math
from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import NumberSlider, button_row, buttons, choice, grid, row
from mlm_helpers.examples import EXAM_TWIST
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.explorers.slot_controls import SMALLEST_PROBABILITY, SlotControls
from mlm_helpers.explorers.slots_picture import SlotsPicture
from mlm_helpers.losses import surprisal, uniform_loss
from mlm_helpers.pretraining import IS_NEXT, IS_RANDOM, next_sentence_loss, pretraining_loss
from mlm_helpers.published import SCIBERT, VOCABULARIES
from mlm_helpers.sentences import total_sentence
from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.tables import number_table
from mlm_helpers.wording import count, decimal, percent

REDUCTIONS = (("sum over the slots", "sum"), ("mean over the slots, as BERT does", "mean"))
LABELS = (("B is next (0)", IS_NEXT), ("B is random (1)", IS_RANDOM))
PROBABILITY, LOGITS = "its probability", "two logits"
START = {"given_by": PROBABILITY, "next_logit": 2.0, "random_logit": 0.0, "label": IS_NEXT}


class TotalExplorer(Explorer):
    """See ``explore_total``."""

    def __init__(self, example):
        if example.next_sentence_probability is None:
            raise ValueError("the example has no next_sentence_probability: give it one, or use "
                             "explore_slots")
        self._start = {**START, "slots": example.slots, "reduction": "sum",
                       "probability": example.next_sentence_probability}
        self._make_controls(example)
        self.picture = SlotsPicture()
        self.parts = widgets.HTML()
        super().__init__(self.picture.live, self._arranged(), [self.parts])
        self.follow(self.slots, self.reduction, self.given_by, self.probability, self.next_logit,
                    self.random_logit, self.label)
        self.refresh()

    def _make_controls(self, example):
        self.slots = SlotControls(example.slots, fewest=0, length_counts=False)
        self.reduction = choice("masked words by", REDUCTIONS, "sum", width="24em")
        self.given_by = choice("next sentence given by", (PROBABILITY, LOGITS), PROBABILITY,
                               width="24em")
        self.probability = NumberSlider("p of the right label", example.next_sentence_probability,
                                        SMALLEST_PROBABILITY, 1, step=0.01, log=True)
        self.next_logit = NumberSlider("logit of is next", START["next_logit"], -10, 10)
        self.random_logit = NumberSlider("logit of is random", START["random_logit"], -10, 10)
        self.label = choice("right label", LABELS, START["label"], width="14em")

    def _arranged(self):
        mean = math.exp(-SCIBERT.masked_lm)
        presets = {
            "Worked example": partial(self.choose, **self._start),
            "Mean instead of sum": partial(self.choose, **{**self._start, "reduction": "mean"}),
            "Start of training": partial(self.show, 1 / VOCABULARIES["BERT"], 0.5),
            "Late training (SciBERT)": partial(self.show, mean,
                                               math.exp(-SCIBERT.next_sentence)),
            "No slot": self.show_no_slot,
        }
        return [button_row("Presets", presets), self.slots,
                grid(self.probability, self.next_logit, self.random_logit),
                row(self.reduction, self.given_by, self.label,
                    *buttons({"Reset": self.reset}))]

    def show(self, probability, next_sentence):
        """Set two slots of one probability each, by the mean, and the next sentence's."""
        slots = SlotSet((probability,) * 2, VOCABULARIES["BERT"], self.slots.value.n_tokens)
        self.choose(slots=slots, reduction="mean", given_by=PROBABILITY, probability=next_sentence)

    def show_no_slot(self):
        """Take all slots away: the next sentence is left."""
        present = self.slots.value
        self.choose(slots=SlotSet((), present.vocab_size, present.n_tokens))

    def reset(self):
        """Put every control back to how it started."""
        self.choose(**self._start)

    @property
    def loss(self):
        """The whole loss that the controls describe."""
        return pretraining_loss(self.slots.value.losses, self._next_sentence(),
                                reduction=self.reduction.value)

    def _next_sentence(self):
        if self.given_by.value == PROBABILITY:
            return surprisal(self.probability.value)
        return next_sentence_loss((self.next_logit.value, self.random_logit.value),
                                  self.label.value)

    def show_state(self):
        by_logits = self.given_by.value == LOGITS
        self.probability.disable(by_logits)
        for control in (self.next_logit, self.random_logit):
            control.disable(not by_logits)
        self.label.disabled = not by_logits
        slots, loss = self.slots.value, self.loss
        uniform = pretraining_loss([uniform_loss(slots.vocab_size)] * slots.n_slots,
                                   uniform_loss(2), reduction=self.reduction.value)
        self.picture.draw(slots, loss.masked_lm, uniform.total,
                          total_sentence(loss, uniform, self.reduction.value),
                          f"{self.reduction.value} of the slots + NSP",
                          loss.next_sentence)
        self.parts.value = _parts_table(loss, uniform)


def _parts_table(loss, uniform):
    """Both parts and their total beside what guessing gives."""
    share = loss.next_sentence_share
    of_words, of_pair, of_all = (map(percent, (1 - share, share, 1)) if loss.total
                                 else ["undefined"] * 3)
    rows = [(f"masked words, {count(loss.n_slots, 'slot')}", decimal(loss.masked_lm), of_words,
             decimal(uniform.masked_lm)),
            ("next sentence", decimal(loss.next_sentence), of_pair,
             decimal(uniform.next_sentence)),
            ("total", decimal(loss.total), of_all, decimal(uniform.total))]
    return number_table(("part", "loss (nats)", "share", "uniform (nats)"), rows, bold_row=2)


def explore_total(example=EXAM_TWIST):
    """Move the slots and the next sentence's answer, and watch BERT's whole loss.

    Parameters
    ----------
    example : SlotsExample
        Where it starts; it has a ``next_sentence_probability``.

    Returns
    -------
    TotalExplorer
        A widget. Its ``slots.value`` is a ``SlotSet`` that code can set; ``reduction``,
        ``given_by``, ``probability``, ``next_logit``, ``random_logit`` and ``label`` have a
        ``value`` too. ``loss`` holds the parts, ``sentence`` says what it shows.

    Examples
    --------
    >>> explorer = explore_total()
    >>> explorer.reduction.value = "mean"
    >>> round(explorer.loss.total, 4)
    1.3682
    """
    return TotalExplorer(example)
