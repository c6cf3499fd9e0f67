"""Numbers, units and words as a reader sees them; the one place that rounds for display."""

import math
from typing import NamedTuple

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_THIN_SPACE = "\N{NARROW NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"
_COMMANDS = frozenset("<>&\"'$\\`*_{}[]()#+-!|~^:@/")


class Unit(NamedTuple):
    """A unit of surprisal: its name, the logarithm that gives it, and its size per nat."""

    name: str
    log: str
    per_nat: float


NATS = Unit("nats", "ln", 1.0)
BITS = Unit("bits", "log₂", 1.0 / math.log(2.0))
UNITS = {unit.name: unit for unit in (NATS, BITS)}


def decimal(value, places=4):
    """A number as text with a fixed count of decimals.

    Infinity is "∞", nan is "undefined", a negative zero loses its sign. A number that is not zero
    but would be printed as zero is given as a power of ten, so that "0.0000" always means zero.

    Examples
    --------
    >>> decimal(0.62652337), decimal(-0.0), decimal(float("inf")), decimal(13.8256, 1)
    ('0.6265', '0.0000', '∞', '13.8')
    >>> decimal(0.0000042)
    '4.2·10⁻⁶'
    """
    value = float(value)
    if math.isnan(value):
        return "undefined"
    sign = _MINUS if value < 0 else ""
    if math.isinf(value):
        return sign + "∞"
    if value != 0 and round(value, places) == 0:
        return sign + _power_of_ten(abs(value))
    return sign + f"{abs(value):,.{places}f}".replace(",", _THIN_SPACE)


def precise(value):
    """An intermediate result, with digits enough to go on from with a calculator.

    Six decimals, but never fewer than six significant digits and never more than twelve.

    Examples
    --------
    >>> precise(7.38905609893), precise(0.000123456789), precise(4.5399929762e-9)
    ('7.389056', '0.000123457', '4.53999·10⁻⁹')
    """
    value = float(value)
    magnitude = math.floor(math.log10(abs(value))) if value and math.isfinite(value) else 0
    if magnitude < -5:
        return (_MINUS if value < 0 else "") + _power_of_ten(abs(value), 5)
    return decimal(value, min(max(6, 5 - magnitude), max(0, 11 - magnitude)))


def _power_of_ten(value, places=1):
    digits, exponent = f"{value:.{places}e}".split("e")
    return f"{digits}·10{str(int(exponent)).translate(_SUPERSCRIPTS)}"


def integer(value):
    """A whole number with its thousands set apart by narrow spaces.

    Examples
    --------
    >>> integer(512), integer(30522).replace("\N{NARROW NO-BREAK SPACE}", " ")
    ('512', '30 522')
    """
    return f"{int(value):,}".replace("-", _MINUS).replace(",", _THIN_SPACE)


def rough(value):
    """A perplexity, say: two decimals while they tell something, none from a hundred on.

    Examples
    --------
    >>> rough(3.9907), rough(float("inf")), rough(345.67)
    ('3.99', '∞', '346')
    """
    return decimal(value, 2 if abs(value) < 100 else 0)


def short(value):
    """A number with as few digits as it needs, at most four decimals: a logit, say.

    Examples
    --------
    >>> short(2.0), short(-0.5), short(1.25)
    ('2', '−0.5', '1.25')
    """
    text = decimal(value)
    return text.rstrip("0").rstrip(".") if "." in text and "·" not in text else text


def percent(share):
    """A share as a percentage with one decimal.

    Examples
    --------
    >>> percent(0.15)
    '15.0 %'
    """
    return f"{decimal(100 * share, 1)} %"


def count(number, noun):
    """A number and its noun, in the plural unless the number is one.

    Examples
    --------
    >>> count(0, "slot"), count(1, "slot"), count(2, "slot")
    ('0 slots', '1 slot', '2 slots')
    """
    return f"{integer(number)} {noun}{'' if number == 1 else 's'}"


def shorten(text, limit=14):
    """The text on one line, cut with an ellipsis when longer than ``limit`` characters.

    Examples
    --------
    >>> shorten("cat"), shorten("Donaudampfschifffahrt", 8)
    ('cat', 'Donauda…')
    """
    line = " ".join(text.split()) or "␣"
    return line if len(line) <= limit else line[: limit - 1] + "…"


def markup(text, limit=14):
    """Any text, shortened, to be set inside HTML or a Markdown table and just show.

    Each character that HTML, Markdown or MathJax could read as a command becomes an entity. Dollars
    and backslashes get an element of their own too: MathJax looks for $…$ and \\(…\\) in the text
    of each element, however it was written.

    Examples
    --------
    >>> markup("<b>"), markup("$x|"), markup("the")
    ('&#60;b&#62;', '<span>&#36;</span>x&#124;', 'the')
    """
    return "".join(map(_harmless, shorten(text, limit)))


def _harmless(sign):
    if sign not in _COMMANDS:
        return sign
    entity = f"&#{ord(sign)};"
    return f"<span>{entity}</span>" if sign in "$\\" else entity
