"""Recall cards: a question, its answer on request, and a score that the reader keeps honestly."""

from html import escape

import ipywidgets as widgets

from mlm_helpers.checks import check_choice
from mlm_helpers.classroom.page import TYPE, Page, box
from mlm_helpers.classroom.recall import CARDS
from mlm_helpers.controls import buttons, row
from mlm_helpers.typeset import typeset
from mlm_helpers.wording import count


class Cards(Page):
    """See ``recall_cards``."""

    def __init__(self, cards):
        self.cards = tuple(cards)
        self.sentence = (f"{count(len(self.cards), 'recall card')}: "
                         + " / ".join(card.question for card in self.cards))
        self.still = _still(self.cards)
        self.place, self.question, self.answer = widgets.HTML(), widgets.HTML(), widgets.HTML()
        self.show_button, self.knew_button, self.not_yet_button, again = buttons({
            "Show answer": self.show_answer, "I knew it": self.take_known,
            "Not yet": self.take_unknown, "Start again": self.reset,
        })
        super().__init__([self.place, self.question, self.answer,
                          row(self.show_button, self.knew_button, self.not_yet_button, again)])
        self.reset()

    @property
    def card(self):
        """The card on top; None when every card was known."""
        return self._deck[0] if self._deck else None

    def reset(self):
        """All cards back, the score at nought."""
        self._deck, self.known, self.tries = list(self.cards), 0, 0
        self._open(False)

    # No button is ever disabled: whoever has just pressed it by keyboard would lose their place.

    def show_answer(self):
        """Turn the card on top."""
        self._open(self.card is not None)

    def take_known(self):
        """Lay the card aside, if its answer has been seen."""
        self._judge(known=True)

    def take_unknown(self):
        """Put the card under the others, if its answer has been seen: it comes again."""
        self._judge(known=False)

    def _judge(self, known):
        if not self.is_open:
            self.show_answer()
            return
        card = self._deck.pop(0)
        if known:
            self.known += 1
        else:
            self._deck.append(card)
        self.tries += 1
        self._open(False)

    def _open(self, is_open):
        self.is_open, card = is_open, self.card
        self.place.value = f'<p role="status" style="{TYPE}; margin: 0">{self.score}</p>'
        self.question.value = (f'<p style="font-size: 20px; font-weight: bold; line-height: 1.4; '
                               f'margin: 4px 0">{escape(card.question) if card else ""}</p>')
        self.answer.value = box(typeset(card.answer)) if is_open else ""

    @property
    def score(self):
        """How many were known, of how many, and in how many tries."""
        n_cards = len(self.cards)
        if not self._deck:
            return f"All {n_cards} known, in {count(self.tries, 'answer')}."
        return (f"Known {self.known} of {n_cards}, {len(self._deck)} to go"
                + (f", {count(self.tries, 'answer')} so far." if self.tries else "."))


def _still(cards):
    """Every card as a question that opens: browsers do so without any script."""
    return "".join(f'<details style="{TYPE}; margin: 6px 0"><summary><strong>'
                   f"{escape(card.question)}</strong></summary>{typeset(card.answer)}</details>"
                   for card in cards)


def recall_cards(scenario):
    """Cards to test oneself with.

    Parameters
    ----------
    scenario : {"A", ..., "H", "start"}
        Whose cards.

    Returns
    -------
    Cards
        A widget; without a kernel a list of questions that open.

    Raises
    ------
    ValueError
        When there is no such scenario.

    Examples
    --------
    >>> cards = recall_cards("A")
    >>> cards.show_answer()
    >>> cards.take_unknown()
    >>> cards.score
    'Known 0 of 4, 4 to go, 1 answer so far.'
    """
    check_choice("scenario", scenario, tuple(CARDS))
    return Cards(CARDS[scenario])
