"""A whole text, cut into sequences and masked: what the reader's own words become."""

from dataclasses import dataclass

import numpy as np

from mlm_helpers.masking import MASK, choose_positions, corrupt, drawn_branch_counts


@dataclass(frozen=True)
class MaskedText:
    """The tokens of a text before and after corruption.

    Attributes
    ----------
    original, shown : list of str
        All tokens, with ``[CLS]`` and ``[SEP]`` where the policy has them.
    branches : dict of int to str
        "mask", "swap" or "keep" for each chosen position.
    n_sequences : int
        How many sequences the text was cut into.
    """

    original: list
    shown: list
    branches: dict
    n_sequences: int

    @property
    def branch_counts(self):
        """How many slots each branch got."""
        return drawn_branch_counts(self.branches.values())


def mask_text(tokens, policy, *, mlm_probability=0.15, rng, sequence_length=128):
    """Mask a text of any length under a named policy.

    The text is cut into sequences of at most ``sequence_length`` tokens and each is masked on its
    own, as in training. All policies but "page" put ``[CLS]`` and ``[SEP]`` around each sequence.
    Swapped words are drawn from ``[MASK]`` and the text's own different words, so a swap may draw
    the original again, as in BERT.

    Parameters
    ----------
    tokens : sequence of str
        The ordinary tokens of the text.
    policy : {"page", "bert", "hugging_face", "fairseq"}
        See ``masking.choose_positions``.
    mlm_probability : float
        Share of the tokens to choose, in [0, 1].
    rng : numpy.random.Generator
        Source of the draws; the same seed gives the same result.
    sequence_length : int
        128 is the default of google-research/bert's ``create_pretraining_data.py``.

    Returns
    -------
    MaskedText

    Raises
    ------
    ValueError
        When the policy is unknown or a number is out of range.

    Examples
    --------
    >>> masked = mask_text("the cat sat down".split(), "bert", rng=np.random.default_rng(0))
    >>> masked.original
    ['[CLS]', 'the', 'cat', 'sat', 'down', '[SEP]']
    >>> sum(masked.branch_counts.values())
    1
    """
    sequences = [_framed(chunk, policy) for chunk in _chunks(tokens, policy, sequence_length)]
    original = [token for sequence in sequences for token in sequence]
    positions = _chosen(sequences, policy, mlm_probability, rng)
    vocabulary = list(dict.fromkeys([MASK, *original]))
    ids = {token: index for index, token in enumerate(vocabulary)}
    corruption = corrupt([ids[token] for token in original] or np.zeros(0, dtype=int), positions,
                         mask_token_id=0, vocab_size=len(vocabulary), rng=rng)
    shown = [vocabulary[index] for index in corruption.input_ids]
    branches = dict(zip(positions.tolist(), corruption.branches.tolist(), strict=True))
    return MaskedText(original, shown, branches, len(sequences))


def _chunks(tokens, policy, sequence_length):
    n_special = len(_framed([], policy))
    room = sequence_length - n_special
    if room < 1:
        raise ValueError(f"sequence_length {sequence_length} leaves no room for a word: "
                         f"choose {n_special + 1} or more")
    return [tokens[start:start + room] for start in range(0, len(tokens), room)]


def _framed(tokens, policy):
    return list(tokens) if policy == "page" else ["[CLS]", *tokens, "[SEP]"]


def _chosen(sequences, policy, mlm_probability, rng):
    """Positions in the whole text, sequence by sequence."""
    chosen, start = [choose_positions([], policy, mlm_probability=mlm_probability, rng=rng)], 0
    for sequence in sequences:
        chosen.append(start + choose_positions(sequence, policy, rng=rng,
                                               mlm_probability=mlm_probability))
        start += len(sequence)
    return np.concatenate(chosen)
