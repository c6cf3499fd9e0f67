"""The controls of an explorer: a slider with its number box, and rows of buttons."""

import math

import ipywidgets as widgets
import traitlets
from ipywidgets.widgets.widget_description import DescriptionStyle

from mlm_helpers.wording import integer, markup, short

LABEL_STYLE = {"description_width": "11.5em"}
_LONGEST_FRACTION = 13  # characters: 0.00003333333 has digits enough to be read


class SliderLook:
    """Layouts and styles that sliders share where many stand together.

    Each is an object of its own on the page, five for every slider: sharing them lets an explorer
    with twenty sliders appear sooner.
    """

    def __init__(self):
        self.whole = widgets.Layout(flex_flow="row wrap")
        self.slider = widgets.Layout(width="12em", flex="1 1 12em", max_width="32em")
        self.slider_style = widgets.SliderStyle()
        self.box_style = DescriptionStyle(**LABEL_STYLE)
        self._boxes = {}

    def box(self, minimum, maximum):
        """The layout of a number box with room for the longest number of its range."""
        width = f"{18 + _more_room(minimum, maximum)}em"
        if width not in self._boxes:
            self._boxes[width] = widgets.Layout(width=width, flex="0 0 auto")
        return self._boxes[width]


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
        One tick of the slider; on a log slider, of the exponent.
    log, whole : bool
        Whether the slider runs by powers of ten, and whether the value is a whole number.
    look : SliderLook, optional
        What it shares with other sliders; by default nothing.

    Attributes
    ----------
    value : float
        The number that both show. Set it to move both.
    problem : str
        Why the last typed number was refused, or "".
    """

    value = traitlets.Float()
    problem = traitlets.Unicode()

    def __init__(self, name, value, minimum, maximum, *, step=0.1, log=False, whole=False,
                 look=None):
        self.name, self.minimum, self.maximum, self.whole = name, minimum, maximum, whole
        self.scale = Scale(minimum, maximum, step, log)
        look = look or SliderLook()
        box_type = widgets.IntText if whole else widgets.FloatText
        self.box = box_type(value, description=markup(name, limit=len(name)),
                            description_allow_html=True, step=_box_step(maximum, step, log, whole),
                            style=look.box_style, layout=look.box(minimum, maximum))
        self.slider = widgets.IntSlider(
            self.scale.tick(value), min=0, max=self.scale.n_ticks, readout=False,
            style=look.slider_style, layout=look.slider)
        super().__init__([self.box, self.slider], value=value, layout=look.whole)
        self.slider.observe(self._take_slider, "value")
        self.box.observe(self._take_box, "value")

    def _take_slider(self, change):
        if change.new != self.scale.tick(self.value):
            self.value = self.scale.number(change.new)

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

    def _boxed(self, number):
        return int(number) if self.whole else number

    @traitlets.validate("value")
    def _check(self, proposal):
        number = proposal.value
        if math.isnan(number) or not self.minimum <= number <= self.maximum:
            raise ValueError(f"{self.name} is {number}: choose {self.minimum} to {self.maximum}")
        return float(round(number)) if self.whole else float(f"{number:.10g}")

    @traitlets.observe("value")
    def _show(self, _):
        self.problem = ""
        self.box.value = self._boxed(self.value)
        self.slider.value = self.scale.tick(self.value)

    def disable(self, disabled):
        """Grey both parts out, or bring them back."""
        self.box.disabled = self.slider.disabled = disabled


def _box_step(maximum, step, log, whole):
    """What one press of a number box's arrow adds: never more than its range can take."""
    if whole:
        return 1
    return min(1, maximum / 100) if log else step


def _more_room(minimum, maximum):
    """How many em a number box needs beyond the usual for its longest number."""
    longest = len(f"{maximum:.0f}")
    if 0 < minimum < 0.001:
        longest = _LONGEST_FRACTION
    return 0.55 * max(0, longest - 7)


class Scale:
    """The ticks of a slider and the numbers that they stand for.

    The slider itself counts ticks. A slider of floats would round a typed 0.125 to its own step and
    send that back, and the number box would jump to 0.13.

    Examples
    --------
    >>> scale = Scale(-10, 10, 0.1)
    >>> scale.tick(0.125), scale.number(101), scale.n_ticks
    (101, 0.1, 200)
    >>> Scale(4, 250_002, 0.01, log=True).number(0)
    4
    """

    def __init__(self, minimum, maximum, step, log=False):
        self._minimum, self._maximum, self._step, self._log = minimum, maximum, step, log
        self._start = self._position(minimum)
        self.n_ticks = max(1, round((self._position(maximum) - self._start) / step))

    def _position(self, number):
        return math.log10(number) if self._log else number

    def tick(self, number):
        """The tick nearest to a number."""
        return min(self.n_ticks, round((self._position(number) - self._start) / self._step))

    def number(self, tick):
        """The number at a tick: on a log scale one of three digits; both ends are exact."""
        if tick in (0, self.n_ticks):
            return self._maximum if tick else self._minimum
        position = self._start + tick * self._step
        number = float(f"{10**position:.3g}") if self._log else round(position, 10)
        return min(self._maximum, max(self._minimum, number))


def buttons(actions):
    """A button for each caption in ``actions``, which maps it to what a click does."""
    look = {"layout": widgets.Layout(width="auto"), "style": widgets.ButtonStyle()}
    return [_button(caption, action, look) for caption, action in actions.items()]


def _button(caption, action, look):
    button = widgets.Button(description=caption, **look)
    button.on_click(lambda _: action())
    return button


def toggle(caption, tooltip):
    """A button that stays pressed until it is pressed again."""
    return widgets.ToggleButton(description=caption, tooltip=tooltip,
                                layout=widgets.Layout(width="auto", align_self="flex-start"))


def row(*children):
    """Controls side by side, on as many lines as the width asks for."""
    return widgets.HBox(children, layout=widgets.Layout(
        flex_flow="row wrap", align_items="center", grid_gap="2px 12px"))


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


def drawer(caption, tooltip, child):
    """A part that a button opens; closed at first.

    An accordion's title, closed and in a dark theme, is too pale to be read well.
    """
    button = toggle(caption, tooltip)
    child.layout.display = "none"

    def pull(change):
        child.layout.display = None if change.new else "none"

    button.observe(pull, "value")
    return widgets.VBox([button, child])


def wide_html():
    """HTML that is scrolled, not cut, where it is wider than the page."""
    return widgets.HTML(layout=widgets.Layout(overflow="auto"))


def choice(name, options, value, width="20em"):
    """A drop-down list with a name in full words; ``options`` are texts or (text, value) pairs."""
    return widgets.Dropdown(options=options, value=value, description=name,
                            style={"description_width": "initial"},
                            layout=widgets.Layout(width=width))
