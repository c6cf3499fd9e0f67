"""The command of exams: what it writes, what it refuses, and that a seed decides all of it."""

import io
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from exam_files import LETTERS, SEED
from mlm_helpers.exam import main
from mlm_helpers.exams import progress, write_exam
from mlm_helpers.exams.answers_csv import answers_csv
from mlm_helpers.exams.papers import draw_papers, points
from refusals import assert_refused

ROOT = Path(__file__).parents[1]
ALWAYS = {"all_variants.html", "key.html", "answers.csv", "moodle.xml", "canvas.zip"}


def run(out, *options, hash_seed="0"):
    """The command in a process of its own."""
    command = [sys.executable, "-m", "mlm_helpers.exam", "--out", str(out), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=ROOT,
                          env={**os.environ, "PYTHONHASHSEED": hash_seed})


def names(folder):
    return {path.name for path in folder.iterdir()}


def refused(capsys, *options):
    """The one sentence with which the command refuses."""
    assert main([*options]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.count("\n") == 1
    return said.err


def test_one_seed_gives_one_exam(tmp_path):
    """Byte by byte, also when Python orders its sets otherwise."""
    options = ("--seed", "2026", "--variants", "3")
    for place, hash_seed in (("one", "1"), ("two", "2")):
        done = run(tmp_path / place, *options, hash_seed=hash_seed)
        assert done.returncode == 0 and done.stderr == "", done.stderr
    one, two = tmp_path / "one", tmp_path / "two"
    assert names(one) == ALWAYS | {f"variant_00{number}.html" for number in (1, 2, 3)}
    assert names(one) == names(two)
    for name in names(one):
        assert (one / name).read_bytes() == (two / name).read_bytes(), name


def test_an_exam_once_written_stays_what_it_is():
    """Who draws the questions otherwise makes every key that was printed before useless."""
    assert answers_csv(draw_papers(2026, 2, list("ABFH"))).splitlines()[1:] == [
        "1,1,A,1.4197166463,1.4197,nats,0.005,4,1",
        "1,2,B,1.2465672692,1.2466,nats,0.005,5,1",
        "1,3,F,4.2319445633,4.2319,nats,0.005,2,1",
        "1,4,H,1.9104754399,1.9105,nats,0.005,4,1",
        "2,1,A,2.4274953882,2.4275,nats,0.005,4,2",
        "2,2,B,0.4274953882,0.4275,nats,0.005,5,2",
        "2,3,F,0.9657436156,0.9657,nats,0.005,2,3",
        "2,4,H,3.1046546808,3.1047,nats,0.005,4,3",
    ]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("letter", LETTERS)
def test_answers_differ_from_neighbour_to_neighbour(letter, seed):
    """Scenario D knows questions whose answer is always 0, or always 1: not in an exam."""
    answers = Counter(paper.exercises[0].answer for paper in draw_papers(seed, 40, [letter]))
    assert max(answers.values()) <= 10


def test_another_seed_gives_another_exam():
    one, two = (draw_papers(seed, 3, LETTERS) for seed in (1, 2))
    assert [paper.exercises for paper in one] != [paper.exercises for paper in two]


def test_all_get_the_same_tasks_with_numbers_of_their_own():
    for column in zip(*(paper.exercises for paper in draw_papers(SEED, 120, LETTERS)),
                      strict=True):
        assert len({exercise.numbers for exercise in column}) == 120
        kinds = {(exercise.numbers[0], exercise.unit, points(exercise)) for exercise in column}
        assert len(kinds) == 1, "not everybody gets the same task"


def test_command_names_what_it_wrote(tmp_path, capsys):
    out = tmp_path / "deep" / "exam"
    assert main(["--seed", "7", "--variants", "1", "--questions", f" {LETTERS[0].lower()} ,",
                 "--out", str(out)]) == 0
    said = capsys.readouterr()
    assert "6 files" in said.out and str(out) in said.out and said.err == ""
    assert names(out) == ALWAYS | {"variant_001.html"}


@pytest.mark.parametrize("options, words", [
    (["--questions", "Z"], ["'Z'", "choose one of 'A'"]),
    (["--questions", "A,A"], ["'A'", "twice"]),
    (["--questions", ","], ["no question", "'A'"]),
    (["--variants", "0"], ["variants 0", "1 or more"]),
    (["--variants", "-3"], ["variants -3", "1 or more"]),
    (["--variants", "1000000", "--questions", "E"], ["variants 1000000", "'E'", "choose 1 to "]),
    (["--seed", "-1"], ["seed -1", "0 or more"]),
    (["--seed", str(10**30)], [str(10**30), "too large"]),
])
def test_refusals_name_value_and_remedy(options, words, tmp_path, capsys):
    out = tmp_path / "exam"
    said = refused(capsys, "--seed", "1", "--variants", "2", "--out", str(out), *options)
    assert all(word in said for word in words), said
    assert not out.exists(), "something was written although there is no such exam"


def test_a_file_in_the_way_is_refused(tmp_path, capsys):
    (tmp_path / "file").write_text("mine")
    said = refused(capsys, "--seed", "1", "--variants", "1", "--out", str(tmp_path / "file"))
    assert "cannot be written" in said and "--out" in said
    assert (tmp_path / "file").read_text() == "mine"


def test_the_most_variants_that_a_refusal_names_are_possible():
    """It named the first question's most, which was too many for the second."""
    with pytest.raises(ValueError, match="too many") as refusal:
        draw_papers(1, 1000, ["D", "E"])
    most = int(re.search(r"choose 1 to (\d+)", str(refusal.value))[1])
    assert len(draw_papers(1, most, ["D", "E"])) == most
    assert_refused(lambda: draw_papers(1, most + 1, ["D", "E"]), "too many", f"1 to {most}")


def test_a_folder_whose_name_the_console_cannot_show_is_no_obstacle(tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    done = run(tmp_path / "試験", "--seed", "1", "--variants", "1", "--questions", "A")
    assert (done.returncode, done.stderr) == (0, "")
    assert "files in" in done.stdout and (tmp_path / "試験" / "key.html").exists()


@pytest.mark.parametrize("options", [["--seed", "one"], ["--variants", "many"], ["--sede", "1"]])
def test_what_argparse_refuses_ends_alike(options, capsys):
    with pytest.raises(SystemExit) as left:
        main(["--seed", "1", "--variants", "1", *options])
    assert left.value.code == 2


def test_help_names_every_file(capsys):
    with pytest.raises(SystemExit) as left:
        main(["--help"])
    said = capsys.readouterr().out
    assert left.value.code == 0 and all(name in said for name in ALWAYS)


def test_former_pages_go_and_other_files_stay(tmp_path):
    write_exam(tmp_path, SEED, 3, LETTERS[:1])
    (tmp_path / "notes.txt").write_text("mine")
    write_exam(tmp_path, SEED, 2, LETTERS[:1])
    assert names(tmp_path) == ALWAYS | {"variant_001.html", "variant_002.html", "notes.txt"}


def test_without_text2qti_the_command_says_so(tmp_path, capsys, monkeypatch):
    for module in ("mlm_helpers.exam", "mlm_helpers.exams.files"):
        monkeypatch.setattr(f"{module}.can_write", lambda: False)
    assert main(["--seed", "1", "--variants", "1", "--out", str(tmp_path)]) == 0
    assert "pip install text2qti" in capsys.readouterr().out
    assert names(tmp_path) == ALWAYS - {"canvas.zip"} | {"variant_001.html"}


@pytest.mark.parametrize("total, shown", [(0, False), (19, False), (20, True), (120, True)])
def test_bar_from_twenty_up(total, shown):
    stream = io.StringIO()
    items = list(range(total))
    assert list(progress.progress(items, "papers", stream)) == items
    bar = stream.getvalue()
    assert (bar != "") == shown
    if shown:
        assert bar.startswith("\r[..") and bar.endswith(f"##] {total} of {total} papers\n")
        assert bar.count("\r") == min(total, 30) + 1


def test_bar_goes_to_standard_error(tmp_path, capsys):
    assert main(["--seed", "1", "--variants", "20", "--questions", "A",
                 "--out", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert "20 of 20 papers" in said.err and "papers" not in said.out
