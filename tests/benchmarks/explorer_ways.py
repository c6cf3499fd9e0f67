"""Every scenario's explorer where it is slowest; ``slider_latency.py --explorers`` times them.

Each function returns what a notebook's last line would show. What is moved starts far from both
ends, for a drag that ends at one has no last change to be timed.
"""

from mlm_helpers.examples import RANDOM_SWAP
from mlm_helpers.explorers import (
    explore_corpus,
    explore_empty_mask,
    explore_limits,
    explore_slots,
    explore_softmax,
    explore_total,
)


def softmax():
    """Scenario B, which the others are held against."""
    return explore_softmax(RANDOM_SWAP)


def empty_mask_512():
    """Scenario D with its longest sequence."""
    explorer = explore_empty_mask()
    explorer.n_tokens.value = 512
    return explorer


def limits():
    """Scenario E."""
    return explore_limits()


def slots_12():
    """Scenario F with all its slots."""
    explorer = explore_slots()
    explorer.show_twelve()
    explorer.slots.probabilities[0].value = 0.01
    return explorer


def corpus_10_trillion():
    """Scenario G with its largest corpus."""
    explorer = explore_corpus()
    explorer.n_tokens.value = 10**13
    return explorer


def total():
    """Scenario H."""
    explorer = explore_total()
    explorer.slots.probabilities[0].value = 0.01
    return explorer
