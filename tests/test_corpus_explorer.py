"""The corpus explorer as a reader uses it, held against fractions worked out from its controls.

Sentence, table, columns, bars and the line on quotas have to carry the same numbers in every state.
"""

import math
import random
from fractions import Fraction

import ipywidgets as widgets
import pytest
from matplotlib.text import Text

from explorer_promises import (
    check_a_failure_is_told,
    check_a_hold_draws_once,
    check_both_ends_of_every_slider,
    check_bundle,
    check_each_step_is_a_full_redraw,
    check_every_button_draws_once,
    check_every_option_of_every_list,
    check_every_slider_move_draws_once,
    check_nothing_is_left_behind,
    check_refused,
    check_reset_restores_everything,
    drawings,
    n_operations,
)
from mlm_helpers.examples import EMPTY_MASK, CountingExample
from mlm_helpers.explorers import corpus as corpus_module
from mlm_helpers.explorers import explore_corpus
from test_explorers import captions, check_said_thrice, click, crowded, notice, parts_of
from test_live import artists
from test_ribbons import Tables
from test_wording import THIN, HtmlText, is_rounded, read_number
from thorough import plainly

pytestmark = pytest.mark.filterwarnings("error")

TRILLIONS = 10**13
POLICIES = ("share", "page", "bert", "hugging_face", "fairseq")
STANDS = "The split stands as it was."
VERDICTS = ("a quota cannot hold, the draw can", "a quota holds by luck, the draw always",
            "here a quota holds, as the draw always does")


@pytest.fixture(scope="module")
def made():
    """One explorer for many tests: what Reset undoes need not be made again."""
    yield explore_corpus()
    widgets.Widget.close_all()  # ipywidgets keeps every widget until it is closed


@pytest.fixture
def explorer(made):
    made.reset()
    return made


# What must hold in every state


def one_sequence(explorer, length):
    """Mean and variance of the slots among so many tokens, by the controls."""
    policy, rate = explorer.policy.value, Fraction(str(explorer.mlm_probability.value))
    mean = rate * length
    if policy == "page":
        return math.floor(mean), 0
    if policy == "bert":
        rounded = round(length * explorer.mlm_probability.value)
        return min(int(explorer.max_predictions_per_seq.value), max(1, rounded), length), 0
    part = mean % 1
    return mean, {"share": 0, "hugging_face": mean * (1 - rate), "fairseq": part * (1 - part)}[
        policy]


def expected_rows(explorer):
    """Mean and variance of all slots, and of each branch."""
    n_tokens, length = int(explorer.n_tokens.value), int(explorer.sequence_length.value)
    if explorer.policy.value == "share":
        sequences = [(1, n_tokens)]
    else:
        sequences = [(n_tokens // length, length), (1, n_tokens % length)]
    mean = variance = 0
    for how_many, size in sequences:
        if size:
            one = one_sequence(explorer, size)
            mean, variance = mean + how_many * one[0], variance + how_many * one[1]
    shares = [Fraction(str(share)) for share in explorer.shares.value]
    assert sum(shares) == 1
    return [(mean, variance), *((mean * share, mean * share * (1 - share) + share**2 * variance)
                                for share in shares)]


def check_amount(text, exact):
    """A whole number stands whole; any other has a decimal, which no whole one has."""
    if exact == int(exact):
        assert text.replace(THIN, "") == str(int(exact))
    else:
        assert ("." in text) and is_rounded(text, float(exact))


def check_scatter(text, variance):
    sign, number = text.split(" ")
    assert sign == "±" and is_rounded(number, math.sqrt(variance))
    assert (number == "0") == (variance == 0)


def check(explorer):
    check_said_thrice(explorer)
    rows, n_tokens = expected_rows(explorer), int(explorer.n_tokens.value)
    columns = [[text.get_text() for text in column] for column in explorer.bars.columns]
    shown = list(zip(*columns, strict=True))
    for (mean, variance), (amount, scatter, share), bar in zip(rows, shown,
                                                               explorer.bars.rectangles,
                                                               strict=True):
        check_amount(amount, mean)
        check_scatter(scatter, variance)
        assert share.endswith(" %") and is_rounded(share[:-2], float(100 * mean / n_tokens))
        assert bar.get_width() == pytest.approx(float(mean / n_tokens), rel=1e-12)
        assert bar.get_width() <= explorer.bars.ax.get_xlim()[1]
    assert list(explorer.bars.rate.get_xdata()) == [explorer.mlm_probability.value] * 2
    check_table(explorer, shown)
    check_sentence(explorer, shown, rows)
    check_quotas(explorer)
    policy = explorer.policy.value
    assert explorer.sequence_length.box.disabled == (policy == "share")
    assert explorer.max_predictions_per_seq.box.disabled == (policy != "bert")


def check_table(explorer, shown):
    head, *rows = Tables(explorer.table.value).rows
    assert head == ["branch", "expected", "± standard deviation", "share of all tokens"]
    assert [row[0].split()[-1] for row in rows] == ["slots", "mask", "swap", "keep"]
    assert [tuple(row[1:]) for row in rows] == shown


def check_sentence(explorer, shown, rows):
    (slots, deviation, share), *branches = shown
    n_tokens, length = int(explorer.n_tokens.value), int(explorer.sequence_length.value)
    whole = f"{n_tokens:,} tokens"
    if explorer.policy.value != "share":
        n_sequences = math.ceil(n_tokens / length)
        whole += f" in {n_sequences:,} sequence{'s' * (n_sequences != 1)}"
    whole = whole.replace(",", THIN)
    deviation = f" {deviation}" if rows[0][1] else ""
    noun = "slot" if slots == "1" else "slots"
    parts = ", ".join(f"{mean} {deviation} {name}" for (mean, deviation, _), name
                      in zip(branches, ("mask", "swap", "keep"), strict=True))
    assert explorer.sentence == f"{whole}, {slots}{deviation} {noun} ({share}): {parts}"


def check_quotas(explorer):
    """The line on quotas, worked out anew from the number of slots that it names."""
    text = HtmlText(explorer.quotas.value).text
    pattern = ("In NUMBER tokens?(?: \\(NUMBER expected\\))?: NUMBER slots? at NUMBER: "
               "rounding each gives (.+), cutting each off gives (.+): (.+)\\.")
    length, mean, n_slots, split, rounded, cut_off, verdict = parts_of(text, pattern)
    share = explorer.policy.value == "share"
    n_tokens = int(explorer.n_tokens.value)
    assert read_number(length) == (100 if share
                                   else min(n_tokens, explorer.sequence_length.value))
    exact, _ = one_sequence(explorer, int(read_number(length)))
    n_slots = int(read_number(n_slots))
    assert n_slots == round(exact) and (mean is None) == (exact == n_slots)
    assert split == explorer.shares.text.value
    shares = [Fraction(str(part)) for part in explorer.shares.value]
    sums = []
    for said, way in ((rounded, round), (cut_off, math.floor)):
        parts, _, total = said.partition(" = ")
        quotas = [way(n_slots * part) for part in shares]
        assert [read_number(part) for part in parts.split(" + ")] == quotas
        assert read_number(total) == sum(quotas)
        sums.append(sum(quotas) == n_slots)
    assert verdict == VERDICTS[sum(sums)]


# The start and the presets


def said(explorer):
    return explorer.sentence.replace(THIN, " ")


def test_it_starts_with_the_source_pages_numbers(explorer):
    check(explorer)
    assert said(explorer) == ("2 000 000 000 tokens, 300 000 000 slots (15.0 %): "
                              "240 000 000 ± 6 928 mask, 30 000 000 ± 5 196 swap, "
                              "30 000 000 ± 5 196 keep")
    assert "15 slots at 80/10/10: rounding each gives 12 + 2 + 2 = 16" in explorer.quotas.value


PRESETS = {
    "The page (2 billion)": "2 000 000 000 tokens, 300 000 000 slots (15.0 %): 240 000 000 ± 6 928",
    "128-token sequences, BERT's rounding": "2 000 000 000 tokens in 15 625 000 sequences, "
                                            "296 875 000 slots (14.8 %): 237 500 000 ± 6 892 mask",
    "512 tokens, at most 20": "2 000 000 000 tokens in 3 906 250 sequences, 78 125 000 slots "
                              "(3.9 %): 62 500 000 ± 3 536 mask",
    "BERT's own corpora (3.3 billion words)": "3 300 000 000 tokens, 495 000 000 slots (15.0 %): ",
    "10 trillion": "10 000 000 000 000 tokens, 1 500 000 000 000 slots (15.0 %): "
                   "1 200 000 000 000 ± 489 898 mask",
}


@pytest.mark.parametrize("caption", PRESETS)
def test_presets_show_the_numbers_written_down_from_wherever_one_comes(explorer, caption):
    for _ in range(2):
        click(explorer, caption)
        assert said(explorer).startswith(PRESETS[caption])
        check(explorer)
        explorer.choose(n_tokens=77_777, mlm_probability=0.4, shares=(0.2, 0.3, 0.5),
                        policy="fairseq", sequence_length=64, max_predictions_per_seq=5)


def test_presets_splits_and_reset_stand_in_the_house_order(explorer):
    assert captions(explorer) == [*PRESETS, "80/10/10", "100/0/0", "80/0/20", "80/20/0", "0/80/20",
                                  "0/100/0", "Reset"]


@pytest.mark.parametrize(("caption", "of_the_paper"), [
    ("80/10/10", "80/10/10"), ("100/0/0", "100/0/0"), ("80/0/20", "80/20/0"),
    ("80/20/0", "80/0/20"), ("0/80/20", "0/20/80"), ("0/100/0", "0/0/100")])
def test_splits_are_those_of_berts_table_8_with_swap_before_keep(explorer, caption, of_the_paper):
    mask, keep, swap = of_the_paper.split("/")  # there it is MASK, SAME, RND
    explorer.shares.value = (0.2, 0.3, 0.5)
    click(explorer, caption)
    check(explorer)
    assert explorer.shares.text.value == caption == f"{mask}/{swap}/{keep}"
    assert said(explorer).startswith("2 000 000 000 tokens, 300 000 000 slots")


def test_an_example_of_ones_own_is_where_it_starts_and_where_reset_returns():
    explorer = explore_corpus(CountingExample(1001, {}, 0.2, (0.5, 0.25, 0.25)))
    start = explorer.sentence
    assert start.replace(THIN, " ") == ("1 001 tokens, 200.2 slots (20.0 %): 100.1 ± 7.1 mask, "
                                        "50.0 ± 6.1 swap, 50.0 ± 6.1 keep")
    check(explorer)
    click(explorer, "10 trillion")
    click(explorer, "Reset")
    assert explorer.sentence == start


def test_an_example_that_the_sliders_do_not_reach_is_refused():
    with pytest.raises(ValueError, match="corpus size in tokens is 4.*choose 1000 to"):
        explore_corpus(EMPTY_MASK)


# Controls


def test_both_ends_of_every_slider(explorer):
    check_both_ends_of_every_slider(explorer, check)


@pytest.mark.parametrize("policy", POLICIES)
def test_both_ends_of_every_slider_under_every_policy(explorer, policy):
    explorer.policy.value = policy
    for n_tokens in (1000, TRILLIONS):
        for rate in (0, 0.15, 1):
            for length in (8, 8192):
                for cap in (1, 8192):
                    explorer.choose(n_tokens=n_tokens, mlm_probability=rate,
                                    sequence_length=length, max_predictions_per_seq=cap)
                    check(explorer)


def test_every_option_of_every_list(explorer):
    check_every_option_of_every_list(explorer, check)


def test_every_button_draws_once(explorer, monkeypatch):
    check_every_button_draws_once(explorer, check, drawings(monkeypatch))


def test_every_slider_move_draws_once(explorer, monkeypatch):
    explorer.policy.value = "bert"
    check_every_slider_move_draws_once(explorer, drawings(monkeypatch))


def test_a_hold_draws_once(explorer, monkeypatch):
    check_a_hold_draws_once(explorer, drawings(monkeypatch))


def test_reset_restores_everything():
    check_reset_restores_everything(explore_corpus)


@pytest.mark.parametrize("n_tokens", [1001, 123_456_789, TRILLIONS - 1])
def test_a_typed_size_between_two_ticks_stands_and_is_counted_exactly(explorer, n_tokens):
    explorer.n_tokens.box.value = n_tokens
    assert explorer.n_tokens.box.value == explorer.n_tokens.value == n_tokens
    for policy in POLICIES:
        explorer.policy.value = policy
        check(explorer)


@pytest.mark.parametrize("length", [64, 128, 256, 512])
def test_usual_lengths_are_ticks_of_the_slider(explorer, length):
    explorer.policy.value = "bert"
    for control in (explorer.sequence_length, explorer.max_predictions_per_seq):
        control.value = length
        control.slider.value += 1
        control.slider.value -= 1
        assert control.value == length


def test_each_slider_of_the_split_redraws(explorer):
    for part, text in zip(explorer.shares.parts, ("40/30/30", "30/40/30", "30/30/40"), strict=True):
        explorer.shares.value = (0.2, 0.4, 0.4)
        part.slider.value = 40
        check(explorer)
        assert explorer.shares.value[explorer.shares.parts.index(part)] == 0.4, text


# Refusals


@pytest.mark.parametrize(("name", "typed", "parts"), [
    ("n_tokens", 999, ["999 is not possible", f"1{THIN}000 to 10{THIN}000{THIN}000{THIN}000"]),
    ("n_tokens", 10**14, [f"100{THIN}000{THIN}000{THIN}000{THIN}000 is not possible"]),
    ("mlm_probability", 15, ["15 is not possible", "0 to 1"]),
    ("mlm_probability", math.nan, ["undefined is not possible", "0 to 1"]),
])
def test_a_typed_number_out_of_range_is_refused_and_the_picture_stands(explorer, name, typed,
                                                                       parts):
    check_refused(explorer, getattr(explorer, name), typed, *parts)
    check(explorer)


@pytest.mark.parametrize(("name", "typed", "part"), [
    ("sequence_length", 7, f"8 to 8{THIN}192"), ("max_predictions_per_seq", 0, f"1 to 8{THIN}192")])
def test_lengths_and_caps_out_of_range_are_refused(explorer, name, typed, part):
    explorer.policy.value = "bert"
    before = explorer.figure.widget.value
    getattr(explorer, name).box.value = typed
    assert f"{typed} is not possible" in notice(explorer) and part in notice(explorer)
    assert explorer.figure.widget.value == before


@pytest.mark.parametrize(("text", "part"), [
    ("80/20/20", "80/20/20 adds up to 120: three parts must add up to 100 (or to 1)"),
    ("80/20", "“80/20” is not three numbers: type three parts such as 80/10/10"),
    ("<b>1</b>", "“<b>1</b>” is not three numbers"),
])
def test_a_typed_split_that_is_none_is_refused_and_the_picture_stands(explorer, text, part):
    before = explorer.figure.widget.value
    for _ in range(2):
        explorer.shares.text.value = text
        assert part in notice(explorer) and STANDS in notice(explorer)
        assert explorer.figure.widget.value == before
        assert explorer.shares.text.value == "80/10/10"
    explorer.shares.text.value = "0/0/100"
    check(explorer)
    assert explorer.shares.value == (0, 0, 1)


def test_the_split_that_stands_can_be_typed_to_clear_a_refusal(explorer):
    explorer.shares.text.value = "80/20/20"
    assert notice(explorer)
    explorer.shares.text.value = "80 10 10"
    check(explorer)


def test_what_a_slider_of_the_split_refuses_is_told(explorer):
    explorer.shares.parts[0].box.value = 120.0
    assert "120 is not possible for “mask (%)”: type a number from 0 to 100" in notice(explorer)
    explorer.shares.parts[0].slider.value = 50
    check(explorer)


def test_a_refusal_does_not_outlive_a_button(explorer):
    for caption in captions(explorer):
        explorer.shares.text.value = "1/2/3"
        assert "1/2/3 adds up to 6" in notice(explorer)
        click(explorer, caption)
        assert notice(explorer) == "", caption


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(explorer, monkeypatch):
    explorer.policy.value = "bert"
    check_a_failure_is_told(explorer, monkeypatch, corpus_module, "corpus_sentence", check)


# The picture


def walk(explorer, steps, seed):
    rng = random.Random(seed)
    for _ in range(steps):
        with explorer.hold():
            explorer.n_tokens.value = rng.choice([1000, 1001, 2_000_000_000, TRILLIONS])
            explorer.mlm_probability.value = rng.choice([0, 0.003, 0.04, 0.15, 0.4, 1])
            explorer.shares.value = rng.choice([(0.8, 0.1, 0.1), (0, 1, 0), (0.2, 0.3, 0.5)])
            explorer.policy.value = rng.choice(POLICIES)
            explorer.sequence_length.value = rng.choice([8, 128, 8192])
            explorer.max_predictions_per_seq.value = rng.choice([1, 20, 8192])
        yield explorer.figure


def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(explorer):
    check_each_step_is_a_full_redraw(walk(explorer, 8, seed=0))


def test_a_walk_and_showing_it_leave_nothing_behind(explorer):
    check_nothing_is_left_behind(explorer, walk(explorer, 8, seed=5))


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("n_tokens", plainly((1001, TRILLIONS - 1),
                                             (1000, 1001, TRILLIONS, TRILLIONS - 1)))
def test_no_text_overlaps_another_or_leaves_the_picture(explorer, n_tokens, policy):
    explorer.choose(n_tokens=n_tokens, policy=policy)
    for rate in (0, 0.97, 1):
        for shares in ((0.8, 0.1, 0.1), (0.333333, 0.333333, 0.333334), (0, 0, 1)):
            explorer.choose(mlm_probability=rate, shares=shares)
            assert not crowded(explorer.figure.figure), (rate, shares)


def test_tiny_shares_do_not_overlap(explorer):
    explorer.choose(n_tokens=TRILLIONS - 1, policy="bert", sequence_length=8192,
                    max_predictions_per_seq=1, shares=(0.000001, 0.000001, 0.999998))
    check(explorer)
    assert not crowded(explorer.figure.figure)


def test_type_is_14_points_or_larger(explorer):
    texts = [text for text in explorer.figure.figure.findobj(Text) if text.get_text()]
    assert min(text.get_fontsize() for text in texts) >= 14


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    check_bundle(explorer)
    explorer.choose(n_tokens=TRILLIONS - 1, policy="hugging_face", mlm_probability=0.97)
    check_bundle(explorer)


def test_a_move_costs_no_more_at_ten_trillion_tokens_than_at_a_thousand(explorer):
    before, costs = artists(explorer.figure.figure), []
    for n_tokens in (1000, TRILLIONS):
        explorer.n_tokens.value = n_tokens
        for rate in (0.15, 0.16, 0.15):  # so that each letter has been drawn before
            explorer.mlm_probability.value = rate
        costs.append(n_operations(lambda: setattr(explorer.mlm_probability, "value", 0.16)))
    assert min(costs) > 100 and max(costs) < 1.1 * min(costs)
    assert artists(explorer.figure.figure) == before
