"""Every equation of scenarios D to H, read back from its LaTeX and evaluated: both sides agree.

A number with five decimals or more, or a bold one, is a rounded result and stands for all that it
may have been rounded from. Any other number is given, and is what it says.
"""

import math
import re
from dataclasses import FrozenInstanceError
from fractions import Fraction

import mpmath
import pytest
from mpmath import iv

from mlm_helpers.case_derivations import (
    derive_counts,
    derive_empty_mask,
    derive_limits,
    derive_sum,
    derive_total,
)
from mlm_helpers.examples import (
    EMPTY_MASK,
    EXAM_TWIST,
    LIMITING_VALUES,
    SEVERAL_SLOTS,
    WORD_PROBLEM,
    CountingExample,
    LimitsExample,
    SlotsExample,
)
from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.steps import Step, latex, numbered
from test_derivations import latex_numbers, markdown_rows
from test_wording import INFINITY, THIN, is_rounded, read_number

pytestmark = pytest.mark.filterwarnings("error")

SLOT_SETS = {
    "F": SEVERAL_SLOTS.slots,
    "one": SlotSet((0.4,), 30_000, 12),
    "three": SlotSet((0.37, 0.21, 0.33), 30_000, 12),
    "uniform": SlotSet((1 / 30_000,) * 2, 30_000, 12),
    "thirds": SlotSet((1 / 3, 2 / 3), 3, 12),
    "certain": SlotSet((1.0, 1.0), 4, 12),
    "nearly certain": SlotSet((0.99999, 0.5), 4, 12),
    "twelve": SlotSet((0.4, 0.2) * 6, 30_000, 80),
    "tiny": SlotSet((1e-6, 1e-12, 0.001), 4, 12),
}
COUNTS = {
    "G": WORD_PROBLEM,
    "15": CountingExample(15, {}),
    "130": CountingExample(130, {}),
    "1": CountingExample(1, {}),
    "7 of 1 001": CountingExample(1001, {}, mlm_probability=0.007),
    "thirds": CountingExample(1000, {}, shares=(1 / 3, 1 / 3, 1 / 3)),
    "no rest": CountingExample(999, {}, mlm_probability=0.3, shares=(1.0, 0.0, 0.0)),
    "29 %": CountingExample(100, {}, mlm_probability=0.29, shares=(0.7, 0.2, 0.1)),
}


@pytest.fixture(params=SLOT_SETS.values(), ids=SLOT_SETS)
def slots(request):
    return request.param


@pytest.fixture(params=COUNTS.values(), ids=COUNTS)
def counting(request):
    return request.param


# Reading equations back


BRACED = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
POWER = r"(\d[\d.]*) \\cdot 10\^\{(-?\d+)\}"
NUMBER = r"(?<![\w.])\d[\d.]*(?:e-?\d+)?"
SYMBOLS = {"|M|", r"\mathcal{L}", r"\sum_{i \in \varnothing} -\ln P(x_i)", r"\nabla_\theta\, 0"}


def equations(working):
    """The sides of each equation of a working; symbols, which have no number, are left out."""
    for formula in re.findall(r"\$\$(.+?)\$\$", working):
        sides = [side.strip() for side in re.split(r"=|\\approx",
                                                   formula.replace(r"\ \text{nats}", ""))]
        assert len(sides) > 1 and all(sides)
        yield [side for side in sides if side not in SYMBOLS]


def evaluated(side):
    """All that a side may stand for, as an interval."""
    bold = side.startswith(r"\mathbf")
    text = re.sub(rf"\\mathbf{BRACED}", r"\1", side).replace(r"\,", "")
    text = re.sub(POWER, r"\1e\2", text)
    text = re.sub(rf"\\frac{BRACED}{BRACED}", r"((\1) / (\2))", text)
    text = text.replace(r"\lfloor", "floor(").replace(r"\rfloor", ")").replace(r"\cdot", "*")
    text = re.sub(NUMBER, lambda match: f'read("{match[0]}", {bold})', text)
    one = r'\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|read\([^()]*\)'
    text = re.sub(rf"\\ln\s*({one})", r"log(\1)", text)
    names = {"read": read_interval, "log": iv.log,
             "floor": lambda x: iv.mpf(math.floor(float(x.mid)))}
    assert set(re.findall(r"\b[a-z]+\b", re.sub('"[^"]*"', "", text))) <= set(names)
    return eval(text, {"__builtins__": {}, **names})


def read_interval(text, bold):
    digits, _, exponent = text.partition("e")
    n_decimals = len(digits.partition(".")[2])
    half = mpmath.mpf(10) ** (int(exponent or 0) - n_decimals) / 2
    value = mpmath.mpf(text)
    rounded = bold or n_decimals > 4 or exponent
    return iv.mpf([value - half, value + half]) if rounded else iv.mpf([value, value])


def agree(one, other):
    slack = mpmath.mpf(1e-12) * max(1, abs(one.b), abs(other.b))
    return one.a <= other.b + slack and other.a <= one.b + slack


def check_equations(steps):
    """Each equation holds; returns how many sides were compared."""
    n_compared = 0
    for step in steps:
        for sides in equations(step.working):
            values = [evaluated(side) for side in sides]
            for side, value in zip(sides[1:], values[1:], strict=True):
                assert agree(values[0], value), (step.title, sides[0], side)
                n_compared += 1
    return n_compared


@pytest.mark.parametrize(
    ("formula", "holds"),
    [
        (r"$$0.1 \cdot 19.5 = 1.95$$", True),
        (r"$$0.1 \cdot 19.5 = 1.9$$", False),
        (r"$$-\ln 0.08 = 2.525729$$", True),
        (r"$$-\ln 0.08 = 2.525728$$", False),
        (r"$$-\ln (0.37 \cdot 0.21 \cdot 0.33) = -\ln 0.0256 = 3.663563$$", False),
        (r"$$-\ln (0.4 \cdot 0.2) = -\ln 0.08$$", True),
        (r"$$-\ln \frac{1}{30\,000} = \ln 30\,000 \approx \mathbf{10.3090}\ \text{nats}$$", True),
        (r"$$\frac{2.525729}{2} \approx \mathbf{1.2629}\ \text{nats}$$", True),
        (r"$$\frac{2.525729}{2} \approx \mathbf{1.2628}\ \text{nats}$$", False),
        (r"$$\lfloor 0.15 \cdot 4 \rfloor = 0$$", True),
        (r"$$-\ln 4.2 \cdot 10^{-6} = 12.4$$", False),
        (r"$$2.0 \cdot 10^{-6} + 1 \approx \mathbf{1.0000}$$", True),
    ],
)
def test_the_reading_itself_tells_right_from_wrong(formula, holds):
    (sides,) = equations(formula)
    first, *others = map(evaluated, sides)
    assert all(agree(first, other) for other in others) == holds


# Every equation


def test_equations_of_the_sum(slots):
    assert check_equations(derive_sum(slots)) == 4


def test_equations_of_the_total(slots):
    for probability in (0.9, 0.98765, 1 / 3, 1.0, 1e-6):
        example = SlotsExample(slots, (), (), {}, next_sentence_probability=probability)
        assert check_equations(derive_total(example)) == 4


def test_equations_of_the_counts(counting):
    assert check_equations(derive_counts(counting)) == 5


@pytest.mark.parametrize("vocab_size", [1, 2, 4, 30_000, 30_522, 250_002])
def test_equations_of_the_limits(vocab_size):
    assert check_equations(derive_limits(LimitsExample(vocab_size, {}))) == 4


@pytest.mark.parametrize(("n_tokens", "rate"), [(4, 0.15), (6, 0.15), (3, 0.29), (1, 0.999)])
def test_equations_of_the_empty_mask(n_tokens, rate):
    example = CountingExample(n_tokens, {}, mlm_probability=rate)
    assert check_equations(derive_empty_mask(example)) == 2


# D: the empty mask


def test_the_empty_mask_is_the_floor_of_0_6_and_costs_0_without_a_fraction():
    count, add, differentiate = derive_empty_mask(EMPTY_MASK)
    assert latex_numbers(count.working) == ["0.15", "4", "0.6", "0"]
    assert add.working.endswith("= 0$$") and differentiate.working.endswith("= 0$$")


def test_a_share_that_floats_miss_is_multiplied_as_it_is_written():
    example = CountingExample(100, {}, mlm_probability=0.29)
    assert latex_numbers(derive_empty_mask(example)[0].working) == ["0.29", "100", "29", "29"]


# E: limiting values


def test_the_limiting_values_are_the_written_answers():
    best, uniform, worst = derive_limits(LIMITING_VALUES)
    assert latex_numbers(best.working) == ["1", "0.0000"]
    *_, precise, bold = latex_numbers(uniform.working)
    assert (precise, bold) == ("10.308953", "10.3090")
    assert r"\ln 30\,000" in uniform.working
    head, _, *rows = markdown_rows(worst.working)
    assert head == ["p", "−ln p"]
    assert rows == [["1.0·10⁻⁵", "11.5129"], ["1.0·10⁻¹⁰", "23.0259"],
                    ["1.0·10⁻¹⁰⁰", "230.2585"], ["0", INFINITY]]


# F: several slots


def test_the_worked_sum_in_full():
    each, add, check, divide = derive_sum(SEVERAL_SLOTS.slots)
    assert markdown_rows(each.working)[2:] == [["1", "0.4", "0.916291"],
                                               ["2", "0.2", "1.609438"]]
    assert latex_numbers(add.working) == ["0.916291", "1.609438", "2.5257"]
    assert check.working == r"$$-\ln (0.4 \cdot 0.2) = -\ln 0.08 = 2.525729$$"
    assert latex_numbers(divide.working) == ["2.525729", "2", "1.2629"]


def test_each_slot_has_a_row_with_its_probability_and_its_exact_loss(slots):
    rows = markdown_rows(derive_sum(slots)[0].working)[2:]
    assert [row[0] for row in rows] == [str(i) for i in range(1, slots.n_slots + 1)]
    for (_, p, loss), exact in zip(rows, slots.probabilities, strict=True):
        assert is_rounded(loss, -mpmath.log(mpmath.mpf(exact)))
        assert read_number(p) == pytest.approx(exact, rel=1e-5)


def test_sum_product_and_mean_lead_to_the_exact_numbers(slots):
    with mpmath.workdps(50):
        total = -mpmath.fsum(mpmath.log(mpmath.mpf(p)) for p in slots.probabilities)
    _, add, check, divide = derive_sum(slots)
    assert is_rounded(latex_numbers(add.working)[-1], total)
    assert is_rounded(latex_numbers(check.working)[-1], total)
    *_, n_slots, mean = latex_numbers(divide.working)
    assert int(n_slots) == slots.n_slots and is_rounded(mean, total / slots.n_slots)


def test_a_calculator_fed_with_the_factors_shown_reaches_the_sum_to_four_places(slots):
    factors = [read_number(row[1]) for row in markdown_rows(derive_sum(slots)[0].working)[2:]]
    *_, total = latex_numbers(derive_sum(slots)[1].working)
    assert -sum(map(math.log, factors)) == pytest.approx(read_number(total), abs=0.0001)


def test_the_sum_of_no_slots_is_refused():
    with pytest.raises(ValueError, match="^0 slots have no losses to add: give one slot or more$"):
        derive_sum(SlotSet((), 4, 4))


# G: counts


def test_the_word_problem_in_whole_numbers():
    slots, mask, rest, add = derive_counts(WORD_PROBLEM)
    assert latex_numbers(slots.working) == ["0.15", "2000000000", "300000000"]
    assert latex_numbers(mask.working) == ["0.8", "300000000", "240000000"]
    assert latex_numbers(rest.working) == ["0.1", "300000000", "30000000"] * 2
    assert latex_numbers(add.working) == ["240000000", "30000000", "30000000", "300000000"]
    assert r"300\,000\,000" in slots.working
    assert slots.why.startswith("15.0 % of all tokens") and "80.0 %" in mask.why


@pytest.mark.parametrize("n_tokens", [1, 15, 130, 999])
def test_counts_are_exact_where_they_are_not_whole(n_tokens):
    """Fifteen tokens made 0.1 · 2.2 = 0.2, and the branches added up to another number."""
    slots, mask, rest, add = derive_counts(CountingExample(n_tokens, {}))
    n_slots = Fraction(15, 100) * n_tokens
    shown = [Fraction(latex_numbers(step.working)[-1]) for step in (slots, mask, rest, add)]
    assert shown == [n_slots, n_slots * 8 / 10, n_slots / 10, n_slots]
    *branches, total = map(Fraction, latex_numbers(add.working))
    assert sum(branches) == total


def test_a_count_beyond_the_whole_numbers_of_a_float_is_still_exact():
    slots, *_ = derive_counts(CountingExample(20 * (2**53 + 1), {}))
    assert latex_numbers(slots.working)[-1] == "27021597764222979"  # 3 * (2**53 + 1)


# H: the whole loss


def test_the_worked_total_in_full():
    words, pair, add, mean = derive_total(EXAM_TWIST)
    assert latex_numbers(words.working) == ["0.916291", "1.609438", "2.525729"]
    assert latex_numbers(pair.working) == ["0.9", "0.105361"]
    assert latex_numbers(add.working) == ["2.525729", "0.105361", "2.6311"]
    assert latex_numbers(mean.working) == ["1.262864", "0.105361", "1.3682"]


def test_without_slots_the_next_sentence_is_left():
    words, _, add, mean = derive_total(SlotsExample(SlotSet((), 4, 4), (), (), {}, 0.9))
    assert latex_numbers(words.working) == ["0", "0.000000"]
    for step in (add, mean):
        assert latex_numbers(step.working) == ["0.000000", "0.105361", "0.1054"]
    assert check_equations([words, add, mean]) == 3


# Steps


DERIVATIONS = {
    "D": (derive_empty_mask, EMPTY_MASK), "E": (derive_limits, LIMITING_VALUES),
    "F": (derive_sum, SEVERAL_SLOTS.slots), "G": (derive_counts, WORD_PROBLEM),
    "H": (derive_total, EXAM_TWIST),
}


@pytest.fixture(params=DERIVATIONS)
def scenario(request):
    return request.param


@pytest.fixture
def steps(scenario):
    derive, example = DERIVATIONS[scenario]
    return derive(example)


def test_steps_are_numbered_and_each_has_a_title_a_reason_and_a_working(steps):
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert step.title[0].isupper() and step.why.endswith(".") and step.working
        assert step._repr_markdown_() == (f"**Step {step.number}. {step.title}.** *Why?* "
                                          f"{step.why}\n\n{step.working}")
        assert repr(step) == (f"Step {step.number}. {step.title}.\n\nWhy? {step.why}\n\n"
                              f"{step.working}")


def test_formulas_hold_no_sign_that_latex_does_not_know(steps):
    for step in steps:
        for formula in re.findall(r"\$\$(.+?)\$\$", step.working):
            assert formula.isascii() and formula.count("{") == formula.count("}")


WORDS = {
    "D": {
        "Count the slots": "The source page takes its share of the tokens and rounds down.",
        "Add up the losses of no slots":
            "A sum is what its terms add to 0. Without terms it stays at 0, so that a sum over two "
            "batches is always the sum of their sums, even if one of them is empty.",
        "Differentiate":
            "0 is a constant: whatever the weights are, it stays 0, so no weight is moved.",
    },
    "E": {
        "Take the best case": "A certain word is no surprise.",
        "Take the uniform guess":
            "Who knows nothing gives each of the V words the same probability, 1/V. The minus "
            "turns the fraction round.",
        "Look for a worst case":
            "Nothing keeps a model from giving the true word less than 1/V. Then the loss is more "
            "than ln V, and it grows without end.",
    },
    "F": {
        "Take −ln of each slot's probability":
            "Each slot is predicted on its own, as if no slot knew of the others: each pays its "
            "own surprisal.",
        "Add them up": "The objective of the source page is a sum over the slots.",
        "Check by the product":
            "Independent probabilities multiply, and the logarithm turns the product into the "
            "sum. Both ways must give the same number.",
        "Divide by the number of slots":
            "BERT, PyTorch and Hugging Face report the mean, so that a long sequence does not look "
            "worse than a short one. It belongs beside ln V, the sum beside k · ln V.",
    },
    "G": {
        "Count the slots": "15.0 % of all tokens are chosen, whatever the input then shows there.",
        "Count the [MASK] symbols":
            "Only 80.0 % of the *slots* show the symbol, not of all tokens.",
        "Count the rest": "10.0 % show a drawn word and 10.0 % the word itself.",
        "Add up": "Every slot is in one branch, so the three must give all slots again.",
    },
    "H": {
        "Take the masked words' loss": "It is the sum over the slots, as in scenario F.",
        "Take the next sentence's loss":
            "It is a choice between two classes, scored like any other: −ln of what the right one "
            "was given.",
        "Add the two": "BERT adds its two objectives without weights.",
        "Do the same with the mean": "BERT's own code averages over the slots before it adds.",
    },
}


def test_the_steps_in_words(scenario, steps):
    assert {step.title: step.why for step in steps} == WORDS[scenario]


def test_the_share_of_drawn_words_is_named_first():
    rest = derive_counts(CountingExample(1000, {}, shares=(0.7, 0.2, 0.1)))[2]
    assert rest.why == "20.0 % show a drawn word and 10.0 % the word itself."
    assert latex_numbers(rest.working) == ["0.2", "150", "30", "0.1", "150", "15"]


def test_a_step_cannot_be_altered():
    with pytest.raises(FrozenInstanceError):
        derive_counts(WORD_PROBLEM)[0].number = 2


def test_numbered_leaves_the_steps_it_is_given_alone():
    step = Step("Add", "One needs the sum.", "1 + 1")
    first, second = numbered([step, step])
    assert (first.number, second.number, step.number) == (1, 2, 1)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("−4.2·10⁻⁶", r"-4.2 \cdot 10^{-6}"),
        ("1.0·10¹²", r"1.0 \cdot 10^{12}"),
        ("3.5·10⁻¹⁰⁹⁸", r"3.5 \cdot 10^{-1098}"),
        (f"30{THIN}522", r"30\,522"),
        (INFINITY, r"\infty"),
        ("0.5344", "0.5344"),
    ],
    ids=["small", "large", "far below a float", "thousands", "infinite", "plain"],
)
def test_a_number_in_latex(text, written):
    assert latex(text) == written
