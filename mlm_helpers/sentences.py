"""One sentence per explorer, with its numbers.

The same sentence is the picture's alternative text, the line under it, and the plain-text output
that stored notebooks are compared by.
"""

from mlm_helpers.wording import NATS, count, decimal, integer, percent, short, shorten


def slot_sentence(slot, unit=NATS):
    """What a slot costs: the label's probability, its loss, the uniform reference.

    Examples
    --------
    >>> from mlm_helpers.examples import RANDOM_SWAP
    >>> print(slot_sentence(RANDOM_SWAP.slot).replace("; ", ";\\n"))
    P(cat) = 0.2955, loss 1.2192 nats, uniform ln 4 = 1.3863;
    scored against mat by mistake: 0.7192
    """
    sentence = (f"P({shorten(slot.label_token)}) = {decimal(slot.label_probability)}, "
                f"loss {decimal(slot.loss * unit.per_nat)} {unit.name}, "
                f"{uniform_phrase(slot.vocab_size, slot.uniform, unit)}")
    if slot.misleads:
        sentence += (f"; scored against {shorten(slot.shown_token)} by mistake: "
                     f"{decimal(slot.mistaken_loss * unit.per_nat)}")
    return sentence


def check_sentence(slot):
    """Whether a slot's probabilities add up to one, and where its loss stands.

    Examples
    --------
    >>> from mlm_helpers.examples import STANDARD_MASK
    >>> print(check_sentence(STANDARD_MASK.slot).replace("; ", ";\\n"))
    p 0.1966, 0.5344, 0.0723, 0.1966, unrounded, add up to 1.0000;
    loss 0.6265 is below the uniform ln 4 = 1.3863
    """
    terms = ", ".join(map(decimal, slot.probabilities))
    side = "below" if slot.loss < slot.uniform else "not below"
    reference = uniform_phrase(slot.vocab_size, slot.uniform)
    return (f"p {terms}, unrounded, add up to {decimal(slot.probabilities.sum())}; "
            f"loss {decimal(slot.loss)} is {side} the {reference}")


def uniform_phrase(vocab_size, uniform, unit=NATS):
    """The uniform reference with its formula.

    Examples
    --------
    >>> uniform_phrase(4, 1.3862943611198906)
    'uniform ln 4 = 1.3863'
    """
    return f"uniform {unit.log} {integer(vocab_size)} = {decimal(uniform * unit.per_nat)}"


def surprisal_sentence(probability, surprisal, vocab_size, uniform, unit=NATS):
    """What one outcome costs, beside the uniform reference.

    Examples
    --------
    >>> surprisal_sentence(0.5, 0.6931471805599453, 4, 1.3862943611198906)
    'p = 0.5, surprisal 0.6931 nats, uniform ln 4 = 1.3863'
    """
    return (f"p = {short(probability)}, surprisal {decimal(surprisal * unit.per_nat)} {unit.name}, "
            f"{uniform_phrase(vocab_size, uniform, unit)}")


def masking_sentence(n_tokens, branch_counts):
    """How many slots a draw chose, and how they fell to the three branches.

    Examples
    --------
    >>> masking_sentence(20, {"mask": 2, "swap": 1, "keep": 0})
    '20 tokens, 3 slots (15.0 %): 2 mask, 1 swap, 0 keep'
    """
    n_slots = sum(branch_counts.values())
    share = f" ({percent(n_slots / n_tokens)})" if n_tokens else ""
    branches = ", ".join(f"{integer(number)} {branch}" for branch, number in branch_counts.items())
    return f"{count(n_tokens, 'token')}, {count(n_slots, 'slot')}{share}: {branches}"
