"""The empty-mask explorer as a reader uses it.

Every sentence, table and picture is held against the binomial law of scipy, the published rules
in whole percentages, and numbers written down.
"""

import random
from fractions import Fraction

import ipywidgets as widgets
import numpy as np
import pytest
import scipy

from mlm_helpers.controls import NumberSlider
from mlm_helpers.examples import EMPTY_MASK, WORD_PROBLEM, CountingExample
from mlm_helpers.explorers import empty_mask as empty_mask_module
from mlm_helpers.explorers import explore_empty_mask, explore_masking
from mlm_helpers.live import LiveFigure, encode
from refusals import assert_refused
from test_explorers import (
    captions,
    check_said_thrice,
    click,
    crowded,
    notice,
    parts_of,
    state,
    within,
)
from test_live import (
    LARGEST_DEVIATION,
    artists,
    decoded,
    different_pixels,
    full_redraw,
    living,
    observers,
)
from test_ribbons import Tables
from test_wording import THIN, is_rounded, read_number
from thorough import plainly

pytestmark = pytest.mark.filterwarnings("error")

POLICIES = ("page", "bert", "hugging_face", "fairseq")
DRAWN = ("hugging_face", "fairseq")
NAMES = ("the page", "BERT", "Hugging Face", "fairseq")
DASH = "\N{EN DASH}"
SENTENCE = (
    "NUMBER tokens?(?:, NUMBER of them special,)? at NUMBER %: "
    + ", ".join(f"{name} NUMBER(?: ± NUMBER| slots?)" for name in NAMES)
    + "; no slot at all: " + ", ".join(f"{name} NUMBER %" for name in NAMES)
    + "; among NUMBER drawn: " + ", ".join(f"{name} NUMBER %" for name in NAMES[2:]))
START = ("4 tokens at 15.0 %: the page 0 slots, BERT 1 slot, Hugging Face 0.60 ± 0.71, fairseq "
         "0.60 ± 0.49; no slot at all: the page 100.0 %, BERT 0.0 %, Hugging Face 52.2 %, fairseq "
         f"40.0 %; among 1{THIN}000 drawn: ")


@pytest.fixture(scope="module")
def made():
    """One explorer for many tests: what Reset undoes need not be made again."""
    return explore_empty_mask()


@pytest.fixture
def explorer(made):
    made.reset()
    return made


@pytest.fixture(autouse=True)
def new_widgets_closed(made):
    """ipywidgets keeps every widget until it is closed."""
    living = widgets.widget._instances
    before = set(living)
    yield
    for key in set(living) - before:
        living[key].close()


@pytest.fixture
def n_drawn(monkeypatch):
    """The pictures drawn so far, as a list that grows."""
    drawn, draw = [], LiveFigure.draw

    def counted(live, sentence):
        drawn.append(sentence)
        draw(live, sentence)

    monkeypatch.setattr(LiveFigure, "draw", counted)
    return drawn


# What is true, computed anew


def laws(n_tokens, n_special, percentage, cap):
    """Mean, standard deviation and chance of none for each policy, from its definition."""
    n_ordinary = n_tokens - n_special
    product = Fraction(percentage * n_tokens, 100)
    page = min(product.numerator // product.denominator, n_ordinary)
    bert = min(cap, max(1, round(product)), n_ordinary)
    part = product - product.numerator // product.denominator
    coins = scipy.stats.binom(n_ordinary, percentage / 100)
    return {
        "page": (page, 0, int(page == 0)),
        "bert": (bert, 0, int(bert == 0)),
        "hugging_face": (coins.mean(), coins.std(), coins.pmf(0)),
        "fairseq": (product, float(part * (1 - part)) ** 0.5, 1 - part if product < 1 else 0),
    }


def setting(explorer):
    """What the sliders say, as whole numbers."""
    return (int(explorer.n_tokens.value), int(explorer.n_special.value),
            round(100 * explorer.mlm_probability.value),
            int(explorer.max_predictions_per_seq.value))


def check(explorer):
    """Sentence, table and picture hold the true numbers, and the draw lies near its law."""
    check_said_thrice(explorer)
    n_tokens, n_special, percentage, _ = setting(explorer)
    true = laws(*setting(explorer))
    said = parts_of(explorer.sentence, SENTENCE)
    assert read_number(said[0]) == n_tokens and int(said[1] or 0) == n_special
    assert is_rounded(said[2], percentage)
    means, chances = said[3:11], said[11:15]
    for policy, mean, scatter, chance in zip(POLICIES, means[::2], means[1::2], chances,
                                             strict=True):
        assert is_rounded(mean, float(true[policy][0])), policy
        assert is_rounded(scatter, true[policy][1]) if scatter else true[policy][1] == 0, policy
        assert is_rounded(chance, float(100 * true[policy][2])), policy
    n_sequences = int(explorer.n_sequences.value)
    assert read_number(said[15]) == n_sequences
    for policy, share in zip(DRAWN, said[16:], strict=True):
        chance = float(true[policy][2])
        deviation = (chance * (1 - chance) / n_sequences) ** 0.5
        assert abs(read_number(share) / 100 - chance) <= 5 * deviation + 0.0006, policy
    check_table(explorer, said)
    check_picture(explorer, said)


def numbers_of(said):
    """The numbers of slots as they stand in a sentence taken apart."""
    return [f"{mean} ± {scatter}" if scatter else mean
            for mean, scatter in zip(said[3:11:2], said[4:11:2], strict=True)]


def check_table(explorer, said):
    head, *rows = Tables(explorer.policies.value).rows
    assert [row[0].partition(":")[0] for row in rows] == list(NAMES)
    assert [row[1] for row in rows] == numbers_of(said)
    assert [row[2] for row in rows] == [f"{chance} %" for chance in said[11:15]]
    assert [row[3] for row in rows] == [DASH, DASH, *(f"{share} %" for share in said[16:])]
    assert said[15] in head[3]


def check_picture(explorer, said):
    length, *_ = setting(explorer)
    true = laws(*setting(explorer))
    counts, no_slot = explorer.counts, explorer.no_slot
    for number, policy in enumerate(POLICIES):
        mean, _, chance = map(float, true[policy])
        assert place(counts.points[policy]) == (length, pytest.approx(mean, rel=1e-12))
        assert place(no_slot.points[policy]) == (length, pytest.approx(chance, rel=1e-9))
        assert counts.numbers[policy].get_text() == numbers_of(said)[number]
        assert no_slot.numbers[policy].get_text() == f"{said[11 + number]} %"
    for policy, share in zip(DRAWN, said[16:], strict=True):
        x, y = place(no_slot.drawn[policy])
        assert x == length and is_rounded(share, 100 * y)
        assert no_slot.drawn_numbers[policy].get_text() == f"{share} %"


def place(point):
    (x,), (y,) = point.get_data()
    return x, y


# The start and numbers written down


def test_the_start_is_the_worked_example(explorer):
    assert explorer.sentence.startswith(START)
    assert EMPTY_MASK.answers["no_slot"] == 0.5220
    check(explorer)


@pytest.mark.parametrize(
    ("n_tokens", "numbers", "chances"),
    [
        (1, ["0", "1", "0.15 ± 0.36", "0.15 ± 0.36"], ["100.0", "0.0", "85.0", "85.0"]),
        (4, ["0", "1", "0.60 ± 0.71", "0.60 ± 0.49"], ["100.0", "0.0", "52.2", "40.0"]),
        (6, ["0", "1", "0.90 ± 0.87", "0.90 ± 0.30"], ["100.0", "0.0", "37.7", "10.0"]),
        (7, ["1", "1", "1.05 ± 0.94", "1.05 ± 0.22"], ["0.0", "0.0", "32.1", "0.0"]),
        (10, ["1", "2", "1.50 ± 1.13", "1.50 ± 0.50"], ["0.0", "0.0", "19.7", "0.0"]),
        (20, ["3", "3", "3.00 ± 1.60", "3"], ["0.0", "0.0", "3.9", "0.0"]),
        (128, ["19", "19", "19.2 ± 4.0", "19.2 ± 0.4"], ["0.0", "0.0", "9.2·10⁻⁸", "0.0"]),
        (512, ["76", "20", "76.8 ± 8.1", "76.8 ± 0.4"], ["0.0", "0.0", "7.3·10⁻³⁵", "0.0"]),
    ],
)
def test_numbers_written_down(explorer, n_tokens, numbers, chances):
    explorer.n_tokens.value = n_tokens
    said = parts_of(explorer.sentence, SENTENCE)
    assert numbers_of(said) == numbers and list(said[11:15]) == chances
    check(explorer)


def test_the_curves_are_the_binomial_and_the_published_rules(explorer):
    for special, percentage, cap in ((2, 15, 20), (3, 29, 512)):
        explorer.choose(n_special=special, mlm_probability=percentage / 100,
                        max_predictions_per_seq=cap)
        for policy in POLICIES:
            lengths, means = explorer.counts.curves[policy].get_data()
            _, chances = explorer.no_slot.curves[policy].get_data()
            assert (lengths[0], lengths[-1]) == (max(1, special), 512)
            assert set(range(max(1, special), 129)) <= set(lengths)
            true = [laws(int(n), special, percentage, cap)[policy] for n in lengths]
            np.testing.assert_allclose(means, [float(law[0]) for law in true], rtol=1e-12)
            np.testing.assert_allclose(chances, [float(law[2]) for law in true], rtol=1e-9)


def test_a_point_lies_on_its_curve_to_a_pixel(explorer):
    """Long lengths are thinned out in the curve, not in the point."""
    for n_tokens in (127, 129, 301, 511):
        explorer.n_tokens.value = n_tokens
        for policy in POLICIES:
            curve, point = explorer.counts.curves[policy], explorer.counts.points[policy]
            to_pixels = point.axes.transData.transform
            near = to_pixels(np.transpose(curve.get_data()))
            assert np.hypot(*(near - to_pixels([place(point)])).T).min() < 3


# Controls


def test_every_slider_to_both_ends_and_back(explorer):
    explorer.n_tokens.value = 10  # so that there is room for three special tokens
    for slider in within(explorer, NumberSlider):
        start = slider.value
        for end in (slider.slider.max, slider.slider.min):
            slider.slider.value = end
            check(explorer)
        slider.box.value = slider.box.value.__class__(start)
        check(explorer)
        assert slider.value == start


def test_every_slider_has_the_limits_that_it_should(explorer):
    limits = {slider.name: (slider.minimum, slider.maximum)
              for slider in within(explorer, NumberSlider)}
    assert limits == {
        "sequence length": (1, 512), "rate (mlm_probability)": (0, 1),
        "special tokens in it": (0, 3), "sequences drawn": (100, 10_000),
        "seed of the draw": (0, 1000), "BERT's cap on slots": (1, 512),
    }


@pytest.mark.parametrize(
    ("caption", "n_tokens", "n_special", "rate"),
    [
        ("The page (4 tokens)", 4, 0, 0.15),
        ("1 token", 1, 0, 0.15),
        ("fairseq's last gap (6)", 6, 0, 0.15),
        ("4 words in [CLS] and [SEP] (6)", 6, 2, 0.15),
        ("10 tokens", 10, 0, 0.15),
        ("BERT's default (128)", 128, 0, 0.15),
        ("Longest (512)", 512, 0, 0.15),
        ("Rate 0", 50, 0, 0.0),
        ("Rate 1", 50, 0, 1.0),
    ],
)
def test_presets_set_what_they_name_and_draw_once(explorer, n_drawn, caption, n_tokens, n_special,
                                                  rate):
    explorer.choose(n_tokens=50, n_special=3, mlm_probability=0.4)
    n_drawn.clear()
    click(explorer, caption)
    assert len(n_drawn) == 1
    assert (explorer.n_tokens.value, explorer.n_special.value,
            explorer.mlm_probability.value) == (n_tokens, n_special, rate)
    check(explorer)


def test_presets_stand_before_the_sliders_and_reset_comes_last(explorer):
    assert captions(explorer)[0] == "The page (4 tokens)"
    assert captions(explorer)[-2:] == ["New draw", "Reset"]
    assert len(captions(explorer)) == 11


def test_every_slider_move_draws_once(explorer, n_drawn):
    explorer.n_tokens.value = 50
    for slider in within(explorer, NumberSlider):
        n_drawn.clear()
        slider.slider.value = slider.slider.max
        slider.slider.value = slider.slider.max // 2
        assert len(n_drawn) == 2, slider.name


def test_reset_returns_to_exactly_the_start():
    explorer = explore_empty_mask()
    start = state(explorer)
    explorer.choose(n_tokens=300, mlm_probability=0.4, n_special=2, n_sequences=5000, seed=7,
                    max_predictions_per_seq=77)
    moved = state(explorer)
    assert all(one != other for one, other in zip(start, moved, strict=True) if one)
    click(explorer, "Reset")
    assert state(explorer) == start


def test_an_example_of_ones_own_is_where_it_starts_and_where_reset_returns():
    explorer = explore_empty_mask(CountingExample(20, {}, mlm_probability=0.4))
    start = explorer.sentence
    assert start.startswith("20 tokens at 40.0 %: the page 8 slots, BERT 8 slots, ")
    click(explorer, "The page (4 tokens)")
    assert explorer.sentence.startswith(START)
    click(explorer, "Reset")
    assert explorer.sentence == start


# The draw


def test_the_same_seed_gives_the_same_sentence_again_and_new_draw_another_share(explorer):
    start, shares = explorer.sentence, set()
    for _ in range(5):
        click(explorer, "New draw")
        shares.add(explorer.sentence.partition("; among ")[2])
        assert explorer.sentence.startswith(START)
        check(explorer)
    assert len(shares) > 3
    assert explorer.seed.value == 17
    explorer.seed.value = 12
    assert explorer.sentence == start == explore_empty_mask().sentence


def test_the_share_of_seed_0_is_the_one_that_draw_slot_counts_documents(explorer):
    explorer.seed.value = 0
    assert "drawn: Hugging Face 50.1 %" in explorer.sentence


def test_new_draw_after_the_last_seed_begins_again(explorer):
    explorer.seed.value = 1000
    click(explorer, "New draw")
    assert explorer.seed.value == 0


def test_many_sequences_come_nearer_to_the_chance_than_few(explorer):
    def miss():
        return abs(place(explorer.no_slot.drawn["hugging_face"])[1] - 0.52200625)

    misses = {}
    for n_sequences in (100, 10_000):
        explorer.n_sequences.value = n_sequences
        misses[n_sequences] = []
        for seed in range(12):
            explorer.seed.value = seed
            misses[n_sequences].append(miss())
    assert np.mean(misses[10_000]) < 0.25 * np.mean(misses[100])


@pytest.mark.parametrize(("rate", "none"), [(0, "100.0 %"), (1, "0.0 %")])
def test_at_the_limiting_rates_the_draw_is_certain(explorer, rate, none):
    explorer.choose(mlm_probability=rate, n_tokens=50)
    assert explorer.sentence.endswith(f"Hugging Face {none}, fairseq {none}")
    check(explorer)


# Refusals


def test_more_special_tokens_than_tokens_are_refused_and_the_picture_stands(explorer):
    explorer.n_special.value = 3
    before = explorer.figure.widget.value, explorer.policies.value, explorer.sentence
    for n_tokens, words in ((2, "2 tokens"), (1, "1 token")):
        explorer.n_tokens.value = n_tokens
        assert notice(explorer) == (
            f"3 special tokens do not fit into a sequence of {words}: make it longer, or set fewer "
            "special tokens. The picture stands as it was.")
        assert before == (explorer.figure.widget.value, explorer.policies.value, explorer.sentence)
    explorer.n_special.value = 1
    check(explorer)
    explorer.n_special.value = 2
    assert "2 special tokens" in notice(explorer)
    explorer.n_tokens.value = 2
    check(explorer)


def test_a_refused_state_is_left_by_every_button_but_new_draw(explorer):
    for caption in captions(explorer):
        explorer.choose(n_tokens=1, n_special=3)
        assert notice(explorer)
        click(explorer, caption)
        if caption == "New draw":
            assert "3 special tokens" in notice(explorer)
        else:
            check(explorer)


@pytest.mark.parametrize(
    ("name", "typed", "parts"),
    [
        ("n_tokens", 0, ("0 is not possible", "“sequence length”", "1 to 512")),
        ("n_tokens", 513, ("513", "“sequence length”", "1 to 512")),
        ("mlm_probability", 15.0, ("15", "“rate (mlm_probability)”", "0 to 1")),
        ("mlm_probability", -0.01, ("−0.01", "0 to 1")),
        ("n_special", 4, ("4", "“special tokens in it”", "0 to 3")),
        ("n_sequences", 10_001, (f"10{THIN}001", f"100 to 10{THIN}000")),
        ("max_predictions_per_seq", 0, ("0", "“BERT's cap on slots”", "1 to 512")),
    ],
)
def test_a_typed_number_out_of_range_is_refused_and_the_picture_stands(explorer, name, typed,
                                                                       parts):
    before = explorer.figure.widget.value
    control = getattr(explorer, name)
    control.box.value = typed
    assert [part for part in parts if part not in notice(explorer)] == []
    assert explorer.figure.widget.value == before and control.box.value == control.value
    click(explorer, "Reset")
    check(explorer)


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(explorer, monkeypatch):
    before = explorer.figure.widget.value
    with monkeypatch.context() as patch:
        patch.setattr(empty_mask_module, "empty_mask_sentence", lambda *_: 1 / 0)
        explorer.n_tokens.value = 50
    assert notice(explorer) == "ZeroDivisionError: division by zero"
    assert explorer.figure.widget.value == before
    explorer.n_tokens.value = 51
    check(explorer)


def test_an_example_beyond_the_sliders_is_refused_with_its_length():
    assert_refused(lambda: explore_empty_mask(WORD_PROBLEM), "sequence length", "1 to 512")
    assert_refused(lambda: explore_empty_mask(CountingExample(0, {})), "n_tokens 0", "1 or more")


# Tables


def test_the_loss_of_no_slot_is_zero_twice_and_undefined_once_always_beside_0_slots(explorer):
    (html,) = (part.value for part in within(explorer, widgets.HTML) if "nats" in part.value)
    _, *rows = Tables(html).rows
    assert [row[0].partition(":")[0] for row in rows] == ["sum", "BERT's mean", "PyTorch's mean"]
    assert [row[1] for row in rows] == ["0 slots"] * 3
    assert [row[2] for row in rows] == ["0.0000", "0.0000", "undefined: 0/0"]


def test_policies_are_named_in_full_words_with_the_cap_that_is_set(explorer):
    explorer.max_predictions_per_seq.value = 77
    rows = Tables(explorer.policies.value).rows[1:]
    assert [row[0] for row in rows] == [
        "the page: floor(rate · n)", "BERT: round, at least 1, at most 77",
        "Hugging Face: a coin per token", "fairseq: rounds by chance"]


def test_the_masking_explorer_offers_the_same_four_policies():
    explorer = explore_masking("the cat sat down on the mat and slept")
    assert [policy for _, policy in explorer.policy.options] == list(POLICIES)
    assert [text.partition(":")[0] for text, _ in explorer.policy.options] == list(NAMES)
    explorer.policy.value = "fairseq"
    assert explorer.sentence.startswith("11 tokens, ") and not notice(explorer)
    explorer.mlm_probability.value = 1
    assert explorer.sentence.startswith("11 tokens, 11 slots (100.0 %): ")


# The picture


def walk(explorer, steps, seed):
    """States one after the other, the limiting ones among them."""
    rng = random.Random(seed)
    for _ in range(steps):
        explorer.choose(
            n_tokens=rng.choice([3, 4, 6, 7, 128, 511, 512]), n_special=rng.randrange(4),
            mlm_probability=rng.choice([0, 0.01, 0.15, 0.15, 0.5, 0.99, 1]),
            n_sequences=rng.choice([100, 1000]), seed=rng.randrange(1000),
            max_predictions_per_seq=rng.choice([1, 20, 512]))
        yield explorer.figure


def test_the_picture_is_that_of_a_full_redraw_at_every_step_of_a_random_walk(explorer):
    off = [different_pixels(live.pixels(), full_redraw(live)) for live in walk(explorer, 8, 0)]
    assert off == [0] * 8


def test_the_still_part_is_drawn_once(explorer):
    background = explorer.figure._background
    for _ in walk(explorer, 8, 1):
        pass
    assert explorer.figure._background is background


def test_encoding_keeps_the_picture_but_for_edges_where_lines_cross(explorer):
    for live in walk(explorer, 4, 2):
        drawn, seen = live.pixels()[..., :3], decoded(encode(live.pixels()))
        deviation = np.abs(seen.astype(int) - drawn).max(axis=-1)
        assert (deviation > LARGEST_DEVIATION).mean() < 0.004  # measured: 0.0029


def test_a_walk_and_showing_it_leave_nothing_behind(explorer):
    for _ in walk(explorer, 4, 3):
        pass
    before = observers(explorer), artists(explorer.figure.figure), living()
    for _ in walk(explorer, 8, 4):
        pass
    explorer._repr_mimebundle_()
    assert (observers(explorer), artists(explorer.figure.figure), living()) == before


STATES = [(n_tokens, rate) for n_tokens in plainly((1, 7, 512), (1, 4, 7, 128, 300, 512))
          for rate in plainly((0, 0.15, 0.9, 1), (0, 0.01, 0.15, 0.5, 0.9, 0.97, 1))]


def test_no_text_overlaps_another_or_leaves_the_picture(explorer):
    explorer.n_sequences.value = 100
    for n_tokens, rate in STATES:
        explorer.choose(n_tokens=n_tokens, mlm_probability=rate)
        assert not crowded(explorer.figure.figure), (n_tokens, rate)


def test_no_curve_or_point_runs_through_the_lines_of_text(explorer):
    explorer.n_sequences.value = 100
    renderer = explorer.figure.figure.canvas.get_renderer()
    for n_tokens, rate in STATES:
        explorer.choose(n_tokens=n_tokens, mlm_probability=rate)
        for panel in (explorer.counts, explorer.no_slot):
            ax = panel.curves["page"].axes
            rooms = [text.get_window_extent(renderer) for text in ax.texts if text.get_text()]
            for line in panel.curves.values():
                path = line.get_path().transformed(line.get_transform())
                assert not any(path.intersects_bbox(room, filled=False) for room in rooms), (
                    n_tokens, rate)
            for point in panel.points.values():
                marker = point.get_window_extent(renderer)
                assert not any(marker.overlaps(room) for room in rooms), (n_tokens, rate)


# Without a kernel


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    explorer.n_tokens.value = 10
    data, metadata = explorer._repr_mimebundle_()
    assert data["text/plain"] == explorer.sentence == metadata["image/png"]["alt"]
    assert data["application/vnd.jupyter.widget-view+json"]["model_id"] == explorer.model_id
    live, picture = explorer.figure.pixels(), decoded(data["image/png"])
    assert picture.shape[0] > live.shape[0] and picture.shape[1] == live.shape[1]
    np.testing.assert_array_equal(picture[:live.shape[0]], decoded(encode(live)))
