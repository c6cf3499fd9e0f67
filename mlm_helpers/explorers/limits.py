"""Limits explorer: the best loss, the uniform one, and the worst there is: none."""

import math
from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import NumberSlider, button_row, buttons, choice, row
from mlm_helpers.examples import LIMITING_VALUES
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.limit_plots import SMALLEST, plot_limits, plot_training
from mlm_helpers.live import LiveFigure
from mlm_helpers.losses import nats_to_bits, perplexity, surprisal, uniform_loss
from mlm_helpers.published import (
    BERT_BASE,
    BERT_LARGE,
    BERT_MODELS,
    FRESH_BERT_LOSSES,
    LARGEST_VOCABULARY,
    VOCABULARIES,
)
from mlm_helpers.sentences import limits_sentence, side_phrase, uniform_phrase
from mlm_helpers.tables import number_table
from mlm_helpers.wording import NATS, UNITS, decimal, integer, rough, short

_WRONG = 1 / (math.exp(10) + 3)  # logits (10, 0, 0, 0), the label at index 1


class LimitsExplorer(Explorer):
    """See ``explore_limits``."""

    def __init__(self, example, measured):
        self.example = example
        self.probability = NumberSlider("probability p", 1 / example.vocab_size, SMALLEST, 1,
                                        step=0.05, log=True)
        self.vocab_size = NumberSlider("vocabulary size", example.vocab_size, 2,
                                       LARGEST_VOCABULARY, step=0.01, log=True, whole=True)
        self.unit = choice("unit", list(UNITS), NATS.name, width="9em")
        drawing = white_figure(9.6, 4.2)
        self.limits = plot_limits(drawing.add_axes((0.075, 0.15, 0.535, 0.76)), NATS)
        self.training = plot_training(
            drawing.add_axes((0.675, 0.15, 0.3, 0.76)), uniform_loss(VOCABULARIES["BERT"]),
            FRESH_BERT_LOSSES, [math.log(model.perplexity) for model in BERT_MODELS])
        if measured is not None:
            self.training.measure(*measured)
        self.table = widgets.HTML()
        super().__init__(LiveFigure(drawing, [*self.limits.artists, *self.training.artists]),
                         self._arranged(), [self.table])
        self.follow(self.probability, self.vocab_size, self.unit)
        self.refresh()

    def _arranged(self):
        bert = VOCABULARIES["BERT"]
        fresh = sorted(FRESH_BERT_LOSSES)[1]
        presets = {
            "Perfect": partial(self.choose, probability=1.0),
            "Uniform": self.show_uniform,
            "Confidently wrong, V = 4": partial(self.choose, probability=_WRONG, vocab_size=4),
            "Fresh BERT": partial(self.choose, probability=math.exp(-fresh), vocab_size=bert),
            "Trained BERT base": partial(self.choose, probability=1 / BERT_BASE.perplexity,
                                         vocab_size=bert),
            "Trained BERT large": partial(self.choose, probability=1 / BERT_LARGE.perplexity,
                                          vocab_size=bert),
            "Nearly impossible": partial(self.choose, probability=SMALLEST),
        }
        sizes = {f"{name} {integer(size)}": partial(self.choose, vocab_size=size)
                 for name, size in {"toy": 4, **VOCABULARIES}.items()}
        return [button_row("Presets", presets), button_row("Vocabulary", sizes),
                self.probability, self.vocab_size,
                row(self.unit, *buttons({"Reset": self.reset}))]

    def show_uniform(self):
        """Give the true word what blind guessing gives it."""
        self.choose(probability=1 / self.vocab_size.value)

    def reset(self):
        """Put every control back to how it started."""
        self.choose(probability=1 / self.example.vocab_size, vocab_size=self.example.vocab_size,
                    unit=NATS.name)

    def show_state(self):
        unit = UNITS[self.unit.value]
        probability, vocab_size = self.probability.value, int(self.vocab_size.value)
        loss, uniform = surprisal(probability), uniform_loss(vocab_size)
        if self.limits.fit(unit):
            self.figure.renew()
        self.limits.move(probability, vocab_size, [
            f"p = {short(probability)}: {decimal(loss * unit.per_nat)} {unit.name}",
            uniform_phrase(vocab_size, uniform, unit),
            side_phrase(loss, uniform, unit),
        ])
        self.training.move(loss)
        self.table.value = _limits_table(probability, vocab_size)
        self.figure.draw(limits_sentence(probability, loss, vocab_size, uniform, unit))


def _limits_table(probability, vocab_size):
    """Nats, bits and perplexity of the chosen probability, and of the limiting ones."""
    cases = {f"p = {short(probability)}": probability, "perfect, p = 1": 1.0,
             f"uniform, p = 1/{integer(vocab_size)}": 1 / vocab_size, "p → 0": 0.0}
    rows = [_limits_row(name, surprisal(case)) for name, case in cases.items()]
    return number_table(("case", "nats", "bits", "perplexity"), rows, bold_row=0)


def _limits_row(name, loss):
    return name, decimal(loss), decimal(nats_to_bits(loss)), rough(perplexity(loss))


def explore_limits(example=LIMITING_VALUES, measured=None):
    """Move one probability through twelve powers of ten and see where its loss stands.

    Parameters
    ----------
    example : LimitsExample
        The vocabulary to start with.
    measured : (sequence of float, sequence of float), optional
        Steps and mean losses in nats of a training run of one's own, drawn beside the published
        ends.

    Returns
    -------
    LimitsExplorer
        A widget; its attributes ``probability``, ``vocab_size`` and ``unit`` have a ``value`` that
        code can set, and ``sentence`` says what it then shows.

    Examples
    --------
    >>> explorer = explore_limits()
    >>> explorer.choose(probability=1.0, vocab_size=4)
    >>> explorer.sentence
    'p = 1, loss 0.0000 nats, perplexity 1.00; uniform ln 4 = 1.3863, 1.3863 nats below uniform'
    """
    return LimitsExplorer(example, measured)
