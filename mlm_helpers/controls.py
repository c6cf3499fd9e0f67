"""The controls of an explorer: a slider with its number box, and rows of buttons."""

import math

import ipywidgets as widgets
import traitlets

from mlm_helpers.wording import integer, short

_LABEL_STYLE = {"description_width": "11.5em"}


class NumberSlider(widgets.HBox):
    """A slider and a number box that hold one value.

    A number typed outside the range is refused with ``problem`` set, and the box returns to the
    value that stands.

    Parameters
    ----------
    name : str
        The label, in full words; it names the number box for a screen reader too.
    value, minimum, maximum : float
        The start and the range, ends included.
    step : float
        One step of the slider; on a log slider, of the exponent.
    log, whole : bool
        Whether the slider runs by powers of ten, and whether the value is a whole number.

    Attributes
    ----------
    value : float
        The number that both show. Set it to move both.
    problem : str
        Why the last typed number was refused, or "".
    """

    value = traitlets.Float()
    problem = traitlets.Unicode()

    def __init__(self, name, value, minimum, maximum, *, step=0.1, log=False, whole=False):
        self.name, self.minimum, self.maximum, self.whole = name, minimum, maximum, whole
        box_type = widgets.IntText if whole else widgets.FloatText
        self.box = box_type(value, description=name, style=_LABEL_STYLE,
                            step=1 if whole or log else step,
                            layout=widgets.Layout(width="18em", flex="0 0 auto"))
        self.slider = _slider(value, minimum, maximum, step, log)
        super().__init__([self.box, self.slider], value=value)
        self.layout.flex_flow = "row wrap"
        self.slider.observe(self._take_slider, "value")
        self.box.observe(self._take_box, "value")

    def _take_slider(self, change):
        self.value = change.new

    def _take_box(self, change):
        if self.minimum <= change.new <= self.maximum:
            self.value = change.new
            return
        limits = " to ".join(integer(x) if self.whole else short(x)
                             for x in (self.minimum, self.maximum))
        self.problem = ""  # so that the same refusal twice is seen twice
        self.problem = (f"{short(change.new)} is not possible for “{self.name}”: "
                        f"type a number from {limits}.")
        self.box.value = self._boxed(self.value)

    def _tidy(self, number):
        """Slider steps add up to 0.30000000000000004; a person reads 0.3."""
        return float(round(number)) if self.whole else float(f"{number:.10g}")

    def _boxed(self, number):
        return int(number) if self.whole else number

    @traitlets.validate("value")
    def _check(self, proposal):
        number = proposal.value
        if math.isnan(number) or not self.minimum <= number <= self.maximum:
            raise ValueError(f"{self.name} is {number}: choose {self.minimum} to {self.maximum}")
        return self._tidy(number)

    @traitlets.observe("value")
    def _show(self, _):
        self.problem = ""
        self.box.value = self._boxed(self.value)
        if self._tidy(self.slider.value) != self.value:
            self.slider.value = self.value

    def disable(self, disabled):
        """Grey both parts out, or bring them back."""
        self.box.disabled = self.slider.disabled = disabled


def _slider(value, minimum, maximum, step, log):
    layout = widgets.Layout(width="12em", flex="1 1 12em", max_width="32em")
    if log:
        return widgets.FloatLogSlider(value, min=math.log10(minimum), max=math.log10(maximum),
                                      step=step, readout=False, layout=layout)
    return widgets.FloatSlider(value, min=minimum, max=maximum, step=step, readout=False,
                               layout=layout)


def buttons(actions):
    """A button for each caption in ``actions``, which maps it to what a click does."""
    return [_button(caption, action) for caption, action in actions.items()]


def _button(caption, action):
    button = widgets.Button(description=caption, layout=widgets.Layout(width="auto"))
    button.on_click(lambda _: action())
    return button


def row(*children):
    """Controls side by side, on as many lines as the width asks for."""
    return widgets.HBox(children, layout=widgets.Layout(flex_flow="row wrap", align_items="center"))


def button_row(name, actions):
    """A row of buttons with its name before it."""
    return row(widgets.Label(name, layout=widgets.Layout(width="6em")), *buttons(actions))


def grid(*sliders):
    """Sliders in two columns where the page is wide enough for them."""
    columns = "repeat(auto-fit, minmax(32em, 1fr))"
    return widgets.GridBox(sliders, layout=widgets.Layout(grid_template_columns=columns))


def fold(title, child):
    """A part that the reader can close."""
    return widgets.Accordion([child], titles=(title,), selected_index=0)


def choice(name, options, value, width="24em"):
    """A drop-down list with a name in full words; ``options`` are (text, value) pairs."""
    return widgets.Dropdown(options=options, value=value, description=name, style=_LABEL_STYLE,
                            layout=widgets.Layout(width=width))


def switch(name, options, value):
    """Two or three buttons of which one is pressed."""
    return widgets.ToggleButtons(options=options, value=value, description=name,
                                 style={"description_width": "4em", "button_width": "5em"},
                                 layout=widgets.Layout(width="18em"))
