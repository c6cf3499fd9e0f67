"""What the artists of the limits' two plots say, against math and numbers written down."""

import math

import numpy as np
import pytest
from matplotlib.colors import to_hex

from mlm_helpers.figures import white_figure
from mlm_helpers.limit_plots import SMALLEST, plot_limits, plot_training
from mlm_helpers.wording import BITS, NATS
from refusals import assert_refused
from test_plots import draw, texts

pytestmark = pytest.mark.filterwarnings("error")

BLUE, ORANGE, GREEN = "#0072b2", "#e69f00", "#009e73"
FRESH = (10.4, 10.6, 10.5)
ENDS = (1.8, 1.5, 1.2)
UNIFORM = 10.3262


@pytest.fixture
def ax():
    return white_figure(9.6, 4.2).add_axes((0.675, 0.15, 0.3, 0.76))


@pytest.fixture
def training(ax):
    return plot_training(ax, UNIFORM, FRESH, ENDS)


def data(line):
    return [list(values) for values in line.get_data()]


def lines(ax, **looks):
    """The lines whose looks are these: marker="D", linestyle=":"."""
    return [line for line in ax.lines
            if all(getattr(line, f"get_{name}")() == look for name, look in looks.items())]


# Surprisal over powers of ten


@pytest.mark.parametrize(("unit", "log"), [(NATS, math.log), (BITS, math.log2)], ids=["ln", "log2"])
def test_the_line_goes_from_1e_minus_12_to_1_and_is_minus_log_p(ax, unit, log):
    plot_limits(ax, unit)
    (line,) = lines(ax, color="#999999")
    p, surprisal = data(line)
    assert p == [1e-12, 1] == [SMALLEST, 1]
    assert surprisal == pytest.approx([-log(1e-12), 0], rel=1e-12)
    assert (ax.get_xscale(), ax.get_xlim()) == ("log", (1e-12, 1))
    assert ax.get_ylabel() == f"−{unit.log} p ({unit.name})"
    draw(ax)


def test_both_ends_are_named(ax):
    plot_limits(ax, NATS)
    (end,) = lines(ax, marker="^")
    (best,) = lines(ax, marker="s")
    assert data(end) == [[1e-12], pytest.approx([27.6310], abs=0.00005)]
    assert data(best) == [[1], [0]] and to_hex(best.get_color()) == GREEN
    assert "p → 0: ∞" in texts(ax.texts)
    assert "no upper end" in ax.get_title(loc="left")


@pytest.mark.parametrize("unit", [NATS, BITS], ids=["nats", "bits"])
def test_the_axis_holds_the_whole_line_in_either_unit(ax, unit):
    plot_limits(ax, NATS).fit(unit)
    bottom, top = ax.get_ylim()
    assert bottom == 0 and 1 < top / (27.6310 * unit.per_nat) < 1.1


def test_fit_tells_whether_the_unit_changed_and_takes_the_line_along(ax):
    plot = plot_limits(ax, NATS)
    assert not plot.fit(NATS)
    assert plot.fit(BITS) and not plot.fit(BITS)
    (line,) = lines(ax, color="#999999")
    (end,) = lines(ax, marker="^")
    assert line.get_ydata()[0] == end.get_ydata()[0] == pytest.approx(39.8631, abs=0.00005)
    assert plot.fit(NATS)
    assert line.get_ydata()[0] == end.get_ydata()[0] == pytest.approx(27.6310, abs=0.00005)


@pytest.mark.parametrize(
    ("unit", "p", "vocab_size", "loss", "uniform"),
    [
        (NATS, 0.25, 30_522, 1.3863, 10.3262),
        (BITS, 0.25, 30_522, 2, 14.8976),
        (NATS, 1e-12, 2, 27.6310, 0.6931),
        (NATS, 1.0, 4, 0, 1.3863),
    ],
)
def test_point_uniform_line_and_its_point_stand_where_they_are_put(
    ax, unit, p, vocab_size, loss, uniform
):
    plot = plot_limits(ax, unit)
    plot.move(p, vocab_size, ["one", "two", "three"])
    assert data(plot.point) == [[p], pytest.approx([loss], abs=0.00005)]
    assert data(plot.guess) == [[1 / vocab_size], pytest.approx([uniform], abs=0.00005)]
    assert data(plot.uniform) == [[1e-12, 1], pytest.approx([uniform] * 2, abs=0.00005)]
    assert texts(plot.readouts) == ["one", "two", "three"]
    draw(ax)


def test_markers_differ_in_shape_and_colour_and_the_uniform_line_is_dashed(ax):
    plot = plot_limits(ax, NATS)
    (best,) = lines(ax, marker="s")
    looks = [(line.get_marker(), to_hex(line.get_color())) for line in (plot.point, plot.guess,
                                                                        best)]
    assert looks == [("o", BLUE), ("D", ORANGE), ("s", GREEN)]
    assert (plot.uniform.get_linestyle(), plot.uniform.get_color()) == ("--", "black")


def test_every_line_of_the_corner_is_given(ax):
    with pytest.raises(ValueError):
        plot_limits(ax, NATS).move(0.5, 4, ["one", "two"])


# Training


def test_starts_and_ends_are_the_published_numbers(ax, training):
    (starts,) = lines(ax, marker="D")
    (ends,) = lines(ax, marker="s")
    assert data(starts) == [[0, 0, 0], list(FRESH)] and to_hex(starts.get_color()) == ORANGE
    assert data(ends) == [[1, 1, 1], list(ENDS)] and to_hex(ends.get_color()) == GREEN
    (uniform,) = lines(ax, linestyle="--")
    assert list(uniform.get_ydata()) == [UNIFORM] * 2
    assert texts(ax.texts) == ["fresh: 10.40 to 10.60", "uniform: 10.3262", "trained: 1.20 to 1.80"]


def test_the_guides_are_dotted_start_fresh_reach_the_first_and_the_last_end_and_are_called_drawn(
    ax, training
):
    guides = lines(ax, linestyle=":")
    assert [guide.get_ydata()[0] for guide in guides] == pytest.approx([10.5, 10.5])
    assert [guide.get_ydata()[-1] for guide in guides] == pytest.approx([1.8, 1.2], abs=0.01)
    for guide in guides:
        assert (np.diff(guide.get_ydata()) < 0).all()
    assert ax.get_xlabel() == "dotted: drawn, not measured"


def test_the_axis_has_its_unit_and_names_both_ends_of_training(ax, training):
    assert "nats" in ax.get_title(loc="left")
    assert texts(ax.get_xticklabels()) == ["start", "end of training"]
    assert list(ax.get_xticks()) == [0, 1]


@pytest.mark.parametrize("loss", [0, 1.3838, 10.48, 13.99, 14])
def test_a_loss_on_the_axis_is_a_level_with_a_point(training, loss):
    training.move(loss)
    assert list(training.level.get_ydata()) == [loss, loss] and training.level.get_visible()
    assert data(training.point) == [[0], [loss]] and training.point.get_marker() == "o"


def test_a_loss_above_the_axis_is_an_arrow_at_the_top_until_it_is_on_it_again(ax, training):
    for loss in (14.01, 27.6, math.inf):
        training.move(loss)
        assert data(training.point) == [[0], [14]] == [[0], [ax.get_ylim()[1]]]
        assert training.point.get_marker() == "^" and not training.level.get_visible()
        draw(ax)
    training.move(2.0)
    assert training.point.get_marker() == "o" and training.level.get_visible()


def test_the_level_reaches_the_end_but_strikes_no_label_through(ax, training):
    reaches = []
    for loss in np.arange(0, 14, 0.05):
        training.move(loss)
        ends = ax.transData.transform(np.transpose(training.level.get_data()))
        rooms = [label.get_window_extent() for label in ax.texts]
        assert not [room for room in rooms if room.y0 < ends[1, 1] < room.y1
                    and ends[1, 0] > room.x0], loss
        reaches.append(training.level.get_xdata()[1])
        assert reaches[-1] > 0.1
    assert reaches.count(1) > len(reaches) / 2


def test_a_measured_curve_ends_at_the_end_of_the_axis_and_is_called_measured(ax, training):
    assert data(training.measured) == [[], []]
    training.measure([0, 50, 200], [10.4, 6.5, 3.1])
    assert data(training.measured) == [[0, 0.25, 1], [10.4, 6.5, 3.1]]
    assert to_hex(training.measured.get_color()) == ORANGE
    assert training.measured.get_linestyle() == "-"
    assert ax.get_xlabel() == "orange: measured; dotted: drawn"
    training.measure(np.array([10.0]), np.array([3.0]))
    assert data(training.measured) == [[1], [3]]
    draw(ax)


@pytest.mark.parametrize(
    ("steps", "losses", "parts"),
    [
        ([0, 1, 2], [3.0, 2.0], ["3 steps and 2 losses", "one loss per step"]),
        ([1, 2], [3.0], ["2 steps and 1 losses", "one loss per step"]),
        ([], [], ["0 steps and 0 losses"]),
        ([0], [3.0], ["a last step above 0"]),
        ([0, math.nan], [3.0, 2.0], ["a last step above 0"]),
    ],
)
def test_what_is_no_curve_is_refused_with_the_remedy(training, steps, losses, parts):
    assert_refused(lambda: training.measure(steps, losses), *parts)
    assert data(training.measured) == [[], []]
