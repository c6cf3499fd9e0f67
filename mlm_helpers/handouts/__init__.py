"""Notebooks on paper."""
