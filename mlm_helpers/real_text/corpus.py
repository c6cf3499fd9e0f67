"""A text to learn from: read, cut into words, and parted into what is learnt and what is held out.

The part held out is the end of the text. Nothing of it reaches the training: not its words, not
their frequencies, and no window of the one part looks into the other.
"""

import pydoc_data.topics
from pathlib import Path

import numpy as np

from mlm_helpers.checks import check_share
from mlm_helpers.real_text.vocabulary import (
    N_SPECIAL,
    UNKNOWN_ID,
    Vocabulary,
    most_frequent,
)
from mlm_helpers.texts import check_size, decode_text, each_word

LEAST_BYTES, MOST_BYTES = 1_000, 20_000_000
LEAST_TOKENS = 50


def language_reference():
    """The reference of the Python language, as this Python carries it: English, no download.

    A paragraph is taken once: several topics repeat what others say, and what is both learnt and
    held out would test nothing. Rulings and tables are left out. The words differ a little between
    versions of Python, so a number counted here is no constant.

    Examples
    --------
    >>> text = language_reference()
    >>> len(text) > 100_000, text.count('The "with" statement is used to wrap')
    (True, 1)
    """
    paragraphs = "\n\n".join(pydoc_data.topics.topics.values()).split("\n\n")
    return "\n\n".join(dict.fromkeys(filter(None, map(_running_text, paragraphs))))


def _running_text(paragraph):
    """A paragraph on one line, without rulings and the rows of tables."""
    lines = (line.strip() for line in paragraph.splitlines())
    return " ".join(line for line in lines
                    if line[:1] not in ("|", "+") and any(map(str.isalnum, line)))


def read_text(path):
    """The text of a file of 1 kB to 20 MB in UTF-8.

    Raises
    ------
    ValueError
        When there is no such file, it is too short or too long, or no UTF-8 text; the message
        names the file, what is wrong, and the remedy.

    Examples
    --------
    >>> read_text("no/such/file.txt")
    Traceback (most recent call last):
    ValueError: there is no file no/such/file.txt: give the path of a text file
    """
    path = Path(path).expanduser()
    if not path.is_file():
        raise ValueError(f"there is no file {path}: give the path of a text file")
    check_size(path.stat().st_size, path.name, MOST_BYTES)  # before 20 GB are in memory
    return check_text(decode_text(path.read_bytes(), path.name, MOST_BYTES), path.name)


def check_text(text, name="the text"):
    """The text itself, unless it is too short or too long to train on.

    Examples
    --------
    >>> check_text("the cat sat down")
    Traceback (most recent call last):
    ValueError: the text has 16 bytes, and a model learns nothing from fewer than 1,000: give a \
longer text
    """
    n_bytes = len(text.encode("utf-8", "surrogatepass"))
    if n_bytes < LEAST_BYTES:
        raise ValueError(f"{name} has {n_bytes:,} bytes, and a model learns nothing from fewer "
                         f"than {LEAST_BYTES:,}: give a longer text")
    if n_bytes > MOST_BYTES:
        raise ValueError(f"{name} has {n_bytes:,} bytes and the limit is {MOST_BYTES:,}: "
                         "cut it into parts and give one of them")
    return text


class Corpus:
    """A text as lower-cased words and signs, its end held out.

    Parameters
    ----------
    text : str
        1 kB to 20 MB of text with at least 50 words and signs.
    held_out_share : float
        Share of the tokens that are held out, above 0 and below 1.

    Attributes
    ----------
    n_tokens, n_training, n_held_out : int
        All tokens, and those of either part.
    n_different : int
        How many different words the part for training has.

    Raises
    ------
    ValueError
        When the text is too short or too long, or the share leaves a part empty.

    Examples
    --------
    >>> corpus = Corpus("The cat sat on the mat. The dog sat on the cat. " * 30)
    >>> corpus.n_tokens, corpus.n_training, corpus.n_held_out, corpus.n_different
    (420, 378, 42, 7)
    >>> vocabulary = corpus.vocabulary(100)
    >>> vocabulary.decode(range(6))
    ['[MASK]', '[UNK]', 'the', 'cat', 'sat', 'on']
    >>> vocabulary.decode(corpus.held_out(vocabulary)[:4])
    ['the', 'cat', 'sat', 'on']
    """

    def __init__(self, text, held_out_share=0.1):
        check_text(text)
        check_share("held_out_share", held_out_share)
        self._places, self._words = _numbered(text)
        self.n_tokens = len(self._places)
        if self.n_tokens < LEAST_TOKENS:
            raise ValueError(f"the text has {self.n_tokens} words and signs, and a model learns "
                             f"nothing from fewer than {LEAST_TOKENS}: give a longer text")
        self.n_held_out = round(self.n_tokens * held_out_share)
        self.n_training = self.n_tokens - self.n_held_out
        if not (self.n_held_out and self.n_training):
            raise ValueError(f"held_out_share {held_out_share} leaves nothing to train on or to "
                             "test on: choose a share between, for example 0.1")
        self._counts = np.bincount(self._places[:self.n_training], minlength=len(self._words))
        self.n_different = int(np.count_nonzero(self._counts))

    def vocabulary(self, vocab_size):
        """The most frequent words of the part for training; see ``vocabulary.most_frequent``."""
        kept = most_frequent(self._counts, vocab_size)
        return Vocabulary([self._words[index] for index in kept])

    def vocabulary_size(self, vocab_size):
        """How many words such a vocabulary comes to have: fewer than asked if there are no more."""
        return min(vocab_size, self.n_different + N_SPECIAL)

    def training(self, vocabulary):
        """Token ids of the part to learn from, int64."""
        return self._ids(vocabulary)[self._places[:self.n_training]]

    def held_out(self, vocabulary):
        """Token ids of the part held out, int64."""
        return self._ids(vocabulary)[self._places[self.n_training:]]

    def _ids(self, vocabulary):
        """The id of each different word of the text."""
        return vocabulary.encode(self._words)

    def unknown_share(self, vocabulary):
        """Share of the whole text's tokens that the vocabulary does not hold."""
        return float((self._ids(vocabulary)[self._places] == UNKNOWN_ID).mean())


def _numbered(text):
    """For each token the number of its word, in the order of first appearance; and the words.

    Numbers take a tenth of the memory that a list of strings would.
    """
    numbers = {}
    words = each_word(text.lower())
    places = np.fromiter((numbers.setdefault(word, len(numbers)) for word in words), np.int32)
    return places, list(numbers)
