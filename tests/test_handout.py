"""Handouts: questions with room below, answers on the last pages only, nothing from the network."""

import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import nbformat
import pytest

from mlm_helpers import handout as command
from mlm_helpers.classroom.recall import CARDS
from mlm_helpers.exercises import draw_exercise
from mlm_helpers.handouts import browser
from mlm_helpers.handouts.sheets import handout
from refusals import assert_refused

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("[A-H]_*.ipynb"))
CHROMIUM = browser.find_browser()


@pytest.fixture(scope="module", params=NOTEBOOKS, ids=lambda path: path.stem)
def sheet(request):
    return request.param.stem[0], handout(nbformat.read(request.param, as_version=4))


def text_of(html):
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def parts(page):
    questions, _, answers = page.partition('<section class="answers">')
    return questions, answers


def test_questions_have_room_and_as_many_answers(sheet):
    questions, answers = parts(sheet[1])
    n_rooms = questions.count('<div class="room"')
    assert n_rooms == len(re.findall(r"<h3>\d+</h3>", answers)) >= 2 + 3 + 4
    assert [int(number) for number in re.findall(r"<strong>(\d+)\.</strong>", questions)] == list(
        range(1, n_rooms + 1))


def test_answers_to_recall_and_practice_stand_on_the_last_pages_alone(sheet):
    letter, page = sheet
    questions, answers = map(text_of, parts(page))
    for card in CARDS[letter]:
        assert text_of(card.question) in questions
        end = text_of(card.answer.split(". ")[-1].replace("*", "").replace("`", ""))
        assert end not in questions and end in answers
    for variant in range(3):
        exercise = draw_exercise(letter, variant=variant)
        assert text_of(exercise.question) in questions
        assert text_of(exercise.shown(exercise.answer)) in answers


def test_nothing_comes_from_the_network_and_nothing_is_left_as_latex_or_code(sheet):
    questions, _ = parts(sheet[1])
    assert re.findall(r'(?:src|href)="(?!data:|https?:)', sheet[1]) == []
    assert "<script" not in sheet[1] and "<link" not in sheet[1]
    assert re.findall(r'src="https?:', sheet[1]) == []
    assert "$$" not in sheet[1] and "import " not in text_of(questions)
    assert "<button" not in sheet[1] and "<math" in sheet[1]


def test_each_plot_has_its_text(sheet):
    pictures = re.findall(r'<img alt="([^"]*)"', sheet[1])
    assert pictures and all(len(alt) > 20 for alt in pictures)


def test_what_is_for_the_screen_alone_stays_there(sheet):
    assert "Try this" not in sheet[1] and "Run all cells" not in text_of(sheet[1])


def run(*arguments, folder=ROOT):
    return subprocess.run([sys.executable, "-m", "mlm_helpers.handout", *map(str, arguments)],
                          cwd=folder, capture_output=True, text=True, timeout=120)


def test_the_command_names_what_it_wrote(tmp_path):
    done = run(NOTEBOOKS[0], "--out", tmp_path / "new" / "folder")
    target = tmp_path / "new" / "folder" / "A_standard_mask.html"
    assert (done.returncode, done.stdout.strip()) == (0, str(target))
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")


def test_a_folder_whose_name_the_console_cannot_show_is_no_obstacle(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    nbformat.write(notebook_of("2 + 2"), tmp_path / "four.ipynb")
    done = run(tmp_path / "four.ipynb", "--out", tmp_path / "紙")
    assert (done.returncode, done.stderr) == (0, "") and "four.html" in done.stdout
    assert (tmp_path / "紙" / "four.html").exists()


def refused(capsys, *arguments):
    assert command.main([*map(str, arguments)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("handout: ") and said.count("\n") == 1
    return said


def test_refusals_are_one_sentence(tmp_path, capsys, monkeypatch):
    broken = tmp_path / "broken.ipynb"
    broken.write_text("no json", "utf-8")
    assert "broken.ipynb cannot be read as a notebook" in refused(capsys, broken)
    assert "nowhere.ipynb cannot be read as a notebook: No such file" in refused(
        capsys, tmp_path / "nowhere.ipynb")
    assert "cannot be read as a notebook: this notebook begins with no title" in refused(
        capsys, *_written(tmp_path / "bare.ipynb"))
    blocked = tmp_path / "file"
    blocked.touch()
    said = refused(capsys, NOTEBOOKS[0], "--out", blocked)
    assert f"{blocked} cannot be written" in said and "choose another folder with --out" in said
    monkeypatch.chdir(tmp_path)
    assert "there is no folder “notebooks”" in refused(capsys)


def _written(path):
    nbformat.write(nbformat.v4.new_notebook(), path)
    return [path]


@pytest.mark.parametrize("content", [
    "[]", "3", "{}", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}',
    '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [3]}', "\0",
])
def test_json_that_is_no_notebook_is_refused_in_one_sentence(content, tmp_path, capsys):
    (tmp_path / "odd.ipynb").write_text(content, "utf-8")
    assert "odd.ipynb cannot be read as a notebook" in refused(capsys, tmp_path / "odd.ipynb")


def test_two_notebooks_of_one_name_are_refused_before_one_replaces_the_other(tmp_path, capsys):
    said = refused(capsys, "a/A.ipynb", "b/A.ipynb", "--out", tmp_path / "new")
    assert "a/A.ipynb and b/A.ipynb have one name" in said and not (tmp_path / "new").exists()


def notebook_of(*sources, ran=True):
    cells = [nbformat.v4.new_code_cell(source, execution_count=1 if ran else None)
             for source in sources]
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell("# Title"), *cells])


@pytest.mark.parametrize("source", [
    'practise("A", seed=5)', "practise('A', 5)", 'mine = practise(scenario="A", seed=5)\nmine',
    'from mlm_helpers import classroom\nclassroom.practise("A", seed=5)'])
def test_paper_asks_what_the_screen_asks_however_it_is_written(source):
    page = handout(notebook_of(source))
    for variant in range(3):
        assert text_of(draw_exercise("A", 5, variant).story) in text_of(page)


@pytest.mark.parametrize(("source", "parts"), [
    ('recall_cards("Q")', ["cards 'Q' is unknown", "choose one of 'start', 'A'"]),
    ('ask_forecast("a")', ["scenario 'a' is unknown", "choose one of 'A'"]),
    ("practise(letter)", ["practise(letter)", 'practise("A")']),
    ('practise("A", seed=-1)', ["seed -1 is not possible", "0 or more"]),
    ("practise()", ["practise()", 'practise("A")']),
])
def test_what_cannot_be_asked_is_refused(source, parts):
    assert_refused(lambda: handout(notebook_of(source)), *parts)


def test_a_notebook_that_was_not_run_is_refused_and_a_magic_is_not():
    assert_refused(lambda: handout(notebook_of("plot()", ran=False)), "none of its cells was run")
    assert "Title" in handout(notebook_of("%matplotlib inline"))


def test_without_a_browser_the_message_names_the_remedy(capsys, monkeypatch, tmp_path):
    monkeypatch.setattr(browser.shutil, "which", lambda name: None)
    monkeypatch.setattr(browser, "_ELSEWHERE", ())
    said = refused(capsys, NOTEBOOKS[0], "--pdf", "--out", tmp_path)
    assert "no Chromium, Chrome or Edge" in said and "leave out --pdf" in said


def test_a_browser_that_prints_nothing_is_told(tmp_path):
    page = tmp_path / "page.html"
    page.write_text("<p>", "utf-8")
    with pytest.raises(RuntimeError, match="printed no PDF: .*print it from there"):
        browser.print_pdf(shutil.which("true") or sys.executable, page, tmp_path / "page.pdf")


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium, Chrome or Edge is installed")
def test_the_browser_prints_it(tmp_path):
    done = run(NOTEBOOKS[0], "--pdf", "--out", tmp_path)
    target = tmp_path / "A_standard_mask.pdf"
    assert (done.returncode, done.stdout.strip()) == (0, str(target))
    pdf = target.read_bytes()
    assert pdf.startswith(b"%PDF") and 4 <= len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 9
    assert not (tmp_path / "A_standard_mask.html").exists()


def test_a_pdf_leaves_the_html_of_a_former_run(tmp_path, monkeypatch):
    monkeypatch.setattr(command, "find_browser", lambda: "browser")
    monkeypatch.setattr(command, "print_pdf", lambda browser, page, target: target.touch())
    for options in ([], ["--pdf"]):
        assert command.main([str(NOTEBOOKS[0]), "--out", str(tmp_path), *options]) == 0
    assert {path.suffix for path in tmp_path.iterdir()} == {".html", ".pdf"}
