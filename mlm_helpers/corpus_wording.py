"""How the counts of a corpus are shown: whole numbers whole, others marked by a decimal."""

from mlm_helpers.wording import count, decimal, integer, short

_WHOLE_FROM = 100  # a standard deviation of this size needs no decimal


def amount(number):
    """An expected number: as it is where it is whole, else with one decimal, were it a zero.

    Examples
    --------
    >>> from fractions import Fraction
    >>> amount(150), amount(Fraction(3003, 20)), amount(Fraction(3003, 200))
    ('150', '150.2', '15.0')
    """
    return integer(number) if number == int(number) else decimal(number, 1)


def scatter(standard_deviation):
    """A standard deviation behind its sign.

    Examples
    --------
    >>> scatter(4.899), scatter(0), scatter(5196.15).replace("\N{NARROW NO-BREAK SPACE}", " ")
    ('± 4.9', '± 0', '± 5 196')
    """
    whole = standard_deviation >= _WHOLE_FROM or not standard_deviation
    return f"± {integer(round(standard_deviation)) if whole else decimal(standard_deviation, 1)}"


def split_text(shares):
    """The shares of a split in per cent, as one types them.

    Examples
    --------
    >>> split_text((0.8, 0.1, 0.1)), split_text((0.75, 0.125, 0.125))
    ('80/10/10', '75/12.5/12.5')
    """
    return "/".join(short(100 * share) for share in shares)


def quota_phrase(n_slots, shares, rounded, cut_off):
    """What becomes of so many slots when each branch's quota is made whole.

    Parameters
    ----------
    n_slots : int
        How many slots there are.
    shares : sequence of float
        How they are to be split.
    rounded, cut_off : sequence of int
        The three quotas rounded and cut off; see ``corpus.rounded_quotas``.

    Examples
    --------
    >>> print(quota_phrase(15, (0.8, 0.1, 0.1), (12, 2, 2), (12, 1, 1)).replace(", ", ",\\n"))
    15 slots at 80/10/10: rounding each gives 12 + 2 + 2 = 16,
    cutting each off gives 12 + 1 + 1 = 14: a quota cannot hold,
    the draw can
    """
    n_held = sum(sum(quotas) == n_slots for quotas in (rounded, cut_off))
    verdict = ("a quota cannot hold, the draw can", "a quota holds by luck, the draw always",
               "here a quota holds, as the draw always does")[n_held]
    return (f"{count(n_slots, 'slot')} at {split_text(shares)}: rounding each gives "
            f"{_added(rounded)}, cutting each off gives {_added(cut_off)}: {verdict}")


def _added(quotas):
    return f"{' + '.join(map(integer, quotas))} = {integer(sum(quotas))}"
