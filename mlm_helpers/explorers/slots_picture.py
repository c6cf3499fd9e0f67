"""The picture of several slots, with or without a next sentence: bars, and their stack."""

from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.losses import uniform_loss
from mlm_helpers.slot_plots import NEXT_SENTENCE, plot_loss_bars, plot_loss_stack


class SlotsPicture:
    """The figure of several slots: a bar for each above, the reduced loss as one bar below."""

    def __init__(self):
        drawing = white_figure(9.6, 4.6)
        self.bars = plot_loss_bars(drawing.add_axes((0.085, 0.475, 0.885, 0.43)))
        self.stack = plot_loss_stack(drawing.add_axes((0.085, 0.145, 0.885, 0.15)))
        self.live = LiveFigure(drawing, [*self.bars.artists, *self.stack.artists])

    def draw(self, slots, reduced, uniform, sentence, title, next_sentence=None):
        """Show the slots, their loss reduced to one number, and the next sentence's loss if any.

        ``uniform`` is the reference of the whole stack; the bars have that of one slot, ln V.
        """
        one_slot = uniform_loss(slots.vocab_size)
        extra = [] if next_sentence is None else [next_sentence]
        names = [f"slot {number}" if slots.n_slots <= 7 else str(number)
                 for number in range(1, slots.n_slots + 1)]
        names += [NEXT_SENTENCE] * len(extra)
        losses = [*slots.losses, *extra]
        total = sum(slots.losses)
        parts = [loss * reduced / total if total else 0.0 for loss in slots.losses] + extra
        fits = [self.bars.fit(names, losses),
                self.stack.fit(sum(parts))]
        if any(fits):
            self.live.renew()
        self.bars.move(losses, one_slot)
        self.stack.move(parts, slots.n_slots, uniform, title)
        self.live.draw(sentence)
