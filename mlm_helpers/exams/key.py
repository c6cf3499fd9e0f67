"""The key: how to mark each question, every answer, and the wrong numbers to look for."""

from html import escape

from mlm_helpers.documents import document
from mlm_helpers.exams.papers import points
from mlm_helpers.exams.texts import derivation_html
from mlm_helpers.exercises.mistakes import MISTAKES
from mlm_helpers.wording import count, decimal, integer, rough

_LOOK = """
@page { margin: 16mm 17mm }
table { border-collapse: collapse; margin: 1mm 0 3mm }
th, td { border: 1px solid #999; font-size: 11pt; padding: 0.6mm 2mm; text-align: left;
  vertical-align: top }
td.number { font-variant-numeric: tabular-nums; text-align: right; white-space: nowrap }
caption { text-align: left }
tbody.variant { break-inside: avoid }
.list { width: 100% }
.wrong { display: inline-block; margin-right: 3mm; white-space: nowrap }
section table { break-inside: avoid }
math[display="block"] { margin: 2mm 0 }
.worked { border-left: 3px solid #999; padding-left: 4mm }
.part { break-before: page }
"""
_RULES = """<p>A number within the tolerance is right and earns all points of its question.
Otherwise give a point for each correct step, carried on from what came before: a slip costs the
point of its own step and no other. A wrong number that is listed tells which slip it was.
A number that is not listed, without working, earns nothing.</p>"""


def key_page(papers, seed):
    """The key of an exam, as a document.

    Parameters
    ----------
    papers : list of Paper
        All of them.
    seed : int
        What decided the numbers.
    """
    first = papers[0]
    letters = ", ".join(exercise.letter for exercise in first.exercises)
    schemes = "\n".join(_scheme(number, [paper.exercises[number - 1] for paper in papers])
                        for number in range(1, len(first.exercises) + 1))
    return document("Key and mark scheme: masked language modelling", f"""<main>
<h1>Key and mark scheme</h1>
<p>Masked language modelling: {count(len(papers), "variant")} of questions {letters}, drawn with
seed {seed}; {count(first.points, "point")}. Who knows the seed can draw the answers: keep it.</p>
{_RULES}
{schemes}
<div class="part">{_answers(papers)}</div>
<div class="part">{_wrong_numbers(papers)}</div>
</main>""", _LOOK)


def _scheme(number, variants):
    """How to mark one question, and its derivation with the numbers of the first variant."""
    example = variants[0]
    worth = points(example)
    steps = "; ".join(f"{step.number}. {escape(step.title)}" for step in example.steps)
    return f"""<section>
<h2>Question {number}: scenario {example.letter}, {count(worth, "point")}</h2>
<p>Right: {escape(example.accepts)} Steps: {steps}.</p>
{_mistakes(variants, worth)}
<h3>Worked with the numbers of variant 001</h3>
<div class="worked"><p>{escape(example.story)}</p>{example.givens._repr_html_()}
<p>{escape(example.question)}</p>
{derivation_html(example)}</div>
</section>"""


def _mistakes(variants, worth):
    rows = "".join(
        f"<tr><th scope='row'>{escape(_short(mistake))}</th>"
        f"<td>{escape(MISTAKES[mistake].what)}</td><td class='number'>{_steps(steps)}</td>"
        f"<td class='number'>{worth - 1} of {worth}</td></tr>"
        for mistake, steps in _made(variants).items())
    return f"""<table><caption>Known mistakes</caption>
<thead><tr><th scope="col">in the list</th><th scope="col">it looks as if</th>
<th scope="col">step</th><th scope="col">points</th></tr></thead>
<tbody>{rows}</tbody></table>"""


def _made(variants):
    """Each mistake with the steps at which it leaves the right way, in order of first sight."""
    made = {}
    for exercise in variants:
        for wrong in exercise.wrong_answers:
            made.setdefault(wrong.mistake, set()).add(wrong.step)
    return made


def _steps(steps):
    return " or ".join(map(str, sorted(steps)))


def _answers(papers):
    heads = "".join(
        f"<th scope='col'>{number} ({exercise.letter}), {escape(exercise.unit)}"
        f"{'' if exercise.is_count else f' ± {exercise.tolerance}'}</th>"
        for number, exercise in enumerate(papers[0].exercises, start=1))
    rows = "".join(
        f"<tr><th scope='row'>{paper.name}</th>"
        + "".join(f"<td class='number'>{_number(each, each.answer)}</td>"
                  for each in paper.exercises) + "</tr>\n"
        for paper in papers)
    return f"""<h2>Answers</h2>
<table><thead><tr><th scope="col">variant</th>{heads}</tr></thead>
<tbody>
{rows}</tbody></table>"""


def _wrong_numbers(papers):
    bodies = "\n".join(map(_wrong_numbers_of, papers))
    return f"""<h2>Wrong numbers to look for</h2>
<table class="list"><thead><tr><th scope="col">variant</th><th scope="col">question</th>
<th scope="col">right</th><th scope="col">wrong, and why</th></tr></thead>
{bodies}</table>"""


def _wrong_numbers_of(paper):
    variant = f"<th scope='rowgroup' rowspan='{len(paper.exercises)}'>{paper.name}</th>"
    rows = []
    for number, exercise in enumerate(paper.exercises, start=1):
        rows.append(f"<tr>{variant if number == 1 else ''}<td>{number} ({exercise.letter})</td>"
                    f"<td class='number'>{_number(exercise, exercise.answer)}</td>"
                    f"<td>{_wrong(exercise)}</td></tr>")
    return f"<tbody class='variant'>{''.join(rows)}</tbody>"


def _wrong(exercise):
    """Each mistake with its numbers, to the two decimals that students give."""
    numbers = {}
    for wrong in exercise.wrong_answers:
        numbers.setdefault(wrong.mistake, {})[rough(wrong.value)] = None
    return " ".join(
        f"<span class='wrong'>{escape(_short(mistake))} <b>{', '.join(values)}</b></span>"
        for mistake, values in numbers.items())


def _short(mistake):
    return mistake.replace("_", " ")


def _number(exercise, value):
    if exercise.is_count and float(value).is_integer():
        return integer(value)
    return decimal(value)
