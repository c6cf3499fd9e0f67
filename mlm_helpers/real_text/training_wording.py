"""What is said of a training, while it runs and afterwards."""

import math

from mlm_helpers.wording import decimal, integer


def start_phrase(vocab_size, uniform):
    """Where every training begins.

    Examples
    --------
    >>> print(start_phrase(500, 6.214608098422191))
    uniform ln 500 = 6.2146 nats
    """
    return f"uniform ln {integer(vocab_size)} = {decimal(uniform)} nats"


def untrained_sentence(vocab_size, uniform):
    """Before the first step.

    Examples
    --------
    >>> print(untrained_sentence(500, 6.214608098422191).partition(", ")[2])
    so every slot costs uniform ln 500 = 6.2146 nats
    """
    words = integer(vocab_size)
    return (f"not yet trained: each of {words} words has p = 1/{words}, so every slot costs "
            f"{start_phrase(vocab_size, uniform)}")


def training_sentence(training, state):
    """In the middle and at the end: steps, losses, and where it began.

    Parameters
    ----------
    training : Training
    state : str
        "running", "paused" or "finished".
    """
    history = training.history
    where = (f"best of {integer(training.n_done)} steps is {integer(training.best_step)}"
             if training.finished else
             f"step {integer(training.n_done)} of {integer(training.settings.n_steps)}")
    index = history.steps.index(training.best_step) if training.finished else -1
    means = ", ".join(f"{branch} {_mean(means[index])}"
                      for branch, means in history.branches.items())
    return (f"{state}, {where}: held-out loss {decimal(history.held_out[index])} nats ({means}); "
            f"started at {start_phrase(len(training.vocabulary), training.uniform)}")


def _mean(value):
    return "no slots" if math.isnan(value) else decimal(value, 2)


def pace_phrase(training):
    """Steps per second and time left.

    Examples
    --------
    >>> pace_phrase(None)
    ''
    """
    if training is None or not training.seconds:
        return ""
    pace = f"{decimal(training.steps_per_second, 0)} steps per second"
    if training.stopped_early:
        return f"{pace}, stopped early: the held-out loss fell no further"
    if training.finished:
        return f"{pace}, {decimal(training.seconds, 0)} s in all"
    return f"{pace}, {decimal(training.seconds_left, 0)} s left"


def verdict(training):
    """What holds of a training without the digits that differ from one machine to the next.

    Returns
    -------
    str
        Whether it began at ln V (within 0.01), where its lowest held-out loss stands, and which
        of kept and masked slots cost less there.
    """
    history, uniform = training.history, training.uniform
    began = "at" if abs(history.held_out[0] - uniform) < 0.01 else "not at"
    best = history.steps.index(training.best_step)
    ended = "below" if history.held_out[best] < uniform else "not below"
    keep, mask = (history.branches[branch][best] for branch in ("keep", "mask"))
    if math.isnan(keep) or math.isnan(mask):
        costs = "there were not both kept and masked slots to compare"
    else:
        costs = f"kept slots cost {'less' if keep < mask else 'no less'} than masked ones"
    return (f"training started {began} {start_phrase(len(training.vocabulary), uniform)}, "
            f"ended {ended} it; {costs}")
