"""The question bank that Moodle imports: its own XML, one numerical question for each exercise.

There is no schema of it. The rules are those of https://docs.moodle.org/en/Moodle_XML_format and of
the code that reads and writes it: public/question/format/xml/format.php (``import_numerical`` and
``writequestion``) and public/question/format.php (``importprocess``) in Moodle's repository. That
is: elements in the order in which Moodle exports them, HTML in CDATA, fractions that Moodle knows,
and an idnumber of at most 100 characters that no other question of its category has. An answer is
held against one number after the other and the first that is near enough decides (``get_matching_
answer`` in public/question/type/numerical/question.php), so "*", which is near to all, stands last.
"""

from html import escape
from xml.dom.minidom import Document

from mlm_helpers.exams.graded import graded_answer, graded_mistakes
from mlm_helpers.exams.papers import points
from mlm_helpers.exams.texts import derivation_html, question_html
from mlm_helpers.exercises.diagnosis import NOT_LISTED, explain, right_text

COURSE = "Masked language modelling"
_NO_UNITS = {"unitgradingtype": "0", "unitpenalty": "0.1", "showunits": "3", "unitsleft": "0"}
_PENALTY = "0.3333333"  # Moodle's own: what a further try costs, where a quiz allows one
_MAKE = Document()


def moodle_question(exercise, name):
    """One question: the right answer, the known mistakes, and whatever else.

    Parameters
    ----------
    exercise : Exercise
        What is asked.
    name : str
        The variant with leading zeros.

    Returns
    -------
    xml.dom.minidom.Element
    """
    answers = [_answer("100", graded_answer(exercise), right_text(exercise))]
    answers += [_answer("0", graded, explain(exercise, wrong))
                for wrong, graded in graded_mistakes(exercise)]
    answers.append(_answer("0", ("*", "0"), NOT_LISTED))
    return _element("question", [
        _element("name", [_text(f"Question {exercise.letter}, variant {name}")]),
        _html("questiontext", question_html(exercise)),
        _html("generalfeedback", derivation_html(exercise)),
        _element("defaultgrade", str(points(exercise))),
        _element("penalty", _PENALTY),
        _element("hidden", "0"),
        _element("idnumber", f"mlm-{exercise.letter}-{exercise.seed}-{name}"),
        *answers,
        *(_element(tag, value) for tag, value in _NO_UNITS.items()),
        _html("hint", _paragraph(exercise.hint)),
        _element("tags", [_element("tag", [_text(COURSE.lower())]),
                          _element("tag", [_text(f"scenario {exercise.letter}")])]),
    ], type="numerical")


def moodle_bank(seed, questions):
    """The whole file.

    Parameters
    ----------
    seed : int
        What decided the numbers; it stands only where teachers look.
    questions : dict of str to list of Element
        For each letter its variants. Each letter becomes a category, so that a quiz can give every
        student a random question of each.

    Returns
    -------
    bytes
    """
    content = []
    for letter, variants in questions.items():
        content += [_category(seed, letter), *variants]
    document = Document()
    document.appendChild(_element("quiz", content))
    return document.toprettyxml(indent=" ", encoding="UTF-8")


def _category(seed, letter):
    return _element("question", [
        _element("category", [_text(f"$course$/top/{COURSE}, seed {seed}/Question {letter}")]),
        _html("info", _paragraph(f"Variants of one question: give each student a random one. "
                                 f"Scenario {letter}, seed {seed}.")),
        _element("idnumber", f"mlm-{letter}-{seed}"),
    ], type="category")


def _answer(fraction, graded, feedback):
    number, tolerance = graded
    return _element("answer", [_text(number), _html("feedback", _paragraph(feedback)),
                               _element("tolerance", tolerance)],
                    fraction=fraction, format="moodle_auto_format")


def _element(tag, content, **attributes):
    """An element around a text or around other nodes."""
    element = _MAKE.createElement(tag)
    for name, value in attributes.items():
        element.setAttribute(name, value)
    for node in [_MAKE.createTextNode(content)] if isinstance(content, str) else content:
        element.appendChild(node)
    return element


def _text(plain):
    return _element("text", plain)


def _html(tag, html):
    """HTML in CDATA; where it holds the end of one, in words that mean the same."""
    section = _MAKE.createCDATASection(html.replace("]]>", "]]&gt;"))
    return _element(tag, [_element("text", [section])], format="html")


def _paragraph(plain):
    return f"<p>{escape(plain)}</p>"
