"""What is said of an answer: right, a known mistake, too coarse, cut off, or simply wrong."""

import pytest

from mlm_helpers.examples import KEEP_UNCHANGED, STANDARD_MASK
from mlm_helpers.exercises import diagnose, draw_exercise, slot_exercise
from mlm_helpers.exercises.corpus_exercises import branch_exercise, sequences_exercise
from mlm_helpers.exercises.draw import GENERATORS
from mlm_helpers.exercises.limit_exercises import guess_exercise, mistake_exercise
from mlm_helpers.wording import decimal, integer
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

MASKED = slot_exercise(STANDARD_MASK.slot)  # loss 0.6265, P(cat) 0.5344
KEPT = slot_exercise(KEEP_UNCHANGED.slot, "C")  # loss 0.1392
MASKS = branch_exercise(2_000_000_000, 15, (80, 10, 10), "mask")  # 240 000 000
SEQUENCES = sequences_exercise(15_625_000, 128, 15)  # 296 875 000, and 300 000 000 unrounded


@pytest.fixture(scope="module")
def drawn():
    """Sixty exercises of each letter."""
    return [draw_exercise(letter, 1, variant) for letter in GENERATORS for variant in range(60)]


@pytest.mark.parametrize("text", [
    "0.63", "0,63", ".6265", "6.27e-1", "0.6265 nats", "0.62652337504", "0.6315", "0.6220",
    "-ln(0.5344)", "ln 13.8256 - 2", "0.631523375036",
])
def test_right(text):
    diagnosis = diagnose(MASKED, text)
    assert (diagnosis.right, diagnosis.message, diagnosis.cause) == (True, "Right: 0.6265 nats.",
                                                                     None)


@pytest.mark.parametrize(("text", "part"), [
    ("0.6", "too coarse"), ("0.62", "cut off"), ("0.621", "Close, but off by 0.0055 nats"),
    ("0.635", "Close, but off by 0.0085 nats"), ("62.65", "a hundred times too large"),
    ("62.7", "a hundred times too large"), ("0.66", "none of the usual mistakes"),
    ("1", "none of the usual mistakes"), ("0", "none of the usual mistakes"),
    ("-ln(0.6)", "none of the usual mistakes"), ("1e300", "none of the usual mistakes"),
])
def test_wrong_without_a_cause(text, part):
    diagnosis = diagnose(MASKED, text)
    assert not diagnosis.right and diagnosis.cause is None and part in diagnosis.message


@pytest.mark.parametrize(("exercise", "text", "mistake"), [
    (MASKED, "0.9", "log_base"), (MASKED, "0.90", "log_base"), (MASKED, "0.9038", "log_base"),
    (MASKED, "log2(13.8256) - 2/ln(2)", "log_base"), (MASKED, "0.5344", "probability"),
    (MASKED, "53.44", "probability"), (MASKED, "53", "probability"), (MASKED, "-.63", "sign"),
    (MASKED, "ln 2", "not_exponentiated"), (KEPT, "0", "unchanged_zero"),
    (KEPT, "0.00", "unchanged_zero"), (KEPT, "87", "probability"),
    (mistake_exercise(2e-6, 30_000, "nats"), "500 000", "perplexity"),
    (mistake_exercise(3e-6, 30_000, "nats"), "333333", "perplexity"),
    (mistake_exercise(2e-6, 30_000, "nats"), "2e-6", "probability"),
    (mistake_exercise(2e-6, 30_000, "nats"), "10.3", "uniform_ceiling"),
    (guess_exercise(30_000, "nats"), "30 000", "perplexity"),
    (MASKS, "1.6e9", "share_of_all_tokens"), (MASKS, "300,000,000", "share_not_applied"),
    (MASKS, "0.15·2000000000", "share_not_applied"), (SEQUENCES, "3e8", "rounding_forgotten"),
])
def test_cause(exercise, text, mistake):
    diagnosis = diagnose(exercise, text)
    assert not diagnosis.right and diagnosis.cause.mistake == mistake
    assert diagnosis.cause.how in diagnosis.message


@pytest.mark.parametrize("text", [
    "240000000", "240 000 000", "240,000,000", "240.000.000", "2.4e8", "0.24e9", "0,24e9",
    "0.8*0.15*2 000 000 000", "240000000.0", "240 000 000 slots",
])
def test_right_count(text):
    assert diagnose(MASKS, text).right


@pytest.mark.parametrize(("exercise", "text", "part"), [
    (MASKS, "240000001", "none of the usual"), (MASKS, "2e8", "the exact whole number"),
    (SEQUENCES, "2.97e8", "the exact whole number"), (MASKS, "240000000.5", "slots come whole"),
    (draw_exercise("D"), "19.2", "slots come whole"), (MASKS, "-240000000", "none of the usual"),
    (MASKS, "0.12", "slots come whole"),
])
def test_wrong_count(exercise, text, part):
    diagnosis = diagnose(exercise, text)
    assert not diagnosis.right and diagnosis.cause is None and part in diagnosis.message


def test_message_in_full():
    assert diagnose(MASKED, "0.53").message == (
        "Not right. It looks as if you gave the probability and not the loss: P(cat) = 0.5344. "
        "One step is missing: take −ln of it.")


def test_rounding_says_what_it_cost():
    exercise = mistake_exercise(2e-6, 30_000, "bits")  # 18.9316
    diagnosis = diagnose(exercise, "18.75")  # 13.1224 / 0.7 = 18.7462
    assert diagnosis.message.endswith("It cost 0.1853 bits here.")


def test_each_known_mistake_is_named_however_it_is_typed(drawn):
    for exercise in drawn:
        for wrong in exercise.wrong_answers:
            for text in ways_to_type(exercise, wrong.value):
                diagnosis = diagnose(exercise, text)
                assert not diagnosis.right
                assert diagnosis.cause.mistake == wrong.mistake, (exercise.numbers, text)


def test_the_right_answer_is_right_however_it_is_typed(drawn):
    for exercise in drawn:
        for text in ways_to_type(exercise, exercise.answer):
            assert diagnose(exercise, text).right
            assert diagnose(exercise, f"{text} {exercise.unit}").right


def test_no_message_gives_the_answer_away(drawn):
    """But for a sign left out, where the answer has just been typed."""
    for exercise in drawn:
        if exercise.is_count and exercise.answer < 1000:
            continue  # its digits may stand anywhere
        shown = exercise.shown(exercise.answer)
        number = shown.rsplit(" ", 1)[0]
        for wrong in exercise.wrong_answers:
            message = diagnose(exercise, repr(wrong.value)).message
            assert f" {number} " not in message or wrong.mistake == "sign"
        assert shown not in diagnose(exercise, "123.4567").message


def ways_to_type(exercise, value):
    if exercise.is_count:
        return [str(value), integer(value), f"{value:,}", f"{value}.0", f"{value:e}"]
    return [repr(value), f"{value:.4f}", f"{value:.2f}", decimal(value, 2).replace(".", ","),
            f"{value:.6e}"]


def test_refusals_pass_through():
    assert_refused(lambda: diagnose(MASKED, "cat"), "“cat”", "0.63")
    assert_refused(lambda: diagnose(MASKED, "0.9 bits"), "“0.9 bits”", "in nats")
    assert_refused(lambda: diagnose(MASKS, "12 %"), "“12 %”", "in slots")
