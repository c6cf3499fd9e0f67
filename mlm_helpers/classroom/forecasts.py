"""What each notebook asks the reader to forecast, what comes out, and why."""

from typing import NamedTuple

from mlm_helpers.examples import (
    EMPTY_MASK,
    EXAM_TWIST,
    KEEP_UNCHANGED,
    LIMITING_VALUES,
    RANDOM_SWAP,
    SEVERAL_SLOTS,
    STANDARD_MASK,
    WORD_PROBLEM,
)
from mlm_helpers.wording import decimal, integer, percent


class Question(NamedTuple):
    """A number to forecast, or a choice.

    Attributes
    ----------
    text : str
        What is asked, short enough for a label.
    truth : float or str
        The number, or the right one of ``choices``.
    unit : str
        Of a number: "nats", "%", "tokens", or "" for a probability.
    choices : tuple of str
        What there is to choose from; empty where a number is asked.
    """

    text: str
    truth: float | str
    unit: str = ""
    choices: tuple = ()


class Forecasts(NamedTuple):
    """The questions of one notebook, and what is said once the reader has committed."""

    questions: tuple
    source_page: str
    why: str


_A, _B, _C = (example.answers for example in (STANDARD_MASK, RANDOM_SWAP, KEEP_UNCHANGED))
_D, _E, _F, _G, _H = (example.answers for example in (
    EMPTY_MASK, LIMITING_VALUES, SEVERAL_SLOTS, WORD_PROBLEM, EXAM_TWIST))
_MASKED_SHARE = _G["mask"] / WORD_PROBLEM.n_tokens
_NEXT_SHARE = _H["next_sentence"] / _H["total"]

FORECASTS = {
    "A": Forecasts(
        (Question("Probability of cat", _A["label_probability"]),
         Question("Loss", _A["loss"], "nats"),
         Question("The loss is", "below 1", choices=("below 1", "above 1"))),
        "P(cat) around 0.5 and a modest loss below 1, because cat has the top logit.",
        "cat is one logit ahead of dog and owl, so it weighs e ≈ 2.7 times as much as each of "
        "them, and about as much as all three others together: a probability near one half, and "
        "−ln ½ = 0.69."),
    "B": Forecasts(
        (Question("Loss", _B["loss"], "nats"),
         Question("Beside the loss of A it is", "larger", choices=("smaller", "larger")),
         Question("Beside blind guessing, ln 4, it is", "smaller", choices=("smaller", "larger"))),
        "A larger loss than in A, because the shown word tempts the model.",
        f"mat takes {decimal(_B['probabilities'][2])} and leaves cat "
        f"{decimal(_B['label_probability'])}: less than in A, so the loss is larger, but more than "
        f"the 1/4 of a blind guess, so it stays below ln 4 = {_B['uniform']}."),
    "C": Forecasts(
        (Question("Loss", _C["loss"], "nats"),
         Question("The loss is", "above 0", choices=("exactly 0", "above 0"))),
        "A small loss, because the right word is shown and has a high logit.",
        f"Three logits ahead means e³ ≈ 20 times the weight of each other word, so the three "
        f"others keep {decimal(1 - _C['label_probability'])} of the probability. For small shares "
        f"the loss is about what is missing to 1, and a little more."),
    "D": Forecasts(
        (Question("Loss, as a sum", _D["loss"], "nats"),
         Question("The model's weights", "stay where they are",
                  choices=("move a little", "stay where they are")),
         Question("As a mean over the slots it is", "undefined",
                  choices=("0 too", "undefined", "larger"))),
        "Nothing to predict, so a loss of 0.",
        "A sum of no terms is 0, and a constant has no gradient. A mean divides that 0 by the "
        "number of slots, which is 0 as well."),
    "E": Forecasts(
        (Question("The certain model pays", _E["best"], "nats"),
         Question("The guessing model pays", _E["uniform"], "nats"),
         Question("The most that any model can pay", "has no upper end",
                  choices=("ln V", "twice ln V", "has no upper end"))),
        "Best case 0; worst case around 10, since ln 30000 is about 10.",
        f"−ln 1 is 0, and −ln 1/30 000 is ln 30 000 = {decimal(_E['uniform'])}. But the second is "
        f"no worst case: a model may give the true word less than 1/V, and then it pays more."),
    "F": Forecasts(
        (Question("Sum of the two losses", _F["sum"], "nats"),
         Question("The sum is", "below 4", choices=("below 4", "above 4")),
         Question("One slot with p = 0.40 · 0.20 costs", "the same",
                  choices=("less", "the same", "more"))),
        "Two positive terms, each under 2, so a total under 4.",
        f"{_F['losses'][0]} + {_F['losses'][1]} = {_F['sum']}, which is −ln {_F['product']}: the "
        f"logarithm turns the product into the sum."),
    "G": Forecasts(
        (Question("Tokens that show [MASK]", _G["mask"], "tokens"),
         Question("Their share of all tokens", 100 * _MASKED_SHARE, "%")),
        "15 % are 300 M slots, and 80 % of these about 240 M masks.",
        f"{integer(_G['slots'])} slots, of which 80 %: {integer(_G['mask'])}, or "
        f"{percent(_MASKED_SHARE)} of all tokens."),
    "H": Forecasts(
        (Question("The next sentence adds", _H["next_sentence"], "nats"),
         Question("Its share of the total", 100 * _NEXT_SHARE, "%")),
        "The label is almost certain, so the total is just above 2.5.",
        f"−ln 0.90 = {_H['next_sentence']}, about the 0.10 that is missing to 1. The total is "
        f"{_H['total']}; with BERT's own mean over the slots {_H['total_of_mean']}."),
}
