"""The quiz that Canvas imports (QTI 1.2), written by text2qti, an optional package.

text2qti (https://github.com/gpoore/text2qti) knows what Canvas reads: numerical questions with a
tolerance, and groups of which each student gets a random question. It knows no feedback for single
wrong numbers, so the feedback on a wrong answer lists them all. There is no QTI 2.1: no kept
library writes it, and Canvas itself exports QTI 1.2.
"""

import io
import re
import zipfile
from html import escape
from importlib.util import find_spec

from mlm_helpers.exams.graded import graded_answer, graded_mistakes
from mlm_helpers.exams.texts import TITLE, derivation_html, question_html
from mlm_helpers.exercises.diagnosis import explain, right_text

_CLOCKLESS = (1980, 1, 1, 0, 0, 0)  # the first moment that a zip file knows
_LEAST = 1e-4  # Canvas takes what is nearer to 0 for 0
_COMMANDS = re.compile(r"[$\\`]")


def can_write():
    """Whether text2qti is installed."""
    return find_spec("text2qti") is not None


def canvas_question(exercise):
    """One question in text2qti's notation; each text is one line of HTML, which it leaves alone."""
    listed = "".join(f"<li>{graded.number}: {escape(explain(exercise, wrong))}</li>"
                     for wrong, graded in graded_mistakes(exercise))
    return "\n".join((
        f"1. {_line(question_html(exercise))}",
        f"... {_line(derivation_html(exercise))}",
        f"+ {_line(escape(right_text(exercise)))}",
        f"- {_line(f'Not right. Is your number one of these?<ul>{listed}</ul>')}",
        f"= {_accepted(graded_answer(exercise))}",
    ))


def canvas_package(questions):
    """The zip file that Canvas imports.

    Parameters
    ----------
    questions : list of (int, list of str)
        For each letter what it is worth, and its variants in text2qti's notation. They become a
        group, of which each student gets one at random.

    Returns
    -------
    bytes
        The same for the same questions, whenever and wherever it is made.
    """
    from text2qti.config import Config
    from text2qti.qti import QTI
    from text2qti.quiz import Quiz

    groups = [f"GROUP\npick: 1\npoints per question: {worth}\n\n" + "\n\n".join(variants)
              + "\n\nEND_GROUP" for worth, variants in questions]
    text = "\n\n".join([f"Quiz title: {TITLE}", *groups])
    quiz = Quiz(text, config=Config(), source_name="exam", resource_path=None)
    return _without_clock(QTI(quiz).zip_bytes())


def _accepted(graded):
    """A number and its tolerance; or from where to where, if an end is too near to 0 for Canvas."""
    number, tolerance = map(float, graded)
    ends = number - tolerance, number + tolerance
    if min(map(abs, ends)) >= _LEAST:
        return f"{graded.number} +- {graded.tolerance}" if tolerance else graded.number
    low, high = (end if abs(end) >= _LEAST else sign * _LEAST
                 for end, sign in zip(ends, (-1, 1), strict=True))
    return f"[{low:.4f}, {high:.4f}]"


def _line(html):
    html = _COMMANDS.sub(lambda sign: f"&#{ord(sign[0])};", html)
    return f"<div>{' '.join(html.split())}</div>"


def _without_clock(package):
    """The same files, without the time and without compression, which differs between systems."""
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(package)) as old, zipfile.ZipFile(stream, "w") as new:
        for name in old.namelist():
            entry = zipfile.ZipInfo(name, _CLOCKLESS)
            entry.create_system = 3
            new.writestr(entry, old.read(name))
    return stream.getvalue()
