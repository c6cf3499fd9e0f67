"""The quiz for Canvas: what text2qti makes of the questions."""

import io
import zipfile
from functools import cache
from html import unescape
from xml.etree import ElementTree

import pytest

from exam_files import LETTERS, SEED, exercises, papers
from mlm_helpers.exams.canvas import _accepted, canvas_package, canvas_question
from mlm_helpers.exams.graded import Graded
from mlm_helpers.exams.papers import points
from mlm_helpers.exams.texts import derivation_html, question_html

NAMES = {"q": "http://www.imsglobal.org/xsd/ims_qtiasiv1p2"}


def package(variants=3):
    questions = [(points(exercise), []) for exercise in papers(variants)[0].exercises]
    for paper in papers(variants):
        for (_, texts), exercise in zip(questions, paper.exercises, strict=True):
            texts.append(canvas_question(exercise))
    return canvas_package(questions)


@cache
def made():
    """The package, made once."""
    return package()


def in_order():
    return sorted(exercises(3), key=lambda exercise: (LETTERS.index(exercise.letter),
                                                      exercise.variant))


def quiz():
    with zipfile.ZipFile(io.BytesIO(made())) as files:
        assert "imsmanifest.xml" in files.namelist() and files.testzip() is None
        (name,) = [name for name in files.namelist() if name.count("text2qti_assessment") == 2]
        return ElementTree.fromstring(files.read(name))


def items():
    return zip(quiz().iterfind(".//q:item", NAMES), in_order(), strict=True)


def test_one_of_each_group_is_drawn():
    groups = quiz().findall("q:assessment/q:section/q:section", NAMES)
    assert len(groups) == len(LETTERS)
    for group, exercise in zip(groups, papers(3)[0].exercises, strict=True):
        assert group.findtext(".//q:selection_number", "", NAMES) == "1"
        assert float(group.findtext(".//q:points_per_item", "", NAMES)) == points(exercise)
        assert len(group.findall("q:item", NAMES)) == 3


def test_tolerance_is_the_exercise_s():
    for item, exercise in items():
        low = float(item.findtext(".//q:vargte", "", NAMES))
        high = float(item.findtext(".//q:varlte", "", NAMES))
        given = round(exercise.answer, 0 if exercise.is_count else 2)
        assert low <= given <= high
        assert high - low <= 2 * exercise.tolerance + 1e-9


@pytest.mark.parametrize("graded, expected", [
    (("1.4197", "0.005"), "1.4197 +- 0.005"), (("12", "0"), "12"),
    (("0", "0"), "[-0.0001, 0.0001]"), (("0", "0.005"), "0 +- 0.005"),
    (("0.005", "0.005"), "[-0.0001, 0.0100]"), (("-0.005", "0.005"), "[-0.0100, 0.0001]")])
def test_an_end_near_zero_is_moved_to_where_canvas_can_tell(graded, expected):
    """Canvas takes all that is nearer to 0 for 0, and text2qti refuses to write it."""
    assert _accepted(Graded(*graded)) == expected
    canvas_package([(1, [f"1. How much?\n= {expected}"])])


def test_texts_arrive_as_they_are():
    """text2qti reads Markdown and LaTeX; of our HTML it must change nothing."""
    for item, exercise in items():
        texts = ["".join(text.itertext()) for text in item.iterfind(".//q:mattext", NAMES)]
        for expected in (question_html(exercise), derivation_html(exercise)):
            expected = unescape(" ".join(expected.split()))
            assert any(expected in unescape(text) for text in texts)


def test_every_known_mistake_is_listed():
    for item, exercise in items():
        feedback = "".join("".join(text.itertext())
                           for text in item.iterfind(".//q:itemfeedback", NAMES))
        assert feedback.count("<li>") == len({round(wrong.value, 4)
                                              for wrong in exercise.wrong_answers})


def test_package_has_no_clock_and_no_seed():
    with zipfile.ZipFile(io.BytesIO(made())) as files:
        assert {entry.date_time for entry in files.infolist()} == {(1980, 1, 1, 0, 0, 0)}
        assert not any(str(SEED).encode() in files.read(name) for name in files.namelist())
    assert package() == made()
