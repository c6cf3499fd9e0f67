"""Ribbons and tables, read back with an HTML parser."""

from html.parser import HTMLParser

import pytest

from mlm_helpers.examples import KEEP_UNCHANGED, RANDOM_SWAP, STANDARD_MASK
from mlm_helpers.ribbons import PER_LINE, PER_PAGE, Ribbon, slot_ribbon
from mlm_helpers.slots import Slot
from mlm_helpers.tables import cell, number_table, table
from test_wording import HOSTILE, MINUS, HtmlText

pytestmark = pytest.mark.filterwarnings("error")

IGNORED = f"{MINUS}100"


class Tables(HTMLParser):
    """The texts of all cells, row by row, and every tag with its attributes."""

    def __init__(self, html):
        super().__init__(convert_charrefs=True)
        self.rows, self.tags, self.captions, self.outside, self._open = [], [], [], "", []
        self.feed(html)
        self.close()
        assert not self._open, f"{self._open} never closed"

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag != "br":
            self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "caption":
            self.captions.append("")

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data
        elif "caption" in self._open:
            self.captions[-1] += data
        else:
            self.outside += data

    def styles(self):
        """The style of each cell, as a dict of its declarations."""
        return [dict(declaration.split(": ") for declaration in attributes["style"].split("; "))
                for tag, attributes in self.tags if tag in ("td", "th")]


def words(count):
    return [f"w{i}" for i in range(count)]


# The ribbon of an example


@pytest.mark.parametrize(
    ("example", "shown", "branch"),
    [(STANDARD_MASK, "[MASK]", "▣ mask"), (RANDOM_SWAP, "mat", "⇄ swap"),
     (KEEP_UNCHANGED, "cat", "= keep")],
    ids=["mask", "swap", "keep"],
)
def test_ribbon_of_a_worked_example(example, shown, branch):
    ribbon = slot_ribbon(example.sentence, example.position, example.slot)
    rows = [
        ["original", "The", "cat", "sat", "down", "."],
        ["input", "The", shown, "sat", "down", "."],
        ["label", IGNORED, "cat", IGNORED, IGNORED, IGNORED],
        ["branch", "", branch, "", "", ""],
    ]
    assert Tables(ribbon._repr_html_()).rows == rows
    assert [[heading, *(text or "" for text in texts)] for heading, texts in ribbon.rows()] == rows


def test_text_form_has_its_columns_under_one_another():
    ribbon = Ribbon(words(3), ["w0", "[MASK]", "a long word indeed"], {1: "mask", 2: "swap"})
    lines = repr(ribbon).split("\n")
    columns = [line.index(part) for line, part in
               zip(lines, ("w2", "a long word", "w2", "⇄ swap"), strict=True)]
    assert len(set(columns)) == 1
    assert "a long word i…" in lines[1]


def test_the_sentence_given_is_not_altered():
    sentence = ["The", "cat", "sat"]
    slot_ribbon(sentence, 1, RANDOM_SWAP.slot)
    assert sentence == ["The", "cat", "sat"]


# Any words


@pytest.mark.parametrize(("word", "shown"), HOSTILE.items(), ids=ascii)
def test_any_word_just_shows_in_each_of_its_rows(word, shown):
    slot = Slot((word, "cat"), (0.0, 0.0), label=0, shown=0)
    html = slot_ribbon(("The", "?", "sat"), 1, slot)._repr_html_()
    parsed = Tables(html)
    assert not HtmlText(html).holds_formula
    assert [row[2] for row in parsed.rows] == [shown, shown, shown, "= keep"]
    assert {tag for tag, _ in parsed.tags} - {"span"} == {"table", "tr", "th", "td"}
    assert all(set(attributes) <= {"style", "scope"} for _, attributes in parsed.tags)


@pytest.mark.parametrize("word", HOSTILE, ids=ascii)
def test_text_form_keeps_four_lines_whatever_the_word(word):
    ribbon = Ribbon([word, "cat"], ["[MASK]", "cat"], {0: "mask"})
    assert repr(ribbon).count("\n") == 3


# Long ribbons


@pytest.mark.parametrize(
    ("count", "pages"),
    [(0, 1), (1, 1), (PER_PAGE, 1), (PER_PAGE + 1, 2), (3 * PER_PAGE, 3), (3 * PER_PAGE + 1, 4)],
)
def test_pages_hold_every_token_once_and_in_order(count, pages):
    branches = {i: "mask" for i in range(0, count, 5)}
    ribbon = Ribbon(words(count), words(count), branches)
    parts = [ribbon.page(number) for number in range(1, pages + 1)]
    assert ribbon.n_pages == pages
    assert [token for part in parts for token in part.original] == words(count)
    labels = [text for part in parts for text in dict(part.rows())["label"]]
    assert [i for i, label in enumerate(labels) if label != IGNORED] == list(branches)


def test_lines_of_a_page_say_which_positions_they_hold():
    parsed = Tables(Ribbon(words(PER_PAGE), words(PER_PAGE), {})._repr_html_())
    assert parsed.captions == ["positions 0 to 11", "positions 12 to 23"]
    assert [len(row) for row in parsed.rows] == [1 + PER_LINE] * 8


def test_captions_of_a_later_page_count_from_the_start_of_the_text():
    parsed = Tables(Ribbon(words(60), words(60), {}).page(2)._repr_html_())
    assert parsed.captions == ["positions 24 to 35", "positions 36 to 47"]


def test_a_ribbon_without_tokens_says_so():
    parsed = Tables(Ribbon([], [], {})._repr_html_())
    assert "0 slots" in parsed.outside and not parsed.rows


# Looks


def test_every_cell_sets_its_text_and_its_ground_and_each_branch_has_its_own():
    ribbon = Ribbon(words(4), words(4), {0: "mask", 1: "swap", 2: "keep"})
    styles = Tables(ribbon._repr_html_()).styles()
    assert all({"color", "background"} <= set(style) for style in styles)
    first_row = [style["background"] for style in styles[1:5]]
    assert len(set(first_row)) == 4 and first_row[3] == "#ffffff"


@pytest.mark.parametrize("background", ["#cfe5f5", "#fbe3b5", "#cdebdf", "#ffffff"])
def test_black_text_has_contrast_enough_on_each_ground(background):
    def luminance(colour):
        channels = [int(colour[i:i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    assert background in Ribbon(words(4), words(4), {0: "mask", 1: "swap", 2: "keep"})._repr_html_()
    assert (luminance(background) + 0.05) / 0.05 >= 7


# Tables


def test_a_table_of_numbers_names_its_rows_and_columns():
    parsed = Tables(number_table(("word", "p"), [("cat", "0.5"), ("mat", "0.25")], "shares", 1))
    assert parsed.rows == [["word", "p"], ["cat", "0.5"], ["mat", "0.25"]]
    assert parsed.captions == ["shares"]
    scopes = [attributes.get("scope") for tag, attributes in parsed.tags if tag in ("td", "th")]
    assert scopes == ["col", "col", "row", None, "row", None]
    assert [style["font-weight"] for style in parsed.styles()[3::2]] == ["normal", "bold"]
    assert {style["text-align"] for style in parsed.styles()[3::2]} == {"right"}


def test_a_table_without_a_caption_has_none():
    assert Tables(table([[cell("td", "x")]])).captions == []
