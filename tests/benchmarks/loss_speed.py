"""Time and memory of the cross-entropy beside scipy's, at the size of a real batch.

Run by hand: ``python tests/benchmarks/loss_speed.py``. The two take turns within one run, because
only a ratio measured on the same machine at the same time says anything.
"""

import statistics
import time
import tracemalloc

import numpy as np
import scipy.special

from mlm_helpers.losses import cross_entropy

SHAPE = (1024, 30_522)
REPEATS = 9


def ours(logits, labels):
    return cross_entropy(logits, labels, reduction="none")


def scipys(logits, labels):
    log_p = scipy.special.log_softmax(logits, axis=-1)
    return -np.take_along_axis(log_p, labels[:, np.newaxis], axis=-1)[:, 0]


def seconds(function, *arguments):
    start = time.perf_counter()
    function(*arguments)
    return time.perf_counter() - start


def peak_memory(function, *arguments):
    """Bytes, in a run of its own: tracing slows the clock."""
    tracemalloc.start()
    function(*arguments)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return peak


def main():
    rng = np.random.default_rng(0)
    logits = rng.normal(scale=3, size=SHAPE)
    labels = rng.integers(SHAPE[-1], size=SHAPE[0])
    np.testing.assert_allclose(ours(logits, labels), scipys(logits, labels), rtol=1e-12)

    rounds = [[seconds(f, logits, labels) for f in (ours, scipys)] for _ in range(REPEATS)]
    medians = [statistics.median(column) for column in zip(*rounds, strict=True)]
    print(f"logits {SHAPE}, {logits.nbytes / 1e6:.0f} MB, median of {REPEATS} alternating runs")
    for name, function, median in zip(("ours", "scipy"), (ours, scipys), medians, strict=True):
        peak = peak_memory(function, logits, labels) / 1e6
        print(f"{name:<6}{median * 1e3:7.0f} ms {peak:7.1f} MB")
    print(f"ratio {medians[0] / medians[1]:.2f}")


if __name__ == "__main__":
    main()
