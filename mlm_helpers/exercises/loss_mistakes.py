"""The wrong numbers that questions about any loss share: bases, sign, rounding on the way."""

import math

from mlm_helpers.exercises.exercise import TO_TWO_DECIMALS, WrongAnswer, least_gap
from mlm_helpers.wording import decimal

LOGARITHMS = {math.e: "ln", 2: "log₂", 10: "log₁₀"}
"""What the logarithm to a base is called."""

OTHER_BASES = ((2, "log_base"), (10, "log_base"))


def wrong_answer(mistake, value, working, step):
    """A wrong answer whose working ends in its value, to four decimals."""
    return WrongAnswer(mistake, float(value), f"{working} = {decimal(value)}", step)


def base_mistakes(loss_in, working, step, bases=OTHER_BASES):
    """The loss with a logarithm to another base.

    Parameters
    ----------
    loss_in : callable
        The loss by the base of its logarithm.
    working : callable
        What is worked out, by the name of the logarithm.
    step : int
        Of the derivation, where the logarithm is taken.
    bases : sequence of (float, str)
        The wrong bases, each with its mistake.

    Returns
    -------
    list of WrongAnswer

    Examples
    --------
    >>> from mlm_helpers.losses import surprisal
    >>> found = base_mistakes(lambda base: surprisal(0.5, base), "−{} 0.5".format, step=1)
    >>> [(each.mistake, each.how) for each in found]
    [('log_base', '−log₂ 0.5 = 1.0000'), ('log_base', '−log₁₀ 0.5 = 0.3010')]
    """
    return [wrong_answer(mistake, loss_in(base), working(LOGARITHMS[base]), step)
            for base, mistake in bases]


def rounding_mistakes(answer, results):
    """Results of rounding on the way, as far as they are clearly off.

    Parameters
    ----------
    answer : float
        The right one.
    results : iterable of (float, str, int)
        Value, working and step.

    Returns
    -------
    list of WrongAnswer

    Examples
    --------
    >>> [each.how for each in rounding_mistakes(0.6265, [(0.6349, "−ln 0.53", 4),
    ...                                                  (0.6931, "−ln 0.5", 4)])]
    ['−ln 0.5 = 0.6931']
    """
    return [wrong_answer("rounded", value, working, step) for value, working, step in results
            if least_gap(TO_TWO_DECIMALS) < abs(value - answer) < math.inf]
