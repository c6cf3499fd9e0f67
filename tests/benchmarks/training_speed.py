"""Time of a training step beside a plain numpy version's, and PyTorch's where it is installed.

Run by hand: ``python tests/benchmarks/training_speed.py``. They take turns step by step, because
only a ratio measured on the same machine at the same time says anything; and of each the fastest
tenth of the steps counts, which is least disturbed by other work. ``OPENBLAS_NUM_THREADS=1`` in
front steadies it further: the threads of a matrix product wait for one another, and so for whatever
else holds a processor. All first do the same ten steps and must come to the same loss.
"""

import importlib.util
import time
import tracemalloc

import numpy as np

from mlm_helpers.real_text.adam import Adam
from mlm_helpers.real_text.model import WindowModel

VOCAB_SIZE, EMBEDDING, HIDDEN, BATCH, WINDOW = 2000, 64, 128, 256, 9
LEARNING_RATE, STEPS = 0.001, 200


def ours(start):
    model = WindowModel(VOCAB_SIZE, embedding_size=EMBEDDING, hidden_size=HIDDEN,
                        rng=np.random.default_rng(0))
    for array, first in zip(model.views(model.values), start, strict=True):
        array[:] = first
    adam = Adam(model.values.size, LEARNING_RATE, dtype=np.float32)

    def step(windows, labels):
        loss, gradient = model.loss_and_gradient(windows, labels)
        adam.update(model.values, gradient)
        return loss

    return step


def plain(start, dtype=np.float32):
    """As one writes it down: an array for each intermediate result."""
    embeddings, hidden_weights, hidden_bias, output = (first.astype(dtype) for first in start)
    output, output_bias = output[:, :-1].T.copy(), output[:, -1].copy()
    parameters = [embeddings, hidden_weights, hidden_bias, output, output_bias]
    first = [np.zeros_like(each) for each in parameters]
    second = [np.zeros_like(each) for each in parameters]
    n_updates = 0

    def step(windows, labels):
        nonlocal n_updates
        rows = np.arange(len(labels))
        inputs = embeddings[windows].reshape(len(windows), -1)
        hidden = np.tanh(inputs @ hidden_weights + hidden_bias)
        logits = hidden @ output + output_bias
        weights = np.exp(logits - logits.max(axis=1, keepdims=True))
        probabilities = weights / weights.sum(axis=1, keepdims=True)
        loss = -np.log(probabilities[rows, labels]).mean()
        by_logits = probabilities.copy()
        by_logits[rows, labels] -= 1
        by_logits /= len(labels)
        by_hidden = (by_logits @ output.T) * (1 - hidden**2)
        by_inputs = by_hidden @ hidden_weights.T
        by_embeddings = np.zeros_like(embeddings)
        np.add.at(by_embeddings, windows, by_inputs.reshape(*windows.shape, -1))
        gradients = [by_embeddings, inputs.T @ by_hidden, by_hidden.sum(axis=0),
                     hidden.T @ by_logits, by_logits.sum(axis=0)]
        n_updates += 1
        for i, gradient in enumerate(gradients):
            first[i] = 0.9 * first[i] + 0.1 * gradient
            second[i] = 0.999 * second[i] + 0.001 * gradient**2
            mean, spread = first[i] / (1 - 0.9**n_updates), second[i] / (1 - 0.999**n_updates)
            parameters[i] -= LEARNING_RATE * mean / (np.sqrt(spread) + 1e-8)
        return float(loss)

    return step


def pytorch(start):
    import torch

    embeddings, hidden_weights, hidden_bias, output = map(torch.from_numpy, start)
    model = torch.nn.Sequential(
        torch.nn.Embedding(VOCAB_SIZE + 1, EMBEDDING), torch.nn.Flatten(),
        torch.nn.Linear(WINDOW * EMBEDDING, HIDDEN), torch.nn.Tanh(),
        torch.nn.Linear(HIDDEN, VOCAB_SIZE))
    with torch.no_grad():
        model[0].weight.copy_(embeddings)
        model[2].weight.copy_(hidden_weights.T)
        model[2].bias.copy_(hidden_bias)
        model[4].weight.copy_(output[:, :-1])
        model[4].bias.copy_(output[:, -1])
    adam = torch.optim.Adam(model.parameters(), LEARNING_RATE)

    def step(windows, labels):
        adam.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(torch.from_numpy(windows)),
                                                 torch.from_numpy(labels))
        loss.backward()
        adam.step()
        return loss.item()

    return step


def start_values():
    rng = np.random.default_rng(0)
    shapes = ((VOCAB_SIZE + 1, EMBEDDING), (WINDOW * EMBEDDING, HIDDEN), (HIDDEN,),
              (VOCAB_SIZE, HIDDEN + 1))
    return [(rng.normal(size=shape) * 0.1).astype(np.float32) for shape in shapes]


def batches(n):
    """Words as frequent as in a text: the r-th in proportion to 1 / r."""
    rng = np.random.default_rng(1)
    shares = 1 / np.arange(1, VOCAB_SIZE + 1)
    shares /= shares.sum()
    return [(rng.choice(VOCAB_SIZE, (BATCH, WINDOW), p=shares),
             rng.choice(VOCAB_SIZE, BATCH, p=shares)) for _ in range(n)]


def seconds(step, batch):
    begin = time.perf_counter()
    step(*batch)
    return time.perf_counter() - begin


def main():
    ways = {"ours": ours, "plain": plain,
            "plain, float64": lambda start: plain(start, np.float64)}
    if importlib.util.find_spec("torch"):
        ways["PyTorch"] = pytorch
    steps = {name: make(start_values()) for name, make in ways.items()}
    data = batches(20)
    losses = {name: [step(*batch) for batch in data[:10]] for name, step in steps.items()}
    for name in steps:
        np.testing.assert_allclose(losses[name], losses["plain"], rtol=1e-3)
    times = [[seconds(step, data[i % len(data)]) for step in steps.values()]
             for i in range(STEPS)]
    fastest, medians = np.percentile(times, [10, 50], axis=0) * 1e3
    print(f"{VOCAB_SIZE} words, embedding {EMBEDDING}, hidden {HIDDEN}, batch {BATCH}, float32; "
          f"{STEPS} alternating steps")
    for name, fast, median in zip(steps, fastest, medians, strict=True):
        print(f"{name:<15}fastest tenth {fast:6.2f} ms (× {fast / fastest[0]:.2f}), "
              f"median {median:6.2f} ms (× {median / medians[0]:.2f})")
    tracemalloc.start()
    step = ours(start_values())
    for batch in data[:3]:
        step(*batch)
    print(f"memory of ours: {tracemalloc.get_traced_memory()[1] / 1e6:.0f} MB at most")
    tracemalloc.stop()


if __name__ == "__main__":
    main()
