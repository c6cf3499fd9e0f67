"""Scenario D: how many slots a sequence gets under a named rule."""

import math
from functools import partial

from mlm_helpers.checks import exact
from mlm_helpers.exercises.exercise import Exercise, Kind, WrongAnswer
from mlm_helpers.slot_counts import slot_count
from mlm_helpers.steps import Step, numbered
from mlm_helpers.tables import Table
from mlm_helpers.wording import count, integer, short

_PER_CENT = (12, 15, 18, 20, 30, 35)
_HALVING_PER_CENT, _HIGH_PER_CENT = (5, 10, 15, 25, 30, 35, 45), (20, 25, 30, 35, 40)
_LIMITS = (20, 40, 77)
_N_SPECIAL = 3  # [CLS], and a [SEP] behind each sentence of a pair
_DOWN = "The rule here: take the share of all tokens, and round down."
_BERT = ("BERT's rule: take the share of all tokens, [CLS] and [SEP] included. Round to the "
         "nearest whole number, from halfway to the even one. Never take less than 1 or more than "
         "the upper limit.")
_HINT = "Work out the share first. Then read word for word how the rule makes it whole."


def down_numbers():
    """Sequences where rounding down is not rounding: length and per cent."""
    return [(n, share) for share in _PER_CENT for n in range(6, 200)
            if _rest(n, share) > 0.5 and _product(n, share) >= 1]


def none_numbers():
    """Sequences so short that nothing is left: length and per cent."""
    return [(n, share) for share in range(1, 13) for n in range(3, 50)
            if _product(n, share) < 0.5]


def nearest_numbers():
    """Sequences where BERT's rule goes up: length, per cent and upper limit."""
    return [(*numbers, _limit_above(*numbers)) for numbers in down_numbers()]


def least_numbers():
    """Sequences where BERT's rule takes one slot and rounding alone would take none."""
    return [(n, share, 20) for n, share in none_numbers()]


def limit_numbers():
    """Sequences where BERT's rule meets its upper limit."""
    return [(n, share, limit) for share in _PER_CENT for n in range(64, 513, 8)
            for limit in (10, 20, 40)
            if limit + 1 < _product(n, share) < 5 * limit and _rest(n, share) != 0.5]


def halfway_numbers():
    """Sequences exactly halfway between an even number of slots and the next one."""
    return [(n, share, _limit_above(n, share)) for share in _HALVING_PER_CENT
            for n in range(10, 300)
            if _rest(n, share) == 0.5 and 2 <= _product(n, share) < _LIMITS[-1]
            and math.floor(_product(n, share)) % 2 == 0]


def special_numbers():
    """Ordinary tokens of a pair such that three special ones change the number of slots."""
    return [(n, share, _limit_above(n + _N_SPECIAL, share)) for share in _HIGH_PER_CENT
            for n in range(6, 150)
            if _rest(n + _N_SPECIAL, share) != 0.5 and _rest(n, share) != 0.5
            and round(_product(n, share)) != round(_product(n + _N_SPECIAL, share)) < _LIMITS[-1]]


def _product(n_tokens, per_cent):
    return exact(per_cent / 100) * n_tokens


def _rest(n_tokens, per_cent):
    return _product(n_tokens, per_cent) % 1


def _limit_above(n_tokens, per_cent):
    return next(limit for limit in _LIMITS if round(_product(n_tokens, per_cent)) < limit)


def down_exercise(n_tokens, per_cent):
    """Round down, where rounding would give one more.

    Examples
    --------
    >>> exercise = down_exercise(38, 15)
    >>> exercise.answer, exercise.wrong_answers[0].how
    (5, '0.15 · 38 = 5.7, to the nearest whole number: 6')
    """
    wrong = [(_nearest(n_tokens, per_cent), "round_for_floor", "to the nearest whole number")]
    return _rounded_down(n_tokens, per_cent, wrong)


def none_exercise(n_tokens, per_cent):
    """Round down to nothing."""
    return _rounded_down(n_tokens, per_cent, [(1, "at_least_one", "but at least 1")])


def nearest_exercise(n_tokens, per_cent, limit):
    """BERT's rule where rounding down would give one less."""
    wrong = [(slot_count(n_tokens, "page", mlm_probability=per_cent / 100), "floor_for_round",
              "cut off")]
    return _by_bert(n_tokens, per_cent, limit, wrong, 2)


def limits_exercise(mistake, n_tokens, per_cent, limit):
    """BERT's rule where one of its limits decides, and rounding alone is a mistake."""
    wrong = [(_nearest(n_tokens, per_cent), mistake, "to the nearest whole number")]
    return _by_bert(n_tokens, per_cent, limit, wrong, 3)


def halfway_exercise(n_tokens, per_cent, limit):
    """BERT's rule exactly halfway."""
    wrong = [(math.ceil(_product(n_tokens, per_cent)), "half_up", "one half rounded up")]
    return _by_bert(n_tokens, per_cent, limit, wrong, 2)


def special_exercise(n_ordinary, per_cent, limit):
    """BERT's rule for a pair of sentences whose special tokens are still to be counted."""
    forgotten = [(_bert(n_ordinary, per_cent, limit), "special_forgotten",
                  "to the nearest whole number")]
    story = (f"A pair of sentences has {n_ordinary} ordinary tokens. [CLS] is put before them, and "
             f"a [SEP] behind each of the two. {_BERT}")
    first = Step("Count all tokens", "The rule takes its share of the special ones too.",
                 f"$${n_ordinary} + {_N_SPECIAL} = {n_ordinary + _N_SPECIAL}$$")
    n_tokens = n_ordinary + _N_SPECIAL
    return _exercise(story, ("ordinary tokens", n_ordinary), n_tokens, per_cent,
                     _bert(n_tokens, per_cent, limit),
                     [first, *_bert_steps(n_tokens, per_cent, limit)],
                     _wrong_answers(n_ordinary, per_cent, forgotten, 1), limit)


def _nearest(n_tokens, per_cent):
    return round(_product(n_tokens, per_cent))


def _bert(n_tokens, per_cent, limit):
    return slot_count(n_tokens, "bert", mlm_probability=per_cent / 100,
                      max_predictions_per_seq=limit)


def _rounded_down(n_tokens, per_cent, wrong):
    answer = slot_count(n_tokens, "page", mlm_probability=per_cent / 100)
    steps = [_share_step(n_tokens, per_cent),
             Step("Round down", "The rest is dropped, however large it is.",
                  rf"$$\lfloor {_text(n_tokens, per_cent)} \rfloor = {answer}$$")]
    return _exercise(_DOWN, ("tokens", n_tokens), n_tokens, per_cent, answer, steps,
                     _wrong_answers(n_tokens, per_cent, wrong, 2))


def _by_bert(n_tokens, per_cent, limit, wrong, step):
    return _exercise(_BERT, ("tokens, [CLS] and [SEP] included", n_tokens), n_tokens, per_cent,
                     _bert(n_tokens, per_cent, limit), _bert_steps(n_tokens, per_cent, limit),
                     _wrong_answers(n_tokens, per_cent, wrong, step), limit)


def _exercise(story, given, n_tokens, per_cent, answer, steps, wrong, limit=None):
    name, number = given
    rows = [(name, integer(number)), ("share to choose", f"{per_cent} %")]
    if limit:
        rows.append(("upper limit", count(limit, "slot")))
    return Exercise("D", (), story, Table(("", "given"), rows), "How many slots are chosen?",
                    answer, "slots", 0.0, _HINT, tuple(numbered(steps)), tuple(wrong))


def _bert_steps(n_tokens, per_cent, limit):
    nearest, answer = _nearest(n_tokens, per_cent), _bert(n_tokens, per_cent, limit)
    halfway = _rest(n_tokens, per_cent) == 0.5
    why = ("It lies exactly halfway, so the even neighbour is taken." if halfway else
           "Up or down, whichever is nearer.")
    return [_share_step(n_tokens, per_cent),
            Step("Round to the nearest whole number", why,
                 rf"$${_text(n_tokens, per_cent)} \to {nearest}$$"),
            Step("Keep to the limits", f"Not less than 1, and not more than {limit}.",
                 rf"$$\min({limit}, \max(1, {nearest})) = {answer}$$")]


def _share_step(n_tokens, per_cent):
    return Step("Take the share of all tokens", f"{per_cent} % is {short(per_cent / 100)}.",
                rf"$${short(per_cent / 100)} \cdot {n_tokens} = {_text(n_tokens, per_cent)}$$")


def _wrong_answers(n_tokens, per_cent, wrong, step):
    return [WrongAnswer(mistake, value, f"{short(per_cent / 100)} · {n_tokens} = "
                        f"{_text(n_tokens, per_cent)}, {rounding}: {value}", step)
            for value, mistake, rounding in wrong]


def _text(n_tokens, per_cent):
    return short(_product(n_tokens, per_cent))


KINDS = (Kind("round_down", down_numbers, down_exercise),
         Kind("none_left", none_numbers, none_exercise),
         Kind("nearest", nearest_numbers, nearest_exercise),
         Kind("at_least_one", least_numbers, partial(limits_exercise, "at_least_one")),
         Kind("upper_limit", limit_numbers, partial(limits_exercise, "cap")),
         Kind("halfway", halfway_numbers, halfway_exercise),
         Kind("special_tokens", special_numbers, special_exercise))
