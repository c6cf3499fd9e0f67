"""Numbers and words as they are shown, against exact rounding and an HTML parser.

``HOSTILE``, ``read_number`` and ``HtmlText`` serve the other test files too.
"""

import math
import re
from decimal import ROUND_HALF_EVEN, Decimal
from html.parser import HTMLParser

import mpmath
import numpy as np
import pytest

from mlm_helpers.wording import (
    BITS,
    NATS,
    UNITS,
    count,
    decimal,
    integer,
    markup,
    percent,
    rough,
    short,
    shorten,
)

pytestmark = pytest.mark.filterwarnings("error")

HOSTILE = {
    "$": "$",
    "$$": "$$",
    "$x_1$": "$x_1$",
    "_x": "_x",
    "##ing": "##ing",
    "<b>": "<b>",
    '<img src=x onerror="alert(1)">': "<img src=x on…",
    "</td></tr></script>": "</td></tr></s…",
    "&lt;": "&lt;",
    "\\frac": "\\frac",
    "\\(x\\)": "\\(x\\)",
    "\\": "\\",
    "|": "|",
    "`": "`",
    "**": "**",
    "[a](b)": "[a](b)",
    "🙂": "🙂",
    "👩‍💻": "👩‍💻",
    "猫": "猫",
    "बिल्ली": "बिल्ली",
    "مرحبا": "مرحبا",
    "\u202eabc": "\u202eabc",
    "\x07": "\x07",
    "w" * 200: "w" * 13 + "…",
    "": "␣",
    " \n ": "␣",
    "a\nb": "a b",
    "a\tb": "a b",
    "[MASK]": "[MASK]",
}
"""Words that break careless displays, and what a reader must see of each."""

THIN = "\N{NARROW NO-BREAK SPACE}"
MINUS = "\N{MINUS SIGN}"
INFINITY = "∞"
SUPERSCRIPTS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


class HtmlText(HTMLParser):
    """The text of a piece of HTML as a reader sees it, its parts between tags, and the tags."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.parts, self.tags = [], []
        self.feed(html)
        self.close()

    def handle_data(self, data):
        self.parts.append(data)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, attributes))

    @property
    def text(self):
        return "".join(self.parts)

    @property
    def holds_formula(self):
        """Whether MathJax could see one: it looks for $…$ and \\(…\\) within each part."""
        return any(sign in part and part != sign for part in self.parts for sign in "$\\")


def read_number(text):
    """The number that a displayed text stands for."""
    text = text.replace(THIN, "").replace(MINUS, "-")
    if text.endswith(INFINITY):
        return float(text.replace(INFINITY, "inf"))
    mantissa, _, power = text.partition("·10")
    return float(mantissa) * 10.0 ** int(power.translate(SUPERSCRIPTS) or 0)


def tolerance(text):
    """Half a unit in the last place that a displayed number has."""
    mantissa, _, power = text.replace(THIN, "").partition("·10")
    places = len(mantissa.partition(".")[2]) - int(power.translate(SUPERSCRIPTS) or 0)
    return 0.5 * 10.0**-places


def is_rounded(text, exact):
    """Whether a displayed text is the exact number rounded to the places that it has."""
    if mpmath.isinf(exact):
        return read_number(text) == exact
    return abs(read_number(text) - exact) <= tolerance(text) * (1 + 1e-9)


# Numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.6265233750364456, "0.6265"),
        (13.82561975584874, "13.8256"),
        (0.0, "0.0000"),
        (-0.0, "0.0000"),
        (-math.log(1.0), "0.0000"),
        (-0.4655, f"{MINUS}0.4655"),
        (30_528.389056, f"30{THIN}528.3891"),
        (-1234567.0, f"{MINUS}1{THIN}234{THIN}567.0000"),
        (math.inf, INFINITY),
        (-math.inf, f"{MINUS}{INFINITY}"),
        (math.nan, "undefined"),
        (0.0000042, "4.2·10⁻⁶"),
        (-0.0000042, f"{MINUS}4.2·10⁻⁶"),
        (0.0000499, "5.0·10⁻⁵"),
        (5e-324, "4.9·10⁻³²⁴"),
        (0.99999, "1.0000"),
        (np.float32(0.25), "0.2500"),
        (np.array(2.5), "2.5000"),
    ],
)
def test_decimal(value, text):
    assert decimal(value) == text


def test_decimal_rounds_the_exact_binary_value():
    values = np.random.default_rng(0).uniform(-20, 20, size=2000).tolist() + [0.00005, 0.125, 2.5]
    for value in values:
        for places in (1, 4, 6):
            exact = Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_EVEN)
            if exact:
                assert Decimal(decimal(value, places).replace(MINUS, "-")) == exact


@pytest.mark.parametrize("exponent", range(-12, 7))
def test_a_displayed_number_reads_back_within_half_a_unit_in_its_last_place(exponent):
    for digits in np.random.default_rng(exponent + 50).uniform(1, 10, size=50):
        value = digits * 10.0**exponent
        assert is_rounded(decimal(value), value)
        assert float(read_number(decimal(value))) != 0


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2"), (-0.5, f"{MINUS}0.5"), (1.25, "1.25"), (100.0, "100"), (-0.0, "0"),
     (1 / 3, "0.3333"), (0.1 + 0.2, "0.3"), (30_000, f"30{THIN}000"), (0.00001, "1.0·10⁻⁵"),
     (math.inf, INFINITY)],
)
def test_short(value, text):
    assert short(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1.0, "1.00"),
        (3.99, "3.99"),
        (22_029.4658, f"22{THIN}029"),
        (1e12, f"1{THIN}000{THIN}000{THIN}000{THIN}000"),
        (99.99, "99.99"),
        (99.999, "100.00"),
        (100, "100"),
        (100.4, "100"),
        (345.67, "346"),
        (0.0, "0.00"),
        (0.001, "1.0·10⁻³"),
        (-2.5, f"{MINUS}2.50"),
        (math.inf, INFINITY),
        (math.nan, "undefined"),
    ],
)
def test_rough(value, text):
    assert rough(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (512, "512"), (30_522, f"30{THIN}522"), (2_000_000, f"2{THIN}000{THIN}000"),
     (-100, f"{MINUS}100"), (np.int64(1000), f"1{THIN}000"), (4.0, "4")],
)
def test_integer(value, text):
    assert integer(value) == text


@pytest.mark.parametrize(
    ("share", "text"), [(0.15, "15.0 %"), (1, "100.0 %"), (0, "0.0 %"), (2 / 3, "66.7 %")]
)
def test_percent(share, text):
    assert percent(share) == text


@pytest.mark.parametrize(
    ("number", "text"), [(0, "0 slots"), (1, "1 slot"), (2, "2 slots"), (1000, f"1{THIN}000 slots")]
)
def test_count(number, text):
    assert count(number, "slot") == text


def test_units():
    assert list(UNITS) == ["nats", "bits"]
    assert (NATS.log, BITS.log) == ("ln", "log₂")
    assert NATS.per_nat == 1
    with mpmath.workdps(50):
        assert abs(BITS.per_nat - 1 / mpmath.log(2)) < 1e-16


# Words


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=ascii)
def test_a_word_is_shown_on_one_line_and_whole_or_cut(word, shown):
    assert shorten(word) == shown


@pytest.mark.parametrize(("length", "shown"), [(7, "x" * 7), (8, "x" * 8), (9, "x" * 7 + "…")])
def test_only_a_word_longer_than_the_limit_is_cut(length, shown):
    assert shorten("x" * length, 8) == shown


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=ascii)
def test_markup_reads_back_and_holds_no_command(word, shown):
    parsed = HtmlText(markup(word))
    assert parsed.text == shown and not parsed.holds_formula
    assert all(tag == ("span", []) for tag in parsed.tags)
    plain = re.sub("&#[0-9]+;|</?span>", "", markup(word))
    assert not set(plain) & set("<>&\"'$\\`*_{}[]()#+|~^:@/")


def test_markup_leaves_plain_words_alone():
    assert [markup(word) for word in ("the", "naïve", "猫", "x1")] == ["the", "naïve", "猫", "x1"]
