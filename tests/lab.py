"""JupyterLab and Voila as a reader meets them, and a browser to look at them with.

A server, its settings and its kernels live in a temporary folder, so that nothing of the person
who runs the tests gets in (a trusted notebook, a dark theme) and nothing is left behind.
"""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

SYSTEM_BROWSERS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync")
PATIENCE = 60  # seconds: how long a busy machine may take for any one thing
WARM_UP = "import matplotlib.font_manager, ipywidgets"


def find_browser():
    """The path of a Chromium: the system's, or Playwright's own; None without either."""
    for name in SYSTEM_BROWSERS:
        if path := shutil.which(name):
            return path
    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


@contextmanager
def open_browser(path):
    """A headless Chromium that is closed in the end.

    While it is open Playwright keeps an event loop running in this thread, which nothing else,
    such as the kernels of the notebooks' tests, should meet there.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


def skip_unless_on_ci(reason):
    """Skip a test for what this machine lacks; CI must have it, or pages would go unseen."""
    (pytest.fail if os.environ.get("CI") else pytest.skip)(reason)


@contextmanager
def open_browser_or_skip():
    """The same for a test."""
    path = find_browser()
    if path is None:
        skip_unless_on_ci("no Chromium: install one, or run 'playwright install chromium'")
    with open_browser(path) as browser:
        yield browser


class Lab:
    """A running JupyterLab on a folder: where it is."""

    def __init__(self, url, token, folder):
        self.address, self.folder = f"{url}lab?reset&token={token}", folder


@contextmanager
def start_lab(folder, home):
    """A JupyterLab on ``folder``, set up as it comes; what else it writes goes to ``home``."""
    home.mkdir(parents=True, exist_ok=True)
    environment = _environment(home)
    _do_nothing_unasked(home)
    token = os.urandom(16).hex()
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
               "--ip=127.0.0.1", "--port=0", f"--IdentityProvider.token={token}",
               f"--ServerApp.root_dir={folder}",
               "--LabApp.expose_app_in_browser=True",  # as window.jupyterapp
               "--LabApp.news_url=None",  # neither news nor new versions: no network
               "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    warm_up = subprocess.Popen([sys.executable, "-c", WARM_UP], env=environment,
                               stderr=subprocess.DEVNULL)
    with open(home / "server.log", "w") as log:
        server = subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        lab = Lab(_url_of(server, home), token, folder)
        warm_up.wait()
        yield lab
    finally:
        warm_up.kill()
        _end(server)


@contextmanager
def start_voila(folder, home):
    """Voila, which shows notebooks without their code, on ``folder``: its address."""
    home.mkdir(parents=True, exist_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]  # Voila takes a port of its own choice, but does not tell it
    command = [sys.executable, "-m", "voila", str(folder), "--no-browser", f"--port={port}"]
    log = home / "voila.log"
    with open(log, "w") as file:
        server = subprocess.Popen(command, env=_environment(home), stdout=file,
                                  stderr=subprocess.STDOUT)
    try:
        yield _told_address(server, log)
    finally:
        _end(server)


def _told_address(server, log):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        if told := re.search(r"running at:\s*(http://\S+)", log.read_text()):
            return told[1]
        time.sleep(0.05)
    raise RuntimeError(f"Voila did not start:\n{log.read_text()}")


def _environment(home):
    folders = {f"JUPYTER_{name}_DIR": name.lower() for name in ("CONFIG", "DATA", "RUNTIME")}
    folders |= {f"JUPYTERLAB_{name}_DIR": name.lower() for name in ("SETTINGS", "WORKSPACES")}
    folders |= {"HOME": "", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "xdg",
                "IPYTHONDIR": "ipython", "MPLCONFIGDIR": "matplotlib"}
    outside = {key: value for key, value in os.environ.items()
               if key not in ("MPLBACKEND", "MATPLOTLIBRC", "PYTHONSTARTUP")}
    return {**outside, **{name: str(home / folder) for name, folder in folders.items()}}


def _do_nothing_unasked(home):
    """Neither ask about news, nor save by itself: saving while a test saves leads to a question."""
    for extension, settings in (("docmanager-extension/plugin", {"autosave": False}),
                                ("apputils-extension/notification", {"fetchNews": "false"})):
        path = home / "settings" / "@jupyterlab" / f"{extension}.jupyterlab-settings"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(settings))


def _url_of(server, home):
    """The server's own note of where it listens: no port is guessed."""
    note = home / "runtime" / f"jpserver-{server.pid}.json"
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and server.poll() is None:
        try:
            return json.loads(note.read_text())["url"]
        except (FileNotFoundError, json.JSONDecodeError):
            time.sleep(0.05)
    raise RuntimeError(f"JupyterLab did not start:\n{(home / 'server.log').read_text()}")


def _end(server):
    """Ask the server to end, which ends its kernels first; insist if it is too busy for that.

    How soon it ends is the machine's affair and no test's: kernels watch their server and end
    with it, however it ended.
    """
    for stop in (server.terminate, server.kill):
        stop()
        try:
            server.wait(15)
            return
        except subprocess.TimeoutExpired:
            continue
