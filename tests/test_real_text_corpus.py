"""Reading, parting and numbering a text, against counts made another way."""

import collections
import re

import numpy as np
import pytest

from mlm_helpers.real_text.corpus import (
    Corpus,
    check_text,
    language_reference,
    read_text,
)
from mlm_helpers.real_text.vocabulary import Vocabulary, most_frequent
from mlm_helpers.texts import each_word, split_words
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

STORY = "The cat sat on the mat. The dog lay by the fire, and it rained. " * 40


# Vocabulary


def test_special_words_come_first_and_encode_is_the_inverse_of_decode():
    vocabulary = Vocabulary(["the", "cat", "sat"])
    assert vocabulary.decode([0, 1]) == ["[MASK]", "[UNK]"]
    assert vocabulary.encode(vocabulary.decode(range(5))).tolist() == list(range(5))
    assert vocabulary.encode(["dog", "THE", ""]).tolist() == [1, 1, 1]
    assert vocabulary.encode([]).dtype == np.int64
    assert "cat" in vocabulary and "dog" not in vocabulary


def test_a_word_twice_or_an_id_outside_is_refused():
    assert_refused(lambda: Vocabulary(["cat", "cat"]), "'cat'", "once")
    assert_refused(lambda: Vocabulary(["[UNK]"]), "[UNK]")
    for wrong in (-1, 3):
        assert_refused(lambda wrong=wrong: Vocabulary(["cat"]).decode([wrong]), f"{wrong} ",
                       "[0, 3)")


def test_most_frequent_agrees_with_counter():
    words = np.random.default_rng(0).geometric(0.01, size=20_000)
    counts = np.bincount(words, minlength=900)
    for size in (100, 250):
        theirs = [word for word, _ in
                  sorted(collections.Counter(words.tolist()).items(), key=lambda x: (-x[1], x[0]))]
        assert most_frequent(counts, size).tolist() == theirs[:size - 2]


@pytest.mark.parametrize("size", [99, 10_001, 0, -5, 2.5, True])
def test_sizes_outside_the_sliders_range_are_refused(size):
    assert_refused(lambda: most_frequent([1], size), str(size))


def test_a_short_text_gives_a_smaller_vocabulary():
    assert len(Corpus(STORY).vocabulary(10_000)) == 2 + len(set(split_words(STORY.lower())))


# Corpus


def test_parts_are_the_text_in_order():
    corpus, words = Corpus(STORY, 0.25), split_words(STORY.lower())
    vocabulary = corpus.vocabulary(100)
    training, held_out = corpus.training(vocabulary), corpus.held_out(vocabulary)
    assert vocabulary.decode(np.concatenate([training, held_out])) == words
    assert (len(training), len(held_out)) == (corpus.n_training, corpus.n_held_out)
    assert corpus.n_held_out == round(len(words) / 4)
    assert corpus.unknown_share(vocabulary) == 0


def test_words_are_counted_in_the_part_for_training_alone():
    text = "one two three four five . " * 60 + "unheard " * 20
    corpus = Corpus(text, 20 / (6 * 60 + 20))
    vocabulary = corpus.vocabulary(100)
    assert "unheard" not in vocabulary and "five" in vocabulary
    assert vocabulary.decode(corpus.held_out(vocabulary)) == ["[UNK]"] * 20


def test_the_vocabulary_keeps_the_most_frequent_words():
    text = language_reference()
    corpus = Corpus(text)
    counts = collections.Counter(split_words(text.lower())[:corpus.n_training])
    vocabulary = corpus.vocabulary(500)
    assert len(vocabulary) == 500
    kept = {word: counts[word] for word in vocabulary.words[2:]}
    assert min(kept.values()) >= max(counts[word] for word in counts if word not in kept)
    frequencies = list(kept.values())
    assert frequencies == sorted(frequencies, reverse=True)


def test_the_language_reference_is_english_and_says_nothing_twice():
    text = language_reference()
    words = split_words(text.lower())
    assert 30_000 < len(words) < 150_000
    assert collections.Counter(words).most_common(5)[0][0] in ("the", ".", '"')
    paragraphs = text.split("\n\n")
    assert len(set(paragraphs)) == len(paragraphs)
    assert not re.search(r"(?m)^[-=*+|]{3,}", text)


def test_each_word_is_split_words_one_by_one():
    for text in (STORY, "", "猫が好き 🙂 don't"):
        assert list(each_word(text)) == split_words(text)


# Refusals


def test_a_text_too_short_or_too_long_is_refused():
    assert_refused(lambda: check_text("x" * 999), "999 bytes", "1,000", "longer")
    assert check_text("é" * 500)  # 1000 bytes
    assert_refused(lambda: check_text("x" * 20_000_001), "20,000,001", "20,000,000", "parts")
    assert_refused(lambda: Corpus("x" * 1000), "1 words", "50", "longer")
    assert_refused(lambda: Corpus(" \n" * 500), "0 words", "50")


@pytest.mark.parametrize("share", [0, 1, 0.0001, 1.5, -0.1])
def test_a_share_that_leaves_a_part_empty_is_refused(share):
    assert_refused(lambda: Corpus(STORY, share), f"held_out_share {share}")


def test_files_are_read_or_refused(tmp_path):
    path = tmp_path / "tale.txt"
    path.write_text("Grüße " * 300, "utf-8")
    assert read_text(path) == read_text(str(path)) == "Grüße " * 300
    for content, parts in ((b"", ("empty",)), (b"short", ("tale.txt", "5 bytes", "1,000")),
                           (b"a" * 1000 + b"\xff", ("tale.txt", "UTF-8 at byte 1000")),
                           (b"a\0" * 600, ("zero byte at position 1", "UTF-8"))):
        path.write_bytes(content)
        assert_refused(lambda: read_text(path), *parts)
    assert_refused(lambda: read_text(tmp_path), "no file", str(tmp_path))


def test_a_file_too_large_is_refused_unread(tmp_path):
    path = tmp_path / "huge.txt"
    with path.open("wb") as file:
        file.truncate(20_000_001)
    assert_refused(lambda: read_text(path), "20,000,001", "20,000,000", "parts")
