"""The sentence of each explorer, against numbers written down from the worked examples."""

import math
import re

import pytest

from mlm_helpers.corpus import corpus_counts
from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK
from mlm_helpers.pretraining import PretrainingLoss
from mlm_helpers.sentences import (
    corpus_sentence,
    limits_sentence,
    masking_sentence,
    side_phrase,
    slot_sentence,
    slots_sentence,
    surprisal_sentence,
    total_sentence,
    uniform_phrase,
)
from mlm_helpers.slot_sets import SlotSet
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


# Limits


@pytest.mark.parametrize(
    ("loss", "uniform", "unit", "phrase"),
    [
        (10.0001362, 1.3862944, NATS, "8.6138 nats above uniform"),
        (1.3837912, 10.3262031, NATS, "8.9424 nats below uniform"),
        (0.0, 0.0, NATS, "exactly uniform"),
        (2.0, 2.0 + 4e-10, NATS, "exactly uniform"),
        (2.0, 2.0 + 6e-10, NATS, "6.0·10⁻¹⁰ nats below uniform"),
        (2.0 + 1e-5, 2.0, NATS, "1.0·10⁻⁵ nats above uniform"),
        (math.log(4), math.log(2), BITS, "1.0000 bits above uniform"),
        (math.log(2), math.log(4), BITS, "1.0000 bits below uniform"),
        # one over 84 in ten digits: 5.8e-10 bits, which are 4.0e-10 nats
        (-math.log(0.01190476190), math.log(84), BITS, "exactly uniform"),
        (math.inf, 1.3862944, NATS, f"{INFINITY} nats above uniform"),
    ],
)
def test_side_phrase(loss, uniform, unit, phrase):
    assert side_phrase(loss, uniform, unit) == phrase


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
def test_one_over_any_vocabulary_in_ten_digits_is_exactly_uniform(unit):
    for size in range(2, 250_003, 3):
        loss = -math.log(float(f"{1 / size:.10g}"))
        assert side_phrase(loss, math.log(size), unit) == "exactly uniform", size


@pytest.mark.parametrize(
    ("p", "size", "unit", "sentence"),
    [
        (1.0, 4, NATS, "p = 1, loss 0.0000 nats, perplexity 1.00; uniform ln 4 = 1.3863, "
                       "1.3863 nats below uniform"),
        (1 / 30_000, 30_000, NATS, f"p = 3.3·10⁻⁵, loss 10.3090 nats, perplexity 30{THIN}000; "
                                   f"uniform ln 30{THIN}000 = 10.3090, exactly uniform"),
        (1 / 3.99, 30_522, NATS, "p = 0.2506, loss 1.3838 nats, perplexity 3.99; "
                                 f"uniform ln 30{THIN}522 = 10.3262, 8.9424 nats below uniform"),
        (0.125, 4, BITS, "p = 0.125, loss 3.0000 bits, perplexity 8.00; uniform log₂ 4 = 2.0000, "
                         "1.0000 bits above uniform"),
        (1e-12, 2, NATS, f"p = 1.0·10⁻¹², loss 27.6310 nats, perplexity 1{f'{THIN}000' * 4}; "
                         "uniform ln 2 = 0.6931, 26.9379 nats above uniform"),
    ],
)
def test_limits_sentence(p, size, unit, sentence):
    assert limits_sentence(p, -math.log(p) + 0.0, size, math.log(size), unit) == sentence


# Several slots


@pytest.mark.parametrize(
    ("probabilities", "reduction", "sentence"),
    [
        ((0.4, 0.2), "sum", "2 slots among 12 tokens, sum 2.5257 nats, product of p 0.0800; "
                            "uniform 20.6179"),
        ((0.4, 0.2), "mean", "2 slots among 12 tokens, mean over the slots 1.2629 nats, "
                             "product of p 0.0800; uniform 10.3090"),
        ((0.4, 0.2), "token_mean", "2 slots among 12 tokens, mean over all tokens, a common "
                                   "mistake, 0.2105 nats, product of p 0.0800; uniform 1.7182"),
        ((0.5,), "sum", "1 slot among 12 tokens, sum 0.6931 nats, product of p 0.5000; "
                        "uniform 10.3090"),
        ((1.0, 1.0), "mean", "2 slots among 12 tokens, mean over the slots 0.0000 nats, "
                             "product of p 1.0000; uniform 10.3090"),
        ((1e-6,) * 12, "sum", "12 slots among 12 tokens, sum 165.7861 nats, "
                              "product of p 1.0·10⁻⁷²; uniform 123.7074"),
        ((), "sum", "0 slots among 12 tokens, sum 0.0000 nats, product of p 1.0000; "
                    "uniform 0.0000"),
        ((), "mean", "0 slots among 12 tokens, mean over the slots undefined nats, "
                     "product of p 1.0000; uniform undefined"),
    ],
)
def test_slots_sentence(probabilities, reduction, sentence):
    assert slots_sentence(SlotSet(probabilities, 30_000, 12), reduction) == sentence


@pytest.mark.parametrize(
    ("loss", "uniform", "reduction", "sentence"),
    [
        ((2.5257286, 0.1053605, 2), (20.6179053, 0.6931472, 2), "sum",
         "2 slots, sum 2.5257 + next sentence 0.1054 = total 2.6311 nats; next sentence 4.0 %; "
         "uniform 21.3111"),
        ((1.2628643, 0.1053605, 2), (10.3089527, 0.6931472, 2), "mean",
         "2 slots, mean over the slots 1.2629 + next sentence 0.1054 = total 1.3682 nats; "
         "next sentence 7.7 %; uniform 11.0021"),
        ((1.2882848, 0.0196654, 1), (10.3262031, 0.6931472, 1), "mean",
         "1 slot, mean over the slots 1.2883 + next sentence 0.0197 = total 1.3080 nats; "
         "next sentence 1.5 %; uniform 11.0194"),
        ((0.0, 0.1053605, 0), (0.0, 0.6931472, 0), "sum",
         "0 slots, sum 0.0000 + next sentence 0.1054 = total 0.1054 nats; next sentence 100.0 %; "
         "uniform 0.6931"),
        ((0.0, 0.0, 3), (4.1588831, 0.6931472, 3), "sum",
         "3 slots, sum 0.0000 + next sentence 0.0000 = total 0.0000 nats; uniform 4.8520"),
        ((math.inf, 0.5, 1), (1.0, 0.6931472, 1), "sum",
         f"1 slot, sum {INFINITY} + next sentence 0.5000 = total {INFINITY} nats; uniform 1.6931"),
    ],
)
def test_total_sentence(loss, uniform, reduction, sentence):
    parts = PretrainingLoss(*loss), PretrainingLoss(*uniform)
    assert total_sentence(*parts, reduction) == sentence


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


@pytest.mark.parametrize(
    ("n_tokens", "policy", "length", "sentence"),
    [
        (2_000_000_000, "share", None,
         "2 000 000 000 tokens, 300 000 000 slots (15.0 %): 240 000 000 ± 6 928 mask, "
         "30 000 000 ± 5 196 swap, 30 000 000 ± 5 196 keep"),
        (2_000_000_000, "bert", 128,
         "2 000 000 000 tokens in 15 625 000 sequences, 296 875 000 slots (14.8 %): "
         "237 500 000 ± 6 892 mask, 29 687 500 ± 5 169 swap, 29 687 500 ± 5 169 keep"),
        (2_000_000_000, "hugging_face", 128,
         "2 000 000 000 tokens in 15 625 000 sequences, 300 000 000 ± 15 969 slots (15.0 %): "
         "240 000 000 ± 14 533 mask, 30 000 000 ± 5 436 swap, 30 000 000 ± 5 436 keep"),
        (1001, "share", None, "1 001 tokens, 150.2 slots (15.0 %): 120.1 ± 4.9 mask, "
                              "15.0 ± 3.7 swap, 15.0 ± 3.7 keep"),
        (1, "bert", 128, "1 token in 1 sequence, 1 slot (100.0 %): 0.8 ± 0.4 mask, "
                         "0.1 ± 0.3 swap, 0.1 ± 0.3 keep"),
        (0, "bert", 128, "0 tokens in 0 sequences, 0 slots: 0 ± 0 mask, 0 ± 0 swap, 0 ± 0 keep"),
    ],
)
def test_corpus_sentence(n_tokens, policy, length, sentence):
    counts = corpus_counts(n_tokens, policy, sequence_length=length)
    assert corpus_sentence(counts) == re.sub(r"(?<=\d) (?=\d)", THIN, sentence)
