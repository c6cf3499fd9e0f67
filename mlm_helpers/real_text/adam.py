"""Adam, the optimiser of BERT's training, in place and a cache's worth of numbers at a time."""

import math

import numpy as np

_BLOCK = 1 << 15  # numbers of four arrays and a scratch one: they stay in a core's own cache


class Adam:
    """Adam with bias correction, for one flat array of parameters.

    Parameters
    ----------
    n_parameters : int
        Size of the array.
    learning_rate, beta1, beta2, epsilon : float
        As in the paper, whose defaults these are.
    dtype : dtype
        That of the parameters.

    Notes
    -----
    Kingma and Ba, *Adam* (2015), algorithm 1. The means are kept without their factors 1 - beta,
    which are constant and join the step's own: two passes over memory less, the same numbers.

    Examples
    --------
    The first step is as long as the learning rate, whatever the gradient:

    >>> values = np.zeros(2)
    >>> Adam(2, learning_rate=0.1).update(values, np.array([5.0, -0.01]))
    >>> values.round(4).tolist()
    [-0.1, 0.1]
    """

    def __init__(self, n_parameters, learning_rate=0.001, beta1=0.9, beta2=0.999, epsilon=1e-8,
                 dtype=np.float64):
        self.learning_rate, self.beta1, self.beta2 = learning_rate, beta1, beta2
        self.epsilon = epsilon
        self.n_updates = 0
        self._first = np.zeros(n_parameters, dtype)
        self._second = np.zeros(n_parameters, dtype)
        self._scratch = np.empty(min(_BLOCK, n_parameters), dtype)

    def update(self, values, gradient):
        """Take one step, altering ``values`` in place."""
        self.n_updates += 1
        corrected = (1 - self.beta1) / (1 - self.beta1**self.n_updates)
        spread = math.sqrt((1 - self.beta2) / (1 - self.beta2**self.n_updates))
        step = self.learning_rate * corrected / spread
        for start in range(0, values.size, _BLOCK):
            block = slice(start, start + _BLOCK)
            self._update_block(values[block], gradient[block], self._first[block],
                               self._second[block], step, self.epsilon / spread)

    def _update_block(self, values, gradient, first, second, step, epsilon):
        scratch = self._scratch[:values.size]
        first *= self.beta1
        first += gradient
        np.multiply(gradient, gradient, out=scratch)
        second *= self.beta2
        second += scratch
        np.sqrt(second, out=scratch)
        scratch += epsilon
        np.divide(first, scratch, out=scratch)
        scratch *= step
        values -= scratch
