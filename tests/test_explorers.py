"""Explorers as a reader uses them: buttons clicked, sliders dragged, boxes typed into, files sent.

Every sentence is held against numbers computed in 50 digits from what the controls show.
"""

import itertools
import math
import re
from threading import Event, Thread
from types import SimpleNamespace

import ipywidgets as widgets
import mpmath
import pytest
from matplotlib.text import Text

from mlm_helpers.controls import NumberSlider
from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK, WorkedExample
from mlm_helpers.explorers import explore_masking, explore_softmax, explore_surprisal
from mlm_helpers.explorers import masking as masking_module
from mlm_helpers.explorers import slot_picture as slot_picture_module
from mlm_helpers.explorers import surprisal as surprisal_module
from mlm_helpers.live import LiveFigure
from mlm_helpers.ribbons import PER_PAGE
from mlm_helpers.slots import Slot
from test_derivations import Exact
from test_live import Picture, decoded
from test_ribbons import Tables
from test_uploads import announce, send
from test_wording import HOSTILE, INFINITY, is_rounded, read_number

pytestmark = pytest.mark.filterwarnings("error")

EXAMPLES = {"A": STANDARD_MASK, "B": RANDOM_SWAP, "C": KEEP_UNCHANGED}
MAKERS = {
    "softmax": lambda: explore_softmax(RANDOM_SWAP),
    "surprisal": explore_surprisal,
    "masking": explore_masking,
}
SENTENCE_OF = {
    "softmax": (slot_picture_module, "slot_sentence"),
    "surprisal": (surprisal_module, "surprisal_sentence"),
    "masking": (masking_module, "masking_sentence"),
}
SIZES = (4, 30_000, 30_522, 50_265, 119_547, 250_002)


@pytest.fixture(scope="module")
def made():
    """One explorer of each kind for many tests: what Reset undoes need not be made again."""
    return {kind: make() for kind, make in MAKERS.items()}


@pytest.fixture(autouse=True)
def new_widgets_closed(made):
    """ipywidgets keeps every widget until it is closed."""
    living = widgets.widget._instances
    before = set(living)
    yield
    for key in set(living) - before:
        living[key].close()


@pytest.fixture(params=MAKERS)
def kind(request):
    return request.param


@pytest.fixture
def explorer(kind, made):
    made[kind].reset()
    return made[kind]


@pytest.fixture
def swap(made):
    """The softmax explorer of the random swap."""
    made["softmax"].reset()
    return made["softmax"]


@pytest.fixture
def surprisal(made):
    made["surprisal"].reset()
    return made["surprisal"]


@pytest.fixture
def n_drawn(monkeypatch):
    """The pictures drawn so far, as a list that grows."""
    drawn, draw = [], LiveFigure.draw

    def counted(live, sentence, *args, **kwargs):
        drawn.append(sentence)
        draw(live, sentence, *args, **kwargs)

    monkeypatch.setattr(LiveFigure, "draw", counted)
    return drawn


# What a reader has in hand


def within(widget, kind):
    """All widgets of a kind, in the order of the page."""
    found = [widget] if isinstance(widget, kind) else []
    for child in getattr(widget, "children", ()):
        found += within(child, kind)
    return found


def captions(explorer):
    return [button.description for button in within(explorer, widgets.Button)]


def click(explorer, caption):
    (button,) = (button for button in within(explorer, widgets.Button)
                 if button.description.replace("\u202f", " ") == caption.replace("\u202f", " "))
    button.click()


def notice(explorer):
    return Picture(explorer.notice.value).sentence


def controls(explorer):
    return [*within(explorer, NumberSlider), *within(explorer, widgets.Dropdown),
            *within(explorer, widgets.Textarea)]


def state(explorer):
    """All that a reader sees of an explorer."""
    shown = [(control.value, getattr(control, "label", None)) for control in controls(explorer)]
    sliders = [(slider.box.value, slider.slider.value, slider.box.disabled)
               for slider in within(explorer, NumberSlider)]
    pages = [page.value for page in within(explorer, widgets.BoundedIntText)]
    return shown, sliders, pages, [part.value for part in within(explorer, widgets.HTML)]


def scramble(explorer):
    """Move every control away from where it stands."""
    with explorer.hold():
        for slider in within(explorer, NumberSlider):
            slider.slider.value = (slider.slider.value + slider.slider.max // 3) % slider.slider.max
        for dropdown in within(explorer, widgets.Dropdown):
            dropdown.index = ((dropdown.index or 0) + 1) % len(dropdown.options)
        for area in within(explorer, widgets.Textarea):
            area.value = "Another text, of the reader's own. " * 20
    for page in within(explorer, widgets.BoundedIntText):
        page.value = page.max


# What must hold in every state


def parts_of(sentence, pattern):
    """What stands in a sentence where the pattern says NUMBER or has a group."""
    return re.fullmatch(pattern.replace("NUMBER", "([^ ,;]+)"), sentence).groups()


def check_said_thrice(explorer):
    """The sentence under the picture, its alternative text and the plain text say the same."""
    picture = Picture(explorer.figure.widget.value)
    assert explorer.sentence == picture.sentence == picture.image["alt"] != ""
    assert explorer.notice.value == ""


def check_softmax(explorer):
    check_said_thrice(explorer)
    tokens, size = explorer.example.slot.tokens, int(explorer.vocab_size.value)
    label = explorer.label.index
    shown = list(explorer.shown.options).index((explorer.shown.label, explorer.shown.value)) - 1
    given = SimpleNamespace(logits=[control.value for control in explorer.logits], label=label,
                            n_rest=size - len(tokens), rest_logit=explorer.rest_logit.value)
    exact, size_text = Exact(given), f"{size:,}".replace(",", "\u202f")
    unit = explorer.unit.value
    log, per_nat = ("ln", 1) if unit == "nats" else ("log₂", 1 / mpmath.log(2))
    pattern = (f"P\\({tokens[label]}\\) = NUMBER, loss NUMBER {unit}, uniform {log} {size_text} = "
               "NUMBER(?:; scored against (.+) by mistake: NUMBER)?")
    p, loss, uniform, mistaken, wrong = parts_of(explorer.sentence, pattern)
    assert is_rounded(p, exact.label_probability) and is_rounded(loss, exact.loss * per_nat)
    assert is_rounded(uniform, mpmath.log(size) * per_nat)
    assert (mistaken is None) == (shown in (-1, label))
    if mistaken:
        assert mistaken == tokens[shown]
        assert is_rounded(wrong, -mpmath.log(exact.probabilities[shown]) * per_nat)


def check_surprisal(explorer):
    check_said_thrice(explorer)
    probability, size = explorer.probability.value, int(explorer.vocab_size.value)
    unit = explorer.unit.value
    log, per_nat = ("ln", 1) if unit == "nats" else ("log₂", 1 / mpmath.log(2))
    pattern = f"p = NUMBER, surprisal NUMBER {unit}, uniform {log} NUMBER = NUMBER"
    p, surprisal, v, uniform = parts_of(explorer.sentence, pattern)
    assert abs(read_number(p) - probability) <= 0.00005 and read_number(v) == size
    exact = -mpmath.log(mpmath.mpf(probability)) if probability else mpmath.inf
    assert is_rounded(surprisal, exact * per_nat)
    assert is_rounded(uniform, mpmath.log(size) * per_nat)


def check_masking(explorer):
    """Counts in the sentence, in the table and in the ribbons, page by page, agree."""
    check_said_thrice(explorer)
    pattern = r"NUMBER tokens?, NUMBER slots?(?: \(.+ %\))?: NUMBER mask, NUMBER swap, NUMBER keep"
    counts = [int(read_number(number)) for number in parts_of(explorer.sentence, pattern)]
    table = Tables(explorer.counts.value)
    assert [int(read_number(row[1])) for row in table.rows[1:]] == counts[2:]
    for row, share in zip(table.rows[1:], (0.8, 0.1, 0.1), strict=True):
        assert is_rounded(row[3], share * counts[1])
    assert counts[1] == sum(counts[2:])
    return counts


CHECKS = {"softmax": check_softmax, "surprisal": check_surprisal, "masking": check_masking}


# Controls


def test_every_slider_to_both_ends_and_back(kind, explorer):
    for slider in within(explorer, NumberSlider):
        start = slider.value
        for end in (slider.slider.max, slider.slider.min):
            slider.slider.value = end
            CHECKS[kind](explorer)
        assert slider.value == slider.minimum
        slider.box.value = slider.box.value.__class__(start)
        CHECKS[kind](explorer)
        assert slider.value == start


def test_every_option_of_every_list(kind, explorer):
    for dropdown in within(explorer, widgets.Dropdown):
        for index in reversed(range(len(dropdown.options))):
            dropdown.index = index
            CHECKS[kind](explorer)


def test_every_button_once_and_each_draws_once(kind, explorer, n_drawn):
    for caption in captions(explorer):
        if "Upload" in caption:
            continue
        scramble(explorer)
        n_drawn.clear()
        click(explorer, caption)
        assert len(n_drawn) == 1, caption
        CHECKS[kind](explorer)


def test_every_slider_move_draws_once(explorer, n_drawn):
    for slider in within(explorer, NumberSlider):
        n_drawn.clear()
        slider.slider.value = slider.slider.max
        slider.slider.value = slider.slider.max // 2
        assert len(n_drawn) == 2, slider.name


def test_reset_returns_to_exactly_the_start(kind):
    explorer = MAKERS[kind]()
    start = state(explorer)
    scramble(explorer)
    moved = state(explorer)
    assert all(one != other for one, other in zip(start, moved, strict=True) if one)
    click(explorer, "Reset")
    assert state(explorer) == start


def test_every_list_says_what_is_chosen(explorer):
    for dropdown in within(explorer, widgets.Dropdown):
        for text in [option if isinstance(option, str) else option[0]
                     for option in dropdown.options]:
            dropdown.label = text
            assert dropdown.label == text and dropdown.index is not None


@pytest.mark.parametrize("undo", ["Worked example", "Reset"])
def test_the_list_of_shown_words_says_mask_at_the_start_and_after_going_back(undo):
    explorer = explore_softmax(STANDARD_MASK)
    assert explorer.shown.label == "[MASK]"
    explorer.shown.label = "mat"
    assert "scored against mat by mistake" in explorer.sentence
    click(explorer, undo)
    assert explorer.shown.label == "[MASK]" and "mistake" not in explorer.sentence


# Softmax presets


@pytest.fixture(params=EXAMPLES.values(), ids=EXAMPLES)
def softmax(request):
    return explore_softmax(request.param)


def loss_of(explorer):
    loss, _, uniform = parts_of(explorer.sentence,
                                ".+, loss NUMBER nats, uniform ln NUMBER = NUMBER(?:; .*)?")
    return read_number(loss), read_number(uniform)


def test_the_start_is_the_worked_example(softmax):
    answers = softmax.example.answers
    assert loss_of(softmax) == (answers["loss"], answers["uniform"])


def test_presets_in_every_vocabulary(softmax):
    for size in SIZES:
        softmax.vocab_size.value = size
        click(softmax, "Uniform")
        assert loss_of(softmax)[0] == loss_of(softmax)[1]
        click(softmax, "Confident and right")
        assert loss_of(softmax)[0] < 0.01
        click(softmax, "Confident and wrong")
        assert loss_of(softmax)[0] > max(9.9, loss_of(softmax)[1])
        assert softmax.vocab_size.value == size
    click(softmax, "Worked example")
    assert (softmax.vocab_size.value, loss_of(softmax)[0]) == (4, softmax.example.answers["loss"])


def test_vocabulary_buttons_name_the_size_that_they_set(swap):
    for size in reversed(SIZES):
        (caption,) = (caption for caption in captions(swap)
                      if caption.replace("\u202f", "").endswith(f" {size}"))
        click(swap, caption)
        assert swap.vocab_size.value == swap.vocab_size.box.value == size
        assert swap.rest_logit.box.disabled == (size == 4)
        check_softmax(swap)


def test_confident_and_wrong_puts_the_shown_word_ahead(swap):
    click(swap, "Confident and wrong")
    assert [control.value for control in swap.logits] == [0, 0, 10, 0]


def test_a_vocabulary_of_one_word():
    explorer = explore_softmax(WorkedExample(Slot(("cat",), (0.0,), label=0)))
    assert explorer.sentence == "P(cat) = 1.0000, loss 0.0000 nats, uniform ln 1 = 0.0000"
    for caption in captions(explorer):
        click(explorer, caption)
        check_softmax(explorer)


def test_one_listed_word_among_many_can_be_wrong_too():
    explorer = explore_softmax(WorkedExample(Slot(("cat",), (0.0,), label=0, vocab_size=1000)))
    click(explorer, "Confident and wrong")
    assert loss_of(explorer)[0] > loss_of(explorer)[1]


def test_sliders_reach_as_far_as_an_examples_logits():
    explorer = explore_softmax(WorkedExample(Slot(("tea", "rum"), (12.3, 0.0), label=0)))
    assert {(each.minimum, each.maximum) for each in explorer.logits} == {(-13.0, 13.0)}
    assert explorer.logits[0].value == 12.3


def test_the_working_and_the_ribbon_follow_the_sliders(swap):
    swap.logits[2].value = 0.0
    swap.shown.label = "owl"
    rows = Tables(swap.working.value).rows
    assert rows[3][:3] == ["mat", "0", "1.000000"]
    assert Tables(swap.ribbon.value).rows[1][2] == "owl"
    swap.unit.value = "bits"
    assert "bits" in Tables(swap.working.value).outside


# Surprisal presets


@pytest.mark.parametrize(
    ("caption", "nats"),
    [
        ("Certain (1)", "0.0000"),
        ("Coin toss (1/2)", "0.6931"),
        ("One word in four (1/4)", "1.3863"),
        ("One in a thousand", "6.9078"),
        ("Impossible (0)", INFINITY),
    ],
)
def test_surprisal_presets(surprisal, caption, nats):
    click(surprisal, caption)
    assert f"surprisal {nats} nats" in surprisal.sentence
    check_surprisal(surprisal)


@pytest.mark.parametrize("p", [0.125, 1e-9, 1e-300, 5e-324, 0.9999])
def test_a_typed_probability_between_the_steps_stands(surprisal, p):
    surprisal.probability.box.value = p
    assert surprisal.probability.box.value == pytest.approx(p, rel=1e-9)
    check_surprisal(surprisal)


# Without a kernel


def test_the_bundle_holds_the_view_a_picture_and_the_sentence(explorer):
    scramble(explorer)
    data, metadata = explorer._repr_mimebundle_()
    assert data["text/plain"] == explorer.sentence
    assert metadata["image/png"]["alt"] == explorer.sentence
    view = data["application/vnd.jupyter.widget-view+json"]
    assert view["model_id"] == explorer.model_id
    live = explorer.figure.pixels()
    picture = decoded(data["image/png"])
    assert picture.shape[0] > live.shape[0] and picture.shape[1] == live.shape[1]
    assert (picture != 255).any()


# Refusals and failures


def test_a_refused_number_is_told_and_the_next_good_one_clears_it(kind, explorer):
    slider = within(explorer, NumberSlider)[0]
    before = explorer.figure.widget.value
    for _ in range(2):
        slider.box.value = 5000
        assert "5\u202f000" in notice(explorer) and slider.name in notice(explorer)
        assert explorer.figure.widget.value == before
    slider.slider.value = slider.slider.max
    CHECKS[kind](explorer)


def test_a_refusal_does_not_outlive_a_button(explorer):
    for caption in captions(explorer):
        if "Upload" in caption:
            continue
        click(explorer, caption)
        within(explorer, NumberSlider)[0].box.value = 5000
        assert notice(explorer)
        click(explorer, caption)
        assert not notice(explorer), caption


def test_a_failing_callback_is_told_keeps_the_picture_and_recovers(kind, explorer, monkeypatch):
    before = explorer.figure.widget.value
    slider = within(explorer, NumberSlider)[-1]

    def fail(*args):
        raise RuntimeError("<b>no sentence</b>")

    with monkeypatch.context() as patch:
        patch.setattr(*SENTENCE_OF[kind], fail)
        slider.slider.value = slider.slider.max
    assert notice(explorer) == "RuntimeError: <b>no sentence</b>"
    assert Picture(explorer.notice.value).tags == ["p"]
    assert explorer.figure.widget.value == before
    slider.slider.value = slider.slider.min
    CHECKS[kind](explorer)


def test_holds_can_be_nested_and_draw_once(explorer, n_drawn):
    slider = within(explorer, NumberSlider)[0]
    with explorer.hold():
        with explorer.hold():
            slider.value = slider.maximum
        slider.value = slider.minimum
        assert not n_drawn
    assert len(n_drawn) == 1


def test_an_error_within_a_hold_does_not_stop_later_drawing(kind, explorer):
    with pytest.raises(ZeroDivisionError), explorer.hold():
        1 / 0  # noqa: B018
    scramble(explorer)
    CHECKS[kind](explorer)


def test_a_refusal_stays_though_another_thread_is_drawing(swap, monkeypatch):
    """JupyterLab may let two controls' messages be handled in two threads of the kernel."""
    show_state, drawing, go_on = swap.show_state, Event(), Event()

    def draw_slowly():
        drawing.set()
        go_on.wait(10)
        show_state()

    monkeypatch.setattr(swap, "show_state", draw_slowly)
    reset = Thread(target=click, args=(swap, "Reset"))
    refused = Thread(target=setattr, args=(swap.logits[1].box, "value", 99.0))
    reset.start()
    assert drawing.wait(10)
    refused.start()
    refused.join(0.2)  # time to be told too soon
    go_on.set()
    reset.join()
    refused.join()
    assert "99 is not possible" in notice(swap)


# Any words


WORDS = [*{shown: word for word, shown in HOSTILE.items() if word.strip()}.values()]


@pytest.mark.parametrize(("one", "other"), [*zip(WORDS[::2], WORDS[1::2], strict=False), ("", "a")],
                         ids=ascii)
def test_any_word_can_be_explored_and_just_shows_and_repeated_ones_stay_apart(one, other):
    slot = Slot((one, other, one, other), (1.0, 2.0, 0.0, 1.0), label=0, shown=3)
    explorer = explore_softmax(WorkedExample(slot, sentence=("The", "?", "sat"), position=1))
    first, second = HOSTILE[one], HOSTILE.get(other, other)
    check_said_thrice(explorer)
    assert explorer.sentence.startswith(f"P({first}) = 0.1966, loss 1.6265 nats")
    assert explorer.sentence.endswith(f"scored against {second} by mistake: 1.6265")
    ribbon = [row[2] for row in Tables(explorer.ribbon.value).rows]
    assert ribbon == [first, second, first, "⇄ swap"]
    rows = Tables(explorer.working.value).rows[1:]
    assert [(row[0], row[3]) for row in rows] == [
        (first, "0.1966"), (second, "0.5344"), (first, "0.0723"), (second, "0.1966")
    ]
    heights = [bar.get_height() for bar in explorer.picture.bars.rectangles[:4]]
    assert heights == pytest.approx([0.1966, 0.5344, 0.0723, 0.1966], abs=0.00005)
    assert [slider.name for slider in explorer.logits] == [
        f"logit of {name} ({number})" for number in (1, 2) for name in (first, second)
    ]


def test_names_in_lists_differ_even_when_a_word_looks_like_a_numbered_one():
    slot = Slot(("the", "the", "the (1)", "[MASK]"), (0.0,) * 4, label=0)
    explorer = explore_softmax(WorkedExample(slot))
    for dropdown in (explorer.label, explorer.shown):
        names = [text for text, _ in dropdown.options]
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("text", [" ".join(HOSTILE), "", "\x07", "\u202eabc"], ids=ascii)
def test_any_text_can_be_masked_and_just_shows(text):
    explorer = explore_masking(text)
    explorer.mlm_probability.value = 1
    check_masking(explorer)
    parsed = Tables(explorer.ribbon.value)
    assert {tag for tag, _ in parsed.tags} <= {"table", "caption", "tr", "th", "td", "p", "span"}
    explorer._repr_mimebundle_()


# Masking


def n_sequences(n_words, policy):
    room = 128 if policy == "page" else 126
    return math.ceil(n_words / room)


@pytest.mark.parametrize("policy", ["page", "bert", "hugging_face"])
@pytest.mark.parametrize("n_words", [0, 1, 200, 10_000])
def test_texts_of_any_length_under_every_policy(policy, n_words):
    explorer = explore_masking("word " * n_words)
    explorer.policy.value = policy
    n_tokens, n_slots, *_ = check_masking(explorer)
    sequences = n_sequences(n_words, policy)
    assert n_tokens == n_words + (0 if policy == "page" else 2 * sequences)
    full, rest = divmod(n_words, 128 if policy == "page" else 126)
    if policy == "page":
        assert n_slots == 19 * full + math.floor(0.15 * rest)
    elif policy == "bert":
        assert n_slots == 19 * full + (max(1, round(0.15 * (rest + 2))) if rest else 0)
    else:
        assert abs(n_slots - 0.15 * n_words) <= 5 * math.sqrt(n_words * 0.15 * 0.85)
    assert f"{n_slots:,}".replace(",", "\u202f") in Tables(explorer.counts.value).captions[0]


def test_a_megabyte_of_text():
    explorer = explore_masking("cat")
    explorer.text.value = "word " * 200_000
    n_tokens, n_slots, *_ = check_masking(explorer)
    assert (n_tokens, n_slots) == (200_000 + 2 * 1588, 1587 * 19 + round(0.15 * 40))
    assert f"{math.ceil(n_tokens / PER_PAGE):,}".replace(",", "\u202f") in explorer.n_pages.value


def test_pages_of_the_ribbon_show_the_whole_text_in_order():
    explorer = explore_masking(" ".join(f"w{i}" for i in range(100)))
    seen = []
    for page in range(1, explorer.page.max + 1):
        explorer.page.value = page
        parsed = Tables(explorer.ribbon.value)
        seen += [text for row in parsed.rows if row[0] == "original" for text in row[1:]]
        assert parsed.captions[0].startswith(f"positions {(page - 1) * PER_PAGE} to ")
    assert seen == ["[CLS]", *(f"w{i}" for i in range(100)), "[SEP]"]


def test_pager_is_there_only_when_there_is_a_second_page():
    explorer = explore_masking("cat")
    assert explorer.pager.layout.display == "none"
    explorer.text.value = "word " * 100
    assert explorer.pager.layout.display != "none" and "5" in explorer.n_pages.value
    explorer.page.value = 5
    explorer.text.value = "cat"
    assert (explorer.page.value, explorer.pager.layout.display) == (1, "none")


def test_a_page_beyond_the_last_is_the_last():
    explorer = explore_masking("word " * 100)
    explorer.page.value = 99
    assert explorer.page.value == 5
    assert Tables(explorer.ribbon.value).rows[0][-1] == "[SEP]"


def test_new_draw_goes_through_the_seeds_and_each_gives_its_own_draw_again():
    explorer = explore_masking("word " * 500)
    explorer.policy.value = "hugging_face"
    explorer.seed.value = 999
    ribbons = []
    for seed in (1000, 0, 1):
        click(explorer, "New draw")
        assert explorer.seed.value == seed
        ribbons.append(explorer.ribbon.value)
    assert len(set(ribbons)) == 3
    explorer.seed.value = 1000
    assert explorer.ribbon.value == ribbons[0]


@pytest.mark.parametrize("rate", [0, 1])
def test_limiting_rates(rate):
    explorer = explore_masking("word " * 50)
    explorer.policy.value = "hugging_face"
    explorer.mlm_probability.value = rate
    assert check_masking(explorer)[1] == 50 * rate


@pytest.mark.parametrize("caption", ["English", "German", "Chinese", "Hindi", "Emoji", "One word"])
def test_masking_presets_set_their_text_and_the_first_page(caption):
    explorer = explore_masking("word " * 100)
    explorer.page.value = 2
    click(explorer, caption)
    assert explorer.text.value == masking_module.TEXTS[caption] and explorer.page.value == 1
    check_masking(explorer)


# Files, sent as the browser sends them


TEXT_STANDS = "The text above stands"
BAD_FILES = {
    "Latin-1": ("Grüße".encode("latin-1"), "not UTF-8 at byte 2", "encoding UTF-8"),
    "too large": (b"x" * 1_000_001, "1,000,001 bytes", "upload one of them"),
    "zero byte": (b"a\x00b", "zero byte at position 1", "text file in UTF-8"),
    "empty": (b"", "0 bytes", "choose a file with text in it"),
}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"], ids=["plain", "byte order mark"])
@pytest.mark.parametrize("text", ["Grüße, 猫 🙂\nend", " ", "word " * 199_999])
def test_a_file_in_utf8_becomes_the_text(mark, text):
    explorer = explore_masking()
    send(explorer.upload, mark + text.encode())
    assert explorer.text.value == text
    check_masking(explorer)


@pytest.mark.parametrize("case", BAD_FILES.values(), ids=BAD_FILES)
def test_a_refused_file_keeps_text_and_picture_and_says_why(case):
    content, *parts = case
    explorer = explore_masking()
    before = explorer.text.value, explorer.figure.widget.value
    send(explorer.upload, content, "<b>note</b>.txt")
    assert (explorer.text.value, explorer.figure.widget.value) == before
    for part in ("<b>note</b>.txt", TEXT_STANDS, *parts):
        assert part in notice(explorer)
    assert Picture(explorer.notice.value).tags == ["p"]


def test_a_file_too_large_to_arrive_is_refused_by_its_size_alone():
    explorer = explore_masking()
    before = explorer.text.value, explorer.figure.widget.value
    announce(explorer.upload, b"x" * 20_000_000, "big.txt")
    assert "big.txt has 20,000,000 bytes" in notice(explorer) and TEXT_STANDS in notice(explorer)
    assert (explorer.text.value, explorer.figure.widget.value) == before
    send(explorer.upload, b"cat")
    assert explorer.text.value == "cat" and not notice(explorer)


def test_the_same_refused_file_is_refused_again():
    explorer = explore_masking()
    send(explorer.upload, b"\xff")
    explorer.seed.value = 5
    assert not notice(explorer)
    send(explorer.upload, b"\xff")
    assert TEXT_STANDS in notice(explorer)


def test_the_same_file_can_be_sent_again_after_the_text_was_changed():
    explorer = explore_masking()
    send(explorer.upload, b"my own text")
    explorer.text.value = "spoilt"
    send(explorer.upload, b"my own text")
    assert explorer.text.value == "my own text"
    assert explorer.upload.button.value == ()


def test_a_good_file_clears_the_refusal_even_if_its_text_is_there_already():
    explorer = explore_masking("cat")
    send(explorer.upload, b"\xff")
    send(explorer.upload, b"cat")
    assert explorer.text.value == "cat" and not notice(explorer)


# Room in the picture


def visible_texts(figure):
    """All texts that are drawn, with the room that each takes."""
    found = []
    for ax in figure.axes:
        found += [child for child in ax.get_children() if isinstance(child, Text)]
        for axis, limits in ((ax.xaxis, ax.get_xlim()), (ax.yaxis, ax.get_ylim())):
            found.append(axis.label)
            ticks = zip(axis.get_ticklabels(), axis.get_ticklocs(), strict=True)
            found += [text for text, place in ticks if min(limits) <= place <= max(limits)]
    renderer = figure.canvas.get_renderer()
    return [(text.get_text(), text.get_window_extent(renderer)) for text in found
            if text.get_visible() and text.get_text()]


def crowded(figure, touching=3):
    """Texts that leave the picture, and pairs that overlap by more than a touch of corners."""
    texts, (width, height) = visible_texts(figure), figure.bbox.size
    outside = [text for text, room in texts if min(room.x0, room.y0) < 0
               or room.x1 > width + 0.01 or room.y1 > height + 0.01]
    overlapping = [(text, other) for (text, a), (other, b) in itertools.combinations(texts, 2)
                   if min(a.x1, b.x1) - max(a.x0, b.x0) > touching
                   and min(a.y1, b.y1) - max(a.y0, b.y0) > touching]
    return outside + overlapping


@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("caption", ["Worked example", "Uniform", "Confident and right",
                                     "Confident and wrong"])
def test_no_text_overlaps_another_or_leaves_the_picture(swap, caption, unit):
    swap.unit.value = unit
    click(swap, caption)
    for size in (4, 30_000, 250_002):
        swap.vocab_size.value = size
        assert not crowded(swap.figure.figure), size


@pytest.mark.parametrize("label_logit", [-10, 10])
@pytest.mark.parametrize("size", [4, 30_522])
def test_tiny_numbers_do_not_overlap(swap, label_logit, size):
    with swap.hold():
        swap.vocab_size.value = size
        swap.rest_logit.value = -10
        for control in swap.logits:
            control.value = -label_logit
        swap.logits[1].value = label_logit
    assert not crowded(swap.figure.figure)


@pytest.mark.parametrize("size", [4, 30_522])
@pytest.mark.parametrize("words", [("Donaudampfschiff", "Wwwwwwwwwwwwwwww", "mmmmmm", "WWWWWWWW"),
                                   ("internationalization",) * 4])
def test_long_words_do_not_overlap_or_leave_the_picture(words, size):
    slot = Slot(words, (1.0, 2.0, 0.0, 1.0), label=1, shown=0, vocab_size=size)
    assert not crowded(explore_softmax(WorkedExample(slot)).figure.figure)


@pytest.mark.parametrize("n_words", [6, 7, 8, 12])
def test_many_words_do_not_overlap(n_words):
    tokens = tuple(f"word{i}" for i in range(n_words))
    logits = tuple(index % 5 for index in range(n_words))
    slot = Slot(tokens, logits, label=1, shown=0, vocab_size=30_522)
    assert not crowded(explore_softmax(WorkedExample(slot)).figure.figure)


@pytest.mark.parametrize("unit", ["nats", "bits"])
@pytest.mark.parametrize("p", [1, 0.2, 0.05, 1e-9, 1e-300, 0])
def test_no_text_of_the_surprisal_plot_overlaps_or_leaves_it(surprisal, p, unit):
    surprisal.choose(unit=unit, probability=p)
    for size in (2, 250_002):
        surprisal.vocab_size.value = size
        assert not crowded(surprisal.figure.figure), size


@pytest.mark.parametrize("text", ["", "cat", "word " * 2000])
def test_no_text_of_the_branch_shares_overlaps_or_leaves_the_picture(text):
    explorer = explore_masking(text)
    for rate in (0.15, 1):
        explorer.mlm_probability.value = rate
        assert not crowded(explorer.figure.figure)


def test_type_is_14_points_or_larger(explorer):
    figure = explorer.figure.figure
    sizes = {text.get_fontsize() for text in figure.findobj(Text) if text.get_text()}
    assert min(sizes) >= 14
