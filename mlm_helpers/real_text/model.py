"""A small masked language model with its gradient, written out in numpy.

The words in a window around a slot, the slot's own included, each become an embedding; one hidden
layer, with weights of its own for each place in the window, reads them; the output layer gives
every word of the vocabulary a logit.
"""

import numpy as np

from mlm_helpers.checks import check_choice, check_whole

ACTIVATIONS = ("tanh", "relu")
_SAFE = 60.0  # exp of a float32 overflows from 88 on


class WindowModel:
    """Parameters, logits, loss and gradient.

    Parameters
    ----------
    vocab_size : int
        Number of words.
    n_context : int
        How many words it sees on either side of the slot.
    embedding_size, hidden_size : int
        Widths of the two layers.
    activation : {"tanh", "relu"}
        Of the hidden layer.
    dtype : dtype
        float32 for speed, float64 to check gradients.
    rng : numpy.random.Generator
        Source of the first embeddings and hidden weights. The output layer starts at zero, so that
        the first loss is ln(vocab_size), whatever was drawn.

    Attributes
    ----------
    values : ndarray, flat
        All parameters; the arrays below are views of it.
    embeddings : ndarray, shape (vocab_size + 1, embedding_size)
        The last row, of ``outside_id``, stands for what lies beyond the text; it is 0 and stays 0.
    hidden_weights : ndarray, shape (window * embedding_size, hidden_size)
        With ``window = 2 * n_context + 1``.
    hidden_bias : ndarray, shape (hidden_size,)
    output_weights : ndarray, shape (vocab_size, hidden_size + 1)
        The last column is the bias.

    Notes
    -----
    Bengio et al., *A neural probabilistic language model* (2003), with a window to both sides.

    Examples
    --------
    >>> model = WindowModel(100, n_context=1, rng=np.random.default_rng(0))
    >>> model.logits([[5, 0, 7]]).shape
    (1, 100)
    >>> loss, gradient = model.loss_and_gradient([[5, 0, 7]], [6])
    >>> round(loss, 4)
    4.6052
    """

    def __init__(self, vocab_size, *, n_context=4, embedding_size=64, hidden_size=128,
                 activation="tanh", dtype=np.float32, rng):
        check_choice("activation", activation, ACTIVATIONS)
        for name, value in (("vocab_size", vocab_size), ("embedding_size", embedding_size),
                            ("hidden_size", hidden_size)):
            check_whole(name, value, least=1)
        check_whole("n_context", n_context)
        self.vocab_size, self.n_context, self.activation = vocab_size, n_context, activation
        self.outside_id = vocab_size
        n_inputs = (2 * n_context + 1) * embedding_size
        self._shapes = ((vocab_size + 1, embedding_size), (n_inputs, hidden_size), (hidden_size,),
                        (vocab_size, hidden_size + 1))
        n_values = sum(int(np.prod(shape)) for shape in self._shapes)
        self.values, self._gradient = np.zeros(n_values, dtype), np.zeros(n_values, dtype)
        (self.embeddings, self.hidden_weights, self.hidden_bias,
         self.output_weights) = self.views(self.values)
        self._gradients = self.views(self._gradient)
        self.embeddings[:-1] = rng.normal(size=(vocab_size, embedding_size))
        self.hidden_weights[:] = rng.normal(size=self.hidden_weights.shape) / n_inputs**0.5
        self._room = np.empty((0, vocab_size), dtype)

    def views(self, flat):
        """A flat array seen as embeddings, hidden weights, hidden bias and output weights."""
        ends = np.cumsum([int(np.prod(shape)) for shape in self._shapes])[:-1]
        return [part.reshape(shape)
                for part, shape in zip(np.split(flat, ends), self._shapes, strict=True)]

    def logits(self, windows):
        """Scores of every word at the middle of each window.

        Parameters
        ----------
        windows : array_like of int, shape (n, 2 * n_context + 1)
            What the input shows.

        Returns
        -------
        ndarray, shape (n, vocab_size)
        """
        hidden = self._hidden(self._inputs(np.asarray(windows)))
        return hidden @ self.output_weights.T

    def loss_and_gradient(self, windows, labels):
        """Mean loss of a batch in nats, and its derivative by every parameter.

        Parameters
        ----------
        windows : array_like of int, shape (n, 2 * n_context + 1)
            What the input shows.
        labels : array_like of int, shape (n,)
            The true words.

        Returns
        -------
        loss : float
            Equal to ``losses.cross_entropy`` of the logits but for rounding.
        gradient : ndarray, flat as ``values``
            The model's own array, good until the next call.
        """
        windows, labels = np.asarray(windows), np.asarray(labels)
        inputs = self._inputs(windows)
        hidden = self._hidden(inputs)
        loss, by_logits, scale = self._output_loss(hidden, labels)
        by_embeddings, by_weights, by_bias, by_output = self._gradients
        np.matmul(by_logits.T, hidden * scale, out=by_output)
        by_hidden = scale * (by_logits @ self.output_weights[:, :-1])
        if self.activation == "tanh":
            by_hidden *= 1 - hidden[:, :-1]**2
        else:
            by_hidden *= hidden[:, :-1] > 0
        np.matmul(inputs.T, by_hidden, out=by_weights)
        by_hidden.sum(axis=0, out=by_bias)
        by_inputs = by_hidden @ self.hidden_weights.T
        add_rows(by_embeddings, windows, by_inputs)
        return loss, self._gradient

    def _inputs(self, windows):
        """Embeddings of each window's words, side by side."""
        return self.embeddings[windows].reshape(len(windows), -1)

    def _hidden(self, inputs):
        """The hidden layer with a column of ones, which the output's bias multiplies."""
        hidden = np.ones((len(inputs), self.hidden_bias.size + 1), self.values.dtype)
        inner = hidden[:, :-1]
        np.matmul(inputs, self.hidden_weights, out=inner)
        inner += self.hidden_bias
        if self.activation == "tanh":
            np.tanh(inner, out=inner)
        else:
            np.maximum(inner, 0, out=inner)
        return hidden

    def _output_loss(self, hidden, labels):
        """Mean loss; and its derivative by the logits, as an array and a factor for each row.

        The one array as large as the logits is used three times over: for the logits, for their
        exponentials, and for the derivative, which is never divided by the rows' sums: that factor
        is left to the small arrays. A row is shifted only if its exponentials could overflow, or
        all of them vanish.
        """
        if len(self._room) < len(labels):
            self._room = np.empty((len(labels), self.vocab_size), self.values.dtype)
        work = np.matmul(hidden, self.output_weights.T, out=self._room[:len(labels)])
        own = (np.arange(len(labels)), labels)
        peak = work.max(axis=1, keepdims=True)
        if np.abs(peak).max() > _SAFE:
            work -= peak
        own_logits = work[own].astype(np.float64)
        np.exp(work, out=work)
        sums = work @ np.ones(self.vocab_size, work.dtype)
        loss = float((np.log(sums.astype(np.float64)) - own_logits).mean())
        work[own] -= sums
        return loss, work, (1 / (len(labels) * sums))[:, np.newaxis]


def add_rows(target, indices, rows):
    """Set ``target`` to 0 and add each of ``rows`` at its index; indices may repeat.

    Examples
    --------
    >>> target = np.ones((3, 1))
    >>> add_rows(target, [2, 0, 2], np.array([[1.0], [2.0], [3.0]]))
    >>> target.ravel().tolist()
    [2.0, 0.0, 4.0]
    """
    indices = np.ravel(indices)
    if len(target) <= 1 << 16:
        indices = indices.astype(np.uint16)  # numpy sorts these by their digits, six times faster
    order = np.argsort(indices, kind="stable")
    ordered = indices[order]
    starts = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]]))
    sorted_rows = rows.reshape(len(indices), -1).take(order, axis=0)
    if sorted_rows.shape[1] % 2 == 0:  # two numbers as one complex one: half as many additions
        sorted_rows = sorted_rows.view(np.result_type(sorted_rows, np.complex64))
    target[:] = 0
    target[ordered[starts]] = np.add.reduceat(sorted_rows, starts).view(rows.dtype)
