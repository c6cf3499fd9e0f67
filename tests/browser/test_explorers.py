"""The explorers in JupyterLab and Chromium: what mouse, keys, boxes and files do to them.

The numbers are worked out here from the number boxes, with nothing from the package.
"""

import base64
import math

import pytest
from playwright.sync_api import expect

from lab_page import CORPUS, EMPTY, LIMITS, SEVERAL, START, SWAPPED, TOTAL, wait_until
from looks import LABEL_BLUE, assert_plot_on_white, pale_texts, pixels_of, screenshot

LISTED = ("dog", "cat", "mat", "owl")
NASTY = "<img src=x onerror=window.hacked=1> costs $5 🐈 猫"
NASTY_TOKENS = ["<", "img", "src", "=", "x", "onerror", "=", "window", ".", "hacked", "=", "1",
                ">", "costs", "$", "5", "🐈", "猫"]
SAMPLE_HEIGHTS = """root => {
    window.heights = new Set();
    const look = () => {
        window.heights.add(root.getBoundingClientRect().height);
        window.sampling = requestAnimationFrame(look);
    };
    look();
}"""


@pytest.fixture
def notebook(request, run):
    """The notebook that the test is about, run."""
    return run(request.node.get_closest_marker("notebook").args[0])


@pytest.fixture
def swapped(notebook):
    """The explorer of the swapped word, as it starts."""
    explorer = reset_explorer(notebook, "logit of cat")
    explorer.expect(swap_sentence((0.5, 1.5, 2.0, 0.5)))
    return explorer


@pytest.fixture
def masking(notebook):
    """The explorer of a text of one's own, as it starts."""
    explorer = reset_explorer(notebook, "your text")
    expect(explorer.sentence).to_contain_text("40 tokens, 6 slots (15.0 %)")
    return explorer


@pytest.fixture
def surprisal(notebook):
    """The explorer of one probability, as it starts."""
    explorer = reset_explorer(notebook, "probability p")
    explorer.expect("p = 0.5, surprisal 0.6931 nats, uniform ln 4 = 1.3863")
    return explorer


@pytest.fixture
def several(notebook):
    """The explorer of several slots, as it starts."""
    explorer = reset_explorer(notebook, "number of slots")
    explorer.expect(sum_sentence((0.4, 0.2)))
    return explorer


@pytest.fixture
def corpus(notebook):
    """The explorer of a corpus, as it starts."""
    explorer = reset_explorer(notebook, "corpus size in tokens")
    expect(explorer.sentence).to_contain_text("300 000 000 slots (15.0 %)")
    return explorer


def reset_explorer(notebook, label):
    """The explorer that has a control with this label, told to start anew."""
    explorer = notebook.explorer(label)
    explorer.click("Reset")
    return explorer


def softmax(logits):
    weights = [math.exp(logit) for logit in logits]
    return [weight / sum(weights) for weight in weights]


def swap_sentence(logits):
    """What the explorer must say where "cat" stood and the input shows "mat"."""
    _, cat, mat, _ = softmax(logits)
    return (f"P(cat) = {cat:.4f}, loss {-math.log(cat):.4f} nats, uniform ln 4 = 1.3863; "
            f"scored against mat by mistake: {-math.log(mat):.4f}")


def sum_sentence(probabilities):
    """What the explorer must say of several slots' sum, in a vocabulary of 30 000."""
    total, n_slots = -sum(map(math.log, probabilities)), len(probabilities)
    return (f"{n_slots} slots among 12 tokens, sum {total:.4f} nats, "
            f"product of p {math.prod(probabilities):.4f}; "
            f"uniform {n_slots * math.log(30_000):.4f}")


def logits_of(explorer):
    return [explorer.number(f"logit of {word}") for word in LISTED]


def picture_of(explorer):
    """The picture's pixels, from the page's own element."""
    data = explorer.picture.get_attribute("src").split(",", 1)[1]
    return pixels_of(base64.b64decode(data))


def bar_height(explorer):
    """Pixels of the label's bar with its outline: the longest blue column in the upper left."""
    pixels = picture_of(explorer)
    height, width, _ = pixels.shape
    upper_left = pixels[:int(0.55 * height), :int(0.57 * width)]
    return int((upper_left == LABEL_BLUE).all(axis=-1).sum(axis=0).max()) + 2


def a_file(path, content):
    path.write_bytes(content)
    return path


def cut_out(frame, place):
    """The part of a half-size picture of the screen that lies in a bounding box."""
    x, y, width, height = (round(place[name] / 2) for name in ("x", "y", "width", "height"))
    return pixels_of(frame)[y:y + height, x:x + width]


@pytest.mark.notebook(SWAPPED)
class TestSwappedWord:
    """B: a slot that shows the wrong word."""

    def test_arrow_key_moves_a_logit(self, swapped):
        before = swapped.picture.get_attribute("src")
        swapped.handle("logit of cat").press("ArrowRight")
        swapped.expect("P(cat) = 0.3167, loss 1.1498 nats, uniform ln 4 = 1.3863; "
                       "scored against mat by mistake: 0.7498")
        assert swapped.number("logit of cat") == 1.6
        assert swapped.picture.get_attribute("src") != before

    def test_typed_logit_is_taken(self, swapped):
        swapped.type_number("logit of mat", "-1.25")
        swapped.expect(swap_sentence((0.5, 1.5, -1.25, 0.5)))

    def test_drag_moves_the_bar_with_the_numbers(self, swapped):
        low, p_before = bar_height(swapped), softmax(logits_of(swapped))[1]
        swapped.drag("logit of cat", 60)
        swapped.expect_sentence_of(lambda: swap_sentence(logits_of(swapped)))
        p_after = softmax(logits_of(swapped))[1]
        assert p_after > 2 * p_before
        assert bar_height(swapped) == pytest.approx(low * p_after / p_before, abs=3)

    def test_drag_shows_a_whole_picture_in_every_frame(self, swapped):
        """No blank in between; and the page keeps its height: the mouse keeps the handle."""
        swapped.root.evaluate(SAMPLE_HEIGHTS)
        with swapped.filmed() as frames:
            place = swapped.picture.bounding_box()
            for distance in (90, -90):
                swapped.drag("logit of cat", distance, steps=30)
            swapped.expect_sentence_of(lambda: swap_sentence(logits_of(swapped)))
        swapped.page.evaluate("cancelAnimationFrame(window.sampling)")
        assert swapped.page.evaluate("window.heights.size") == 1
        pictures = [cut_out(frame, place) for frame in frames]
        assert len({picture.tobytes() for picture in pictures}) > 5
        # a blank has no ink at all; on a busy machine a part of the page is painted a frame later
        assert min((picture < 200).any(axis=-1).mean() for picture in pictures) > 0.005

    def test_presets_and_reset(self, swapped):
        swapped.click("Uniform")
        swapped.expect("P(cat) = 0.2500, loss 1.3863 nats, uniform ln 4 = 1.3863; "
                       "scored against mat by mistake: 1.3863")
        assert logits_of(swapped) == [0, 0, 0, 0]
        swapped.click("Reset")
        swapped.expect("P(cat) = 0.2955, loss 1.2192 nats, uniform ln 4 = 1.3863; "
                       "scored against mat by mistake: 0.7192")
        assert logits_of(swapped) == [0.5, 1.5, 2, 0.5]

    def test_number_out_of_range_is_refused_and_the_old_one_stands(self, swapped):
        before = swapped.picture.get_attribute("src")
        swapped.type_number("logit of cat", "99")
        expect(swapped.notice).to_contain_text("99 is not possible for “logit of cat”")
        expect(swapped.notice).to_contain_text("from −10 to 10")
        expect(swapped.box("logit of cat")).to_have_value("1.5")
        assert swapped.picture.get_attribute("src") == before
        swapped.handle("logit of cat").press("ArrowLeft")
        swapped.expect(swap_sentence((0.5, 1.4, 2.0, 0.5)))
        expect(swapped.notice).to_have_count(0)

    def test_dark_theme(self, swapped, lab_page):
        lab_page.use_theme("Dark")
        assert_plot_on_white(screenshot(swapped.picture))
        assert pale_texts(swapped.root) == {}
        swapped.click("Project")  # on white, whatever the theme
        assert pale_texts(swapped.root) == {}
        swapped.click("Back to the page")
        lab_page.use_theme("Light")

    @pytest.mark.parametrize("width, height", [(1280, 720), (1920, 1080)])
    def test_projected_the_picture_fills_the_window(self, swapped, width, height):
        """With the file list open, too; the sliders stand below the picture."""
        page, before = swapped.page, swapped.page.viewport_size
        page.set_viewport_size({"width": width, "height": height})
        swapped.click("Reset")
        swapped.click("Project")
        expect(swapped.picture).to_have_js_property("naturalWidth", 1920)
        shown = swapped.picture.evaluate("image => image.clientWidth")
        assert shown > 0.88 * width
        assert 14 / 72 * 200 * shown / 1920 >= 24  # pixels of type: read at a quarter of the screen
        assert_plot_on_white(pixels_of(swapped.picture.screenshot()))
        swapped.handle("logit of cat").press("ArrowRight")
        expect(swapped.sentence).to_contain_text("P(cat) = 0.3167")
        swapped.click("Back to the page")
        expect(swapped.picture).to_have_js_property("naturalWidth", 960)
        swapped.click("Reset")
        page.set_viewport_size(before)

    def test_forecast_of_a_room_is_drawn_beside_the_truth(self, notebook):
        forecast = notebook.panel.locator(".mlm-page").first
        forecast.get_by_role("button", name="The whole class guesses").click()
        for name, typed in (("Loss (nats)", "1"), ("guess 2", "0,7"), ("guess 3", "2")):
            forecast.get_by_label(name, exact=True).fill(typed)
        for name, hands in (("smaller", "3"), ("larger", "9")):
            for place in (0, 1):
                box = forecast.get_by_label(name, exact=True).nth(place)
                box.fill(hands)
                box.press("Enter")
        forecast.get_by_role("button", name="Lock in our forecast").click()
        assert_plot_on_white(screenshot(forecast.locator("img")))
        expect(forecast).to_contain_text("1.2333 nats (mean of 3)")
        expect(forecast).to_contain_text("1.2192 nats")
        expect(forecast).to_contain_text("75 % were right")

    def test_a_wrong_answer_is_understood(self, notebook):
        practice = notebook.panel.locator(".mlm-page").nth(1)
        answer = practice.get_by_label("answer (nats)", exact=True)
        answer.fill("-1.3481")  # exercise 0 of B is worth 1.3481
        answer.press("Enter")
        expect(practice.get_by_role("alert")).to_contain_text("you forgot the minus")
        answer.fill("1,35")
        practice.get_by_role("button", name="Check").click()
        expect(practice).to_contain_text("Right: 1.3481 nats.")
        expect(practice).to_contain_text("Solved 1 of 1 exercise seen.")


@pytest.mark.notebook(START)
class TestStart:
    """A text of one's own, and one probability."""

    def test_probability_goes_down_to_the_impossible(self, surprisal):
        surprisal.handle("probability p").press("ArrowRight")
        surprisal.expect("p = 0.51, surprisal 0.6733 nats, uniform ln 4 = 1.3863")
        surprisal.handle("probability p").press("Home")
        surprisal.expect("p = 0, surprisal ∞ nats, uniform ln 4 = 1.3863")
        assert_plot_on_white(picture_of(surprisal))

    def test_text_of_any_kind_is_shown_as_text(self, masking):
        masking.box("your text").fill(NASTY)
        expect(masking.sentence).to_contain_text("20 tokens, 3 slots (15.0 %)")
        original = masking.root.get_by_role("row").filter(has_text="original").get_by_role("cell")
        expect(original).to_have_text(["[CLS]", *NASTY_TOKENS, "[SEP]"])
        expect(masking.root.locator("img")).to_have_count(1)
        assert masking.page.evaluate("window.hacked") is None

    @pytest.mark.parametrize(("name", "content", "complaint"), [
        ("big.txt", b"a " * 500_001, "big.txt has 1,000,002 bytes and the limit is 1,000,000"),
        ("latin.txt", b"caf\xe9", "latin.txt is not UTF-8 at byte 3"),
        ("empty.txt", b"", "empty.txt is empty, it has 0 bytes"),
    ], ids=["too large", "not UTF-8", "empty"])
    def test_file_that_cannot_be_read_is_refused(self, masking, tmp_path, name, content,
                                                 complaint):
        text = masking.box("your text").input_value()
        before = masking.picture.get_attribute("src")
        masking.upload(a_file(tmp_path / name, content))
        expect(masking.notice).to_contain_text(complaint)
        assert masking.box("your text").input_value() == text
        assert masking.picture.get_attribute("src") == before

    def test_file_that_breaks_the_connection_is_refused_and_the_next_one_taken(
            self, masking, tmp_path):
        """Jupyter's server closes the connection at a message of more than 10 MiB."""
        connections = []
        masking.page.on("websocket", lambda connection: connections.append(connection))
        text = masking.box("your text").input_value()
        for name in ("huge.txt", "huge2.txt"):
            masking.upload(a_file(tmp_path / name, b"a " * 5_500_000))
            expect(masking.notice).to_contain_text(f"{name} has 11,000,000 bytes and the limit is")
            assert masking.box("your text").input_value() == text
            n_times = 1 if name == "huge.txt" else 2
            wait_until(masking.page, lambda n_times=n_times: len(connections) == n_times)
        masking.upload(a_file(tmp_path / "small.txt", b"a cat"))
        expect(masking.box("your text")).to_have_value("a cat")
        expect(masking.sentence).to_contain_text("4 tokens, 1 slot (25.0 %)")
        expect(masking.notice).to_have_count(0)


@pytest.mark.notebook(EMPTY)
class TestEmptyMask:
    """D: a sequence without a slot."""

    def test_short_sequence_goes_without_a_slot(self, notebook):
        explorer = notebook.explorer("sequence length")
        explorer.type_number("sequence length", "10")
        expect(explorer.sentence).to_contain_text("BERT 0.0 %, Hugging Face 19.7 %")
        explorer.click("1 token")
        expect(explorer.sentence).to_contain_text("Hugging Face 85.0 %, fairseq 85.0 %")
        before = explorer.picture.get_attribute("src")
        explorer.type_number("special tokens in it", "3")
        expect(explorer.notice).to_contain_text("3 special tokens do not fit")
        assert explorer.picture.get_attribute("src") == before
        explorer.click("Reset")
        expect(explorer.sentence).to_contain_text("4 tokens at 15.0 %")


@pytest.mark.notebook(LIMITS)
class TestLimits:
    """E: the limits of a loss."""

    def test_loss_above_the_uniform_line_is_shown_as_any_other(self, notebook):
        explorer = notebook.explorer("probability p")
        explorer.click("Confidently wrong, V = 4")
        expect(explorer.sentence).to_contain_text("loss 10.0001 nats")
        expect(explorer.sentence).to_contain_text(
            "uniform ln 4 = 1.3863, 8.6138 nats above uniform")
        explorer.handle("probability p").press("End")
        expect(explorer.sentence).to_contain_text("p = 1, loss 0.0000 nats, perplexity 1.00;")
        explorer.type_number("probability p", "0")
        expect(explorer.notice).to_contain_text("0 is not possible for “probability p”")
        explorer.click("Reset")
        expect(explorer.sentence).to_contain_text("exactly uniform")


@pytest.mark.notebook(SEVERAL)
class TestSeveralSlots:
    """F: the sum over several slots."""

    def test_drag_of_one_slot_moves_the_sum(self, several):
        several.drag("p of slot 1", -40)
        several.expect_sentence_of(lambda: sum_sentence((several.number("p of slot 1"), 0.2)))
        assert several.number("p of slot 1") < 0.4

    def test_slots_are_added_and_averaged(self, several):
        several.handle("number of slots").press("ArrowRight")
        several.expect(sum_sentence((0.4, 0.2, 0.5)))
        several.box("one number by").select_option("mean over the slots")
        expect(several.sentence).to_contain_text("mean over the slots 1.0730 nats")
        several.click("Twelve slots")
        expect(several.box("p of slot 12")).to_be_visible()
        several.click("Reset")
        expect(several.box("p of slot 12")).to_have_count(0)


@pytest.mark.notebook(CORPUS)
class TestCorpus:
    """G: the slots of a corpus."""

    def test_corpus_counts_follow_their_assumptions(self, corpus):
        corpus.click("128-token sequences, BERT's rounding")
        expect(corpus.sentence).to_contain_text("296 875 000 slots (14.8 %)")
        corpus.click("512 tokens, at most 20")
        expect(corpus.sentence).to_contain_text("78 125 000 slots (3.9 %)")
        corpus.click("10 trillion")
        expect(corpus.sentence).to_contain_text("1 500 000 000 000 slots (15.0 %)")

    def test_split_that_does_not_add_up_is_refused(self, corpus):
        before = corpus.picture.get_attribute("src")
        corpus.type_number("type a split", "80/20/20")
        expect(corpus.notice).to_contain_text("80/20/20 adds up to 120")
        assert corpus.picture.get_attribute("src") == before
        corpus.type_number("type a split", "0/100/0")
        expect(corpus.sentence).to_contain_text("300 000 000 ± 0 swap")


@pytest.mark.notebook(TOTAL)
class TestTotal:
    """H: the total with the next sentence."""

    def test_next_sentence_is_given_by_two_logits(self, notebook):
        explorer = notebook.explorer("number of slots")
        explorer.box("next sentence given by").select_option("two logits")
        expect(explorer.sentence).to_contain_text("next sentence 0.1269 = total 2.6527 nats")
        explorer.box("right label").select_option("B is random (1)")
        expect(explorer.sentence).to_contain_text("next sentence 2.1269 = total 4.6527 nats")
        explorer.click("No slot")
        expect(explorer.sentence).to_contain_text("0 slots, sum 0.0000 + next sentence 2.1269")
        explorer.click("Reset")
        expect(explorer.sentence).to_contain_text("total 2.6311 nats; next sentence 4.0 %")
