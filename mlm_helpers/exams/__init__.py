"""Exams: every student another paper, one key, and question banks for learning platforms."""

from mlm_helpers.exams.files import write_exam

__all__ = ["write_exam"]
