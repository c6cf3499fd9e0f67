"""Masked windows and training, on a corpus so small that a whole run takes a moment."""

import math
from dataclasses import replace

import numpy as np
import pytest

from mlm_helpers.real_text.corpus import Corpus
from mlm_helpers.real_text.masked_batches import every_slot_once, masked_batches, shown_in_turn
from mlm_helpers.real_text.settings import Settings
from mlm_helpers.real_text.training import Training, slot_losses
from mlm_helpers.real_text.windows import MaskingRule, mask_windows, windows_at
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

RULE = MaskingRule()


def rng(seed=0):
    return np.random.default_rng(seed)


def story(n_sentences, seed=0):
    """Sentences of a small grammar, in which the words around a slot tell something about it."""
    draw = rng(seed)
    animals = ["cat", "dog", "owl", "mouse", "fox", "hen", "cow", "goat", "horse", "duck"]
    verbs, rooms = ["sat", "slept", "ate", "sang", "hid"], ["kitchen", "garden", "attic", "barn"]
    home = {animal: rooms[i % 4] for i, animal in enumerate(animals)}
    told = []
    for _ in range(n_sentences):
        animal, verb = draw.choice(animals), draw.choice(verbs)
        room = home[animal] if draw.random() < 0.7 else draw.choice(rooms)
        told.append(f"the {animal} {verb} in the {room} all day .")
    return " ".join(told)


CORPUS = Corpus(story(700))
SMALL = Settings(vocab_size=100, embedding_size=16, hidden_size=32, batch_size=64, n_steps=400,
                 evaluate_every=20, learning_rate=0.01)


@pytest.fixture(scope="module")
def trained():
    training = Training(CORPUS, SMALL)
    training.run()
    return training


# Windows


def test_windows_are_the_corrupted_text_around_each_slot():
    token_ids = np.arange(2, 52)
    positions = np.array([0, 3, 20, 49])
    made = mask_windows(token_ids, positions, MaskingRule(0.15, 1.0, 0.0), vocab_size=60,
                        n_context=2, rng=rng())
    assert made.input_ids.tolist() == [[60, 60, 0, 3, 4], [3, 4, 0, 6, 7], [20, 21, 0, 23, 24],
                                       [49, 50, 0, 60, 60]]
    assert made.labels.tolist() == [2, 5, 22, 51]
    near = mask_windows(token_ids, np.array([3, 4]), MaskingRule(0.15, 1.0, 0.0), vocab_size=60,
                        n_context=2, rng=rng())
    assert near.input_ids.tolist() == [[3, 4, 0, 0, 7], [4, 0, 0, 7, 8]]
    assert token_ids.tolist() == list(range(2, 52))


def test_windows_at_no_position_are_none():
    assert windows_at(np.array([1, 2]), np.zeros(0, int), 4, 9).shape == (0, 9)


def test_branches_say_what_the_middle_shows():
    token_ids = rng().integers(2, 500, size=30_000)
    made = every_slot_once(token_ids, RULE, vocab_size=500, rng=rng(1))
    shown, keep, mask = (made.input_ids[:, 4], made.branches == "keep", made.branches == "mask")
    assert (shown[keep] == made.labels[keep]).all() and not shown[mask].any()
    swapped = shown[made.branches == "swap"]
    assert abs((swapped == made.labels[made.branches == "swap"]).mean() - 1 / 500) < 0.01
    for branch, share in (("mask", 0.8), ("swap", 0.1), ("keep", 0.1)):
        deviation = math.sqrt(share * (1 - share) / len(token_ids))
        assert abs((made.branches == branch).mean() - share) < 5 * deviation


@pytest.mark.parametrize("rate", [0.15, 0.4, 0.8, 1.0])
def test_every_token_is_a_slot_once_at_about_the_rate(rate):
    token_ids = np.arange(2, 1002)  # all different, so that a label names its position
    made = every_slot_once(token_ids, MaskingRule(rate), vocab_size=1002, rng=rng())
    assert sorted(made.labels) == token_ids.tolist()
    context = np.delete(made.input_ids, 4, axis=1)
    masked = (context == 0).sum() / (context != 1002).sum()
    actual = 1 / max(1, round(1 / rate))
    assert abs(masked - 0.8 * actual) < 0.03
    few = every_slot_once(token_ids, MaskingRule(rate), vocab_size=1002, limit=50, rng=rng())
    np.testing.assert_array_equal(few.labels, made.labels[:50])


def test_batches_follow_the_rule_and_are_new_each_time_round():
    corpus = Corpus(story(300))
    vocabulary = corpus.vocabulary(100)
    token_ids = corpus.training(vocabulary)
    batches = masked_batches(token_ids, vocabulary, MaskingRule(0.4), batch_size=100, rng=rng())
    made = [next(batches) for _ in range(40)]
    assert {len(batch.labels) for batch in made} == {100}
    assert {batch.input_ids.shape for batch in made} == {(100, 9)}
    n_round = int(0.4 * len(token_ids) // 100)
    assert not np.array_equal(made[0].input_ids, made[n_round].input_ids)
    labels = np.concatenate([batch.labels for batch in made])
    expected = np.bincount(token_ids, minlength=len(vocabulary)) / len(token_ids)
    drawn = np.bincount(labels, minlength=len(vocabulary)) / len(labels)
    assert np.abs(drawn - expected).max() < 0.03
    assert np.mean([(batch.branches == "mask").mean() for batch in made]) == pytest.approx(
        0.8, abs=0.03)


def test_a_text_with_fewer_slots_than_a_batch_gives_small_batches():
    corpus = Corpus(story(40))
    vocabulary = corpus.vocabulary(100)
    batches = masked_batches(corpus.training(vocabulary), vocabulary, MaskingRule(0.01),
                             batch_size=256, rng=rng())
    assert all(0 < len(next(batches).labels) < 256 for _ in range(20))


def test_a_long_text_is_masked_in_segments():
    """Every part of it is used, and none is looked at across its own end."""
    vocabulary = Corpus(story(300)).vocabulary(100)
    token_ids = np.arange(150_000) % 20 + 2
    batches = masked_batches(token_ids, vocabulary, RULE, batch_size=1000, rng=rng())
    made = [next(batches) for _ in range(60)]
    ends = sum((batch.input_ids == len(vocabulary)).any(axis=1).sum() for batch in made)
    assert ends < 60


def test_the_three_branches_differ_in_the_middle_alone():
    token_ids = rng().integers(2, 50, size=400)
    slots = every_slot_once(token_ids, RULE, vocab_size=50, rng=rng(1))
    shown = shown_in_turn(slots, 50, rng=rng(2))
    assert list(shown) == ["mask", "swap", "keep"]
    for branch, windows in shown.items():
        np.testing.assert_array_equal(np.delete(windows.input_ids, 4, 1),
                                      np.delete(slots.input_ids, 4, 1))
        np.testing.assert_array_equal(windows.labels, slots.labels)
        assert set(windows.branches) == {branch}
    assert not shown["mask"].input_ids[:, 4].any()
    np.testing.assert_array_equal(shown["keep"].input_ids[:, 4], slots.labels)
    assert len(set(shown["swap"].input_ids[:, 4])) > 45


@pytest.mark.parametrize(("arguments", "parts"), [
    ((0,), ("mlm_probability 0", "0.15")), ((1.5,), ("mlm_probability 1.5",)),
    ((0.15, 0.9, 0.2), ("0.9", "0.2", "at most 1")), ((0.15, -0.1, 0.2), ("mask_share -0.1",))])
def test_impossible_rules_are_refused(arguments, parts):
    assert_refused(lambda: MaskingRule(*arguments), *parts)


# Training


@pytest.mark.parametrize("vocab_size", [100, 2000])
def test_it_starts_at_exactly_ln_v(vocab_size):
    training = Training(Corpus(story(300)), replace(SMALL, vocab_size=vocab_size))
    uniform = math.log(len(training.vocabulary))
    assert training.uniform == uniform
    assert training.history.held_out == [pytest.approx(uniform, abs=1e-12)]
    training.step()
    assert training.history.training == [pytest.approx(uniform, abs=1e-12)]


def test_it_ends_below_ln_v_and_a_kept_word_costs_less_than_a_masked_one(trained):
    history = trained.history
    assert history.held_out[-1] < 0.6 * trained.uniform
    assert np.mean(history.training[-20:]) < 0.6 * trained.uniform
    shown = shown_in_turn(trained.held_out, len(trained.vocabulary), rng=rng())
    costs = {branch: slot_losses(trained.model, slots).mean() for branch, slots in shown.items()}
    assert costs["keep"] < costs["mask"]


def test_history_is_what_the_slots_say(trained):
    """The last look, made again from the outside, at parameters that are those of the best."""
    history, best = trained.history, trained.history.steps.index(trained.best_step)
    losses = slot_losses(trained.model, trained.held_out)
    assert losses.mean() == pytest.approx(min(history.held_out), abs=1e-12)
    for branch, means in history.branches.items():
        own = losses[trained.held_out.branches == branch]
        assert own.mean() == pytest.approx(means[best], abs=1e-12)
    assert history.steps == list(range(0, trained.n_done + 1, 20))
    assert len(history.training) == trained.n_done


def test_the_same_seed_gives_the_same_curve_and_another_seed_another(trained):
    again, other = Training(CORPUS, SMALL), Training(CORPUS, replace(SMALL, seed=1))
    for training in (again, other):
        training.run()
    assert again.history == trained.history
    np.testing.assert_array_equal(again.model.values, trained.model.values)
    assert other.history.training[1] != trained.history.training[1]


def test_a_training_that_was_paused_equals_one_that_was_not(trained):
    paused = Training(CORPUS, SMALL)
    for n_steps in (1, 0, 19, 1, 245, 500):
        paused.step(n_steps)
    assert paused.history == trained.history
    np.testing.assert_array_equal(paused.model.values, trained.model.values)


def test_text_held_out_changes_nothing_in_training():
    """Other words at the end, as many: the batches, and so the losses on them, are the same."""
    words = story(300).split()
    n_held_out = round(len(words) * 0.1)
    changed = words[:-n_held_out] + ["zebra", "flies", "."] * n_held_out
    one, two = (Corpus(" ".join(text)) for text in (words, changed[:len(words)]))
    assert one.n_training == two.n_training
    one, two = Training(one, SMALL), Training(two, SMALL)
    assert one.vocabulary.words.tolist() == two.vocabulary.words.tolist()
    for training in (one, two):
        training.step(40)
    assert one.history.training == two.history.training
    np.testing.assert_array_equal(one.model.values, two.model.values)
    assert one.history.held_out[1:] != two.history.held_out[1:]


def test_no_window_crosses_the_border():
    """In training the end, and in testing the start, is bordered by nothing."""
    text = "a b c d e f g h i j " * 90 + "z y x w v u t s r q " * 10
    corpus = Corpus(text)
    vocabulary = corpus.vocabulary(100)
    token_ids = corpus.training(vocabulary)
    batches = masked_batches(token_ids, vocabulary, MaskingRule(1.0, 0.0, 0.0), batch_size=900,
                             rng=rng())
    assert set(next(batches).input_ids.ravel()) == {*token_ids, len(vocabulary)}
    held_out = every_slot_once(corpus.held_out(vocabulary), MaskingRule(1.0, 0.0, 0.0),
                               vocab_size=len(vocabulary), rng=rng())
    assert set(held_out.input_ids.ravel()) == {1, len(vocabulary)}


def test_it_stops_early_and_keeps_the_best():
    """Of a short text one can soon learn no more than by heart."""
    corpus = Corpus(story(60))
    settings = replace(SMALL, n_steps=2000, patience=3, evaluate_every=10)
    training = Training(corpus, settings)
    training.run()
    history = training.history
    assert training.stopped_early and training.finished and training.n_done < 2000
    best = int(np.argmin(history.held_out))
    assert len(history.held_out) == best + 1 + 3
    assert training.best_step == history.steps[best] == training.n_done - 30 > 0
    until_best = Training(corpus, replace(settings, n_steps=training.best_step))
    until_best.run()
    np.testing.assert_array_equal(training.model.values, until_best.model.values)
    n_done = training.n_done
    training.step(10)
    assert training.n_done == n_done


def test_without_patience_it_takes_every_step():
    training = Training(CORPUS, replace(SMALL, patience=None, n_steps=50))
    training.step(1000)
    assert (training.n_done, training.stopped_early) == (50, False)
    assert training.history.steps == [0, 20, 40, 50]


def test_a_branch_without_slots_has_no_mean():
    training = Training(CORPUS, replace(SMALL, rule=MaskingRule(0.15, 1.0, 0.0), n_steps=20))
    training.run()
    assert np.isnan(training.history.branches["keep"]).all()
    assert training.history.held_out == training.history.branches["mask"]


def test_pace_and_time_left():
    training = Training(CORPUS, SMALL)
    assert math.isnan(training.steps_per_second) and math.isnan(training.seconds_left)
    training.step(30)
    assert training.steps_per_second == 30 / training.seconds
    assert training.seconds_left == pytest.approx(370 * training.seconds / 30)


@pytest.mark.parametrize(("name", "value"), [
    ("n_steps", 0), ("batch_size", 0), ("evaluate_every", 0), ("patience", 0), ("seed", -1),
    ("learning_rate", 0), ("learning_rate", math.nan), ("vocab_size", 99), ("n_steps", 1.5)])
def test_impossible_settings_are_refused(name, value):
    assert_refused(lambda: Training(CORPUS, replace(SMALL, **{name: value})), f"{name} {value}")


def test_the_smallest_text_trains():
    text = "word " * 200
    training = Training(Corpus(text), replace(SMALL, n_steps=5))
    training.run()
    assert training.uniform == math.log(3) and training.history.held_out[-1] < training.uniform
