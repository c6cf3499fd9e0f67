"""Worked examples of masked language modelling: the loss, the masking rules, and what one sees.

Import from the modules by name, for example ``from mlm_helpers.losses import cross_entropy``.
"""
