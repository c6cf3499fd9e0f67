"""What the policies are called, and how their numbers of slots are written."""

import pytest

from mlm_helpers.policy_wording import POLICY_NAMES, policy_label, slots_phrase
from mlm_helpers.slot_counts import POLICIES, SlotCountLaw

pytestmark = pytest.mark.filterwarnings("error")


def test_every_policy_has_a_name_and_its_label_begins_with_it():
    assert tuple(POLICY_NAMES) == POLICIES
    for policy, name in POLICY_NAMES.items():
        assert policy_label(policy).startswith(f"{name}: ")


def test_the_label_of_bert_says_its_cap():
    assert policy_label("bert", 77) == "BERT: round, at least 1, at most 77"


@pytest.mark.parametrize(
    ("mean", "deviation", "phrase"),
    [
        (0.0, 0.0, "0"),
        (76.0, 0.0, "76"),
        (0.15, 0.3570714, "0.15 ± 0.36"),
        (0.6, 0.7141428, "0.60 ± 0.71"),
        (9.99, 2.9140178, "9.99 ± 2.91"),
        (10.05, 0.2179449, "10.1 ± 0.2"),
        (76.8, 8.0796040, "76.8 ± 8.1"),
    ],
)
def test_a_fixed_number_stands_alone_and_a_mean_beside_its_scatter(mean, deviation, phrase):
    assert slots_phrase(SlotCountLaw(mean, deviation, 0.0)) == phrase
