"""What a student is handed: the questions, with room to work and a line for the answer.

Neither the answers nor the seed, from which anybody could draw them, stand in these pages.
"""

from html import escape

from mlm_helpers.documents import document
from mlm_helpers.exams.papers import points
from mlm_helpers.exams.texts import TITLE, accepts_html, asked_html, givens_html, story_html
from mlm_helpers.wording import count

_ROOM_PER_POINT, _LEAST_ROOM = 11, 30  # mm
_LOOK = """
@page { margin: 16mm 17mm }
.who { display: flex; gap: 6mm; margin: 4mm 0 }
.who span { border-bottom: 1px solid #000; flex: 1 }
.who span:last-child { flex: 0 0 45mm }
.question { break-inside: avoid }
.question h2 { display: flex; justify-content: space-between }
.sheet { display: flex; flex-wrap: wrap; gap: 2mm 5mm }
.sheet table { align-self: flex-start; margin: 0 !important }
.work { border: 1px solid #999; flex: 1 1 75mm; padding: 1mm 2mm }
.answer { display: flex; flex-wrap: wrap; justify-content: space-between; margin: 4mm 0 0 }
.line { border-bottom: 1px solid #000; display: inline-block; width: 55mm }
"""


def exam_page(paper):
    """One paper as a document of its own."""
    return document(f"{TITLE}, variant {paper.name}", f"<main>{_body(paper)}</main>",
                    _LOOK + _header(paper))


def exam_pages(papers):
    """All papers in one document, to be printed at once; each begins on a new page.

    On a new leaf even, in a browser that knows of leaves; Chromium does not, and a paper of an odd
    number of pages is then printed on one side only.
    """
    look = "".join([_LOOK, ".paper + .paper { break-before: recto }\n", *map(_header, papers)])
    bodies = "\n".join(map(_body, papers))
    return document(f"{TITLE}, all variants", f"<main>{bodies}</main>", look)


def _header(paper):
    """The variant in the corner of each page, also of the second: sheets get apart."""
    return (f'@page v{paper.name} {{ @top-right {{ content: "Variant {paper.name}"; '
            f"font: 11pt sans-serif }} }}\n")


def _body(paper):
    total = len(paper.exercises)
    questions = "\n".join(_question(number, total, exercise)
                          for number, exercise in enumerate(paper.exercises, start=1))
    return f"""<article class="paper" style="page: v{paper.name}">
<h1>{TITLE}</h1>
<p>Variant {paper.name}: {count(total, "question")}, {count(paper.points, "point")}. \
Show your working: each step earns a point.</p>
<div class="who">Name <span></span> Date <span></span></div>
{questions}
</article>"""


def _question(number, total, exercise):
    worth = points(exercise)
    room = max(_ROOM_PER_POINT * worth, _LEAST_ROOM)
    return f"""<section class="question">
<h2>Question {number} of {total} <span>{count(worth, "point")}</span></h2>
{story_html(exercise)}
{asked_html(exercise)}
<div class="sheet">{givens_html(exercise)}
<div class="work" style="min-height: {room}mm">Working</div></div>
<p class="answer"><span>{accepts_html(exercise)}</span>
<span>Answer: <span class="line"></span> {escape(exercise.unit)}</span></p>
</section>"""
