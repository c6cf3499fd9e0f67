"""The controls that describe several slots: how many, and what each gives its true word."""

from functools import partial

import ipywidgets as widgets
import traitlets

from mlm_helpers.controls import NumberSlider, SliderLook, grid
from mlm_helpers.published import LARGEST_VOCABULARY
from mlm_helpers.slot_plots import MOST_SLOTS
from mlm_helpers.slot_sets import SlotSet

SMALLEST_PROBABILITY = 1e-6
_NEW_SLOT = 0.5


class SlotControls(widgets.VBox):
    """A slider for the number of slots, one for each slot's probability, and what they lie in.

    Parameters
    ----------
    slots : SlotSet
        Where the controls start.
    fewest : int
        The least number of slots.
    length_counts : bool
        Whether the length of the sequence changes anything; if not, its slider is left out.

    Attributes
    ----------
    value : SlotSet
        What the controls describe; set it to move them all.
    problem : str
        Why the last typed number was refused, or "".
    """

    value = traitlets.Instance(SlotSet)
    problem = traitlets.Unicode()

    def __init__(self, slots, fewest=1, length_counts=True):
        slider = partial(NumberSlider, look=SliderLook())
        self.n_slots = slider("number of slots", slots.n_slots, fewest, MOST_SLOTS, step=1,
                              whole=True)
        self.probabilities = [
            slider(f"p of slot {number}", _NEW_SLOT, SMALLEST_PROBABILITY, 1, step=0.01, log=True)
            for number in range(1, MOST_SLOTS + 1)]
        self.vocab_size = slider("vocabulary size", slots.vocab_size, 2, LARGEST_VOCABULARY,
                                 step=0.01, log=True, whole=True)
        self.n_tokens = slider("sequence length", slots.n_tokens, MOST_SLOTS, 512, step=0.01,
                               log=True, whole=True)
        self._sliders = grid(*self.probabilities)
        self._moving, self._taken = False, None
        around = [self.vocab_size, self.n_tokens] if length_counts else [self.vocab_size]
        super().__init__([self.n_slots, self._sliders, grid(*around)], value=slots)
        for control in self.all:
            control.observe(self._take, "value")
            traitlets.dlink((control, "problem"), (self, "problem"))

    @property
    def all(self):
        """Every control with a value of its own."""
        return [self.n_slots, *self.probabilities, self.vocab_size, self.n_tokens]

    def _take(self, _):
        if self._moving:
            return
        n_slots = int(self.n_slots.value)
        self._show_sliders(n_slots)
        self._taken = SlotSet(tuple(control.value for control in self.probabilities[:n_slots]),
                              vocab_size=int(self.vocab_size.value),
                              n_tokens=int(self.n_tokens.value))
        self.value = self._taken

    @traitlets.validate("value")
    def _accept(self, proposal):
        self.problem = ""
        if proposal.value is not self._taken:  # set by code, so the controls have to follow
            try:
                self._put(proposal.value)
            except ValueError:  # beyond the range of one control: the others go back too
                self._put(self.value)
                raise
        return proposal.value

    def _put(self, slots):
        unused = [_NEW_SLOT] * (MOST_SLOTS - slots.n_slots)
        self._moving = True
        try:
            self.n_slots.value = slots.n_slots
            for control, probability in zip(self.probabilities, [*slots.probabilities, *unused],
                                            strict=True):
                control.value = probability
            self.vocab_size.value = slots.vocab_size
            self.n_tokens.value = slots.n_tokens
        finally:
            self._moving = False
        self._show_sliders(slots.n_slots)

    def _show_sliders(self, n_slots):
        if len(self._sliders.children) != n_slots:
            self._sliders.children = self.probabilities[:n_slots]
