"""Scenario H: BERT's whole loss, the masked words and the next sentence."""

import math
from dataclasses import replace
from functools import partial

from mlm_helpers.case_derivations import derive_total
from mlm_helpers.checks import exact
from mlm_helpers.examples import SlotsExample
from mlm_helpers.exercises.exercise import TO_TWO_DECIMALS, Exercise, Kind
from mlm_helpers.exercises.loss_mistakes import base_mistakes, wrong_answer
from mlm_helpers.exercises.several_slots_exercises import (
    NUMBER_WORDS,
    chance_lists,
    log_of_sum,
    reduced_text,
    rounded_losses,
    slot_rows,
    slots_steps,
    written,
)
from mlm_helpers.losses import surprisal
from mlm_helpers.pretraining import IS_NEXT, IS_RANDOM, pretraining_loss
from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.steps import numbered
from mlm_helpers.tables import Table
from mlm_helpers.wording import decimal, short

_LABELS = {IS_NEXT: "is next", IS_RANDOM: "is random"}
_STORIES = {IS_NEXT: "B does follow A.", IS_RANDOM: "B is a random sentence."}
_RIGHT_CHANCES = (0.6, 0.7, 0.75, 0.8, 0.9, 0.95, 0.98, 0.3, 0.2)
_ASKED = {"sum": "the sum over the slots plus the next sentence's loss",
          "mean": "the mean over the slots, as BERT takes it, plus the next sentence's loss"}
_VOCAB_SIZE, _N_TOKENS = 30_000, 12  # a SlotSet has them; nothing asked here depends on them


def total_numbers():
    """Chances of the true words, of the right next-sentence label, and which label that is."""
    lists = chance_lists((2, range(5, 96, 3)), (3, range(10, 95, 7)))
    return [(chances, _taken(_RIGHT_CHANCES, turn), _taken((IS_NEXT, IS_RANDOM), turn))
            for place, chances in enumerate(lists) for turn in (place, place + 5)]


def _taken(items, turn):
    return items[turn % len(items)]


def total_exercise(reduction, chances, right_chance, label):
    """Masked words and next sentence together.

    Examples
    --------
    >>> round(total_exercise("sum", (0.4, 0.2), 0.9, IS_NEXT).answer, 4)
    2.6311
    """
    slots = SlotSet(chances, _VOCAB_SIZE, _N_TOKENS)
    other = float(1 - exact(right_chance))
    story = (f"A pair of sentences, A and B, has {NUMBER_WORDS[slots.n_slots]} slots. "
             f"{_STORIES[label]} The model gives these probabilities.")
    rows = [*slot_rows(slots), *((f"next sentence: {name}", short(right_chance if key == label
                                                                 else other))
                                 for key, name in _LABELS.items())]
    return Exercise("H", (), story, Table(("", "probability"), rows),
                    f"What is the total loss: {_ASKED[reduction]}, in nats?",
                    _total(slots.losses, right_chance, reduction), "nats", TO_TWO_DECIMALS,
                    "There are two parts. Which of the two labels is right for the next sentence?",
                    _steps(slots, right_chance, reduction),
                    tuple(_wrong_answers(slots, right_chance, other, reduction)))


def _total(losses, right_chance, reduction, base=math.e):
    return pretraining_loss(losses, surprisal(right_chance, base), reduction=reduction).total


def _steps(slots, right_chance, reduction):
    _, next_sentence, by_sum, by_mean = derive_total(SlotsExample(slots, (), (), {}, right_chance))
    added = by_sum if reduction == "sum" else replace(by_mean, title=by_sum.title, why=by_sum.why)
    return tuple(numbered([*slots_steps(slots, reduction), next_sentence, added]))


def _wrong_answers(slots, right_chance, other_chance, reduction):
    chances, losses, also = slots.probabilities, slots.losses, (right_chance,)
    masked, total = slots.loss(reduction), _total(losses, right_chance, reduction)
    last = 4 if reduction == "sum" else 5
    yield from base_mistakes(
        lambda base: _total([surprisal(p, base) for p in chances], right_chance, reduction, base),
        lambda log: written(chances, reduction, log, also=also), 1)
    yield wrong_answer("sign", -total, written(chances, reduction, sign="+", also=also), 1)
    yield wrong_answer("nsp_forgotten", masked, written(chances, reduction), last)
    yield wrong_answer("nsp_other_label", _total(losses, other_chance, reduction),
                       written(chances, reduction, also=(other_chance,)), last - 1)
    yield from (_instead_of_sum if reduction == "sum" else _instead_of_mean)(slots, right_chance)
    yield from rounded_losses([*losses, surprisal(right_chance)], total, lambda rounded: (
        pretraining_loss(rounded[:-1], rounded[-1], reduction=reduction).total,
        f"{reduced_text(rounded[:-1], reduction)} + {short(rounded[-1])}"))


def _instead_of_sum(slots, right_chance):
    chances = (*slots.probabilities, right_chance)
    losses = [*slots.losses, surprisal(right_chance)]
    yield wrong_answer("mean_for_sum", _total(slots.losses, right_chance, "mean"),
                       written(slots.probabilities, "mean", also=(right_chance,)), 2)
    yield wrong_answer("product_of_losses", math.prod(losses), " · ".join(map(decimal, losses)), 4)
    yield log_of_sum(chances)
    yield wrong_answer("probability", math.prod(chances), " · ".join(map(short, chances)), 1)


def _instead_of_mean(slots, right_chance):
    chances = (*slots.probabilities, right_chance)
    total = _total(slots.losses, right_chance, "sum")
    yield wrong_answer("sum_for_mean", total,
                       written(slots.probabilities, "sum", also=(right_chance,)), 3)
    yield wrong_answer("nsp_averaged", total / len(chances), written(chances, "mean"), 5)


KINDS = tuple(Kind(reduction, total_numbers, partial(total_exercise, reduction))
              for reduction in _ASKED)
