"""How the masking policies are called, what each does in a few words, how many slots it makes."""

from mlm_helpers.wording import decimal, integer

POLICY_NAMES = {"page": "the page", "bert": "BERT", "hugging_face": "Hugging Face",
                "fairseq": "fairseq"}


def policy_label(policy, max_predictions_per_seq=20):
    """The name of a policy with its rule.

    Examples
    --------
    >>> policy_label("bert"), policy_label("fairseq")
    ('BERT: round, at least 1, at most 20', 'fairseq: rounds by chance')
    """
    rules = {"page": "floor(rate · n)",
             "bert": f"round, at least 1, at most {integer(max_predictions_per_seq)}",
             "hugging_face": "a coin per token", "fairseq": "rounds by chance"}
    return f"{POLICY_NAMES[policy]}: {rules[policy]}"


def slots_phrase(law):
    """The number of slots where it is fixed, else its mean and standard deviation.

    Parameters
    ----------
    law : SlotCountLaw
        See ``slot_counts.slot_count_law``.

    Examples
    --------
    >>> from mlm_helpers.slot_counts import slot_count_law
    >>> [slots_phrase(slot_count_law(4, policy)) for policy in ("bert", "hugging_face")]
    ['1', '0.60 ± 0.71']
    """
    if not law.standard_deviation:
        return integer(law.mean)
    places = 2 if law.mean < 10 else 1
    return f"{decimal(law.mean, places)} ± {decimal(law.standard_deviation, places)}"
