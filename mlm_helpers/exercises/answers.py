"""What a student types as a number → its value, and how many digits stand behind it."""

import ast
import math
import operator
import re
from typing import NamedTuple

_SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "÷": "/", "^": "**",
                        "\N{NO-BREAK SPACE}": " ", "\N{NARROW NO-BREAK SPACE}": " "})
_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.(?P<decimals>\d*))?|\.(?P<bare>\d+))"
                     r"(?:e(?P<exponent>[+-]?\d{1,3}))?")
_FUNCTIONS = {"ln": math.log, "log": math.log10, "log10": math.log10, "log2": math.log2,
              "exp": math.exp, "sqrt": math.sqrt}
_OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
              ast.Div: operator.truediv, ast.Pow: operator.pow, ast.USub: operator.neg,
              ast.UAdd: operator.pos}
_EXAMPLES = "0.63, 0,63, 6.3e-1 or ln(4)"
_LONGEST = 80


class TypedAnswer(NamedTuple):
    """A number, and the size of a unit in the last place typed: 0.01 for 0.63, 0 if worked out."""

    value: float
    last_place: float


def read_answer(text, *, whole=False):
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

    Returns
    -------
    TypedAnswer

    Raises
    ------
    ValueError
        When nothing was typed, or it is no number.

    Examples
    --------
    >>> read_answer("0,63")
    TypedAnswer(value=0.63, last_place=0.01)
    >>> round(read_answer("-ln(0.4) - ln(0.2)").value, 4)
    2.5257
    >>> read_answer("300,000,000", whole=True).value
    300000000.0
    """
    plain = _plain(text, whole)
    match = _NUMBER.fullmatch(plain)
    if match:
        return TypedAnswer(_finite(float(plain), text), _last_place(match))
    return TypedAnswer(_finite(_worked_out(plain, text), text), 0.0)


def _plain(text, whole):
    text = text.translate(_SIGNS).strip().lower()
    if not text:
        raise ValueError(f"nothing typed yet: type a number such as {_EXAMPLES}")
    if len(text) > _LONGEST:
        raise ValueError(f"“{text[:20]}…” is longer than {_LONGEST} characters: type a number "
                         f"such as {_EXAMPLES}")
    text = re.sub(r"(?<=\d) (?=\d{3}(?!\d))", "", text)  # thousands
    if whole:
        text = re.sub(r"(?<=\d)[.,](?=\d{3}(?!\d))", "", text)
    text = re.sub(r"(?<=\d),(?=\d)|(?<![\d.]),(?=\d)", ".", text)
    text = text.replace("₂", "2").replace("₁₀", "10")
    return re.sub(r"\b(ln|log2|log10|log|exp|sqrt) *(\d*\.?\d+)\b", r"\1(\2)", text)


def _last_place(match):
    decimals = match["decimals"] or match["bare"] or ""
    return 10.0 ** (int(match["exponent"] or 0) - len(decimals))


def _worked_out(plain, text):
    try:
        return _value(ast.parse(plain, mode="eval").body)
    except (ArithmeticError, KeyError, SyntaxError, TypeError, ValueError, RecursionError):
        raise ValueError(f"“{text.strip()}” is no number that can be worked out: type one such as "
                         f"{_EXAMPLES}") from None


def _value(node):
    """The value of an expression of numbers; a KeyError for anything that is not listed above."""
    if isinstance(node, ast.Constant) and type(node.value) in (int, float):
        return float(node.value)
    if isinstance(node, ast.Name) and node.id == "e":
        return math.e
    if isinstance(node, ast.BinOp):
        return _OPERATORS[type(node.op)](_value(node.left), _value(node.right))
    if isinstance(node, ast.UnaryOp):
        return _OPERATORS[type(node.op)](_value(node.operand))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        (argument,) = node.args
        return _FUNCTIONS[node.func.id](_value(argument))
    raise KeyError(ast.dump(node))


def _finite(value, text):
    if isinstance(value, complex) or not math.isfinite(value):
        raise ValueError(f"“{text.strip()}” is no finite number: type one such as {_EXAMPLES}")
    return value
