"""The numbers of each step, read back from its text and held against mpmath in 50 digits."""

import math
import re
from dataclasses import FrozenInstanceError

import mpmath
import pytest

from mlm_helpers.derivations import Comparison, calculator_row, derive_loss, working_table
from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK, WorkedExample
from mlm_helpers.slots import Slot
from mlm_helpers.wording import BITS, NATS
from test_ribbons import Tables
from test_wording import (
    HOSTILE,
    INFINITY,
    MINUS,
    SUPERSCRIPTS,
    HtmlText,
    is_rounded,
    read_number,
)

pytestmark = pytest.mark.filterwarnings("error")

WORDS = ("dog", "cat", "mat", "owl")
HALF_UNIT = 0.00005
SLOTS = {
    "A": STANDARD_MASK.slot,
    "B": RANDOM_SWAP.slot,
    "C": KEEP_UNCHANGED.slot,
    "BERT": Slot(WORDS, (1, 2, 0, 1), 1, vocab_size=30_522),
    "XLM-R": Slot(WORDS, (0.5, 1.5, 2, 0.5), 1, shown=2, vocab_size=250_002, rest_logit=-0.25),
    "rest ahead": Slot(WORDS, (-10, -10, 0, 5.5), 0, vocab_size=250_002, rest_logit=10.0),
    "confident and wrong": Slot(WORDS, (10, 0, 0, 0), 1),
    "confident and right": Slot(WORDS, (0, 10, 0, 0), 1, vocab_size=30_000, rest_logit=-10.0),
    "all low": Slot(WORDS, (-10, -10, -10, -10), 2, shown=0),
}


@pytest.fixture(params=SLOTS.values(), ids=SLOTS)
def slot(request):
    return request.param


class Exact:
    """Weights, normaliser, probabilities, loss and gradient of a slot in 50 digits."""

    def __init__(self, slot):
        with mpmath.workdps(50):
            self.weights = [mpmath.exp(mpmath.mpf(z)) for z in slot.logits]
            if slot.n_rest:
                self.weights.append(slot.n_rest * mpmath.exp(mpmath.mpf(slot.rest_logit)))
            self.normaliser = mpmath.fsum(self.weights)
            self.probabilities = [weight / self.normaliser for weight in self.weights]
            self.label_probability = self.probabilities[slot.label]
            self.loss = -mpmath.log(self.label_probability)
            self.gradient = list(self.probabilities)
            self.gradient[slot.label] -= 1


def working(slot, title):
    return next(step.working for step in derive_loss(slot) if step.title == title)


def latex_numbers(text):
    r"""All numbers of a formula in order; both 4.2·10⁻⁶ and 4.2 \cdot 10^{-6} are read."""
    plain = re.sub(r"\s*\\cdot\s*10\^\{(-?\d+)\}", r"·10\1", text.replace(r"\,", ""))
    plain = plain.replace(r"\infty", "inf").translate(SUPERSCRIPTS)
    found = re.findall(r"-?(?:\d[\d.]*(?:·10-?\d+)?|inf)", plain.replace(r"-\ln", r"\ln"))
    return [number.replace("·10-", "·10⁻").replace("inf", INFINITY) for number in found]


def markdown_rows(table):
    lines = [line for line in table.split("\n") if line]
    return [[HtmlText(part.strip()).text for part in line.strip("|").split("|")] for line in lines]


# The steps


@pytest.mark.parametrize(
    ("slot", "titles"),
    [
        (STANDARD_MASK.slot, []),
        (RANDOM_SWAP.slot, ["Read the label, not the input"]),
        (KEEP_UNCHANGED.slot, ["Read the label, not the input"]),
    ],
    ids=["mask", "swap", "keep"],
)
def test_steps_are_numbered_and_start_with_the_label_where_a_word_is_shown(slot, titles):
    steps = derive_loss(slot)
    assert [step.title for step in steps] == [
        *titles, "Exponentiate every logit", "Add the weights", "Divide", "Take −ln"
    ]
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    for step in steps:
        assert step._repr_markdown_().startswith(f"**Step {step.number}. {step.title}.** *Why?* ")
        assert step.why in repr(step) and step.working in repr(step)


def test_the_steps_in_words():
    swap, keep = derive_loss(RANDOM_SWAP.slot), derive_loss(KEEP_UNCHANGED.slot)
    assert [step.why for step in swap] == [
        "The input shows mat, but the loss asks for the word that stood there before: cat. "
        "Scoring mat would reward copying.",
        "A probability cannot be negative. $e^z$ is positive for every $z$ and keeps the order.",
        "Dividing by this sum $Z$ is what makes the shares add up to one.",
        "A word's share of all the weight is its probability. Only the label's share, that of cat, "
        "enters the loss.",
        "The loss is the surprise at the true word: 0 for a certain one, and growing without bound "
        "as its probability falls towards 0.",
    ]
    assert keep[0].why == (
        "The input already shows cat, and the slot was still chosen, so its label is cat and not "
        "−100. The model is not told that nothing changed."
    )
    assert [step.why for step in keep[1:]] == [step.why for step in swap[1:]]


def test_the_workings_of_the_first_example_letter_by_letter():
    # e = 2.718282, e² = 7.389056, and ln 0.534447 = -0.626523 on any calculator
    assert [step.working for step in derive_loss(STANDARD_MASK.slot)] == [
        "| word | logit $z$ | weight $e^z$ |\n|:--|--:|--:|\n| dog | 1 | 2.718282 |\n"
        "| cat | 2 | 7.389056 |\n| mat | 0 | 1.000000 |\n| owl | 1 | 2.718282 |",
        "$$Z = 2.718282 + 7.389056 + 1.000000 + 2.718282 = 13.825620$$",
        r"$$P(\text{label}) = \frac{7.389056}{13.825620} = 0.534447$$",
        r"$$-\ln 0.534447 = 0.626523 \approx \mathbf{0.6265}\ \text{nats}$$",
    ]


def test_weights_are_the_exact_ones(slot):
    head, _, *rows = markdown_rows(working(slot, "Exponentiate every logit"))
    exact = Exact(slot)
    assert head == ["word", "logit $z$", "weight $e^z$"]
    assert [row[0] for row in rows[:4]] == list(WORDS)
    assert [read_number(row[1]) for row in rows[:4]] == list(slot.logits)
    assert len(rows) == len(exact.weights)
    for row, weight in zip(rows, exact.weights, strict=True):
        assert is_rounded(row[2], weight)


def test_the_row_of_the_others_tells_how_many_and_the_logit_of_each():
    *_, others = markdown_rows(working(SLOTS["XLM-R"], "Exponentiate every logit"))
    assert others[:2] == ["249\u202f998 others", f"{MINUS}0.25 each"]


def test_terms_and_normaliser_are_the_exact_ones(slot):
    exact = Exact(slot)
    *terms, normaliser = latex_numbers(working(slot, "Add the weights"))
    assert len(terms) == len(exact.weights)
    for text, weight in zip([*terms, normaliser], [*exact.weights, exact.normaliser], strict=True):
        assert is_rounded(text, weight)


def test_the_fraction_is_label_weight_over_normaliser(slot):
    exact = Exact(slot)
    weight, normaliser, probability = latex_numbers(working(slot, "Divide"))
    assert is_rounded(weight, exact.weights[slot.label])
    assert is_rounded(normaliser, exact.normaliser)
    assert is_rounded(probability, exact.label_probability)


def test_the_loss_is_the_exact_one_and_its_bold_form_has_four_places(slot):
    exact = Exact(slot)
    probability, loss, bold = latex_numbers(working(slot, "Take −ln"))
    assert is_rounded(probability, exact.label_probability)
    assert is_rounded(loss, exact.loss) and is_rounded(bold, exact.loss)
    assert len(bold.partition(".")[2]) == 4 or "·10" in bold


def test_a_calculator_fed_with_the_numbers_shown_reaches_the_next_to_four_places(slot):
    *terms, normaliser = map(read_number, latex_numbers(working(slot, "Add the weights")))
    weight, _, probability = map(read_number, latex_numbers(working(slot, "Divide")))
    loss = read_number(latex_numbers(working(slot, "Take −ln"))[1])
    assert math.fsum(terms) == pytest.approx(normaliser, rel=1e-9, abs=HALF_UNIT)
    assert weight / normaliser == pytest.approx(probability, abs=HALF_UNIT)
    assert -math.log(probability) == pytest.approx(loss, abs=HALF_UNIT)
    assert -math.log(weight / normaliser) == pytest.approx(loss, abs=HALF_UNIT)


# The table that follows the sliders


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
def test_working_table_holds_the_exact_numbers(slot, unit):
    exact, parsed = Exact(slot), Tables(working_table(slot, unit))
    head, *rows = parsed.rows
    assert head == ["word", "logit z", "weight ez", "p = ez / Z", "p − one-hot"]
    columns = zip(exact.weights, exact.probabilities, exact.gradient, strict=True)
    for row, numbers in zip(rows, columns, strict=True):
        assert all(is_rounded(text, number)
                   for text, number in zip(row[2:], numbers, strict=True))
    assert ["bold" in style["font-weight"] for style in parsed.styles()[6::5]] == [
        index == slot.label for index in range(len(rows))
    ]


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
def test_the_lines_below_the_table_lead_to_the_loss_in_the_unit(slot, unit):
    exact, text = Exact(slot), Tables(working_table(slot, unit)).outside
    number = r"([\d.\u202f]+(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
    pattern = (f"Z = {number}, the sum of the weightsP\\(\\w+\\) = {number} / {number} = {number}"
               f"loss = −{unit.log} {number} = {number} {unit.name}")
    z, weight, z_again, p, p_again, loss = re.fullmatch(pattern, text).groups()
    exact_loss = exact.loss * (1 / mpmath.log(2) if unit is BITS else 1)
    assert (z, p) == (z_again, p_again)
    assert is_rounded(z, exact.normaliser) and is_rounded(weight, exact.weights[slot.label])
    assert is_rounded(p, exact.label_probability) and is_rounded(loss, exact_loss)
    log = math.log if unit is NATS else math.log2
    assert -log(read_number(p)) == pytest.approx(read_number(loss), abs=2 * HALF_UNIT)


# A calculator that writes down every result rounded, and the page


@pytest.mark.parametrize(
    ("slot", "row"),
    [
        # ln 0.5344 = -0.62661, ln 0.2955 = -1.21909, ln 0.8700 = -0.13926
        (STANDARD_MASK.slot, (7.3891, 13.8257, 0.5344, 0.6266)),
        (RANDOM_SWAP.slot, (4.4817, 15.1682, 0.2955, 1.2191)),
        (KEEP_UNCHANGED.slot, (20.0855, 23.0855, 0.8700, 0.1393)),
    ],
    ids=["A", "B", "C"],
)
def test_calculator_row_rounds_each_result_before_it_is_used(slot, row):
    by_hand = calculator_row(slot)
    assert (by_hand.weight, by_hand.normaliser, by_hand.label_probability, by_hand.loss) == row


def test_calculator_row_with_other_places():
    row = calculator_row(STANDARD_MASK.slot, places=2)
    assert (row.weight, row.normaliser) == (7.39, 13.83)
    assert (row.label_probability, row.loss) == (0.53, 0.63)


def test_a_calculator_row_cannot_be_altered():
    with pytest.raises(FrozenInstanceError):
        calculator_row(STANDARD_MASK.slot).loss = 0.6265


@pytest.mark.parametrize("slot", SLOTS.values(), ids=SLOTS)
def test_comparison_of_any_slot_is_a_table_of_three_rows(slot):
    rows = markdown_rows(repr(Comparison(WorkedExample(slot))))
    assert [row[0] for row in rows] == [
        "arithmetic", ":--", "carried unrounded", "rounded at each step", "the source page"
    ]
    assert {len(row) for row in rows} == {5}


@pytest.mark.parametrize(
    ("example", "rows", "reasons"),
    [
        (STANDARD_MASK,
         [["7.3891", "13.8256", "0.5344", "**0.6265**"], ["7.3891", "13.8257", "0.5344", "0.6266"],
          ["7.3891", "13.8257", "0.5345", "0.6264"]], ["13.8257", "0.5345", "0.6264"]),
        (RANDOM_SWAP,
         [["4.4817", "15.1682", "0.2955", "**1.2192**"], ["4.4817", "15.1682", "0.2955", "1.2191"],
          ["4.4817", "15.1682", "0.2955", "1.2192"]], ["0.4872"]),
        (KEEP_UNCHANGED,
         [["20.0855", "23.0855", "0.8700", "**0.1392**"],
          ["20.0855", "23.0855", "0.8700", "0.1393"],
          ["20.0855", "23.0855", "0.8701", "0.1391"]], ["0.8701", "0.1391"]),
    ],
    ids=["A", "B", "C"],
)
def test_comparison_of_a_worked_example(example, rows, reasons):
    table, *sentences = Comparison(example)._repr_markdown_().split("\n\n")
    assert markdown_rows(table)[0] == ["arithmetic", "exp", "sum", "divide", "−ln"]
    assert [row[1:] for row in markdown_rows(table)[2:]] == rows
    assert [sentence.split(" is ")[0] for sentence in sentences] == [
        f"The page's {figure}" for figure in reasons
    ]


# Any words


def without_backslash(word):
    """A test's name by which it is found again: mutmut fails to with a backslash in it."""
    return ascii(word).replace("\\", "")


@pytest.mark.parametrize("word", HOSTILE, ids=without_backslash)
def test_no_word_can_break_the_markdown(word):
    steps = derive_loss(Slot((word, "cat"), (0.0, 1.0), label=0, shown=1, vocab_size=30_522))
    plain = derive_loss(Slot(("dog", "cat"), (0.0, 1.0), label=0, shown=1, vocab_size=30_522))
    for step, other in zip(steps, plain, strict=True):
        text, expected = step._repr_markdown_(), other._repr_markdown_()
        text = re.sub("</?span>", "", text)
        for command in "|$`*\n<\\[":
            assert text.count(command) == expected.count(command), command


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=without_backslash)
def test_any_word_just_shows_in_the_steps_and_in_the_table(word, shown):
    slot = Slot((word, "cat"), (0.0, 1.0), label=0, shown=0)
    steps, parsed = derive_loss(slot), Tables(working_table(slot))
    assert HtmlText(steps[0].working).text == f"input **{shown}**, label **{shown}**"
    assert f"that of {shown}, enters" in HtmlText(steps[3].why).text
    assert not any(HtmlText(text).holds_formula for text in (steps[0].working, steps[3].why))
    assert parsed.rows[1][0] == shown
    assert f"P({shown}) = 1.000000 / 3.718282" in parsed.outside
    own_tags = {"table", "tr", "th", "td", "sup", "p", "br", "strong"}
    assert {tag for tag, _ in parsed.tags} - {"span"} == own_tags


def test_repeated_words_keep_rows_of_their_own():
    slot = Slot(("the", "the"), (0.0, math.log(3)), label=0, shown=1)
    rows = Tables(working_table(slot)).rows[1:]
    assert [row[0] for row in rows] == ["the", "the"]
    assert [row[3] for row in rows] == ["0.2500", "0.7500"]
