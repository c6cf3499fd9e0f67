"""Intervals, shares, calibration, comparisons, sentence pairs, and slots of the reader's own."""

import math

import numpy as np
import pytest
import scipy

from mlm_helpers.explorers import explore_softmax
from mlm_helpers.losses import cross_entropy, softmax
from mlm_helpers.pretraining import next_sentence_loss
from mlm_helpers.real_text.comparisons import compare, masking_rates, splits, vocabulary_sizes
from mlm_helpers.real_text.corpus import Corpus
from mlm_helpers.real_text.evaluation import (
    branch_effects,
    branch_losses,
    calibration,
    estimate,
    share_above_uniform,
    unmasked_windows,
)
from mlm_helpers.real_text.masked_batches import every_slot_once, shown_in_turn
from mlm_helpers.real_text.model import WindowModel
from mlm_helpers.real_text.next_sentence import JointTraining, NextSentenceHead
from mlm_helpers.real_text.own_slots import listed_slot, own_example, own_logits, read_sentence
from mlm_helpers.real_text.sentence_pairs import SentencePairs, draw_pairs, sentences
from mlm_helpers.real_text.training import Training, slot_losses
from mlm_helpers.real_text.vocabulary import Vocabulary
from refusals import assert_refused
from test_real_text_training import CORPUS, RULE, SMALL, rng

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(scope="module")
def trained():
    training = Training(CORPUS, SMALL)
    training.run()
    return training


@pytest.fixture
def slots(trained):
    return every_slot_once(CORPUS.held_out(trained.vocabulary), RULE,
                           vocab_size=len(trained.vocabulary), rng=rng(7))


# Intervals


def test_the_interval_is_scipys():
    numbers = rng().normal(3, 2, size=5000)
    low, high = scipy.stats.norm.interval(0.95, numbers.mean(), scipy.stats.sem(numbers))
    made = estimate(numbers)
    assert (made.low, made.high) == (pytest.approx(low), pytest.approx(high))
    assert made.n == 5000


@pytest.mark.parametrize("shape", ["exponential", "normal", "uniform"])
def test_intervals_cover_the_truth_in_95_of_100_draws(shape):
    draws = getattr(rng(1), shape)(size=(2000, 200))
    truth = {"exponential": 1.0, "normal": 0.0, "uniform": 0.5}[shape]
    covered = np.mean([abs(estimate(row).mean - truth) <= estimate(row).margin for row in draws])
    assert 0.925 < covered < 0.965


def test_of_too_few_numbers_nothing_is_claimed():
    assert math.isnan(estimate([]).mean) and estimate([]).n == 0
    assert estimate([2.0]).mean == 2.0 and math.isnan(estimate([2.0]).margin)


# Branches


def test_branch_losses_are_the_means_of_their_slots(trained, slots):
    made, losses = branch_losses(trained.model, slots), slot_losses(trained.model, slots)
    assert made["all"].mean == pytest.approx(losses.mean())
    assert sum(made[branch].n for branch in ("mask", "swap", "keep")) == made["all"].n
    for branch in ("mask", "swap", "keep"):
        assert made[branch].mean == pytest.approx(losses[slots.branches == branch].mean())


def test_slot_losses_are_cross_entropy_row_by_row(trained, slots):
    few = slots.take(slice(0, 300))
    theirs = [cross_entropy(trained.model.logits(ids[np.newaxis])[0], label)
              for ids, label in zip(few.input_ids, few.labels, strict=True)]
    np.testing.assert_allclose(slot_losses(trained.model, few), theirs, rtol=1e-4, atol=1e-6)


def test_effects_are_taken_slot_by_slot(trained, slots):
    made = branch_effects(trained.model, slots, rng=rng(3))
    shown = shown_in_turn(slots, len(trained.vocabulary), rng=rng(3))
    losses = {branch: slot_losses(trained.model, each) for branch, each in shown.items()}
    difference = losses["keep"] - losses["mask"]
    assert made["keep - mask"].mean == pytest.approx(difference.mean())
    assert made["keep - mask"].margin == pytest.approx(1.96 * scipy.stats.sem(difference), rel=1e-3)
    assert made["keep - mask"].high < 0 and made["mask"].n == len(slots.labels)


def test_a_fresh_model_is_indifferent_and_nothing_is_above_uniform(slots):
    model = WindowModel(30, rng=rng())
    made = branch_effects(model, slots, rng=rng())
    assert all(made[branch].mean == pytest.approx(math.log(30)) for branch in ("mask", "keep"))
    assert made["swap - mask"].mean == 0


def test_share_above_uniform_counts():
    losses = [0.0, math.log(4) - 1e-9, math.log(4) + 1e-9, 50.0, math.inf]
    assert share_above_uniform(losses, 4).mean == 0.6


def test_unmasked_windows_show_the_text_as_it_is():
    token_ids = np.arange(2, 30)
    made = unmasked_windows(token_ids, 40, n_context=3)
    np.testing.assert_array_equal(made.input_ids[:, 3], made.labels)
    np.testing.assert_array_equal(made.labels, token_ids)
    np.testing.assert_array_equal(made.input_ids[10], token_ids[7:14])
    assert len(unmasked_windows(token_ids, 40, limit=5).labels) == 5


def test_calibration_of_a_model_that_knows_the_frequencies():
    """Logits that are the logarithms of the true frequencies claim what then comes true."""
    model, draw = WindowModel(50, n_context=0, embedding_size=2, rng=rng()), rng(1)
    shares = draw.dirichlet(np.full(50, 0.1))
    model.output_weights[:, -1] = np.log(np.maximum(shares, 1e-30))
    token_ids = draw.choice(50, size=4000, p=shares)
    (made,) = calibration(model, unmasked_windows(token_ids, 50, n_context=0))
    assert made.low <= made.probability <= made.high
    assert made.probability == pytest.approx(shares.max(), abs=1e-5)
    assert made.right.low < made.probability < made.right.high


def test_calibration_covers_every_slot_once(trained, slots):
    bins = calibration(trained.model, slots)
    assert sum(each.right.n for each in bins) == len(slots.labels)
    assert all(each.low <= each.probability <= each.high for each in bins)
    logits = trained.model.logits(slots.input_ids)
    right = (logits.argmax(axis=1) == slots.labels).mean()
    assert sum(each.right.mean * each.right.n for each in bins) == pytest.approx(
        right * len(slots.labels))
    assert_refused(lambda: calibration(trained.model, slots, 0), "n_bins 0")


def test_a_blind_model_is_calibrated():
    draw = rng(2)
    windows = unmasked_windows(draw.integers(20, size=5000), 20)
    (made,) = calibration(WindowModel(20, rng=draw), windows)
    assert made.probability == pytest.approx(1 / 20)
    assert made.right.low < 1 / 20 < made.right.high


# Comparisons


def test_variants_change_one_thing_each():
    made = {**vocabulary_sizes(SMALL, [100, 500]), **masking_rates(SMALL, [0.4]),
            **splits(SMALL, [(1, 0, 0)])}
    assert (made[100].vocab_size, made[500].vocab_size) == (100, 500)
    assert made[0.4].rule.mlm_probability == 0.4 and made[0.4].rule.mask_share == 0.8
    assert (made[1, 0, 0].rule.mask_share, made[1, 0, 0].rule.swap_share) == (1, 0)
    assert {each.seed for each in made.values()} == {SMALL.seed}


def test_a_model_that_never_saw_a_plain_word_cannot_read_one():
    made = compare(CORPUS, splits(SMALL, [(1, 0, 0), (0.8, 0.1, 0.1)]))
    always, bert = made.values()
    assert bert.unmasked.mean < always.unmasked.mean
    for outcome in made.values():
        assert outcome.training.finished and outcome.own == min(outcome.training.history.held_out)
        assert outcome.uniform == math.log(len(outcome.training.vocabulary))
        assert outcome.masked.high < outcome.uniform


# Sentence pairs


def test_sentences_end_at_their_marks_and_lose_no_word():
    vocabulary = CORPUS.vocabulary(100)
    token_ids = CORPUS.training(vocabulary)
    made = sentences(token_ids, vocabulary)
    stop = vocabulary.encode(["."])[0]
    assert all((each == stop).sum() == 1 and each[-1] == stop for each in made[:-1])
    np.testing.assert_array_equal(np.concatenate(made), token_ids[:sum(map(len, made))])


def test_pairs_are_next_or_random_by_half_and_random_is_never_next():
    numbered = [np.array([i]) for i in range(10)]
    made = draw_pairs(numbered, 40_000, rng())
    first, second = np.concatenate(made.first), np.concatenate(made.second)
    random = made.next_sentence_labels == 1
    assert abs(random.mean() - 0.5) < 5 * 0.5 / 200
    assert (second[~random] == first[~random] + 1).all()
    steps = second[random] - first[random]
    assert not np.isin(steps, [0, 1]).any()
    for a in range(9):
        counts = np.bincount(second[random & (first == a)], minlength=10)
        allowed = np.delete(counts, [a, a + 1])
        assert scipy.stats.chisquare(allowed).pvalue > 1e-4
    assert_refused(lambda: draw_pairs(numbered[:2], 1, rng()), "2 sentences", "three")


def test_the_heads_gradients_are_finite_differences():
    draw = rng(3)
    embeddings, head = draw.normal(size=(8, 3)), NextSentenceHead(3)
    head.weights[:] = draw.normal(size=head.weights.shape)
    pairs = SentencePairs([np.array([1, 2, 2]), np.array([4])],
                          [np.array([0, 5]), np.array([4, 6, 7])], np.array([0, 1]))
    loss, *analytic = head.loss_and_gradients(embeddings, pairs)
    assert loss == head.loss(embeddings, pairs) == next_sentence_loss(
        head.logits(embeddings, pairs), [0, 1])
    for values, made in zip((head.weights, embeddings), analytic, strict=True):
        numeric = np.zeros_like(values)
        for index in np.ndindex(values.shape):
            kept, ends = values[index], []
            for step in (1e-6, -1e-6):
                values[index] = kept + step
                ends.append(head.loss(embeddings, pairs))
            values[index] = kept
            numeric[index] = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(made, numeric, atol=1e-8)


def test_joint_training_starts_at_both_uniform_losses_and_learns_both():
    """Every other sentence names what the one before it named, so that following can be told."""
    draw, told = rng(4), []
    for _ in range(500):
        animal = f"animal{draw.integers(8)}"
        told.append(f"the {animal} came in . then the {animal} went out .")
    joint = JointTraining(Corpus(" ".join(told)), SMALL)
    step, first = joint.history[0]
    assert step == 0
    assert first.masked_lm == pytest.approx(joint.masked.uniform, abs=1e-12)
    assert first.next_sentence == pytest.approx(math.log(2), abs=1e-12)
    joint.run()
    last = joint.history[-1][1]
    assert joint.finished and last.total < 0.6 * first.total
    assert last.next_sentence < 0.55 and joint.accuracy > 0.7
    assert 0 < last.next_sentence_share < 1
    assert [step for step, _ in joint.history] == joint.masked.history.steps


# Slots of one's own


@pytest.mark.parametrize("size", [3, 10, 11, 12, 2000])
@pytest.mark.parametrize("scale", [1.0, 8.0, 300.0])
def test_a_listed_slot_has_the_whole_softmax(size, scale):
    logits, words = rng(size).normal(scale=scale, size=size), [f"w{i}" for i in range(size)]
    true, expected = softmax(logits), cross_entropy(logits, size - 1)
    for shown in (None, size - 1, 0):
        slot = listed_slot(logits, words, size - 1, shown)
        listed = [words.index(token) for token in slot.tokens]
        np.testing.assert_allclose(slot.probabilities[:len(listed)], true[listed], rtol=1e-11)
        assert slot.probabilities.sum() == pytest.approx(1)
        assert slot.loss == pytest.approx(expected, rel=1e-11, abs=1e-15)
        assert slot.vocab_size == size and slot.label_token == words[-1]
        assert slot.shown_token == ("[MASK]" if shown is None else words[shown])
        assert set(np.argsort(-logits)[:10]) <= set(listed) and len(listed) <= 12


@pytest.mark.parametrize("scale", [1.0, 12.0])
def test_the_softmax_explorer_shows_exactly_these_logits(trained, scale):
    model = trained.model
    model.output_weights *= scale  # a surer model, whose logits leave the usual range
    try:
        example = own_example(trained, "The owl slept in the attic all day.", 1)
        logits = own_logits(model, trained.vocabulary, read_sentence("the owl slept in the attic "
                                                                     "all day ."), 1)
        explorer = explore_softmax(example)
        listed = trained.vocabulary.encode(example.slot.tokens)
        np.testing.assert_allclose(explorer.slot.probabilities[:-1], softmax(logits)[listed],
                                   rtol=1e-7)
        assert [slider.value for slider in explorer.logits] == pytest.approx(
            logits[listed].tolist(), rel=1e-9)
        assert explorer.slot.loss == pytest.approx(
            cross_entropy(logits, trained.vocabulary.encode(["owl"])[0]), rel=1e-7)
        assert "P(owl)" in explorer.sentence
    finally:
        model.output_weights /= scale


def test_the_chosen_word_is_hidden_and_the_others_are_seen(trained):
    vocabulary, sentence = trained.vocabulary, "the owl slept in the attic all day ."
    hidden = [own_logits(trained.model, vocabulary, sentence.replace("owl", animal).split(), 1)
              for animal in ("owl", "cat")]
    np.testing.assert_array_equal(*hidden)
    swapped = own_example(trained, sentence, 1, shown="Cat").slot
    assert swapped.misleads and swapped.shown_token == "cat" and swapped.label_token == "owl"
    kept = own_example(trained, sentence, 1, shown="owl").slot
    assert kept.loss < own_example(trained, sentence, 1).slot.loss


def test_an_unknown_word_is_unk(trained):
    example = own_example(trained, "The zebra slept.", 1)
    assert example.slot.label_token == "[UNK]" and example.sentence[1] == "[UNK]"


def test_impossible_sentences_and_places_are_refused(trained):
    assert_refused(lambda: own_example(trained, "  ", 0), "'  '", "type one")
    assert_refused(lambda: own_example(trained, "the owl", 2), "position 2", "0 to 1")
    assert_refused(lambda: own_example(trained, "the owl", -1), "position -1")
    assert_refused(lambda: listed_slot([1.0], ["a"], 0, n_listed=0), "n_listed 0")


def test_a_single_word_is_a_sentence():
    model, vocabulary = WindowModel(12, rng=rng()), Vocabulary(list("abcdefghij"))
    assert own_logits(model, vocabulary, ["a"], 0).shape == (12,)
