"""Softmax explorer: a slider per logit, and all that follows from them for one slot."""

import math
from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import (
    NumberSlider,
    SliderLook,
    button_row,
    buttons,
    choice,
    fold,
    grid,
    row,
    wide_html,
)
from mlm_helpers.derivations import working_table
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.explorers.slot_picture import SlotPicture
from mlm_helpers.masking import MASK
from mlm_helpers.published import LARGEST_VOCABULARY, VOCABULARIES
from mlm_helpers.ribbons import slot_ribbon
from mlm_helpers.slots import Slot
from mlm_helpers.wording import UNITS, integer, shorten

LOGIT_LIMIT = 10.0


class SoftmaxExplorer(Explorer):
    """See ``explore_softmax``."""

    def __init__(self, example):
        self.example = example
        slot = example.slot
        names = distinct_names(slot.tokens)
        self.picture = SlotPicture(slot.tokens)
        self._make_controls(slot, names)
        self.ribbon, self.working = wide_html(), widgets.HTML()
        below = [self.ribbon] if example.sentence else []
        super().__init__(self.picture.live, self._arranged(),
                         [*below, fold("Working, with these numbers", self.working)])
        self.follow(*self.logits, self.rest_logit, self.vocab_size, self.label, self.shown,
                    self.unit)
        self.refresh()

    def _make_controls(self, slot, names):
        # A real model's logits may be larger than the collection's own.
        limit = float(max(LOGIT_LIMIT, *map(math.ceil, map(abs, [*slot.logits, slot.rest_logit]))))
        slider = partial(NumberSlider, look=SliderLook())
        self.logits = [slider(f"logit of {name}", logit, -limit, limit)
                       for name, logit in zip(names, slot.logits, strict=True)]
        self.rest_logit = slider("logit of all others", slot.rest_logit, -limit, limit)
        self.vocab_size = slider("vocabulary size", slot.vocab_size, len(slot.tokens),
                                 max(LARGEST_VOCABULARY, slot.vocab_size),
                                 step=0.01, log=True, whole=True)
        indexed = [(name, index) for index, name in enumerate(names)]
        self.label = choice("true word (label)", indexed, slot.label)
        self.shown = choice("word the input shows", [(MASK, MASK), *indexed],
                            _shown_option(slot))
        self.unit = choice("unit", list(UNITS), "nats", width="9em")

    def _arranged(self):
        presets = button_row("Presets", {
            "Worked example": self.show_example, "Uniform": self.show_uniform,
            "Confident and right": self.show_right, "Confident and wrong": self.show_wrong,
        })
        sizes = {f"{name} {integer(size)}": partial(self.choose, vocab_size=size)
                 for name, size in {"toy": len(self.logits), **VOCABULARIES}.items()}
        options = row(self.label, self.shown, self.unit, *buttons({"Reset": self.reset}))
        return [presets, button_row("Vocabulary", sizes),
                grid(*self.logits, self.rest_logit, self.vocab_size), options]

    @property
    def slot(self):
        """The slot that the controls describe."""
        return Slot(self.example.slot.tokens, tuple(control.value for control in self.logits),
                    label=self.label.value,
                    shown=None if self.shown.value == MASK else self.shown.value,
                    vocab_size=int(self.vocab_size.value), rest_logit=self.rest_logit.value)

    def show_state(self):
        slot = self.slot
        unit = UNITS[self.unit.value]
        self.rest_logit.disable(slot.n_rest == 0)
        self.picture.draw(slot, unit)
        self.working.value = working_table(slot, unit)
        if self.example.sentence:
            ribbon = slot_ribbon(self.example.sentence, self.example.position, slot)
            self.ribbon.value = ribbon._repr_html_()

    def show_example(self):
        """Set the worked example's words and numbers."""
        slot = self.example.slot
        with self.hold():
            self._set_logits(slot.logits, slot.rest_logit)
            self.label.value = slot.label
            self.shown.value = _shown_option(slot)
            self.vocab_size.value = slot.vocab_size

    def show_uniform(self):
        """Give every word of the vocabulary the same logit."""
        self._set_logits([0.0] * len(self.logits), 0.0)

    def show_right(self):
        """Put the label's logit as far ahead as the sliders go."""
        logits = [0.0] * len(self.logits)
        logits[self.label.value] = LOGIT_LIMIT
        self._set_logits(logits, -LOGIT_LIMIT)

    def show_wrong(self):
        """Put another word's logit ahead: the shown word's, if it is a wrong one."""
        slot, logits = self.slot, [0.0] * len(self.logits)
        others = [index for index in range(len(logits)) if index != slot.label]
        if others:
            logits[slot.shown if slot.misleads else others[0]] = LOGIT_LIMIT
        self._set_logits(logits, 0.0 if others else LOGIT_LIMIT)

    def _set_logits(self, logits, rest_logit):
        with self.hold():
            for control, logit in zip(self.logits, logits, strict=True):
                control.value = logit
            self.rest_logit.value = rest_logit

    def reset(self):
        """Put every control back to how it started."""
        with self.hold():
            self.show_example()
            self.unit.value = "nats"


def _shown_option(slot):
    """A slot's choice in the list of shown words: not None, which would show no choice at all."""
    return MASK if slot.shown is None else slot.shown


def distinct_names(tokens):
    """Names for the controls: short, and numbered where a word occurs more than once.

    Examples
    --------
    >>> distinct_names(["the", "cat", "the"])
    ['the (1)', 'cat', 'the (2)']
    """
    names = [shorten(token) for token in tokens]
    numbered = [f"{name} ({names[:i + 1].count(name)})" if names.count(name) > 1 else name
                for i, name in enumerate(names)]
    if len(set(numbered)) == len(numbered):
        return numbered
    return [f"{place}. {name}" for place, name in enumerate(names, start=1)]


def explore_softmax(example):
    """Move the logits of one slot and watch its softmax, its loss and its gradient.

    Parameters
    ----------
    example : WorkedExample
        Where it starts; ``WorkedExample(Slot(tokens, logits, label))`` makes one of your own.

    Returns
    -------
    SoftmaxExplorer
        A widget. Its ``logits`` (a list), ``rest_logit``, ``vocab_size``, ``label``, ``shown`` and
        ``unit`` have a ``value`` that code can set; ``sentence`` says what it then shows.

    Examples
    --------
    >>> from mlm_helpers.examples import STANDARD_MASK
    >>> explorer = explore_softmax(STANDARD_MASK)
    >>> explorer.logits[1].value = 3.0
    >>> explorer.sentence
    'P(cat) = 0.7573, loss 0.2780 nats, uniform ln 4 = 1.3863'
    """
    return SoftmaxExplorer(example)
