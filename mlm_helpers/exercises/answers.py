"""What a student types as a number → its value, and how many digits stand behind it."""

import math
import re
from typing import NamedTuple

from mlm_helpers.exercises.arithmetic import NUMBER, work_out
from mlm_helpers.wording import shorten

_SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "’": "'",
                        "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " ",
                        "\N{THIN SPACE}": " "})
_SUBSCRIPTS = str.maketrans("₀₁₂", "012")
_SUPERSCRIPTS = "⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹"
_NORMAL = str.maketrans(_SUPERSCRIPTS, "+-0123456789")
_SPACED = re.compile(r"(?<![\w.,])\d{1,3}(?:[ ']\d{3})+(?!\d)")
_GROUPED = re.compile(r"(?<![\w.,])[1-9]\d{0,2}(?:(?:,\d{3})+|(?:\.\d{3})+)(?![\d.,e])")
_WITH_UNIT = re.compile(r"(?P<number>.+?) *(?P<unit>nat|bit|slot|token|word|%|per ?cent)s?")
_EXAMPLES = {False: "0.63, 0,63, 6.3e-1 or ln(4)", True: "12, 300 000 000 or 3e8"}
_LONGEST = 80


class TypedAnswer(NamedTuple):
    """A number, and the size of a unit in the last place typed: 0.01 for 0.63, 0 if worked out."""

    value: float
    last_place: float


def read_answer(text, *, whole=False, unit=""):
    """The number that a student means.

    Parameters
    ----------
    text : str
        A number with a decimal point or comma, with or without exponent, or a short expression of
        numbers, + − · / ^ and ln, log (base 10), log2, exp, sqrt. Thousands may be set apart by
        spaces.
    whole : bool
        Whether a count is asked for: commas and points between groups of three digits then set
        thousands apart.
    unit : str
        The unit asked for, in the plural. It may stand behind the number; no other may.

    Returns
    -------
    TypedAnswer

    Raises
    ------
    ValueError
        When nothing was typed, it is no number, or one in another unit.

    Examples
    --------
    >>> read_answer("0,63 nats", unit="nats")
    TypedAnswer(value=0.63, last_place=0.01)
    >>> round(read_answer("-ln(0.4) - ln 0.2").value, 4)
    2.5257
    >>> read_answer("300,000,000", whole=True).value
    300000000.0
    >>> read_answer("0.9 bits", unit="nats")
    Traceback (most recent call last):
    ValueError: “0.9 bits” is given in bits: give the answer in nats, or the number alone
    """
    text = str(text)
    plain = _with_points(_without_unit(_plain(text, whole), text, unit), whole)
    if re.fullmatch(rf"[+-]?{NUMBER}", plain):
        return TypedAnswer(_finite(float(plain), text, whole), _last_place(plain))
    return TypedAnswer(_finite(_worked_out(plain, text, whole), text, whole), 0.0)


def _plain(text, whole):
    plain = text.translate(_SIGNS).strip().lower().lstrip("=≈~ ")
    if not plain:
        raise ValueError(f"nothing typed yet: type a number such as {_EXAMPLES[whole]}")
    if len(plain) > _LONGEST:
        raise ValueError(f"{_quoted(text)} is longer than {_LONGEST} characters: type a number "
                         f"such as {_EXAMPLES[whole]}")
    plain = re.sub("log([₀₁₂]+)", lambda match: match[0].translate(_SUBSCRIPTS), plain)
    return re.sub(f"[{_SUPERSCRIPTS}]+", lambda match: f"^({match[0].translate(_NORMAL)})", plain)


def _quoted(text):
    return f"“{shorten(text, 30)}”"


def _without_unit(plain, text, unit):
    match = _WITH_UNIT.fullmatch(plain)
    if not match:
        return plain
    typed = match["unit"]
    typed = "per cent" if typed in ("%", "percent", "per cent") else f"{typed}s"
    if typed != unit:
        wanted = f"the answer in {unit}, or the number alone" if unit else "the number alone"
        raise ValueError(f"{_quoted(text)} is given in {typed}: give {wanted}")
    return match["number"]


def _with_points(plain, whole):
    """No thousands set apart, and points for decimal commas."""
    plain = _SPACED.sub(lambda match: re.sub("[ ']", "", match[0]), plain)
    if whole:
        plain = _GROUPED.sub(lambda match: re.sub("[.,]", "", match[0]), plain)
    return re.sub(r"(?<=\d),(?=\d)|(?<![\d.]),(?=\d)", ".", plain)


def _last_place(number):
    digits, _, exponent = number.partition("e")
    return 10.0 ** (int(exponent or 0) - len(digits.partition(".")[2]))


def _worked_out(plain, text, whole):
    try:
        return work_out(plain)
    except ArithmeticError:
        reason = ""
    except ValueError as problem:
        reason = str(problem) if str(problem).startswith("can be read") else ""
    reason = reason or ("is no number that can be worked out: type one such as "
                        f"{_EXAMPLES[whole]}")
    raise ValueError(f"{_quoted(text)} {reason}")


def _finite(value, text, whole):
    if not math.isfinite(value):
        raise ValueError(f"{_quoted(text)} is no finite number: type one such as "
                         f"{_EXAMPLES[whole]}")
    return value
