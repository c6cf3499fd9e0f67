"""What every explorer promises, asked in one way by the tests of each that has its own file.

A ``check`` is the test file's own: it holds all that the explorer shows at the moment against
numbers worked out there.
"""

import cProfile

import ipywidgets as widgets
import numpy as np
from matplotlib.figure import Figure

from mlm_helpers.controls import NumberSlider
from mlm_helpers.live import LiveFigure, encode
from test_explorers import captions, click, notice, scramble, state, within
from test_live import Picture, artists, decoded, different_pixels, full_redraw, living, observers


def drawings(monkeypatch):
    """The sentences of the pictures drawn from now on, as a list that grows."""
    drawn, draw = [], LiveFigure.draw

    def counted(live, sentence):
        drawn.append(sentence)
        draw(live, sentence)

    monkeypatch.setattr(LiveFigure, "draw", counted)
    return drawn


# Controls


def check_both_ends_of_every_slider(explorer, check):
    for slider in within(explorer, NumberSlider):
        start = slider.value
        for end, limit in ((slider.slider.max, slider.maximum), (0, slider.minimum)):
            slider.slider.value = end
            assert (slider.value, slider.slider.value) == (limit, end), slider.name
            check(explorer)
        slider.box.value = slider.box.value.__class__(start)
        assert slider.value == start
        check(explorer)


def check_every_option_of_every_list(explorer, check):
    for dropdown in within(explorer, widgets.Dropdown):
        for index in reversed(range(len(dropdown.options))):
            dropdown.index = index
            check(explorer)


def check_every_button_draws_once(explorer, check, drawn):
    for caption in captions(explorer):
        scramble(explorer)
        drawn.clear()
        click(explorer, caption)
        assert len(drawn) == 1, caption
        check(explorer)


def check_every_slider_move_draws_once(explorer, drawn):
    for slider in within(explorer, NumberSlider):
        places = {slider.slider.max, slider.slider.max // 2} - {slider.slider.value}
        drawn.clear()
        for place in places:
            slider.slider.value = place
        assert len(drawn) == len(places), slider.name


def check_a_hold_draws_once(explorer, drawn):
    drawn.clear()
    with explorer.hold():
        with explorer.hold():
            for slider in within(explorer, NumberSlider):
                slider.value = slider.maximum
        assert not drawn
    assert len(drawn) == 1


def check_reset_restores_everything(make):
    explorer = make()
    start = state(explorer)
    scramble(explorer)
    assert state(explorer) != start
    click(explorer, "Reset")
    assert state(explorer) == start


# Refusals


def check_refused(explorer, slider, typed, *parts):
    """What is typed is refused twice over, the picture stands, and a good number clears it."""
    before, value = explorer.figure.widget.value, slider.value
    for _ in range(2):
        slider.box.value = slider.box.value.__class__(typed)
        assert [part for part in (f"“{slider.name}”", "type a number from", *parts)
                if part not in notice(explorer)] == []
        assert (explorer.figure.widget.value, slider.value) == (before, value)
        assert slider.box.value == value
    slider.slider.value = slider.slider.max - 1
    assert notice(explorer) == "" and explorer.figure.widget.value != before


def check_a_failure_is_told(explorer, monkeypatch, module, name, check):
    """An error in the drawing shows in the notice, keeps the picture, and is gone with the next."""
    slider, before = within(explorer, NumberSlider)[-1], explorer.figure.widget.value
    with monkeypatch.context() as patch:
        patch.setattr(module, name, lambda *args: {}["<b>"])
        slider.slider.value = slider.slider.max
    assert notice(explorer) == "KeyError: '<b>'" and Picture(explorer.notice.value).tags == ["p"]
    assert explorer.figure.widget.value == before
    slider.slider.value = 0
    check(explorer)


# Without a kernel, and pixel by pixel


def check_bundle(explorer):
    data, metadata = explorer._repr_mimebundle_()
    assert data["text/plain"] == metadata["image/png"]["alt"] == explorer.sentence
    view = data["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == explorer.model_id
    seen, drawn = decoded(data["image/png"]), decoded(encode(explorer.figure.pixels()))
    height = drawn.shape[0]
    np.testing.assert_array_equal(seen[:height], drawn)
    assert (seen[height:] < 128).any()


def check_each_step_is_a_full_redraw(live_figures):
    off = [different_pixels(live.pixels(), full_redraw(live)) for live in live_figures]
    assert off and not any(off)


def check_nothing_is_left_behind(explorer, walk):
    """After as many moves as one likes there are as many observers, artists, widgets, figures."""
    figure = explorer.figure.figure
    before = observers(explorer), artists(figure), living()
    for _ in walk:
        pass
    explorer.reset()  # so that it shows as many sliders as before
    explorer._repr_mimebundle_()
    assert (observers(explorer), artists(figure), living()) == before
    assert isinstance(figure, Figure) and explorer.figure.figure is figure


def n_operations(move):
    """How many calls, of Python or C functions, a move takes."""
    profile = cProfile.Profile()
    profile.runcall(move)
    return sum(function.callcount for function in profile.getstats())


def check_a_move_costs_the_same_in_every_vocabulary(vocabulary, slider):
    """A move of a slider takes no more steps for 250 002 words than for 4."""
    costs = []
    for size in (4, 250_002):
        vocabulary.value = size
        for number in (0.3, 0.4, 0.3):  # so that each letter has been drawn before
            slider.value = number
        costs.append(n_operations(lambda: setattr(slider, "value", 0.4)))
    assert min(costs) > 100 and max(costs) < 1.1 * min(costs)
