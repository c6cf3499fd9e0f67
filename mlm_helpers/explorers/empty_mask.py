"""Empty-mask explorer: how often a sequence gets no slot, and what its loss then is."""

import math
from functools import lru_cache, partial

import ipywidgets as widgets
import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.controls import NumberSlider, SliderLook, button_row, buttons, grid, row
from mlm_helpers.examples import EMPTY_MASK
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.policy_wording import policy_label, slots_phrase
from mlm_helpers.reductions import reduce_losses
from mlm_helpers.sentences import empty_mask_sentence
from mlm_helpers.slot_count_plots import LONGEST, plot_no_slot, plot_slot_counts
from mlm_helpers.slot_counts import DRAWN_POLICIES, POLICIES, draw_slot_counts, slot_count_law
from mlm_helpers.tables import number_table
from mlm_helpers.wording import count, decimal, integer, percent

START = {"n_special": 0, "n_sequences": 1000, "seed": 12, "max_predictions_per_seq": 20}
PRESETS = {
    "The page (4 tokens)": {"n_tokens": 4},
    "1 token": {"n_tokens": 1},
    "fairseq's last gap (6)": {"n_tokens": 6},
    "4 words in [CLS] and [SEP] (6)": {"n_tokens": 6, "n_special": 2},
    "10 tokens": {"n_tokens": 10},
    "BERT's default (128)": {"n_tokens": 128},
    "Longest (512)": {"n_tokens": LONGEST},
    "Rate 0": {"mlm_probability": 0.0},
    "Rate 1": {"mlm_probability": 1.0},
}
_LOSS_NAMES = {
    "sum": "sum",
    "bert_mean": "BERT's mean: sum / (slots + 0.00001)",
    "mean": "PyTorch's mean: sum / slots",
}
_LENGTHS = (*range(1, 128), *range(128, LONGEST + 1, 2))  # from 128 on two lie within a pixel


class EmptyMaskExplorer(Explorer):
    """See ``explore_empty_mask``."""

    def __init__(self, example):
        check_whole("n_tokens", example.n_tokens, least=1)
        self._start = {"n_tokens": example.n_tokens, "mlm_probability": example.mlm_probability,
                       **START}
        self._make_controls()
        drawing = white_figure(9.6, 4.4)
        self.counts = plot_slot_counts(drawing.add_axes((0.052, 0.145, 0.395, 0.785)))
        self.no_slot = plot_no_slot(drawing.add_axes((0.535, 0.145, 0.45, 0.785)), DRAWN_POLICIES)
        self.policies = widgets.HTML()
        super().__init__(LiveFigure(drawing, [*self.counts.artists, *self.no_slot.artists]),
                         self._arranged(), [self.policies, widgets.HTML(_loss_table())])
        self.follow(*self._sliders)
        self.refresh()

    def _make_controls(self):
        start = self._start
        slider = partial(NumberSlider, look=SliderLook())
        self.n_tokens = slider("sequence length", start["n_tokens"], 1, LONGEST, step=0.02,
                               log=True, whole=True)
        self.mlm_probability = slider("rate (mlm_probability)", start["mlm_probability"], 0, 1,
                                      step=0.01)
        self.n_special = slider("special tokens in it", start["n_special"], 0, 3, step=1,
                                whole=True)
        self.n_sequences = slider("sequences drawn", start["n_sequences"], 100, 10_000, step=0.01,
                                  log=True, whole=True)
        self.seed = slider("seed of the draw", start["seed"], 0, 1000, step=1, whole=True)
        self.max_predictions_per_seq = slider(
            "BERT's cap on slots", start["max_predictions_per_seq"], 1, LONGEST, step=0.02,
            log=True, whole=True)

    def _arranged(self):
        presets = {name: partial(self.choose, **self._preset(values))
                   for name, values in PRESETS.items()}
        options = row(*buttons({"New draw": self.draw_again, "Reset": self.reset}))
        return [button_row("Presets", presets), grid(*self._sliders), options]

    def _preset(self, values):
        return {"mlm_probability": EMPTY_MASK.mlm_probability, "n_special": 0, **values}

    @property
    def _sliders(self):
        return [self.n_tokens, self.mlm_probability, self.n_special, self.n_sequences, self.seed,
                self.max_predictions_per_seq]

    def draw_again(self):
        """Go on to the next seed."""
        self.choose(seed=(self.seed.value + 1) % (self.seed.maximum + 1))

    def reset(self):
        """Put every control back to how it started."""
        self.choose(**self._start)

    def refresh(self, _=None):
        """Refuse more special tokens than tokens in a reader's words, else show the state."""
        n_tokens, n_special = int(self.n_tokens.value), int(self.n_special.value)
        if n_special <= n_tokens or self._held:
            super().refresh()
        else:
            self.warn(f"{integer(n_special)} special tokens do not fit into a sequence of "
                      f"{count(n_tokens, 'token')}: make it longer, or set fewer special tokens. "
                      "The picture stands as it was.")

    def show_state(self):
        n_tokens, n_special = int(self.n_tokens.value), int(self.n_special.value)
        rate, n_sequences = self.mlm_probability.value, int(self.n_sequences.value)
        cap = int(self.max_predictions_per_seq.value)
        laws = _laws(n_tokens, n_special, rate, cap)
        shares = {policy: self._drawn_share(policy) for policy in DRAWN_POLICIES}
        lengths, means, chances = _over_the_lengths(n_special, rate, cap)
        self.counts.fit(lengths, means)
        self.no_slot.fit(lengths, chances)
        self._move(n_tokens, laws, shares)
        self.policies.value = _policy_table(laws, shares, n_sequences, cap)
        self.figure.draw(
            empty_mask_sentence(n_tokens, n_special, rate, laws, n_sequences, shares))

    def _drawn_share(self, policy):
        """The share without a slot among the sequences drawn; the seed gives it again."""
        counts = draw_slot_counts(int(self.n_sequences.value), int(self.n_tokens.value), policy,
                                  n_special=int(self.n_special.value),
                                  mlm_probability=self.mlm_probability.value,
                                  rng=np.random.default_rng(int(self.seed.value)))
        return float((counts == 0).mean())

    def _move(self, n_tokens, laws, shares):
        self.counts.move(n_tokens, {policy: law.mean for policy, law in laws.items()},
                         {policy: slots_phrase(law) for policy, law in laws.items()})
        chances = {policy: law.no_slot for policy, law in laws.items()}
        self.no_slot.move(n_tokens, chances, _percents(chances))
        self.no_slot.move_drawn(n_tokens, shares, _percents(shares))


def _laws(n_tokens, n_special, mlm_probability, cap):
    return {policy: slot_count_law(n_tokens, policy, n_special=n_special,
                                   mlm_probability=mlm_probability, max_predictions_per_seq=cap)
            for policy in POLICIES}


@lru_cache(maxsize=4)  # a new length or draw leaves the curves as they are
def _over_the_lengths(n_special, mlm_probability, cap):
    """The lengths that hold so many special tokens; mean and chance of none at each, by policy."""
    lengths = [length for length in _LENGTHS if length >= n_special]
    laws = [_laws(length, n_special, mlm_probability, cap) for length in lengths]
    means = {policy: [law[policy].mean for law in laws] for policy in POLICIES}
    chances = {policy: [law[policy].no_slot for law in laws] for policy in POLICIES}
    return lengths, means, chances


def _percents(shares):
    return {policy: percent(share) for policy, share in shares.items()}


def _policy_table(laws, shares, n_sequences, cap):
    """The policies side by side: by their laws and in the draw."""
    head = ("policy", "number of slots", "chance of no slot",
            f"no slot in {integer(n_sequences)} drawn")
    rows = [(policy_label(policy, cap), slots_phrase(law), percent(law.no_slot),
             percent(shares[policy]) if policy in shares else "–")
            for policy, law in laws.items()]
    return number_table(head, rows, "number of slots: fixed, or mean ± standard deviation")


def _loss_table():
    """What the loss of an empty set is, under each way to one number."""
    rows = [(name, count(0, "slot"), _loss_phrase(reduce_losses((), reduction)))
            for reduction, name in _LOSS_NAMES.items()]
    return number_table(("from slots to one number", "number of slots", "loss in nats"), rows,
                        "the loss of a sequence without a slot")


def _loss_phrase(loss):
    return f"{decimal(loss)}: 0/0" if math.isnan(loss) else decimal(loss)


def explore_empty_mask(example=EMPTY_MASK):
    """Move a sequence's length and the rate, and watch how often there is no slot at all.

    Parameters
    ----------
    example : CountingExample
        Where it starts: a length of 1 to 512 tokens, and a rate.

    Returns
    -------
    EmptyMaskExplorer
        A widget. Its ``n_tokens``, ``mlm_probability``, ``n_special``, ``n_sequences``, ``seed``
        and ``max_predictions_per_seq`` have a ``value`` that code can set; ``sentence`` says what
        it then shows.

    Examples
    --------
    >>> explorer = explore_empty_mask()
    >>> explorer.n_tokens.value = 10
    >>> print(explorer.sentence.split("; ")[1])
    no slot at all: the page 0.0 %, BERT 0.0 %, Hugging Face 19.7 %, fairseq 0.0 %
    """
    return EmptyMaskExplorer(example)
