"""Slots explorer: several slots, and the ways to make one number of their losses."""

from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import button_row, buttons, choice, row
from mlm_helpers.examples import SEVERAL_SLOTS
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.explorers.slot_controls import SlotControls
from mlm_helpers.explorers.slots_picture import SlotsPicture
from mlm_helpers.sentences import slots_sentence
from mlm_helpers.slot_plots import MOST_SLOTS
from mlm_helpers.slot_sets import SlotSet
from mlm_helpers.tables import number_table
from mlm_helpers.wording import decimal, short

REDUCTIONS = (
    ("sum over the slots", "sum"),
    ("mean over the slots", "mean"),
    ("mean over all tokens (a common mistake)", "token_mean"),
)
_TITLES = {"sum": "sum of {n}", "mean": "mean over {n}",
           "token_mean": "a common mistake, over all {tokens} tokens"}
_TOKENS_FOR_TWELVE = 80  # 15 % of them are 12


class SlotsExplorer(Explorer):
    """See ``explore_slots``."""

    def __init__(self, example):
        self._start = example.slots
        self.slots = SlotControls(example.slots)
        self.reduction = choice("one number by", REDUCTIONS, "sum", width="28em")
        self.picture = SlotsPicture()
        self.working = widgets.HTML()
        super().__init__(self.picture.live, self._arranged(), [self.working])
        self.follow(self.slots, self.reduction)
        self.refresh()

    def _arranged(self):
        presets = {
            "Worked example": partial(self.choose, slots=self._start),
            "One slot": partial(self.show, 0.4),
            "All uniform": self.show_uniform,
            "One hard slot among easy ones": partial(self.show, 0.001, *[0.9] * 5),
            "Twelve slots": self.show_twelve,
        }
        return [button_row("Presets", presets), self.slots,
                row(self.reduction, *buttons({"Reset": self.reset}))]

    def show(self, *probabilities):
        """Set the slots' probabilities, and with them how many there are."""
        present = self.slots.value
        self.choose(slots=SlotSet(probabilities, present.vocab_size, present.n_tokens))

    def show_twelve(self):
        """Set as many slots as there are sliders, in a sequence of BERT's usual share."""
        self.choose(slots=SlotSet((0.4, 0.2) * (MOST_SLOTS // 2), self.slots.value.vocab_size,
                                  n_tokens=_TOKENS_FOR_TWELVE))

    def show_uniform(self):
        """Give each true word what blind guessing gives it."""
        present = self.slots.value
        self.show(*[1 / present.vocab_size] * present.n_slots)

    def reset(self):
        """Put every control back to how it started."""
        self.choose(slots=self._start, reduction="sum")

    def show_state(self):
        slots, reduction = self.slots.value, self.reduction.value
        count = f"{slots.n_slots} slots" if slots.n_slots != 1 else "1 slot"
        title = _TITLES[reduction].format(n=count, tokens=slots.n_tokens)
        self.picture.draw(slots, slots.loss(reduction), slots.uniform(reduction),
                          slots_sentence(slots, reduction), title)
        self.working.value = slots_table(slots)


def slots_table(slots):
    """Each slot's probability and loss; below, the product of the ones and the sum of the others.

    Examples
    --------
    >>> "0.0800" in slots_table(SlotSet((0.4, 0.2), vocab_size=4, n_tokens=12))
    True
    """
    rows = [(f"slot {number}", short(probability), decimal(loss)) for number, (probability, loss)
            in enumerate(zip(slots.probabilities, slots.losses, strict=True), start=1)]
    rows.append(("all", f"product {decimal(slots.product)}", f"sum {decimal(slots.loss('sum'))}"))
    return number_table(("", "p", "−ln p"), rows, "−ln of the product is the sum of the losses",
                        bold_row=len(rows) - 1)


def explore_slots(example=SEVERAL_SLOTS):
    """Move the probabilities of up to twelve slots; sum their losses, or average them.

    Parameters
    ----------
    example : SlotsExample
        Where it starts.

    Returns
    -------
    SlotsExplorer
        A widget. Its ``slots.value`` is a ``SlotSet`` that code can set, ``reduction.value`` is
        "sum", "mean" or "token_mean"; ``sentence`` says what it then shows.

    Examples
    --------
    >>> explorer = explore_slots()
    >>> explorer.show(0.5, 0.5)
    >>> explorer.sentence.split(";")[0]
    '2 slots among 12 tokens, sum 1.3863 nats, product of p 0.2500'
    """
    return SlotsExplorer(example)
