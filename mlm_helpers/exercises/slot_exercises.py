"""Scenarios A to C: the loss of one slot, from its logits."""

import math
from itertools import permutations

from mlm_helpers.derivations import derive_loss
from mlm_helpers.exercises.exercise import (
    TO_TWO_DECIMALS,
    Exercise,
    Kind,
    WrongAnswer,
    sound_part,
)
from mlm_helpers.exercises.loss_mistakes import base_mistakes, rounding_mistakes, wrong_answer
from mlm_helpers.losses import surprisal
from mlm_helpers.slots import Slot
from mlm_helpers.tables import Table
from mlm_helpers.wording import decimal, integer, short

CONTEXTS = (
    ("The {} sat down.", ("dog", "cat", "fox", "owl")),
    ("She drinks hot {}.", ("tea", "milk", "soup", "cocoa")),
    ("They live in a small {}.", ("house", "town", "tent", "hut")),
    ("We went there by {}.", ("train", "bus", "car", "boat")),
    ("The soup is too {}.", ("hot", "cold", "salty", "thin")),
)
"""Sentences with a gap, and four words that fit."""

_LOGITS = (-1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
_HINT = ("Make every logit positive first: e to its power. Then ask what share of the sum the true "
         "word has.")


def masked_numbers():
    """The numbers of scenario A: context, label and logits."""
    return [(number % len(CONTEXTS), label, logits)
            for number, (label, logits) in enumerate(_labels_and_logits())]


def swapped_numbers():
    """The numbers of scenario B: context, label, the word shown, and logits."""
    return [(number % len(CONTEXTS), label, (label + 1 + number % 3) % 4, logits)
            for number, (label, logits) in enumerate(_labels_and_logits())]


def _labels_and_logits():
    """Logits of which no two are alike, such that dividing them as they are seems to work."""
    return [(label, logits) for logits in permutations(_LOGITS, 4) for label in range(4)
            if 0 < logits[label] < sum(logits)]


def masked_exercise(context, label, logits):
    """Scenario A: the input shows [MASK].

    Examples
    --------
    >>> print(masked_exercise(0, 1, (1.0, 2.0, 0.5, 1.5)).story[:40])
    The model reads “The [MASK] sat down.” I
    """
    sentence, words = CONTEXTS[context]
    story = (f"The model reads “{sentence.format('[MASK]')}” Its vocabulary has four words, and it "
             "gives them the logits below.")
    return _slot_exercise(Slot(words, logits, label), "A", story)


def swapped_exercise(context, label, shown, logits):
    """Scenario B: the input shows another word."""
    sentence, words = CONTEXTS[context]
    story = (f"The sentence was “{sentence.format(words[label])}” Its word “{words[label]}” was "
             f"chosen as a slot and swapped, so the model reads “{sentence.format(words[shown])}” "
             "Its vocabulary has four words, and it gives them the logits below.")
    return _slot_exercise(Slot(words, logits, label, shown), "B", story)


def kept_exercise(context, label, logits):
    """Scenario C: the input shows the label itself."""
    sentence, words = CONTEXTS[context]
    story = (f"The sentence is “{sentence.format(words[label])}” Its word “{words[label]}” was "
             "chosen as a slot and kept, so the model reads the sentence as it is. Its vocabulary "
             "has four words, and it gives them the logits below.")
    return _slot_exercise(Slot(words, logits, label, label), "C", story)


def slot_exercise(slot, letter="A", numbers=(), story="The model gives these logits at one slot."):
    """An exercise about the loss of any slot: one of your own, too.

    Parameters
    ----------
    slot : Slot
        The slot.
    letter, numbers, story
        As for ``Exercise``.

    Returns
    -------
    Exercise
        With the known mistakes, as far as they can be told from the answer with these numbers.

    Raises
    ------
    ValueError
        When the loss is infinite.

    Examples
    --------
    >>> mine = slot_exercise(Slot(("tea", "rum"), (1.0, 2.0), label=0))
    >>> print(mine.question, round(mine.answer, 4))
    The true word is “tea”. What is the loss of this slot, in nats? 1.3133
    """
    return sound_part(_slot_exercise(slot, letter, story, numbers))


def _slot_exercise(slot, letter, story, numbers=()):
    if not math.isfinite(slot.loss):
        raise ValueError(f"the loss is {slot.loss}, which nobody can type: "
                         f"give the label {slot.label_token!r} a finite logit")
    question = f"The true word is “{slot.label_token}”. What is the loss of this slot, in nats?"
    steps = tuple(derive_loss(slot))
    wrong = tuple(each for each in _wrong_answers(slot, len(steps)) if math.isfinite(each.value))
    return Exercise(letter, numbers, story, Table(("word", "logit"), _rows(slot)), question,
                    slot.loss, "nats", TO_TWO_DECIMALS, _HINT, steps, wrong)


def _rows(slot):
    rows = [(token, short(logit)) for token, logit in zip(slot.tokens, slot.logits, strict=True)]
    if slot.n_rest:
        rows.append((f"{integer(slot.n_rest)} others", f"{short(slot.rest_logit)} each"))
    return rows


def _wrong_answers(slot, last):
    """What the mistakes give; the last steps are: exponentiate, add, divide, take −ln."""
    p, divide, first = slot.label_probability, last - 1, last - 3
    yield from base_mistakes(lambda base: surprisal(p, base),
                             lambda log: f"−{log} {decimal(p)}", last)
    yield wrong_answer("sign", -slot.loss, f"ln {decimal(p)}", last)
    yield wrong_answer("probability", p, f"P({slot.label_token})", last)
    yield from _undivided(slot, first)
    if slot.shown is not None:
        yield from _misread_input(slot)
    best = max(range(len(slot.logits)), key=slot.logits.__getitem__)
    if best not in (slot.label, slot.shown):
        yield _scored(slot, best, "argmax", divide)
    yield from rounding_mistakes(slot.loss, _rounded(slot, first, divide))


def _undivided(slot, step):
    """The logits themselves divided, where that gives anything like a share."""
    logit = slot.logits[slot.label]
    total = math.fsum(slot.logits) + slot.n_rest * slot.rest_logit
    if 0 < logit < total:
        yield wrong_answer("not_exponentiated", surprisal(logit / total),
                           f"−ln ({short(logit)} / {short(total)})", step)


def _misread_input(slot):
    if slot.misleads:
        yield _scored(slot, slot.shown, "shown_word", 1)
    else:
        yield WrongAnswer("unchanged_zero", 0.0, f"input {slot.shown_token}, label "
                          f"{slot.label_token}, so 0", 1)


def _scored(slot, index, mistake, step):
    p = float(slot.probabilities[index])
    return wrong_answer(mistake, surprisal(p), f"−ln P({slot.tokens[index]}) = −ln {decimal(p)}",
                        step)


def _rounded(slot, first, divide):
    """Rounded weights, and rounded probabilities."""
    p = slot.label_probability
    for places, to in ((0, "to whole numbers"), (1, "to one decimal")):
        weights = [round(float(weight), places) for weight in slot.weights]
        weight, total = weights[slot.label], math.fsum(weights)
        if weight and math.isfinite(total):
            yield (surprisal(weight / total), f"with weights rounded {to}, −ln "
                   f"({short(weight)} / {short(total)})", first)
    for places in (1, 2):
        rounded = round(p, places)
        if rounded:
            yield surprisal(rounded), f"with p rounded, −ln {short(rounded)}", divide


MASKED = (Kind("masked", masked_numbers, masked_exercise),)
SWAPPED = (Kind("swapped", swapped_numbers, swapped_exercise),)
KEPT = (Kind("kept", masked_numbers, kept_exercise),)
