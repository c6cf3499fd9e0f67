"""The upload button, told what a browser tells it: of a file's name and size, then the file.

What JupyterLab does with a file too large for its connection: ``browser/test_explorers.py``.
"""

import ipywidgets as widgets
import pytest

from mlm_helpers.uploads import TextUpload

pytestmark = pytest.mark.filterwarnings("error")


@pytest.fixture(autouse=True)
def widgets_closed():
    """ipywidgets keeps every widget until it is closed."""
    yield
    widgets.Widget.close_all()


class Reader(TextUpload):
    """An upload button that keeps what it was given, and what it refused."""

    def __init__(self):
        self.texts, self.reasons = [], []
        super().__init__("Upload", self.texts.append, self.reasons.append)


@pytest.fixture
def upload():
    return Reader()


def described(content, name):
    return {"name": name, "type": "text/plain", "size": len(content),
            "last_modified": 1_700_000_000_000}


def announce(upload, content, name="note.txt"):
    """The browser's first message: the file without its content."""
    upload.notes.set_state({"files": [{**described(content, name), "content": {}}]})


def deliver(button, content, name="note.txt"):
    """The browser's second message."""
    button.set_state({"value": [{**described(content, name), "content": memoryview(content)}]})


def send(upload, content, name="note.txt"):
    """All that a browser does when a reader has chosen a file that can be sent."""
    button, notes = upload.button, upload.notes
    announce(upload, content, name)
    deliver(button, content, name)
    notes.set_state({"files": []})  # the button's value was taken, and the link copies that


def open_widgets():
    return set(widgets.widget._instances)


def test_the_name_and_size_of_a_file_are_linked_to_go_ahead(upload):
    links = [(widget.source, widget.target) for widget in widgets.widget._instances.values()
             if isinstance(widget, widgets.widget_link.DirectionalLink)]
    assert ((upload.button, "value"), (upload.notes, "files")) in links
    assert upload.children == (upload.button,) and upload.button.description == "Upload"


@pytest.mark.parametrize("text", ["cat", "Grüße, 猫 🙂", " ", "x" * 1_000_000])
def test_a_text_is_taken_once_and_by_the_same_button(upload, text):
    button = upload.button
    send(upload, text.encode())
    assert (upload.texts, upload.reasons) == ([text], [])
    assert upload.button is button and button.value == ()


def test_the_same_file_can_come_again(upload):
    for _ in range(2):
        send(upload, b"cat")
    assert upload.texts == ["cat", "cat"]


@pytest.mark.parametrize("size", [1_000_001, 20_000_000])
def test_a_file_that_is_too_large_is_refused_before_it_arrives(upload, size):
    """It may never arrive: the old button then waits for ever, so there is a new one."""
    button = upload.button
    announce(upload, b"x" * size, "big.txt")
    assert upload.texts == [] and len(upload.reasons) == 1
    for part in ("big.txt", f"{size:,} bytes", "the limit is 1,000,000", "upload one of them"):
        assert part in upload.reasons[0]
    assert upload.button is not button and upload.children == (upload.button,)
    send(upload, b"cat")
    assert upload.texts == ["cat"]


@pytest.mark.parametrize(("content", "part"), [
    (b"", "0 bytes: choose a file with text in it"),
    (b"x" * 2_000_000, "2,000,000 bytes and the limit is 1,000,000"),
])
def test_a_refused_file_that_arrives_after_all_is_refused_in_the_same_words(upload, content, part):
    send(upload, content)
    assert part in upload.reasons[0] and set(upload.reasons) == {upload.reasons[0]}
    assert upload.texts == []


def test_what_is_no_text_is_refused_when_it_arrives(upload):
    send(upload, b"\x89PNG\r\n\x1a\n\x00", "cat.png")
    (reason,) = upload.reasons
    assert "cat.png holds a zero byte at position 8" in reason and "UTF-8" in reason


def test_a_file_given_to_the_old_button_as_it_was_replaced_is_not_lost(upload):
    old = upload.button
    announce(upload, b"x" * 2_000_000)
    deliver(old, b"x" * 2_000_000)
    deliver(old, b"cat")
    assert upload.texts == ["cat"] and old.value == ()


def test_refusals_pile_up_no_widgets(upload):
    send(upload, b"")
    before = len(open_widgets())
    for size in (0, 2_000_000, 20_000_000):
        announce(upload, b"x" * size)
        assert len(open_widgets()) == before
