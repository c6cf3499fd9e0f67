"""A whole lesson from words and logits of one's own: explorer, derivation and exercise."""

import ipywidgets as widgets

from mlm_helpers.classroom.page import TYPE, box
from mlm_helpers.classroom.practice import practise_on
from mlm_helpers.derivations import derive_loss
from mlm_helpers.examples import WorkedExample
from mlm_helpers.exercises import slot_exercise
from mlm_helpers.explorers import explore_softmax
from mlm_helpers.slots import Slot
from mlm_helpers.typeset import typeset_steps

_LARGEST_LOGIT = 1e6


class Lesson(widgets.VBox):
    """See ``make_lesson``.

    Attributes
    ----------
    explorer : SoftmaxExplorer
    steps : list of Step
    practice : Practice
    """

    def __init__(self, slot):
        self.explorer = explore_softmax(WorkedExample(slot))
        self.steps = derive_loss(slot)
        self.practice = practise_on(slot_exercise(slot))
        derivation = widgets.HTML(f'<details style="{TYPE}"><summary><strong>Derivation, step by '
                                  f"step</strong></summary>{box(typeset_steps(self.steps))}"
                                  "</details>")
        super().__init__([self.explorer, derivation, self.practice])

    @property
    def sentence(self):
        """What the explorer shows at this moment."""
        return self.explorer.sentence

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        picture = {"image/png": self.explorer.still(), "text/plain": self.sentence}
        return {**bundle, **picture}, {"image/png": {"alt": self.sentence}}


def make_lesson(tokens, logits, label, shown=None):
    """Make explorer, derivation and exercise of one slot.

    Parameters
    ----------
    tokens : sequence of str
        The words to choose from.
    logits : sequence of float
        A logit for each.
    label : str
        The true word, one of ``tokens``.
    shown : str, optional
        The word that the input shows; ``[MASK]`` if left out.

    Returns
    -------
    Lesson
        A widget.

    Raises
    ------
    ValueError
        When there is not one logit per word, a logit is beyond ±1 000 000, or the label or the
        shown word is none of the tokens, or two of them.

    Examples
    --------
    >>> lesson = make_lesson(("tea", "rum", "ink"), (1, 2, 0), label="tea")
    >>> lesson.sentence
    'P(tea) = 0.2447, loss 1.4076 nats, uniform ln 3 = 1.0986'
    >>> round(lesson.practice.exercise.answer, 4)
    1.4076
    """
    tokens = tuple(tokens)
    if not tokens:
        raise ValueError("no words were given: give two or more, and a logit for each")
    shown = None if shown is None else _place(tokens, "shown", shown)
    slot = Slot(tokens, logits, _place(tokens, "label", label), shown)
    for token, logit in zip(slot.tokens, slot.logits, strict=True):
        if abs(logit) > _LARGEST_LOGIT:
            raise ValueError(f"logit {logit} of {token!r} is beyond what a slider can show: "
                             f"give at most {_LARGEST_LOGIT:.0f} either way")
    return Lesson(slot)


def _place(tokens, name, word):
    if word not in tokens:
        raise ValueError(f"{name} {word!r} is none of the words: choose one of "
                         f"{', '.join(map(repr, tokens))}")
    if tokens.count(word) > 1:
        raise ValueError(f"{name} {word!r} is {tokens.count(word)} of the words, and nobody could "
                         "tell which: give each its own name")
    return tokens.index(word)
