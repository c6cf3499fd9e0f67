"""Any text → tokens, and files that are refused, against what a reader of each language expects."""

import random
import unicodedata

import pytest

from mlm_helpers.texts import BYTE_LIMIT, check_size, decode_text, split_words
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

SENTENCES = {
    "The cat sat.": ["The", "cat", "sat", "."],
    "Don't panic, it’s 3.14!": ["Don't", "panic", ",", "it’s", "3", ".", "14", "!"],
    "'quoted'": ["'", "quoted", "'"],
    "Äpfel, Öfen & Übermut": ["Äpfel", ",", "Öfen", "&", "Übermut"],
    "A\u0308pfel": ["A\u0308pfel"],
    "猫坐下了。": ["猫", "坐", "下", "了", "。"],
    "BERT猫2": ["BERT", "猫", "2"],
    "बिल्ली बैठ गई।": ["बिल्ली", "बैठ", "गई", "।"],
    "قطّة جلست": ["قطّة", "جلست"],
    "แมวนั่ง": ["แมวนั่ง"],
    "кот сел": ["кот", "сел"],
    "고양이가 앉았다": ["고양이가", "앉았다"],
    "می‌روم": ["می‌روم"],
    "🙂🙃": ["🙂", "🙃"],
    "👩‍💻👍🏽❤️🇩🇪🇫🇷1️⃣": ["👩‍💻", "👍🏽", "❤️", "🇩🇪", "🇫🇷", "1️⃣"],
    "a<b>$x_1$": ["a", "<", "b", ">", "$", "x_1", "$"],
    "one\ttwo\r\n\u00a0three\u3000four": ["one", "two", "three", "four"],
    "": [],
    " \n\t": [],
}


@pytest.mark.parametrize(("text", "tokens"), SENTENCES.items(), ids=ascii)
def test_sentences_of_many_languages(text, tokens):
    assert split_words(text) == tokens


def random_texts():
    """Texts of any characters that Unicode has, of marks and joiners, and of the tricky ones."""
    rng = random.Random(0)
    anything = [chr(c) for c in range(0x110000) if not 0xD800 <= c < 0xE000]
    marks = [c for c in anything if unicodedata.category(c)[0] == "M"]
    tricky = list("a 1_'’\u200c\u200d\ufeff\u2028\x1c\x85\u3000猫🙂🇩👍🏽\u0301े\U000e0100\ufe0f")
    for pool in (anything, marks + tricky, tricky, anything[:0x600]):
        for _ in range(100):
            yield "".join(rng.choices(pool, k=60))


def test_every_character_but_white_space_is_in_exactly_one_token():
    for text in random_texts():
        tokens = split_words(text)
        assert "".join(tokens) == "".join(text.split())
        assert not [token for token in tokens if not token or token.split() != [token]]


def test_a_megabyte_without_any_white_space_is_split():
    assert split_words("a" * 500_000) == ["a" * 500_000]
    assert split_words("'" * 100_000) == ["'"] * 100_000
    assert split_words("猫" * 300_000) == ["猫"] * 300_000


# Files


@pytest.mark.parametrize("text", ["Grüße, 猫 🙂\r\nend", " ", "\ufffd", "a\tb"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_utf8_is_read_and_a_byte_order_mark_dropped(text, mark, kind):
    assert decode_text(kind(mark + text.encode())) == text


def test_a_file_of_exactly_the_limit_is_read():
    assert len(decode_text(b"x" * BYTE_LIMIT)) == BYTE_LIMIT == 1_000_000


def test_a_file_of_nothing_but_a_byte_order_mark_is_an_empty_text():
    assert decode_text(b"\xef\xbb\xbf") == ""


@pytest.mark.parametrize("n_bytes", [1, BYTE_LIMIT])
def test_a_size_within_the_limits_is_no_reason(n_bytes):
    assert check_size(n_bytes) is None


REFUSALS = {
    "empty": (b"", "empty", "0 bytes", "choose a file with text in it"),
    "too large": (b"x" * 1_000_001, "1,000,001 bytes", "limit is 1,000,000", "cut it into parts"),
    "twenty million": (b"x" * 20_000_000, "20,000,000 bytes", "limit is 1,000,000",
                       "upload one of them"),
    "Latin-1": ("Grüße".encode("latin-1"), "not UTF-8 at byte 2", "encoding UTF-8"),
    "behind a byte order mark": (b"\xef\xbb\xbfab\xff", "not UTF-8 at byte 5", "encoding UTF-8"),
    "cut in a character": ("猫".encode()[:2], "not UTF-8 at byte 0", "encoding UTF-8"),
    "UTF-16": ("cat".encode("utf-16-le"), "zero byte at position 1", "text file in UTF-8"),
    "UTF-16 of Chinese": ("\ufeff猫".encode("utf-16-le"), "not UTF-8 at byte 0", "encoding UTF-8"),
    "encoded surrogate": (b"a\xed\xa0\x80", "not UTF-8 at byte 1", "encoding UTF-8"),
    "picture": (b"\x89PNG\r\n\x1a\n\x00", "zero byte at position 8", "text file in UTF-8"),
}


@pytest.mark.parametrize("case", REFUSALS.values(), ids=REFUSALS)
def test_a_refusal_names_the_file_the_reason_and_the_remedy(case):
    content, *parts = case
    assert_refused(lambda: decode_text(content, "note.txt"), "note.txt", *parts)


@pytest.mark.parametrize("case", ["empty", "too large", "twenty million"])
def test_the_size_alone_is_refused_in_the_same_words(case):
    content, *parts = REFUSALS[case]
    assert_refused(lambda: check_size(len(content), "note.txt"), "note.txt", *parts)
