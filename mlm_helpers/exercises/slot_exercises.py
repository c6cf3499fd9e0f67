"""Scenarios A to C: the loss of one slot, from its logits."""

import math
from itertools import permutations

from mlm_helpers.derivations import derive_loss
from mlm_helpers.exercises.exercise import TO_TWO_DECIMALS, Exercise, WrongAnswer
from mlm_helpers.slots import Slot
from mlm_helpers.tables import Table
from mlm_helpers.wording import decimal, short

WORDS = ("dog", "cat", "mat", "owl")
_LOGITS = (-1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 2.5)
_HINT = ("Make every logit positive first: e to its power. Then ask what share of the sum the true "
         "word has.")


def masked_slots():
    """The numbers of scenario A: every label, with logits of which no two are alike."""
    return [(label, logits) for label in range(4) for logits in permutations(_LOGITS, 4)]


def masked_exercise(numbers):
    """Scenario A: the input shows [MASK]."""
    label, logits = numbers
    slot = Slot(WORDS, logits, label)
    story = ("At one position the input shows [MASK]. The model's vocabulary has four words, and "
             "it gives them the logits below.")
    return slot_exercise(slot, "A", numbers, story)


def slot_exercise(slot, letter="A", numbers=(), story="The model gives these logits at one slot."):
    """An exercise about the loss of any slot: one of your own, too.

    Examples
    --------
    >>> mine = slot_exercise(Slot(("tea", "rum"), (1.0, 2.0), label=0))
    >>> print(mine.question, round(mine.answer, 4))
    The true word is tea. What is the loss of this slot, in nats? 1.3133
    """
    question = f"The true word is {slot.label_token}. What is the loss of this slot, in nats?"
    givens = Table(("word", "logit"),
                   [(token, short(logit)) for token, logit
                    in zip(slot.tokens, slot.logits, strict=True)])
    return Exercise(letter, numbers, story, givens, question, slot.loss, "nats", TO_TWO_DECIMALS,
                    _HINT, tuple(derive_loss(slot)), tuple(_wrong_answers(slot)))


def _wrong_answers(slot):
    p, label, last = slot.label_probability, slot.label_token, len(derive_loss(slot))
    shown = decimal(p)
    yield WrongAnswer("log_base", -math.log2(p), f"−log₂ {shown} = {decimal(-math.log2(p))}", last)
    yield WrongAnswer("log_base", -math.log10(p), f"−log₁₀ {shown} = {decimal(-math.log10(p))}",
                      last)
    yield WrongAnswer("sign", math.log(p), f"ln {shown} = {decimal(math.log(p))}", last)
    yield WrongAnswer("probability", p, f"P({label}) = {shown}", last)
