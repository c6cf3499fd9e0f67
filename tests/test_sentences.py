"""The sentence of each explorer, against numbers written down from the worked examples."""

import math

import pytest

from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK
from mlm_helpers.sentences import (
    masking_sentence,
    slot_sentence,
    surprisal_sentence,
    uniform_phrase,
)
from mlm_helpers.slots import Slot
from mlm_helpers.wording import BITS, NATS
from test_wording import HOSTILE, INFINITY, THIN

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("example", "unit", "sentence"),
    [
        (STANDARD_MASK, NATS, "P(cat) = 0.5344, loss 0.6265 nats, uniform ln 4 = 1.3863"),
        (RANDOM_SWAP, NATS, "P(cat) = 0.2955, loss 1.2192 nats, uniform ln 4 = 1.3863; "
                            "scored against mat by mistake: 0.7192"),
        (KEEP_UNCHANGED, NATS, "P(cat) = 0.8700, loss 0.1392 nats, uniform ln 4 = 1.3863"),
        (STANDARD_MASK, BITS, "P(cat) = 0.5344, loss 0.9039 bits, uniform log₂ 4 = 2.0000"),
        (RANDOM_SWAP, BITS, "P(cat) = 0.2955, loss 1.7589 bits, uniform log₂ 4 = 2.0000; "
                            "scored against mat by mistake: 1.0376"),
    ],
)
def test_slot_sentence(example, unit, sentence):
    assert slot_sentence(example.slot, unit) == sentence


def test_an_impossible_true_word():
    slot = Slot(("tea", "rum"), (-math.inf, 0.0), label=0, shown=1)
    assert slot_sentence(slot) == (f"P(tea) = 0.0000, loss {INFINITY} nats, uniform ln 2 = 0.6931; "
                                   "scored against rum by mistake: 0.0000")


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=ascii)
def test_any_word_stands_in_the_sentence_as_it_is(word, shown):
    slot = Slot((word, word), (0.0, 0.0), label=0, shown=1)
    assert slot_sentence(slot) == (f"P({shown}) = 0.5000, loss 0.6931 nats, uniform ln 2 = 0.6931; "
                                   f"scored against {shown} by mistake: 0.6931")


@pytest.mark.parametrize(
    ("vocab_size", "uniform", "unit", "phrase"),
    [
        (30_000, 10.308952660644293, NATS, f"uniform ln 30{THIN}000 = 10.3090"),
        (30_522, 10.326203077814542, NATS, f"uniform ln 30{THIN}522 = 10.3262"),
        (30_000, 10.308952660644293, BITS, f"uniform log₂ 30{THIN}000 = 14.8727"),
        (1, 0.0, NATS, "uniform ln 1 = 0.0000"),
    ],
)
def test_uniform_phrase(vocab_size, uniform, unit, phrase):
    assert uniform_phrase(vocab_size, uniform, unit) == phrase


@pytest.mark.parametrize(
    ("probability", "surprisal", "unit", "start"),
    [
        (0.4, 0.916290731874155, NATS, "p = 0.4, surprisal 0.9163 nats, "),
        (0.25, 1.3862943611198906, BITS, "p = 0.25, surprisal 2.0000 bits, "),
        (1.0, 0.0, NATS, "p = 1, surprisal 0.0000 nats, "),
        (0.0, math.inf, BITS, f"p = 0, surprisal {INFINITY} bits, "),
        (1 / 30_000, 10.308952660644293, NATS, "p = 3.3·10⁻⁵, surprisal 10.3090 nats, "),
    ],
)
def test_surprisal_sentence(probability, surprisal, unit, start):
    sentence = surprisal_sentence(probability, surprisal, 4, math.log(4), unit)
    assert sentence == start + uniform_phrase(4, math.log(4), unit)


@pytest.mark.parametrize(
    ("n_tokens", "counts", "sentence"),
    [
        (20, (2, 1, 0), "20 tokens, 3 slots (15.0 %): 2 mask, 1 swap, 0 keep"),
        (0, (0, 0, 0), "0 tokens, 0 slots: 0 mask, 0 swap, 0 keep"),
        (4, (0, 0, 0), "4 tokens, 0 slots (0.0 %): 0 mask, 0 swap, 0 keep"),
        (1, (0, 0, 1), "1 token, 1 slot (100.0 %): 0 mask, 0 swap, 1 keep"),
        (20_000, (2400, 300, 300), f"20{THIN}000 tokens, 3{THIN}000 slots (15.0 %): "
                                   f"2{THIN}400 mask, 300 swap, 300 keep"),
    ],
)
def test_masking_sentence(n_tokens, counts, sentence):
    branch_counts = dict(zip(("mask", "swap", "keep"), counts, strict=True))
    assert masking_sentence(n_tokens, branch_counts) == sentence
