"""The limits explorer as a reader uses it, held against mpmath in 50 digits.

Sentence, corner, table, and both plots have to carry the same numbers in every state.
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
from mlm_helpers.examples import LimitsExample
from mlm_helpers.explorers import explore_limits
from mlm_helpers.explorers import limits as limits_module
from refusals import assert_refused
from test_explorers import captions, check_said_thrice, click, crowded, notice, parts_of
from test_live import artists
from test_ribbons import Tables
from test_wording import INFINITY, THIN, is_rounded, read_number

pytestmark = pytest.mark.filterwarnings("error")

SIZES = (2, 4, 30_000, 30_522, 50_265, 119_547, 250_002)
TOP_OF_TRAINING = 14


@pytest.fixture(scope="module")
def made():
    """One explorer for many tests: what Reset undoes need not be made again."""
    yield explore_limits()
    widgets.Widget.close_all()  # ipywidgets keeps every widget until it is closed


@pytest.fixture
def explorer(made):
    made.reset()
    return made


def units_of(explorer):
    unit = explorer.unit.value
    return (unit, "ln", mpmath.mpf(1)) if unit == "nats" else (unit, "log₂", 1 / mpmath.log(2))


def check(explorer):
    check_said_thrice(explorer)
    p, size = mpmath.mpf(explorer.probability.value), int(explorer.vocab_size.value)
    with mpmath.workdps(50):
        loss, uniform = -mpmath.log(p), mpmath.log(size)
    unit, log, per_nat = units_of(explorer)
    pattern = (f"p = NUMBER, loss NUMBER {unit}, perplexity NUMBER; uniform {log} NUMBER = NUMBER, "
               f"(exactly uniform|NUMBER {unit} (above|below) uniform)")
    said_p, said_loss, perplexity, v, said_uniform, side, gap, way = parts_of(explorer.sentence,
                                                                              pattern)
    assert abs(read_number(said_p) - p) <= 0.00005 and read_number(v) == size
    assert is_rounded(said_loss, loss * per_nat) and is_rounded(said_uniform, uniform * per_nat)
    assert is_rounded(perplexity, 1 / p)
    if abs(loss - uniform) < 5e-10:
        assert side == "exactly uniform"
    else:
        assert way == ("above" if loss > uniform else "below")
        assert is_rounded(gap, abs(loss - uniform) * per_nat)
    assert [text.get_text() for text in explorer.limits.readouts] == [
        f"p = {said_p}: {said_loss} {unit}", f"uniform {log} {v} = {said_uniform}", side
    ]
    check_left_plot(explorer.limits, p, size, per_nat)
    check_right_plot(explorer.training, float(loss))
    check_table(explorer.table.value, said_p, p, v, size)


def check_left_plot(limits, p, size, per_nat):
    loss, uniform = float(-mpmath.log(p) * per_nat), float(mpmath.log(size) * per_nat)
    assert [*map(float, limits.point.get_xdata()), *limits.point.get_ydata()] == pytest.approx(
        [float(p), loss], rel=1e-12, abs=1e-15)
    assert [*limits.guess.get_xdata(), *limits.guess.get_ydata()] == pytest.approx(
        [1 / size, uniform], rel=1e-12)
    assert list(limits.uniform.get_ydata()) == pytest.approx([uniform] * 2, rel=1e-12)
    top = limits.ax.get_ylim()[1]
    assert max(loss, uniform, float(27.6310 * per_nat)) < top


def check_right_plot(training, loss):
    """It stays in nats, whatever the unit of the other plot."""
    height = min(loss, TOP_OF_TRAINING)
    assert list(training.point.get_ydata()) == pytest.approx([height], rel=1e-12, abs=1e-15)
    assert list(training.level.get_ydata()) == pytest.approx([height] * 2, rel=1e-12, abs=1e-15)
    assert training.level.get_visible() == (loss <= TOP_OF_TRAINING)
    assert training.point.get_marker() == ("o" if loss <= TOP_OF_TRAINING else "^")
    assert training.ax.get_ylim() == (0, TOP_OF_TRAINING)
    assert "nats" in training.ax.get_title(loc="left")


def check_table(html, said_p, p, v, size):
    head, *rows = Tables(html).rows
    assert head == ["case", "nats", "bits", "perplexity"]
    assert [row[0] for row in rows] == [f"p = {said_p}", "perfect, p = 1", f"uniform, p = 1/{v}",
                                        "p → 0"]
    for row, probability in zip(rows, (p, 1, mpmath.mpf(1) / size, 0), strict=True):
        loss = -mpmath.log(probability) if probability else mpmath.inf
        numbers = loss, loss / mpmath.log(2), 1 / probability if probability else mpmath.inf
        assert all(is_rounded(text, number) for text, number in zip(row[1:], numbers, strict=True))


# Controls


def test_both_ends_of_every_slider(explorer):
    check_both_ends_of_every_slider(explorer, check)


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_the_ends_of_both_sliders_together(explorer, unit):
    explorer.unit.value = unit
    for p in (1e-12, 1):
        for size in (2, 250_002):
            explorer.choose(probability=p, vocab_size=size)
            check(explorer)


def test_every_option_of_every_list(explorer):
    check_every_option_of_every_list(explorer, check)


def test_every_button_draws_once(explorer, monkeypatch):
    check_every_button_draws_once(explorer, check, drawings(monkeypatch))


def test_every_slider_move_draws_once(explorer, monkeypatch):
    check_every_slider_move_draws_once(explorer, drawings(monkeypatch))


def test_a_hold_draws_once(explorer, monkeypatch):
    check_a_hold_draws_once(explorer, drawings(monkeypatch))


def test_reset_restores_everything():
    check_reset_restores_everything(explore_limits)


def test_presets_stand_before_the_vocabularies_and_reset_comes_last(explorer):
    assert [caption.replace(THIN, " ") for caption in captions(explorer)] == [
        "Perfect", "Uniform", "Confidently wrong, V = 4", "Fresh BERT", "Trained BERT base",
        "Trained BERT large", "Nearly impossible", "toy 4", "round figure 30 000", "BERT 30 522",
        "RoBERTa 50 265", "mBERT 119 547", "XLM-R 250 002", "Reset",
    ]


@pytest.mark.parametrize("p", [0.126, 0.1234567, 3.21e-7, 0.99, 1e-12, 1])
def test_a_typed_probability_between_two_ticks_stands(explorer, p):
    explorer.probability.box.value = p
    assert explorer.probability.box.value == explorer.probability.value == p
    check(explorer)


# Presets


@pytest.mark.parametrize(
    ("caption", "loss", "reference", "side"),
    [
        ("Perfect", "0.0000", "10.3090", "10.3090 nats below uniform"),
        ("Uniform", "10.3090", "10.3090", "exactly uniform"),
        ("Confidently wrong, V = 4", "10.0001", "1.3863", "8.6138 nats above uniform"),
        ("Fresh BERT", "10.4800", "10.3262", "0.1538 nats above uniform"),
        ("Trained BERT base", "1.3838", "10.3262", "8.9424 nats below uniform"),
        ("Trained BERT large", "1.1725", "10.3262", "9.1537 nats below uniform"),
        ("Nearly impossible", "27.6310", "10.3090", "17.3221 nats above uniform"),
    ],
)
def test_presets_show_the_numbers_written_down(explorer, caption, loss, reference, side):
    click(explorer, caption)
    assert f"loss {loss} nats" in explorer.sentence
    assert explorer.sentence.endswith(f" = {reference}, {side}")
    check(explorer)


def test_logits_10_0_0_0_with_another_label_cost_10_0001_and_that_is_more_than_ln_4(explorer):
    click(explorer, "Confidently wrong, V = 4")
    exact = mpmath.log(mpmath.exp(10) + 3)
    assert math.isclose(-math.log(explorer.probability.value), exact, rel_tol=1e-9)
    assert explorer.sentence.startswith("p = 4.5·10⁻⁵, loss 10.0001 nats")
    assert "uniform ln 4 = 1.3863" in explorer.sentence


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_the_uniform_guess_is_exactly_uniform_in_every_vocabulary(explorer, unit):
    """In bits, 84 was not: one over 84, as typed in ten digits, lay 5.8e-10 bits above."""
    explorer.unit.value = unit
    for size in (*SIZES, 3, 84, 702, 99_999, 100_001):
        explorer.vocab_size.value = size
        click(explorer, "Uniform")
        assert explorer.sentence.endswith("exactly uniform"), size
        assert explorer.limits.readouts[2].get_text() == "exactly uniform"
        check(explorer)


@pytest.mark.parametrize("size", SIZES[1:])
def test_vocabulary_buttons_name_the_size_that_they_set(explorer, size):
    (caption,) = (caption for caption in captions(explorer)[7:]
                  if caption.replace(THIN, "").endswith(f" {size}"))
    explorer.vocab_size.value = 77
    click(explorer, caption)
    assert explorer.vocab_size.value == explorer.vocab_size.box.value == size
    check(explorer)


def test_an_example_of_ones_own_is_where_it_starts_and_where_reset_returns():
    explorer = explore_limits(LimitsExample(500, {}))
    assert "uniform ln 500 = 6.2146, exactly uniform" in explorer.sentence
    click(explorer, "Fresh BERT")
    click(explorer, "Reset")
    assert "uniform ln 500 = 6.2146, exactly uniform" in explorer.sentence


def test_there_is_no_worst_case_and_the_table_says_so(explorer):
    rows = Tables(explorer.table.value).rows
    assert rows[-1] == ["p → 0", INFINITY, INFINITY, INFINITY]
    assert "p → 0: ∞" in [text.get_text() for text in explorer.limits.ax.texts]


# Refusals


@pytest.mark.parametrize(
    ("name", "typed", "parts"),
    [
        ("probability", 0, ["0 is not possible", "1.0·10⁻¹² to 1"]),
        ("probability", 1.5, ["1.5 is not possible", "1.0·10⁻¹² to 1"]),
        ("probability", -0.2, ["−0.2 is not possible"]),
        ("probability", math.nan, ["undefined is not possible"]),
        ("vocab_size", 1, ["1 is not possible", f"2 to 250{THIN}002"]),
        ("vocab_size", 250_003, [f"250{THIN}003 is not possible", f"2 to 250{THIN}002"]),
    ],
)
def test_a_typed_number_out_of_range_is_refused_and_the_picture_stands(explorer, name, typed,
                                                                       parts):
    check_refused(explorer, getattr(explorer, name), typed, *parts)
    check(explorer)


def test_a_refusal_does_not_outlive_a_button(explorer):
    for caption in captions(explorer):
        explorer.probability.box.value = 7
        assert "7 is not possible" in notice(explorer)
        click(explorer, caption)
        assert notice(explorer) == "", caption


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(explorer, monkeypatch):
    check_a_failure_is_told(explorer, monkeypatch, limits_module, "limits_sentence", check)


# A measured curve


def test_a_measured_curve_is_drawn_beside_the_published_ends_and_stays(explorer):
    with_curve = explore_limits(measured=([10, 50, 100], [9.9, 6.5, 3.1]))
    measured = with_curve.training.measured
    assert [list(values) for values in measured.get_data()] == [[0.1, 0.5, 1], [9.9, 6.5, 3.1]]
    assert with_curve.sentence == explorer.sentence
    right = slice(640, None)
    assert (with_curve.figure.pixels()[:, right] != explorer.figure.pixels()[:, right]).any()
    for number in (0.5, 1e-12):
        with_curve.probability.value = number
        check(with_curve)
    assert not crowded(with_curve.figure.figure)
    check_each_step_is_a_full_redraw(walk(with_curve, 4, seed=1))


def test_what_is_no_curve_is_refused_with_the_remedy():
    assert_refused(lambda: explore_limits(measured=([1, 2, 3], [3.0, 2.0])),
                   "3 steps and 2 losses", "one loss per step")


# The picture


def walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.probability.value = rng.choice([1, 1e-12, 1e-6, 0.07, 1e-5, rng.random()])
            explorer.vocab_size.value = rng.choice(SIZES)
            explorer.unit.index = rng.randrange(2)
        yield explorer.figure


def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(explorer):
    check_each_step_is_a_full_redraw(walk(explorer, 10, seed=0))


def test_a_walk_and_showing_it_leave_nothing_behind(explorer):
    check_nothing_is_left_behind(explorer, walk(explorer, 8, seed=5))


@pytest.mark.parametrize("unit", ["nats", "bits"])
def test_no_text_overlaps_another_or_leaves_the_picture(explorer, unit):
    explorer.unit.value = unit
    for p in (1, 0.5, 0.07, 1e-5, 2e-5, 1e-12):
        for size in (2, 30_000, 250_002):
            explorer.choose(probability=p, vocab_size=size)
            assert not crowded(explorer.figure.figure), (p, size)


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    explorer.choose(probability=0.3, unit="bits")
    check_bundle(explorer)


def test_a_move_costs_no_more_in_a_large_vocabulary(explorer):
    before = artists(explorer.figure.figure)
    check_a_move_costs_the_same_in_every_vocabulary(explorer.vocab_size, explorer.probability)
    assert artists(explorer.figure.figure) == before
