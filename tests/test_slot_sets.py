"""Several slots of one sequence, against mpmath in 50 digits and numbers written down by hand."""

import math

import mpmath
import numpy as np
import pytest

from mlm_helpers.slot_sets import SlotSet
from refusals import assert_refused
from test_losses import is_plain_zero, relative_error

pytestmark = pytest.mark.filterwarnings("error")

REDUCTIONS = ("sum", "mean", "bert_mean", "token_mean")
SETS = {
    "worked example": (0.4, 0.2),
    "one slot": (0.1,),
    "certain and hopeless": (1.0, 1e-300, 0.5),
    "as many as tokens": tuple(np.linspace(0.05, 1.0, 12).tolist()),
}


def slot_set(probabilities=(0.4, 0.2), vocab_size=30_000, n_tokens=12):
    return SlotSet(probabilities, vocab_size=vocab_size, n_tokens=n_tokens)


def exact_losses(probabilities):
    with mpmath.workdps(50):
        return [-mpmath.log(mpmath.mpf(p)) for p in probabilities]


def divided(total, reduction, n_slots, n_tokens=12):
    with mpmath.workdps(50):
        return total / {"sum": 1, "mean": n_slots, "bert_mean": n_slots + mpmath.mpf("0.00001"),
                        "token_mean": n_tokens}[reduction]


@pytest.mark.parametrize("probabilities", SETS.values(), ids=SETS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_losses_and_reference_are_exact_under_each_reduction(reduction, probabilities):
    slots, n_slots = slot_set(probabilities), len(probabilities)
    losses = exact_losses(probabilities)
    for got, exact in zip(slots.losses, losses, strict=True):
        assert got == pytest.approx(float(exact), rel=4e-16, abs=0)
    with mpmath.workdps(50):
        total, uniform = mpmath.fsum(losses), n_slots * mpmath.log(30_000)
    assert relative_error(slots.loss(reduction), divided(total, reduction, n_slots)) < 5e-16
    assert relative_error(slots.uniform(reduction), divided(uniform, reduction, n_slots)) < 5e-16


def test_the_worked_example_written_down():
    slots = slot_set()
    assert slots.n_slots == 2
    assert slots.losses == pytest.approx([0.916290731874155, 1.6094379124341003], rel=1e-15)
    written = {"sum": (2.5257, 20.6179), "mean": (1.2629, 10.309),
               "bert_mean": (1.2629, 10.3089), "token_mean": (0.2105, 1.7182)}
    for reduction, (loss, uniform) in written.items():
        assert round(slots.loss(reduction), 4) == loss
        assert round(slots.uniform(reduction), 4) == uniform


def test_the_sum_is_the_surprisal_of_the_product():
    slots = slot_set()
    assert slots.product == pytest.approx(0.08, rel=1e-15)
    assert slots.loss("sum") == pytest.approx(-math.log(0.08), rel=1e-15)
    assert slots.loss("mean") == pytest.approx(-math.log(math.sqrt(0.08)), rel=1e-15)


def test_a_sum_of_losses_outlives_a_product_that_rounds_to_zero():
    slots = slot_set([1e-5] * 100, n_tokens=100)
    assert slots.product == 0.0
    assert slots.loss("sum") == pytest.approx(500 * math.log(10), rel=1e-14)


def test_no_slots_are_allowed():
    slots = slot_set(())
    assert (slots.n_slots, slots.losses, slots.product) == (0, [], 1.0)
    for reduction in ("sum", "bert_mean", "token_mean"):
        assert is_plain_zero(slots.loss(reduction)) and is_plain_zero(slots.uniform(reduction))
    assert math.isnan(slots.loss("mean")) and math.isnan(slots.uniform("mean"))
    assert math.isnan(slot_set((), n_tokens=0).loss("token_mean"))


def test_a_certain_slot_costs_nothing():
    for reduction in REDUCTIONS:
        assert is_plain_zero(slot_set((1.0,)).loss(reduction))


@pytest.mark.parametrize(
    "convert", [list, iter, np.array, lambda values: map(np.float64, values)],
    ids=["list", "generator", "array", "numpy scalars"],
)
def test_any_kind_of_sequence_is_the_same_set_of_plain_numbers(convert):
    slots = slot_set(convert((0.4, 0.2)))
    assert slots == slot_set() and hash(slots) == hash(slot_set())
    numbers = [*slots.probabilities, *slots.losses, slots.product]
    numbers += [slots.loss(name) for name in REDUCTIONS]
    assert {type(number) for number in numbers} == {float}


def test_a_set_does_not_follow_a_list_that_changes_later():
    probabilities = [0.4, 0.2]
    slots = slot_set(probabilities)
    probabilities[0] = 0.0
    assert slots.probabilities == (0.4, 0.2)


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int64])
def test_numpy_integers_give_plain_floats(kind):
    slots = slot_set(vocab_size=kind(4), n_tokens=kind(12))
    for reduction in REDUCTIONS:
        assert type(slots.loss(reduction)) is type(slots.uniform(reduction)) is float
    assert slots.uniform("sum") == pytest.approx(math.log(16), rel=1e-15)


def test_a_vocabulary_and_a_sequence_of_any_length():
    slots = slot_set(vocab_size=10**13, n_tokens=10**13)
    assert slots.uniform("mean") == pytest.approx(13 * math.log(10), rel=1e-15)
    assert slots.loss("token_mean") == pytest.approx(2.5257286443082556e-13, rel=1e-14)


REFUSALS = {
    "impossible word": (lambda: slot_set((0.4, 0.0)), "probability 0.0 of slot 2", "above 0"),
    "negative": (lambda: slot_set((-0.25,)), "probability -0.25 of slot 1", "at most 1"),
    "percentage": (lambda: slot_set((40, 20)), "40", "slot 1", "at most 1"),
    "just above 1": (lambda: slot_set((np.nextafter(1, 2),)), "1.0000000000000002", "at most 1"),
    "nan": (lambda: slot_set((0.4, 0.2, math.nan)), "probability nan of slot 3", "above 0"),
    "infinite": (lambda: slot_set((math.inf,)), "probability inf", "at most 1"),
    "no vocabulary": (lambda: slot_set(vocab_size=0), "vocab_size 0", "1 or more"),
    "half a word": (lambda: slot_set(vocab_size=2.5), "vocab_size 2.5", "whole number"),
    "more slots than tokens": (lambda: slot_set(n_tokens=1), "n_tokens 1", "2 or more"),
    "tokens of no slots": (lambda: slot_set((), n_tokens=-1), "n_tokens -1", "0 or more"),
    "tokens nan": (lambda: slot_set(n_tokens=math.nan), "n_tokens nan", "whole number"),
    "loss's reduction": (lambda: slot_set().loss("average"), "'average'", "'bert_mean'"),
    "uniform's reduction": (lambda: slot_set(()).uniform("average"), "'average'", "'sum'"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)
