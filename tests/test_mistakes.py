"""Each known mistake made by hand on a fixed exercise, and named as what it is.

The numbers typed were worked out outside the package, with mpmath or by counting; how stands
beside each.
"""

import pytest

from mlm_helpers.exercises import corpus_exercises as corpus
from mlm_helpers.exercises import diagnose
from mlm_helpers.exercises import limit_exercises as limits
from mlm_helpers.exercises import slot_count_exercises as slot_counts
from mlm_helpers.exercises.exercise import is_sound
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.exercises.several_slots_exercises import slots_exercise
from mlm_helpers.exercises.slot_exercises import (
    kept_exercise,
    masked_exercise,
    swapped_exercise,
)
from mlm_helpers.exercises.total_exercises import total_exercise
from mlm_helpers.pretraining import IS_NEXT

pytestmark = pytest.mark.filterwarnings("error")

MADE = {
    # e^1 + e^2.5 + e^1.5 + e^-0.5 = 19.988996; P(fox) = e^1.5 / 19.988996 = 0.224208
    "A": (masked_exercise(0, 2, (1.0, 2.5, 1.5, -0.5)), "1.4952", [
        ("log_base", "2.1571", 4),  # -log2 0.224208
        ("log_base", "0.6493", 4),  # -log10 0.224208
        ("sign", "-1.4952", 4),  # ln 0.224208
        ("probability", "0.2242", 4),
        ("not_exponentiated", "1.0986", 1),  # -ln(1.5 / 4.5) = ln 3
        ("argmax", "0.4952", 3),  # -ln(e^2.5 / 19.988996)
        ("rounded", "1.6094", 1),  # -ln(4 / (3 + 12 + 4 + 1)) = ln 5; -ln 0.2 is the same
        ("rounded", "1.5141", 3),  # -ln 0.22
    ]),
    # e^0.5 + e^1.5 + e^2.5 + e^1 = 21.031186; P(cat) = e^1.5 / 21.031186 = 0.213097
    "B": (swapped_exercise(0, 1, 3, (0.5, 1.5, 2.5, 1.0)), "1.5460", [
        ("shown_word", "2.0460", 1),  # -ln(e^1 / 21.031186)
        ("argmax", "0.5460", 4),  # -ln(e^2.5 / 21.031186)
        ("log_base", "2.2304", 5),  # -log2 0.213097
        ("not_exponentiated", "1.2993", 2),  # -ln(1.5 / 5.5)
        ("rounded", "1.6582", 2),  # -ln(4 / (2 + 4 + 12 + 3))
        ("rounded", "1.5606", 4),  # -ln 0.21
        ("probability", "0.2131", 5),
        ("sign", "-1.5460", 5),
    ]),
    # e^0.5 + e^3 + e^1 + e^-0.5 = 25.059071; P(cat) = e^3 / 25.059071 = 0.801528
    "C": (kept_exercise(0, 1, (0.5, 3.0, 1.0, -0.5)), "0.2212", [
        ("unchanged_zero", "0", 1),
        ("log_base", "0.3192", 5),  # -log2 0.801528
        ("log_base", "0.0961", 5),  # -log10 0.801528
        ("not_exponentiated", "0.2877", 2),  # -ln(3 / 4)
        ("rounded", "0.2624", 2),  # -ln(20 / (2 + 20 + 3 + 1))
        ("sign", "-0.2212", 5),
        ("probability", "0.8015", 5),
    ]),
    "C, another word ahead": (kept_exercise(0, 0, (2.0, -0.5, 1.0, 3.0)), "1.4275", [
        ("argmax", "0.4275", 4),  # one nat less than the answer, for logits 3 and 2
    ]),
    # 0.15 · 38 = 5.7
    "D, down": (slot_counts.down_exercise(38, 15), "5", [("round_for_floor", "6", 2)]),
    # 0.1 · 4 = 0.4
    "D, none": (slot_counts.none_exercise(4, 10), "0", [("at_least_one", "1", 2)]),
    "D, nearest": (slot_counts.nearest_exercise(38, 15, 20), "6", [("floor_for_round", "5", 2)]),
    "D, at least one": (slot_counts.limits_exercise("at_least_one", 4, 10, 20), "1", [
        ("at_least_one", "0", 3)]),
    # 0.15 · 512 = 76.8
    "D, limit": (slot_counts.limits_exercise("cap", 512, 15, 20), "20", [("cap", "77", 3)]),
    # 0.15 · 30 = 4.5
    "D, halfway": (slot_counts.halfway_exercise(30, 15, 20), "4", [("half_up", "5", 2)]),
    # 0.2 · (30 + 3) = 6.6, 0.2 · 30 = 6
    "D, special": (slot_counts.special_exercise(30, 20, 20), "7", [("special_forgotten", "6", 1)]),
    "E, guess": (limits.guess_exercise(30_000, "nats"), "10.3090", [
        ("bits_for_nats", "14.8727", 2),  # log2 30000
        ("log_base", "4.4771", 2),  # log10 30000
        ("sign", "-10.3090", 2),
        ("probability", "0.0000333", 2),  # 1 / 30000
        ("perplexity", "30000", 2),
    ]),
    "E, guess in bits": (limits.guess_exercise(30_000, "bits"), "14.8727", [
        ("nats_for_bits", "10.3090", 3),
        ("log_base", "4.4771", 2),
        ("sign", "-14.8727", 2),
        ("probability", "3.33e-5", 2),
        ("perplexity", "30 000", 2),
        ("rounded", "14.7271", 3),  # 10.308953 / 0.7
    ]),
    # 1 / 5600 = 0.000179 becomes 0.0002
    "E, rounded p": (limits.guess_exercise(5_600, "nats"), "8.6305", [("rounded", "8.5172", 1)]),
    "E, sure and wrong": (limits.mistake_exercise(2e-6, 30_000, "nats"), "13.1224", [
        ("uniform_ceiling", "10.3090", 1),  # ln 30000
        ("bits_for_nats", "18.9316", 2),  # -log2 0.000002
        ("log_base", "5.6990", 2),  # -log10 0.000002
        ("sign", "-13.1224", 2),
        ("probability", "0.000002", 2),
        ("perplexity", "500000", 2),  # 1 / 0.000002
    ]),
    "E, sure and wrong in bits": (limits.mistake_exercise(2e-6, 30_000, "bits"), "18.9316", [
        ("uniform_ceiling", "14.8727", 1),  # log2 30000
        ("nats_for_bits", "13.1224", 3),
        ("rounded", "18.8993", 2),  # 13.1 / ln 2
        ("rounded", "18.7462", 3),  # 13.122363 / 0.7
    ]),
    "E, perplexity": (limits.perplexity_exercise(3.6, "nats"), "1.2809", [
        ("perplexity", "3.6", 1),
        ("bits_for_nats", "1.8480", 2),  # log2 3.6
        ("log_base", "0.5563", 2),  # log10 3.6
        ("rounded", "1.3863", 1),  # ln 4
    ]),
    "E, perplexity in bits": (limits.perplexity_exercise(3.6, "bits"), "1.8480", [
        ("nats_for_bits", "1.2809", 3),
        ("rounded", "1.8755", 2),  # 1.3 / ln 2
        ("rounded", "1.8299", 3),  # 1.280934 / 0.7
        ("rounded", "2", 1),  # log2 4
    ]),
    # -ln 0.4 = 0.916291, -ln 0.2 = 1.609438
    "F, sum": (slots_exercise("sum", (0.4, 0.2), 12), "2.5257", [
        ("mean_for_sum", "1.2629", 2),  # 2.525729 / 2
        ("token_mean", "0.2105", 2),  # 2.525729 / 12
        ("product_of_losses", "1.4747", 2),  # 0.916291 · 1.609438
        ("log_of_sum", "0.5108", 1),  # -ln 0.6
        ("probability", "0.08", 1),  # 0.4 · 0.2
        ("log_base", "3.6439", 1),  # 2.525729 / ln 2
        ("log_base", "1.0969", 1),  # 2.525729 / ln 10
        ("sign", "-2.5257", 1),
        ("rounded", "2.5", 1),  # 0.9 + 1.6
    ]),
    "F, mean": (slots_exercise("mean", (0.4, 0.2), 12), "1.2629", [
        ("sum_for_mean", "2.5257", 3),
        ("token_mean", "0.2105", 3),
        ("product_of_losses", "1.4747", 2),
        ("product_of_losses", "0.7374", 2),  # 0.916291 · 1.609438 / 2
        ("log_of_sum", "0.5108", 1),
        ("log_of_sum", "1.2040", 1),  # -ln 0.3
        ("perplexity", "3.5355", 3),  # e^1.262864 = 1 / sqrt 0.08
        ("rounded", "1.25", 1),  # (0.9 + 1.6) / 2
    ]),
    "G, slots": (corpus.slots_exercise(2_000_000_000, 15, (80, 10, 10)), "300 000 000", [
        ("only_masked", "240 000 000", 1),  # 80 % of 300 million
        ("share_of_all_tokens", "1.6e9", 1),  # 80 % of 2 000 million
    ]),
    "G, masks": (corpus.branch_exercise(2_000_000_000, 15, (80, 10, 10), "mask"), "2.4e8", [
        ("share_not_applied", "300,000,000", 2),
        ("share_of_all_tokens", "1600000000", 1),
        ("other_branch", "30 000 000", 2),  # 10 % of 300 million
    ]),
    "G, kept": (corpus.branch_exercise(2_000_000_000, 15, (70, 20, 10), "keep"), "30000000", [
        ("other_branch", "60000000", 2),  # 20 % of 300 million
        ("other_branch", "210000000", 2),  # 70 %
        ("share_of_all_tokens", "200000000", 1),  # 10 % of 2 000 million
    ]),
    # 12 000 000 masks in 100 000 000 tokens
    "G, the whole": (corpus.whole_exercise(100_000_000, 15, (80, 10, 10)), "100000000", [
        ("reversed", "1440000", 1),  # 15 % of 80 % of 12 000 000
        ("share_not_applied", "80000000", 1),  # 12 000 000 / 0.15
        ("share_of_all_tokens", "15000000", 2),  # 12 000 000 / 0.8
    ]),
    # 0.15 · 64 = 9.6
    "G, sequences": (corpus.sequences_exercise(1_000_000, 64, 15), "10 000 000", [
        ("rounding_forgotten", "9 600 000", 1),
        ("floor_for_round", "9 000 000", 1),
    ]),
    # -ln 0.9 = 0.105361
    "H, sum": (total_exercise("sum", (0.4, 0.2), 0.9, IS_NEXT), "2.6311", [
        ("nsp_forgotten", "2.5257", 4),
        ("nsp_other_label", "4.8283", 3),  # 2.525729 - ln 0.1
        ("mean_for_sum", "1.3682", 2),  # 1.262864 + 0.105361
        ("product_of_losses", "0.1554", 4),  # 0.916291 · 1.609438 · 0.105361
        ("log_of_sum", "-0.4055", 1),  # -ln 1.5
        ("probability", "0.072", 1),  # 0.4 · 0.2 · 0.9
        ("log_base", "3.7959", 1),  # 2.631089 / ln 2
        ("log_base", "1.1427", 1),  # 2.631089 / ln 10
        ("sign", "-2.6311", 1),
        ("rounded", "2.6", 1),  # 0.9 + 1.6 + 0.1
    ]),
    "H, mean": (total_exercise("mean", (0.4, 0.2), 0.9, IS_NEXT), "1.3682", [
        ("nsp_forgotten", "1.2629", 5),
        ("nsp_other_label", "3.5654", 4),  # 1.262864 - ln 0.1
        ("sum_for_mean", "2.6311", 3),
        ("nsp_averaged", "0.8770", 5),  # 2.631089 / 3
        ("log_base", "1.9739", 1),  # 1.368225 / ln 2
        ("rounded", "1.35", 1),  # (0.9 + 1.6) / 2 + 0.1
    ]),
}
CASES = [(name, mistake, typed, step) for name, (_, _, wrong) in MADE.items()
         for mistake, typed, step in wrong]


@pytest.mark.parametrize(("name", "mistake", "typed", "step"), CASES)
def test_mistake(name, mistake, typed, step):
    diagnosis = diagnose(MADE[name][0], typed)
    assert not diagnosis.right
    assert (diagnosis.cause.mistake, diagnosis.cause.step) == (mistake, step)
    assert MISTAKES[mistake].what in diagnosis.message
    assert MISTAKES[mistake].remedy in diagnosis.message


@pytest.mark.parametrize("name", MADE)
def test_right_answer(name):
    exercise, right, wrong = MADE[name]
    assert diagnose(exercise, right).right
    assert is_sound(exercise)
    assert {mistake for mistake, *_ in wrong} <= {each.mistake for each in exercise.wrong_answers}


def test_each_mistake_is_made_once_at_least():
    assert {mistake for _, mistake, *_ in CASES} == set(MISTAKES)
    assert len(MISTAKES) >= 20


@pytest.mark.parametrize(("name", "message"), [
    ("B", "Not right. It looks as if you scored the word that the input shows and not the label: "
          "−ln P(owl) = −ln 0.1293 = 2.0460. The label is the word that stood there before the "
          "swap. The input is not what is asked for."),
    ("D, limit", "Not right. It looks as if you left out the upper limit: 0.15 · 512 = 76.8, to "
                 "the nearest whole number: 77. BERT's rule ends with it: never more slots than "
                 "the limit, however long the sequence."),
    ("E, sure and wrong", "Not right. It looks as if you took ln V for the largest loss that there "
                          "can be: ln 30\u202f000 = 10.3090. A uniform guess pays ln V. Who gives "
                          "the true word less than 1/V pays more: a loss has no ceiling."),
    ("F, mean", "Not right. It looks as if you gave the sum over the slots, but their mean is "
                "asked for: 0.9163 + 1.6094 = 2.5257. Divide the sum of the slots' losses by the "
                "number of slots."),
    ("G, the whole", "Not right. It looks as if you answered the question the other way round: "
                     "0.15 · 0.8 · 12\u202f000\u202f000 = 1\u202f440\u202f000. The [MASK] symbols "
                     "are given and all tokens are asked for: divide by the shares."),
])
def test_message(name, message):
    exercise, _, wrong = MADE[name]
    assert diagnose(exercise, wrong[0][1]).message == message
