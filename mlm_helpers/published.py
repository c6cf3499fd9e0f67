"""Figures of real models, each with where it stands or was measured. Nothing here is computed."""

from typing import NamedTuple

VOCABULARIES = {"round figure": 30_000, "BERT": 30_522, "RoBERTa": 50_265,
                "mBERT": 119_547, "XLM-R": 250_002}
"""Sizes of vocabularies, from the models' own configurations; 30 000 is what BERT's paper says."""

LARGEST_VOCABULARY = max(VOCABULARIES.values())


class TrainedModel(NamedTuple):
    """A fully trained model and its masked-word perplexity on held-out text."""

    name: str
    perplexity: float


BERT_MODELS = (
    TrainedModel("3 layers, 768 wide", 5.84),
    TrainedModel("6 layers, 768 wide, 3 heads", 5.24),
    TrainedModel("6 layers, 768 wide", 4.68),
    TrainedModel("12 layers, 768 wide (base)", 3.99),
    TrainedModel("12 layers, 1024 wide", 3.54),
    TrainedModel("24 layers, 1024 wide (large)", 3.23),
)
"""Devlin et al., *BERT* (2019), table 6."""

BERT_BASE, BERT_LARGE = BERT_MODELS[3], BERT_MODELS[5]

FRESH_BERT_LOSSES = (10.45, 10.53, 10.48)
"""First loss in nats of three freshly initialised models of BERT's size, seeds 0, 1 and 2: hidden
size 768, vocabulary of 30 522 words, measured with transformers 5.24."""


class TwoLosses(NamedTuple):
    """The two parts of a trained model's loss, in nats."""

    masked_lm: float
    next_sentence: float


SCIBERT = TwoLosses(1.2882848, 0.0196654)
"""SciBERT's own evaluation at 512 tokens: allenai/scibert, issue 32."""


class Ablation(NamedTuple):
    """Scores with and without next-sentence prediction: a table of a paper."""

    source: str
    tasks: tuple
    rows: dict


BERT_ABLATION = Ablation(
    "Devlin et al., BERT (2019), table 5",
    ("MNLI-m", "QNLI", "MRPC", "SST-2", "SQuAD 1.1 F1"),
    {
        "BERT base": (84.4, 88.4, 86.7, 92.7, 88.5),
        "the same without NSP": (83.9, 84.9, 86.5, 92.6, 87.9),
    },
)

ROBERTA_ABLATION = Ablation(
    "Liu et al., RoBERTa (2019), table 2",
    ("SQuAD 1.1 F1", "SQuAD 2.0 F1", "MNLI-m", "SST-2", "RACE"),
    {
        "segment pairs, with NSP": (90.4, 78.7, 84.0, 92.9, 64.2),
        "sentence pairs, with NSP": (88.7, 76.2, 82.9, 92.1, 63.0),
        "full sentences, without NSP": (90.4, 79.1, 84.7, 92.5, 64.8),
        "one document, without NSP": (90.6, 79.7, 84.7, 92.7, 65.6),
    },
)
