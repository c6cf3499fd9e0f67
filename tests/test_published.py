"""Published figures, written down a second time, and the claims that our pages make with them."""

import math

import pytest

from mlm_helpers.published import (
    BERT_ABLATION,
    BERT_BASE,
    BERT_LARGE,
    BERT_MODELS,
    FRESH_BERT_LOSSES,
    LARGEST_VOCABULARY,
    ROBERTA_ABLATION,
    SCIBERT,
    VOCABULARIES,
)

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("name", "size", "nats"),
    [
        ("round figure", 30_000, 10.3090),
        ("BERT", 30_522, 10.3262),
        ("RoBERTa", 50_265, 10.8251),
        ("mBERT", 119_547, 11.6915),
        ("XLM-R", 250_002, 12.4292),
    ],
)
def test_vocabularies_and_what_guessing_costs_in_them(name, size, nats):
    assert VOCABULARIES[name] == size
    assert math.log(size) == pytest.approx(nats, abs=0.00005)


def test_vocabularies_are_in_order_and_the_largest_is_the_last():
    sizes = list(VOCABULARIES.values())
    assert sizes == sorted(sizes) and len(sizes) == 5
    assert LARGEST_VOCABULARY == sizes[-1] == 250_002


def test_bert_table_6_and_the_same_in_nats():
    assert [model.perplexity for model in BERT_MODELS] == [5.84, 5.24, 4.68, 3.99, 3.54, 3.23]
    assert [math.log(model.perplexity) for model in BERT_MODELS] == pytest.approx(
        [1.7647, 1.6563, 1.5433, 1.3838, 1.2641, 1.1725], abs=0.00005)


def test_bert_models_are_told_apart_by_layers_width_and_heads():
    assert [model.name for model in BERT_MODELS] == [
        "3 layers, 768 wide", "6 layers, 768 wide, 3 heads", "6 layers, 768 wide",
        "12 layers, 768 wide (base)", "12 layers, 1024 wide", "24 layers, 1024 wide (large)",
    ]
    assert (BERT_BASE.perplexity, BERT_LARGE.perplexity) == (3.99, 3.23)
    assert "(base)" in BERT_BASE.name and "(large)" in BERT_LARGE.name


def test_fresh_models_start_a_little_above_guessing():
    assert FRESH_BERT_LOSSES == (10.45, 10.53, 10.48)
    assert all(0 < loss - math.log(30_522) < 0.21 for loss in FRESH_BERT_LOSSES)


def test_scibert_at_512_tokens_and_the_share_of_its_next_sentence():
    assert SCIBERT == (1.2882848, 0.0196654)
    assert (SCIBERT.masked_lm, SCIBERT.next_sentence) == SCIBERT
    assert SCIBERT.next_sentence / sum(SCIBERT) == pytest.approx(0.015, abs=0.0005)


# Scores with and without next-sentence prediction


def test_bert_table_5():
    assert BERT_ABLATION.tasks == ("MNLI-m", "QNLI", "MRPC", "SST-2", "SQuAD 1.1 F1")
    assert BERT_ABLATION.rows == {
        "BERT base": (84.4, 88.4, 86.7, 92.7, 88.5),
        "the same without NSP": (83.9, 84.9, 86.5, 92.6, 87.9),
    }


def test_roberta_table_2():
    assert ROBERTA_ABLATION.tasks == ("SQuAD 1.1 F1", "SQuAD 2.0 F1", "MNLI-m", "SST-2", "RACE")
    assert ROBERTA_ABLATION.rows == {
        "segment pairs, with NSP": (90.4, 78.7, 84.0, 92.9, 64.2),
        "sentence pairs, with NSP": (88.7, 76.2, 82.9, 92.1, 63.0),
        "full sentences, without NSP": (90.4, 79.1, 84.7, 92.5, 64.8),
        "one document, without NSP": (90.6, 79.7, 84.7, 92.7, 65.6),
    }


def gains(ablation, row, over):
    pairs = zip(ablation.tasks, ablation.rows[row], ablation.rows[over], strict=True)
    return {task: round(score - other, 1) for task, score, other in pairs}


def test_bert_without_nsp_lost_most_on_qnli():
    lost = gains(BERT_ABLATION, "the same without NSP", "BERT base")
    assert (lost["QNLI"], lost["MNLI-m"], lost["SQuAD 1.1 F1"]) == (-3.5, -0.5, -0.6)
    assert min(lost, key=lost.get) == "QNLI"


def test_roberta_without_nsp_lost_nothing_but_a_little_on_sst_2():
    gained = gains(ROBERTA_ABLATION, "full sentences, without NSP", "segment pairs, with NSP")
    assert gained == {"SQuAD 1.1 F1": 0, "SQuAD 2.0 F1": 0.4, "MNLI-m": 0.7, "SST-2": -0.4,
                      "RACE": 0.6}


@pytest.mark.parametrize(
    ("ablation", "source"),
    [(BERT_ABLATION, ("Devlin", "2019", "table 5")),
     (ROBERTA_ABLATION, ("Liu", "2019", "table 2"))],
    ids=["BERT", "RoBERTa"],
)
def test_each_table_names_its_source(ablation, source):
    assert [part for part in source if part not in ablation.source] == []
