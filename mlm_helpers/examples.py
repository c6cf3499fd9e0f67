"""The worked examples as data: what is given, and the answers written down.

Nothing here is computed. ``answers`` holds literals rounded correctly to four places from a
computation in 50 digits; the tests hold them against the package and against mpmath. ``printed``
holds what the source page of the collection prints where its last digit differs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.slots import Slot


@dataclass(frozen=True)
class PrintedFigure:
    """A figure as the source page prints it, and why it is not the exact one."""

    value: float
    reason: str


@dataclass(frozen=True)
class WorkedExample:
    """A slot with its sentence, and the literal answers if it is one of the collection's own.

    Examples
    --------
    An example of your own needs words, logits and a label:

    >>> mine = WorkedExample(Slot(("tea", "rum"), (0.0, 1.0), label=0))
    >>> round(mine.slot.loss, 4)
    1.3133
    """

    slot: Slot
    sentence: tuple = ()
    position: int = 0
    answers: Mapping = field(default_factory=dict)
    printed: Mapping = field(default_factory=dict)


@dataclass(frozen=True)
class CountingExample:
    """Tokens of which a share becomes slots, and the literal answers."""

    n_tokens: int
    answers: Mapping
    mlm_probability: float = 0.15
    shares: tuple = (0.8, 0.1, 0.1)
    sentence: tuple = ()


@dataclass(frozen=True)
class LimitsExample:
    """A vocabulary for which the limiting values are asked, and the literal answers."""

    vocab_size: int
    answers: Mapping


@dataclass(frozen=True)
class SlotsExample:
    """A sequence with several slots, with a next-sentence task or not, and the literal answers."""

    slots: SlotSet
    sentence: tuple
    masked_positions: tuple
    answers: Mapping
    next_sentence_probability: float | None = None


_WORDS = ("dog", "cat", "mat", "owl")
_SENTENCE = ("The", "cat", "sat", "down", ".")

STANDARD_MASK = WorkedExample(
    slot=Slot(_WORDS, (1.0, 2.0, 0.0, 1.0), label=1),
    sentence=_SENTENCE,
    position=1,
    answers={
        "normaliser": 13.8256,
        "probabilities": (0.1966, 0.5344, 0.0723, 0.1966),
        "label_probability": 0.5344,
        "loss": 0.6265,
        "uniform": 1.3863,
    },
    printed={
        "normaliser": PrintedFigure(
            13.8257, "the sum of weights that were each rounded to four places first"
        ),
        "label_probability": PrintedFigure(
            0.5345, "one too many in the last place: 0.53444… rounds down"
        ),
        "loss": PrintedFigure(0.6264, "the logarithm of the rounded 0.5345"),
    },
)

RANDOM_SWAP = WorkedExample(
    slot=Slot(_WORDS, (0.5, 1.5, 2.0, 0.5), label=1, shown=2),
    sentence=_SENTENCE,
    position=1,
    answers={
        "normaliser": 15.1682,
        "probabilities": (0.1087, 0.2955, 0.4871, 0.1087),
        "label_probability": 0.2955,
        "loss": 1.2192,
        "uniform": 1.3863,
    },
    printed={
        "shown_probability": PrintedFigure(
            0.4872, "one too many in the last place: with it the four add up to 1.0001"
        ),
    },
)

KEEP_UNCHANGED = WorkedExample(
    slot=Slot(_WORDS, (0.0, 3.0, 0.0, 0.0), label=1, shown=1),
    sentence=_SENTENCE,
    position=1,
    answers={
        "normaliser": 23.0855,
        "probabilities": (0.0433, 0.8700, 0.0433, 0.0433),
        "label_probability": 0.8700,
        "loss": 0.1392,
        "uniform": 1.3863,
    },
    printed={
        "label_probability": PrintedFigure(
            0.8701, "one too many in the last place: 0.87004… rounds down"
        ),
        "loss": PrintedFigure(0.1391, "the logarithm of the rounded 0.8701"),
    },
)

EMPTY_MASK = CountingExample(
    n_tokens=4,
    sentence=("The", "cat", "sat", "."),
    answers={"product": 0.6, "slots": 0, "loss": 0.0, "no_slot": 0.5220},
)

LIMITING_VALUES = LimitsExample(
    vocab_size=30_000,
    answers={
        "best": 0.0,
        "uniform": 10.3090,
        "uniform_bits": 14.8727,
        "above_uniform": 10.0001,  # logits (10, 0, 0, 0) with the label at index 1
        "uniform_of_four": 1.3863,
    },
)

_PAIR = ("[CLS]", "The", "old", "cat", "chased", "two", "mice", "[SEP]",
         "It", "caught", "one", "[SEP]")
_TWO_SLOTS = SlotSet((0.40, 0.20), vocab_size=30_000, n_tokens=len(_PAIR))

SEVERAL_SLOTS = SlotsExample(
    slots=_TWO_SLOTS,
    sentence=_PAIR,
    masked_positions=(3, 5),
    answers={
        "losses": (0.9163, 1.6094),
        "sum": 2.5257,
        "mean": 1.2629,
        "product": 0.08,
        "uniform_sum": 20.6179,
    },
)

WORD_PROBLEM = CountingExample(
    n_tokens=2_000_000_000,
    answers={
        "slots": 300_000_000,
        "mask": 240_000_000,
        "swap": 30_000_000,
        "keep": 30_000_000,
        "bert_slots": 296_875_000,  # sequences of 128 tokens, BERT's rounding
        "capped_slots": 78_125_000,  # sequences of 512 tokens, at most 20 slots each
    },
)

EXAM_TWIST = SlotsExample(
    slots=_TWO_SLOTS,
    sentence=_PAIR,
    masked_positions=(3, 5),
    next_sentence_probability=0.90,
    answers={"next_sentence": 0.1054, "total": 2.6311, "total_of_mean": 1.3682},
)
