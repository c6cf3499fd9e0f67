"""What the curves and points over the length of a sequence say, against numbers written down."""

import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

from mlm_helpers.figures import white_figure
from mlm_helpers.slot_count_plots import plot_no_slot, plot_slot_counts
from test_plots import BLUE, GREY, ORANGE, draw, texts

pytestmark = pytest.mark.filterwarnings("error")

GREEN = "#009e73"
POLICIES = ("page", "bert", "hugging_face", "fairseq")
DRAWN = ("hugging_face", "fairseq")
LENGTHS = [1, 4, 7, 10, 512]
COUNTS = {
    "page": [0, 0, 1, 1, 76],
    "bert": [1, 1, 1, 2, 20],
    "hugging_face": [0.15, 0.6, 1.05, 1.5, 76.8],
    "fairseq": [0.15, 0.6, 1.05, 1.5, 76.8],
}
CHANCES = {
    "page": [1, 1, 0, 0, 0],
    "bert": [0, 0, 0, 0, 0],
    "hugging_face": [0.85, 0.5220, 0.3206, 0.1969, 0],
    "fairseq": [0.85, 0.4, 0, 0, 0],
}
WORDS = {policy: f"{policy} says" for policy in POLICIES}
NAMES = ["the page", "BERT", "Hugging Face", "fairseq"]


@pytest.fixture
def ax():
    return white_figure(5, 4).add_axes((0.15, 0.15, 0.8, 0.75))


@pytest.fixture(params=["counts", "no slot"])
def made(request, ax):
    """Either kind of panel, with what its curves are to be."""
    if request.param == "counts":
        return plot_slot_counts(ax), COUNTS
    return plot_no_slot(ax, DRAWN), CHANCES


def at(heights, index):
    return {policy: column[index] for policy, column in heights.items()}


def places(artists):
    return {policy: tuple(map(list, line.get_data())) for policy, line in artists.items()}


def test_each_curve_has_its_heights_over_the_lengths(made):
    panel, heights = made
    panel.fit(LENGTHS, heights)
    assert places(panel.curves) == {policy: (LENGTHS, heights[policy]) for policy in POLICIES}
    panel.fit(LENGTHS[1:], {policy: column[1:] for policy, column in heights.items()})
    assert places(panel.curves)["page"] == (LENGTHS[1:], heights["page"][1:])


@pytest.mark.parametrize("index", range(len(LENGTHS)))
def test_each_point_stands_at_the_length_and_its_number_is_said(made, index):
    panel, heights = made
    panel.move(LENGTHS[index], at(heights, index), WORDS)
    assert places(panel.points) == {
        policy: ([LENGTHS[index]], [heights[policy][index]]) for policy in POLICIES}
    assert texts(panel.numbers.values()) == list(WORDS.values())


def test_shares_of_a_draw_are_crosses_of_their_own_with_a_number(ax):
    panel = plot_no_slot(ax, DRAWN)
    panel.move(4, at(CHANCES, 1), WORDS)
    panel.move_drawn(4, {"hugging_face": 0.501, "fairseq": 0.38},
                     {"hugging_face": "50.1 %", "fairseq": "38.0 %"})
    assert places(panel.drawn) == {"hugging_face": ([4], [0.501]), "fairseq": ([4], [0.38])}
    assert texts(panel.drawn_numbers.values()) == ["50.1 %", "38.0 %"]
    assert places(panel.points)["hugging_face"] == ([4], [0.5220])
    for cross in panel.drawn.values():
        assert (cross.get_marker(), to_hex(cross.get_markeredgecolor())) == ("X", "#000000")


def test_policies_differ_in_colour_and_line_and_marker(made):
    panel, _ = made
    curves, points = panel.curves.values(), panel.points.values()
    colours = [GREY, BLUE, ORANGE, GREEN]
    assert [to_hex(curve.get_color()) for curve in curves] == colours
    assert [to_hex(point.get_color()) for point in points] == colours
    lines = {(curve.get_linestyle(), curve.get_linewidth()) for curve in curves}
    assert len(lines) == len({point.get_marker() for point in points}) == 4
    assert min(curve.get_linewidth() for curve in curves) >= 2


def test_where_lines_or_points_of_two_policies_coincide_the_lower_is_wider(made):
    panel, _ = made
    fixed = [panel.curves[policy].get_linewidth() for policy in ("page", "bert")]
    assert fixed[0] > 2 * fixed[1]
    sizes = {policy: point.get_markersize() for policy, point in panel.points.items()}
    assert sizes["page"] > sizes["bert"] and sizes["hugging_face"] > sizes["fairseq"]


def test_fixed_numbers_rise_in_steps_that_begin_at_their_length(made):
    panel, _ = made
    styles = {policy: curve.get_drawstyle() for policy, curve in panel.curves.items()}
    assert styles == {"page": "steps-post", "bert": "steps-post",
                      "hugging_face": "default", "fairseq": "default"}


def test_names_stand_beside_keys_that_look_like_the_lines(made):
    panel, _ = made
    ax = panel.curves["page"].axes
    still = [text for text in ax.texts if text not in panel.artists]
    assert texts(still) == NAMES
    moving = set(panel.artists)
    keys = [line for line in ax.lines if line not in moving and len(line.get_xdata()) == 3]
    looks = [(line.get_color(), line.get_linestyle(), line.get_linewidth()) for line in keys]
    assert looks == [(curve.get_color(), curve.get_linestyle(), curve.get_linewidth())
                     for curve in panel.curves.values()]
    assert [key.get_marker() for key in keys] == [
        point.get_marker() for point in panel.points.values()]
    for key, name in zip(keys, still, strict=True):
        assert set(key.get_ydata()) == {name.get_position()[1]}


def test_artists_are_all_that_changes(ax):
    panel = plot_no_slot(ax, DRAWN)
    assert len(panel.artists) == len(set(panel.artists)) == 16
    parts = (panel.curves, panel.points, panel.numbers, panel.drawn, panel.drawn_numbers)
    assert set(panel.artists) == {artist for part in parts for artist in part.values()}


def test_the_axes_hold_every_length_and_height_and_say_what_they_are(made):
    panel, heights = made
    panel.fit(LENGTHS, heights)
    ax = panel.curves["page"].axes
    (left, right), (bottom, top) = ax.get_xlim(), ax.get_ylim()
    assert left < 1 and right > 512 and bottom < 0
    assert top > (512 if heights is COUNTS else 1)
    assert ax.get_xlabel() == "sequence length (tokens)"
    assert ax.get_title(loc="left").startswith(
        "number of slots" if heights is COUNTS else "chance of no slot")


def test_zero_and_one_slot_stand_well_apart_although_512_fit(ax):
    plot_slot_counts(ax)
    (_, zero), (_, one) = ax.transData.transform([(1, 0), (1, 1)])
    assert one - zero > 0.1 * ax.bbox.height


@pytest.mark.parametrize(("make", "labels"), [
    (plot_slot_counts, ["0", "1", "3", "10", "30", "100", "512"]),
    (lambda ax: plot_no_slot(ax, DRAWN), ["0", "25 %", "50 %", "75 %", "100 %"]),
], ids=["counts", "no slot"])
def test_ticks_are_plain_numbers(ax, make, labels):
    make(ax)
    assert texts(ax.get_yticklabels()) == labels
    assert texts(ax.get_xticklabels()) == ["1", "4", "10", "32", "128", "512"]


def test_type_has_14_points_and_no_text_is_read_as_a_formula(made):
    panel, heights = made
    panel.move(4, at(heights, 1), dict.fromkeys(POLICIES, "$x_$"))
    ax = panel.curves["page"].axes
    assert {text.get_fontsize() for text in ax.findobj(Text) if text.get_text()} == {14}
    draw(ax)
