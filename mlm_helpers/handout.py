"""The command line of handouts: ``python -m mlm_helpers.handout --help``."""

import argparse
import sys
from pathlib import Path

import nbformat

from mlm_helpers.handouts.browser import find_browser, print_pdf
from mlm_helpers.handouts.sheets import handout

_WHAT = """Make a clean handout of each notebook: formulas, plots and steps without the code, room
to write under each question, and the answers on the last pages. Nothing is loaded from the
network. With --pdf the installed Chromium, Chrome or Edge prints each one, on the paper that it
usually takes."""
_FOLDER = Path("notebooks")


def main(arguments=None):
    """Run the command; 0 if all went well, 2 after a refusal, which is one sentence."""
    given = _parser().parse_args(arguments)
    try:
        browser = given.pdf and _browser()
        for path in _named_apart(given.notebooks) or _all_notebooks():
            print(_write(path, given.out, browser))
    except (ValueError, RuntimeError) as refusal:
        print(f"handout: {refusal}", file=sys.stderr)
        return 2
    except OSError as refusal:
        print(f"handout: {given.out} cannot be written ({refusal.strerror}): choose another folder "
              f"with --out", file=sys.stderr)
        return 2
    return 0


def _all_notebooks():
    found = sorted(_FOLDER.glob("[A-Z]_*.ipynb"))
    if not found:
        raise ValueError(f"there is no folder “{_FOLDER}” with the notebooks here: go to the "
                         "collection's folder, or name the notebooks")
    return found


def _named_apart(paths):
    """Refuse two notebooks of one name: one handout would replace the other."""
    seen = {}
    for path in paths:
        if path.stem in seen:
            raise ValueError(f"{seen[path.stem]} and {path} have one name: make their handouts "
                             "one after the other, with different --out")
        seen[path.stem] = path
    return paths


def _browser():
    browser = find_browser()
    if browser is None:
        raise RuntimeError("no Chromium, Chrome or Edge is installed, and without one no PDF can "
                           "be made: leave out --pdf and print the HTML from any browser")
    return browser


def _write(path, folder, browser):
    """Write one handout and return where it is."""
    try:
        page = handout(_read(path))
    except ValueError as refusal:
        raise ValueError(f"{path} cannot be read as a notebook: {refusal}") from None
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{path.stem}.html"
    is_new = not target.exists()
    target.write_text(page, "utf-8")
    if not browser:
        return target
    print_pdf(browser, target, target.with_suffix(".pdf"))
    if is_new:
        target.unlink()
    return target.with_suffix(".pdf")


def _read(path):
    """The notebook, or a `ValueError` of one line, whatever is wrong with it."""
    try:
        notebook = nbformat.read(path, as_version=4)
        nbformat.validate(notebook)
    except OSError as refusal:
        raise ValueError(f"{refusal.strerror}; name one that is there") from None
    except (AttributeError, KeyError, TypeError, ValueError, nbformat.ValidationError,
            nbformat.reader.NotJSONError) as refusal:
        raise ValueError(str(refusal).splitlines()[0]) from None
    return notebook


def _parser():
    parser = argparse.ArgumentParser(prog="python -m mlm_helpers.handout", description=_WHAT)
    parser.add_argument("notebooks", nargs="*", type=Path, metavar="NOTEBOOK",
                        help="which ones (default: all eight in notebooks/)")
    parser.add_argument("--out", default=Path("handouts"), type=Path, metavar="FOLDER",
                        help="where to write (default: %(default)s)")
    parser.add_argument("--pdf", action="store_true", help="PDF instead of HTML")
    return parser


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="backslashreplace")  # a path may have letters that it lacks
    sys.exit(main())
