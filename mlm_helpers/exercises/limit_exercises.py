"""Scenario E: what a blind guess costs, what a confident mistake costs, and perplexity."""

import math

from mlm_helpers.exercises.exercise import TO_TWO_DECIMALS, Exercise, Kind, WrongAnswer
from mlm_helpers.exercises.loss_mistakes import base_mistakes, rounding_mistakes, wrong_answer
from mlm_helpers.losses import nats_to_bits, surprisal, uniform_loss
from mlm_helpers.steps import Step, latex, numbered
from mlm_helpers.tables import Table
from mlm_helpers.wording import UNITS, decimal, integer, precise, rough, short

_VOCABULARIES = (5_000, 8_000, 16_000, 21_128, 28_996, 30_000, 30_522, 50_265, 64_000)


def guess_numbers():
    """Sizes of a vocabulary, each with the unit asked for."""
    return _with_units(range(1_200, 200_000, 350))


def mistake_numbers():
    """Chances of the true word, each with a vocabulary whose uniform guess is above it."""
    chances = [float(f"{tenths / 10}e-{exponent}") for tenths in range(10, 100)
               for exponent in range(6, 11)]
    return [(p, _VOCABULARIES[place % len(_VOCABULARIES)], unit)
            for place, (p, unit) in enumerate(_with_units(chances))]


def perplexity_numbers():
    """Perplexities with two decimals, each with the unit asked for."""
    return _with_units(hundredths / 100 for hundredths in range(161, 6_000, 11))


def _with_units(items):
    return [(item, tuple(UNITS)[place % 2]) for place, item in enumerate(items)]


def guess_exercise(vocab_size, unit):
    """The loss of a uniform guess.

    Examples
    --------
    >>> exercise = guess_exercise(30_000, "bits")
    >>> print(exercise.question, round(exercise.answer, 4))
    What is its loss at one slot, in bits? 14.8727
    """
    size, p = integer(vocab_size), 1 / vocab_size
    steps = [Step("Share out the probability", "All words together get 1, and each the same.",
                  rf"$$p = \frac{{1}}{{{latex(size)}}}$$"),
             *_logarithm_steps("The minus turns the fraction round: −ln (1/V) is ln V.",
                               rf"\ln {latex(size)}", uniform_loss(vocab_size), unit)]
    wrong = [*_logarithm_mistakes(p, f"{{}} {size}", unit),
             *_single_mistakes(p, f"1 / {size}", vocab_size, unit),
             *_rounding_mistakes(p, unit, round(p, 4), f"−{{}} {short(round(p, 4))}")]
    return _exercise(
        "A model has learnt nothing yet: it gives every word of its vocabulary the same "
        "probability.", [("words in the vocabulary", size)],
        f"What is its loss at one slot, in {unit}?", uniform_loss(vocab_size), unit,
        "What probability does each single word get? The loss is −ln of that.", steps, wrong)


def mistake_exercise(p, vocab_size, unit):
    """The loss of a model that is sure of a wrong word: more than a uniform guess pays."""
    size, shown = integer(vocab_size), decimal(p)
    steps = [Step("Find what enters the loss",
                  f"Only what the true word was given. That there are {size} words does not enter, "
                  "and sets no limit.", f"$$p = {latex(shown)}$$"),
             *_logarithm_steps("The loss is the surprise at the true word, however large.",
                               rf"-\ln\,({latex(shown)})", surprisal(p), unit)]
    ceiling = _in_unit(uniform_loss(vocab_size), unit)
    wrong = [*_logarithm_mistakes(p, f"−{{}} ({shown})", unit),
             *_single_mistakes(p, shown, 1 / p, unit),
             wrong_answer("uniform_ceiling", ceiling, f"{UNITS[unit].log} {size}", 1),
             *_rounding_mistakes(p, unit)]
    return _exercise(
        "At one slot a model is sure of a wrong word. It leaves the true word hardly anything.",
        [("words in the vocabulary", size), ("probability of the true word", shown)],
        f"What is the loss at this slot, in {unit}?", surprisal(p), unit,
        "Which of the two numbers does the loss ask for?", steps, wrong)


def perplexity_exercise(reported, unit):
    """The mean loss behind a perplexity."""
    shown, p = short(reported), 1 / reported
    steps = [Step("Write down what perplexity means", "It is e to the mean loss L in nats.",
                  f"$$e^L = {latex(shown)}$$"),
             *_logarithm_steps("ln undoes “e to the power of”.", rf"L = \ln {latex(shown)}",
                               surprisal(p), unit)]
    wrong = [*_logarithm_mistakes(p, f"{{}} {shown}", unit),
             WrongAnswer("perplexity", reported, f"the perplexity is {shown}", 1),
             *_rounding_mistakes(p, unit, 1 / round(reported), f"{{}} {round(reported)}")]
    return _exercise(
        "A paper reports how well a model fills in masked words, as a perplexity: e to the power "
        "of the mean loss in nats.", [("perplexity", shown)],
        f"What is the mean loss per slot, in {unit}?", surprisal(p), unit,
        "What undoes “e to the power of”?", steps, wrong)


def _exercise(story, givens, question, nats, unit, hint, steps, wrong):
    return Exercise("E", (), story, Table(("", "given"), givens), question, _in_unit(nats, unit),
                    unit, TO_TWO_DECIMALS, hint, tuple(numbered(steps)), tuple(wrong))


def _in_unit(nats, unit):
    return nats if unit == "nats" else nats_to_bits(nats)


def _logarithm_steps(why, left, nats, unit):
    """Take the logarithm and, where bits are asked for, go on to them."""
    result = latex(precise(nats))
    if unit == "nats":
        return [Step("Take the natural logarithm", why, f"$${left} = {result} {_ending(nats, unit)}"
                                                        "$$")]
    bits = nats_to_bits(nats)
    return [Step("Take the natural logarithm", why, f"$${left} = {result}$$"),
            Step("Divide by ln 2", "One bit is ln 2 nats. log₂ at once gives the same.",
                 rf"$$\frac{{{result}}}{{\ln 2}} = {latex(precise(bits))} {_ending(bits, unit)}$$")]


def _ending(value, unit):
    return rf"\approx \mathbf{{{latex(decimal(value))}}}\ \text{{{unit}}}"


def _logarithm_mistakes(p, working, unit):
    """The other unit and base 10; the last step is where bits are made of nats."""
    other, step = ((2, "bits_for_nats"), 2) if unit == "nats" else ((math.e, "nats_for_bits"), 3)
    for base, at in ((other, step), ((10, "log_base"), 2)):
        yield from base_mistakes(lambda base: surprisal(p, base), working.format, at, (base,))


def _single_mistakes(p, shown, perplexity, unit):
    """What may stand for the loss of one slot besides another logarithm."""
    yield wrong_answer("sign", -_in_unit(surprisal(p), unit), f"{UNITS[unit].log} ({shown})", 2)
    yield WrongAnswer("probability", p, f"p = {shown}", 2)
    yield WrongAnswer("perplexity", float(perplexity), f"e to the loss is {rough(perplexity)}", 2)


def _rounding_mistakes(p, unit, rounded=0.0, working=""):
    """What comes of a probability that was rounded, and of rounding on the way to bits."""
    nats = surprisal(p)
    results = []
    if rounded:
        results.append((_in_unit(surprisal(rounded), unit), working.format(UNITS[unit].log), 1))
    if unit == "bits":
        results += [(nats_to_bits(round(nats, 1)), f"{short(round(nats, 1))} / ln 2", 2),
                    (nats / 0.7, f"{decimal(nats)} / 0.7", 3)]
    return rounding_mistakes(_in_unit(nats, unit), results)


KINDS = (Kind("guess", guess_numbers, guess_exercise),
         Kind("mistake", mistake_numbers, mistake_exercise),
         Kind("perplexity", perplexity_numbers, perplexity_exercise))
