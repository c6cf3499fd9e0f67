"""The same training several times over with one thing changed, and all held to one test."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from mlm_helpers.real_text.evaluation import Estimate, branch_effects, estimate, unmasked_windows
from mlm_helpers.real_text.masked_batches import every_slot_once
from mlm_helpers.real_text.training import Training, slot_losses
from mlm_helpers.real_text.windows import MaskingRule

_SLOTS = 2048


class Outcome(NamedTuple):
    """One of the trainings, and what it came to on text held out; losses in nats.

    Attributes
    ----------
    training : Training
        Ended.
    own : float
        Lowest loss on slots masked by the training's own rule: not comparable where rules differ.
    masked, swapped, kept : Estimate
        Loss at the same slots, shown in these three ways in a text masked by BERT's rule, 15 % and
        80/10/10, however the model was trained.
    unmasked : Estimate
        Loss in a text of which nothing is corrupted, at tokens that are all plain to see.
    uniform : float
        ln V.
    unknown_share : float
        Share of the corpus that is ``[UNK]`` to this vocabulary.
    """

    training: Training
    own: float
    masked: Estimate
    swapped: Estimate
    kept: Estimate
    unmasked: Estimate
    uniform: float
    unknown_share: float


def vocabulary_sizes(settings, sizes):
    """The settings once for each vocabulary size, by size.

    Examples
    --------
    >>> from mlm_helpers.real_text.settings import Settings
    >>> [(name, each.vocab_size) for name, each in vocabulary_sizes(Settings(), [500]).items()]
    [(500, 500)]
    """
    return {size: replace(settings, vocab_size=size) for size in sizes}


def masking_rates(settings, rates):
    """The settings once for each ``mlm_probability``, by rate."""
    return {rate: replace(settings, rule=replace(settings.rule, mlm_probability=rate))
            for rate in rates}


def splits(settings, shares):
    """The settings once for each (mask, swap, keep), by these shares.

    Examples
    --------
    >>> from mlm_helpers.real_text.settings import Settings
    >>> splits(Settings(), [(1, 0, 0)])[1, 0, 0].rule
    MaskingRule(mlm_probability=0.15, mask_share=1, swap_share=0)
    """
    return {each: replace(settings, rule=replace(settings.rule, mask_share=each[0],
                                                 swap_share=each[1]))
            for each in shares}


def compare(corpus, variants):
    """Train with each of the settings, and test all in the same way.

    Parameters
    ----------
    corpus : Corpus
    variants : dict of Settings
        By any name; see ``vocabulary_sizes``, ``masking_rates`` and ``splits``.

    Returns
    -------
    dict of Outcome
        By the same names.
    """
    return {name: _outcome(corpus, settings) for name, settings in variants.items()}


def _outcome(corpus, settings):
    training = Training(corpus, settings)
    training.run()
    model, token_ids = training.model, corpus.held_out(training.vocabulary)
    sizes = {"vocab_size": model.vocab_size, "n_context": model.n_context, "limit": _SLOTS}
    rng = np.random.default_rng(settings.seed)
    effects = branch_effects(model, every_slot_once(token_ids, MaskingRule(), rng=rng, **sizes),
                             rng=rng)
    return Outcome(training, min(training.history.held_out), effects["mask"], effects["swap"],
                   effects["keep"], estimate(slot_losses(model, unmasked_windows(token_ids,
                                                                                 **sizes))),
                   training.uniform, corpus.unknown_share(training.vocabulary))
