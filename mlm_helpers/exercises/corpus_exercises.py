"""Scenario G: the slots of a corpus and of their branches, in whole numbers."""

from itertools import product

from mlm_helpers.checks import exact
from mlm_helpers.corpus import corpus_counts
from mlm_helpers.exercises.exercise import Exercise, Kind, WrongAnswer
from mlm_helpers.masking import BRANCHES
from mlm_helpers.steps import Step, latex, numbered
from mlm_helpers.tables import Table
from mlm_helpers.wording import integer, short

_SIZES = tuple(tenths * 10 ** power for power in (5, 6, 7, 8)
               for tenths in (12, 16, 20, 24, 25, 30, 32, 33, 36, 40, 48, 50, 60, 64, 75, 80, 90))
_RATES = (10, 12, 15, 20, 25, 30, 40)
_SPLITS = ((80, 10, 10), (70, 20, 10), (60, 30, 10), (90, 5, 5), (75, 15, 10), (50, 30, 20),
           (80, 15, 5), (60, 25, 15))
_LENGTHS = (32, 48, 50, 64, 90, 96, 128, 150, 200, 250, 256, 384)
_N_SEQUENCES = tuple(tenths * 10 ** power for power in (3, 4, 5)
                     for tenths in (10, 12, 15, 20, 25, 40, 50, 80))
_SHOWS = dict(zip(BRANCHES, ("show [MASK]", "show a drawn word", "show the word itself"),
                  strict=True))
_STORY = ("Some tokens of a corpus are chosen as slots, and each slot is treated in one of three "
          "ways. Take the shares as exact.")
_HINT = "Of which whole is each percentage a share: of the tokens, or of the slots?"


def slots_numbers():
    """Size of a corpus, per cent of slots, and of their branches."""
    return [(size, rate, _SPLITS[place % len(_SPLITS)])
            for place, (size, rate) in enumerate(product(_SIZES, _RATES))]


def branch_numbers():
    """The same, and the branch asked for."""
    return [(size, rate, _SPLITS[(place + shift) % len(_SPLITS)], branch)
            for shift, branch in enumerate(BRANCHES, start=1)
            for place, (size, rate) in enumerate(product(_SIZES, _RATES))]


def whole_numbers():
    """Corpora to be found from their [MASK] symbols, so large that all that is asked is whole."""
    return [numbers for numbers in slots_numbers() if _reversed(*numbers).denominator == 1]


def sequences_numbers():
    """Number and length of sequences, and a per cent of it that is no whole number."""
    return [(n, length, rate) for n in _N_SEQUENCES for length in _LENGTHS for rate in _RATES
            if exact(rate / 100) * length % 1 not in (0, exact(0.5))]


def slots_exercise(n_tokens, rate, split):
    """All slots of a corpus."""
    counts = _counts(n_tokens, rate, split)
    masked = counts.branches["mask"].mean
    wrong = [_wrong("only_masked", masked, f"{_share(split[0])} · {_share(rate)} · "
                    f"{integer(n_tokens)}", 1),
             _of_all_tokens(n_tokens, split[0], 1)]
    return _exercise(_STORY, _givens(n_tokens, rate, split), "How many slots are there?",
                     counts.n_slots, "slots", [_slots_step(n_tokens, rate)], wrong)


def branch_exercise(n_tokens, rate, split, branch):
    """The slots of one branch.

    Examples
    --------
    >>> exercise = branch_exercise(2_000_000_000, 15, (80, 10, 10), "mask")
    >>> print(exercise.question, exercise.answer)
    How many slots show [MASK]? 240000000
    """
    counts, share = _counts(n_tokens, rate, split), split[BRANCHES.index(branch)]
    slots, answer = counts.n_slots, counts.branches[branch].mean
    steps = [_slots_step(n_tokens, rate),
             Step("Take the branch's share of the slots",
                  f"{share} % of the slots {_SHOWS[branch]}, not of all tokens.",
                  _product(share, slots))]
    others = sorted({other.mean for other in counts.branches.values()} - {answer})
    wrong = [_wrong("share_not_applied", slots, f"{_share(rate)} · {integer(n_tokens)}", 2),
             _of_all_tokens(n_tokens, share, 1),
             *(WrongAnswer("other_branch", other, f"{integer(other)} are another branch's slots", 2)
               for other in others)]
    return _exercise(_STORY, _givens(n_tokens, rate, split), f"How many slots {_SHOWS[branch]}?",
                     answer, "slots", steps, wrong)


def whole_exercise(n_tokens, rate, split):
    """The corpus behind a number of [MASK] symbols."""
    counts = _counts(n_tokens, rate, split)
    slots, masked = counts.n_slots, counts.branches["mask"].mean
    steps = [Step("Go back to the slots", f"{split[0]} % of the slots show [MASK], so divide by "
                  f"{_share(split[0])}.", _quotient(masked, split[0])),
             Step("Go back to the tokens", f"{rate} % of the tokens are slots, so divide by "
                  f"{_share(rate)}.", _quotient(slots, rate))]
    wrong = [_wrong("reversed", _reversed(n_tokens, rate, split),
                    f"{_share(rate)} · {_share(split[0])} · {integer(masked)}", 1),
             _wrong("share_not_applied", masked / exact(rate / 100),
                    f"{integer(masked)} / {_share(rate)}", 1),
             _wrong("share_of_all_tokens", slots, f"{integer(masked)} / {_share(split[0])}", 2)]
    givens = [("slots that show [MASK]", integer(masked)), *_givens(n_tokens, rate, split)[1:]]
    return _exercise(_STORY, givens, "How many tokens has the corpus?", n_tokens, "tokens", steps,
                     wrong)


def sequences_exercise(n_sequences, length, rate):
    """The slots of a corpus that is cut into sequences, each of which rounds."""
    n_tokens = n_sequences * length
    by_rounding, by_cutting = (
        corpus_counts(n_tokens, policy, sequence_length=length, mlm_probability=rate / 100,
                      max_predictions_per_seq=length).n_slots for policy in ("bert", "page"))
    of_one = f"{_share(rate)} · {length} = {short(exact(rate / 100) * length)}"
    each = by_rounding // n_sequences
    steps = [Step("Count the slots of one sequence", "A sequence has no part of a slot: it rounds.",
                  rf"$${_share(rate)} \cdot {length} = {short(exact(rate / 100) * length)}"
                  rf" \to {each}$$"),
             Step("Multiply by the number of sequences", "All are of one length.",
                  rf"$${each} \cdot {latex(integer(n_sequences))}"
                  rf" = {latex(integer(by_rounding))}$$")]
    wrong = [_wrong("rounding_forgotten", exact(rate / 100) * n_tokens,
                    f"{_share(rate)} · {integer(n_tokens)}", 1)]
    if by_cutting != by_rounding:
        wrong.append(_wrong("floor_for_round", by_cutting,
                            f"{of_one}, cut off, times {integer(n_sequences)}", 1))
    story = ("A corpus is cut into sequences of one length. In each, the share below is chosen, "
             "rounded to the nearest whole number of slots.")
    givens = [("sequences", integer(n_sequences)), ("tokens in each", integer(length)),
              ("chosen of each", f"{rate} %")]
    return _exercise(story, givens, "How many slots are there in all?", by_rounding, "slots", steps,
                     wrong, "Begin with a single sequence. How many slots has it?")


def _counts(n_tokens, rate, split):
    return corpus_counts(n_tokens, "share", mlm_probability=rate / 100,
                         shares=[share / 100 for share in split])


def _reversed(n_tokens, rate, split):
    """The number of [MASK] symbols multiplied by the shares, where one should divide."""
    return n_tokens * (exact(rate / 100) * exact(split[0] / 100)) ** 2


def _givens(n_tokens, rate, split):
    shares = zip(_SHOWS.values(), split, strict=True)
    return [("tokens in the corpus", integer(n_tokens)), ("chosen of the tokens", f"{rate} %"),
            *((f"of the slots {shows}", f"{share} %") for shows, share in shares)]


def _exercise(story, givens, question, answer, unit, steps, wrong, hint=_HINT):
    return Exercise("G", (), story, Table(("", "given"), givens), question, answer, unit, 0.0, hint,
                    tuple(numbered(steps)), tuple(wrong))


def _slots_step(n_tokens, rate):
    return Step("Count the slots", f"{rate} % of all tokens are chosen, whatever the input then "
                "shows there.", _product(rate, n_tokens))


def _of_all_tokens(n_tokens, share, step):
    return _wrong("share_of_all_tokens", exact(share / 100) * n_tokens,
                  f"{_share(share)} · {integer(n_tokens)}", step)


def _wrong(mistake, value, working, step):
    return WrongAnswer(mistake, int(value), f"{working} = {integer(value)}", step)


def _product(per_cent, number):
    result = latex(integer(exact(per_cent / 100) * number))
    return rf"$${_share(per_cent)} \cdot {latex(integer(number))} = {result}$$"


def _quotient(number, per_cent):
    result = latex(integer(number / exact(per_cent / 100)))
    return rf"$$\frac{{{latex(integer(number))}}}{{{_share(per_cent)}}} = {result}$$"


def _share(per_cent):
    return short(per_cent / 100)


KINDS = (Kind("slots", slots_numbers, slots_exercise),
         Kind("branch", branch_numbers, branch_exercise),
         Kind("whole", whole_numbers, whole_exercise),
         Kind("sequences", sequences_numbers, sequences_exercise))
