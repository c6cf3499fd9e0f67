"""Softmax, cross-entropy and their relatives, in nats, exact where the textbook formula is not.

Shapes follow one rule: the last axis of ``logits`` is the vocabulary, whatever comes before it is
slots. Everything is computed in float64, and no input is ever altered.

What is not a number stays visible. A row that counts and holds nan, +inf or nothing but -inf has no
softmax; it gives nan, without a warning. There is no epsilon and no clipping anywhere, so a loss
can be 0.0, and inf where the true class has no probability at all.
"""

import math
import operator

import numpy as np

from mlm_helpers.checks import check_choice, check_whole

IGNORE_INDEX = -100
"""The label that says "this slot does not count", as in PyTorch and Hugging Face."""

_BLOCK = 1 << 16  # numbers worked on at once, 0.5 MB: a processor's cache holds them


def softmax(logits):
    """Probabilities from logits: p_i = exp(z_i) / sum_j exp(z_j), along the last axis.

    Parameters
    ----------
    logits : array_like, shape (..., vocab_size)
        Unnormalised scores.

    Returns
    -------
    ndarray, shape (..., vocab_size)
        Each row sums to one; a row without a softmax is nan.

    Raises
    ------
    ValueError
        When ``logits`` has no axis or the last one is empty.

    Notes
    -----
    The largest logit of a row is taken off first. That changes no probability and keeps exp from
    overflowing: Goodfellow, Bengio and Courville, *Deep Learning* (2016), section 4.1.

    Examples
    --------
    >>> softmax([1, 2, 0, 1]).round(4).tolist()
    [0.1966, 0.5344, 0.0723, 0.1966]
    >>> softmax([1000.0, 1000.0]).tolist()
    [0.5, 0.5]
    """
    logits = _as_logits(logits)
    with np.errstate(all="ignore"):
        weights = _below_peak(logits, _peak(logits))
        np.exp(weights, out=weights)
        weights /= weights.sum(axis=-1, keepdims=True)
    return weights


def log_softmax(logits):
    """Natural logarithm of the softmax, along the last axis.

    It exists because ``np.log(softmax(logits))`` loses what it is needed for: a probability too
    small for a float has rounded to 0 before the logarithm sees it.

    Parameters
    ----------
    logits : array_like, shape (..., vocab_size)
        Unnormalised scores.

    Returns
    -------
    ndarray, shape (..., vocab_size)
        ln p in nats, never positive; a row without a softmax is nan.

    Raises
    ------
    ValueError
        When ``logits`` has no axis or the last one is empty.

    Examples
    --------
    >>> log_softmax([1000.0, 1.0]).tolist()
    [0.0, -999.0]
    """
    logits = _as_logits(logits)
    peak = _peak(logits)
    with np.errstate(all="ignore"):
        work = _below_peak(logits, peak)
        log_sum = _log_sum_exp(work, peak)
        # The exponentials took the array; to subtract again is cheaper than a second one.
        log_probabilities = _below_peak(logits, peak, out=work)
        log_probabilities -= log_sum
    return log_probabilities


def cross_entropy(logits, labels, *, ignore_index=IGNORE_INDEX, reduction="sum"):
    """Loss in nats of predicting ``labels``: -ln p(label), over the slots that count.

    Parameters
    ----------
    logits : array_like, shape (..., vocab_size)
        Unnormalised scores. Rows whose label is ignored may hold anything, even nan.
    labels : array_like of int, shape (...)
        True token ids, and ``ignore_index`` where the slot does not count.
    ignore_index : int
        Negative, so that it can never be a token id.
    reduction : {"sum", "mean", "none"}
        "mean" divides by the number of slots that count, over the whole batch: it is not the mean
        of the rows' means, and not divided by all slots.

    Returns
    -------
    float, or ndarray of shape (...) for "none"
        "none" has 0.0 where ignored. Without any slot that counts, "sum" is 0.0 and "mean" is
        nan, as PyTorch defines them. A label whose logit is -inf costs inf.

    Raises
    ------
    TypeError
        When the labels are not integers.
    ValueError
        When a label is neither in [0, vocab_size) nor ``ignore_index``, shapes do not fit, the
        vocabulary is empty, ``ignore_index`` is not negative, or the reduction is unknown.

    Notes
    -----
    Devlin et al., *BERT* (2019), section 3.1, trains on this loss over the chosen slots. Names and
    conventions are those of PyTorch's ``CrossEntropyLoss``, except that its default is "mean".

    Examples
    --------
    >>> logits = [[1, 2, 0, 1], [0, 0, 0, 0]]
    >>> round(cross_entropy(logits, [1, 3]), 4)
    2.0128
    >>> round(cross_entropy(logits, [1, -100], reduction="mean"), 4)
    0.6265
    """
    check_choice("reduction", reduction, ("sum", "mean", "none"))
    logits, labels, counts = _checked(logits, labels, ignore_index)
    slot_losses = _slot_losses(logits, labels, counts)
    if reduction == "none":
        losses = np.zeros(labels.shape)
        losses[counts] = slot_losses
        return losses
    total = float(slot_losses.sum())
    if reduction == "sum":
        return total
    return total / slot_losses.size if slot_losses.size else math.nan


def cross_entropy_gradient(logits, labels, *, ignore_index=IGNORE_INDEX, reduction="sum"):
    """Derivative of ``cross_entropy`` by each logit: p minus the one-hot label.

    Parameters
    ----------
    logits, labels, ignore_index
        As for ``cross_entropy``.
    reduction : {"sum", "mean"}
        "mean" divides by the number of slots that count.

    Returns
    -------
    ndarray, shape (..., vocab_size)
        Nats per unit of logit. Each row sums to zero; ignored rows are zero, so all of them are
        when none counts.

    Raises
    ------
    TypeError, ValueError
        As for ``cross_entropy``.

    Notes
    -----
    Bridle (1990), *Training stochastic model recognition algorithms as networks*, derives it. The
    label's own entry p - 1 is computed as minus the sum of the others, which stays exact when p is
    close to one.

    Examples
    --------
    >>> cross_entropy_gradient([1, 2, 0, 1], 1).round(4).tolist()
    [0.1966, -0.4656, 0.0723, 0.1966]
    """
    check_choice("reduction", reduction, ("sum", "mean"))
    logits, labels, counts = _checked(logits, labels, ignore_index)
    rows = softmax(logits[counts])
    own = (np.arange(len(rows)), labels[counts])
    rows[own] *= 0.0  # not "= 0.0": a nan must stay one
    rows[own] = 0.0 - rows.sum(axis=-1)
    if reduction == "mean":
        rows /= max(1, len(rows))
    gradient = np.zeros(logits.shape)
    gradient[counts] = rows
    return gradient


def surprisal(probability, base=math.e):
    """Surprise at an outcome of the given probability: -log p.

    Parameters
    ----------
    probability : float or array_like
        In [0, 1].
    base : float
        Of the logarithm: e for nats, 2 for bits.

    Returns
    -------
    float, or ndarray for an array
        0.0 for a certain outcome, inf for an impossible one.

    Raises
    ------
    ValueError
        When a probability is outside [0, 1] or nan, or the base is not a number above 1.

    Notes
    -----
    Shannon, *A mathematical theory of communication* (1948), section 6.

    Examples
    --------
    >>> round(surprisal(0.4), 4), surprisal(1.0), surprisal(0.25, base=2)
    (0.9163, 0.0, 2.0)
    """
    if not 1 < base < math.inf:
        raise ValueError(f"base {base} is no base of a surprisal: choose 2 for bits, e for nats")
    p = np.asarray(probability, dtype=np.float64)
    outside = p[~((p >= 0) & (p <= 1))]
    if outside.size:
        raise ValueError(f"probability {outside[0]} is outside [0, 1]: give a share, not a "
                         "percentage, a logit or a count")
    with np.errstate(divide="ignore"):
        return _float_or_array(-np.log(p) / math.log(base))


def uniform_loss(vocab_size, n_slots=1):
    """Loss in nats of giving every class the same probability: n_slots * ln(vocab_size).

    A reference, not a ceiling: a confident wrong guess costs more.

    Parameters
    ----------
    vocab_size : int
        Number of classes, 1 or more.
    n_slots : int
        How many slots the loss sums over; 1 for a mean.

    Returns
    -------
    float

    Raises
    ------
    ValueError
        When ``vocab_size`` is not an integer of at least 1, or ``n_slots`` not one of at least 0.

    Notes
    -----
    The entropy of equally likely outcomes: Shannon (1948), section 6.

    Examples
    --------
    >>> round(uniform_loss(30_000), 4), round(uniform_loss(30_000, n_slots=2), 4)
    (10.309, 20.6179)
    """
    check_whole("vocab_size", vocab_size, least=1)
    check_whole("n_slots", n_slots)
    return int(n_slots) * math.log(vocab_size)


def perplexity(mean_loss):
    """How many equally likely words a mean loss is like choosing from: exp(mean_loss).

    Parameters
    ----------
    mean_loss : float or array_like
        Loss per slot in nats. A sum over slots, or a loss in bits, gives a wrong number.

    Returns
    -------
    float, or ndarray for an array
        1.0 for a loss of 0; inf for a loss of inf or too large for the result to be a float.

    Notes
    -----
    Jelinek, Mercer, Bahl and Baker (1977), *Perplexity: a measure of the difficulty of speech
    recognition tasks*.

    Examples
    --------
    >>> round(perplexity(uniform_loss(4)), 4)
    4.0
    """
    with np.errstate(over="ignore"):
        return _float_or_array(np.exp(np.asarray(mean_loss, dtype=np.float64)))


def nats_to_bits(nats):
    """The same amount of surprise in bits: nats / ln 2.

    Parameters
    ----------
    nats : float or array_like
        A loss or a surprisal.

    Returns
    -------
    float, or ndarray for an array

    Notes
    -----
    Shannon (1948) names the bit. fairseq logs its loss in bits; BERT, PyTorch and Hugging Face log
    nats.

    Examples
    --------
    >>> nats_to_bits(uniform_loss(2)), round(nats_to_bits(2.5257), 4)
    (1.0, 3.6438)
    """
    return _float_or_array(np.asarray(nats, dtype=np.float64) / math.log(2.0))


def pooled_logit(logit, n_words):
    """The one logit that stands for ``n_words`` words which all have ``logit``.

    Parameters
    ----------
    logit : float
        The score of each of them.
    n_words : int
        How many they are.

    Returns
    -------
    float
        logit + ln(n_words), the log-sum-exp of equal terms; -inf for no words.

    Raises
    ------
    ValueError
        When ``n_words`` is not an integer of at least 0.

    Examples
    --------
    Three words of logit 0 beside one of logit 2, as one class:

    >>> softmax([2, 0, 0, 0]).round(4).tolist()
    [0.7112, 0.0963, 0.0963, 0.0963]
    >>> softmax([2, pooled_logit(0, 3)]).round(4).tolist()
    [0.7112, 0.2888]
    """
    check_whole("n_words", n_words)
    return float(logit) + math.log(n_words) if n_words else -math.inf


def _peak(logits):
    """Index of each row's largest logit, or of its first nan."""
    return logits.argmax(axis=-1, keepdims=True)


def _below_peak(logits, peak, out=None):
    """Each logit minus the largest of its row: 0 at most, so that exp cannot overflow."""
    return np.subtract(logits, np.take_along_axis(logits, peak, -1), out=out, order="C")


def _log_sum_exp(shifted, peak):
    """ln of each row's sum of exponentials; ``shifted`` is used up.

    The peak's own exponential is 1. Left to log1p, it cannot swallow the small ones.
    """
    weights = np.exp(shifted, out=shifted)
    rest = np.take_along_axis(weights, peak, -1) - 1.0  # 0, or nan if the row holds nan or +inf
    np.put_along_axis(weights, peak, rest, -1)
    return np.log1p(weights.sum(axis=-1, keepdims=True))


def _slot_losses(logits, labels, counts):
    """Loss of every slot that counts, one after the other.

    A few rows at a time, in one small array used again and again: the exponentials never leave the
    processor's cache, and nothing as large as the logits is ever allocated.
    """
    rows = np.ascontiguousarray(logits).reshape(-1, logits.shape[-1])
    slots = np.flatnonzero(counts)
    labels = labels.reshape(-1)[slots]
    losses = np.empty(slots.size)
    step = max(1, _BLOCK // rows.shape[-1])
    work = np.empty((min(step, slots.size), rows.shape[-1]))
    for start in range(0, slots.size, step):
        block = slots[start : start + step]
        # With any mode but "clip", take would fill a hidden array first; no slot is out of range.
        taken = np.take(rows, block, axis=0, out=work[: block.size], mode="clip")
        losses[start : start + step] = _row_losses(taken, labels[start : start + step])
    return losses


def _row_losses(rows, labels):
    """Loss of each row; ``rows`` is used up."""
    peak = _peak(rows)
    with np.errstate(all="ignore"):
        shifted = _below_peak(rows, peak, out=rows)
        own = np.take_along_axis(shifted, labels[:, np.newaxis], -1)
        return (_log_sum_exp(shifted, peak) - own)[:, 0]


def _as_logits(logits):
    logits = np.asarray(logits, dtype=np.float64)
    if logits.ndim == 0 or logits.shape[-1] == 0:
        raise ValueError(f"logits of shape {logits.shape} hold no vocabulary: "
                         "the last axis must have one score per class")
    return logits


def _as_labels(labels):
    array = np.asarray(labels)
    if array.size == 0 and not hasattr(labels, "dtype"):
        array = array.astype(np.intp)  # numpy takes an empty list for floats
    if array.dtype.kind not in "iu":
        raise TypeError(f"labels of dtype {array.dtype} are no token ids: "
                        "give integers, for example labels.astype(int)")
    return array


def _checked(logits, labels, ignore_index):
    """Logits and labels as arrays, labels as indices, and which slots count."""
    logits, labels = _as_logits(logits), _as_labels(labels)
    if operator.index(ignore_index) >= 0:
        raise ValueError(f"ignore_index {ignore_index} could be a token id: "
                         f"choose a negative one, for example {IGNORE_INDEX}")
    if labels.shape != logits.shape[:-1]:
        raise ValueError(f"labels of shape {labels.shape} do not fit logits of shape "
                         f"{logits.shape}: give labels of shape {logits.shape[:-1]}")
    # Compared before any conversion: as int64, the uint64 label 2**64 - 100 would be -100.
    counts = np.asarray(labels != operator.index(ignore_index))
    _check_labels(labels, counts, logits.shape[-1], ignore_index)
    return logits, labels.astype(np.intp), counts


def _check_labels(labels, counts, vocab_size, ignore_index):
    outside = np.argwhere(counts & ((labels < 0) | (labels >= vocab_size)))
    if len(outside):
        where = tuple(outside[0].tolist())
        position = f" at position {where[0] if len(where) == 1 else where}" if where else ""
        raise ValueError(f"label {labels[where]}{position} is outside [0, {vocab_size}): give the "
                         f"true token's id, or {ignore_index} where the slot does not count")


def _float_or_array(values):
    """A float for a single number; and never -0.0, which would print as "-0.0000"."""
    values = values + 0.0
    return float(values) if np.ndim(values) == 0 else values
