"""A small next-sentence head, trained together with the masked words as BERT was."""

import numpy as np

from mlm_helpers.losses import cross_entropy_gradient
from mlm_helpers.pretraining import next_sentence_loss, pretraining_loss
from mlm_helpers.real_text.adam import Adam
from mlm_helpers.real_text.model import add_rows
from mlm_helpers.real_text.sentence_pairs import draw_pairs, sentences
from mlm_helpers.real_text.training import Training, slot_losses

_HELD_OUT_PAIRS = 512
_SLOWER = 0.1  # at the masked words' rate it would soon know the pairs of the training by heart


class NextSentenceHead:
    """Two logits from the words of two sentences.

    A sentence is the sum of its words' embeddings, over the square root of their number. The head
    reads both sentences and the product of the two, number by number, by which it can tell that
    they are about the same things.

    Parameters
    ----------
    embedding_size : int

    Attributes
    ----------
    weights : ndarray, shape (3 * embedding_size + 1, 2)
        Zero at first, so that the first loss is ln 2; the last row is the bias.

    Examples
    --------
    >>> pairs = draw_pairs([np.arange(4)] * 5, 6, np.random.default_rng(0))
    >>> round(NextSentenceHead(3).loss_and_gradients(np.ones((4, 3)), pairs)[0], 4)
    0.6931
    """

    def __init__(self, embedding_size):
        self.weights = np.zeros((3 * embedding_size + 1, 2))

    def logits(self, embeddings, pairs):
        """Scores of "is next" and "random", shape (n, 2)."""
        return self._features(_pooled(embeddings, pairs.first),
                              _pooled(embeddings, pairs.second)) @ self.weights

    def loss(self, embeddings, pairs):
        """Mean loss in nats, by ``pretraining.next_sentence_loss``."""
        return next_sentence_loss(self.logits(embeddings, pairs), pairs.next_sentence_labels)

    def accuracy(self, embeddings, pairs):
        """Share of the pairs that are told right."""
        chosen = self.logits(embeddings, pairs).argmax(axis=1)
        return float((chosen == pairs.next_sentence_labels).mean())

    def loss_and_gradients(self, embeddings, pairs):
        """Mean loss; its derivative by the weights, and by the embeddings."""
        labels = pairs.next_sentence_labels
        first, second = _pooled(embeddings, pairs.first), _pooled(embeddings, pairs.second)
        features = self._features(first, second)
        logits = features @ self.weights
        by_logits = cross_entropy_gradient(logits, labels, reduction="mean")
        by_features = by_logits @ self.weights[:-1].T
        by_first, by_second, by_product = np.split(by_features, 3, axis=1)
        by_pooled = np.concatenate([by_first + by_product * second,
                                    by_second + by_product * first])
        by_embeddings = np.zeros(embeddings.shape)
        all_sentences = [*pairs.first, *pairs.second]
        lengths = np.array([len(sentence) for sentence in all_sentences])
        rows = np.repeat(by_pooled / np.sqrt(lengths)[:, np.newaxis], lengths, axis=0)
        add_rows(by_embeddings, np.concatenate(all_sentences), rows)
        return next_sentence_loss(logits, labels), features.T @ by_logits, by_embeddings

    def _features(self, first, second):
        return np.column_stack([first, second, first * second, np.ones(len(first))])


def _pooled(embeddings, all_sentences):
    lengths = np.array([len(sentence) for sentence in all_sentences])
    starts = np.cumsum(lengths) - lengths
    rows = embeddings[np.concatenate(all_sentences)].astype(np.float64)
    return np.add.reduceat(rows, starts) / np.sqrt(lengths)[:, np.newaxis]


class JointTraining:
    """Train the masked words and the next sentence at once, on the sum of both losses.

    Parameters
    ----------
    corpus : Corpus
    settings : Settings, optional
    n_pairs : int
        Sentence pairs per step.

    Attributes
    ----------
    masked : Training
        The masked words' part; the embeddings are its model's.
    head : NextSentenceHead
    held_out : SentencePairs
        To test on.
    history : list of (int, PretrainingLoss)
        Steps taken, and the held-out loss: its ``total`` and ``next_sentence_share``.

    Examples
    --------
    >>> from mlm_helpers.real_text.corpus import Corpus
    >>> corpus = Corpus("the cat sat on the mat . and the dog lay by the fire . " * 40)
    >>> _, loss = JointTraining(corpus).history[0]
    >>> round(loss.masked_lm, 4), round(loss.next_sentence, 4)
    (2.5649, 0.6931)
    """

    def __init__(self, corpus, settings=None, n_pairs=64):
        self.masked = Training(corpus, settings, also=self._add_next_sentence)
        vocabulary, model = self.masked.vocabulary, self.masked.model
        for_pairs, for_held_out = np.random.default_rng(self.masked.settings.seed + 1).spawn(2)
        self._rng, self._n_pairs = for_pairs, n_pairs
        self._sentences = sentences(corpus.training(vocabulary), vocabulary)
        self.head = NextSentenceHead(model.embeddings.shape[1])
        self._adam = Adam(self.head.weights.size, _SLOWER * self.masked.settings.learning_rate)
        self.held_out = draw_pairs(sentences(corpus.held_out(vocabulary), vocabulary),
                                   _HELD_OUT_PAIRS, for_held_out)
        self._best = self.head.weights.copy()
        self.history = []
        self._look()

    @property
    def finished(self):
        """As of ``Training``: the masked words' loss decides."""
        return self.masked.finished

    @property
    def accuracy(self):
        """Share of the held-out pairs that are told right."""
        return self.head.accuracy(self.masked.model.embeddings, self.held_out)

    def step(self, n_steps=1):
        """Take so many steps more, or fewer if the training ends before."""
        for _ in range(n_steps):
            if self.finished:
                break
            self.masked.step()
            if self.masked.history.steps[-1] == self.masked.n_done:
                self._look()

    def run(self):
        """Take all the steps that are left."""
        self.step(self.masked.settings.n_steps)

    def _add_next_sentence(self, model, gradient):
        """One step of the head; what the embeddings owe to it joins the model's gradient."""
        pairs = draw_pairs(self._sentences, self._n_pairs, self._rng)
        _, by_weights, by_embeddings = self.head.loss_and_gradients(model.embeddings, pairs)
        self._adam.update(self.head.weights.reshape(-1), by_weights.reshape(-1))
        model.views(gradient)[0][:] += by_embeddings

    def _look(self):
        """Measure both held-out losses; keep the head that belongs to the model that is kept."""
        masked = self.masked
        if masked.best_step == masked.n_done:
            self._best[:] = self.head.weights
        elif self.finished:
            self.head.weights[:] = self._best
        next_sentence = self.head.loss(masked.model.embeddings, self.held_out)
        losses = slot_losses(masked.model, masked.held_out)
        self.history.append((masked.n_done, pretraining_loss(losses, next_sentence)))
