"""For the classroom: forecasts to lock in, exercises that understand, cards that come back."""

from mlm_helpers.classroom.cards import recall_cards
from mlm_helpers.classroom.expected import expected_mistakes
from mlm_helpers.classroom.forecast import ask_forecast
from mlm_helpers.classroom.lesson import make_lesson
from mlm_helpers.classroom.practice import practise, practise_on

__all__ = [
    "ask_forecast",
    "expected_mistakes",
    "make_lesson",
    "practise",
    "practise_on",
    "recall_cards",
]
