"""What a trained model costs on text held out: means with intervals, not bare numbers."""

import math
from typing import NamedTuple

import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.losses import softmax, uniform_loss
from mlm_helpers.masking import BRANCHES
from mlm_helpers.real_text.masked_batches import shown_in_turn
from mlm_helpers.real_text.training import slot_losses
from mlm_helpers.real_text.windows import Windows, windows_at

_NORMAL_95 = 1.959963984540054  # the normal distribution's 97.5 % point
_BATCH = 256


class Estimate(NamedTuple):
    """A mean with its 95 % confidence interval.

    Attributes
    ----------
    mean : float
        nan of no numbers.
    margin : float
        The interval is mean ± margin; nan of fewer than two numbers.
    n : int
        How many numbers it is the mean of.
    """

    mean: float
    margin: float
    n: int

    @property
    def low(self):
        """Lower end of the interval."""
        return self.mean - self.margin

    @property
    def high(self):
        """Upper end of the interval."""
        return self.mean + self.margin


def estimate(numbers):
    """Mean and 95 % confidence interval, the numbers taken as drawn independently.

    Neighbouring slots of a text are not quite that; read an interval as the least doubt there is.

    Examples
    --------
    >>> made = estimate([1.0, 2.0, 3.0, 4.0])
    >>> made.mean, round(made.margin, 4), made.n
    (2.5, 1.2652, 4)
    >>> estimate([])
    Estimate(mean=nan, margin=nan, n=0)
    """
    numbers = np.asarray(numbers, dtype=np.float64)
    n = numbers.size
    mean = float(numbers.mean()) if n else math.nan
    margin = _NORMAL_95 * float(numbers.std(ddof=1)) / math.sqrt(n) if n > 1 else math.nan
    return Estimate(mean, margin, n)


def branch_losses(model, windows):
    """Held-out loss of the slots of each branch, as the masking drew them.

    Returns
    -------
    dict of Estimate
        Keys "all", "mask", "swap", "keep"; in nats.
    """
    losses = slot_losses(model, windows)
    parts = {branch: estimate(losses[windows.branches == branch]) for branch in BRANCHES}
    return {"all": estimate(losses), **parts}


def branch_effects(model, windows, *, rng):
    """What each branch costs at one and the same slots, and what the input's word changes.

    The branches that a masking draws differ in their words too, and few are swapped or kept. Here
    every slot is shown in all three ways, so that the difference is taken slot by slot.

    Parameters
    ----------
    model : WindowModel
    windows : Windows
        The slots; their own branch does not matter.
    rng : numpy.random.Generator
        Source of the swapped words.

    Returns
    -------
    dict of Estimate
        Keys "mask", "swap", "keep", and the differences "swap - mask", "keep - mask"; in nats.
    """
    shown = shown_in_turn(windows, model.vocab_size, rng=rng)
    losses = {branch: slot_losses(model, slots) for branch, slots in shown.items()}
    differences = {f"{branch} - mask": losses[branch] - losses["mask"]
                   for branch in ("swap", "keep")}
    return {name: estimate(numbers) for name, numbers in {**losses, **differences}.items()}


def share_above_uniform(losses, vocab_size):
    """Share of slots that cost more than blind guessing: ln V is no ceiling.

    Parameters
    ----------
    losses : array_like of float
        One per slot, in nats.
    vocab_size : int

    Returns
    -------
    Estimate
        Of the share.

    Examples
    --------
    >>> share_above_uniform([0.1, 2.0, 9.0, 1.0], 4).mean
    0.5
    """
    return estimate(np.asarray(losses) > uniform_loss(vocab_size))


def unmasked_windows(token_ids, vocab_size, n_context=4, limit=None):
    """Each token of a text as a slot of an input in which nothing at all is corrupted.

    This is what a model is shown when it is put to use.

    Examples
    --------
    >>> unmasked_windows(np.array([5, 6]), 9, n_context=1).input_ids.tolist()
    [[9, 5, 6], [5, 6, 9]]
    """
    positions = np.arange(len(token_ids))[:limit]
    return Windows(windows_at(token_ids, positions, n_context, vocab_size), token_ids[positions],
                   np.full(len(positions), "keep"))


class CalibrationBin(NamedTuple):
    """Slots at which the model's first choice has about the same probability.

    Attributes
    ----------
    low, high : float
        Limits of that probability.
    probability : float
        Its mean: what the model claims.
    right : Estimate
        Share of slots at which the first choice was the true word: what came of it.
    """

    low: float
    high: float
    probability: float
    right: Estimate


def calibration(model, windows, n_bins=10):
    """How often the first choice is right, by the probability that the model gives it.

    A model that always guesses blindly claims 1/V and is right in 1/V of the slots: calibrated, and
    of no use.

    Parameters
    ----------
    model : WindowModel
    windows : Windows
    n_bins : int
        Equal parts of [0, 1]; those without slots are left out.

    Returns
    -------
    list of CalibrationBin

    Notes
    -----
    Guo, Pleiss, Sun and Weinberger, *On calibration of modern neural networks* (2017).
    """
    check_whole("n_bins", n_bins, least=1)
    claimed, right = _first_choices(model, windows)
    places = np.minimum((claimed * n_bins).astype(int), n_bins - 1)
    return [CalibrationBin(place / n_bins, (place + 1) / n_bins,
                           float(claimed[places == place].mean()),
                           estimate(right[places == place]))
            for place in range(n_bins) if (places == place).any()]


def _first_choices(model, windows):
    """Of each slot the first choice's probability, and whether it is the true word."""
    claimed, right = [np.zeros(0)], [np.zeros(0, bool)]
    for start in range(0, len(windows.labels), _BATCH):
        part = windows.take(slice(start, start + _BATCH))
        probabilities = softmax(model.logits(part.input_ids))
        claimed.append(probabilities.max(axis=1))
        right.append(probabilities.argmax(axis=1) == part.labels)
    return np.concatenate(claimed), np.concatenate(right)
