"""Scenario F: the loss of several slots, from what the model gives their true words."""

import math
from dataclasses import replace
from functools import partial
from itertools import combinations

from mlm_helpers.case_derivations import derive_sum
from mlm_helpers.exercises.exercise import TO_TWO_DECIMALS, Exercise, Kind, WrongAnswer
from mlm_helpers.exercises.loss_mistakes import base_mistakes, rounding_mistakes, wrong_answer
from mlm_helpers.losses import perplexity, surprisal
from mlm_helpers.reductions import reduce_losses
from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.steps import numbered
from mlm_helpers.tables import Table
from mlm_helpers.wording import decimal, rough, short

NUMBER_WORDS = {2: "two", 3: "three", 4: "four"}
_VOCAB_SIZE = 30_000  # a SlotSet has one; nothing asked here depends on it
_ASKED = {"sum": "the sum over its slots", "mean": "the mean over its slots"}


def slots_numbers():
    """Chances of the true words, each list with the length of the sequence."""
    lists = chance_lists((2, range(5, 96, 2)), (3, range(10, 95, 7)), (4, range(8, 95, 9)))
    return [(chances, 8 + 2 * (place % 6)) for place, chances in enumerate(lists)]


def chance_lists(*choices):
    """All lists of so many different chances out of so many per cent."""
    lists = [chosen for how_many, per_cent in choices
             for chosen in combinations(per_cent, how_many)]
    return [tuple(value / 100 for value in (chosen if place % 2 else reversed(chosen)))
            for place, chosen in enumerate(lists)]


def slots_exercise(reduction, chances, n_tokens):
    """The sum or the mean over the slots of a sequence.

    Examples
    --------
    >>> exercise = slots_exercise("mean", (0.4, 0.2), n_tokens=12)
    >>> print(exercise.question, round(exercise.answer, 4))
    What is the loss of the sequence, as the mean over its slots, in nats? 1.2629
    """
    slots = SlotSet(chances, _VOCAB_SIZE, n_tokens)
    story = (f"A sequence of {n_tokens} tokens has {NUMBER_WORDS[slots.n_slots]} slots. At each, "
             "the model gives the true word the probability below.")
    hint = "Each slot has a loss of its own. Find these first, then make one number of them."
    return Exercise("F", (), story, Table(("", "probability"), slot_rows(slots)),
                    f"What is the loss of the sequence, as {_ASKED[reduction]}, in nats?",
                    slots.loss(reduction), "nats", TO_TWO_DECIMALS, hint,
                    slots_steps(slots, reduction), tuple(_wrong_answers(slots, reduction)))


def slot_rows(slots):
    """The rows that give the true words' probabilities."""
    return [(f"true word of slot {number}", short(p))
            for number, p in enumerate(slots.probabilities, start=1)]


def slots_steps(slots, reduction):
    """The steps to the sum, or on to the mean."""
    each, added, _, divided = derive_sum(slots)
    added = replace(added, why="The chance of all true words together is a product, and the "
                               "logarithm turns a product into a sum.")
    return tuple(numbered([each, added] if reduction == "sum" else [each, added, divided]))


def written(chances, reduction, log="ln", sign="−", also=()):
    """The logarithms of the chances, reduced, and those of others added.

    Examples
    --------
    >>> written((0.4, 0.2), "mean", also=(0.9,))
    '(−ln 0.4 − ln 0.2) / 2 − ln 0.9'
    >>> written((0.4, 0.2), "sum", sign="+")
    'ln 0.4 + ln 0.2'
    """
    terms = [f"{log} {short(p)}" for p in (*chances, *also)]
    terms[0] = terms[0] if sign == "+" else f"{sign}{terms[0]}"
    if reduction == "mean":
        inner = f" {sign} ".join(terms[:len(chances)])
        terms[:len(chances)] = [f"({inner}) / {len(chances)}"]
    return f" {sign} ".join(terms)


def rounded_losses(losses, answer, reduced):
    """What comes of writing each loss down with one decimal, if that is clearly off.

    ``reduced`` makes of the losses a number and its working.
    """
    value, working = reduced([round(loss, 1) for loss in losses])
    return rounding_mistakes(answer, [(value, working, 1)])


def _wrong_answers(slots, reduction):
    chances, losses = slots.probabilities, slots.losses
    last = 2 if reduction == "sum" else 3
    yield from base_mistakes(
        lambda base: reduce_losses([surprisal(p, base) for p in chances], reduction),
        lambda log: written(chances, reduction, log), 1)
    yield wrong_answer("sign", -slots.loss(reduction), written(chances, reduction, sign="+"), 1)
    yield wrong_answer("token_mean", slots.loss("token_mean"),
                       f"({_joined(losses, ' + ')}) / {slots.n_tokens}", last)
    yield from (_instead_of_sum if reduction == "sum" else _instead_of_mean)(slots)
    yield from rounded_losses(losses, slots.loss(reduction), lambda rounded: (
        reduce_losses(rounded, reduction), reduced_text(rounded, reduction)))


def _instead_of_sum(slots):
    chances, factors = slots.probabilities, _joined(slots.losses, " · ")
    yield wrong_answer("mean_for_sum", slots.loss("mean"),
                       f"({_joined(slots.losses, ' + ')}) / {slots.n_slots}", 2)
    yield wrong_answer("product_of_losses", math.prod(slots.losses), factors, 2)
    yield log_of_sum(chances)
    yield wrong_answer("probability", slots.product, " · ".join(map(short, chances)), 1)


def _instead_of_mean(slots):
    chances, k = slots.probabilities, slots.n_slots
    product, factors = math.prod(slots.losses), _joined(slots.losses, " · ")
    yield wrong_answer("sum_for_mean", slots.loss("sum"), _joined(slots.losses, " + "), 3)
    yield wrong_answer("product_of_losses", product, factors, 2)
    yield wrong_answer("product_of_losses", product / k, f"({factors}) / {k}", 2)
    yield log_of_sum(chances)
    yield wrong_answer("log_of_sum", -math.log(math.fsum(chances) / k),
                       f"−ln (({_sum_of(chances)}) / {k})", 1)
    base = perplexity(slots.loss("mean"))
    yield WrongAnswer("perplexity", base, f"e to the mean loss is {rough(base)}", 3)


def log_of_sum(chances):
    """The logarithm of all the chances added up; no surprisal, for their sum may be above 1."""
    return wrong_answer("log_of_sum", -math.log(math.fsum(chances)), f"−ln ({_sum_of(chances)})",
                        1)


def reduced_text(losses, reduction):
    """Losses with one decimal, reduced: "(0.9 + 1.6) / 2"."""
    text = " + ".join(map(short, losses))
    return f"({text}) / {len(losses)}" if reduction == "mean" else text


def _joined(losses, sign):
    return sign.join(map(decimal, losses))


def _sum_of(chances):
    return " + ".join(map(short, chances))


KINDS = tuple(Kind(reduction, slots_numbers, partial(slots_exercise, reduction))
              for reduction in _ASKED)
