"""A room's guesses: the artists stand where the numbers say."""

import numpy as np
import pytest

from mlm_helpers.figures import white_figure
from mlm_helpers.guess_plots import plot_guesses, plot_hands


@pytest.fixture
def ax():
    return white_figure(9.6, 2.6).subplots()


def test_dots_and_line_stand_at_guesses_and_truth(ax):
    dots, line = plot_guesses(ax, "Loss in nats", [0.5, 2.0, 0.5], 0.6265, "truth 0.6265 nats")
    np.testing.assert_array_equal(dots.get_offsets(), [[0.5, 1], [2.0, 2], [0.5, 3]])
    assert list(line.get_xdata()) == [0.6265, 0.6265]
    assert ax.get_xlabel() == "dashed: truth 0.6265 nats" and ax.get_title("left") == "Loss in nats"


@pytest.mark.parametrize(("guesses", "truth"), [([0.0], 0.0), ([5], 5), ([1e9, 3], 2.4e8),
                                                ([-3, 4], 1)])
def test_everything_lies_well_inside(ax, guesses, truth):
    plot_guesses(ax, "", guesses, truth, "")
    low, high = ax.get_xlim()
    assert low < min(*guesses, truth) <= max(*guesses, truth) < high


def test_hands_are_as_long_as_their_number_and_the_right_choice_is_named(ax):
    bars = plot_hands(ax, "It is", ("small", "large"), [12, 4], "small")
    assert [bar.get_width() for bar in bars] == [12, 4]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["small (right)", "large"]
    assert [text.get_text() for text in ax.texts] == ["12 hands", "4 hands"]
