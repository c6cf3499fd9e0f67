"""One sentence per explorer, with its numbers.

The same sentence is the picture's alternative text, the line under it, and the plain-text output
that stored notebooks are compared by.
"""

import math

from mlm_helpers.corpus_wording import amount, scatter
from mlm_helpers.policy_wording import POLICY_NAMES, slots_phrase
from mlm_helpers.wording import NATS, count, decimal, integer, percent, rough, short, shorten


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


def side_phrase(loss, uniform, unit=NATS):
    """On which side of the uniform reference a loss lies, and how far.

    Examples
    --------
    >>> side_phrase(10.0001, 1.3863), side_phrase(2.0, 2.0)
    ('8.6138 nats above uniform', 'exactly uniform')
    """
    gap = loss - uniform
    if abs(gap) < 5e-10:  # a typed 1/V has ten digits
        return "exactly uniform"
    return (f"{decimal(abs(gap) * unit.per_nat)} {unit.name} "
            f"{'above' if gap > 0 else 'below'} uniform")


def limits_sentence(probability, loss, vocab_size, uniform, unit=NATS):
    """What one probability costs, its perplexity, and its side of the uniform reference.

    Examples
    --------
    >>> limits_sentence(0.5, 0.6931471805599453, 2, 0.6931471805599453)
    'p = 0.5, loss 0.6931 nats, perplexity 2.00; uniform ln 2 = 0.6931, exactly uniform'
    """
    return (f"p = {short(probability)}, loss {decimal(loss * unit.per_nat)} {unit.name}, "
            f"perplexity {rough(math.exp(loss))}; {uniform_phrase(vocab_size, uniform, unit)}, "
            f"{side_phrase(loss, uniform, unit)}")


_REDUCED = {"sum": "sum", "mean": "mean over the slots",
            "token_mean": "mean over all tokens, a common mistake,"}


def slots_sentence(slots, reduction):
    """What several slots cost together, and guessing at all of them under the same reduction.

    Examples
    --------
    >>> from mlm_helpers.examples import SEVERAL_SLOTS
    >>> print(slots_sentence(SEVERAL_SLOTS.slots, "sum").replace("; ", ";\\n"))
    2 slots among 12 tokens, sum 2.5257 nats, product of p 0.0800;
    uniform 20.6179
    """
    return (f"{count(slots.n_slots, 'slot')} among {count(slots.n_tokens, 'token')}, "
            f"{_REDUCED[reduction]} {decimal(slots.loss(reduction))} nats, "
            f"product of p {decimal(slots.product)}; uniform {decimal(slots.uniform(reduction))}")


def total_sentence(loss, uniform, reduction):
    """BERT's whole loss by its parts, beside guessing at both.

    Examples
    --------
    >>> from mlm_helpers.pretraining import pretraining_loss
    >>> sides = pretraining_loss((0.5, 1.5), 0.5), pretraining_loss((9.0, 9.0), 0.75)
    >>> print(total_sentence(*sides, "mean").replace("; ", ";\\n"))
    2 slots, mean over the slots 1.0000 + next sentence 0.5000 = total 1.5000 nats;
    next sentence 33.3 %;
    uniform 9.7500
    """
    share = "" if math.isnan(loss.next_sentence_share) else (
        f"next sentence {percent(loss.next_sentence_share)}; ")
    return (f"{count(loss.n_slots, 'slot')}, {_REDUCED[reduction]} {decimal(loss.masked_lm)} + "
            f"next sentence {decimal(loss.next_sentence)} = total {decimal(loss.total)} nats; "
            f"{share}uniform {decimal(uniform.total)}")


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


def empty_mask_sentence(n_tokens, n_special, mlm_probability, laws, n_sequences, shares):
    """How many slots each policy makes, and how often none: by its law and in a draw.

    Parameters
    ----------
    n_tokens, n_special : int
        Length of the sequence, and how many of its tokens are special.
    mlm_probability : float
        Share of the tokens to choose.
    laws : dict of str to SlotCountLaw
        One per policy; see ``slot_counts.slot_count_law``.
    n_sequences : int
        How many sequences were drawn.
    shares : dict of str to float
        The share of those without a slot, for the policies that draw.

    Examples
    --------
    >>> from mlm_helpers.slot_counts import slot_count_law
    >>> laws = {policy: slot_count_law(4, policy) for policy in ("page", "hugging_face")}
    >>> sentence = empty_mask_sentence(4, 0, 0.15, laws, 500, {"hugging_face": 0.53})
    >>> print(sentence.replace("; ", ";\\n"))
    4 tokens at 15.0 %: the page 0 slots, Hugging Face 0.60 ± 0.71;
    no slot at all: the page 100.0 %, Hugging Face 52.2 %;
    among 500 drawn: Hugging Face 53.0 %
    """
    special = f", {integer(n_special)} of them special," if n_special else ""
    numbers = ", ".join(f"{POLICY_NAMES[policy]} {_slots(law)}" for policy, law in laws.items())
    chances = _shares_phrase({policy: law.no_slot for policy, law in laws.items()})
    return (f"{count(n_tokens, 'token')}{special} at {percent(mlm_probability)}: {numbers}; "
            f"no slot at all: {chances}; "
            f"among {integer(n_sequences)} drawn: {_shares_phrase(shares)}")


def _slots(law):
    """A fixed number with its noun; a scattered one stands without."""
    return slots_phrase(law) if law.standard_deviation else count(law.mean, "slot")


def _shares_phrase(shares):
    return ", ".join(f"{POLICY_NAMES[policy]} {percent(share)}" for policy, share in shares.items())


def corpus_sentence(counts):
    """How many tokens of a corpus become slots, and what each branch may expect of them.

    Parameters
    ----------
    counts : CorpusCounts
        See ``corpus.corpus_counts``.

    Examples
    --------
    >>> from mlm_helpers.corpus import corpus_counts
    >>> print(corpus_sentence(corpus_counts(800, "share")).replace(": ", ":\\n"))
    800 tokens, 120 slots (15.0 %):
    96 ± 4.4 mask, 12 ± 3.3 swap, 12 ± 3.3 keep
    """
    whole = count(counts.n_tokens, "token")
    if counts.n_sequences is not None:
        whole += f" in {count(counts.n_sequences, 'sequence')}"
    slots = amount(counts.n_slots)
    if counts.slots.variance:
        slots += f" {scatter(counts.slots.standard_deviation)}"
    share = f" ({percent(counts.share(counts.slots))})" if counts.n_tokens else ""
    branches = ", ".join(f"{amount(number.mean)} {scatter(number.standard_deviation)} {branch}"
                         for branch, number in counts.branches.items())
    return f"{whole}, {slots} slot{'' if counts.n_slots == 1 else 's'}{share}: {branches}"
