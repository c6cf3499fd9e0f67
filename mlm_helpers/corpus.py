"""How many tokens of a whole corpus become slots, and how those fall to the branches.

All counts are integers and fractions: ten trillion tokens are counted as exactly as a thousand, and
as quickly.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from mlm_helpers.checks import check_choice, check_share, check_whole, exact
from mlm_helpers.masking import BRANCHES
from mlm_helpers.slot_counts import POLICIES, slot_count
from mlm_helpers.splits import exact_split

CORPUS_POLICIES = ("share", *POLICIES)
"""A plain share of all tokens, or a policy that chooses in each sequence; see ``corpus_counts``."""

_ROUNDINGS = {"int": math.floor, "round": round}


@dataclass(frozen=True)
class Expected:
    """What is known of a number before it is drawn, exactly.

    Attributes
    ----------
    mean, variance : int or Fraction
        An int where it is whole. The variance of a fixed number is 0.

    Examples
    --------
    >>> Expected(300).branch(Fraction(4, 5))
    Expected(mean=240, variance=48)
    """

    mean: Fraction
    variance: Fraction = 0

    def __post_init__(self):
        for name in ("mean", "variance"):
            number = Fraction(getattr(self, name))
            object.__setattr__(self, name, int(number) if number.denominator == 1 else number)

    @property
    def standard_deviation(self):
        """The square root of the variance, a float."""
        return math.sqrt(self.variance)

    def times(self, how_many):
        """The sum of so many numbers like this, drawn independently."""
        return Expected(how_many * self.mean, how_many * self.variance)

    def __add__(self, other):
        return Expected(self.mean + other.mean, self.variance + other.variance)

    def branch(self, share):
        """How many go to a branch when each is drawn into it with this chance.

        The draw scatters, and so does the number that there is to draw.
        """
        drawing = self.mean * share * (1 - share)
        return Expected(self.mean * share, drawing + self.variance * share**2)


@dataclass(frozen=True)
class CorpusCounts:
    """The slots of a corpus.

    Attributes
    ----------
    n_tokens : int
        Length of the corpus.
    n_sequences : int or None
        How many sequences it is cut into; None for the policy "share", which knows none.
    slots : Expected
        The number of slots.
    branches : dict of str to Expected
        How many of them go to "mask", "swap" and "keep".
    """

    n_tokens: int
    n_sequences: int | None
    slots: Expected
    branches: Mapping

    @property
    def n_slots(self):
        """The expected number of slots: an int, or a Fraction where it is not whole."""
        return self.slots.mean

    def share(self, number):
        """An expected number as a share of all tokens; 0 for an empty corpus."""
        return float(Fraction(number.mean) / self.n_tokens) if self.n_tokens else 0.0


def corpus_counts(n_tokens, policy, *, sequence_length=None, mlm_probability=0.15,
                  shares=(0.8, 0.1, 0.1), max_predictions_per_seq=20):
    """The slots of a corpus and of their branches: expected numbers and their scatter.

    Parameters
    ----------
    n_tokens : int
        Length of the corpus. Any of its tokens can be chosen: special tokens are not told apart.
    policy : {"share", "page", "bert", "hugging_face", "fairseq"}
        "share" is the product mlm_probability * n_tokens. The others cut the corpus into sequences
        and choose in each; how many is described at ``slot_counts.slot_count_law``.
    sequence_length : int
        Tokens in a sequence; the last sequence holds what is left over. "share" has no use for it.
    mlm_probability, max_predictions_per_seq
        As for ``slot_counts.slot_count``.
    shares : sequence of float
        The chances of "mask", "swap" and "keep", together 1.

    Returns
    -------
    CorpusCounts

    Raises
    ------
    ValueError
        When a number is out of range, the policy is unknown or needs a sequence length, or the
        shares do not add up to 1.

    Notes
    -----
    Each slot is drawn into a branch of share s with that chance. Of n slots the branch gets n s,
    with variance n s (1 - s); where n is itself drawn, s² times its variance comes on top. A coin
    per token with chance p ("hugging_face") thus gives the branch Binomial(n_tokens, p s).

    Examples
    --------
    >>> counts = corpus_counts(2_000_000_000, "share")
    >>> counts.n_slots, [branch.mean for branch in counts.branches.values()]
    (300000000, [240000000, 30000000, 30000000])
    >>> [round(branch.standard_deviation) for branch in counts.branches.values()]
    [6928, 5196, 5196]
    >>> corpus_counts(2_000_000_000, "bert", sequence_length=128).n_slots
    296875000
    """
    check_choice("policy", policy, CORPUS_POLICIES)
    check_whole("n_tokens", n_tokens)
    check_share("mlm_probability", mlm_probability)
    split = exact_split(shares)
    whole = policy == "share"
    sequences = [(1, int(n_tokens))] if whole else _sequences(int(n_tokens), policy,
                                                              sequence_length)
    slots = sum((sequence_slots(length, policy, mlm_probability=mlm_probability,
                                max_predictions_per_seq=max_predictions_per_seq).times(how_many)
                 for how_many, length in sequences), Expected(0))
    n_sequences = None if whole else sum(how_many for how_many, _ in sequences)
    branches = {name: slots.branch(share) for name, share in zip(BRANCHES, split, strict=True)}
    return CorpusCounts(int(n_tokens), n_sequences, slots, branches)


def _sequences(n_tokens, policy, length):
    """The sequences as pairs (how many, how long): the full ones, and one of what is left over."""
    if length is None:
        raise ValueError(f"policy {policy!r} chooses in each sequence: "
                         "give sequence_length, for example 128")
    check_whole("sequence_length", length, least=1)
    n_full, rest = divmod(n_tokens, int(length))
    return [(how_many, size) for how_many, size in ((n_full, int(length)), (1, rest))
            if how_many and size]


def sequence_slots(n_tokens, policy, *, mlm_probability=0.15, max_predictions_per_seq=20):
    """The slots of one sequence, as ``slot_counts.slot_count_law`` has them, but exact.

    Parameters
    ----------
    n_tokens : int
        Length of the sequence.
    policy, mlm_probability, max_predictions_per_seq
        As for ``corpus_counts``.

    Returns
    -------
    Expected

    Examples
    --------
    >>> sequence_slots(128, "bert"), sequence_slots(10, "fairseq")
    (Expected(mean=19, variance=0), Expected(mean=Fraction(3, 2), variance=Fraction(1, 4)))
    """
    check_choice("policy", policy, CORPUS_POLICIES)
    check_whole("n_tokens", n_tokens)
    check_share("mlm_probability", mlm_probability)
    rate = exact(mlm_probability)
    mean = rate * int(n_tokens)
    if policy == "share":
        return Expected(mean)
    if policy == "hugging_face":
        return Expected(mean, mean * (1 - rate))
    if policy == "fairseq":
        fraction = mean - math.floor(mean)
        return Expected(mean, fraction * (1 - fraction))
    n_slots = slot_count(n_tokens, policy, mlm_probability=mlm_probability,
                         max_predictions_per_seq=max_predictions_per_seq)
    return Expected(min(n_slots, int(n_tokens)))


def rounded_quotas(n_slots, shares=(0.8, 0.1, 0.1), rounding="round"):
    """The shares of a number of slots, each made whole: they need not add up.

    Parameters
    ----------
    n_slots : int
        How many slots there are.
    shares : sequence of float
        As for ``corpus_counts``.
    rounding : {"int", "round"}
        "int" cuts off, "round" goes to the nearest whole number and from halfway to the even one,
        as Python's functions of these names do.

    Returns
    -------
    tuple of int

    Raises
    ------
    ValueError
        When a number is out of range, the shares do not add up to 1, or the rounding is unknown.

    Examples
    --------
    >>> rounded_quotas(15), rounded_quotas(15, rounding="int")
    ((12, 2, 2), (12, 1, 1))
    """
    check_whole("n_slots", n_slots)
    check_choice("rounding", rounding, _ROUNDINGS)
    return tuple(_ROUNDINGS[rounding](int(n_slots) * share) for share in exact_split(shares))
