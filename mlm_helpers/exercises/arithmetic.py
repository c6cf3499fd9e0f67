"""A short sum of numbers and logarithms, as one types it into a calculator → its value."""

import math
import operator
import re
from typing import NamedTuple

NUMBER = r"(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?"
_TOKEN = re.compile(rf" *(?:(?P<number>{NUMBER})"
                    r"|(?P<name>(?:log2|log10)(?![\d.])|ln|log|exp|sqrt|e(?![a-z]))"
                    r"|(?P<sign>\*\*|[-+*/^()])|(?P<other>\S))")
_FUNCTIONS = {"ln": math.log, "log": math.log10, "log10": math.log10, "log2": math.log2,
              "exp": math.exp, "sqrt": math.sqrt}
_OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def work_out(text):
    """The value of numbers joined by + - * / ^ ( ) and ln, log (base 10), log2, exp, sqrt.

    A function's argument needs parentheses unless it is one number: ln 4.

    Raises
    ------
    ValueError
        When the text is no such thing, or could be read in two ways; with the reason, if there is
        more to say than that.
    ArithmeticError
        When there is no value, or none that a float can hold.

    Examples
    --------
    >>> work_out("2 ln 3 - 1") == 2 * math.log(3) - 1
    True
    >>> work_out("ln 1/4")
    Traceback (most recent call last):
    ValueError: can be read in two ways: put all that ln is taken of into parentheses, as in ln(1/4)
    """
    return _Reader(text).whole()


class _Token(NamedTuple):
    kind: str
    text: str


_END = _Token("end", "")


class _Reader:
    """Reads the tokens from left to right, a method for each level of precedence."""

    def __init__(self, text):
        self._tokens = [_Token(match.lastgroup, match[match.lastgroup])
                        for match in _TOKEN.finditer(text)]
        self._place = 0

    def whole(self):
        value = self._sum()
        self._expect("end")
        return value

    def _sum(self):
        value = self._product()
        while self._next().text in ("+", "-"):
            value = _OPERATORS[self._take().text](value, self._product())
        return value

    def _product(self):
        counts = self._next().kind == "number"
        value = self._signed()
        while True:
            if self._next().text in ("*", "/"):
                sign = self._take().text
                counts = self._next().kind == "number"
                value = _OPERATORS[sign](value, self._signed())
            elif counts and self._next().text in ("(", *_FUNCTIONS):
                counts, value = False, value * self._signed()  # 2 ln 3, 2(3 + 4)
            else:
                return value

    def _signed(self):
        if self._next().text in ("+", "-"):
            sign = self._take().text
            return -self._signed() if sign == "-" else self._signed()
        return self._power()

    def _power(self):
        value = self._atom()
        if self._next().text in ("^", "**"):
            self._take()
            return math.pow(value, self._signed())
        return value

    def _atom(self):
        token = self._take()
        if token.kind == "number":
            return float(token.text)
        if token.text == "(":
            value = self._sum()
            self._expect(")")
            return value
        if token.text == "e":
            return math.e
        if token.kind == "name":
            return _FUNCTIONS[token.text](self._argument(token.text))
        raise ValueError("")

    def _argument(self, function):
        if self._next().text == "(":
            return self._atom()
        if self._next().kind != "number":
            raise ValueError("")
        argument = self._take().text
        sign, after = self._next().text, self._next(1)
        if sign in ("^", "**") or (sign in ("*", "/") and after.kind != "name"):
            seen = f"{argument}{sign}{after.text if after.kind == 'number' else '…'}"
            raise ValueError(f"can be read in two ways: put all that {function} is taken of into "
                             f"parentheses, as in {function}({seen})")
        return float(argument)

    def _next(self, further=0):
        place = self._place + further
        return self._tokens[place] if place < len(self._tokens) else _END

    def _take(self):
        token = self._next()
        self._place += 1
        return token

    def _expect(self, wanted):
        token = self._take()
        if wanted not in (token.kind, token.text):
            raise ValueError("")
