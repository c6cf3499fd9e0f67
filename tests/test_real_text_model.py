"""The model and Adam against finite differences, the package's losses, and PyTorch's numbers."""

import math

import numpy as np
import pytest

from mlm_helpers.losses import cross_entropy
from mlm_helpers.real_text.adam import Adam
from mlm_helpers.real_text.model import WindowModel, add_rows
from refusals import assert_refused

pytestmark = pytest.mark.filterwarnings("error")

GROUPS = ("embeddings", "hidden_weights", "hidden_bias", "output_weights")


def batch(vocab_size, n, window, seed=1):
    rng = np.random.default_rng(seed)
    return rng.integers(vocab_size + 1, size=(n, window)), rng.integers(vocab_size, size=n)


def model_of(vocab_size=11, dtype=np.float64, activation="tanh", embedding_size=4):
    """A small one with an output layer that is no longer zero."""
    rng = np.random.default_rng(0)
    model = WindowModel(vocab_size, n_context=2, embedding_size=embedding_size, hidden_size=6,
                        activation=activation, dtype=dtype, rng=rng)
    model.output_weights[:] = rng.normal(size=model.output_weights.shape)
    model.hidden_bias[:] = rng.normal(size=model.hidden_bias.shape)
    return model


def mean_loss(model, windows, labels):
    return cross_entropy(model.logits(windows), labels, reduction="mean")


@pytest.mark.parametrize("embedding_size", [4, 5])
@pytest.mark.parametrize("activation", ["tanh", "relu"])
@pytest.mark.parametrize("group", GROUPS)
def test_every_derivative_is_the_finite_difference(group, activation, embedding_size):
    model = model_of(activation=activation, embedding_size=embedding_size)
    windows, labels = batch(11, 9, 5)
    _, gradient = model.loss_and_gradient(windows, labels)
    analytic = model.views(gradient.copy())[GROUPS.index(group)]
    values, numeric = getattr(model, group), np.zeros_like(analytic)
    for index in np.ndindex(values.shape):
        kept, ends = values[index], []
        for step in (1e-6, -1e-6):
            values[index] = kept + step
            ends.append(mean_loss(model, windows, labels))
        values[index] = kept
        numeric[index] = (ends[0] - ends[1]) / 2e-6
    np.testing.assert_allclose(analytic, numeric, atol=2e-9)
    assert np.abs(analytic).max() > 1e-3


@pytest.mark.parametrize("size", [1.0, 30.0, 1000.0])
def test_fused_loss_is_cross_entropy_however_large_the_logits(size):
    model = model_of()
    model.output_weights[:] *= size
    windows, labels = batch(11, 50, 5)
    loss, gradient = model.loss_and_gradient(windows, labels)
    assert loss == pytest.approx(mean_loss(model, windows, labels), rel=1e-12)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("shift", [-5000.0, 5000.0])
def test_a_shift_of_all_logits_changes_nothing(shift):
    model = model_of()
    windows, labels = batch(11, 20, 5)
    loss, gradient = model.loss_and_gradient(windows, labels)
    gradient = gradient.copy()
    model.output_weights[:, -1] += shift
    shifted_loss, shifted_gradient = model.loss_and_gradient(windows, labels)
    assert shifted_loss == pytest.approx(loss, rel=1e-10)
    np.testing.assert_allclose(shifted_gradient, gradient, atol=1e-10)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("vocab_size", [100, 2000, 10_000])
def test_a_fresh_model_loses_exactly_ln_v(vocab_size, dtype):
    model = WindowModel(vocab_size, dtype=dtype, rng=np.random.default_rng(3))
    windows, labels = batch(vocab_size, 7, 9)
    loss, _ = model.loss_and_gradient(windows, labels)
    assert loss == pytest.approx(math.log(vocab_size), abs=1e-12)
    assert mean_loss(model, windows, labels) == pytest.approx(math.log(vocab_size), abs=1e-12)


def test_float32_agrees_with_float64():
    exact, fast = model_of(), model_of(dtype=np.float32)
    fast.values[:] = exact.values
    windows, labels = batch(11, 50, 5)
    (exact_loss, exact_gradient), (loss, gradient) = (
        model.loss_and_gradient(windows, labels) for model in (exact, fast))
    assert gradient.dtype == np.float32 and loss == pytest.approx(exact_loss, rel=1e-5)
    np.testing.assert_allclose(gradient, exact_gradient, atol=1e-6)


def test_every_place_of_the_window_matters_the_middle_too():
    model = model_of()
    before = model.logits([[1, 2, 3, 4, 5]])
    for place in range(5):
        window = [1, 2, 3, 4, 5]
        window[place] = 7
        assert np.abs(model.logits([window]) - before).max() > 1e-3
    assert np.abs(model.logits([[2, 1, 3, 4, 5]]) - before).max() > 1e-3


def test_what_lies_beyond_the_text_says_nothing_and_stays_so():
    model = model_of()
    outside = [[model.outside_id] * 5]
    hidden = np.append(np.tanh(model.hidden_bias), 1)
    np.testing.assert_allclose(model.logits(outside)[0], model.output_weights @ hidden)
    model.loss_and_gradient([[1, 2, 3, 4, 5]], [3])
    assert not model.views(model._gradient)[0][-1].any()


def test_a_smaller_batch_after_a_larger_one_is_right():
    model = model_of()
    windows, labels = batch(11, 40, 5)
    model.loss_and_gradient(windows, labels)
    loss, _ = model.loss_and_gradient(windows[:3], labels[:3])
    assert loss == pytest.approx(mean_loss(model, windows[:3], labels[:3]), rel=1e-12)


@pytest.mark.parametrize("width", [1, 2, 5, 64])
def test_rows_are_added_where_they_belong(width):
    rng = np.random.default_rng(0)
    indices, rows = rng.integers(30, size=(8, 9)), rng.normal(size=(8, 9 * width))
    target, theirs = np.ones((40, width)), np.zeros((40, width))
    add_rows(target, indices, rows)
    np.add.at(theirs, indices.ravel(), rows.reshape(72, width))
    np.testing.assert_allclose(target, theirs, atol=1e-12)


@pytest.mark.parametrize(("name", "value"), [("activation", "sigmoid"), ("hidden_size", 0),
                                             ("embedding_size", -1), ("n_context", 1.5)])
def test_impossible_models_are_refused(name, value):
    with pytest.raises(ValueError, match=name):
        WindowModel(10, rng=np.random.default_rng(0), **{name: value})
    assert_refused(lambda: WindowModel(0, rng=np.random.default_rng(0)), "vocab_size 0")


# Adam

GRADIENTS = ([1.0, -2.0, 0.001], [0.5, 2.0, 0.0], [-1.0, 0.25, 100.0])
PYTORCH = ([0.900000001, 1.0999999995, 0.90000099999],
           [0.8067820382981611, 1.094736841631579, 0.8329961224055179],
           [0.7957037312938717, 1.0850555997499323, 0.7691142450408976])


def test_adam_takes_pytorchs_steps():
    """torch.optim.Adam 2.13 in float64 from (1, 1, 1) with learning rate 0.1."""
    values, adam = np.ones(3), Adam(3, 0.1)
    for gradient, theirs in zip(GRADIENTS, PYTORCH, strict=True):
        adam.update(values, np.array(gradient))
        np.testing.assert_allclose(values, theirs, rtol=1e-12)


def test_adam_is_algorithm_1_of_the_paper_in_blocks_too():
    n, rng = 70_001, np.random.default_rng(0)
    values = rng.normal(size=n)
    theirs, first, second = values.copy(), np.zeros(n), np.zeros(n)
    adam = Adam(n, 0.01, beta1=0.8, beta2=0.95, epsilon=1e-3)
    for t in range(1, 8):
        gradient = rng.normal(size=n)
        adam.update(values, gradient)
        first = 0.8 * first + 0.2 * gradient
        second = 0.95 * second + 0.05 * gradient**2
        theirs -= 0.01 * (first / (1 - 0.8**t)) / (np.sqrt(second / (1 - 0.95**t)) + 1e-3)
    np.testing.assert_allclose(values, theirs, rtol=1e-10)
