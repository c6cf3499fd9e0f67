"""What students and lecturers hold in their hands, read as HTML and printed by a browser."""

import re
from html.parser import HTMLParser

import pytest

from accessibility import findings
from exam_files import LETTERS, SEED, exercises, papers
from lab import skip_unless_on_ci
from mlm_helpers.exams.key import key_page
from mlm_helpers.exams.pages import exam_page, exam_pages
from mlm_helpers.exams.papers import draw_papers
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.wording import decimal, rough

SHEETS = {"A4": (210, 297), "Letter": (216, 279)}
MARGINS = {"width": 34, "height": 32}  # mm, left and right, top and bottom
SMALLEST = 11  # pt
PX_PER_MM, PT_PER_PX = 96 / 25.4, 0.75
SIZES = """() => [...document.querySelectorAll("body *")]
    .filter(each => [...each.childNodes].some(node => node.nodeType === 3 && node.data.trim())
                    && !each.closest("math"))
    .map(each => parseFloat(getComputedStyle(each).fontSize))"""
BEYOND = """() => [...document.querySelectorAll("body *")].filter(
    each => each.getBoundingClientRect().right > innerWidth + 0.5).map(each => each.outerHTML)"""
WIDTH = """word => {
    const span = document.body.appendChild(document.createElement("span"));
    span.textContent = word;
    return span.getBoundingClientRect().width / parseFloat(getComputedStyle(span).fontSize);
}"""
ARIAL_WIDTH = 6.39  # of "hamburgefons", in font sizes; Helvetica's and Liberation Sans's too


class Outline(HTMLParser):
    """A page's headings, its tags, what it loads, and its text without what styles it."""

    def __init__(self, html):
        super().__init__()
        self.headings, self.tags, self.loads, self.texts, self.attributes = [], [], [], [], {}
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.setdefault(tag, dict(attributes))
        self.loads += [value for name, value in attributes
                       if name in ("src", "href", "srcset", "data", "poster")]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))

    def handle_data(self, text):
        if self.tags and self.tags[-1] != "style":
            self.texts.append(text)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())


def pages():
    return {"page": exam_page(papers()[0]), "all pages": exam_pages(papers()),
            "key": key_page(papers(), SEED)}


@pytest.fixture(scope="module", params=["page", "all pages", "key"])
def html(request):
    """Each kind of page."""
    return pages()[request.param]


def numbers_of_answer(exercise):
    """How the answer would be written, were it there."""
    if exercise.is_count:
        return set()  # "3" says nothing: a count may well be among the givens
    return {f"{exercise.answer:.{places}f}" for places in (3, 4, 6)}


def test_page_stands_alone(html):
    outline = Outline(html)
    assert outline.loads == [] and "script" not in outline.tags and "link" not in outline.tags
    assert "url(" not in html and "@import" not in html
    for address in re.findall(r"https?://[^\"' <]+", html):
        assert address == "http://www.w3.org/1998/Math/MathML"  # a name, which nobody fetches


def test_page_says_what_it_is(html):
    outline = Outline(html)
    assert html.startswith("<!DOCTYPE html>") and outline.attributes["html"] == {"lang": "en"}
    assert re.search("<title>[^<]{10,}</title>", html)
    assert outline.attributes["meta"] == {"charset": "utf-8"}


def test_headings_come_in_order(html):
    headings = Outline(html).headings
    assert headings[0] == 1
    assert all(after - before <= 1 for before, after in zip(headings, headings[1:], strict=False))


def test_no_answer_and_no_seed_stand_in_the_source():
    for paper in papers():
        html = exam_page(paper)
        assert str(SEED) not in html
        for exercise in paper.exercises:
            assert not [number for number in numbers_of_answer(exercise) if number in html]
            assert exercise.hint not in html and "Step 1" not in html


def test_page_has_what_a_student_needs():
    for paper in papers():
        text = Outline(exam_page(paper)).text
        assert f"Variant {paper.name}" in text and "Name" in text and "Date" in text
        assert text.count("Working") == text.count("Answer:") == len(LETTERS)
        for number, exercise in enumerate(paper.exercises, start=1):
            worth = len(exercise.steps)
            assert re.search(rf"Question {number} of {len(LETTERS)} {worth} points?\b", text)
            for said in (exercise.story, exercise.question, exercise.accepts):
                assert " ".join(said.split()) in text
            for row in (exercise.givens.head, *exercise.givens.rows):
                assert all(" ".join(cell.split()) in text for cell in row)


def test_all_pages_are_the_pages():
    together = exam_pages(papers())
    for paper in papers():
        assert re.search("<article.*</article>", exam_page(paper), re.DOTALL)[0] in together
    assert together.count("<article") == len(papers())


def test_pages_differ():
    assert len({exam_page(paper) for paper in papers()}) == len(papers())


def test_key_holds_every_number():
    text = Outline(key_page(papers(), SEED)).text
    assert str(SEED) in text
    for exercise in exercises():
        if not exercise.is_count:
            assert text.count(decimal(exercise.answer)) >= 2
        for wrong in exercise.wrong_answers:
            name = wrong.mistake.replace("_", " ")
            number = " ".join(rough(wrong.value).split())  # as the outline has its spaces
            assert re.search(rf"{name} [^a-z]*{re.escape(number)}", text)


def test_key_explains_every_mistake():
    text = Outline(key_page(papers(), SEED)).text
    made = {wrong.mistake for exercise in exercises() for wrong in exercise.wrong_answers}
    assert all(" ".join(MISTAKES[mistake].what.split()) in text for mistake in made)
    assert f"{len(papers()[0].exercises[0].steps)} points" in text


@pytest.fixture(scope="module")
def tab(chromium):
    """A page of a browser that may load nothing."""
    context = chromium.new_context(offline=True)
    yield context.new_page()
    context.close()


def show(tab, html, sheet="A4"):
    """Lay the document out as on paper: as wide as the sheet without its margins."""
    width, height = SHEETS[sheet]
    tab.emulate_media(media="print")
    tab.set_viewport_size({"width": int((width - MARGINS["width"]) * PX_PER_MM),
                           "height": int((height - MARGINS["height"]) * PX_PER_MM)})
    tab.set_content(html)


def sheets(tab, sheet):
    """How many sheets the browser prints."""
    return len(re.findall(rb"/Type\s*/Page\b", tab.pdf(format=sheet)))


@pytest.mark.parametrize("sheet", SHEETS)
def test_nothing_is_cut(tab, sheet):
    """Neither at the right nor within a question, which must fit on one sheet."""
    for html in pages().values():
        show(tab, html, sheet)
        assert tab.evaluate(BEYOND) == []
    show(tab, exam_page(papers()[0]), sheet)
    usable = (SHEETS[sheet][1] - MARGINS["height"]) * PX_PER_MM
    heights = [part.bounding_box()["height"] for part in tab.locator(".question").all()]
    assert len(heights) == len(LETTERS) and max(heights) < usable


@pytest.mark.parametrize("sheet", SHEETS)
def test_two_questions_share_a_sheet(tab, sheet):
    """So four fit on one leaf, printed on both sides."""
    show(tab, exam_page(papers()[0]), sheet)
    assert sheets(tab, sheet) <= (len(LETTERS) + 1) // 2


def test_all_pages_begin_on_sheets_of_their_own(tab):
    show(tab, exam_page(papers()[0]))
    single = sheets(tab, "A4")
    show(tab, exam_pages(papers()))
    assert sheets(tab, "A4") >= single * len(papers())


def test_text_is_large_enough(tab):
    for html in pages().values():
        show(tab, html)
        assert min(tab.evaluate(SIZES)) * PT_PER_PX >= SMALLEST


def test_pages_are_accessible(tab):
    for html in (exam_page(papers()[0]), key_page(papers()[:2], SEED)):
        show(tab, html)
        assert findings(tab.locator("html")) == []


def test_key_is_short_enough_to_mark_from(tab):
    """Two lines for a question of a variant, at most, beside the schemes."""
    many = draw_papers(SEED, 60, LETTERS)
    show(tab, key_page(many, SEED))
    if tab.evaluate(WIDTH, "hamburgefons") > 1.03 * ARIAL_WIDTH:
        skip_unless_on_ci("no letters here as narrow as Arial's: install fonts-liberation")
    assert sheets(tab, "A4") < 60 * len(LETTERS) / 16 + 3 * len(LETTERS) + 4
