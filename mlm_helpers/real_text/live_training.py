"""A panel to train a masked language model: start, pause, go on, and watch its loss fall."""

from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import NumberSlider, button_row, buttons, drawer, row
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.losses import uniform_loss
from mlm_helpers.real_text.background import SlicedWork
from mlm_helpers.real_text.settings import Settings
from mlm_helpers.real_text.text_source import TextSource
from mlm_helpers.real_text.training import Training
from mlm_helpers.real_text.training_plots import plot_training_curves
from mlm_helpers.real_text.training_wording import (
    pace_phrase,
    training_sentence,
    untrained_sentence,
    verdict,
)
from mlm_helpers.real_text.vocabulary import LARGEST, SMALLEST
from mlm_helpers.real_text.windows import MaskingRule
from mlm_helpers.split_controls import SplitSliders

START = {"vocab_size": 2000, "mlm_probability": 0.15, "shares": (0.8, 0.1, 0.1), "n_steps": 1200,
         "seed": 0}
PRESETS = {
    "BERT's rule": {},
    "40 % masked": {"mlm_probability": 0.4},
    "80 % masked": {"mlm_probability": 0.8},
    "Always [MASK]": {"shares": (1, 0, 0)},
    "Few words": {"vocab_size": SMALLEST},
    "Many words": {"vocab_size": LARGEST, "n_steps": 400},
}


class TrainingPanel(Explorer):
    """See ``training_panel``."""

    def __init__(self, text):
        self.training, self._trained_for, self._untrained = None, None, None
        self._own_error = ""
        self._work = SlicedWork(self._step, self.refresh, self._fail)
        self._make_controls(text)
        drawing = white_figure(9.6, 4.2)
        self.curves = plot_training_curves(drawing.add_axes((0.06, 0.15, 0.67, 0.76)),
                                           drawing.add_axes((0.755, 0.15, 0.225, 0.76)))
        super().__init__(LiveFigure(drawing, self.curves.artists), self._arranged(),
                         [row(self.progress, self.pace)])
        self.follow(self.vocab_size, self.mlm_probability, self.shares, self.n_steps, self.seed,
                    self.text)
        self.refresh()

    def _make_controls(self, text):
        self.text = TextSource(text)
        self.vocab_size = NumberSlider("vocabulary size", START["vocab_size"], SMALLEST, LARGEST,
                                       step=0.01, log=True, whole=True)
        self.mlm_probability = NumberSlider("rate (mlm_probability)", START["mlm_probability"],
                                            0.01, 1, step=0.01)
        self.shares = SplitSliders(START["shares"])
        self.n_steps = NumberSlider("steps of training", START["n_steps"], 10, 5000, step=10,
                                    whole=True)
        self.seed = NumberSlider("seed", START["seed"], 0, 1000, step=1, whole=True)
        self.buttons = dict(zip(
            ("start", "pause", "go_on", "reset"),
            buttons({"Start": self.start, "Pause": self.pause, "Continue": self.go_on,
                     "Reset": self.reset}), strict=True))
        self.progress = widgets.IntProgress(description="progress",
                                            layout=widgets.Layout(width="24em"))
        self.pace = widgets.Label()

    def _arranged(self):
        presets = {name: partial(self.choose, **{**START, **values})
                   for name, values in PRESETS.items()}
        self._presets = button_row("Presets", presets)
        text = drawer("The text …", "train on another text", self.text)
        return [self._presets, self.vocab_size, self.mlm_probability, self.shares, self.n_steps,
                self.seed, text, row(*self.buttons.values())]

    @property
    def settings(self):
        """What the controls ask for."""
        mask_share, swap_share, _ = self.shares.value
        return Settings(vocab_size=int(self.vocab_size.value), n_steps=int(self.n_steps.value),
                        seed=int(self.seed.value),
                        rule=MaskingRule(self.mlm_probability.value, mask_share, swap_share))

    @property
    def model(self):
        """The model as it now is: untrained, in training, or trained."""
        return self._present.model

    @property
    def vocabulary(self):
        """The words that the model has now."""
        return self._present.vocabulary

    @property
    def _present(self):
        if self.training is not None:
            return self.training
        if self._untrained is None or self._untrained[0] != self._wanted:
            self._untrained = self._wanted, Training(*self._wanted)
        return self._untrained[1]

    @property
    def running(self):
        """Whether it trains at this moment."""
        return self._work.running

    @property
    def verdict(self):
        """What came of the training, without a digit that another machine would not show."""
        return verdict(self.training) if self.training else self.sentence

    def start(self):
        """Train from the start; without an event loop, as in a script, to the end at once."""
        self.training = None
        self.go_on()

    def go_on(self):
        """Go on with a training that was paused, or start one."""
        self._own_error = ""
        try:
            if self.training is None:
                self.training = Training(self.text.value, self.settings)
                self._trained_for = self._wanted
            self._work.start()
        except Exception as error:  # of the settings: a click has nobody else to tell it to
            self._fail(error)
        self.refresh()

    def pause(self):
        """Stop after the present step; nothing is lost."""
        self._work.pause()
        self.refresh()

    def reset(self):
        """Drop the training, and put every control back to how it started."""
        self._work.pause()
        with self.lock:
            self.training, self._own_error = None, ""
        with self.hold():
            self.text.reset()
            self.choose(**START)

    def close(self):
        """End the work together with the widget."""
        self._work.pause()
        super().close()

    @property
    def _wanted(self):
        return self.text.value, self.settings

    def _step(self):
        with self.lock:
            if self.training is None:  # dropped in the middle of a slice
                return False
            self.training.step()
            return not self.training.finished

    def _fail(self, error):
        self._own_error = f"{type(error).__name__}: {error}"
        self.refresh()

    def refresh(self, _=None):
        """As of every explorer; an error of the training stays until it is started again."""
        super().refresh()
        if self._own_error and not self._held:
            self.warn(self._own_error)

    def show_state(self):
        wanted = self._wanted
        if not self.running and wanted != self._trained_for:
            self.training = None  # it belongs to other settings
        training = self.training
        vocab_size = (len(training.vocabulary) if training else
                      self.text.value.vocabulary_size(wanted[1].vocab_size))
        if self.curves.fit(wanted[1].n_steps, vocab_size, uniform_loss(vocab_size)):
            self.figure.renew()
        self._enable()
        if training is None:
            self.curves.move()
            sentence = untrained_sentence(vocab_size, uniform_loss(vocab_size))
        else:
            state = ("running" if self.running else
                     "finished" if training.finished else "paused")
            self.curves.move(training.history, training.best_step if training.finished else None)
            sentence = training_sentence(training, state)
        self.progress.max = wanted[1].n_steps
        self.progress.value = training.n_done if training else 0
        self.pace.value = pace_phrase(training)
        self.figure.draw(sentence)

    def _enable(self):
        """Offer what can be done: while it trains, to pause it or to reset."""
        running, begun = self.running, self.training is not None
        finished = begun and self.training.finished
        self.buttons["start"].disabled = running
        self.buttons["pause"].disabled = not running
        self.buttons["go_on"].disabled = running or not begun or finished
        for control in (self.vocab_size, self.mlm_probability, *self.shares.parts, self.n_steps,
                        self.seed, self.text):
            control.disable(running)
        for control in (self.shares.text, *self._presets.children[1:]):
            control.disabled = running


def training_panel(text=None):
    """Train a small masked language model on real text and watch its loss fall.

    Parameters
    ----------
    text : str, optional
        What to train on; the reference of the Python language if none is given.

    Returns
    -------
    TrainingPanel
        A widget. Its ``vocab_size``, ``mlm_probability``, ``shares``, ``n_steps`` and ``seed`` have
        a ``value`` that code can set, and ``start``, ``pause``, ``go_on`` and ``reset`` are what
        its buttons do; ``training`` is the training, ``sentence`` says how far it is.

    Examples
    --------
    >>> panel = training_panel("The cat sat on the mat, and the dog lay by the fire. " * 60)
    >>> panel.n_steps.value = 50
    >>> panel.start()
    >>> print(panel.verdict.partition("; ")[0])
    training started at uniform ln 14 = 2.6391 nats, ended below it
    """
    return TrainingPanel(text)
