"""The Moodle file by the rules of Moodle's importer, which ``exams.moodle`` names."""

import re
from functools import cache
from xml.etree import ElementTree

import pytest

from exam_files import LETTERS, SEED, exercises, papers
from mlm_helpers.exams.moodle import moodle_bank, moodle_question
from mlm_helpers.exercises.diagnosis import NOT_LISTED
from mlm_helpers.exercises.mistakes import MISTAKES

ORDER = ["name", "questiontext", "generalfeedback", "defaultgrade", "penalty", "hidden",
         "idnumber", "answer", "unitgradingtype", "unitpenalty", "showunits", "unitsleft", "hint",
         "tags"]
ONCE = set(ORDER) - {"answer", "hint"}
EPSILON = 1e-14  # what Moodle adds to a tolerance: ten to the minus PHP's precision


@cache
def bank():
    """The file, made once."""
    questions = {letter: [] for letter in LETTERS}
    for paper in papers():
        for exercise in paper.exercises:
            questions[exercise.letter].append(moodle_question(exercise, paper.name))
    return moodle_bank(SEED, questions)


@cache
def quiz():
    return ElementTree.fromstring(bank())


def questions():
    return quiz().findall("question[@type='numerical']")


def in_order():
    return sorted(exercises(), key=lambda exercise: (LETTERS.index(exercise.letter),
                                                     exercise.variant))


def pairs():
    return zip(questions(), in_order(), strict=True)


def matching(question, value):
    """The first answer that is near enough, as Moodle looks for it."""
    for answer in question.findall("answer"):
        number = answer.findtext("text")
        if number == "*":
            return answer
        tolerance, number = float(answer.findtext("tolerance")), float(number)
        reach = tolerance + EPSILON * max(tolerance, abs(number), EPSILON)
        if number - reach <= value <= number + reach:
            return answer
    return None


def feedback(answer):
    return answer.findtext("feedback/text")


def test_file_begins_with_its_declaration():
    """Moodle wants nothing before it, and UTF-8."""
    assert bank().startswith(b'<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n')
    assert quiz().tag == "quiz" and {child.tag for child in quiz()} == {"question"}


def test_each_letter_is_a_category_before_its_questions():
    kinds = [question.get("type") for question in quiz()]
    assert kinds == (["category"] + ["numerical"] * len(papers())) * len(LETTERS)
    for category, letter in zip(quiz().findall("question[@type='category']"), LETTERS, strict=True):
        path = category.findtext("category/text")
        assert path.startswith("$course$/top/") and path.endswith(f"/Question {letter}")
        assert len(path.split("/")) == 4, "a stroke in a name would make a category of its own"
        assert category.find("info").get("format") == "html"


def test_elements_are_those_that_moodle_writes_in_its_order():
    for question in questions():
        tags = [child.tag for child in question]
        assert [tag for place, tag in enumerate(tags) if tag not in tags[:place]] == ORDER
        assert all(tags.count(tag) == 1 for tag in ONCE)


def test_texts_stand_in_text_elements():
    for question in questions():
        assert question.findtext("name/text").strip()
        for tag in ("questiontext", "generalfeedback", "hint"):
            (element,) = question.findall(tag)
            assert element.get("format") == "html" and element.findtext("text").strip()
        assert all(tag.findtext("text") for tag in question.findall("tags/tag"))


def test_html_is_in_cdata():
    """Each markup that stands in the file outside CDATA is Moodle's own."""
    raw = bank().decode()
    assert raw.count("<![CDATA[") == raw.count("]]>")
    outside = re.sub(r"<!\[CDATA\[.*?\]\]>", "", raw, flags=re.DOTALL)
    assert set(re.findall(r"<(\w+)", outside)) <= {
        *ORDER, "quiz", "question", "category", "info", "text", "tag", "feedback", "tolerance"}
    assert "&lt;" not in outside and "<math" in raw


def test_settings_are_numbers_that_moodle_takes():
    for question, exercise in pairs():
        assert int(question.findtext("defaultgrade")) == len(exercise.steps)
        assert question.findtext("penalty") == "0.3333333"  # else it is rounded to this
        assert question.findtext("hidden") == "0"
        assert question.findtext("showunits") == "3"  # no units


def test_idnumbers_are_short_and_unique():
    for tag in ("numerical", "category"):
        found = [question.findtext("idnumber") for question in
                 quiz().findall(f"question[@type='{tag}']")]
        assert len(set(found)) == len(found) and all(0 < len(each) <= 100 for each in found)


def test_names_fit_the_column():
    assert all(len(question.findtext("name/text")) <= 255 for question in questions())


def test_answers_have_fraction_tolerance_and_feedback():
    for question in questions():
        answers = question.findall("answer")
        assert [answer.get("fraction") for answer in answers] == (
            ["100"] + ["0"] * (len(answers) - 1))
        assert [answer.findtext("text") for answer in answers].index("*") == len(answers) - 1
        for answer in answers:
            assert [child.tag for child in answer] == ["text", "feedback", "tolerance"]
            assert float(answer.findtext("tolerance")) >= 0 and feedback(answer)
            number = answer.findtext("text")
            assert number == "*" or re.fullmatch(r"-?\d+(\.\d+)?", number)


def test_right_answers_are_graded_right():
    for question, exercise in pairs():
        for places in (2, 4, 9):
            value = round(exercise.answer, 0 if exercise.is_count else places)
            answer = matching(question, value)
            assert answer.get("fraction") == "100" and "Right" in feedback(answer)


def test_known_mistakes_are_named_with_their_remedy():
    seen = set()
    for question, exercise in pairs():
        for wrong in exercise.wrong_answers:
            value = wrong.value if exercise.is_count else round(wrong.value, 4)
            answer = matching(question, value)
            assert answer.get("fraction") == "0"
            assert feedback(answer) != f"<p>{NOT_LISTED}</p>"
            seen.add(wrong.mistake)
    assert seen <= set(MISTAKES)


def test_any_other_number_is_wrong():
    for question in questions():
        answer = matching(question, 987654.321)
        assert answer.get("fraction") == "0" and feedback(answer) == f"<p>{NOT_LISTED}</p>"


def test_question_text_does_not_tell_the_answer():
    for question, exercise in pairs():
        if not exercise.is_count:
            assert f"{exercise.answer:.4f}" not in question.findtext("questiontext/text")


def test_end_of_cdata_in_a_text_is_harmless():
    from dataclasses import replace
    strange = replace(in_order()[0], story="a ]]> b <b> & c")
    (question,) = ElementTree.fromstring(
        moodle_bank(SEED, {"A": [moodle_question(strange, "001")]})).findall(
        "question[@type='numerical']")
    assert "a ]]&gt; b &lt;b&gt; &amp; c" in question.findtext("questiontext/text")


@pytest.mark.parametrize("letter", LETTERS)
def test_feedback_is_html_with_formulas(letter):
    question = questions()[LETTERS.index(letter) * len(papers())]
    derivation = question.findtext("generalfeedback/text")
    assert "Step 1." in derivation and "<math" in derivation and "$" not in derivation
