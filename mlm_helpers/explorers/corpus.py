"""Corpus explorer: how many tokens of a whole corpus become slots, and of which branch."""

import math
from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import NumberSlider, button_row, buttons, choice, row
from mlm_helpers.corpus import corpus_counts, rounded_quotas, sequence_slots
from mlm_helpers.corpus_plots import plot_corpus
from mlm_helpers.corpus_wording import amount, quota_phrase, scatter, split_text
from mlm_helpers.examples import WORD_PROBLEM
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.policy_wording import POLICY_NAMES, policy_label
from mlm_helpers.ribbons import BRANCH_MARKS
from mlm_helpers.sentences import corpus_sentence
from mlm_helpers.split_controls import SplitSliders
from mlm_helpers.tables import number_table
from mlm_helpers.wording import count, percent

SMALLEST, LARGEST = 1000, 10**13
LONGEST_SEQUENCE = 8192
START = {"policy": "share", "sequence_length": 128, "max_predictions_per_seq": 20}
PRESETS = {
    "The page (2 billion)": {},
    "128-token sequences, BERT's rounding": {"policy": "bert"},
    "512 tokens, at most 20": {"policy": "bert", "sequence_length": 512},
    "BERT's own corpora (3.3 billion words)": {"n_tokens": 3_300_000_000},
    "10 trillion": {"n_tokens": LARGEST},
}
SPLITS = ((0.8, 0.1, 0.1), (1, 0, 0), (0.8, 0, 0.2), (0.8, 0.2, 0), (0, 0.8, 0.2), (0, 1, 0))
"""The rows of BERT's table 8, but in the order mask, swap, keep: the table has keep before swap."""

_POLICIES = (
    ("plain share: rate · corpus", "share"),
    (policy_label("page"), "page"),
    (f"{POLICY_NAMES['bert']}: round, at least 1, capped", "bert"),
    *((policy_label(policy), policy) for policy in ("hugging_face", "fairseq")),
)
_COLUMNS = {"expected": 1.645, "± std. dev.": 2.01, "share": 2.335}
_LENGTH_STEP = math.log10(2) / 8  # so that 64, 128, 256 and 512 are ticks
_EXAMPLE_LENGTH = 100  # tokens, for the quotas where there are no sequences


class CorpusExplorer(Explorer):
    """See ``explore_corpus``."""

    def __init__(self, example):
        self._start = {**START, **_given(example)}
        self._make_controls()
        drawing = white_figure(9.6, 3.8)
        self.bars = plot_corpus(drawing.add_axes((0.095, 0.11, 0.38, 0.76)), _COLUMNS)
        self.table, self.quotas = widgets.HTML(), widgets.HTML()
        self.counts = None
        super().__init__(LiveFigure(drawing, self.bars.artists), self._arranged(),
                         [self.table, self.quotas])
        self.follow(self.n_tokens, self.mlm_probability, self.shares, self.sequence_length,
                    self.max_predictions_per_seq, self.policy)
        self.refresh()

    def _make_controls(self):
        start = self._start
        self.n_tokens = NumberSlider("corpus size in tokens", start["n_tokens"], SMALLEST, LARGEST,
                                     step=0.01, log=True, whole=True)
        self.mlm_probability = NumberSlider("rate (mlm_probability)", start["mlm_probability"],
                                            0, 1, step=0.01)
        self.shares = SplitSliders(start["shares"])
        self.sequence_length = NumberSlider("sequence length", start["sequence_length"], 8,
                                            LONGEST_SEQUENCE, step=_LENGTH_STEP, log=True,
                                            whole=True)
        self.max_predictions_per_seq = NumberSlider(
            "BERT's cap on slots", start["max_predictions_per_seq"], 1, LONGEST_SEQUENCE,
            step=_LENGTH_STEP, log=True, whole=True)
        self.policy = choice("policy", _POLICIES, start["policy"], width="28em")

    def _arranged(self):
        presets = {name: partial(self.choose, **{**START, **_given(WORD_PROBLEM), **values})
                   for name, values in PRESETS.items()}
        splits = {split_text(shares): partial(self.choose, shares=shares) for shares in SPLITS}
        return [button_row("Presets", presets), button_row("Splits", splits), self.n_tokens,
                self.mlm_probability, self.shares, self.sequence_length,
                self.max_predictions_per_seq,
                row(self.policy, *buttons({"Reset": self.reset}))]

    def reset(self):
        """Put every control back to how it started."""
        self.choose(**self._start)

    def show_state(self):
        policy, rate = self.policy.value, self.mlm_probability.value
        self.counts = counts = corpus_counts(
            int(self.n_tokens.value), policy, sequence_length=int(self.sequence_length.value),
            shares=self.shares.value, **self._rule)
        self.sequence_length.disable(policy == "share")
        self.max_predictions_per_seq.disable(policy != "bert")
        numbers = [counts.slots, *counts.branches.values()]
        shares, texts = list(map(counts.share, numbers)), [_texts(counts, n) for n in numbers]
        if self.bars.fit(max(shares[0], rate)):
            self.figure.renew()
        self.bars.move(shares, texts, rate)
        self.table.value = _counts_table(texts)
        self.quotas.value = self._quotas()
        self.figure.draw(corpus_sentence(counts))

    @property
    def _rule(self):
        return {"mlm_probability": self.mlm_probability.value,
                "max_predictions_per_seq": int(self.max_predictions_per_seq.value)}

    def _quotas(self):
        """What rounding the shares of one sequence's slots would come to."""
        policy, length = self.policy.value, int(self.sequence_length.value)
        length = _EXAMPLE_LENGTH if policy == "share" else min(length, self.counts.n_tokens)
        slots = sequence_slots(length, policy, **self._rule)
        n_slots, shares = round(slots.mean), self.shares.value
        expected = f" ({amount(slots.mean)} expected)" if slots.mean != n_slots else ""
        quotas = [rounded_quotas(n_slots, shares, rounding) for rounding in ("round", "int")]
        return ('<p style="font-size: 16px; line-height: 1.4">'
                f"In {count(length, 'token')}{expected}: {quota_phrase(n_slots, shares, *quotas)}."
                "</p>")


def _given(example):
    """What a worked example sets."""
    return {"n_tokens": example.n_tokens, "mlm_probability": example.mlm_probability,
            "shares": example.shares}


def _texts(counts, number):
    """A row of the picture and of the table: expected, scatter, share."""
    return (amount(number.mean), scatter(number.standard_deviation), percent(counts.share(number)))


def _counts_table(texts):
    names = ["all slots", *(f"{mark.symbol} {branch}" for branch, mark in BRANCH_MARKS.items())]
    head = ("branch", "expected", "± standard deviation", "share of all tokens")
    return number_table(head, [(name, *row) for name, row in zip(names, texts, strict=True)])


def explore_corpus(example=WORD_PROBLEM):
    """Move the size of a corpus, its rate and its split, and watch how many slots there are.

    Parameters
    ----------
    example : CountingExample
        Where it starts: 1000 to 10 000 000 000 000 tokens, a rate and a split.

    Returns
    -------
    CorpusExplorer
        A widget. Its ``n_tokens``, ``mlm_probability``, ``shares``, ``sequence_length``,
        ``max_predictions_per_seq`` and ``policy`` have a ``value`` that code can set; ``counts``
        holds the numbers, ``sentence`` says what it then shows.

    Examples
    --------
    >>> explorer = explore_corpus()
    >>> explorer.n_tokens.value = 1000
    >>> print(explorer.sentence.partition(", ")[2])
    150 slots (15.0 %): 120 ± 4.9 mask, 15 ± 3.7 swap, 15 ± 3.7 keep
    """
    return CorpusExplorer(example)
