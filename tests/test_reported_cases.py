"""Mistakes that others have reported in public: the right number, and the wrong one by its recipe.

Each test states in words what was reported and where. The right value comes from the package, the
wrong one from the recipe written out here; both are compared with numbers written down by hand, so
a notebook may quote either. Shares of draws are compared at five standard deviations.
"""

import math
from fractions import Fraction

import numpy as np
import pytest

from mlm_helpers.losses import (
    cross_entropy,
    nats_to_bits,
    perplexity,
    softmax,
    surprisal,
    uniform_loss,
)
from mlm_helpers.masking import (
    choose_positions,
    corrupt,
    drawn_branch_counts,
    expected_branch_counts,
)
from mlm_helpers.pretraining import next_sentence_loss, pretraining_loss
from mlm_helpers.reductions import reduce_losses
from mlm_helpers.sentences import masking_sentence, slot_sentence
from mlm_helpers.slot_counts import slot_count, slot_count_law
from mlm_helpers.slots import Slot
from mlm_helpers.wording import decimal

pytestmark = pytest.mark.filterwarnings("error")

TWO_SLOTS = (0.916290731874155, 1.6094379124341003)  # of probability 0.40 and 0.20
FOUR_WORDS = np.log([0.4, 0.3, 0.2, 0.1])  # logits that are log-probabilities already


def generator(seed=0):
    return np.random.default_rng(seed)


def four(number):
    """Near the number as it is written down, to four decimals."""
    return pytest.approx(number, rel=0, abs=5e-5)


def corrupt_all(n):
    """Every one of ``n`` tokens chosen and put through BERT's three branches."""
    return corrupt(np.arange(n), range(n), mask_token_id=0, vocab_size=n, rng=generator())


def five_deviations(n, share):
    return 5 * math.sqrt(n * share * (1 - share))


def overflowing(function, *arguments):
    """A textbook formula run on numbers that it cannot stand."""
    with np.errstate(all="ignore"):
        return function(*arguments)


# A text without slots


def test_a_batch_of_ignored_labels_has_nothing_to_average():
    """A short text gets no mask, and the training loss is nan.

    huggingface/transformers #16711 and PR #16522; pytorch/pytorch #70348, #116349 and #75181;
    NVIDIA-NeMo/Automodel #3796: 5 rows of 10 logits, every label ignored.
    """
    logits, labels = generator().normal(size=(5, 10)), [-100] * 5
    assert cross_entropy(logits, labels) == 0.0
    assert math.isnan(cross_entropy(logits, labels, reduction="mean"))
    assert reduce_losses((), "bert_mean") == pretraining_loss(()).total == 0.0


def test_a_zero_of_no_slots_says_so():
    """A loss of 0.0 hides that nothing was learnt from: huggingface/trl PR #6671."""
    nothing, perfect = pretraining_loss(()), pretraining_loss((0.0, 0.0))
    assert nothing.total == perfect.total == 0.0
    assert (nothing.n_slots, perfect.n_slots) == (0, 2)
    assert "0 slots" in masking_sentence(4, {"mask": 0, "swap": 0, "keep": 0})


def test_no_slots_do_not_take_the_next_sentence_with_them():
    """The sum of both losses is nan though the pair has one: seen with BertForPreTraining."""
    pair = surprisal(0.9)
    assert pretraining_loss((), pair).total == four(0.1054)
    assert math.isnan(reduce_losses((), "mean") + pair)


# Labels


def test_minus_one_is_not_the_last_class():
    """-1 where -100 is expected.

    huggingface/transformers #2491 and #3499; EricFillion/happy-transformer #128;
    1024er/cbert_aug PR #4: labels 0 and -1 over p = 0.4, 0.3, 0.2, 0.1.
    """
    with pytest.raises(ValueError, match="label -1 at position 1"):
        cross_entropy([FOUR_WORDS] * 2, [0, -1])
    ignored = cross_entropy([FOUR_WORDS] * 2, [0, -1], ignore_index=-1, reduction="mean")
    assert ignored == four(0.9163)
    assert -FOUR_WORDS[-1] == four(2.3026)  # what indexing reads instead


def test_minus_100_is_not_a_column():
    """The same family, with -100 as an index: silent where the vocabulary is large enough."""
    logits = np.zeros(30_000)
    logits[29_900] = 7.0
    assert cross_entropy(logits, -100) == 0.0
    assert logits[-100] == 7.0  # column 29 900, read without complaint
    assert cross_entropy(FOUR_WORDS, -100) == 0.0
    with pytest.raises(IndexError):
        FOUR_WORDS[-100]


def test_ignored_are_the_tokens_that_were_not_chosen():
    """ "Masked" taken for "ignored": huggingface/transformers #2946; discuss.huggingface.co/t/668.

    Of "the cat sat", "cat" is chosen.
    """
    made = corrupt([5, 6, 7], [1], mask_token_id=0, vocab_size=8, rng=generator())
    assert made.labels.tolist() == [-100, 6, -100]
    assert cross_entropy(np.zeros((3, 8)), made.labels) == four(2.0794)  # ln 8, of one slot
    mistaken = np.where(made.labels == -100, [5, 6, 7], -100)
    assert cross_entropy(np.zeros((3, 8)), mistaken) == four(4.1589)


def test_labels_are_not_all_the_input_ids():
    """Every token is scored: stackoverflow 61470768. 6 tokens, 2 chosen."""
    token_ids = np.arange(6)
    made = corrupt(token_ids, [1, 4], mask_token_id=0, vocab_size=8, rng=generator())
    slot_losses = cross_entropy(np.zeros((6, 8)), made.labels, reduction="none")
    assert np.count_nonzero(slot_losses) == 2 and slot_losses.sum() == four(4.1589)
    assert cross_entropy(np.zeros((6, 8)), token_ids) == four(12.4766)


# From slots to one number


def test_weights_after_the_average_leave_the_padding_in():
    """An averaged loss times weights counts the padding.

    d2l-ai/d2l-en #2582 and PR #2688; discuss.pytorch.org/t/113889: slots of 0.9163 and
    1.6094, padding of 5.0, weights 1, 1, 0.
    """
    padded, weights = np.array([*TWO_SLOTS, 5.0]), np.array([1.0, 1.0, 0.0])
    logits = np.stack([-padded, np.log1p(-np.exp(-padded))], axis=-1)
    assert cross_entropy(logits, [0, 0, -100], reduction="mean") == four(1.2629)
    assert reduce_losses(padded[weights == 1], "mean") == four(1.2629)
    assert (padded.mean() * weights).sum() / weights.sum() == four(2.5086)


def test_tokens_that_were_not_chosen_are_easy_and_make_the_mean_small():
    """The loss over all tokens: CyberZHG/keras-bert #188; lucidrains/mlm-pytorch #2.

    Slots of p = 0.4 and 0.2, four other tokens of p = 0.9.
    """
    p = np.array([0.9, 0.4, 0.9, 0.2, 0.9, 0.9])
    logits, labels = np.log(np.stack([p, 1 - p], axis=-1)), np.array([-100, 0, -100, 0, -100, -100])
    assert cross_entropy(logits, labels) == four(2.5257)
    assert cross_entropy(logits, labels, reduction="mean") == four(1.2629)
    all_tokens = np.zeros(6, dtype=int)
    assert cross_entropy(logits, all_tokens) == four(2.9472)
    assert cross_entropy(logits, all_tokens, reduction="mean") == four(0.4912)


def test_a_sum_makes_the_longer_answer_look_worse():
    """Answers of one and of two slots compared by their sums: vid-koci/bert-commonsense #1."""
    longer, shorter = (0.4, 0.2), (0.1,)
    means, sums = (
        [reduce_losses(surprisal(answer), reduction) for answer in (longer, shorter)]
        for reduction in ("mean", "sum")
    )
    assert means == [four(1.2629), four(2.3026)] and means[0] < means[1]
    assert sums == [four(2.5257), four(2.3026)] and sums[0] > sums[1]


# Perplexity and units


def test_a_perplexity_of_one_is_copying():
    """Evaluation forgot to mask, so perplexity is about 1: huggingface/transformers PR #1633."""
    p = np.array([0.9999, 0.9999])
    logits = np.log(np.stack([p, 1 - p], axis=-1))
    made = corrupt([0, 0], [], mask_token_id=1, vocab_size=2, rng=generator())
    assert math.isnan(perplexity(cross_entropy(logits, made.labels, reduction="mean")))
    assert perplexity(cross_entropy(logits, [0, 0], reduction="mean")) == four(1.0001)


def test_masks_drawn_again_change_the_perplexity_of_the_same_text():
    """Each evaluation gives another number: ThilinaRajapakse/simpletransformers #1393."""
    tokens, losses = ["w"] * 40, -np.log(np.linspace(0.05, 0.95, 40))

    def evaluated(seed):
        slots = choose_positions(tokens, "hugging_face", rng=generator(seed))
        return perplexity(reduce_losses(losses[slots], "mean"))

    assert evaluated(0) == evaluated(0)
    assert len({evaluated(seed) for seed in range(5)}) == 5


def test_a_loss_in_bits_is_no_loss_in_nats():
    """Nats and bits mixed, logged 1.753.

    facebookresearch/fairseq #182, #466, #1553, #3009 and #5464; huggingface/evaluate PR #242.
    """
    nats = 1.753 * math.log(2)
    assert nats == four(1.2151)
    assert perplexity(nats) == four(3.3706)
    assert nats_to_bits(nats) == pytest.approx(1.753, rel=1e-15)
    assert perplexity(1.753) == pytest.approx(5.77, abs=5e-3)


def test_a_loss_of_15_in_bits_is_below_the_uniform_reference():
    """15.191 looks impossible: facebookresearch/fairseq #1102, if in bits over 50 265 words."""
    uniform = uniform_loss(50_265)
    assert uniform == pytest.approx(10.825, abs=5e-4)
    assert 15.191 * math.log(2) == pytest.approx(10.53, abs=5e-3)
    assert 15.191 * math.log(2) < uniform < 15.191
    assert nats_to_bits(uniform) == pytest.approx(15.617, abs=5e-4)


def test_an_accuracy_of_985_is_that_of_a_toy():
    """The demonstration's numbers quoted as BERT's: google-research/bert #427 and #90.

    Its masked accuracy of 0.985479 comes with a loss of 0.0979328, on some thirty sentences learnt
    by heart. An author of BERT names 1.4 for the base model, its paper a perplexity of 3.99.
    """
    assert perplexity(0.0979328) == four(1.1029)
    assert perplexity(1.4) == pytest.approx(4.06, abs=5e-3)
    assert math.log(3.99) == four(1.3838)


# Numbers too large or too small for the textbook


def test_large_logits_overflow_the_textbook():
    """tensorflow/tensorflow #10142; uTensor/uTensor #175; openai/baselines #761."""
    logits = [1000, 999, 998, 0]

    def textbook(logits, label):
        weights = np.exp(np.array(logits, dtype=float))
        return -np.log(weights[label] / weights.sum())

    assert cross_entropy(logits, 0) == four(0.4076)
    assert math.isnan(overflowing(textbook, logits, 0))


def test_a_small_probability_rounds_to_zero_before_its_logarithm():
    """allenai/allennlp #2797; deeplearning4j/deeplearning4j #785: float32 logits 0, -200, 0, 0."""
    logits = np.array([0, -200, 0, 0], dtype=np.float32)

    def textbook(logits, label):
        weights = np.exp(logits)
        return -np.log(weights[label] / weights.sum())

    assert cross_entropy(logits, 1) == four(201.0986)
    assert overflowing(textbook, logits, 1) == math.inf


def test_softmax_twice_keeps_the_loss_high():
    """ariecattan/SciCo #2; tflearn/tflearn PR #562; nfmcclure/tensorflow_cookbook #86."""
    logits = [2, 1, 0.5, -1]
    assert cross_entropy(logits, 0) == four(0.4952)
    assert cross_entropy(softmax(logits), 0) == four(1.0520)


@pytest.mark.parametrize(("vocab_size", "floor"), [(3, 0.5514), (4, 0.7437), (30_000, 9.3090)])
def test_softmax_twice_cannot_get_below_a_floor(vocab_size, floor):
    """The same threads: even a certain word costs that much."""
    certain = np.zeros(vocab_size)
    certain[0] = 1000.0
    assert cross_entropy(certain, 0) == 0.0
    assert cross_entropy(softmax(certain), 0) == four(floor)


def test_a_loss_above_the_uniform_reference_is_shown_as_it_is():
    """Taken for impossible: tensorflow/tensorflow #1513; aws-samples/deep-learning-models #45."""
    slot = Slot(("dog", "cat", "mat", "owl"), (10, 0, 0, 0), label=1)
    assert slot.loss == four(10.0001)
    assert slot.loss > slot.uniform == four(1.3863)
    assert "loss 10.0001 nats" in slot_sentence(slot)


def test_nothing_is_clipped_and_nothing_added():
    """An epsilon makes a loss negative or caps it: pytorch/pytorch #2866."""
    assert surprisal(1.0) == 0.0 and surprisal(0.0) == math.inf
    assert -math.log(1.0 + 1e-7) == pytest.approx(-1.0e-7, rel=1e-6)
    assert -math.log(max(0.0, 1e-12)) == pytest.approx(27.63, abs=5e-3)


def test_a_zero_has_no_sign():
    """ "-0.0000" shown for a certain word; the same symptom in p-e-w/heretic #141."""
    assert f"{surprisal(1.0):.4f}" == decimal(surprisal(1.0)) == decimal(-0.0) == "0.0000"
    assert f"{-math.log(1.0):.4f}" == "-0.0000"


@pytest.mark.parametrize(("vocab_size", "floor"), [(4, 0.3488), (30_000, 1.3559)])
def test_a_perfect_loss_is_zero_only_without_label_smoothing(vocab_size, floor):
    """With smoothing of 0.1 the least loss is the entropy of the smoothed label."""
    own, other = 0.9 + 0.1 / vocab_size, 0.1 / vocab_size
    smoothed = own * surprisal(own) + (vocab_size - 1) * other * surprisal(other)
    assert surprisal(1.0) == 0.0
    assert smoothed == four(floor)


# What the input shows


def test_one_draw_is_not_compared_with_its_own_multiple():
    """Nothing is ever masked: codertimo/BERT-pytorch #29. 10 000 chosen tokens."""
    n = 10_000
    drawn = drawn_branch_counts(corrupt_all(n).branches)
    for branch, expected in {"mask": 8000, "swap": 1000, "keep": 1000}.items():
        assert abs(drawn[branch] - expected) < five_deviations(n, expected / n)
    prob = generator().random(n) * 0.15  # of a token that was chosen
    mask = prob < prob * 0.8
    swap = ~mask & (prob < prob * 0.9)
    assert [int(np.sum(branch)) for branch in (mask, swap, ~mask & ~swap)] == [0, 0, 10_000]


def test_a_mask_step_does_not_overwrite_the_random_step():
    """lucidrains/mlm-pytorch #6: two independent draws, one after the other.

    Masking came last at first, and took nine tenths of the random words away; after the first
    repair the shares were 81, 10 and 9 %.
    """
    random, replaced = Fraction("0.1"), Fraction("0.9")
    at_first = (replaced, random * (1 - replaced), (1 - random) * (1 - replaced))
    repaired = ((1 - random) * replaced, random, (1 - random) * (1 - replaced))
    assert [float(100 * share) for share in at_first] == [90, 1, 9]
    assert [float(100 * share) for share in repaired] == [81, 10, 9]
    n = 200_000
    drawn = drawn_branch_counts(corrupt_all(n).branches)
    assert abs(drawn["mask"] - n * 0.80) < five_deviations(n, 0.8)
    assert abs(drawn["keep"] - n * 0.10) < five_deviations(n, 0.1)
    assert abs(drawn["mask"] - n * 0.81) > five_deviations(n, 0.8)
    assert abs(drawn["keep"] - n * 0.09) > five_deviations(n, 0.1)


def test_half_of_the_rest_is_a_tenth_of_all():
    """0.5 in the code taken for a mistake.

    huggingface/transformers #1927, #2858 and #10285; uta-smile/TCL #16: a first draw of 0.85 is
    not below 0.8, so there is no mask; a second one of 0.3 is below 0.5, so there is a swap. The
    package takes one draw for both.
    """
    assert expected_branch_counts(1000) == {"mask": 800.0, "swap": 100.0, "keep": 100.0}
    assert 1000 * (1 - Fraction("0.8")) * Fraction("0.5") == 100
    n = 200_000
    drawn = drawn_branch_counts(corrupt_all(n).branches)
    rest = n - drawn["mask"]
    assert abs(drawn["swap"] - n * 0.1) < five_deviations(n, 0.1)
    assert abs(drawn["swap"] - rest * 0.5) < five_deviations(rest, 0.5)


def test_a_swap_may_draw_the_word_itself():
    """huggingface/transformers #15342; CompEpigen/methylbert #28; graykode/nlp-tutorial #40.

    A vocabulary of 5, 10 000 swaps: 20 % show the original, and as many the special word 0.
    """
    n, token_ids = 10_000, np.arange(10_000) % 5
    made = corrupt(token_ids, range(n), mask_token_id=0, vocab_size=5, rng=generator(),
                   mask_share=0, swap_share=1)
    for drawn in (made.input_ids == token_ids, made.input_ids == 0):
        assert abs(drawn.sum() - n * 0.2) < five_deviations(n, 0.2)


def test_the_pieces_of_one_word_may_fall_to_different_branches():
    """One draw per word or per piece: google-research/bert #910; studio-ousia/luke #93.

    "play ##ing": BERT draws for each piece, so both share a branch in 0.64 + 0.01 + 0.01 of the
    draws; where the draw is for the word, they always do.
    """
    n, rng = 5_000, generator()
    alike = 0
    for _ in range(n):
        first, second = corrupt([5, 6], [0, 1], mask_token_id=0, vocab_size=9, rng=rng).branches
        alike += first == second
    assert abs(alike - n * 0.66) < five_deviations(n, 0.66)


# Which tokens, and how many


def test_coins_for_each_token_have_no_fixed_count():
    """A coin per token or a fixed count: huggingface/transformers #684. 10 ordinary tokens."""
    coins = slot_count_law(12, "hugging_face", n_special=2)
    assert (coins.mean, coins.no_slot) == (1.5, four(0.1969))
    assert coins.standard_deviation == four(1.1292)
    fixed = slot_count_law(12, "bert", n_special=2)
    assert (fixed.mean, fixed.standard_deviation, fixed.no_slot) == (2.0, 0.0, 0.0)
    assert slot_count(12, "bert") == 2


PADDED = ["[CLS]", *("w" * 8), "[SEP]", *["[PAD]"] * 6]


def test_padding_and_special_tokens_are_not_chosen():
    """huggingface/transformers #11155 and #1395; mead-ml/mead-baseline PR #760 and PR #337.

    [CLS], 8 words, [SEP], 6 [PAD]: 15 % of 8, not of 16.
    """
    n, rng = 5_000, generator()
    chosen = [choose_positions(PADDED, "hugging_face", rng=rng) for _ in range(n)]
    assert set(np.concatenate(chosen).tolist()) == set(range(1, 9))
    mean = slot_count_law(10, "hugging_face", n_special=2).mean
    assert mean == pytest.approx(1.2, rel=1e-15)
    size = sum(map(len, chosen))
    assert abs(size - n * mean) < five_deviations(8 * n, 0.15)
    assert abs(size - n * 16 * 0.15) > five_deviations(16 * n, 0.15)


@pytest.mark.parametrize(
    ("policy", "chosen"), [("bert", range(1, 9)), ("hugging_face", range(1, 9)),
                           ("fairseq", range(10))],
)
def test_only_fairseq_chooses_the_marks_of_the_ends(policy, chosen):
    """Whether [CLS] can be masked: google-research/bert #166, answered by its author with no."""
    positions = choose_positions(PADDED, policy, mlm_probability=1, rng=generator())
    assert positions.tolist() == list(chosen)


# The next sentence


def test_label_zero_is_next():
    """The labels' meaning read the other way round.

    google-research/bert #125; huggingface/transformers #836 and #524;
    osainz59/Ask2Transformers #5: logits 2 and 0, B does follow A.
    """
    assert next_sentence_loss((2, 0), 0) == four(0.1269)
    assert next_sentence_loss((2, 0), 1) == four(2.1269)


def test_a_loss_without_a_pair_is_a_number():
    """The total is None when only one kind of label is given: seen in transformers' source."""
    loss = pretraining_loss(TWO_SLOTS)
    assert loss.next_sentence is None
    assert loss.total == loss.masked_lm == four(1.2629)
