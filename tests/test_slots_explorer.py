"""The explorer of several slots as a reader uses it, held against mpmath in 50 digits.

``check_controls`` and ``check_picture`` serve the total explorer's tests too.
"""

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
from mlm_helpers.examples import SlotsExample
from mlm_helpers.explorers import explore_slots
from mlm_helpers.explorers import slots as slots_module
from mlm_helpers.slot_sets import SlotSet
from refusals import assert_refused
from test_explorers import captions, check_said_thrice, click, crowded, notice, parts_of, state
from test_live import artists
from test_ribbons import Tables
from test_wording import THIN, is_rounded, read_number

pytestmark = pytest.mark.filterwarnings("error")

START = "2 slots among 12 tokens, sum 2.5257 nats, product of p 0.0800; uniform 20.6179"
TITLES = {"sum": "sum of NUMBER slots?", "mean": "mean over NUMBER slots?",
          "token_mean": "a common mistake, over all NUMBER tokens"}
SAID = {"sum": "sum", "mean": "mean over the slots",
        "token_mean": "mean over all tokens, a common mistake,"}


@pytest.fixture(scope="module")
def made():
    """One explorer for many tests: what Reset undoes need not be made again."""
    yield explore_slots()
    widgets.Widget.close_all()  # ipywidgets keeps every widget until it is closed


@pytest.fixture
def explorer(made):
    made.reset()
    return made


def surprisals(slots):
    with mpmath.workdps(50):
        return [-mpmath.log(mpmath.mpf(p)) for p in slots.probabilities]


def check(explorer):
    check_said_thrice(explorer)
    slots, reduction = explorer.slots.value, explorer.reduction.value
    check_controls(explorer.slots)
    losses, size = surprisals(slots), mpmath.log(slots.vocab_size)
    divisor = {"sum": 1, "mean": slots.n_slots, "token_mean": slots.n_tokens}[reduction]
    total, uniform = mpmath.fsum(losses) / divisor, slots.n_slots * size / divisor
    pattern = (f"NUMBER slots? among NUMBER tokens, {SAID[reduction]} NUMBER nats, "
               "product of p NUMBER; uniform NUMBER")
    n_slots, n_tokens, said, product, reference = parts_of(explorer.sentence, pattern)
    assert (n_slots, n_tokens) == (str(slots.n_slots), str(slots.n_tokens))
    assert ("1 slot " in explorer.sentence) == (slots.n_slots == 1)
    assert is_rounded(said, total) and is_rounded(reference, uniform)
    assert is_rounded(product, mpmath.fprod(map(mpmath.mpf, slots.probabilities)))
    title = check_picture(explorer.picture, losses, [loss / divisor for loss in losses], size)
    words = f"{TITLES[reduction]}; dashed: uniform NUMBER(?:, right of this picture)?"
    count, shown_uniform = parts_of(title, words)
    assert count == str(slots.n_tokens if reduction == "token_mean" else slots.n_slots)
    assert shown_uniform == reference and explorer.picture.stack.total.get_text() == said
    check_working(explorer.working.value, slots, losses)


def check_controls(slots):
    """The value is what its controls show, and there are as many sliders as there are slots."""
    given = slots.value
    shown = [control.value for control in slots.probabilities[:given.n_slots]]
    assert shown == pytest.approx(given.probabilities, rel=1e-9)
    assert list(slots._sliders.children) == slots.probabilities[:given.n_slots]
    assert (slots.n_slots.value, slots.vocab_size.value, slots.n_tokens.value) == (
        given.n_slots, given.vocab_size, given.n_tokens)
    assert slots.problem == ""


def check_picture(picture, losses, parts, uniform_of_one, next_sentence=None):
    """Bars, stack and their texts show the losses; returns the stack's title, still to be read."""
    extra = [] if next_sentence is None else [next_sentence]
    check_bars(picture.bars, [*losses, *extra], uniform_of_one, len(losses))
    stack, widths = picture.stack, [*map(float, parts), *map(float, extra)]
    visible = [bar for bar in stack.rectangles if bar.get_visible()]
    assert [bar.get_width() for bar in visible] == pytest.approx(widths, rel=1e-12, abs=1e-15)
    starts = [math.fsum(widths[:index]) for index in range(len(widths))]
    assert [bar.get_x() for bar in visible] == pytest.approx(starts, rel=1e-12, abs=1e-14)
    total, place = mpmath.fsum([*parts, *extra]), stack.total.get_position()[0]
    uniform = stack.uniform.get_xdata()[0]
    assert is_rounded(stack.total.get_text(), total)
    assert place == pytest.approx(float(total), rel=1e-12, abs=1e-14) or total < place == uniform
    longest, title = stack.ax.get_xlim()[1], stack.title.get_text()
    assert float(total) < longest
    assert title.endswith(", right of this picture") == (uniform > longest)
    assert is_rounded(title.split("uniform ")[1].split(",")[0], uniform)
    return title


def check_bars(bars, losses, uniform, n_slots):
    visible = [bar for bar in bars.rectangles if bar.get_visible()]
    numbers = [number for number in bars.numbers if number.get_visible()]
    assert [bar.get_height() for bar in visible] == pytest.approx(
        [float(loss) for loss in losses], rel=1e-12, abs=1e-15)
    for number, loss in zip(numbers, losses, strict=True):
        text, height = number.get_text(), number.get_position()[1]
        assert 0 < loss < 0.05 if text == "<0.1" else is_rounded(text, loss)
        assert math.isclose(height, loss, abs_tol=1e-15) or loss < height == float(uniform)
    names = [text.get_text() for text in bars.ax.get_xticklabels()]
    assert names == [f"slot {i}" if n_slots <= 7 else f"{i}" for i in range(1, n_slots + 1)] + (
        ["NSP"] * (len(losses) - n_slots))
    top = bars.ax.get_ylim()[1]
    assert max([0, *losses]) < top
    assert list(bars.uniform.get_ydata()) == pytest.approx([float(uniform)] * 2)
    (said,) = parts_of(bars.title.get_text(),
                       "loss of each slot; dashed: ln V = NUMBER(?:, above this picture)?")
    assert is_rounded(said, uniform)
    assert bars.title.get_text().endswith("above this picture") == (uniform > top)


def check_working(html, slots, losses):
    head, *rows, last = Tables(html).rows
    assert head == ["", "p", "−ln p"] and len(rows) == len(losses)
    for number, (row, p, loss) in enumerate(zip(rows, slots.probabilities, losses, strict=True), 1):
        assert row[0] == f"slot {number}" and abs(read_number(row[1]) - p) <= 0.00005
        assert is_rounded(row[2], loss)
    product, total = last[1].removeprefix("product "), last[2].removeprefix("sum ")
    assert last[0] == "all" and is_rounded(total, mpmath.fsum(losses))
    assert is_rounded(product, mpmath.fprod(map(mpmath.mpf, slots.probabilities)))


# Controls


def test_both_ends_of_every_slider(explorer):
    check_both_ends_of_every_slider(explorer, check)


def test_every_option_of_every_list(explorer):
    check_every_option_of_every_list(explorer, check)


def test_every_button_draws_once(explorer, monkeypatch):
    check_every_button_draws_once(explorer, check, drawings(monkeypatch))


def test_every_slider_move_draws_once(explorer, monkeypatch):
    check_every_slider_move_draws_once(explorer, drawings(monkeypatch))


def test_a_hold_draws_once(explorer, monkeypatch):
    check_a_hold_draws_once(explorer, drawings(monkeypatch))


def test_reset_restores_everything():
    check_reset_restores_everything(explore_slots)


def test_reset_restores_the_sliders_that_do_not_show_too(explorer):
    """A third slot came with the 0.4 of the twelve slots before."""
    click(explorer, "Twelve slots")
    click(explorer, "Reset")
    explorer.slots.n_slots.value = 12
    assert [control.value for control in explorer.slots.probabilities] == [0.4, 0.2] + [0.5] * 10
    check(explorer)


def test_a_slot_that_is_taken_away_and_comes_back_has_kept_its_probability(explorer):
    explorer.slots.n_slots.value = 3
    explorer.slots.probabilities[2].value = 0.125
    explorer.slots.n_slots.slider.value -= 1
    assert explorer.slots.value.probabilities == (0.4, 0.2)
    explorer.slots.n_slots.slider.value += 1
    assert explorer.slots.value.probabilities == (0.4, 0.2, 0.125)
    check(explorer)


@pytest.mark.parametrize("reduction", ["sum", "mean", "token_mean"])
def test_twelve_slots_with_every_slider_moved(explorer, reduction):
    explorer.reduction.value = reduction
    explorer.slots.n_slots.slider.value = explorer.slots.n_slots.slider.max
    for number, control in enumerate(explorer.slots.probabilities):
        control.slider.value = 50 * number
        check(explorer)
    explorer.slots.vocab_size.slider.value = 123
    explorer.slots.n_tokens.slider.value = 150
    check(explorer)
    assert explorer.sentence.startswith("12 slots among 379 tokens")
    exact = [1e-6 * 10 ** (number / 2) for number in range(12)]
    assert explorer.slots.value.probabilities == pytest.approx(exact, rel=0.005)


def test_presets_come_first_and_reset_last(explorer):
    assert captions(explorer) == [
        "Worked example", "One slot", "All uniform", "One hard slot among easy ones",
        "Twelve slots", "Reset",
    ]


@pytest.mark.parametrize("p", [0.126, 0.1234567, 3.21e-6, 1])
def test_a_typed_probability_between_two_ticks_stands(explorer, p):
    box = explorer.slots.probabilities[0].box
    box.value = p
    assert box.value == explorer.slots.value.probabilities[0] == p
    check(explorer)


# Numbers written down


def test_the_start_is_the_worked_example(explorer):
    assert explorer.sentence == START
    check(explorer)


@pytest.mark.parametrize(
    ("reduction", "total", "uniform"),
    [("sum", "sum 2.5257", "20.6179"), ("mean", "mean over the slots 1.2629", "10.3090"),
     ("token_mean", "mean over all tokens, a common mistake, 0.2105", "1.7182")],
)
def test_the_worked_example_under_each_reduction(explorer, reduction, total, uniform):
    explorer.reduction.value = reduction
    assert explorer.sentence == (f"2 slots among 12 tokens, {total} nats, product of p 0.0800; "
                                 f"uniform {uniform}")
    check(explorer)


@pytest.mark.parametrize(
    ("caption", "sentence"),
    [
        ("Worked example", START),
        ("One slot", "1 slot among 12 tokens, sum 0.9163 nats, product of p 0.4000; "
                     "uniform 10.3090"),
        ("All uniform", "2 slots among 12 tokens, sum 20.6179 nats, product of p 1.1·10⁻⁹; "
                        "uniform 20.6179"),
        # -ln 0.001 - 5 ln 0.9 = 6.90776 + 0.52680
        ("One hard slot among easy ones", "6 slots among 12 tokens, sum 7.4346 nats, "
                                          "product of p 0.0006; uniform 61.8537"),
        # 6 * 2.5257286
        ("Twelve slots", "12 slots among 80 tokens, sum 15.1544 nats, product of p 2.6·10⁻⁷; "
                         "uniform 123.7074"),
    ],
)
def test_presets_show_the_numbers_written_down(explorer, caption, sentence):
    click(explorer, caption)
    assert explorer.sentence == sentence
    check(explorer)


def test_presets_leave_the_reduction_and_all_uniform_leaves_the_slots_and_the_vocabulary(explorer):
    explorer.reduction.value = "mean"
    click(explorer, "Twelve slots")
    explorer.slots.vocab_size.value = 4
    click(explorer, "All uniform")
    assert explorer.slots.value == SlotSet((0.25,) * 12, 4, 80)
    assert "mean over the slots 1.3863 nats" in explorer.sentence
    check(explorer)


@pytest.mark.parametrize("size", [2, 3, 30_522, 250_002])
def test_all_uniform_costs_the_reference_in_every_vocabulary(explorer, size):
    explorer.slots.vocab_size.value = size
    click(explorer, "All uniform")
    total, uniform = parts_of(explorer.sentence, ".*sum NUMBER nats.*uniform NUMBER")
    assert total == uniform and is_rounded(total, 2 * mpmath.log(size))
    check(explorer)


# Set by code


def test_slots_set_by_code_move_every_control(explorer):
    explorer.slots.value = SlotSet((0.5, 0.25, 1.0), vocab_size=4, n_tokens=100)
    assert explorer.sentence == ("3 slots among 100 tokens, sum 2.0794 nats, product of p 0.1250; "
                                 "uniform 4.1589")
    check(explorer)


@pytest.mark.parametrize(
    ("slots", "parts"),
    [
        (SlotSet((), 30_000, 12), ["number of slots is 0", "choose 1 to 12"]),
        (SlotSet((0.5,) * 13, 30_000, 30), ["number of slots is 13", "choose 1 to 12"]),
        (SlotSet((0.5,), 30_000, 8), ["sequence length is 8", "choose 12 to 512"]),
        (SlotSet((0.5, 1e-9), 30_000, 12), ["p of slot 2 is 1e-09", "choose 1e-06 to 1"]),
        (SlotSet((0.5, 0.6), 300_000, 12), ["vocabulary size is 300000", "choose 2 to 250002"]),
    ],
    ids=["none", "too many", "too short", "too improbable", "too many words"],
)
def test_slots_beyond_the_sliders_are_refused_and_all_stays_as_it_was(explorer, slots, parts):
    """The value had changed, and some sliders too, but not the picture."""
    before = state(explorer)
    assert_refused(lambda: setattr(explorer.slots, "value", slots), *parts)
    assert state(explorer) == before and explorer.slots.value == SlotSet((0.4, 0.2), 30_000, 12)
    check(explorer)
    explorer.slots.probabilities[0].slider.value = 500
    check(explorer)


def test_an_example_of_ones_own_is_where_it_starts_and_where_reset_returns():
    explorer = explore_slots(SlotsExample(SlotSet((0.125,), 8, 20), (), (), {}))
    start = "1 slot among 20 tokens, sum 2.0794 nats, product of p 0.1250; uniform 2.0794"
    assert explorer.sentence == start
    click(explorer, "Twelve slots")
    click(explorer, "Reset")
    assert explorer.sentence == start
    check(explorer)


def test_an_example_beyond_the_sliders_is_refused_with_its_number():
    assert_refused(lambda: explore_slots(SlotsExample(SlotSet((), 8, 20), (), (), {})),
                   "number of slots is 0", "choose 1 to 12")


# Refusals


@pytest.mark.parametrize(
    ("control", "typed", "parts"),
    [
        (lambda slots: slots.n_slots, 0, ["0 is not possible", "1 to 12"]),
        (lambda slots: slots.n_slots, 13, ["13 is not possible", "1 to 12"]),
        (lambda slots: slots.probabilities[1], 0, ["0 is not possible", "1.0·10⁻⁶ to 1"]),
        (lambda slots: slots.probabilities[0], 1.01, ["1.01 is not possible", "1.0·10⁻⁶ to 1"]),
        (lambda slots: slots.probabilities[0], -0.4, ["−0.4 is not possible"]),
        (lambda slots: slots.probabilities[0], math.nan, ["undefined is not possible"]),
        (lambda slots: slots.vocab_size, 1, ["1 is not possible", f"2 to 250{THIN}002"]),
        (lambda slots: slots.vocab_size, 10**6, [f"1{THIN}000{THIN}000 is not possible"]),
        (lambda slots: slots.n_tokens, 11, ["11 is not possible", "12 to 512"]),
        (lambda slots: slots.n_tokens, 513, ["513 is not possible", "12 to 512"]),
    ],
)
def test_a_typed_number_out_of_range_is_refused_and_the_picture_stands(explorer, control, typed,
                                                                       parts):
    explorer.reduction.value = "token_mean"
    check_refused(explorer, control(explorer.slots), typed, *parts)
    check(explorer)


def test_a_refusal_is_gone_when_another_control_moves_and_can_come_again(explorer):
    first, second = explorer.slots.probabilities[:2]
    for _ in range(2):
        first.box.value = 7.0
        assert "7 is not possible" in notice(explorer) and "7 is" in explorer.slots.problem
        second.slider.value -= 1
        assert notice(explorer) == explorer.slots.problem == ""


def test_a_refusal_does_not_outlive_a_button(explorer):
    for caption in captions(explorer):
        explorer.slots.probabilities[0].box.value = 7.0
        assert "7 is not possible" in notice(explorer)
        click(explorer, caption)
        assert notice(explorer) == explorer.slots.problem == "", caption


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(explorer, monkeypatch):
    check_a_failure_is_told(explorer, monkeypatch, slots_module, "slots_sentence", check)


# The picture


def random_slots(rng, fewest=1):
    """Slots of any number, certain ones and nearly impossible ones among them."""
    n_slots = rng.randint(fewest, 12)
    probabilities = [rng.choice([1, 1e-6, 0.99, 0.5, rng.uniform(0.01, 1)]) for _ in range(n_slots)]
    return SlotSet(probabilities, rng.choice([2, 4, 30_000, 250_002]), rng.choice([12, 80, 512]))


def walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.slots.value = random_slots(rng)
            explorer.reduction.index = rng.randrange(3)
        yield explorer.figure


def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(explorer):
    check_each_step_is_a_full_redraw(walk(explorer, 10, seed=0))


def test_the_picture_is_that_of_a_full_redraw_as_one_slider_is_dragged(explorer):
    def dragged():
        for tick in range(300, 601, 20):
            explorer.slots.probabilities[0].slider.value = tick
            yield explorer.figure

    check_each_step_is_a_full_redraw(dragged())


def test_a_walk_and_showing_it_leave_nothing_behind(explorer):
    check_nothing_is_left_behind(explorer, walk(explorer, 8, seed=5))


def test_no_text_overlaps_another_or_leaves_the_picture(explorer):
    for _ in walk(explorer, 15, seed=3):
        assert not crowded(explorer.figure.figure), explorer.sentence
        check(explorer)


@pytest.mark.parametrize("p", [0.99, 1e-6, 1])
def test_no_text_of_twelve_alike_overlaps_another_or_leaves_the_picture(explorer, p):
    """Twelve times 1.0·10⁻² was one line of type without gaps."""
    explorer.slots.value = SlotSet((p,) * 12, 30_000, 80)
    for reduction in ("sum", "mean", "token_mean"):
        explorer.reduction.value = reduction
        assert not crowded(explorer.figure.figure)


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    click(explorer, "Twelve slots")
    check_bundle(explorer)


def test_a_move_costs_no_more_in_a_large_vocabulary(explorer):
    before = artists(explorer.figure.figure)
    check_a_move_costs_the_same_in_every_vocabulary(explorer.slots.vocab_size,
                                                    explorer.slots.probabilities[0])
    assert artists(explorer.figure.figure) == before
