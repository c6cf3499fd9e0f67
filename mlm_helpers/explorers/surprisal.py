"""Surprisal explorer: one probability and what it costs."""

from functools import partial

from mlm_helpers.controls import NumberSlider, button_row, buttons, choice, row
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.losses import surprisal, uniform_loss
from mlm_helpers.plots import plot_surprisal
from mlm_helpers.published import LARGEST_VOCABULARY
from mlm_helpers.sentences import surprisal_sentence, uniform_phrase
from mlm_helpers.wording import UNITS, decimal, short

START = {"probability": 0.5, "vocab_size": 4, "unit": "nats"}
PRESETS = {
    "Certain (1)": 1.0,
    "Coin toss (1/2)": 0.5,
    "One word in four (1/4)": 0.25,
    "One in a thousand": 0.001,
    "Impossible (0)": 0.0,
}


class SurprisalExplorer(Explorer):
    """See ``explore_surprisal``."""

    def __init__(self):
        self.probability = NumberSlider("probability p", START["probability"], 0, 1, step=0.01)
        self.vocab_size = NumberSlider("vocabulary size", START["vocab_size"], 2,
                                       LARGEST_VOCABULARY, step=0.01, log=True, whole=True)
        self.unit = choice("unit", list(UNITS), START["unit"], width="9em")
        drawing = white_figure(9.6, 3.8)
        self.curve = plot_surprisal(drawing.add_axes((0.095, 0.18, 0.88, 0.71)))
        presets = {name: partial(self.choose, probability=p) for name, p in PRESETS.items()}
        controls = [button_row("Presets", presets), self.probability, self.vocab_size,
                    row(self.unit, *buttons({"Reset": self.reset}))]
        super().__init__(LiveFigure(drawing, self.curve.artists), controls)
        self.follow(self.probability, self.vocab_size, self.unit)
        self.refresh()

    def reset(self):
        """Put every control back to how it started."""
        self.choose(**START)

    def show_state(self):
        unit = UNITS[self.unit.value]
        probability, vocab_size = self.probability.value, int(self.vocab_size.value)
        loss, uniform = surprisal(probability), uniform_loss(vocab_size)
        if self.curve.fit(max(loss if probability else 0.0, uniform), unit):
            self.figure.renew()
        self.curve.move((probability, loss * unit.per_nat), uniform * unit.per_nat, [
            f"p = {short(probability)}, surprisal {decimal(loss * unit.per_nat)} {unit.name}",
            uniform_phrase(vocab_size, uniform, unit),
            f"no upper end: −{unit.log} p grows without bound" if not probability else "",
        ])
        self.figure.draw(surprisal_sentence(probability, loss, vocab_size, uniform, unit))


def explore_surprisal():
    """Move a probability and watch its surprisal, −ln p.

    Returns
    -------
    SurprisalExplorer
        A widget; its attributes ``probability``, ``vocab_size`` and ``unit`` have a ``value`` that
        code can set, and ``sentence`` says what it then shows.

    Examples
    --------
    >>> explorer = explore_surprisal()
    >>> explorer.probability.value = 0.25
    >>> explorer.sentence
    'p = 0.25, surprisal 1.3863 nats, uniform ln 4 = 1.3863'
    """
    return SurprisalExplorer()
