"""A training that can be stopped and gone on with, and remembers how it went."""

import math
import time
from dataclasses import dataclass, field

import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.losses import cross_entropy, uniform_loss
from mlm_helpers.masking import BRANCHES
from mlm_helpers.real_text.adam import Adam
from mlm_helpers.real_text.masked_batches import every_slot_once, masked_batches
from mlm_helpers.real_text.model import WindowModel
from mlm_helpers.real_text.one_thread import one_thread
from mlm_helpers.real_text.settings import Settings

_HELD_OUT_SLOTS = 1024
_BATCH = 256


@dataclass
class History:
    """How a training went; losses are means in nats.

    Attributes
    ----------
    training : list of float
        One loss per step, on that step's own slots.
    steps : list of int
        Steps that had been taken at each look at the held-out slots.
    held_out : list of float
        The loss on all of them.
    branches : dict of list of float
        The same for the slots of each branch; nan for a branch without slots.
    """

    training: list = field(default_factory=list)
    steps: list = field(default_factory=list)
    held_out: list = field(default_factory=list)
    branches: dict = field(default_factory=lambda: {branch: [] for branch in BRANCHES})


class Training:
    """Train a ``WindowModel`` on a corpus.

    Parameters
    ----------
    corpus : Corpus
        Its vocabulary comes from the part for training alone.
    settings : Settings, optional
        The same settings give the same curve, on one machine.
    also : callable, optional
        Called at each step with the model and its gradient, to add that of another task.

    Attributes
    ----------
    vocabulary : Vocabulary
    model : WindowModel
        At its present step; when the training has ended, at the step of the lowest held-out loss.
    held_out : Windows
        The slots to test on: their masking is drawn once.
    history : History
    n_done : int
        Steps taken.
    stopped_early : bool
    seconds : float
        Time spent in ``step``.

    Examples
    --------
    >>> from mlm_helpers.real_text.corpus import Corpus
    >>> corpus = Corpus("the cat sat on the mat and the dog lay by the fire . " * 40)
    >>> training = Training(corpus, Settings(vocab_size=100, n_steps=20, batch_size=32))
    >>> round(training.history.held_out[0] - training.uniform, 4)
    0.0
    >>> training.step(20)
    >>> training.n_done, training.finished
    (20, True)
    >>> training.history.held_out[-1] < training.uniform
    True
    """

    def __init__(self, corpus, settings=None, *, also=None):
        self._also = also
        self.settings = settings = settings or Settings()
        self.vocabulary = corpus.vocabulary(settings.vocab_size)
        vocab_size = len(self.vocabulary)
        for_model, for_batches, for_held_out = np.random.default_rng(settings.seed).spawn(3)
        self.model = WindowModel(
            vocab_size, n_context=settings.n_context, embedding_size=settings.embedding_size,
            hidden_size=settings.hidden_size, activation=settings.activation, rng=for_model)
        self.held_out = every_slot_once(
            corpus.held_out(self.vocabulary), settings.rule, vocab_size=vocab_size,
            n_context=settings.n_context, limit=_HELD_OUT_SLOTS, rng=for_held_out)
        self._batches = masked_batches(
            corpus.training(self.vocabulary), self.vocabulary, settings.rule,
            batch_size=settings.batch_size, n_context=settings.n_context, rng=for_batches)
        self._adam = Adam(self.model.values.size, settings.learning_rate,
                          dtype=self.model.values.dtype)
        self.history = History()
        self.n_done, self.seconds, self.stopped_early = 0, 0.0, False
        self._best, self._best_loss, self._looks_since = self.model.values.copy(), math.inf, 0
        self._look()

    @property
    def uniform(self):
        """Loss of blind guessing, ln V."""
        return uniform_loss(len(self.vocabulary))

    @property
    def finished(self):
        """Whether all steps are taken, or it stopped early."""
        return self.stopped_early or self.n_done >= self.settings.n_steps

    @property
    def best_step(self):
        """After how many steps the held-out loss was lowest."""
        return self.history.steps[self.history.held_out.index(self._best_loss)]

    @property
    def steps_per_second(self):
        """So far; nan before the first step."""
        return self.n_done / self.seconds if self.seconds else math.nan

    @property
    def seconds_left(self):
        """Time to the last step at the pace so far; nan before the first."""
        return (self.settings.n_steps - self.n_done) / self.steps_per_second

    def step(self, n_steps=1):
        """Take so many steps more, or fewer if the training ends before."""
        check_whole("n_steps", n_steps)
        begin = time.perf_counter()
        with one_thread():
            for _ in range(n_steps):
                if self.finished:
                    break
                self._step()
        self.seconds += time.perf_counter() - begin

    def run(self):
        """Take all the steps that are left."""
        self.step(self.settings.n_steps - self.n_done)

    def _step(self):
        batch = next(self._batches)
        loss, gradient = self.model.loss_and_gradient(batch.input_ids, batch.labels)
        if self._also is not None:
            self._also(self.model, gradient)
        self._adam.update(self.model.values, gradient)
        self.history.training.append(loss)
        self.n_done += 1
        last = self.n_done == self.settings.n_steps
        if last or self.n_done % self.settings.evaluate_every == 0:
            self._look()
        if self.finished:
            self.model.values[:] = self._best

    def _look(self):
        """Measure the held-out loss; keep the parameters if it is the lowest."""
        losses = slot_losses(self.model, self.held_out)
        loss = float(losses.mean())
        self.history.steps.append(self.n_done)
        self.history.held_out.append(loss)
        for branch, means in self.history.branches.items():
            own = losses[self.held_out.branches == branch]
            means.append(float(own.mean()) if own.size else math.nan)
        self._looks_since += 1
        if loss < self._best_loss:
            self._best_loss, self._looks_since = loss, 0
            self._best[:] = self.model.values
        patience = self.settings.patience
        self.stopped_early = patience is not None and self._looks_since >= patience


def slot_losses(model, windows):
    """Loss of each slot in nats, by ``losses.cross_entropy``; ndarray of shape (n,).

    Examples
    --------
    >>> from mlm_helpers.real_text.windows import Windows
    >>> model = WindowModel(100, n_context=1, rng=np.random.default_rng(0))
    >>> windows = Windows(np.array([[5, 0, 7]]), np.array([6]), np.array(["mask"]))
    >>> slot_losses(model, windows).round(4).tolist()
    [4.6052]
    """
    parts = [windows.take(slice(start, start + _BATCH))
             for start in range(0, len(windows.labels), _BATCH)]
    return np.concatenate([cross_entropy(model.logits(part.input_ids), part.labels,
                                         reduction="none") for part in parts])
