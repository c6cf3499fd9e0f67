"""The figures of the finished run agree with each other and with what needs no run."""

import math

import pytest

from mlm_helpers.real_text import measured


def test_the_curve_starts_at_ln_v_and_has_a_loss_for_each_step():
    assert measured.HELD_OUT[0] == round(math.log(2000), 4)
    assert len(measured.HELD_OUT) == len(measured.STEPS) and measured.STEPS[-1] == 1200
    assert min(measured.HELD_OUT) == measured.HELD_OUT[-1]


def test_every_held_out_slot_is_in_one_branch():
    n_slots = {each.n for each in measured.SAME_SLOTS.values()}
    assert n_slots == {sum(each.n for each in measured.AS_DRAWN.values())}
    assert n_slots == {sum(n for *_, n in measured.CALIBRATION)} == {measured.ABOVE_UNIFORM.n}


@pytest.mark.parametrize("branch", ["swap", "keep"])
def test_the_differences_are_those_of_the_means(branch):
    means = {name: each.mean for name, each in measured.SAME_SLOTS.items()}
    assert means[branch] - means["mask"] == pytest.approx(means[f"{branch} − mask"], abs=1e-4)


@pytest.mark.parametrize("size", measured.VOCABULARIES)
def test_the_uniform_references_are_ln_v(size):
    assert measured.VOCABULARIES[size][0] == round(math.log(size), 4)


def test_both_losses_start_at_the_uniform_guess():
    assert measured.NEXT_SENTENCE["at the start"] == (round(math.log(2000), 4),
                                                      round(math.log(2), 4))


def test_one_training_stands_in_two_tables():
    assert measured.TRAINED_BY["15 %, 80/10/10"][0] == measured.VOCABULARIES[2000][1]
