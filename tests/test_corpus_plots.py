"""What the artists of a corpus's bars say, against numbers written down."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from mlm_helpers.corpus_plots import ROWS, plot_corpus
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from test_live import different_pixels, full_redraw
from test_plots import draw, texts

pytestmark = pytest.mark.filterwarnings("error")

GREY, BLUE, ORANGE, GREEN = "#999999", "#0072b2", "#e69f00", "#009e73"
COLUMNS = {"expected": 1.6, "share": 2.2}
SCALES = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1)
NUMBERS = [["300", "15.0 %"], ["240", "12.0 %"], ["30", "1.5 %"], ["31", "1.6 %"]]


@pytest.fixture
def bars():
    figure = white_figure(9.6, 3.8)
    return plot_corpus(figure.add_axes((0.1, 0.1, 0.38, 0.76)), COLUMNS)


def tick_labels(bars):
    return texts(bars.ax.get_xticklabels())


def test_bars_columns_and_rate_are_where_they_were_set(bars):
    bars.fit(0.15)
    bars.move((0.15, 0.12, 0.015, 0.016), NUMBERS, 0.14)
    assert [bar.get_width() for bar in bars.rectangles] == [0.15, 0.12, 0.015, 0.016]
    assert [texts(column) for column in bars.columns] == [list(row) for row in
                                                          zip(*NUMBERS, strict=True)]
    assert list(bars.rate.get_xdata()) == [0.14, 0.14]
    assert (bars.rate.get_linestyle(), list(bars.rate.get_ydata())) == ("--", [-0.45, 0.45])


def test_rows_stand_from_top_to_bottom_with_their_names(bars):
    assert texts(bars.ax.get_yticklabels()) == list(ROWS) == ["all slots", "mask", "swap", "keep"]
    low, high = bars.ax.get_ylim()
    assert low > high
    centres = [bar.get_y() + bar.get_height() / 2 for bar in bars.rectangles]
    assert centres == pytest.approx([0, 1, 2, 3])
    assert [[number.get_position()[1] for number in column] for column in bars.columns] == [
        [0, 1, 2, 3]] * 2


def test_colours_are_the_branches_and_never_alone(bars):
    assert [to_hex(bar.get_facecolor()) for bar in bars.rectangles] == [GREY, BLUE, ORANGE, GREEN]
    assert [bar.get_hatch() or "" for bar in bars.rectangles] == ["", "", "//", ".."]


def test_columns_end_flush_right_below_their_headings(bars):
    bars.move((0, 0, 0, 0), NUMBERS, 0)
    draw(bars.ax)
    renderer = bars.ax.figure.canvas.get_renderer()
    headings = {note.get_text(): note.get_window_extent(renderer).x1 for note in bars.ax.texts
                if note.get_text() in COLUMNS}
    assert list(headings) == list(COLUMNS)
    for heading, column in zip(COLUMNS, bars.columns, strict=True):
        edges = [number.get_window_extent(renderer).x1 for number in column]
        assert edges == pytest.approx([headings[heading]] * 4, abs=1.5)


@pytest.mark.parametrize(("highest", "length", "labels"), [
    (0, 0.01, ["0", "0.25 %", "0.5 %", "0.75 %", "1 %"]),
    (0.0001, 0.01, ["0", "0.25 %", "0.5 %", "0.75 %", "1 %"]),
    (0.0390625, 0.05, ["0", "1 %", "2 %", "3 %", "4 %", "5 %"]),
    (0.1, 0.1, ["0", "2.5 %", "5 %", "7.5 %", "10 %"]),
    (0.15, 0.2, ["0", "5 %", "10 %", "15 %", "20 %"]),
    (0.21, 0.5, ["0", "10 %", "20 %", "30 %", "40 %", "50 %"]),
    (1, 1, ["0", "25 %", "50 %", "75 %", "100 %"]),
])
def test_the_axis_has_the_shortest_length_that_holds_the_share(bars, highest, length, labels):
    bars.fit(0.6 if length != 1 else 0.3)
    assert bars.fit(highest) is True
    assert bars.ax.get_xlim() == (0, length)
    assert tick_labels(bars) == labels


def test_only_a_few_lengths_occur_and_none_is_drawn_twice_in_a_row(bars):
    seen = []
    for highest in np.linspace(0, 1, 1001):
        if bars.fit(highest):
            seen.append(bars.ax.get_xlim()[1])
        assert bars.fit(highest) is False
        assert highest <= bars.ax.get_xlim()[1]
    assert tuple(seen) == SCALES


def test_numbers_right_of_the_axes_are_drawn_also_with_signs_that_are_not_copied(bars):
    """Text cut them off at the axes' frame."""
    live = LiveFigure(bars.ax.figure, bars.artists)
    bars.fit(0.1)
    for sign in ("1", "±", "é"):
        bars.move((0, 0, 0, 0), [["", ""]] * 4, 0)
        live.draw("empty")
        empty = live.pixels().copy()
        bars.move((0, 0, 0, 0), [["", ""], ["", ""], ["", sign], ["", ""]], 0)
        live.draw(sign)
        assert different_pixels(empty, live.pixels()) > 20, sign
        assert different_pixels(live.pixels(), full_redraw(live)) == 0


@pytest.mark.parametrize("rate", [0, 0.15, 1])
def test_the_dashed_line_is_whole_at_both_ends(bars, rate):
    live = LiveFigure(bars.ax.figure, bars.artists)
    bars.fit(rate)
    inks = []
    for visible in (True, False):
        bars.rate.set_visible(visible)
        bars.move((0, 0, 0, 0), [["", ""]] * 4, rate)
        live.draw("")
        inks.append(live.pixels().copy())
    assert different_pixels(*inks) > (100 if rate else 40)


def test_every_row_needs_its_share_and_its_numbers(bars):
    with pytest.raises(ValueError):
        bars.move((0.1, 0.1), NUMBERS, 0.1)
    with pytest.raises(ValueError):
        bars.move((0.1, 0.1, 0, 0), [["1"]] * 4, 0.1)
