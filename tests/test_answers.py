"""What students type, read as the number they mean or refused with a remedy."""

import math
from functools import partial

import pytest

from explorer_promises import n_operations
from mlm_helpers.exercises.answers import read_answer
from mlm_helpers.exercises.arithmetic import work_out
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

LN_2, LN_3, LN_4 = 0.6931471805599453, 1.0986122886681098, 1.3862943611198906  # mpmath


@pytest.mark.parametrize(("text", "value", "last_place"), [
    ("0.63", 0.63, 0.01), ("0,63", 0.63, 0.01), (".6265", 0.6265, 0.0001), (",63", 0.63, 0.01),
    ("-0.63", -0.63, 0.01), ("−0,63", -0.63, 0.01), ("+.5", 0.5, 0.1), ("2.5257", 2.5257, 0.0001),
    ("6.27e-1", 0.627, 0.001), ("6,27E-1", 0.627, 0.001), ("6e-1", 0.6, 0.1), ("5.", 5, 1),
    ("0", 0, 1), ("1 000 000", 1e6, 1), ("1'000.5", 1000.5, 0.1), ("1\u202f000", 1000, 1),
    ("  0.63\t", 0.63, 0.01), ("= 0.63", 0.63, 0.01), ("≈0.63", 0.63, 0.01), ("1e-400", 0, 0),
])
def test_numbers(text, value, last_place):
    answer = read_answer(text)
    assert answer.value == value
    assert answer.last_place == pytest.approx(last_place, rel=1e-12)


@pytest.mark.parametrize(("text", "value"), [
    ("ln(4)", LN_4), ("ln 4", LN_4), ("ln4", LN_4), ("LN(4)", LN_4), ("-ln(0,5)", LN_2),
    ("−ln 0.5", LN_2), ("log2(8)", 3), ("log₂ 8", 3), ("log₁₀ 100", 2), ("log10 1 000", 3),
    ("log(100)", 2), ("log 100", 2), ("1/3", 1 / 3), ("2*ln 3", 2 * LN_3), ("2 ln 3", 2 * LN_3),
    ("2ln(3)", 2 * LN_3), ("ln 4 / ln 2", 2), ("ln(4)/2", LN_2), ("ln(4) / 2 − 1", LN_2 - 1),
    ("-ln(0.4) - ln(0.2)", 2.5257286443082556), ("(-ln 0.4 - ln 0.2) / 2", 1.2628643221541278),
    ("ln(1/30000)", -10.308952660644293), ("exp(0)", 1), ("e^1", math.e), ("sqrt 9", 3),
    ("2^3^2", 512), ("-2^2", -4), ("2**-1", 0.5), ("3²", 9), ("6.27·10⁻¹", 0.627),
    ("6.27 × 10^-1", 0.627), ("6÷4", 1.5), ("--5", 5), ("2(1 + 2)", 6), ("ln(ln(e^e))", 1),
])
def test_expressions(text, value):
    answer = read_answer(text)
    assert answer.value == pytest.approx(value, rel=1e-14)
    assert answer.last_place == 0


@pytest.mark.parametrize(("text", "value"), [
    ("300000000", 3e8), ("300 000 000", 3e8), ("300,000,000", 3e8), ("300.000.000", 3e8),
    ("300'000'000", 3e8), ("3e8", 3e8), ("0.3e9", 3e8), ("0,3e9", 3e8), ("0.300e9", 3e8),
    ("1.250e9", 1.25e9), ("3·10^8", 3e8), ("0.15 * 2 000 000 000", 3e8), ("1,234", 1234),
    ("19", 19), ("19.0", 19), ("19,2", 19.2), ("-3", -3), ("0", 0), ("0.125", 0.125),
])
def test_counts(text, value):
    assert read_answer(text, whole=True).value == pytest.approx(value, rel=1e-15)


def test_a_comma_is_decimal_unless_a_count_is_asked_for():
    assert read_answer("1,234").value == 1.234


@pytest.mark.parametrize("text", ["0.63 nats", "0.63nats", "0,63 nat", "0.63 NATS"])
def test_the_unit_asked_for_may_be_typed(text):
    assert read_answer(text, unit="nats") == (0.63, 0.01)


@pytest.mark.parametrize(("text", "unit", "typed"), [
    ("0.63 bits", "nats", "bits"), ("0.63 bit", "nats", "bits"), ("63 %", "nats", "per cent"),
    ("63%", "bits", "per cent"), ("63 percent", "nats", "per cent"), ("1 nat", "bits", "nats"),
    ("63 per cent", "nats", "per cent"), ("19 tokens", "slots", "tokens"),
])
def test_another_unit_is_refused(text, unit, typed):
    assert_refused(lambda: read_answer(text, unit=unit), f"“{text}”", f"in {typed}", f"in {unit}")


def test_without_a_unit_asked_for_none_is_read():
    assert_refused(lambda: read_answer("0.63 nats"), "“0.63 nats”", "give the number alone")


@pytest.mark.parametrize("text", [
    "abc", "nan", "inf", "-inf", "∞", "__import__('os')", "1.2.3", "1,2,3", "0.5.", ".", ",", "-",
    "1 5", "0.63 123", "1e", "2e", "0x10", "1_000", "True", "1j", "[1]", "1 if 1 else 2", "1==1",
    "(((((", "()", ")", "ln", "ln()", "ln(2", "ln ln 3", "ln -1", "log", "log2", "3(2)(4)", "2e3e4",
    "9**9**9**9", "1/0", "ln 0", "ln(-1)", "(-8)^0.5", "exp(1000)", "0^-1", "\x00", "½", "nats",
    "1e9999", "lambda: 1", "x" * 80,
])
def test_refusals_name_the_text_and_the_remedy(text):
    shown = text if len(text) < 30 else text[:29]
    assert_refused(lambda: read_answer(text), shown, "type one such as 0.63, 0,63, 6.3e-1 or ln(4)")


@pytest.mark.parametrize(("text", "parts"), [
    ("", ["nothing typed yet", "0.63"]), (" \t", ["nothing typed yet"]), ("=", ["nothing typed"]),
    ("1e400", ["“1e400” is no finite number", "0.63"]),
    ("1e300*1e300", ["no finite number"]),
    ("9" * 500, ["“99999", "longer than 80 characters"]),
    ("ln 1/4", ["“ln 1/4” can be read in two ways", "ln(1/4)"]),
    ("-ln 0.4 * 2", ["two ways", "ln(0.4*2)"]), ("ln 4^2", ["two ways", "ln(4^2)"]),
    ("ln 1/(4)", ["two ways", "ln(1/…)"]),
])
def test_refusals_of_their_own(text, parts):
    assert_refused(lambda: read_answer(text, unit="nats"), *parts)


def test_a_count_is_asked_for_with_other_examples():
    assert_refused(lambda: read_answer("many", whole=True), "300 000 000 or 3e8")


def test_hostile_texts_cost_little_and_are_refused_in_a_few_words():
    def read(text):
        try:
            read_answer(text, whole=True, unit="slots")
        except ValueError as refusal:
            assert len(str(refusal)) < 200

    texts = ["9**9**9**9", "(" * 80, "-" * 80, "1+" * 40, "9" * 10**6, "ln " * 26, "1 000" * 16,
             "1,000" * 16, " " * 79 + "1", "2(" * 40]
    for text in texts:
        assert n_operations(partial(read, text)) < 5000, text[:80]


def test_a_number_itself_may_be_given():
    assert read_answer(0.63) == (0.63, 0.01)


def test_arithmetic_alone_says_no_more_than_it_knows():
    with pytest.raises(ArithmeticError):
        work_out("1/0")
    assert_refused(lambda: work_out("abc"))
