"""Refusals that several modules share; each names the value and the remedy."""

from numbers import Integral


def check_whole(name, value, least=0):
    """Refuse a count that is no whole number of at least ``least``.

    Examples
    --------
    >>> check_whole("n_slots", 2)
    >>> check_whole("vocab_size", 0, least=1)
    Traceback (most recent call last):
    ValueError: vocab_size 0 is not possible: give a whole number of 1 or more
    """
    if not isinstance(value, Integral) or value < least:
        raise ValueError(f"{name} {value} is not possible: give a whole number of {least} or more")
