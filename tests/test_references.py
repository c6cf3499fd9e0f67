"""Agreement with what others use: PyTorch itself; BERT, Hugging Face and fairseq restated.

PyTorch is asked where it is installed, else those tests are skipped. The rules of the others are
written out here from their descriptions, step by step in their own order; nothing of theirs is
imported. Shares of draws are compared at five standard deviations, with fixed seeds.
"""

import itertools
import math
import random
from collections import Counter

import numpy as np
import pytest

from mlm_helpers.losses import cross_entropy, cross_entropy_gradient, log_softmax, softmax
from mlm_helpers.masking import choose_positions, corrupt
from mlm_helpers.pretraining import next_sentence_loss, pretraining_loss
from mlm_helpers.reductions import reduce_losses
from mlm_helpers.slot_counts import draw_slot_counts, slot_count, slot_count_law

pytestmark = pytest.mark.filterwarnings("error")

REDUCTIONS = ("sum", "mean", "none")
SHAPES = [(3,), (1, 1), (5, 4), (2, 3, 7), (2, 2, 3, 5), (8, 30_522)]
LENGTHS = np.arange(1, 513)


@pytest.fixture(scope="module")
def torch():
    return pytest.importorskip(
        "torch", reason="PyTorch is not installed: see tests/requirements-reference.txt"
    )


@pytest.fixture(scope="module")
def pytorch(torch):
    """PyTorch's loss and its gradient by autograd, in the shapes and from the arrays of ours."""

    def ask(logits, labels, reduction, dtype="float64", **options):
        logits, labels = np.asarray(logits), np.asarray(labels, dtype=np.int64)
        # It takes the vocabulary for the second axis, so the axes before it are made one.
        rows = torch.tensor(logits.reshape(-1, logits.shape[-1]), dtype=getattr(torch, dtype),
                            requires_grad=True)
        loss = torch.nn.functional.cross_entropy(
            rows, torch.tensor(labels.reshape(-1)), reduction=reduction, **options
        )
        loss.sum().backward()
        gradient = rows.grad.numpy().reshape(logits.shape)
        loss = loss.detach().numpy()
        return (loss.reshape(labels.shape) if reduction == "none" else float(loss)), gradient

    return ask


def generator(seed=0):
    return np.random.default_rng(seed)


def batch(shape, scale=3.0):
    """Logits, and labels of which about a third is ignored."""
    rng = generator()
    logits = rng.normal(scale=scale, size=shape)
    labels = rng.integers(shape[-1], size=shape[:-1])
    return logits, np.where(rng.random(shape[:-1]) < 0.3, -100, labels)


def ours(logits, labels, reduction, **options):
    """Loss and gradient; that of "none" is the gradient of its sum, as in ``pytorch``."""
    summed = "sum" if reduction == "none" else reduction
    return (cross_entropy(logits, labels, reduction=reduction, **options),
            cross_entropy_gradient(logits, labels, reduction=summed, **options))


def assert_same(got, expected, rtol=1e-12, atol=1e-14):
    for one, other in zip(got, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=atol)


# PyTorch


@pytest.mark.parametrize("shape", SHAPES)
def test_losses_and_gradients_are_pytorchs(pytorch, shape):
    for scale, reduction in itertools.product((0.01, 3, 100), REDUCTIONS):
        case = (*batch(shape, scale), reduction)
        assert_same(ours(*case), pytorch(*case))


@pytest.mark.parametrize("shape", SHAPES)
def test_softmax_and_its_logarithm_are_pytorchs(torch, shape):
    logits, _ = batch(shape)
    given = torch.tensor(logits)
    assert_same((softmax(logits), log_softmax(logits)),
                (torch.softmax(given, dim=-1), torch.log_softmax(given, dim=-1)))


@pytest.mark.parametrize("shape", [(5, 10), (2, 3, 4), (0, 10), (2, 0, 10)])
def test_without_slots_the_sum_is_zero_and_the_mean_is_nan_in_pytorch_too(pytorch, shape):
    logits, labels = np.ones(shape), np.full(shape[:-1], -100)
    for reduction, loss in (("sum", 0.0), ("mean", math.nan), ("none", np.zeros(shape[:-1]))):
        expected = (loss, np.zeros(shape))  # no gradient is nan, not even that of the nan
        assert_same(ours(logits, labels, reduction), expected)
        assert_same(pytorch(logits, labels, reduction), expected)


@pytest.mark.parametrize("junk", [math.nan, math.inf])
def test_ignored_rows_may_hold_anything(pytorch, junk):
    logits, labels = np.array([[1.0, 2.0, 0.0], [junk] * 3, [0.5, 0.0, 3.0]]), [1, -100, 0]
    for reduction in REDUCTIONS:
        loss, gradient = ours(logits, labels, reduction)
        expected, autograd = pytorch(logits, labels, reduction)
        assert_same((loss, gradient[::2]), (expected, autograd[::2]))
        # Here PyTorch multiplies 0 by nan; a row that does not count moves no logit.
        assert np.isnan(autograd[1]).all() and not gradient[1].any()


def test_another_ignore_index(pytorch):
    logits, labels = batch((6, 4))
    labels[labels == -100] = -7
    for reduction in REDUCTIONS:
        case = (logits, labels, reduction)
        assert_same(ours(*case, ignore_index=-7), pytorch(*case, ignore_index=-7))


def test_pytorch_refuses_the_same_labels(pytorch):
    for label in (-1, 4):
        with pytest.raises(IndexError, match=f"Target {label} is out of bounds"):
            pytorch(np.zeros((2, 4)), [0, label], "sum")
        with pytest.raises(ValueError, match=f"label {label} at position 1"):
            cross_entropy(np.zeros((2, 4)), [0, label])


EXTREMES = {
    "thousands": [1000.0, 0.0, -1000.0, 999.5],
    "hundred millions": [1e8, -1e8, 1e8 - 1, 0.0],
    "all far below": [-1e8, -1e8, -1e8 - 3, -2e8],
    "impossible words": [-math.inf, 2.0, -math.inf, 1.0],
    "one possible word": [-math.inf, -1e8, -math.inf, -math.inf],
}


@pytest.mark.parametrize("row", EXTREMES.values(), ids=EXTREMES)
def test_extreme_logits(pytorch, row):
    for label, reduction in itertools.product(range(4), REDUCTIONS):
        case = ([row, [1.0, 2.0, 0.0, 1.0]], [label, 1], reduction)  # an impossible label costs inf
        assert_same(ours(*case), pytorch(*case))


@pytest.mark.parametrize("shape", SHAPES)
def test_float32_logits(pytorch, shape):
    logits, labels = batch(shape)
    for reduction in REDUCTIONS:
        case = (logits.astype(np.float32), labels, reduction)
        # PyTorch keeps seven digits in float32; of the same numbers in float64 it keeps them all.
        assert_same(ours(*case), pytorch(*case, dtype="float32"), rtol=3e-5, atol=1e-6)
        assert_same(ours(*case), pytorch(*case))


@pytest.mark.parametrize("row", EXTREMES.values(), ids=EXTREMES)
def test_extreme_float32_logits(pytorch, row):
    for label in range(4):
        case = (np.array([row], dtype=np.float32), [label], "sum")
        assert_same(ours(*case), pytorch(*case, dtype="float32"), rtol=1e-6, atol=1e-7)
        assert_same(ours(*case), pytorch(*case))


@pytest.mark.parametrize(
    ("gap", "dtype", "exact"),
    # ln(1 + 3 e^-gap), from the series x - x²/2
    [(20, "float32", 6.183460867315814e-09), (40, "float64", 1.2745062771859837e-17)],
)
def test_a_loss_too_small_for_pytorchs_logarithm(pytorch, gap, dtype, exact):
    logits = np.array([[gap, 0, 0, 0]], dtype=dtype)
    assert cross_entropy(logits, [0]) == pytest.approx(exact, rel=1e-15)
    assert pytorch(logits, [0], "sum", dtype)[0] == 0.0  # 1 + 3 e^-gap has rounded to 1
    if dtype == "float32":
        assert pytorch(logits, [0], "sum")[0] == pytest.approx(exact, rel=1e-7)


def test_the_mean_over_all_rows_is_that_of_unreduced_losses(pytorch):
    logits, labels = batch((6, 4))
    counting = labels != -100
    slot_losses = cross_entropy(logits, labels, reduction="none")[counting]
    by_rows = pytorch(logits, labels, "none")[0].mean()
    assert reduce_losses(slot_losses, "token_mean", n_tokens=6) == pytest.approx(by_rows, rel=1e-12)
    assert reduce_losses(slot_losses, "mean") == pytest.approx(
        pytorch(logits, labels, "mean")[0], rel=1e-12
    )


def test_the_whole_loss_is_the_two_means_of_pytorch_added(pytorch):
    """As in Hugging Face's BertForPreTraining: one mean over the slots, one over the pairs."""
    logits, labels = batch((4, 16, 50))
    pairs, next_sentence_labels = generator(1).normal(size=(4, 2)), [0, 1, 1, 0]
    expected = pytorch(logits, labels, "mean")[0] + pytorch(pairs, next_sentence_labels, "mean")[0]
    slot_losses = cross_entropy(logits, labels, reduction="none")[labels != -100]
    loss = pretraining_loss(slot_losses, next_sentence_loss(pairs, next_sentence_labels))
    assert loss.total == pytest.approx(expected, rel=1e-12)


# The others, restated


MASK_ID, VOCABULARY = 4, 20  # so small that a random word is often the original
N_SEQUENCES = 4_000
SEQUENCE = ["[CLS]", *("w" * 5), "[SEP]", *("w" * 12), "[SEP]", "[PAD]", "[PAD]"]
TOKEN_IDS = np.array([2, 7, 8, 9, 10, 11, 3, *range(5, 17), 3, 0, 0])
ORIGINALS = np.tile(TOKEN_IDS, (N_SEQUENCES, 1))
SPECIAL = np.isin(SEQUENCE, ["[CLS]", "[SEP]", "[PAD]"])


def bert(rng, masked_lm_prob=0.15, max_predictions_per_seq=20):
    """google-research/bert, one token after the other: input, and the chosen token's id or -100.

    Padding comes last, after the choice; the position is chosen first, then a draw for the mask,
    then one for whether the word is kept. A random word may be any of the vocabulary.
    """
    tokens = [token for token in SEQUENCE if token != "[PAD]"]
    shown, labels = TOKEN_IDS.copy(), np.full(TOKEN_IDS.size, -100)
    candidates = [i for i, token in enumerate(tokens) if token not in ("[CLS]", "[SEP]")]
    rng.shuffle(candidates)
    n_to_predict = min(max_predictions_per_seq, max(1, int(round(len(tokens) * masked_lm_prob))))
    for n_chosen, position in enumerate(candidates):
        if n_chosen >= n_to_predict:
            break
        labels[position] = TOKEN_IDS[position]
        if rng.random() < 0.8:
            shown[position] = MASK_ID
        elif not rng.random() < 0.5:
            shown[position] = rng.randint(0, VOCABULARY - 1)
    return shown, labels


def hugging_face(rng, mlm_probability=0.15):
    """DataCollatorForLanguageModeling over a whole batch: coins for tokens, and for the branches.

    The second coin, of one half, is thrown for what the first one did not mask.
    """
    inputs, labels = ORIGINALS.copy(), ORIGINALS.copy()
    probability_matrix = np.full(labels.shape, mlm_probability)
    probability_matrix[:, SPECIAL] = 0.0
    masked_indices = rng.random(labels.shape) < probability_matrix
    labels[~masked_indices] = -100
    indices_replaced = (rng.random(labels.shape) < 0.8) & masked_indices
    inputs[indices_replaced] = MASK_ID
    indices_random = (rng.random(labels.shape) < 0.5) & masked_indices & ~indices_replaced
    random_words = rng.integers(VOCABULARY, size=labels.shape)
    inputs[indices_random] = random_words[indices_random]
    return inputs, labels


def ours_drawn(policy):
    rng = generator(5)
    made = [
        corrupt(TOKEN_IDS, choose_positions(SEQUENCE, policy, rng=rng), mask_token_id=MASK_ID,
                vocab_size=VOCABULARY, rng=rng)
        for _ in range(N_SEQUENCES)
    ]
    return np.array([each.input_ids for each in made]), np.array([each.labels for each in made])


def theirs_drawn(policy):
    if policy == "hugging_face":
        return hugging_face(generator(6))
    rng = random.Random(6)
    shown, labels = zip(*(bert(rng) for _ in range(N_SEQUENCES)), strict=True)
    return np.array(shown), np.array(labels)


@pytest.fixture(scope="module", params=["bert", "hugging_face"])
def drawn(request):
    """Policy, and the inputs and labels of many sequences, drawn by us and as they do."""
    return request.param, ours_drawn(request.param), theirs_drawn(request.param)


def five_deviations(n, share):
    return 5 * np.sqrt(n * share * (1 - share))


def test_only_chosen_positions_have_labels_and_only_they_change(drawn):
    for shown, labels in drawn[1:]:
        chosen = labels != -100
        assert chosen.any() and (labels == ORIGINALS)[chosen].all()
        assert (shown == ORIGINALS)[~chosen].all()


def test_special_tokens_are_never_chosen_and_all_others_alike(drawn):
    policy, *both = drawn
    share = {"bert": 3 / 17, "hugging_face": 0.15}[policy]
    for _, labels in both:
        times = (labels != -100).sum(axis=0)
        assert not times[SPECIAL].any()
        off = np.abs(times[~SPECIAL] - N_SEQUENCES * share)
        assert (off < five_deviations(N_SEQUENCES, share)).all()


def test_the_number_of_slots_scatters_alike(drawn):
    policy, *both = drawn
    numbers = [(labels != -100).sum(axis=1) for _, labels in both]
    if policy == "bert":
        assert {*numbers[0], *numbers[1]} == {3}  # 20 tokens with [CLS] and [SEP], 15 % of them
        return
    for count in range(18):
        chance = math.comb(17, count) * 0.15**count * 0.85 ** (17 - count)
        for each in numbers:
            off = abs(np.sum(each == count) - N_SEQUENCES * chance)
            assert off < five_deviations(N_SEQUENCES, chance) + 1


def test_what_a_chosen_position_shows_has_the_same_shares(drawn):
    # Of the tenth that shows a random word, one in 20 shows the original and one the mask.
    shares = {"mask": 0.8 + 0.1 / 20, "original": 0.1 + 0.1 / 20, "other": 0.1 * 18 / 20}
    for shown, labels in drawn[1:]:
        chosen = labels != -100
        original = shown[chosen] == labels[chosen]
        masked = (shown[chosen] == MASK_ID) & ~original
        seen = {"mask": masked, "original": original, "other": ~masked & ~original}
        for name, share in shares.items():
            off = abs(seen[name].sum() - chosen.sum() * share)
            assert off < five_deviations(chosen.sum(), share), name


def test_a_random_word_is_any_of_the_vocabulary_special_ones_too(drawn):
    for shown, labels in drawn[1:]:
        swapped = (labels != -100) & (shown != labels) & (shown != MASK_ID)
        assert set(shown[swapped].tolist()) == set(range(VOCABULARY)) - {MASK_ID}


def test_berts_number_of_slots_for_every_length_and_cap():
    """512 tokens give 77 at most, so beyond that a cap changes nothing: 512 stands for the rest."""
    caps = np.array([*range(79), 512])
    rounded = np.rint(LENGTHS * 0.15)  # half to even, as Python's round
    published = np.minimum(caps, np.maximum(1, rounded)[:, np.newaxis]).astype(int)
    counts = [[slot_count(n, "bert", max_predictions_per_seq=cap) for cap in caps] for n in LENGTHS]
    np.testing.assert_array_equal(counts, published)


def test_as_many_positions_are_chosen_for_every_length():
    for n in LENGTHS.tolist():
        published = max(1, int(round(n * 0.15)))
        tokens = ["[CLS]", *["w"] * (n - 2), "[SEP]"][:n]
        for cap in (20, 512):
            positions = choose_positions(tokens, "bert", max_predictions_per_seq=cap,
                                         rng=generator(n))
            assert positions.size == min(cap, published, max(0, n - 2)), (n, cap)


def test_one_coin_per_ordinary_token_at_every_length():
    n = 200
    for length in LENGTHS.tolist():
        coins = generator(length).random((n, length)) < 0.15
        counts = draw_slot_counts(n, length + 2, "hugging_face", n_special=2,
                                  rng=generator(1000 + length))
        off = abs(counts.sum() - coins.sum())
        assert off < math.sqrt(2) * five_deviations(n * length, 0.15), length


class GivenDraws:
    """Stands in for a generator: gives the numbers it was made with, and shuffles nothing."""

    def __init__(self, numbers):
        self.numbers = np.array(numbers)

    def random(self, size):
        assert self.numbers.shape == (size,)
        return self.numbers

    def permutation(self, values):
        return values


# 2000 midpoints: for whole percentages p * n + u is never a whole number, so that rounding in the
# last place of p * n cannot matter, and their shares are the chances exactly.
UNIFORM = (np.arange(2000) + 0.5) / 2000


@pytest.mark.parametrize("mlm_probability", [0.0, 0.01, 0.15, 0.29, 0.4, 1.0])
def test_fairseqs_rounding_of_every_length_at_many_draws(mlm_probability):
    for n in LENGTHS.tolist():
        published = (mlm_probability * n + UNIFORM).astype(int)  # cut off, as by int()
        drawn = draw_slot_counts(UNIFORM.size, n, "fairseq", mlm_probability=mlm_probability,
                                 rng=GivenDraws(UNIFORM))
        np.testing.assert_array_equal(drawn, published)
        law = slot_count_law(n, "fairseq", mlm_probability=mlm_probability)
        assert law.mean == pytest.approx(published.mean(), rel=1e-12)
        assert law.standard_deviation == pytest.approx(published.std(), rel=1e-9, abs=1e-9)
        assert law.no_slot == pytest.approx(np.mean(published == 0), abs=1e-12)


@pytest.mark.parametrize("u", [0.0005, 0.2501, 0.5001, 0.9999])
def test_fairseq_chooses_that_many_of_all_tokens(u):
    for n in LENGTHS.tolist():
        tokens = ["[CLS]", *["w"] * (n - 2), "[SEP]"][:n] + ["[PAD]"] * 3
        positions = choose_positions(tokens, "fairseq", rng=GivenDraws([u]))
        assert positions.tolist() == list(range(int(0.15 * n + u))), n  # unshuffled: the first ones


def test_fairseq_takes_every_token_equally_often():
    rng, times = generator(), Counter()
    tokens = ["[CLS]", *("w" * 8), "[SEP]"]
    n = 10_000
    for _ in range(n):
        times.update(choose_positions(tokens, "fairseq", rng=rng).tolist())
    assert set(times) == set(range(10))
    assert all(abs(count - n * 0.15) < five_deviations(n, 0.15) for count in times.values())
