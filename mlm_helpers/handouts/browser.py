"""HTML → PDF by the browser that is installed."""

import shutil
import subprocess
from itertools import chain
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome",
         "microsoft-edge", "msedge")
_ELSEWHERE = (  # browsers that do not put themselves on the path
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_PATIENCE = 120  # seconds


def find_browser():
    """The path of a browser that can print, or None."""
    on_the_path = filter(None, map(shutil.which, NAMES))
    elsewhere = (path for path in _ELSEWHERE if Path(path).exists())
    return next(chain(on_the_path, elsewhere), None)


def print_pdf(browser, page, target):
    """Print an HTML file into a PDF file.

    Parameters
    ----------
    browser : str
        Its path; see ``find_browser``.
    page, target : pathlib.Path
        What to print, and where to.

    Raises
    ------
    RuntimeError
        When the browser makes no PDF file within two minutes.
    """
    target.unlink(missing_ok=True)
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer",
               f"--print-to-pdf={target}", page.resolve().as_uri()]
    try:
        run = subprocess.run(command, capture_output=True, text=True, timeout=_PATIENCE)
        said = run.stderr.strip().splitlines()
    except subprocess.TimeoutExpired:
        said = [f"nothing within {_PATIENCE} seconds"]
    if not target.exists():
        raise RuntimeError(f"{browser} printed no PDF: {said[-1] if said else 'it said nothing'}; "
                           f"open {page} in a browser and print it from there")
