"""Exercises with numbers of their own, and what a wrong answer tells."""

from mlm_helpers.exercises.diagnosis import diagnose
from mlm_helpers.exercises.draw import draw_exercise
from mlm_helpers.exercises.slot_exercises import slot_exercise

__all__ = ["diagnose", "draw_exercise", "slot_exercise"]
