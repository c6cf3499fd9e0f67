"""The picture of one slot, which the softmax explorer moves."""

from mlm_helpers.figures import fitted, white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.plots import name_bars, plot_bars, plot_surprisal
from mlm_helpers.sentences import slot_sentence
from mlm_helpers.wording import decimal

_NAME_ROOM = 64  # pixels for a word in the curve's corner


class SlotPicture:
    """The figure of one slot: softmax bars, the gradient below them, the surprisal curve beside."""

    def __init__(self, tokens):
        drawing = white_figure(9.6, 3.9)
        n_bars = len(tokens) + 1
        self._bars_axes = drawing.add_axes((0.055, 0.47, 0.50, 0.44))
        self._gradient_axes = drawing.add_axes((0.055, 0.03, 0.50, 0.265))
        self.bars = plot_bars(self._bars_axes, n_bars, "softmax p", (0, 1.26))
        self.gradient = plot_bars(self._gradient_axes, n_bars, "gradient p − one-hot",
                                  (-1.05, 2.0))
        self._bars_axes.set_yticks([0, 0.5, 1])
        self._gradient_axes.set_yticks([-1, 0, 1])
        *_, self._rest_name = name_bars(self._bars_axes, [*tokens, "all others"])
        self.curve = plot_surprisal(drawing.add_axes((0.645, 0.165, 0.335, 0.745)))
        self._short_names = [fitted(drawing, token, _NAME_ROOM) for token in tokens]
        self._n_shown = n_bars
        moving = [*self.bars.artists, *self.gradient.artists, *self.curve.artists]
        self.live = LiveFigure(drawing, moving)

    def draw(self, slot, unit):
        """Show a slot; only a new scale or number of bars costs a full redraw."""
        self._fit(slot, unit)
        padding = [0.0] * (len(self.bars.rectangles) - len(slot.probabilities))
        self.bars.move([*slot.probabilities, *padding])
        self.gradient.move([*slot.gradient, *padding])
        for bars in (self.bars, self.gradient):
            bars.mark(slot.label, slot.shown)
        mistake = None
        texts = [f"{self._short_names[slot.label]}: loss {decimal(slot.loss * unit.per_nat)}",
                 f"uniform {unit.log} V = {decimal(slot.uniform * unit.per_nat)}", ""]
        if slot.misleads:
            wrong = slot.mistaken_loss * unit.per_nat
            mistake = (float(slot.probabilities[slot.shown]), wrong)
            texts[2] = f"{self._short_names[slot.shown]} by mistake: {decimal(wrong)}"
        self.curve.move((slot.label_probability, slot.loss * unit.per_nat),
                        slot.uniform * unit.per_nat, texts, mistake)
        self.live.draw(slot_sentence(slot, unit))

    def _fit(self, slot, unit):
        """Adapt the still part: the scale of the curve, and room for the bar of all others."""
        if self.curve.fit(max(slot.loss, slot.uniform, slot.mistaken_loss or 0.0), unit):
            self.live.renew()
        if len(slot.probabilities) != self._n_shown:
            self._show_bars(len(slot.probabilities))

    def _show_bars(self, n_shown):
        self._n_shown = n_shown
        all_shown = n_shown == len(self.bars.rectangles)
        for axes, bars in ((self._bars_axes, self.bars), (self._gradient_axes, self.gradient)):
            axes.set_xlim(-0.5, n_shown - 0.5)
            bars.show_last(all_shown)
        self._rest_name.set_visible(all_shown)
        self.live.renew()
