"""How slots are split between the branches: three shares that add up to one, exactly.

A share given as a float counts as the decimal number that it is written as.
"""

import re
from decimal import Decimal
from fractions import Fraction

from mlm_helpers.checks import check_share, exact
from mlm_helpers.masking import BRANCHES
from mlm_helpers.wording import shorten

_PLACES = 6  # of a share: four decimals of a per cent
_BETWEEN = re.compile(r"[\s/;:|]+|,\s+")
_NUMBER = re.compile(r"[-−]?(\d{1,12}([.,]\d{0,12})?|[.,]\d{1,12})")


def exact_split(shares):
    """The shares of the branches as fractions.

    Parameters
    ----------
    shares : sequence of float
        The chances of "mask", "swap" and "keep".

    Returns
    -------
    tuple of Fraction

    Raises
    ------
    ValueError
        When there are not three, one is outside [0, 1], or they do not add up to 1.

    Examples
    --------
    >>> exact_split((0.8, 0.1, 0.1))
    (Fraction(4, 5), Fraction(1, 10), Fraction(1, 10))
    >>> exact_split((0.8, 0.2, 0.2))
    Traceback (most recent call last):
    ValueError: shares 0.8, 0.2, 0.2 add up to 1.2: give three that add up to 1, as 0.8, 0.1, 0.1 do
    """
    shares = tuple(shares)
    listed = ", ".join(map(str, shares))
    if len(shares) != len(BRANCHES):
        raise ValueError(f"shares {listed} are {len(shares)} in number: give three, "
                         f"of {', '.join(BRANCHES)}")
    for branch, share in zip(BRANCHES, shares, strict=True):
        check_share(f"share of {branch}", share)
    split = tuple(map(exact, shares))
    if sum(split) != 1:
        raise ValueError(f"shares {listed} add up to {float(sum(split))}: "
                         "give three that add up to 1, as 0.8, 0.1, 0.1 do")
    return split


def moved_split(split, index, share):
    """The split once one share is set: the two others fill up to 1 in their old proportion.

    Where both others are 0 there is no proportion, and they fill up alike.

    Parameters
    ----------
    split : tuple of Fraction
        Before.
    index : int
        Which share is set.
    share : Fraction
        To what.

    Examples
    --------
    >>> [str(part) for part in moved_split(exact_split((0.8, 0.1, 0.1)), 1, Fraction(1, 5))]
    ['32/45', '1/5', '4/45']
    """
    rest, others = 1 - share, 1 - split[index]
    moved = [part * rest / others if others else rest / 2 for part in split]
    moved[index] = share
    return tuple(moved)


def rounded_split(split, index):
    """The split in decimals that still add up to 1, with one share left as it is.

    Parameters
    ----------
    split : tuple of Fraction
        Any split.
    index : int
        Which share is left as it is; it has at most six decimals.

    Examples
    --------
    >>> rounded_split(moved_split(exact_split((0.8, 0.1, 0.1)), 1, Fraction(1, 5)), 1)
    (0.711111, 0.2, 0.088889)
    """
    first, last = (other for other in range(len(split)) if other != index)
    rounded = list(split)
    rounded[first] = round(split[first], _PLACES)
    rounded[last] = 1 - split[index] - rounded[first]
    return tuple(map(float, rounded))


def share_of(percent):
    """A number of per cent as an exact share of at most six decimals.

    Examples
    --------
    >>> share_of(12.5)
    Fraction(1, 8)
    """
    return round(exact(percent) / 100, _PLACES)


def read_split(text):
    """The shares that a text such as "80/10/10" or "0.8 0.1 0.1" names.

    Raises
    ------
    ValueError
        When there are not three numbers, or they add up neither to 100 nor to 1; the message names
        the text and the remedy.

    Examples
    --------
    >>> read_split("80/10/10") == read_split("0,8 0,1 0,1")
    True
    >>> read_split("80/20/20")
    Traceback (most recent call last):
    ValueError: 80/20/20 adds up to 120: three parts must add up to 100 (or to 1)
    """
    name = shorten(text, 30)
    words = _BETWEEN.split(text.replace("%", " ").strip())
    if len(words) == 1:
        words = text.split(",")
    if len(words) != len(BRANCHES) or not all(map(_NUMBER.fullmatch, words)):
        raise ValueError(f"“{name}” is not three numbers: type three parts such as 80/10/10")
    parts = [Decimal(word.replace(",", ".").replace("−", "-")) for word in words]
    if min(parts) < 0:
        raise ValueError(f"{name} has a part below 0: three parts of 0 or more must add up to 100")
    total = sum(parts)
    if total not in (1, 100):
        raise ValueError(f"{name} adds up to {_plain(total)}: "
                         "three parts must add up to 100 (or to 1)")
    return tuple(Fraction(part) / int(total) for part in parts)


def _plain(number):
    return f"{number.normalize():f}"
