"""A slot's loss as numbered steps with their reasons, the numbers filled in.

The numbers come unrounded from ``losses`` and are rounded where they are shown. Intermediate ones
show six digits or more, so that a calculator fed with them reaches the same four places.
"""

import math
from dataclasses import asdict, dataclass

from mlm_helpers.losses import surprisal
from mlm_helpers.steps import Step, latex, numbered
from mlm_helpers.tables import number_table
from mlm_helpers.wording import NATS, decimal, integer, markup, precise, short


def derive_loss(slot):
    """The steps from a slot's logits to its loss.

    Parameters
    ----------
    slot : Slot
        The slot to work through.

    Returns
    -------
    list of Step
        Read the label (only where the input shows a word), exponentiate, add, divide, take -ln.
        Each step shows as Markdown with LaTeX in a notebook.

    Notes
    -----
    The loss is the cross-entropy of a softmax, as in Devlin et al. (2019), section 3.1.

    Examples
    --------
    >>> from mlm_helpers.examples import STANDARD_MASK
    >>> [step.title for step in derive_loss(STANDARD_MASK.slot)]
    ['Exponentiate every logit', 'Add the weights', 'Divide', 'Take −ln']
    """
    steps = [_exponentiate(slot), _add(slot), _divide(slot), _take_logarithm(slot)]
    if slot.shown is not None:
        steps.insert(0, _read_label(slot))
    return numbered(steps)


def _read_label(slot):
    shown, label = markup(slot.shown_token), markup(slot.label_token)
    if slot.misleads:
        why = (f"The input shows {shown}, but the loss asks for the word that stood there before: "
               f"{label}. Scoring {shown} would reward copying.")
    else:
        why = (f"The input already shows {label}, and the slot was still chosen, so its label is "
               f"{label} and not −100. The model is not told that nothing changed.")
    return Step("Read the label, not the input", why, f"input **{shown}**, label **{label}**")


def _exponentiate(slot):
    rows = "\n".join(f"| {name} | {logit} | {precise(weight)} |"
                     for name, logit, weight in _weight_rows(slot))
    why = "A probability cannot be negative. $e^z$ is positive for every $z$ and keeps the order."
    table = f"| word | logit $z$ | weight $e^z$ |\n|:--|--:|--:|\n{rows}"
    return Step("Exponentiate every logit", why, table)


def _weight_rows(slot):
    for token, logit, weight in zip(slot.tokens, slot.logits, slot.weights, strict=False):
        yield markup(token), short(logit), weight
    if slot.n_rest:
        yield f"{integer(slot.n_rest)} others", f"{short(slot.rest_logit)} each", slot.weights[-1]


def _add(slot):
    terms = " + ".join(precise(weight) for weight in slot.weights)
    why = "Dividing by this sum $Z$ is what makes the shares add up to one."
    return Step("Add the weights", why, f"$$Z = {latex(terms)} = {latex(_normaliser(slot))}$$")


def _normaliser(slot):
    return precise(slot.weights.sum())


def _divide(slot):
    weight = precise(slot.weights[slot.label])
    why = (f"A word's share of all the weight is its probability. Only the label's share, that of "
           f"{markup(slot.label_token)}, enters the loss.")
    working = (rf"$$P(\text{{label}}) = \frac{{{latex(weight)}}}{{{latex(_normaliser(slot))}}}"
               rf" = {latex(precise(slot.label_probability))}$$")
    return Step("Divide", why, working)


def _take_logarithm(slot):
    why = ("The loss is the surprise at the true word: 0 for a certain one, and growing without "
           "bound as its probability falls towards 0.")
    probability = precise(slot.label_probability)
    working = (rf"$$-\ln {latex(probability)} = {latex(precise(slot.loss))}"
               rf" \approx \mathbf{{{latex(decimal(slot.loss))}}}\ \text{{nats}}$$")
    return Step("Take −ln", why, working)


@dataclass(frozen=True)
class CalculatorRow:
    """Weight, normaliser, probability and loss of the label, each rounded before it is used."""

    weight: float
    normaliser: float
    label_probability: float
    loss: float


def calculator_row(slot, places=4):
    """What a calculator gives when each intermediate result is written down rounded.

    Where all weights round to zero there is nothing to divide by, and the rest is nan.

    Examples
    --------
    >>> from mlm_helpers.examples import STANDARD_MASK
    >>> calculator_row(STANDARD_MASK.slot)
    CalculatorRow(weight=7.3891, normaliser=13.8257, label_probability=0.5344, loss=0.6266)
    """
    weights = [round(float(weight), places) for weight in slot.weights]
    normaliser = round(sum(weights), places)
    if normaliser == 0:
        return CalculatorRow(weights[slot.label], normaliser, math.nan, math.nan)
    probability = round(weights[slot.label] / normaliser, places)
    return CalculatorRow(weights[slot.label], normaliser, probability,
                         round(surprisal(probability), places))


class Comparison:
    """The row "exp, sum, divide, -ln" carried unrounded, rounded at each step, and as printed.

    Examples
    --------
    >>> from mlm_helpers.examples import KEEP_UNCHANGED
    >>> print(Comparison(KEEP_UNCHANGED))
    | arithmetic | exp | sum | divide | −ln |
    |:--|--:|--:|--:|--:|
    | carried unrounded | 20.0855 | 23.0855 | 0.8700 | **0.1392** |
    | rounded at each step | 20.0855 | 23.0855 | 0.8700 | 0.1393 |
    | the source page | 20.0855 | 23.0855 | 0.8701 | 0.1391 |
    <BLANKLINE>
    The page's 0.8701 is one too many in the last place: 0.87004… rounds down.
    <BLANKLINE>
    The page's 0.1391 is the logarithm of the rounded 0.8701.
    """

    def __init__(self, example):
        self.example = example

    def __repr__(self):
        return "\n\n".join([self._table(), *self._reasons()])

    _repr_markdown_ = __repr__

    def _table(self):
        slot = self.example.slot
        exact = [decimal(value) for value in (slot.weights[slot.label], slot.weights.sum(),
                                              slot.label_probability, slot.loss)]
        by_hand = asdict(calculator_row(slot))
        rounded = [decimal(value) for value in by_hand.values()]
        printed = [self._printed(name, text) for name, text in zip(by_hand, exact, strict=True)]
        rows = [["carried unrounded", *exact[:3], f"**{exact[3]}**"],
                ["rounded at each step", *rounded], ["the source page", *printed]]
        return "\n".join(["| arithmetic | exp | sum | divide | −ln |", "|:--|--:|--:|--:|--:|",
                          *(f"| {' | '.join(row)} |" for row in rows)])

    def _printed(self, name, exact):
        figure = self.example.printed.get(name)
        return decimal(figure.value) if figure else exact

    def _reasons(self):
        return [f"The page's {decimal(figure.value)} is {figure.reason}."
                for figure in self.example.printed.values()]


def working_table(slot, unit=NATS):
    """A slot's whole working as an HTML table, quick enough to be made anew at each slider move.

    Columns are the steps (logit, exp, divide, and the gradient p minus one-hot); below stand the
    sum and the logarithm.
    """
    weights = zip(_weight_rows(slot), slot.probabilities, slot.gradient, strict=True)
    rows = [(name, logit, precise(weight), decimal(probability), decimal(gradient))
            for (name, logit, weight), probability, gradient in weights]
    head = ("word", "logit z", "weight e<sup>z</sup>", "p = e<sup>z</sup> / Z", "p − one-hot")
    weight, normaliser = precise(slot.weights[slot.label]), _normaliser(slot)
    probability = precise(slot.label_probability)
    return number_table(head, rows, bold_row=slot.label) + (
        f'<p style="font-size: 16px; line-height: 1.5">Z = {normaliser}, the sum of the weights<br>'
        f"P({markup(slot.label_token)}) = {weight} / {normaliser} = {probability}<br>"
        f"loss = −{unit.log} {probability} = "
        f"<strong>{decimal(slot.loss * unit.per_nat)} {unit.name}</strong></p>")
