"""Any text a reader brings → tokens; and the clear refusals."""

import re
import unicodedata
from functools import lru_cache

BYTE_LIMIT = 1_000_000


@lru_cache(maxsize=1)
def _token_pattern():
    """Word, ideograph, flag, or a single sign, each with the marks that belong to it.

    Python's ``\\w`` leaves out combining marks, which Hindi, Thai and Arabic words are full of.
    """
    marks = "".join(c for c in map(chr, range(0x300, 0x10000)) if unicodedata.category(c)[0] == "M")
    ideographs = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
    letters = rf"[^\W{ideographs}]+(?:[{marks}\u200c]+[^\W{ideographs}]*)*"
    word = rf"{letters}(?:['’]{letters})*"
    flag = "[\U0001f1e6-\U0001f1ff]{2}"
    sign = rf"[^\w\s](?:[{marks}\U0001f3fb-\U0001f3ff]|\u200d\S)*"
    return re.compile(rf"[{ideographs}]|{word}|{flag}|{sign}")


def split_words(text):
    """Words and single signs, in order; white space is dropped.

    A simple rule, not BERT's WordPiece: a word is a run of letters, digits and underscores, with
    apostrophes inside it; a Chinese character, a punctuation mark and an emoji each stand alone.

    Examples
    --------
    >>> split_words("Don't panic, cat!")
    ["Don't", 'panic', ',', 'cat', '!']
    >>> split_words("  ")
    []
    >>> split_words("猫が好き 🙂")
    ['猫', 'が', '好', 'き', '🙂']
    """
    return _token_pattern().findall(text)


def each_word(text):
    """The words of ``split_words`` one by one, for a text too long to hold them all at once.

    Examples
    --------
    >>> next(each_word("Don't panic, cat!"))
    "Don't"
    """
    return (match[0] for match in _token_pattern().finditer(text))


def check_size(n_bytes, name="the file", limit=BYTE_LIMIT):
    """Refuse a file by its size alone.

    Examples
    --------
    >>> check_size(1_000_000)
    >>> check_size(0, "note.txt")
    Traceback (most recent call last):
    ValueError: note.txt is empty, it has 0 bytes: choose a file with text in it
    """
    if n_bytes > limit:
        raise ValueError(
            f"{name} has {n_bytes:,} bytes and the limit is {limit:,}: "
            "cut it into parts and upload one of them"
        )
    if not n_bytes:
        raise ValueError(f"{name} is empty, it has 0 bytes: choose a file with text in it")


def decode_text(content, name="the file", limit=BYTE_LIMIT):
    """The text of an uploaded file.

    Raises
    ------
    ValueError
        When it is empty, longer than ``limit`` bytes, or not UTF-8 text; the message names
        the size or the place, and the remedy.

    Examples
    --------
    >>> decode_text("Grüße".encode(), "note.txt")
    'Grüße'
    """
    content = bytes(content)
    check_size(len(content), name, limit)
    if b"\0" in content:
        raise ValueError(f"{name} holds a zero byte at position {content.index(0)}, so it is no "
                         "plain text: save it as a text file in UTF-8")
    try:
        return content.decode("utf-8").removeprefix("\ufeff")  # a byte order mark is no text
    except UnicodeDecodeError as error:
        raise ValueError(f"{name} is not UTF-8 at byte {error.start}: "
                         "save it again with the encoding UTF-8") from None
