"""Scenarios D to H as numbered steps with their reasons, the numbers filled in.

As in ``derivations``, nothing is rounded before it is shown.
"""

import math

from mlm_helpers.checks import exact
from mlm_helpers.losses import surprisal, uniform_loss
from mlm_helpers.pretraining import pretraining_loss
from mlm_helpers.slot_counts import slot_count
from mlm_helpers.steps import Step, latex, numbered
from mlm_helpers.wording import decimal, integer, percent, precise, short


def derive_empty_mask(example):
    """The steps to the loss of a sequence without slots.

    Parameters
    ----------
    example : CountingExample
        A sequence so short that its share of slots rounds down to none.

    Returns
    -------
    list of Step
        Count the slots, add up nothing, differentiate.

    Examples
    --------
    >>> from mlm_helpers.examples import EMPTY_MASK
    >>> [step.title for step in derive_empty_mask(EMPTY_MASK)]
    ['Count the slots', 'Add up the losses of no slots', 'Differentiate']
    """
    rate, n_tokens = example.mlm_probability, example.n_tokens
    n_slots = slot_count(n_tokens, "page", mlm_probability=rate)
    product = short(float(exact(rate) * n_tokens))
    count = (rf"$$|M| = \lfloor {rate} \cdot {n_tokens} \rfloor = \lfloor {product} \rfloor"
             rf" = {n_slots}$$")
    return numbered([
        Step("Count the slots", "The source page takes its share of the tokens and rounds down.",
             count),
        Step("Add up the losses of no slots",
             "A sum is what its terms add to 0. Without terms it stays at 0, so that a sum over "
             "two batches is always the sum of their sums, even if one of them is empty.",
             rf"$$\mathcal{{L}} = \sum_{{i \in \varnothing}} -\ln P(x_i) = {decimal(0.0, 0)}$$"),
        Step("Differentiate",
             "0 is a constant: whatever the weights are, it stays 0, so no weight is moved.",
             r"$$\nabla_\theta\, 0 = 0$$"),
    ])


def derive_limits(example):
    """The steps to the limiting values of one slot's loss.

    Parameters
    ----------
    example : LimitsExample
        The size of the vocabulary.

    Returns
    -------
    list of Step
        The best case, the uniform guess, and why there is no worst case.

    Examples
    --------
    >>> from mlm_helpers.examples import LIMITING_VALUES
    >>> [step.title for step in derive_limits(LIMITING_VALUES)]
    ['Take the best case', 'Take the uniform guess', 'Look for a worst case']
    """
    size = latex(integer(example.vocab_size))
    uniform = uniform_loss(example.vocab_size)
    rows = "\n".join(f"| {decimal(p, 0)} | {decimal(surprisal(p))} |"
                     for p in (1e-5, 1e-10, 1e-100, 0.0))
    return numbered([
        Step("Take the best case", "A certain word is no surprise.",
             rf"$$-\ln 1 = \mathbf{{{decimal(surprisal(1.0))}}}\ \text{{nats}}$$"),
        Step("Take the uniform guess",
             "Who knows nothing gives each of the V words the same probability, 1/V. The minus "
             "turns the fraction round.",
             rf"$$-\ln \frac{{1}}{{{size}}} = \ln {size} = {latex(precise(uniform))}"
             rf" \approx \mathbf{{{decimal(uniform)}}}\ \text{{nats}}$$"),
        Step("Look for a worst case",
             "Nothing keeps a model from giving the true word less than 1/V. Then the loss is more "
             "than ln V, and it grows without end.",
             f"| p | −ln p |\n|--:|--:|\n{rows}"),
    ])


def derive_sum(slots):
    """The steps from the probabilities of several slots to one number.

    Parameters
    ----------
    slots : SlotSet
        The slots.

    Returns
    -------
    list of Step
        The loss of each, their sum, the check by the product, and the mean.

    Raises
    ------
    ValueError
        When there is no slot.

    Examples
    --------
    >>> from mlm_helpers.examples import SEVERAL_SLOTS
    >>> print(derive_sum(SEVERAL_SLOTS.slots)[1].working)
    $$0.916291 + 1.609438 \\approx \\mathbf{2.5257}\\ \\text{nats}$$
    """
    if not slots.n_slots:
        raise ValueError("0 slots have no losses to add: give one slot or more")
    terms = " + ".join(latex(precise(loss)) for loss in slots.losses)
    factors = r" \cdot ".join(latex(_given(p)) for p in slots.probabilities)
    total, mean = slots.loss("sum"), slots.loss("mean")
    each = "\n".join(f"| {number} | {_given(p)} | {precise(loss)} |" for number, (p, loss)
                     in enumerate(zip(slots.probabilities, slots.losses, strict=True), start=1))
    return numbered([
        Step("Take −ln of each slot's probability",
             "Each slot is predicted on its own, as if no slot knew of the others: each pays its "
             "own surprisal.", f"| slot | p | −ln p |\n|:--|--:|--:|\n{each}"),
        Step("Add them up", "The objective of the source page is a sum over the slots.",
             rf"$${terms} \approx \mathbf{{{latex(decimal(total))}}}\ \text{{nats}}$$"),
        Step("Check by the product",
             "Independent probabilities multiply, and the logarithm turns the product into the "
             "sum. Both ways must give the same number.",
             rf"$$-\ln ({factors}) = -\ln {latex(_given(slots.product))} = "
             f"{latex(precise(surprisal(slots.product)))}$$"),
        Step("Divide by the number of slots",
             "BERT, PyTorch and Hugging Face report the mean, so that a long sequence does not "
             "look worse than a short one. It belongs beside ln V, the sum beside k · ln V.",
             rf"$$\frac{{{latex(precise(total))}}}{{{slots.n_slots}}}"
             rf" \approx \mathbf{{{latex(decimal(mean))}}}\ \text{{nats}}$$"),
    ])


def _given(number):
    """A number to go on from: as it is typed if four decimals hold it, else with six digits."""
    return short(number) if math.isclose(round(number, 4), number) else precise(number)


def derive_counts(example):
    """The steps from the size of a corpus to the number of slots in each branch.

    Parameters
    ----------
    example : CountingExample
        Size, share of slots, and shares of the branches.

    Returns
    -------
    list of Step
        All slots, those that show ``[MASK]``, and the rest; in whole numbers.

    Examples
    --------
    >>> from mlm_helpers.examples import WORD_PROBLEM
    >>> [step.title for step in derive_counts(WORD_PROBLEM)]
    ['Count the slots', 'Count the [MASK] symbols', 'Count the rest', 'Add up']
    """
    n_slots = exact(example.mlm_probability) * example.n_tokens
    branches = [exact(share) * n_slots for share in example.shares]
    words = [percent(share) for share in example.shares]
    return numbered([
        Step("Count the slots",
             f"{percent(example.mlm_probability)} of all tokens are chosen, whatever the input "
             "then shows there.",
             _product(example.mlm_probability, example.n_tokens)),
        Step("Count the [MASK] symbols",
             f"Only {words[0]} of the *slots* show the symbol, not of all tokens.",
             _product(example.shares[0], n_slots)),
        Step("Count the rest",
             f"{words[1]} show a drawn word and {words[2]} the word itself.",
             f"{_product(example.shares[1], n_slots)}\n\n{_product(example.shares[2], n_slots)}"),
        Step("Add up", "Every slot is in one branch, so the three must give all slots again.",
             f"$${' + '.join(map(_whole, branches))} = {_whole(sum(branches))}$$"),
    ])


def _product(share, number):
    return rf"$${share} \cdot {_whole(number)} = {_whole(exact(share) * number)}$$"


def _whole(number):
    """A count in LaTeX: as an integer where it is one, else with the decimals that it has."""
    return latex(integer(number) if number == int(number) else _given(float(number)))


def derive_total(example):
    """The steps to BERT's whole loss: masked words and next sentence.

    Parameters
    ----------
    example : SlotsExample
        The slots and the probability of the right next-sentence label.

    Returns
    -------
    list of Step
        The masked words, the next sentence, their sum, and the same with the mean.

    Examples
    --------
    >>> from mlm_helpers.examples import EXAM_TWIST
    >>> print(derive_total(EXAM_TWIST)[2].working)
    $$2.525729 + 0.105361 \\approx \\mathbf{2.6311}\\ \\text{nats}$$
    """
    slots, probability = example.slots, example.next_sentence_probability
    by_sum, by_mean = (pretraining_loss(slots.losses, surprisal(probability), reduction=reduction)
                       for reduction in ("sum", "mean"))
    terms = " + ".join(latex(precise(loss)) for loss in slots.losses) or "0"
    return numbered([
        Step("Take the masked words' loss", "It is the sum over the slots, as in scenario F.",
             f"$${terms} = {latex(precise(by_sum.masked_lm))}$$"),
        Step("Take the next sentence's loss",
             "It is a choice between two classes, scored like any other: −ln of what the right "
             "one was given.",
             rf"$$-\ln {latex(_given(probability))} = {latex(precise(by_sum.next_sentence))}$$"),
        Step("Add the two", "BERT adds its two objectives without weights.", _addition(by_sum)),
        Step("Do the same with the mean", "BERT's own code averages over the slots before it adds.",
             _addition(by_mean)),
    ])


def _addition(loss):
    return (rf"$${latex(precise(loss.masked_lm))} + {latex(precise(loss.next_sentence))} \approx "
            rf"\mathbf{{{latex(decimal(loss.total))}}}"
            r"\ \text{nats}$$")
