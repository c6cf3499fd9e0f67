"""A slot of the reader's own: a typed sentence, one word of it, and the model's logits there."""

import math

import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.examples import WorkedExample
from mlm_helpers.masking import MASK
from mlm_helpers.real_text.vocabulary import MASK_ID
from mlm_helpers.real_text.windows import windows_at
from mlm_helpers.slots import Slot
from mlm_helpers.texts import split_words

_STOP = "."


def read_sentence(text):
    """The lower-cased words and signs that a model of this room reads.

    Raises
    ------
    ValueError
        When there is none.

    Examples
    --------
    >>> read_sentence("The cat sat.")
    ['the', 'cat', 'sat', '.']
    """
    tokens = split_words(text.lower())
    if not tokens:
        raise ValueError(f"the sentence {text!r} has no word: type one, for example "
                         "“the value is returned”")
    return tokens


def own_logits(model, vocabulary, tokens, position, shown=MASK):
    """Logits of every word at one place of a sentence.

    A full stop is put before the sentence: one stands before nearly every sentence that the model
    has seen, and without it the first words cost more.

    Parameters
    ----------
    model : WindowModel
    vocabulary : Vocabulary
    tokens : sequence of str
        The sentence; a word that the vocabulary does not hold is ``[UNK]`` to the model.
    position : int
        The chosen place, counted from 0.
    shown : str
        What the input shows there.

    Returns
    -------
    ndarray of float64, shape (vocab_size,)

    Raises
    ------
    ValueError
        When the position is outside the sentence.
    """
    check_whole("position", position)
    if position >= len(tokens):
        raise ValueError(f"position {position} is outside the sentence of {len(tokens)} words: "
                         f"choose 0 to {len(tokens) - 1}")
    before = [_STOP] if _STOP in vocabulary else []
    input_ids = vocabulary.encode([*before, *tokens])
    position += len(before)
    input_ids[position] = MASK_ID if shown == MASK else vocabulary.encode([shown])[0]
    window = windows_at(input_ids, [position], model.n_context, model.outside_id)
    return model.logits(window)[0].astype(np.float64)


def listed_slot(logits, words, label, shown=None, n_listed=10):
    """A whole vocabulary's logits as a slot that lists the likeliest words.

    The label and the shown word are listed too. All others share the logarithm of the mean of their
    exponentials as their logit, so that each probability listed, and the loss, are the exact ones.

    Parameters
    ----------
    logits : array_like, shape (vocab_size,)
        Finite.
    words : sequence of str, of the same length
    label : int
        Id of the true word.
    shown : int or None
        Id of the word that the input shows, None for ``[MASK]``.
    n_listed : int
        How many of the likeliest words to list. Fewer are listed when the last of them is as
        likely as one left out: of words that are alike, none is put before another.

    Returns
    -------
    Slot

    Examples
    --------
    >>> slot = listed_slot([3.0, 1.0, 2.0, 0.0], ["a", "b", "c", "d"], label=3, n_listed=1)
    >>> slot.tokens, round(slot.rest_logit, 4)
    (('a', 'd'), 1.6201)
    >>> slot.probabilities.round(4).tolist()
    [0.6439, 0.0321, 0.324]
    """
    check_whole("n_listed", n_listed, least=1)
    logits = np.asarray(logits, dtype=np.float64)
    order = np.argsort(-logits, kind="stable")
    if n_listed < len(order):
        order = order[:n_listed][logits[order[:n_listed]] > logits[order[n_listed]]]
    listed = list(dict.fromkeys([*order.tolist(), label, *([] if shown is None else [shown])]))
    rest = np.delete(logits, listed)
    return Slot([words[index] for index in listed], logits[listed].tolist(), listed.index(label),
                shown=None if shown is None else listed.index(shown), vocab_size=len(logits),
                rest_logit=_log_mean_exp(rest) if rest.size else 0.0)


def _log_mean_exp(logits):
    peak = float(logits.max())
    return peak + math.log(np.exp(logits - peak).mean())


class TrainedReader:
    """What a trained model of this room reads in a sentence.

    Parameters
    ----------
    training : Training, or anything with a ``model`` and a ``vocabulary``
        They are looked up when asked, so they may change.

    Examples
    --------
    >>> from mlm_helpers.real_text.corpus import Corpus
    >>> from mlm_helpers.real_text.training import Training
    >>> reader = TrainedReader(Training(Corpus("the cat sat on the mat . " * 60)))
    >>> reader.tokens("The cat sat."), reader.knows("owl")
    (['the', 'cat', 'sat', '.'], False)
    """

    def __init__(self, training):
        self._training = training

    def tokens(self, text):
        """The words and signs of a sentence; ValueError if there is none."""
        return read_sentence(text)

    def knows(self, token):
        """Whether the vocabulary holds it; else it is ``[UNK]`` to the model."""
        return token in self._training.vocabulary

    def example(self, text, position, shown=MASK, n_listed=10):
        """See ``own_example``."""
        tokens, vocabulary = read_sentence(text), self._training.vocabulary
        if shown != MASK:
            shown = read_sentence(shown)[0]
        logits = own_logits(self._training.model, vocabulary, tokens, position, shown)
        label, shown_id = vocabulary.encode([tokens[position], shown]).tolist()
        slot = listed_slot(logits, vocabulary.words, label, None if shown == MASK else shown_id,
                           n_listed)
        return WorkedExample(slot, tuple(vocabulary.decode(vocabulary.encode(tokens))), position)


def own_example(training, text, position, shown=MASK, n_listed=10):
    """A word of one's own sentence as a worked example, to be moved by ``explore_softmax``.

    Parameters
    ----------
    training : Training
        Its model and vocabulary.
    text : str
        The sentence.
    position : int
        Place of the chosen word among ``read_sentence(text)``, counted from 0.
    shown : str
        ``[MASK]``, or the word that the input shows in its place.
    n_listed : int
        As for ``listed_slot``.

    Returns
    -------
    WorkedExample
        A true word that the vocabulary does not hold is ``[UNK]``.

    Examples
    --------
    >>> from mlm_helpers.real_text.corpus import Corpus
    >>> from mlm_helpers.real_text.training import Training
    >>> training = Training(Corpus("the cat sat on the mat and the dog lay by it . " * 40))
    >>> example = own_example(training, "The cat sat.", 1)
    >>> example.slot.label_token, round(example.slot.loss, 4), round(example.slot.uniform, 4)
    ('cat', 2.5649, 2.5649)
    """
    return TrainedReader(training).example(text, position, shown, n_listed)
