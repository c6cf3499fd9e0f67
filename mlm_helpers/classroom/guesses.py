"""The controls in which a forecast is written down: one guess, or a whole room's."""

import ipywidgets as widgets

from mlm_helpers.controls import row
from mlm_helpers.exercises.answers import read_answer
from mlm_helpers.wording import decimal, integer

ROOM = 5  # guesses that are taken at once from a room
_NAMES = "20em"


class NumberGuess(widgets.VBox):
    """One line to type a number in; four more for a room."""

    def __init__(self, question):
        self.question = question
        unit = f" ({question.unit})" if question.unit else ""
        self.boxes = [_text_box(question.text + unit),
                      *(_text_box(f"guess {number}") for number in range(2, ROOM + 1))]
        super().__init__([self.boxes[0]])

    def ask(self, whole_class):
        """Show one box, or those for a room."""
        self.children = tuple(self.boxes) if whole_class else (self.boxes[0],)

    def read(self):
        """The numbers typed; a ValueError when there is none, or one cannot be read."""
        texts = [box.value for box in self.children if box.value.strip()]
        if not texts:
            raise ValueError(f"“{self.question.text}” is still empty: type a number, a rough one "
                             "will do")
        unit = self.question.unit
        return [read_answer(text.strip().removesuffix("%") if unit == "%" else text,
                            whole=unit == "tokens", unit=unit).value for text in texts]

    def clear(self):
        """Take all guesses out."""
        for box in self.boxes:
            box.value = ""

    def freeze(self, frozen):
        """Let nobody change a guess, or let them again."""
        for box in self.boxes:
            box.disabled = frozen

    def shown(self, number):
        """A number as the question's unit wants it."""
        text = integer(number) if self.question.unit == "tokens" else decimal(number)
        return f"{text} {self.question.unit}".rstrip()


class ChoiceGuess(widgets.VBox):
    """A button per choice; for a room a box per choice, for the hands that went up.

    Buttons and no list: in a list JupyterLab takes letters and arrow keys for its own commands.
    """

    def __init__(self, question):
        self.question = question
        self.buttons = widgets.ToggleButtons(
            options=question.choices, value=None, description=question.text,
            style={"description_width": _NAMES, "button_width": "auto"})
        self.hands = [widgets.BoundedIntText(0, 0, 999, description=choice,
                                             style={"description_width": "initial"},
                                             layout=widgets.Layout(width="14em"))
                      for choice in question.choices]
        self._room = widgets.VBox([widgets.Label(f"Hands up. {question.text} …"), row(*self.hands)])
        super().__init__([self.buttons])

    def ask(self, whole_class):
        """Show the buttons, or the boxes for a room."""
        self.children = (self._room,) if whole_class else (self.buttons,)

    def read(self):
        """How many chose each; a ValueError when nobody chose."""
        if self.children == (self.buttons,):
            hands = [int(choice == self.buttons.value) for choice in self.question.choices]
        else:
            hands = [box.value for box in self.hands]
        if not any(hands):
            raise ValueError(f"“{self.question.text}” is still open: choose one of "
                             f"{', '.join(self.question.choices)}")
        return hands

    def clear(self):
        """Take the choice back, and all hands down."""
        self.buttons.value = None
        for box in self.hands:
            box.value = 0

    def freeze(self, frozen):
        """Let nobody change the choice, or let them again."""
        for control in (self.buttons, *self.hands):
            control.disabled = frozen


def _text_box(name):
    # Sent when the box is left: a click on a button must never overtake the last key.
    return widgets.Text(description=name, placeholder="your number", continuous_update=False,
                        style={"description_width": _NAMES},
                        layout=widgets.Layout(width="36em", max_width="100%"))


def guess_control(question):
    """The control that fits a question."""
    return (ChoiceGuess if question.choices else NumberGuess)(question)
