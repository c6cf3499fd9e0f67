"""Writes an exam into a folder."""

import re
from pathlib import Path

from mlm_helpers.exams.answers_csv import answers_csv
from mlm_helpers.exams.canvas import can_write, canvas_package, canvas_question
from mlm_helpers.exams.key import key_page
from mlm_helpers.exams.moodle import moodle_bank, moodle_question
from mlm_helpers.exams.pages import exam_page, exam_pages
from mlm_helpers.exams.papers import draw_papers, points
from mlm_helpers.exams.progress import progress

CANVAS = "canvas.zip"
_OURS_ALONE = re.compile(r"variant_\d{3,}\.html|canvas\.zip")


def write_exam(out, seed, variants, letters, bar=None):
    """Draw an exam and write its files; nothing is written if it cannot be drawn.

    Files of the same names are written anew, and what a former run left in the folder beyond them
    (pages of further variants) is removed, lest somebody hand it out. Other files stay.
    The quiz for Canvas is written if text2qti is installed.

    Parameters
    ----------
    out : str or path
        The folder; made if missing.
    seed, variants, letters
        See ``draw_papers``.
    bar : file, optional
        Where to draw the progress bar, if not on standard error.

    Returns
    -------
    list of pathlib.Path
        What was written.

    Raises
    ------
    ValueError
        When there is no such exam.
    OSError
        When the folder cannot be written.
    """
    papers = draw_papers(seed, variants, letters)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    written = {}

    def write(name, content):
        written[name] = folder / name
        written[name].write_bytes(content if isinstance(content, bytes) else content.encode())

    moodle = {letter: [] for letter in letters}
    canvas = {letter: [] for letter in letters if can_write()}
    for paper in progress(papers, "papers", bar):
        write(f"variant_{paper.name}.html", exam_page(paper))
        for exercise in paper.exercises:
            moodle[exercise.letter].append(moodle_question(exercise, paper.name))
            if canvas:
                canvas[exercise.letter].append(canvas_question(exercise))
    write("all_variants.html", exam_pages(papers))
    write("key.html", key_page(papers, seed))
    write("answers.csv", answers_csv(papers))
    write("moodle.xml", moodle_bank(seed, moodle))
    if canvas:
        worth = map(points, papers[0].exercises)
        write(CANVAS, canvas_package(list(zip(worth, canvas.values(), strict=True))))
    _remove_former(folder, written)
    return list(written.values())


def _remove_former(folder, written):
    for path in folder.iterdir():
        if _OURS_ALONE.fullmatch(path.name) and path.name not in written:
            path.unlink()
