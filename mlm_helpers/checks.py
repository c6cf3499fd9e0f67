"""Refusals that several modules share; each names the value and the remedy."""

from fractions import Fraction
from functools import lru_cache
from numbers import Integral, Real


def check_whole(name, value, least=0):
    """Refuse a count that is no whole number of at least ``least``; True is none either.

    Examples
    --------
    >>> check_whole("n_slots", 2)
    >>> check_whole("vocab_size", 0, least=1)
    Traceback (most recent call last):
    ValueError: vocab_size 0 is not possible: give a whole number of 1 or more
    """
    if isinstance(value, bool) or not isinstance(value, Integral) or value < least:
        named = repr(value) if isinstance(value, str) else value  # '4' is not 4
        raise ValueError(f"{name} {named} is not possible: give a whole number of {least} or more")


def check_share(name, value):
    """Refuse what is no share: True and a text as well.

    Examples
    --------
    >>> check_share("mlm_probability", 0.15)
    >>> check_share("mlm_probability", 15)
    Traceback (most recent call last):
    ValueError: mlm_probability 15 is outside [0, 1]: give a share, for example 0.15
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        raise ValueError(f"{name} {value!r} is no number: give a share, for example 0.15")
    if not 0 <= value <= 1:
        raise ValueError(f"{name} {value} is outside [0, 1]: give a share, for example 0.15")


def check_choice(name, value, choices):
    """Refuse a word that is none of the choices.

    Examples
    --------
    >>> check_choice("policy", "google", ("page", "bert"))
    Traceback (most recent call last):
    ValueError: policy 'google' is unknown: choose one of 'page', 'bert'
    """
    if value not in choices:
        raise ValueError(f"{name} {value!r} is unknown: "
                         f"choose one of {', '.join(map(repr, choices))}")


@lru_cache(maxsize=64, typed=True)  # a curve over all lengths asks for one rate 1 300 times
def exact(number):
    """The decimal number that a float is written as: 0.29, not 0.28999999999999998.

    Examples
    --------
    >>> exact(0.29) * 100
    Fraction(29, 1)
    """
    return Fraction(str(number))
