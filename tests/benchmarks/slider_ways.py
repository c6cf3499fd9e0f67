"""The same plot behind the same slider, shown in four ways; ``slider_latency.py`` times them.

Each function returns what a notebook's last line would show. Size, axes, bars, texts and curve are
the same in all, those of the softmax explorer; only the way to the screen differs.
"""

import ipywidgets as widgets

from mlm_helpers.colours import LABEL_BLUE, OTHER_GREY, SHOWN_ORANGE
from mlm_helpers.examples import RANDOM_SWAP
from mlm_helpers.explorers import explore_softmax
from mlm_helpers.plots import name_bars, plot_bars, plot_surprisal
from mlm_helpers.slots import Slot
from mlm_helpers.wording import NATS, decimal

START = RANDOM_SWAP.slot
SIZE = (9.6, 4.9)
TITLES = ("softmax p", "gradient p − one-hot", "surprisal of a probability")
LIMITS = ((0, 1.12), (-1.05, 1.55))


def ours():
    """The package's own explorer."""
    return explore_softmax(RANDOM_SWAP)


def interact():
    """A new inline figure at each change, as most notebooks do it."""
    import matplotlib.pyplot as plt

    def draw(**logits):
        figure = plt.figure(figsize=SIZE, dpi=100)
        _move(_plot(figure), _slot(logits.values()))
        plt.show()

    return widgets.interactive(draw, **_sliders())


def ipympl():
    """A live canvas whose artists are moved."""
    import matplotlib.pyplot as plt

    plt.switch_backend("module://ipympl.backend_nbagg")
    with plt.ioff():
        figure = plt.figure(figsize=SIZE, dpi=100)
    figure.canvas.header_visible = False
    plot, sliders = _plot(figure), _sliders()

    def move(_=None):
        _move(plot, _slot(slider.value for slider in sliders.values()))
        figure.canvas.draw_idle()

    _follow(sliders, move)
    return widgets.VBox([*sliders.values(), figure.canvas])


def bqplot():
    """Marks that the browser draws from the numbers alone."""
    bars, gradient, curve = _bqplot_bars(0), _bqplot_bars(1), _BqplotCurve()
    sliders = _sliders()

    def move(_=None):
        slot = _slot(slider.value for slider in sliders.values())
        bars.move(slot.probabilities)
        gradient.move(slot.gradient)
        curve.move(slot)

    _follow(sliders, move)
    left = widgets.VBox([bars.figure, gradient.figure])
    return widgets.VBox([*sliders.values(), widgets.HBox([left, curve.figure])])


def _sliders():
    return {word: widgets.FloatSlider(logit, min=-10, max=10, step=0.1, description=word,
                                      layout=widgets.Layout(width="30em"))
            for word, logit in zip(START.tokens, START.logits, strict=True)}


def _follow(sliders, move):
    for slider in sliders.values():
        slider.observe(move, "value")
    move()


def _slot(logits):
    return Slot(START.tokens, tuple(logits), label=START.label, shown=START.shown)


def _texts(slot):
    return [f"cat: loss {decimal(slot.loss)}", f"uniform ln V = {decimal(slot.uniform)}",
            f"mat by mistake: {decimal(slot.mistaken_loss)}"]


def _plot(figure):
    figure.set_facecolor("white")
    axes = [figure.add_axes(place) for place in ((0.055, 0.46, 0.50, 0.46),
                                                 (0.055, 0.03, 0.50, 0.27),
                                                 (0.645, 0.14, 0.33, 0.78))]
    rows = [plot_bars(ax, len(START.tokens), title, limits)
            for ax, title, limits in zip(axes, TITLES, LIMITS, strict=False)]
    name_bars(axes[0], START.tokens)
    for bars in rows:
        bars.mark(START.label, START.shown)
    curve = plot_surprisal(axes[2])
    return *rows, curve


def _move(plot, slot):
    bars, gradient, curve = plot
    bars.move(slot.probabilities)
    gradient.move(slot.gradient)
    curve.fit(max(slot.loss, slot.uniform, slot.mistaken_loss), NATS)
    curve.move((slot.label_probability, slot.loss), slot.uniform, _texts(slot),
               (float(slot.probabilities[slot.shown]), slot.mistaken_loss))


class _BqplotBars:
    def __init__(self, figure, bars, numbers):
        self.figure, self.bars, self.numbers = figure, bars, numbers

    def move(self, heights):
        self.bars.y = heights
        with self.numbers.hold_sync():
            self.numbers.y, self.numbers.text = heights, [decimal(height) for height in heights]


def _bqplot_bars(row):
    import bqplot as bq

    low, high = LIMITS[row]
    scales = {"x": bq.OrdinalScale(), "y": bq.LinearScale(min=low, max=high)}
    words = list(START.tokens)
    bars = bq.Bars(x=words, y=[0] * 4, scales=scales, padding=0.38, stroke="black",
                   colors=[OTHER_GREY, LABEL_BLUE, SHOWN_ORANGE, OTHER_GREY])
    numbers = bq.Label(x=words, y=[0] * 4, text=[""] * 4, scales=scales, align="middle",
                       y_offset=-8, default_size=19, colors=["black"], font_weight="normal")
    figure = _bqplot_figure(row, [bars, numbers], scales, "530px", ("275px", "215px")[row])
    return _BqplotBars(figure, bars, numbers)


class _BqplotCurve:
    def __init__(self):
        import bqplot as bq
        import numpy as np

        scales = {"x": bq.LinearScale(min=0, max=1), "y": bq.LinearScale(min=0, max=2.94)}
        surprisal = np.linspace(0, 2.94, 400)
        curve = bq.Lines(x=np.exp(-surprisal), y=surprisal, scales=scales, colors=[OTHER_GREY])
        self.uniform = bq.Lines(x=[0, 1], y=[0, 0], scales=scales, colors=["black"],
                                line_style="dashed")
        self.points = bq.Scatter(x=[0, 0], y=[0, 0], scales=scales, stroke="black",
                                 colors=[LABEL_BLUE, SHOWN_ORANGE], default_size=150)
        self.texts = bq.Label(x=[0.22] * 3, y=[2.73, 2.47, 2.2], text=[""] * 3, scales=scales,
                              default_size=19, colors=["black"], font_weight="normal")
        marks = [curve, self.uniform, self.points, self.texts]
        self.figure = _bqplot_figure(2, marks, scales, "400px", "490px")

    def move(self, slot):
        self.uniform.y = [slot.uniform, slot.uniform]
        with self.points.hold_sync():
            self.points.x = slot.probabilities[[slot.label, slot.shown]]
            self.points.y = [slot.loss, slot.mistaken_loss]
        self.texts.text = _texts(slot)


def _bqplot_figure(index, marks, scales, width, height):
    import bqplot as bq

    axes = [bq.Axis(scale=scales["x"]), bq.Axis(scale=scales["y"], orientation="vertical")]
    return bq.Figure(marks=marks, axes=axes, title=TITLES[index], animation_duration=0,
                     layout=widgets.Layout(width=width, height=height),
                     fig_margin={"top": 40, "bottom": 30, "left": 50, "right": 10})
