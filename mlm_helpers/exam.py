"""The command line of exams: ``python -m mlm_helpers.exam --help``."""

import argparse
import sys
from pathlib import Path

from mlm_helpers.exams.canvas import can_write
from mlm_helpers.exams.files import write_exam
from mlm_helpers.exercises.draw import GENERATORS

_LETTERS = ",".join(GENERATORS)
_WHAT = """Write an exam in as many variants as you have students: no two share their numbers, and
the same seed gives the same exam on any computer."""
_FILES = """Into the folder go: variant_001.html and so on, to be printed on A4 or Letter;
all_variants.html, the same in one, to be printed at once; key.html, answers and mark scheme;
answers.csv; moodle.xml, a question bank for Moodle; canvas.zip, a quiz for Canvas, if the package
text2qti is installed. Files of these names are replaced, and what a former run left is removed.
Keep the seed to yourself: who knows it can draw the answers."""


def main(arguments=None):
    """Run the command; 0 if all went well, 2 after a refusal, which is one sentence."""
    given = _parser().parse_args(arguments)
    letters = [letter.strip().upper() for letter in given.questions.split(",") if letter.strip()]
    try:
        written = write_exam(given.out, given.seed, given.variants, letters)
    except ValueError as refusal:
        print(f"exam: {refusal}", file=sys.stderr)
        return 2
    except OSError as refusal:
        print(f"exam: {given.out} cannot be written ({refusal.strerror}): choose another folder "
              f"with --out", file=sys.stderr)
        return 2
    print(f"{len(written)} files in {given.out}: print all_variants.html, mark with key.html")
    if not can_write():
        print("canvas.zip is not among them: it needs text2qti (pip install text2qti)")
    return 0


def _parser():
    parser = argparse.ArgumentParser(prog="python -m mlm_helpers.exam", description=_WHAT,
                                     epilog=_FILES)
    parser.add_argument("--seed", type=int, required=True, metavar="NUMBER",
                        help="decides the numbers; choose one that nobody guesses")
    parser.add_argument("--variants", type=int, required=True, metavar="NUMBER",
                        help="how many different papers")
    parser.add_argument("--questions", default=_LETTERS, metavar="LETTERS",
                        help="scenarios in the order of the questions, with commas between "
                             "(default: %(default)s)")
    parser.add_argument("--out", default="exam", type=Path, metavar="FOLDER",
                        help="where to write (default: %(default)s)")
    return parser


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # a path may have letters that it lacks
    sys.exit(main())
