"""A slider and its number box, moved as a reader moves them: by setting either part."""

import math

import ipywidgets as widgets
import numpy as np
import pytest
import traitlets

from mlm_helpers.controls import (
    NumberSlider,
    Scale,
    SliderLook,
    button_row,
    buttons,
    choice,
    drawer,
    fold,
    grid,
    row,
)
from test_wording import HOSTILE, HtmlText

pytestmark = pytest.mark.filterwarnings("error")


def logit(value=1.0):
    return NumberSlider("logit of cat", value, -10.0, 10.0)


def vocabulary(value=4):
    return NumberSlider("vocabulary size", value, 4, 250_002, step=0.01, log=True, whole=True)


def parts(control):
    return control.value, control.box.value


# Moving


@pytest.mark.parametrize("number", [-10.0, 10.0, 0.0, 0.3, -7.7, 0.125])
def test_a_typed_number_is_the_value(number):
    control = logit()
    control.box.value = number
    assert parts(control) == (number, number) and control.problem == ""


@pytest.mark.parametrize("make", [logit, vocabulary])
def test_both_ends_of_the_slider_are_the_exact_limits(make):
    control = make()
    for end, limit in (("max", control.maximum), ("min", control.minimum)):
        control.slider.value = getattr(control.slider, end)
        assert parts(control) == (limit, limit)


@pytest.mark.parametrize("step", [0.1, 0.01])
def test_every_step_of_the_slider_is_a_tidy_decimal(step):
    control = NumberSlider("rate", 0, 0, 1, step=step)
    places = round(-math.log10(step))
    for tick in range(control.slider.min, control.slider.max + 1):
        control.slider.value = tick
        assert control.value == control.box.value == round(control.value, places)
        assert len(repr(control.value)) <= 2 + places
    assert control.slider.max == round(1 / step)


def test_every_step_of_a_whole_log_slider_is_a_whole_number_and_none_is_smaller_than_the_last():
    control = vocabulary()
    seen = []
    for tick in range(control.slider.max + 1):
        control.slider.value = tick
        assert type(control.box.value) is int and control.box.value == control.value
        seen.append(control.value)
    assert seen == sorted(seen) and (seen[0], seen[-1]) == (4, 250_002)


@pytest.mark.parametrize("size", [4, 5, 30_000, 30_522, 50_265, 119_547, 250_002])
def test_a_typed_vocabulary_size_is_not_bent_to_a_step_of_the_slider(size):
    control = vocabulary()
    control.box.value = size
    assert parts(control) == (size, size)
    assert control.slider.min <= control.slider.value <= control.slider.max


@pytest.mark.parametrize("make", [logit, vocabulary])
def test_the_slider_follows_the_value(make):
    control = make()
    positions = []
    for number in np.linspace(control.minimum, control.maximum, 7).round():
        control.value = number
        positions.append(control.slider.value)
    assert positions == sorted(set(positions))
    assert (positions[0], positions[-1]) == (control.slider.min, control.slider.max)


def test_setting_the_value_tells_observers_once():
    control, seen = logit(), []
    control.observe(lambda change: seen.append(change.new), "value")
    control.value = 2.5
    control.box.value = 3.125
    control.slider.value = control.slider.max
    assert seen == [2.5, 3.125, 10.0]


# Every scale that a page has: minimum, maximum, step, and whether it runs by powers of ten


SCALES = {
    "logit": (-10, 10, 0.1, False),
    "rate": (0, 1, 0.01, False),
    "seed": (0, 1000, 1, False),
    "slots": (1, 12, 1, False),
    "slots or none": (0, 12, 1, False),
    "probability of twelve decades": (1e-12, 1, 0.05, True),
    "probability of six decades": (1e-6, 1, 0.01, True),
    "vocabulary": (2, 250_002, 0.01, True),
    "vocabulary of three words and more": (3, 250_002, 0.01, True),
    "vocabulary of four words and more": (4, 250_002, 0.01, True),
    "tokens": (12, 512, 0.01, True),
    "sequence length": (1, 512, 0.02, True),
    "sequences": (100, 10_000, 0.01, True),
    "corpus": (1, 10**13, 0.01, True),
}
WHOLE = [name for name, (low, high, _, log) in SCALES.items() if log and high > 1]


@pytest.fixture(params=SCALES.values(), ids=SCALES)
def limits(request):
    return request.param


def test_every_tick_is_the_tick_of_its_number(limits):
    scale = Scale(*limits)
    assert [scale.tick(scale.number(tick)) for tick in range(scale.n_ticks + 1)] == list(
        range(scale.n_ticks + 1))


def test_numbers_of_the_ticks_go_up_from_one_limit_to_the_other(limits):
    low, high, step, log = limits
    scale = Scale(*limits)
    numbers = [scale.number(tick) for tick in range(scale.n_ticks + 1)]
    assert (numbers[0], numbers[-1]) == (low, high)
    assert (np.diff(numbers) > 0).all()
    exact = [low * 10 ** (step * tick) if log else low + step * tick
             for tick in range(scale.n_ticks)]
    assert numbers[:-1] == pytest.approx(exact, rel=0.005, abs=1e-15)


def test_numbers_on_a_log_scale_have_three_digits_but_for_the_limits():
    for name in ("probability of twelve decades", "vocabulary", "corpus"):
        scale = Scale(*SCALES[name])
        for tick in range(1, scale.n_ticks):
            assert scale.number(tick) == float(f"{scale.number(tick):.2e}")


@pytest.mark.parametrize("step", [0.001, 0.01, 0.3])
def test_no_number_is_outside_the_limits_though_three_digits_may_be(step):
    """The last tick but one of 12 to 1 046 was 1 050, and the slider raised an error there."""
    for high in (9.999, *range(20, 1100, 7), 1046, 100_501):
        scale = Scale(12 if high > 12 else 1, high, step, log=True)
        for tick in range(scale.n_ticks + 1):
            assert scale.number(0) <= scale.number(tick) <= high
        assert scale.tick(high) == scale.n_ticks


def slider_of(limits, **whole):
    low, high, step, log = limits
    return NumberSlider("number", low, low, high, step=step, log=log, **whole)


@pytest.mark.parametrize(("name", "whole"), [*((name, False) for name in SCALES),
                                             *((name, True) for name in WHOLE)])
def test_arrow_keys_go_all_the_way_up_and_down(name, whole):
    control = slider_of(SCALES[name], whole=whole)
    for way, end in ((1, control.maximum), (-1, control.minimum)):
        seen = [control.value]
        while control.slider.value not in ({0}, {control.slider.max})[way > 0]:
            before = control.slider.value
            control.slider.value += way
            assert way * (control.slider.value - before) > 0
            seen.append(control.value)
            assert len(seen) <= control.slider.max + 1
        assert seen[-1] == end and seen == sorted(seen, reverse=way < 0)


@pytest.mark.parametrize("start", [2, 3, 4, 7, 99, 30_522, 240_000])
def test_arrow_keys_move_on_from_a_number_that_was_typed(start):
    for way in (1, -1):
        control = slider_of(SCALES["vocabulary"], whole=True)
        control.box.value = start
        for _ in range(30):
            if 0 < control.slider.value + way < control.slider.max:
                control.slider.value += way
        assert way * (control.value - start) > 0 or start == 2 and way < 0


@pytest.mark.parametrize("name", ["probability of twelve decades", "probability of six decades"])
def test_a_number_typed_between_two_ticks_stands_and_the_next_tick_is_reached_from_it(name):
    control = slider_of(SCALES[name])
    for tick in range(1, control.slider.max, 7):
        below, above = control.scale.number(tick), control.scale.number(tick + 1)
        typed = float(f"{math.sqrt(below * above):.10g}")
        control.box.value = typed
        assert parts(control) == (typed, typed) and control.problem == ""
        assert control.slider.value in (tick, tick + 1)
        control.slider.value += 1
        assert control.value > typed


@pytest.mark.parametrize("name", WHOLE)
def test_the_slider_stands_at_its_end_when_the_number_does(name):
    """At 512 tokens it stood one tick before its end."""
    control = slider_of(SCALES[name], whole=True)
    control.box.value = control.maximum
    assert control.slider.value == control.slider.max
    control.slider.value = 0
    control.slider.value = control.slider.max
    assert (control.value, control.slider.value) == (control.maximum, control.slider.max)


# Refusals


@pytest.mark.parametrize(
    ("make", "typed", "parts_of_message"),
    [
        (logit, 10.1, ("10.1", "“logit of cat”", "−10 to 10")),
        (logit, -1000.0, ("−1\u202f000", "“logit of cat”", "−10 to 10")),
        (logit, math.inf, ("∞", "−10 to 10")),
        (logit, math.nan, ("undefined", "−10 to 10")),
        (vocabulary, 3, ("3 is", "“vocabulary size”", "4 to 250\u202f002")),
        (vocabulary, 250_003, ("250\u202f003", "4 to 250\u202f002")),
        (vocabulary, -10**12, ("−1\u202f000\u202f000", "4 to 250\u202f002")),
    ],
)
def test_a_typed_number_out_of_range_is_refused_and_the_value_stands(
    make, typed, parts_of_message
):
    control = make()
    before = (*parts(control), control.slider.value)
    control.box.value = typed
    assert (*parts(control), control.slider.value) == before
    assert [part for part in parts_of_message if part not in control.problem] == []


def test_the_same_refusal_twice_is_told_twice_and_a_good_number_clears_it():
    control, told = logit(), []
    control.observe(lambda change: told.append(change.new), "problem")
    control.box.value = 99.0
    control.box.value = 99.0
    assert len([problem for problem in told if problem]) == 2
    control.box.value = 2.0
    assert control.problem == told[-1] == ""


@pytest.mark.parametrize("number", [10.0000001, -11, math.nan, math.inf])
def test_a_number_out_of_range_set_by_code_is_an_error(number):
    control = logit()
    with pytest.raises(ValueError, match=r"logit of cat is .*: choose -10.0 to 10.0"):
        control.value = number
    assert (*parts(control), control.slider.value) == (1.0, 1.0, logit().slider.value)


def test_what_is_no_number_is_an_error():
    control = logit()
    with pytest.raises(traitlets.TraitError):
        control.value = "much"
    assert control.value == 1.0


@pytest.mark.parametrize("start", [-10.1, 11])
def test_a_start_out_of_range_is_an_error(start):
    with pytest.raises(ValueError, match="choose -10.0 to 10.0"):
        logit(start)


# Parts


def test_the_number_box_bears_the_full_name():
    assert logit().box.description == "logit of cat"
    assert type(logit().box) is widgets.FloatText and type(vocabulary().box) is widgets.IntText


@pytest.mark.parametrize("shown", HOSTILE.values(), ids=ascii)
def test_the_number_box_shows_any_name_and_reads_no_formula_into_it(shown):
    box = NumberSlider(f"logit of {shown} (1)", 0, -1, 1).box
    if box.description_allow_html:
        label = HtmlText(box.description)
        assert label.text == f"logit of {shown} (1)" and not label.holds_formula
        assert all(tag == ("span", []) for tag in label.tags)
    else:
        assert box.description == f"logit of {shown} (1)" and not set(box.description) & set("$\\")


@pytest.mark.parametrize("disabled", [True, False])
def test_both_parts_are_disabled_together(disabled):
    control = logit()
    control.disable(disabled)
    assert (control.box.disabled, control.slider.disabled) == (disabled, disabled)


def looks(slider):
    return [each for part in (slider, slider.box, slider.slider)
            for each in (part.layout, getattr(part, "style", None)) if each is not None]


def test_sliders_share_a_look_and_nothing_else():
    look = SliderLook()
    one, other = (NumberSlider(name, 3, 0, 10, look=look) for name in ("p", "q"))
    assert looks(one) == looks(other) and len({*looks(one)}) == 5
    assert not {*looks(one)} & {*looks(NumberSlider("r", 3, 0, 10))}
    one.box.value = 4
    one.disable(True)
    assert (other.value, other.box.value, other.box.disabled) == (3, 3, False)


def test_sharing_a_look_leaves_a_long_number_its_room():
    look = SliderLook()
    widths = [float(NumberSlider("n", 10, 10, most, look=look).box.layout.width.removesuffix("em"))
              for most in (100, 10**13)]
    assert widths[0] == 18 and widths[1] - widths[0] == pytest.approx(7 * 0.55)


def test_a_row_of_buttons_shares_its_look():
    one, other = buttons({"one": None, "other": None})
    assert (one.layout, one.style) == (other.layout, other.style)
    assert buttons({"one": None})[0].layout is not one.layout


def test_each_button_does_its_own_thing():
    clicks = []
    made = buttons({name: lambda name=name: clicks.append(name) for name in ("one", "two")})
    named = button_row("Presets", {"three": lambda: clicks.append("three")})
    for button in (*made, named.children[1], made[0]):
        button.click()
    assert clicks == ["one", "two", "three", "one"]
    assert named.children[0].value == "Presets"


def test_containers_hold_their_children_in_order():
    first, second = logit(), vocabulary()
    assert row(first, second).children == grid(first, second).children == (first, second)
    folded = fold("Working", first)
    assert folded.children == (first,) and folded.get_title(0) == "Working"
    assert folded.selected_index == 0


def test_a_choice_shows_its_name_and_what_is_chosen():
    options = [("one", 1), ("two", 2)]
    chosen = choice("policy", options, 2)
    assert (chosen.description, chosen.label, chosen.value) == ("policy", "two", 2)


def test_a_drawer_is_closed_until_its_button_is_pressed():
    child = widgets.Label("inside")
    button, held = drawer("More …", "what else", child).children
    assert held is child and child.layout.display == "none"
    button.value = True
    assert child.layout.display is None
    button.value = False
    assert child.layout.display == "none"
