"""A notebook as it is handed out on paper: no code, room to write, and the answers at the end."""

import ast
import re
from html import escape
from itertools import chain, starmap
from itertools import count as numbers

from mlm_helpers.checks import check_choice
from mlm_helpers.classroom.forecasts import FORECASTS
from mlm_helpers.classroom.recall import CARDS
from mlm_helpers.documents import document
from mlm_helpers.exercises import draw_exercise
from mlm_helpers.typeset import typeset

N_EXERCISES = 3
_LOOK = """
.room { border: 1px solid #999; margin: 1mm 0 4mm }
.question, figure, table, math[display=block] { break-inside: avoid }
figure { margin: 2mm 0 }
img { max-width: 100%; max-height: 120mm }
pre { border-left: 1mm solid #999; font: 11pt/1.4 monospace; padding-left: 3mm;
  white-space: pre-wrap }
blockquote { border-left: 1mm solid #e69f00; margin: 2mm 0; padding-left: 3mm }
table { border-collapse: collapse }
td, th { border: 1px solid #999; padding: 1mm 2mm }
.answers { break-before: page }
.answers h3 { float: left; margin: 0 3mm 0 0 }
math[display=block] { margin: 2mm 0 }
"""
_NOT_ON_PAPER = ("notes", "skip")  # what a lecturer says, and what is for the screen alone
_ON_SCREEN = re.compile(r"<button.*?</button>[^.\n]*\.")
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:)[^)]+\)")


def handout(notebook):
    """One notebook as an HTML document.

    Parameters
    ----------
    notebook : nbformat.NotebookNode
        Executed: what its cells show is taken from the stored outputs.

    Returns
    -------
    str
        A document that needs no network. Under each question is room to write; what was asked in
        forecast, practice and recall is answered on the last pages.

    Raises
    ------
    ValueError
        When the notebook begins with no title, none of its cells was run, or what it asks is
        unknown.
    """
    if _was_never_run(notebook):
        raise ValueError("none of its cells was run: run them all and save it")
    sheet = _Sheet()
    body = "\n".join(filter(None, map(sheet.cell, notebook.cells)))
    title = re.match("# (.+)", notebook.cells[0].source) if notebook.cells else None
    if not title:
        raise ValueError("this notebook begins with no title: give its first cell a line “# …”")
    return document(title[1], f"<main>{body}\n{sheet.answer_pages()}</main>", _LOOK)


class _Sheet:
    """Collects the answers while the questions are set."""

    def __init__(self):
        self._answers = []
        self._number = numbers(1)

    def cell(self, cell):
        """A cell as HTML: its text, the questions that it asks, or what it shows."""
        if cell.metadata.get("slideshow", {}).get("slide_type") in _NOT_ON_PAPER:
            return ""
        if cell.cell_type == "markdown":
            return _text(cell.source)
        if calls := list(_calls(cell.source)):
            asked = chain.from_iterable(starmap(_questions, calls))
            return "\n".join(map(self._asked, asked))
        return "\n".join(filter(None, map(_shown, cell.get("outputs", []))))

    def _asked(self, question):
        asked, room, answer = question
        number = next(self._number)
        self._answers.append((number, answer))
        return (f'<div class="question"><p><strong>{number}.</strong> {asked}</p>'
                f'<div class="room" style="height: {room}mm"></div></div>')

    def answer_pages(self):
        """All answers, by the numbers of their questions."""
        if not self._answers:
            return ""
        entries = "\n".join(f"<h3>{number}</h3>\n{answer}" for number, answer in self._answers)
        return f'<section class="answers"><h2>Answers</h2>\n{entries}</section>'


def _was_never_run(notebook):
    codes = [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]
    return bool(codes) and all(cell.execution_count is None for cell in codes)


def _calls(source):
    """Each call that asks something, with the name of what it calls."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # a magic, say
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", None))
            if name in _QUESTIONS:
                yield name, node


def _questions(name, call):
    """What the call asks; its letter and seed are read, not run."""
    try:
        given = [ast.literal_eval(each) for each in call.args]
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords}
        return _QUESTIONS[name](*given, **named)
    except (ValueError, TypeError):
        raise ValueError(f"“{ast.unparse(call)}” cannot be read without running it: "
                         f'write it as {name}("A")') from None


def _text(source):
    """Markdown without what only a screen can do: buttons, and links to other notebooks."""
    lines = [line for line in source.splitlines() if "00_start_here.ipynb#Launch-it" not in line]
    return typeset(_LINK.sub(r"\1", _ON_SCREEN.sub("", "\n".join(lines))))


def _shown(output):
    """The richest form of an output that paper can hold."""
    if output.output_type == "stream":
        return f"<pre>{escape(output.text)}</pre>"
    data = output.get("data", {})
    if "image/png" in data:
        alt = escape(output.metadata.get("image/png", {}).get("alt", ""))
        return (f'<figure><img alt="{alt}" '
                f'src="data:image/png;base64,{"".join(data["image/png"].split())}"></figure>')
    if "text/markdown" in data:
        return typeset(data["text/markdown"])
    if "text/html" in data:
        return data["text/html"]
    return f"<pre>{escape(data['text/plain'])}</pre>" if "text/plain" in data else ""


def _forecast_questions(scenario):
    """Each question of the forecast; the reason stands at the last."""
    check_choice("scenario", scenario, tuple(FORECASTS))
    asked = FORECASTS[scenario]
    for question in asked.questions:
        choices = f" {' / '.join(question.choices)}?" if question.choices else "?"
        unit = f" ({question.unit})" if question.unit else ""
        why = f"<p>{escape(asked.why)}</p>" if question is asked.questions[-1] else ""
        yield (escape(f"{question.text}{unit}{choices}"), 9,
               f"<p>{escape(f'{question.truth} {question.unit}'.strip())}</p>{why}")


def _practice_questions(scenario, seed=0):
    for variant in range(N_EXERCISES):
        exercise = draw_exercise(scenario, seed, variant)
        asked = (f"{escape(exercise.story)}</p>{exercise.givens._repr_html_()}"
                 f"<p><strong>{escape(exercise.question)}</strong> {escape(exercise.accepts)}")
        last = typeset(exercise.steps[-1].working)
        yield asked, 45, f"<p><strong>{exercise.shown(exercise.answer)}</strong></p>{last}"


def _recall_questions(scenario):
    check_choice("cards", scenario, tuple(CARDS))
    for card in CARDS[scenario]:
        yield escape(card.question), 22, typeset(card.answer)


_QUESTIONS = {"ask_forecast": _forecast_questions, "practise": _practice_questions,
              "recall_cards": _recall_questions}
