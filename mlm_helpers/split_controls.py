"""Sliders for a split into three shares that always add up to one, and a box to type it into."""

from functools import partial

import ipywidgets as widgets
import traitlets

from mlm_helpers.controls import LABEL_STYLE, NumberSlider, SliderLook
from mlm_helpers.corpus_wording import split_text
from mlm_helpers.masking import BRANCHES
from mlm_helpers.splits import exact_split, moved_split, read_split, rounded_split, share_of


class SplitSliders(widgets.VBox):
    """A slider in per cent for each branch, and a text box such as "80/10/10".

    Moving one slider moves the two others in proportion, so that all three add up to 100. What
    cannot be a split is refused with ``problem`` set, and the split stands as it was.

    Parameters
    ----------
    value : sequence of float
        The start: the shares of mask, swap and keep, together 1.

    Attributes
    ----------
    value : tuple of float
        The shares, together exactly 1 as decimal numbers. Set it to move all.
    parts : list of NumberSlider
        The sliders.
    text : ipywidgets.Text
        The box to type a whole split into.
    problem : str
        Why the last typed number or split was refused, or "".
    """

    value = traitlets.Tuple()
    problem = traitlets.Unicode()

    def __init__(self, value):
        slider = partial(NumberSlider, look=SliderLook())
        self.parts = [slider(f"{branch} (%)", 0, 0, 100, step=1) for branch in BRANCHES]
        self.text = widgets.Text(description="type a split", continuous_update=False,
                                 placeholder="80/10/10", style=LABEL_STYLE,
                                 layout=widgets.Layout(width="24em"))
        self._showing = False
        super().__init__([*self.parts, self.text], value=value)
        for index, part in enumerate(self.parts):
            part.observe(partial(self._take_part, index), "value")
            part.observe(self._pass_on, "problem")
        self.text.observe(self._take_text, "value")

    def _take_part(self, index, change):
        if self._showing:
            return
        moved = moved_split(self._split, index, share_of(change.new))
        self.value = rounded_split(moved, index)
        self._split = moved  # not rounded, so that going back gives the old proportion again
        self._show()

    def _take_text(self, change):
        if self._showing:
            return
        try:
            self.value = tuple(map(float, read_split(change.new)))
        except ValueError as error:
            self.problem = ""  # so that the same refusal twice is seen twice
            self.problem = f"{error}. The split stands as it was."
        else:
            self.problem = ""
        self._show()

    def _pass_on(self, change):
        self.problem = change.new

    @traitlets.validate("value")
    def _check(self, proposal):
        return tuple(map(float, exact_split(proposal.value)))

    @traitlets.observe("value")
    def _follow_value(self, _):
        self._split = exact_split(self.value)
        self.problem = ""
        self._show()

    def _show(self):
        self._showing = True
        try:
            for part, share in zip(self.parts, exact_split(self.value), strict=True):
                part.value = float(100 * share)
            self.text.value = split_text(self.value)
        finally:
            self._showing = False
