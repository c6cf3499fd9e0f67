"""A slot whose unlisted words are pooled, against scipy over the whole vocabulary."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import scipy.special

from mlm_helpers.slots import Slot
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ("dog", "cat", "mat", "owl")
VOCABULARIES = (4, 5, 1000, 250_002)
CASES = {
    "standard": dict(logits=(1.0, 2.0, 0.0, 1.0), label=1),
    "swapped": dict(logits=(0.5, 1.5, 2.0, 0.5), label=1, shown=2, rest_logit=-1.5),
    "far ahead": dict(logits=(10.0, 0.0, 0.0, -10.0), label=3, shown=0, rest_logit=-10.0),
    "rest ahead": dict(logits=(-10.0, -10.0, -3.25, -10.0), label=0, rest_logit=10.0),
    "overflowing": dict(logits=(1000.0, 999.0, 998.0, 0.0), label=1, shown=1, rest_logit=990.0),
}


@pytest.fixture(params=VOCABULARIES)
def vocab_size(request):
    return request.param


@pytest.fixture(params=CASES.values(), ids=CASES)
def slot(request, vocab_size):
    return Slot(WORDS, vocab_size=vocab_size, **request.param)


def every_logit(slot):
    return np.array([*slot.logits, *[slot.rest_logit] * (slot.vocab_size - len(WORDS))])


def pooled(values):
    """The listed words' values, and those of all other words added up."""
    return [*values[:4], values[4:].sum()] if len(values) > 4 else list(values)


def test_probabilities_and_loss_are_those_of_the_whole_vocabulary(slot):
    log_p = scipy.special.log_softmax(every_logit(slot))
    np.testing.assert_allclose(slot.probabilities, pooled(np.exp(log_p)), rtol=1e-10)
    assert slot.label_probability == pytest.approx(math.exp(log_p[slot.label]), rel=1e-10)
    assert slot.loss == pytest.approx(-log_p[slot.label], rel=1e-12)


def test_gradient_is_that_of_the_whole_vocabulary_added_up(slot):
    one_hot = np.arange(slot.vocab_size) == slot.label
    gradient = scipy.special.softmax(every_logit(slot)) - one_hot
    np.testing.assert_allclose(slot.gradient, pooled(gradient), rtol=1e-9, atol=1e-12)


def test_weights_add_up_to_the_normaliser_or_to_infinity(slot):
    with np.errstate(over="ignore"):
        weights = np.exp(every_logit(slot))
    np.testing.assert_allclose(slot.weights, pooled(weights), rtol=1e-10)


def test_mistaken_loss_is_the_shown_words_and_only_where_it_misleads(slot):
    if slot.shown in (None, slot.label):
        assert not slot.misleads and slot.mistaken_loss is None
    else:
        log_p = scipy.special.log_softmax(every_logit(slot))
        assert slot.misleads and slot.mistaken_loss == pytest.approx(-log_p[slot.shown], rel=1e-12)


@pytest.mark.parametrize("size", [4, 1000, 10**12])
def test_uniform_reference_is_ln_of_the_vocabulary(size):
    assert Slot(WORDS, (0, 0, 0, 0), 0, vocab_size=size).uniform == pytest.approx(
        math.log(size), rel=1e-15
    )


def test_arrays_do_not_grow_with_the_vocabulary():
    sizes = {len(getattr(Slot(WORDS, (1, 2, 0, 1), 1, vocab_size=size), name))
             for size in (5, 250_002, 10**12)
             for name in ("pooled_logits", "probabilities", "weights", "gradient")}
    assert sizes == {5}


def test_the_listed_words_alone_are_the_vocabulary_unless_it_is_given():
    slot = Slot(["tea", "rum", "tea"], [0, 1, 2], label=2)
    assert (slot.vocab_size, slot.n_rest, len(slot.probabilities)) == (3, 0, 3)
    assert (slot.label_token, slot.shown_token) == ("tea", "[MASK]")


def test_repeated_words_stay_apart():
    slot = Slot(("the", "the"), (0.0, math.log(3.0)), label=0, shown=1)
    assert slot.misleads
    assert slot.probabilities.tolist() == pytest.approx([0.25, 0.75], rel=1e-15)


def test_an_impossible_word_costs_infinity_and_a_certain_one_nothing():
    slot = Slot(("tea", "rum"), (-math.inf, 0.0), label=0, shown=1)
    assert (slot.label_probability, slot.loss, slot.mistaken_loss) == (0.0, math.inf, 0.0)


@pytest.mark.parametrize("logits", [
    np.array([1, 2]), np.array([1, 2], dtype=np.float32), np.array([1, 2], dtype=np.float16),
    [Fraction(1), Fraction(2)], [Decimal(1), Decimal(2)]],
    ids=lambda logits: type(logits[0]).__name__)
def test_logits_of_any_number_type_become_floats(logits):
    slot = Slot(("tea", "rum"), logits, label=0)
    assert [type(each) for each in slot.logits] == [float, float]
    assert slot.loss == pytest.approx(1.3132616875182228)  # ln(1 + e)


REFUSALS = {
    "no words": (lambda: Slot((), (), 0), "0 tokens"),
    "a logit short": (lambda: Slot(WORDS, (1, 2, 3), 0), "4 tokens", "3 logits", "one logit"),
    "label too large": (lambda: Slot(WORDS, (0,) * 4, 4), "label 4", "0 to 3"),
    "negative label": (lambda: Slot(WORDS, (0,) * 4, -1), "label -1", "0 to 3"),
    "ignored label": (lambda: Slot(WORDS, (0,) * 4, -100), "label -100", "0 to 3"),
    "no label": (lambda: Slot(WORDS, (0,) * 4, None), "label None", "0 to 3"),
    "shown": (lambda: Slot(WORDS, (0,) * 4, 0, shown=7), "shown 7", "0 to 3"),
    "vocabulary": (
        lambda: Slot(WORDS, (0,) * 4, 0, vocab_size=3), "vocab_size 3", "4 or more"
    ),
    "word that is a number": (lambda: Slot((1, 2), (0, 0), 0), "token 1", "words"),
    "logit nan": (lambda: Slot(("tea",), (math.nan,), 0), "logit nan of 'tea'", "number"),
    "logit infinite": (lambda: Slot(("tea",), (math.inf,), 0), "logit inf of 'tea'", "number"),
    "logit as text": (lambda: Slot(("tea",), ("1",), 0), "logit '1' of 'tea'", "number"),
    "no logit": (lambda: Slot(("tea",), (None,), 0), "logit None of 'tea'", "number"),
    "logit true": (lambda: Slot(("tea",), (True,), 0), "logit True of 'tea'", "number"),
    "logit beyond floats": (lambda: Slot(("tea",), (10**400,), 0), "of 'tea'", "number"),
    "logit of the rest": (
        lambda: Slot(("tea",), (0,), 0, vocab_size=9, rest_logit=math.nan), "'all others'"
    ),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_value_and_the_remedy(case):
    assert_refused(*case)
