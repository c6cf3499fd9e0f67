"""The words a model knows, by how often a text has them; all others are one word, ``[UNK]``."""

import numpy as np

from mlm_helpers.checks import check_whole
from mlm_helpers.masking import MASK

UNKNOWN = "[UNK]"
MASK_ID, UNKNOWN_ID = 0, 1
N_SPECIAL = 2
SMALLEST, LARGEST = 100, 10_000


class Vocabulary:
    """Words and their ids, ``[MASK]`` and ``[UNK]`` first.

    Parameters
    ----------
    words : sequence of str
        The ordinary words, each once, in the order of their ids.

    Attributes
    ----------
    words : ndarray of object
        All words, the two special ones included; the id of a word is its place.

    Raises
    ------
    ValueError
        When a word occurs twice.

    Examples
    --------
    >>> vocabulary = Vocabulary(["the", "cat"])
    >>> vocabulary.encode(["the", "dog", "cat"]).tolist()
    [2, 1, 3]
    >>> vocabulary.decode([0, 3])
    ['[MASK]', 'cat']
    """

    def __init__(self, words):
        self.words = np.array([MASK, UNKNOWN, *words], dtype=object)
        self._ids = {word: index for index, word in enumerate(self.words)}
        if len(self._ids) < len(self.words):
            repeated = next(word for index, word in enumerate(self.words)
                            if self._ids[word] != index)
            raise ValueError(f"the word {repeated!r} occurs twice: give each word once")

    def __len__(self):
        return len(self.words)

    def __contains__(self, word):
        return word in self._ids

    def encode(self, words):
        """Ids of words, that of ``[UNK]`` for each that is not known; int64, one per word."""
        return np.array([self._ids.get(word, UNKNOWN_ID) for word in words], dtype=np.int64)

    def decode(self, token_ids):
        """Words of ids, as a list.

        Raises
        ------
        ValueError
            When an id is outside the vocabulary.
        """
        token_ids = np.asarray(token_ids)
        outside = token_ids[(token_ids < 0) | (token_ids >= len(self))]
        if outside.size:
            raise ValueError(f"token id {outside[0]} is outside [0, {len(self)}): "
                             "give ids of this vocabulary")
        return self.words[token_ids].tolist()


def most_frequent(counts, vocab_size):
    """Which words a vocabulary of this size holds, and in which order.

    Parameters
    ----------
    counts : array_like of int
        How often each word occurs.
    vocab_size : int
        Number of classes with the two special ones, 100 to 10 000.

    Returns
    -------
    ndarray of int
        Indices of the words that occur, the most frequent first; of two that are equally frequent,
        the one with the smaller index first. Fewer than ``vocab_size - 2`` if there are no more.

    Raises
    ------
    ValueError
        When ``vocab_size`` is out of range.

    Examples
    --------
    >>> most_frequent([3, 0, 5, 3], 100).tolist()
    [2, 0, 3]
    """
    check_vocab_size(vocab_size)
    counts = np.asarray(counts)
    order = np.argsort(-counts, kind="stable")[:vocab_size - N_SPECIAL]
    return order[counts[order] > 0]


def check_vocab_size(vocab_size):
    """Refuse a size that no vocabulary of this room has.

    Examples
    --------
    >>> check_vocab_size(50)
    Traceback (most recent call last):
    ValueError: vocab_size 50 is outside 100 to 10000: choose one of these, for example 2000
    """
    check_whole("vocab_size", vocab_size, least=1)
    if not SMALLEST <= vocab_size <= LARGEST:
        raise ValueError(f"vocab_size {vocab_size} is outside {SMALLEST} to {LARGEST}: "
                         "choose one of these, for example 2000")
