"""Hundreds of random moves through every explorer: no failure, nothing piles up, the end is right.

Each explorer is moved slider by slider as a browser would do it; the figures are those after a
first stretch of moves, in which caches fill, and after all. The plain suite makes 24 moves; the
thorough one makes 2 000, each explorer in a process of its own so that no other's memory is
counted. ``python tests/random_moves.py`` prints the figures.
"""

import tracemalloc

import ipywidgets as widgets
import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from mlm_helpers.explorers.surprisal import SurprisalExplorer
from mlm_helpers.figures import white_figure
from mlm_helpers.quick_text import QuickText
from mlm_helpers.slot_counts import draw_slot_counts
from random_moves import EXPLORERS, WARM_UP, Walk, measure, measured_apart, measured_here
from test_explorers import check_surprisal
from thorough import plainly

MOVES = plainly(24, 2000)
MEASURE = plainly(measured_here, measured_apart)
ALIKE = ("softmax B", "softmax C", "surprisal")  # the others have all their parts
WALKED = plainly([name for name in EXPLORERS if name not in ALIKE], EXPLORERS)
MOST_GROWTH = 5  # MB


@pytest.fixture(autouse=True)
def widgets_closed():
    """ipywidgets keeps every widget until it is closed."""
    yield
    widgets.Widget.close_all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("name", WALKED)
def test_random_moves_leave_nothing_behind_and_end_right(name):
    found = MEASURE(name, MOVES, min(WARM_UP, MOVES // 2))
    before, after = found["before"], found["after"]
    assert after.pop("MB") - before.pop("MB") <= MOST_GROWTH
    assert after == before and before["figures"] == 1
    assert found["last state right"]
    assert found["misplaced handles"] == []


@pytest.fixture
def traced():
    tracemalloc.start()
    yield tracemalloc.get_traced_memory
    tracemalloc.stop()


def test_many_different_texts_are_not_all_kept(traced):
    canvas = FigureCanvasAgg(white_figure(6, 1))
    text = canvas.figure.add_artist(QuickText(0.5, 0.5, "", va="center"))

    def draw(numbers):
        for number in numbers:
            text.set_text(f"loss {number:.4f} nats, 1.3863 nats above uniform")
            text.draw(canvas.get_renderer())

    draw(range(200))
    before, _ = traced()
    assert before > 10**6
    draw(range(200, 600))
    after, _ = traced()
    assert after - before < 10**5


def test_the_largest_draw_takes_little_memory(traced):
    counts = draw_slot_counts(10_000, 512, "hugging_face", rng=np.random.default_rng(0))
    assert abs(counts.mean() - 0.15 * 512) < 0.5
    assert traced()[1] < 5 * 10**6


# What the walk would notice


class Hoarder(SurprisalExplorer):
    """Makes a new figure at each move and keeps it."""

    def show_state(self):
        self.hoard = [*getattr(self, "hoard", []), white_figure(1, 1)]
        super().show_state()


class Multiplier(SurprisalExplorer):
    """Makes a new widget at each move."""

    def show_state(self):
        widgets.Label()
        super().show_state()


class Sluggard(SurprisalExplorer):
    """Tires of drawing."""

    def show_state(self):
        self.n_shown = getattr(self, "n_shown", 0) + 1
        if self.n_shown < 10:
            super().show_state()


class Failure(SurprisalExplorer):
    """Cannot show a small probability."""

    def show_state(self):
        if self.probability.value < 0.5:
            raise RuntimeError("too small")
        super().show_state()


def test_a_figure_that_stays_is_noticed():
    found = measure(Hoarder, check_surprisal, 20, 10)
    assert found["after"]["figures"] > found["before"]["figures"]


def test_a_widget_that_stays_is_noticed():
    found = measure(Multiplier, check_surprisal, 20, 10)
    for kind in ("widgets", "comms"):
        assert found["after"][kind] > found["before"][kind]


def test_a_stale_picture_is_noticed():
    assert not measure(Sluggard, lambda _: None, 20, 10)["last state right"]
    with pytest.raises(AssertionError):
        measure(Sluggard, check_surprisal, 20, 10)


def test_a_failure_is_noticed():
    with pytest.raises(AssertionError, match="RuntimeError: too small"):
        Walk(Failure, seed=0).go(100)
