"""The explorer of BERT's whole loss as a reader uses it, held against mpmath in 50 digits."""

import math
import random

import ipywidgets as widgets
import mpmath
import pytest

from explorer_promises import (
    check_a_failure_is_told,
    check_a_hold_draws_once,
    check_a_move_costs_the_same_in_every_vocabulary,
    check_both_ends_of_every_slider,
    check_bundle,
    check_each_step_is_a_full_redraw,
    check_every_button_draws_once,
    check_every_option_of_every_list,
    check_every_slider_move_draws_once,
    check_nothing_is_left_behind,
    check_refused,
    check_reset_restores_everything,
    drawings,
)
from mlm_helpers.examples import SEVERAL_SLOTS, SlotsExample
from mlm_helpers.explorers import explore_total
from mlm_helpers.explorers import total as total_module
from mlm_helpers.slot_sets import SlotSet
from refusals import assert_refused
from test_explorers import captions, check_said_thrice, click, crowded, notice, parts_of
from test_live import artists
from test_ribbons import Tables
from test_slots_explorer import check_controls, check_picture, random_slots, surprisals
from test_wording import THIN, is_rounded

pytestmark = pytest.mark.filterwarnings("error")

SAID = {"sum": "sum", "mean": "mean over the slots"}
START = ("2 slots, sum 2.5257 + next sentence 0.1054 = total 2.6311 nats; next sentence 4.0 %; "
         "uniform 21.3111")


@pytest.fixture(scope="module")
def made():
    """One explorer for many tests: what Reset undoes need not be made again."""
    yield explore_total()
    widgets.Widget.close_all()  # ipywidgets keeps every widget until it is closed


@pytest.fixture
def explorer(made):
    made.reset()
    return made


@pytest.fixture
def by_logits(explorer):
    explorer.given_by.value = "two logits"
    return explorer


def next_sentence(explorer):
    with mpmath.workdps(50):
        if explorer.given_by.value == "its probability":
            return -mpmath.log(mpmath.mpf(explorer.probability.value))
        logits = [mpmath.mpf(control.value)
                  for control in (explorer.next_logit, explorer.random_logit)]
        return mpmath.log(mpmath.fsum(map(mpmath.exp, logits))) - logits[explorer.label.index]


def check(explorer):
    check_said_thrice(explorer)
    check_controls(explorer.slots)
    slots, reduction, losses = explorer.slots.value, explorer.reduction.value, surprisals(
        explorer.slots.value)
    divisor = {"sum": 1, "mean": max(1, slots.n_slots)}[reduction]
    ln_v, pair = mpmath.log(slots.vocab_size), next_sentence(explorer)
    words = mpmath.fsum(losses) / divisor
    total, uniform = words + pair, slots.n_slots * ln_v / divisor + mpmath.log(2)
    pattern = (f"NUMBER slots?, {SAID[reduction]} NUMBER \\+ next sentence NUMBER = total NUMBER "
               "nats; (?:next sentence NUMBER %; )?uniform NUMBER")
    count, said_words, said_pair, said_total, share, reference = parts_of(explorer.sentence,
                                                                          pattern)
    assert count == str(slots.n_slots)
    assert is_rounded(said_words, words) and is_rounded(said_pair, pair)
    assert is_rounded(said_total, total) and is_rounded(reference, uniform)
    assert (share is None) == (total == 0)
    assert share is None or is_rounded(share, 100 * pair / total)
    loss = explorer.loss
    assert [loss.masked_lm, loss.next_sentence, loss.total] == pytest.approx(
        [float(words), float(pair), float(total)], rel=1e-12, abs=1e-15)
    title = check_picture(explorer.picture, losses, [part / divisor for part in losses], ln_v, pair)
    assert title.startswith(f"{reduction} of the slots + NSP; dashed: uniform {reference}")
    assert explorer.picture.stack.total.get_text() == said_total
    check_parts(explorer.parts.value, slots.n_slots, (words, pair, total), ln_v, divisor)
    given = explorer.given_by.value == "two logits"
    assert explorer.probability.box.disabled == explorer.probability.slider.disabled == given
    for control in (explorer.next_logit.box, explorer.random_logit.slider, explorer.label):
        assert control.disabled != given


def check_parts(html, n_slots, losses, ln_v, divisor):
    head, *rows = Tables(html).rows
    assert head == ["part", "loss (nats)", "share", "uniform (nats)"]
    assert [row[0] for row in rows] == [
        f"masked words, {n_slots} slot{'' if n_slots == 1 else 's'}", "next sentence", "total"
    ]
    words = n_slots * ln_v / divisor
    for row, loss, reference in zip(rows, losses, (words, mpmath.log(2), words + mpmath.log(2)),
                                    strict=True):
        assert is_rounded(row[1], loss) and is_rounded(row[3], reference)
        if losses[-1]:
            assert is_rounded(row[2].removesuffix(" %"), 100 * loss / losses[-1])
        else:
            assert row[2] == "undefined"


# Controls


@pytest.mark.parametrize("given_by", ["its probability", "two logits"])
def test_both_ends_of_every_slider(explorer, given_by):
    explorer.given_by.value = given_by
    check_both_ends_of_every_slider(explorer, check)


def test_every_option_of_every_list(by_logits):
    check_every_option_of_every_list(by_logits, check)


def test_every_button_draws_once(explorer, monkeypatch):
    check_every_button_draws_once(explorer, check, drawings(monkeypatch))


def test_every_slider_move_draws_once(explorer, monkeypatch):
    check_every_slider_move_draws_once(explorer, drawings(monkeypatch))


def test_a_hold_draws_once(explorer, monkeypatch):
    check_a_hold_draws_once(explorer, drawings(monkeypatch))


def test_reset_restores_everything():
    check_reset_restores_everything(explore_total)


def test_twelve_slots_with_every_slider_moved(explorer):
    explorer.slots.n_slots.slider.value = 12
    for number, control in enumerate(explorer.slots.probabilities):
        control.slider.value = 50 * number
        check(explorer)
    explorer.probability.slider.value = 300
    explorer.slots.vocab_size.slider.value = 123
    for reduction in ("mean", "sum"):
        explorer.reduction.value = reduction
        check(explorer)
    explorer.given_by.value = "two logits"
    explorer.next_logit.slider.value = explorer.random_logit.slider.value = 0
    check(explorer)


def test_presets_come_first_and_reset_last(explorer):
    assert captions(explorer) == [
        "Worked example", "Mean instead of sum", "Start of training", "Late training (SciBERT)",
        "No slot", "Reset",
    ]


# Numbers written down


def test_the_start_is_the_worked_example(explorer):
    assert explorer.sentence == START
    check(explorer)


@pytest.mark.parametrize(
    ("caption", "sentence"),
    [
        ("Worked example", START),
        ("Mean instead of sum", "2 slots, mean over the slots 1.2629 + next sentence 0.1054 = "
                                "total 1.3682 nats; next sentence 7.7 %; uniform 11.0021"),
        # ln 30522 = 10.3262, ln 2 = 0.6931
        ("Start of training", "2 slots, mean over the slots 10.3262 + next sentence 0.6931 = "
                              "total 11.0194 nats; next sentence 6.3 %; uniform 11.0194"),
        # SciBERT: 1.2882848 and 0.0196654
        ("Late training (SciBERT)", "2 slots, mean over the slots 1.2883 + next sentence 0.0197 = "
                                    "total 1.3080 nats; next sentence 1.5 %; uniform 11.0194"),
        ("No slot", "0 slots, sum 0.0000 + next sentence 0.1054 = total 0.1054 nats; "
                    "next sentence 100.0 %; uniform 0.6931"),
    ],
)
def test_presets_show_the_numbers_written_down(explorer, caption, sentence):
    click(explorer, caption)
    assert explorer.sentence == sentence
    check(explorer)


@pytest.mark.parametrize("caption", ["Worked example", "Mean instead of sum"])
def test_worked_presets_bring_the_numbers_back_from_anywhere(explorer, caption):
    click(explorer, caption)
    expected = explorer.sentence
    explorer.choose(slots=SlotSet((0.3,) * 5, 4, 80), given_by="two logits", label=1,
                    next_logit=-3.0)
    click(explorer, caption)
    assert explorer.sentence == expected
    check(explorer)


@pytest.mark.parametrize("reduction", ["sum", "mean"])
def test_without_slots_the_next_sentence_is_all_there_is_under_either_reduction(explorer,
                                                                                reduction):
    explorer.reduction.value = reduction
    click(explorer, "No slot")
    assert explorer.loss.total == pytest.approx(-math.log(0.9), rel=1e-12)
    assert "total 0.1054 nats" in explorer.sentence and explorer.sentence.startswith("0 slots, ")
    assert explorer.slots._sliders.children == ()
    check(explorer)


def test_certain_answers_everywhere_cost_nothing_and_no_share_is_told(explorer):
    explorer.choose(slots=SlotSet((1.0,) * 3, 4, 12), probability=1.0)
    assert explorer.sentence == ("3 slots, sum 0.0000 + next sentence 0.0000 = total 0.0000 nats; "
                                 "uniform 4.8520")
    assert [row[2] for row in Tables(explorer.parts.value).rows[1:]] == ["undefined"] * 3
    check(explorer)


# ln(1 + e^-2) = 0.126928, and 2 more for the other label
@pytest.mark.parametrize(("label", "loss"), [("B is next (0)", "0.1269"),
                                             ("B is random (1)", "2.1269")])
def test_two_logits_and_a_label_give_the_next_sentences_loss(by_logits, label, loss):
    by_logits.label.label = label
    assert f"+ next sentence {loss} = total" in by_logits.sentence
    check(by_logits)


@pytest.mark.parametrize(("logits", "loss"), [((0, 0), math.log(2)), ((-10, 10), 20 + 2.06e-9),
                                              ((10, -10), 2.061153620314381e-9)])
def test_logits_at_their_ends(by_logits, logits, loss):
    by_logits.next_logit.value, by_logits.random_logit.value = logits
    assert by_logits.loss.next_sentence == pytest.approx(loss, rel=1e-9)
    check(by_logits)


def test_an_example_of_ones_own_is_where_it_starts_and_where_reset_returns():
    example = SlotsExample(SlotSet((0.5,), 8, 20), (), (), {}, next_sentence_probability=0.25)
    explorer = explore_total(example)
    start = ("1 slot, sum 0.6931 + next sentence 1.3863 = total 2.0794 nats; next sentence 66.7 %; "
             "uniform 2.7726")
    assert explorer.sentence == start
    click(explorer, "Late training (SciBERT)")
    click(explorer, "Reset")
    assert explorer.sentence == start
    check(explorer)


# Refusals


@pytest.mark.parametrize(
    ("control", "typed", "parts"),
    [
        (lambda explorer: explorer.slots.n_slots, 13, ["13 is not possible", "0 to 12"]),
        (lambda explorer: explorer.slots.n_slots, -1, ["−1 is not possible", "0 to 12"]),
        (lambda explorer: explorer.slots.probabilities[1], 0, ["0 is not", "1.0·10⁻⁶ to 1"]),
        (lambda explorer: explorer.slots.vocab_size, 1, ["1 is not", f"2 to 250{THIN}002"]),
        (lambda explorer: explorer.probability, 0, ["0 is not possible", "1.0·10⁻⁶ to 1"]),
        (lambda explorer: explorer.probability, 90, ["90 is not possible", "1.0·10⁻⁶ to 1"]),
    ],
)
def test_a_typed_number_out_of_range_is_refused_and_the_picture_stands(explorer, control, typed,
                                                                       parts):
    check_refused(explorer, control(explorer), typed, *parts)
    check(explorer)


@pytest.mark.parametrize("name", ["next_logit", "random_logit"])
@pytest.mark.parametrize(("typed", "said"), [(99, "99"), (-10.1, "−10.1"), (math.inf, "∞")])
def test_a_logit_out_of_range_is_refused_and_the_picture_stands(by_logits, name, typed, said):
    check_refused(by_logits, getattr(by_logits, name), typed, f"{said} is not possible",
                  "−10 to 10")
    check(by_logits)


def test_a_refusal_does_not_outlive_a_button(explorer):
    for caption in captions(explorer):
        explorer.probability.box.value = 7.0
        assert "7 is not possible" in notice(explorer)
        click(explorer, caption)
        assert notice(explorer) == "", caption


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(explorer, monkeypatch):
    check_a_failure_is_told(explorer, monkeypatch, total_module, "total_sentence", check)


# The picture


def walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.slots.value = random_slots(rng, fewest=0)
            explorer.reduction.index = rng.randrange(2)
            explorer.given_by.index = rng.randrange(2)
            explorer.label.index = rng.randrange(2)
            explorer.probability.value = rng.choice([1, 1e-6, 0.5, rng.uniform(0.01, 1)])
            explorer.next_logit.value = rng.choice([-10, 0, 10])
            explorer.random_logit.value = rng.choice([-10, 0, 10])
        yield explorer.figure


def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(explorer):
    check_each_step_is_a_full_redraw(walk(explorer, 10, seed=0))


def test_a_walk_and_showing_it_leave_nothing_behind(explorer):
    check_nothing_is_left_behind(explorer, walk(explorer, 8, seed=5))


def test_no_text_overlaps_another_or_leaves_the_picture(explorer):
    for _ in walk(explorer, 15, seed=3):
        assert not crowded(explorer.figure.figure), explorer.sentence
        check(explorer)


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    click(explorer, "Late training (SciBERT)")
    check_bundle(explorer)


def test_a_move_costs_no_more_in_a_large_vocabulary(explorer):
    before = artists(explorer.figure.figure)
    check_a_move_costs_the_same_in_every_vocabulary(explorer.slots.vocab_size,
                                                    explorer.probability)
    assert artists(explorer.figure.figure) == before


def test_an_example_without_a_next_sentence_is_refused():
    assert_refused(lambda: explore_total(SEVERAL_SLOTS), "next_sentence_probability",
                   "explore_slots")
