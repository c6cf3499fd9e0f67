"""Pairs of sentences for next-sentence prediction: B follows A, or is any sentence of the text."""

from typing import NamedTuple

import numpy as np

from mlm_helpers.pretraining import IS_NEXT, IS_RANDOM

ENDS = (".", "?", "!")
_SHORTEST = 4  # tokens: what is shorter is a number or an abbreviation


class SentencePairs(NamedTuple):
    """Sentences A and B, and whether B follows A.

    Attributes
    ----------
    first, second : list of ndarray of int
        Token ids of A and of B.
    next_sentence_labels : ndarray of int64
        0 where B follows A, 1 where it is a random sentence.
    """

    first: list
    second: list
    next_sentence_labels: np.ndarray


def sentences(token_ids, vocabulary):
    """A text cut behind each full stop, question and exclamation mark; ends included.

    What is shorter than four tokens stays with the sentence that follows.

    Examples
    --------
    >>> from mlm_helpers.real_text.vocabulary import Vocabulary
    >>> words = "the cat sat down . no . the dog lay by it .".split()
    >>> vocabulary = Vocabulary(dict.fromkeys(words))
    >>> [len(sentence) for sentence in sentences(vocabulary.encode(words), vocabulary)]
    [5, 8]
    """
    ends = [vocabulary.encode([sign])[0] for sign in ENDS if sign in vocabulary]
    cuts, start = [], 0
    for end in np.flatnonzero(np.isin(token_ids, ends)) + 1:
        if end - start >= _SHORTEST:
            cuts.append(end)
            start = end
    parts = np.split(token_ids, cuts)
    return [part for part in parts if len(part) >= _SHORTEST]


def draw_pairs(all_sentences, n_pairs, rng):
    """Pairs of which each is a following one or a random one by an even chance.

    Parameters
    ----------
    all_sentences : list of ndarray of int
        In the order of the text, at least three.
    n_pairs : int
    rng : numpy.random.Generator

    Returns
    -------
    SentencePairs

    Raises
    ------
    ValueError
        When there are fewer than three sentences.

    Notes
    -----
    Devlin et al., *BERT* (2019), section 3.1. A random B is never the one that follows A, nor A.
    """
    n = len(all_sentences)
    if n < 3:
        raise ValueError(f"{n} sentences are too few for pairs: give a text with at least three, "
                         "each ended by a full stop")
    first = rng.integers(n - 1, size=n_pairs)
    labels = np.where(rng.random(n_pairs) < 0.5, IS_NEXT, IS_RANDOM)
    other = rng.integers(n - 2, size=n_pairs)
    other += 2 * (other >= first)  # steps over A and what follows it
    second = np.where(labels == IS_NEXT, first + 1, other)
    return SentencePairs([all_sentences[index] for index in first],
                         [all_sentences[index] for index in second], labels)
