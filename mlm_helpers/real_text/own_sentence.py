"""A sentence of the reader's own: choose a word, and see what the model expects in its place."""

from functools import partial

import ipywidgets as widgets

from mlm_helpers.controls import button_row, buttons, choice, row, wide_html
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.explorers.softmax import explore_softmax
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure
from mlm_helpers.masking import MASK
from mlm_helpers.real_text.own_slots import TrainedReader
from mlm_helpers.real_text.word_plots import plot_word_bars
from mlm_helpers.ribbons import slot_ribbon
from mlm_helpers.sentences import slot_sentence
from mlm_helpers.wording import NATS, shorten

SENTENCES = ("The value of the expression is returned.",
             "A list is a sequence of objects.",
             "If an exception is raised, the statement is not executed.")
_N_ROWS = 13  # the ten likeliest words, the true one, the one shown, and all others


class SentencePanel(Explorer):
    """See ``sentence_panel``."""

    def __init__(self, reader, text):
        self._reader = TrainedReader(reader) if hasattr(reader, "vocabulary") else reader
        self._start_text, self.example = text, None
        self.text = widgets.Text(text, description="sentence", continuous_update=True,
                                 layout=widgets.Layout(width="98%"))
        self.position = widgets.ToggleButtons(
            description="slot", tooltips=(), style={"button_width": "auto"})
        self.shown = choice("the input shows", [MASK], MASK)
        self.ribbon, self.softmax = wide_html(), widgets.VBox()
        drawing = white_figure(9.6, 4.8)
        self.bars = plot_word_bars(drawing.add_axes((0.22, 0.08, 0.76, 0.84)), _N_ROWS)
        super().__init__(LiveFigure(drawing, self.bars.artists), self._arranged(),
                         [self.ribbon, self.softmax])
        self.text.observe(self._offer_words, "value")
        self.position.observe(self._offer_shown, "value")
        self.follow(self.shown)
        with self.hold():
            self._offer_words()
        if hasattr(reader, "progress"):
            reader.progress.observe(self.refresh, "value")

    def _arranged(self):
        presets = {shorten(each, 32): partial(self.choose, text=each) for each in SENTENCES}
        actions = {"Open in the softmax explorer": self.open_softmax,
                   "Ask the model again": self.refresh, "Reset": self.reset}
        return [button_row("Presets", presets), self.text, self.position,
                row(self.shown, *buttons(actions))]

    def _offer_words(self, _=None):
        """A button for each word of the sentence."""
        try:
            tokens = self._reader.tokens(self.text.value)
        except ValueError as error:
            self.warn(str(error))
            return
        with self.hold():
            self.position.options = [
                (token if self._reader.knows(token) else f"{token} (unknown)", index)
                for index, token in enumerate(tokens)]
            self.position.index = min(1, len(tokens) - 1)
            self._offer_shown()

    def _offer_shown(self, _=None):
        """The mask, the word itself, and the sentence's other words in its place."""
        tokens = self._reader.tokens(self.text.value)
        own = tokens[self.position.value]
        others = [token for token in dict.fromkeys(tokens) if token != own]
        with self.hold():
            self.shown.options = [(MASK, MASK), (f"{own} (kept)", own),
                                  *((f"{token} (swapped)", token) for token in others)]
            self.shown.value = MASK

    def reset(self):
        """Put every control back to how it started."""
        self._close_softmax()
        with self.hold():
            self.choose(text=self._start_text)
            self._offer_words()

    def show_state(self):
        self.example = self._reader.example(self.text.value, self.position.value,
                                            self.shown.value)
        slot = self.example.slot
        self.bars.move(slot)
        self.ribbon.value = slot_ribbon(self.example.sentence, self.example.position,
                                        slot)._repr_html_()
        self.figure.draw(slot_sentence(slot, NATS))

    def open_softmax(self):
        """Show the softmax explorer of scenario A below, with exactly these logits."""
        self._close_softmax()
        self.softmax.children = [explore_softmax(self.example)]

    def _close_softmax(self):
        opened, self.softmax.children = self.softmax.children, ()
        for explorer in opened:
            explorer.close()


def sentence_panel(reader, text=SENTENCES[0]):
    """Type a sentence, click a word, and see the model's softmax there.

    Parameters
    ----------
    reader : Training, TrainingPanel, or anything like ``TrainedReader``
        What gives the logits. The bars follow a panel's training as it goes on.
    text : str
        Where it starts.

    Returns
    -------
    SentencePanel
        A widget. Its ``text``, ``position`` (counted from 0) and ``shown`` have a ``value`` that
        code can set; ``example`` is the slot as a worked example, for ``explore_softmax``.

    Examples
    --------
    >>> from mlm_helpers.real_text.corpus import Corpus
    >>> from mlm_helpers.real_text.training import Training
    >>> panel = sentence_panel(Training(Corpus("the cat sat on the mat . " * 60)), "The cat sat.")
    >>> panel.position.value = 2
    >>> panel.sentence
    'P(sat) = 0.1250, loss 2.0794 nats, uniform ln 8 = 2.0794'
    """
    return SentencePanel(reader, text)
