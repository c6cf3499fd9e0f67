"""Drawn exercises: the same for a seed, never the same twice, sound, right, and well derived.

Answers are worked out again in 50 digits from the numbers drawn, or by counting.
"""

import re
from collections import Counter
from dataclasses import replace
from decimal import ROUND_HALF_EVEN, Decimal

import mpmath
import pytest

from explorer_promises import n_operations
from mlm_helpers.exercises import diagnose, draw_exercise, slot_exercise
from mlm_helpers.exercises.draw import GENERATORS, _drawn
from mlm_helpers.exercises.exercise import WrongAnswer, is_sound, sound_part
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.slots import Slot
from mlm_helpers.steps import latex
from mlm_helpers.typeset import typeset
from mlm_helpers.wording import decimal, integer
from refusals import assert_refused
from test_wording import HOSTILE

pytestmark = pytest.mark.filterwarnings("error")

LETTERS = "ABCDEFGH"
N_VARIANTS = 120


@pytest.fixture(scope="module", params=LETTERS)
def exercises(request):
    """Some hundred exercises of a letter."""
    return [draw_exercise(request.param, 42, variant) for variant in range(N_VARIANTS)]


# What seed and variant decide


@pytest.mark.parametrize(("letter", "numbers", "answer"), [
    ("A", ("masked", 2, 1, (2.5, 1.5, 0.5, 2.0)), 1.746567269173791),
    ("B", ("swapped", 3, 0, 3, (1.5, 3.0, -1.0, 2.0)), 1.975814985686639),
    ("C", ("kept", 2, 1, (-0.5, 2.5, 3.0, -1.0)), 1.0038274024527274),
    ("D", ("at_least_one", 6, 2, 20), 1),
    ("E", ("guess", 89750, "bits"), 16.45362431848514),
    ("F", ("sum", (0.63, 0.85), 14), 0.6245543890943336),
    ("G", ("sequences", 12000, 128, 15), 228000),
    ("H", ("sum", (0.35, 0.68), 0.9, 1), 1.5408451209684888),
])
def test_the_same_on_every_machine(letter, numbers, answer):
    """A sheet handed out and its key must still belong together after an update."""
    exercise = draw_exercise(letter, 2026, 7)
    assert exercise.numbers == numbers
    assert exercise.answer == pytest.approx(answer, rel=1e-14)
    assert (exercise.letter, exercise.seed, exercise.variant) == (letter, 2026, 7)


@pytest.mark.parametrize("letter", LETTERS)
def test_a_fresh_start_in_any_order_gives_the_same(letter):
    before = [draw_exercise(letter, 5, variant) for variant in range(20)]
    _drawn.cache_clear()
    after = [draw_exercise(letter, 5, variant) for variant in reversed(range(20))]
    assert after[::-1] == before
    assert len({*before, *after}) == 20


def test_no_two_variants_share_numbers(exercises):
    assert max(Counter(each.numbers for each in exercises).values()) == 1


def test_kinds_take_turns(exercises):
    kinds = {kind.name for kind in GENERATORS[exercises[0].letter]}
    for start in range(0, N_VARIANTS - 10, 10):
        assert {each.numbers[0] for each in exercises[start:start + 10]} == kinds


@pytest.mark.parametrize("letter", LETTERS)
def test_another_seed_draws_others(letter):
    firsts = {tuple(draw_exercise(letter, seed, variant).numbers for variant in range(3))
              for seed in range(4)}
    assert len(firsts) == 4


@pytest.mark.parametrize("letter", LETTERS)
def test_a_thousand_variants(letter):
    cost = n_operations(lambda: draw_exercise(letter, 42, 999))
    assert cost < 4_000_000  # calls: about two seconds
    drawn = [draw_exercise(letter, 42, variant) for variant in range(1000)]
    assert [each.variant for each in drawn] == [*range(1000)]
    assert len({each.numbers for each in drawn}) == 1000


def test_no_end_of_variants_is_promised():
    assert_refused(lambda: draw_exercise("E", 3, 10**9), "variant 1000000000 of E",
                   "choose 0 to 15")


@pytest.mark.parametrize(("arguments", "parts"), [
    (("I",), ["letter 'I'", "'A', 'B'"]), (("a",), ["letter 'a'"]),
    (("A", -1), ["seed -1", "0 or more"]), (("A", 1.5), ["seed 1.5"]),
    (("A", 0, -1), ["variant -1", "0 or more"]), (("A", 0, True), ["variant True"]),
])
def test_refusals(arguments, parts):
    assert_refused(lambda: draw_exercise(*arguments), *parts)


# What every exercise keeps


def test_sound(exercises):
    for exercise in exercises:
        assert is_sound(exercise)
        assert exercise.wrong_answers


def test_answer_to_two_decimals_is_right(exercises):
    for exercise in exercises:
        typed = str(exercise.answer) if exercise.is_count else f"{exercise.answer:.2f}"
        assert diagnose(exercise, typed).right


def test_derivation_ends_in_the_answer(exercises):
    for exercise in exercises:
        answer = exercise.answer
        shown = latex(integer(answer) if exercise.is_count else decimal(answer))
        assert re.search(rf"(= |\{{){re.escape(shown)}\D*$", exercise.steps[-1].working)
        assert [step.number for step in exercise.steps] == list(range(1, len(exercise.steps) + 1))


def test_wrong_answers_point_to_a_step_and_show_their_result(exercises):
    for exercise in exercises:
        for wrong in exercise.wrong_answers:
            assert wrong.mistake in MISTAKES
            assert 1 <= wrong.step <= len(exercise.steps)
            assert decimal(wrong.value) in wrong.how or integer(wrong.value) in wrong.how or (
                wrong.mistake in ("perplexity", "probability"))


def test_formulas_become_mathml(exercises):
    for exercise in exercises[:20]:
        html = "".join(typeset(step._repr_markdown_()) for step in exercise.steps)
        assert "<math" in html and "$" not in html and "\\" not in html


def test_texts(exercises):
    for exercise in exercises:
        assert exercise.story[-1] == "." and exercise.question[-1] == "?"
        assert exercise.hint[-1] in ".?" and not re.search(r"\d", exercise.hint)
        assert exercise.is_count or f"in {exercise.unit}?" in exercise.question
        assert exercise.unit in exercise.accepts
        texts = [exercise.story, exercise.question, exercise.hint, exercise.accepts,
                 *(wrong.how for wrong in exercise.wrong_answers)]
        for text in texts:
            assert "  " not in text and ".." not in text and "$" not in text and "\\" not in text
        assert exercise.is_count == isinstance(exercise.answer, int)


def test_every_mistake_can_be_met():
    drawn = {wrong.mistake for letter in LETTERS for variant in range(40)
             for wrong in draw_exercise(letter, 1, variant).wrong_answers}
    assert drawn == set(MISTAKES)


def test_mistakes_read_on_from_it_looks_as_if():
    for mistake in MISTAKES.values():
        assert mistake.what.startswith("you ") and mistake.what[-1] not in ".,"
        assert mistake.remedy[0].isupper() and mistake.remedy[-1] == "."


# Answers worked out a second time


def from_logits(exercise):
    *_, logits = exercise.numbers
    label = exercise.numbers[2]
    return mpmath.log(mpmath.fsum(mpmath.exp(z) for z in logits)) - logits[label]


def from_a_limit(exercise):
    kind, number, *_, unit = exercise.numbers
    exact = mpmath.mpf(str(number))
    nats = -mpmath.log(exact) if kind == "mistake" else mpmath.log(exact)
    return nats / mpmath.log(2) if unit == "bits" else nats


def from_slots(exercise):
    kind, chances, *rest = exercise.numbers
    losses = [-mpmath.log(mpmath.mpf(str(p))) for p in chances]
    masked = mpmath.fsum(losses) / (len(losses) if kind == "mean" else 1)
    return masked if len(rest) == 1 else masked - mpmath.log(mpmath.mpf(str(rest[0])))


def from_a_length(exercise):
    kind, n_tokens, per_cent, *limit = exercise.numbers
    n_tokens += 3 * (kind == "special_tokens")
    share = Decimal(per_cent * n_tokens) / 100
    if not limit:
        return int(share)
    return min(limit[0], max(1, int(share.quantize(Decimal(1), ROUND_HALF_EVEN))))


def from_a_corpus(exercise):
    kind, number, *rest = exercise.numbers
    if kind == "sequences":
        length, rate = rest
        return number * int((Decimal(length * rate) / 100).quantize(Decimal(1), ROUND_HALF_EVEN))
    rate, split = rest[:2]
    if kind == "whole":
        masked = int(exercise.givens.rows[0][1].replace("\u202f", ""))
        return masked * 10_000 // (rate * split[0])
    per_cent = {"mask": split[0], "swap": split[1], "keep": split[2]}[rest[2]] if rest[2:] else 100
    return number * rate * per_cent // 10_000


AGAIN = {"A": from_logits, "B": from_logits, "C": from_logits, "D": from_a_length,
         "E": from_a_limit, "F": from_slots, "G": from_a_corpus, "H": from_slots}


def test_answers(exercises):
    with mpmath.workdps(50):
        for exercise in exercises:
            again = AGAIN[exercise.letter](exercise)
            assert exercise.answer == pytest.approx(float(again), rel=1e-14, abs=0), (
                exercise.numbers)


def test_questions_show_the_numbers_they_are_about(exercises):
    for exercise in exercises:
        given = " ".join([exercise.story, *(cell for row in exercise.givens.rows for cell in row)])
        for number in flat(exercise.numbers[1:]):
            if number in hidden(exercise):
                continue
            assert re.search(rf"(?<![\d.]){re.escape(written(number))}(?![\d.]*\d)", given), number


def flat(numbers):
    for each in numbers:
        yield from flat(each) if isinstance(each, tuple) else ([each] if type(each) is not str
                                                               else [])


def hidden(exercise):
    """Indices of words and labels, and the answer itself."""
    if exercise.letter in "ABC":
        return {number for number in exercise.numbers[1:] if type(number) is int}
    if exercise.letter == "H":
        return {0, 1}
    return {exercise.answer} if exercise.numbers[0] == "whole" else set()


def written(number):
    if isinstance(number, int):
        return integer(number)
    return decimal(number) if 0 < abs(number) < 5e-5 else decimal(number).rstrip("0").rstrip(".")


# Questions of one's own


def test_a_slot_of_ones_own():
    slot = Slot(("tea", "rum"), (1.0, 2.0), label=0, vocab_size=1000, rest_logit=-3.0)
    exercise = slot_exercise(slot, "B", ("mine",), "My own.")
    assert (exercise.letter, exercise.numbers, exercise.story) == ("B", ("mine",), "My own.")
    assert exercise.givens.rows == [("tea", "1"), ("rum", "2"), ("998 others", "−3 each")]
    # ln(e^1 + e^2 + 998 e^-3) - 1
    assert exercise.answer == pytest.approx(3.090919, abs=1e-6)
    assert is_sound(exercise)


def test_mistakes_that_happen_to_be_right_are_left_out_of_ones_own():
    certain = slot_exercise(Slot(("tea", "rum"), (50.0, 0.0), label=0, shown=0))
    assert is_sound(certain) and [wrong.mistake for wrong in certain.wrong_answers] == [
        "probability"]
    assert diagnose(certain, "0").right


def test_extreme_logits_leave_finite_mistakes():
    exercise = slot_exercise(Slot(("a", "b", "c"), (1000.0, -1000.0, 999.0), label=1, shown=2))
    assert exercise.answer == pytest.approx(2000.313, abs=1e-3)  # 2000 + ln(1 + e^-1)
    assert is_sound(exercise) and diagnose(exercise, "2000.31").right


def test_an_infinite_loss_is_refused():
    assert_refused(lambda: slot_exercise(Slot(("a", "b"), (float("-inf"), 0.0), label=0)),
                   "the loss is inf", "'a'", "finite logit")


@pytest.mark.parametrize("text", HOSTILE)
def test_any_word_stays_plain(text):
    exercise = slot_exercise(Slot((text, "b"), (0.5, 1.5), label=0, shown=1))
    assert f"“{text}”" in exercise.question
    assert exercise.givens.rows[0][0] == text


def test_unsound_exercises_are_known_and_mended():
    exercise = draw_exercise("A")
    for value in (exercise.answer, exercise.answer + 0.0099, float("nan"), float("inf")):
        spoilt = replace(exercise, wrong_answers=(WrongAnswer("sign", value, "", 1),))
        assert not is_sound(spoilt) and sound_part(spoilt).wrong_answers == ()
    near = (WrongAnswer("sign", 9.0, "", 1), WrongAnswer("log_base", 9.009, "", 1),
            WrongAnswer("sign", 9.001, "", 1))
    spoilt = replace(exercise, wrong_answers=near)
    assert not is_sound(spoilt) and sound_part(spoilt).wrong_answers == (near[0], near[2])
    count = replace(exercise, tolerance=0.0, answer=3,
                    wrong_answers=(WrongAnswer("sign", 3, "", 1),))
    assert not is_sound(count) and is_sound(replace(count, answer=4))
