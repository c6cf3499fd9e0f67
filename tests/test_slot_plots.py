"""What the artists of the slots' bars and of their stack say, against numbers written down."""

import math

import pytest
from matplotlib.colors import to_hex

from mlm_helpers.figures import white_figure
from mlm_helpers.slot_plots import MOST_SLOTS, NEXT_SENTENCE, plot_loss_bars, plot_loss_stack
from test_plots import draw, texts

pytestmark = pytest.mark.filterwarnings("error")

BLUE, WHITE, GREEN = "#0072b2", "#ffffff", "#009e73"
NO_PLACE = 1e-9


@pytest.fixture
def figure():
    return white_figure(9.6, 4.6)


@pytest.fixture
def bars(figure):
    return plot_loss_bars(figure.add_axes((0.085, 0.475, 0.885, 0.43)))


@pytest.fixture
def stack(figure):
    return plot_loss_stack(figure.add_axes((0.085, 0.145, 0.885, 0.15)))


def names(n_slots, *others):
    return [*(f"slot {number}" for number in range(1, n_slots + 1)), *others]


def show(bars, losses, uniform=10.3090, named=None):
    bars.fit(named or names(len(losses)), losses)
    bars.move(losses, uniform)


def shown(artists):
    return [artist for artist in artists if artist.get_visible()]


def looks(rectangle):
    return to_hex(rectangle.get_facecolor()), rectangle.get_hatch() or ""


# Bars


@pytest.mark.parametrize("losses", [[0.9163, 1.6094], [0.0], [13.8155] * 7, [0.1054, 0, 4.2e-6]])
def test_each_loss_has_its_bar_its_number_and_its_name(bars, losses):
    show(bars, losses)
    rectangles, numbers = shown(bars.rectangles), shown(bars.numbers)
    assert [bar.get_height() for bar in rectangles] == losses
    assert [bar.get_x() + bar.get_width() / 2 for bar in rectangles] == pytest.approx(
        range(len(losses)))
    assert [number.get_position() for number in numbers] == list(enumerate(losses))
    assert texts(bars.ax.get_xticklabels()) == names(len(losses))
    assert list(bars.ax.get_xticks()) == list(range(len(losses)))
    draw(bars.ax)


def test_up_to_seven_bars_have_four_decimals_and_more_have_one(bars):
    show(bars, [0.91629] * 7)
    assert texts(shown(bars.numbers)) == ["0.9163"] * 7
    show(bars, [0.91629] * 8)
    assert texts(shown(bars.numbers)) == ["0.9"] * 8


def test_where_there_is_room_for_one_decimal_only_a_true_zero_is_written_as_one(bars):
    losses = [0.0, 1e-12, 0.0101, 0.049, 0.051, 0.1054, 1.6094, 13.8155]
    show(bars, losses)
    assert texts(shown(bars.numbers)) == ["0.0", "<0.1", "<0.1", "<0.1", "0.1", "0.1", "1.6",
                                          "13.8"]


def test_fewer_bars_than_before_leave_none_of_the_others_behind(bars):
    show(bars, [1.0] * 12)
    show(bars, [2.0])
    assert len(shown(bars.rectangles)) == len(shown(bars.numbers)) == 1
    assert texts(bars.ax.get_xticklabels()) == ["slot 1"]


def test_there_is_a_bar_for_the_most_slots_and_the_next_sentence(bars):
    assert MOST_SLOTS == 12
    show(bars, [1.0] * 13, named=names(12, NEXT_SENTENCE))
    assert len(shown(bars.rectangles)) == 13
    left, right = bars.ax.get_xlim()
    assert left < -0.35 and right > 12.35


@pytest.mark.parametrize("n_slots", [1, 2, 3])
def test_few_bars_are_no_walls(bars, n_slots):
    show(bars, [1.0] * n_slots)
    left, right = bars.ax.get_xlim()
    assert right - left >= 4 and left < -0.35


@pytest.mark.parametrize("highest", [0, 0.01, 0.16, 0.17, 1.6094, 6.9078, 13.8155, 144, 145, 500])
def test_the_axis_starts_at_zero_and_has_room_for_the_highest_bar_and_its_number(bars, highest):
    show(bars, [0.0, highest])
    bottom, top = bars.ax.get_ylim()
    assert bottom == 0 and 0 < highest * 1.24 < top or highest == 0 < top
    assert top <= max(0.2, 4 * highest)


def test_neighbours_differ_in_colour_and_hatch_and_the_next_sentence_is_green_and_dotted(bars):
    show(bars, [1.0] * 4, named=names(3, NEXT_SENTENCE))
    assert [looks(bar) for bar in shown(bars.rectangles)] == [
        (BLUE, ""), (WHITE, "//"), (BLUE, ""), (GREEN, "..")
    ]
    show(bars, [1.0] * 4)
    assert looks(bars.rectangles[3]) == (WHITE, "//")


def test_the_dashed_line_is_the_uniform_loss_and_the_title_has_its_number(bars):
    show(bars, [9.0], uniform=10.308952660644293)
    assert list(bars.uniform.get_ydata()) == [10.308952660644293] * 2
    assert bars.uniform.get_linestyle() == "--"
    assert bars.title.get_text() == "loss of each slot; dashed: ln V = 10.3090"
    left, right = bars.ax.get_xlim()
    assert bars.uniform.get_xdata()[0] <= left and right <= bars.uniform.get_xdata()[1]


@pytest.mark.parametrize(("loss", "above"), [(1.6094, True), (9.0, False)])
def test_the_title_tells_where_a_line_above_the_picture_is(bars, loss, above):
    show(bars, [loss])
    assert bars.title.get_text().endswith("10.3090, above this picture") == above
    assert (bars.ax.get_ylim()[1] < 10.3090) == above


@pytest.mark.parametrize("n_bars", [1, 7, 13])
@pytest.mark.parametrize("uniform", [0.6931, 1.3863, 12.4292])
def test_the_dashed_line_never_runs_through_a_number(bars, uniform, n_bars):
    for step in range(60):
        show(bars, [uniform * (0.6 + step / 100)] * n_bars, uniform)
        level = bars.ax.transData.transform((0, uniform))[1]
        for number in shown(bars.numbers):
            room = number.get_window_extent()
            assert not room.y0 < level < room.y1, step


def test_a_number_stays_above_its_bar_and_below_the_title(bars):
    for step in range(80):
        loss = 0.05 * (step + 1)
        show(bars, [loss], 1.3863)
        height = bars.numbers[0].get_position()[1]
        room = bars.numbers[0].get_window_extent()
        assert height == loss or loss < height == 1.3863
        assert room.y1 <= bars.title.get_window_extent().y0 + 1


def test_fit_tells_whether_the_names_or_the_height_changed(bars):
    assert bars.fit(names(2), [0.9, 1.7])
    assert not bars.fit(names(2), [1.0, 1.9])
    assert bars.fit(names(3), [1.0, 1.7, 0.1])
    assert bars.fit(names(2, NEXT_SENTENCE), [1.0, 1.7, 0.1])
    assert bars.fit(names(2, NEXT_SENTENCE), [1.0, 5.0, 0.1])
    assert not bars.fit(names(2, NEXT_SENTENCE), [0.0, 5.0, 0.0])


# The stack


def stacked(stack, parts, n_slots=None, uniform=20.6179, title="sum of 2 slots"):
    stack.fit(math.fsum(parts))
    stack.move(parts, len(parts) if n_slots is None else n_slots, uniform, title)


@pytest.mark.parametrize("parts", [[0.9163, 1.6094], [0.4581, 0.8047, 0.1054], [1.0] * 13, [0.0]])
def test_each_part_starts_where_the_one_before_ends(stack, parts):
    stacked(stack, parts)
    rectangles = shown(stack.rectangles)
    assert [bar.get_width() for bar in rectangles] == parts
    starts = [math.fsum(parts[:index]) for index in range(len(parts))]
    assert [bar.get_x() for bar in rectangles] == pytest.approx(starts)
    assert stack.total.get_position()[0] == pytest.approx(math.fsum(parts))


def test_the_total_is_written_beside_the_stack_and_the_title_has_the_reference(stack):
    stacked(stack, [0.9163, 1.6094, 0.10536], n_slots=2, uniform=21.3111, title="sum + NSP")
    assert stack.total.get_text() == "2.6311"
    assert stack.title.get_text() == "sum + NSP; dashed: uniform 21.3111, right of this picture"
    assert list(stack.uniform.get_xdata()) == [21.3111] * 2
    assert stack.uniform.get_linestyle() == "--"


def test_the_title_says_nothing_of_a_line_that_is_in_the_picture(stack):
    stacked(stack, [0.9, 1.6], uniform=2.0794)
    assert stack.title.get_text() == "sum of 2 slots; dashed: uniform 2.0794"
    assert stack.ax.get_xlim()[1] > 2.0794


def test_no_part_at_all_is_a_total_of_zero(stack):
    stacked(stack, [])
    assert not shown(stack.rectangles)
    assert (stack.total.get_text(), stack.total.get_position()[0]) == ("0.0000", 0)
    draw(stack.ax)


def test_parts_look_like_their_bars_and_those_behind_the_slots_are_the_next_sentence(stack):
    stacked(stack, [1.0] * 4, n_slots=3)
    assert [looks(bar) for bar in shown(stack.rectangles)] == [
        (BLUE, ""), (WHITE, "//"), (BLUE, ""), (GREEN, "..")
    ]
    stacked(stack, [1.0], n_slots=0)
    assert looks(stack.rectangles[0]) == (GREEN, "..")


@pytest.mark.parametrize("total", [0, 0.1, 2.5257, 15.1544, 149.9, 150.1, 179.6, 1000])
def test_the_axis_holds_the_stack_and_its_total(stack, total):
    stacked(stack, [total])
    left, right = stack.ax.get_xlim()
    assert left == 0 and right >= max(0.1, total) * 1.2 - NO_PLACE
    assert stack.total.get_window_extent().x1 <= 960


@pytest.mark.parametrize("uniform", [0.6931, 2.0794, 20.6179, 149.1507])
def test_the_dashed_line_never_runs_through_the_total(stack, uniform):
    for step in range(60):
        stacked(stack, [uniform * (0.6 + step / 100)], uniform=uniform)
        place = stack.ax.transData.transform((uniform, 0))[0]
        room = stack.total.get_window_extent()
        assert not room.x0 < place < room.x1, step
        assert room.x1 <= 960


def test_fit_tells_whether_the_length_changed(stack):
    assert stack.fit(2.5)
    assert not stack.fit(2.4)
    assert stack.fit(3.5)
    assert stack.fit(0)
