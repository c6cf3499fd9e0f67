"""Three linked sliders and their text box, moved as a reader moves them."""

import random
from fractions import Fraction

import pytest
import traitlets

from mlm_helpers.split_controls import SplitSliders

pytestmark = pytest.mark.filterwarnings("error")

START = (0.8, 0.1, 0.1)
STANDS = "The split stands as it was."


@pytest.fixture
def split():
    return SplitSliders(START)


def shown(split):
    """All that a reader sees: number boxes, places of the sliders, the text."""
    return ([part.box.value for part in split.parts], [part.slider.value for part in split.parts],
            split.text.value)


def check(split):
    """The shares add up exactly, and every part of the control shows them."""
    exact = [Fraction(str(share)) for share in split.value]
    assert sum(exact) == 1 and min(exact) >= 0
    boxes, ticks, text = shown(split)
    assert [Fraction(str(box)) for box in boxes] == [100 * share for share in exact]
    assert ticks == [round(box) for box in boxes]
    assert [float(part) for part in text.split("/")] == boxes


def test_it_starts_as_it_was_given(split):
    check(split)
    assert (split.value, split.problem, split.text.value) == (START, "", "80/10/10")
    assert [part.name for part in split.parts] == ["mask (%)", "swap (%)", "keep (%)"]
    assert SplitSliders([1, 0, 0]).value == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(("index", "percent", "value"), [
    (0, 70, (0.7, 0.15, 0.15)),
    (0, 100, (1, 0, 0)),
    (0, 0, (0, 0.5, 0.5)),
    (1, 55, (0.4, 0.55, 0.05)),
    (2, 100, (0, 0, 1)),
    (2, 0, (0.888889, 0.111111, 0)),
])
def test_moving_one_slider_moves_the_others_in_proportion(split, index, percent, value):
    split.parts[index].slider.value = percent
    assert split.value == value
    check(split)


@pytest.mark.parametrize("index", range(3))
def test_from_all_in_one_branch_the_others_share_alike(split, index):
    split.parts[index].slider.value = 100
    split.parts[index].slider.value = 50
    assert split.value == tuple(0.5 if place == index else 0.25 for place in range(3))


def test_every_tick_of_every_slider_adds_up(split):
    for part in split.parts:
        for tick in (*range(101), *reversed(range(101))):
            part.slider.value = tick
            check(split)
            assert part.value == tick


def test_a_long_drag_and_back_gives_the_old_split_again(split):
    split.value = (0.55, 0.3, 0.15)
    for index in range(3):
        start = split.parts[index].slider.value
        for tick in (*range(start, 100), *reversed(range(start, 99))):
            split.parts[index].slider.value = tick
        assert split.value == (0.55, 0.3, 0.15)


@pytest.mark.parametrize("typed", [12.5, 33.3333, 0.0001, 99.9999])
def test_a_number_typed_between_two_ticks_stands(split, typed):
    split.parts[1].box.value = typed
    check(split)
    assert split.parts[1].box.value == typed


def test_a_number_of_too_many_decimals_is_rounded_where_one_sees_it(split):
    for _ in range(2):
        split.parts[1].box.value = 33.33333333
        check(split)
        assert split.parts[1].box.value == 33.3333


def test_random_moves_of_all_kinds_stay_splits(split):
    rng = random.Random(0)
    for _ in range(300):
        part = rng.choice(split.parts)
        if rng.random() < 0.5:
            part.slider.value = rng.randrange(101)
        else:
            part.box.value = rng.choice([rng.uniform(0, 100), round(rng.uniform(0, 100), 1)])
        check(split)


def test_each_move_tells_observers_once(split):
    seen = []
    split.observe(lambda change: seen.append(change.new), "value")
    split.parts[0].slider.value = 70
    split.parts[1].box.value = 30.0
    split.text.value = "0 0 100"
    split.value = START
    assert [len(seen), seen[0], seen[2], seen[3]] == [4, (0.7, 0.15, 0.15), (0, 0, 1), START]


# Typed


@pytest.mark.parametrize(("text", "value", "normal"), [
    ("80 10 10", START, "80/10/10"),
    ("0.8/0.1/0.1", START, "80/10/10"),
    ("0/0/100", (0, 0, 1), "0/0/100"),
    ("12.5, 12.5, 75", (0.125, 0.125, 0.75), "12.5/12.5/75"),
    ("33.33/33.33/33.34", (0.3333, 0.3333, 0.3334), "33.33/33.33/33.34"),
])
def test_a_typed_split_is_taken_and_written_in_one_way(split, text, value, normal):
    split.text.value = text
    check(split)
    assert (split.value, split.text.value, split.problem) == (value, normal, "")


@pytest.mark.parametrize(("text", "parts"), [
    ("80/20/20", ("80/20/20 adds up to 120: three parts must add up to 100 (or to 1)", STANDS)),
    ("80/20", ("“80/20”", "80/10/10", STANDS)),
    ("much", ("“much”", "80/10/10", STANDS)),
    ("", ("80/10/10", STANDS)),
])
def test_what_is_no_split_is_refused_and_the_split_stands(split, text, parts):
    split.value = (0.5, 0.3, 0.2)
    before = shown(split)
    for _ in range(2):
        split.text.value = text
        assert (shown(split), split.value) == (before, (0.5, 0.3, 0.2))
        assert [part for part in parts if part not in split.problem] == []


def test_the_same_refusal_twice_is_told_twice_and_any_good_split_clears_it(split):
    told = []
    split.observe(lambda change: told.append(change.new), "problem")
    for good in ("80 10 10", "50/25/25"):  # the first is the split that stands
        split.text.value = "1/2/3"
        split.text.value = "1/2/3"
        assert len([problem for problem in told if problem]) == 2
        split.text.value = good
        assert split.problem == told[-1] == ""
        told.clear()


def test_what_a_number_box_refuses_is_passed_on(split):
    for _ in range(2):
        split.parts[2].box.value = 120.0
        assert "120 is not possible for “keep (%)”: type a number from 0 to 100" in split.problem
        check(split)
    split.parts[2].slider.value = 50
    assert split.problem == ""


# Set by code


@pytest.mark.parametrize("value", [(1, 0, 0), [0.7, 0.2, 0.1], (0.25, 0.5, 0.25)])
def test_a_value_set_by_code_shows_everywhere(split, value):
    split.value = value
    assert split.value == tuple(map(float, value))
    check(split)


@pytest.mark.parametrize("value", [(0.8, 0.2, 0.2), (0.8, 0.2), (80, 10, 10), (0.5, 0.6, -0.1)])
def test_a_wrong_value_set_by_code_is_an_error_and_the_old_one_stands(split, value):
    with pytest.raises(ValueError, match="share"):
        split.value = value
    assert split.value == START
    check(split)


def test_what_is_no_tuple_is_an_error(split):
    with pytest.raises(traitlets.TraitError):
        split.value = "80/10/10"
    check(split)
