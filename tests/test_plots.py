"""What the artists of a plot say, against numbers written down; colours against their source."""

import math

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex, to_rgba

from mlm_helpers.colours import (
    BRANCH_COLOURS,
    GREEN,
    LABEL_BLUE,
    OTHER_GREY,
    SHOWN_ORANGE,
    palette_image,
)
from mlm_helpers.figures import white_figure
from mlm_helpers.mask_plots import plot_branch_shares, plot_ribbon
from mlm_helpers.plots import name_bars, plot_bars, plot_surprisal
from mlm_helpers.wording import BITS, NATS
from test_wording import HOSTILE, INFINITY, MINUS

pytestmark = pytest.mark.filterwarnings("error")

BLUE, ORANGE, GREY = "#0072b2", "#e69f00", "#999999"


@pytest.fixture
def ax():
    return white_figure(6, 3).add_axes((0.1, 0.2, 0.8, 0.7))


def draw(ax):
    FigureCanvasAgg(ax.figure).draw()


def width_of(text):
    return text.get_window_extent(text.figure.canvas.get_renderer()).width


def texts(artists):
    return [artist.get_text() for artist in artists]


# Figure and colours


def test_a_figure_is_white_and_has_its_size_in_hundreds_of_pixels():
    figure = white_figure(9.6, 4.9)
    assert figure.get_facecolor() == (1, 1, 1, 1)
    assert FigureCanvasAgg(figure).get_width_height() == (960, 490)


def test_colours_are_okabe_and_itos():
    assert (LABEL_BLUE, SHOWN_ORANGE, OTHER_GREY, GREEN) == (
        "#0072B2", "#E69F00", "#999999", "#009E73"
    )
    assert BRANCH_COLOURS == {"mask": "#0072B2", "swap": "#E69F00", "keep": "#009E73"}


def test_the_palette_holds_every_ink_exactly_and_no_colour_twice():
    channels = palette_image().getpalette()
    colours = list(zip(channels[::3], channels[1::3], channels[2::3], strict=True))
    assert len(colours) == len(set(colours)) <= 64
    for ink in ("#FFFFFF", "#000000", "#0072B2", "#E69F00", "#999999", "#009E73"):
        assert tuple(bytes.fromhex(ink[1:])) in colours


# Bars


def test_bars_have_the_heights_and_each_number_stands_above_its_bar(ax):
    bars = plot_bars(ax, 3, "softmax p", (0, 1.12))
    bars.move([0.5344, 0.0, 4.2e-6])
    assert [bar.get_height() for bar in bars.rectangles] == [0.5344, 0.0, 4.2e-6]
    assert [bar.get_x() + bar.get_width() / 2 for bar in bars.rectangles] == [0, 1, 2]
    assert texts(bars.numbers) == ["0.5344", "0.0000", "4.2·10⁻⁶"]
    assert [number.get_position() for number in bars.numbers] == [(0, 0.5344), (1, 0), (2, 4.2e-6)]


def test_a_negative_bar_hangs_down_and_its_number_stays_above_the_line(ax):
    bars = plot_bars(ax, 2, "gradient", (-1.05, 1.55))
    bars.move([-0.4656, 0.4656])
    low, _ = bars.rectangles
    assert (low.get_y(), low.get_height()) == (0, -0.4656)
    assert texts(bars.numbers) == [f"{MINUS}0.4656", "0.4656"]
    assert bars.numbers[0].get_position() == (0, 0)


def test_every_bar_needs_its_height(ax):
    with pytest.raises(ValueError):
        plot_bars(ax, 3, "softmax p", (0, 1)).move([0.5, 0.5])


@pytest.mark.parametrize(
    ("label", "shown", "colours", "hatches"),
    [
        (1, None, [GREY, BLUE, GREY], ["", "", ""]),
        (1, 2, [GREY, BLUE, ORANGE], ["", "", "//"]),
        (1, 1, [GREY, BLUE, GREY], ["", "//", ""]),
        (0, 1, [BLUE, ORANGE, GREY], ["", "//", ""]),
    ],
    ids=["mask", "swap", "keep", "first"],
)
def test_the_label_is_blue_and_the_shown_word_hatched_even_when_they_are_the_same(
    ax, label, shown, colours, hatches
):
    bars = plot_bars(ax, 3, "softmax p", (0, 1))
    bars.mark(2, 0)
    bars.mark(label, shown)
    assert [to_hex(bar.get_facecolor()) for bar in bars.rectangles] == colours
    assert [bar.get_hatch() or "" for bar in bars.rectangles] == hatches


@pytest.mark.parametrize("visible", [True, False])
def test_the_last_bar_can_be_hidden_with_its_number(ax, visible):
    bars = plot_bars(ax, 2, "softmax p", (0, 1))
    bars.show_last(visible)
    assert bars.rectangles[1].get_visible() is bars.numbers[1].get_visible() is visible
    assert bars.rectangles[0].get_visible() and bars.numbers[0].get_visible()


def test_repeated_words_keep_their_own_bars_and_names(ax):
    bars = plot_bars(ax, 3, "softmax p", (0, 1))
    name_bars(ax, ["the", "cat", "the"])
    names = [text for text in ax.texts if text not in bars.numbers]
    assert [(name.get_position()[0], name.get_text()) for name in names] == [
        (0, "the"), (1, "cat"), (2, "the")
    ]
    assert len({bar.get_x() for bar in bars.rectangles}) == 3


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=ascii)
def test_any_word_is_drawn_as_it_is_under_its_bar_and_in_the_corner(ax, word, shown):
    curve = plot_surprisal(ax)
    curve.fit(2, NATS)
    curve.move((0.4, 0.9163), 1.3863, [word, word, word])
    name_bars(ax, [word])
    (name,) = (text for text in ax.texts if text not in curve.readouts)
    assert len(name.get_text()) == len(shown)
    assert all(new in (old, "□") for old, new in zip(shown, name.get_text(), strict=True))
    assert not any(text.get_parse_math() for text in ax.texts)
    draw(ax)


@pytest.mark.parametrize("n_words", [3, 6, 9])
@pytest.mark.parametrize("word", ["W" * 20, "internationalization", "猫" * 20])
def test_a_long_name_is_cut_to_the_room_below_its_bar(ax, word, n_words):
    plot_bars(ax, n_words, "softmax p", (0, 1))
    for name in name_bars(ax, [word] * n_words):
        start, ellipsis = name.get_text()[:-1], name.get_text()[-1]
        assert ellipsis == "…" and start.replace("□", "猫") == word[:len(start)] != ""
        assert width_of(name) <= ax.bbox.width / n_words


# The curve


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
def test_the_curve_is_minus_log_p_in_the_unit(ax, unit):
    curve = plot_surprisal(ax)
    curve.fit(10.0, unit)
    p, surprisal = curve.curve.get_data()
    log = np.log if unit is NATS else np.log2
    np.testing.assert_allclose(surprisal, -log(p), rtol=1e-12, atol=1e-12)
    assert p[0] == 1 and surprisal[-1] == pytest.approx(ax.get_ylim()[1], rel=1e-12)
    assert ax.get_ylabel() == f"{MINUS}{unit.log} p ({unit.name})"


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
@pytest.mark.parametrize("highest", [0, 0.1, 2, 2.01, 12.4, 32.4, 72, 72.1, 736.0, 1e6])
def test_limits_hold_every_point_with_room_for_the_corner(ax, highest, unit):
    curve = plot_surprisal(ax)
    curve.fit(highest, unit)
    bottom, top = ax.get_ylim()
    assert bottom == 0 and highest * unit.per_nat <= 0.69 * top
    assert ax.get_xlim() == (0, 1)


def test_fit_tells_whether_the_still_part_changed(ax):
    curve = plot_surprisal(ax)
    assert curve.fit(1.5, NATS) and not curve.fit(1.9, NATS)
    assert curve.fit(1.9, BITS) and not curve.fit(0.2, BITS)
    assert curve.fit(12.4, BITS) and curve.fit(1.5, BITS)


def test_point_uniform_line_and_mistake_stand_where_they_are_put(ax):
    curve = plot_surprisal(ax)
    curve.fit(1.6094, NATS)
    curve.move((0.4, 0.9163), 1.3863, ["cat", "uniform", "mat"], (0.2, 1.6094))
    assert [list(data) for data in curve.point.get_data()] == [[0.4], [0.9163]]
    assert [list(data) for data in curve.mistake.get_data()] == [[0.2], [1.6094]]
    assert list(curve.uniform.get_ydata()) == [1.3863, 1.3863]
    assert list(curve.uniform.get_xdata()) == [0, 1] and curve.uniform.get_linestyle() == "--"
    assert texts(curve.readouts) == ["cat", "uniform", "mat"]
    assert (curve.point.get_marker(), curve.mistake.get_marker()) == ("o", "X")
    assert curve.mistake.get_visible()


def test_the_mistake_and_its_key_vanish_when_there_is_none(ax):
    curve = plot_surprisal(ax)
    curve.fit(2, NATS)
    curve.move((0.4, 0.9163), 1.3863, ["", "", ""], (0.2, 1.6094))
    keys = [artist for artist in curve.artists if artist.get_color() == curve.mistake.get_color()]
    assert len(keys) == 2 and all(artist.get_visible() for artist in keys)
    curve.move((0.4, 0.9163), 1.3863, ["", "", ""])
    assert not any(artist.get_visible() for artist in keys)


def test_an_infinite_surprisal_is_an_arrow_at_the_top_until_it_is_finite_again(ax):
    curve = plot_surprisal(ax)
    curve.fit(1.4, NATS)
    texts_of_zero = [f"p = 0, surprisal {INFINITY} nats", "", ""]
    curve.move((0.0, math.inf), 1.3863, texts_of_zero)
    assert [list(data) for data in curve.point.get_data()] == [[0], [ax.get_ylim()[1]]]
    assert curve.point.get_marker() == "^" and curve.point.get_visible()
    assert INFINITY in curve.readouts[0].get_text()
    draw(ax)
    curve.move((0.4, 0.9163), 1.3863, ["", "", ""])
    assert curve.point.get_marker() == "o" and list(curve.point.get_ydata()) == [0.9163]


# Branch shares


SHARES = {"mask": 0.8, "swap": 0.1, "keep": 0.1}


@pytest.mark.parametrize(
    ("counts", "widths", "labels"),
    [
        ((2, 1, 0), [2 / 3, 1 / 3, 0], ["2 of 3 (66.7 %)", "1 of 3 (33.3 %)", "0 of 3 (0.0 %)"]),
        ((0, 0, 0), [0, 0, 0], ["0 slots"] * 3),
        ((0, 0, 5), [0, 0, 1], ["0 of 5 (0.0 %)", "0 of 5 (0.0 %)", "5 of 5 (100.0 %)"]),
    ],
)
def test_branch_shares(ax, counts, widths, labels):
    shares = plot_branch_shares(ax, SHARES)
    shares.move(dict(zip(SHARES, counts, strict=True)))
    assert [bar.get_width() for bar in shares.rectangles] == widths
    assert texts(shares.numbers) == labels
    for number, width, expected in zip(shares.numbers, widths, SHARES.values(), strict=True):
        assert number.get_position()[0] == max(width, expected)
    assert max(widths) < ax.get_xlim()[1]


def test_expected_shares_are_dashed_lines_and_branches_differ_in_more_than_colour(ax):
    shares = plot_branch_shares(ax, SHARES)
    ends = [list(line.get_xdata()) for line in shares.references]
    assert ends == [[0.8, 0.8], [0.1, 0.1], [0.1, 0.1]]
    assert {line.get_linestyle() for line in shares.references} == {"--"}
    assert len({bar.get_hatch() or "" for bar in shares.rectangles}) == 3
    assert len({bar.get_facecolor() for bar in shares.rectangles}) == 3
    assert texts(ax.get_yticklabels()) == ["mask", "swap", "keep"]


# The ribbon as a picture


def test_ribbon_has_a_box_per_token_and_its_text_in_the_middle(ax):
    plot_ribbon(ax, [("original", ["the", "cat"]), ("branch", [None, "mask"])], ["white", BLUE])
    boxes = [(box.get_xy(), box.get_facecolor()) for box in ax.patches]
    assert boxes == [((column, row), to_rgba(colour)) for row in (0, 1)
                     for column, colour in ((0, "white"), (1, BLUE))]
    centred = [text for text in ax.texts if text.get_ha() == "center"]
    headings = [text for text in ax.texts if text not in centred]
    assert {text.get_position(): text.get_text() for text in centred} == {
        (0.5, 0.5): "the", (1.5, 0.5): "cat", (1.5, 1.5): "mask"
    }
    assert texts(headings) == ["original", "branch"]


@pytest.mark.parametrize("n_words", [4, 8])
def test_words_of_the_ribbon_stay_in_their_boxes_and_have_14_points(n_words):
    ax = white_figure(9.6, 2).add_axes((0, 0, 0.99, 1))
    words = ["WWWWWWWWWWWWWW", "internationalization", "[MASK]", "猫" * 12] * (n_words // 4)
    plot_ribbon(ax, [("original", words)], ["white"] * n_words)
    inside = [text for text in ax.texts if text.get_ha() == "center"]
    box = ax.transData.transform([(0, 0), (1, 0)])
    assert [text.get_text() for text in inside if width_of(text) > box[1, 0] - box[0, 0]] == []
    assert min(text.get_fontsize() for text in ax.texts) >= 14


@pytest.mark.parametrize("words", [list(HOSTILE), []], ids=["any words", "none"])
def test_ribbon_of_any_words_is_drawn(ax, words):
    plot_ribbon(ax, [("original", words)], ["white"] * len(words))
    assert not any(text.get_parse_math() for text in ax.texts if text.get_ha() == "center")
    draw(ax)
