"""A button that takes a text file from the reader's disk, or says why it does not.

The browser sends a file to the kernel in one message. A server cuts the connection at a message
that is too long for it, Jupyter's own at 10 MiB: the file never arrives, no one learns why, and
the button waits for its answer for ever. So name and size go ahead, in a message of their own.
"""

import ipywidgets as widgets
import traitlets

from mlm_helpers.texts import BYTE_LIMIT, check_size, decode_text


class FileNotes(widgets.Widget):
    """Name and size of the files that the reader has chosen; it is nothing to be seen.

    The browser copies an upload button's value to ``files``. This trait travels as JSON, in which
    the content, being bytes, is nothing.
    """

    files = traitlets.List(traitlets.Dict()).tag(sync=True)


class TextUpload(widgets.HBox):
    """An upload button for one text file.

    Parameters
    ----------
    caption : str
        What the button says.
    take : callable
        Called with the text of a file.
    refuse : callable
        Called with a message that names the file, what is wrong, and the remedy.
    limit : int
        The most bytes that a file may have.

    Attributes
    ----------
    button : ipywidgets.FileUpload
        The button; a new one after a file that its size alone forbids.
    notes : FileNotes
        What the browser says of a file before it sends it.
    """

    def __init__(self, caption, take, refuse, limit=BYTE_LIMIT):
        self._limit = limit
        self._caption, self._take, self._refuse = caption, take, refuse
        self._parts, self._outdated = [], []
        super().__init__()
        self._renew()

    def _renew(self):
        """Put a new button in place of one that may wait for an answer that never comes.

        The outdated one lives on until the next is outdated: its file may still arrive after all.
        """
        for part in self._outdated:
            part.close()
        self._outdated = self._parts
        self.button = widgets.FileUpload(accept=".txt,.md,text/*", description=self._caption,
                                         layout=widgets.Layout(width="auto"))
        self.notes = FileNotes()
        link = widgets.jsdlink((self.button, "value"), (self.notes, "files"))
        self._parts = [link, self.notes, self.button, self.button.layout, self.button.style]
        self.notes.observe(self._check_notes, "files")
        self.button.observe(self._take_files, "value")
        self.children = [self.button]

    def _check_notes(self, change):
        for note in change.new:
            try:
                check_size(note["size"], note["name"], self._limit)
            except ValueError as error:
                self._renew()
                self._refuse(str(error))

    def _take_files(self, change):
        change.owner.value = ()  # so that the same file can come again
        for file in change.new:
            try:
                text = decode_text(file.content, file.name, self._limit)
            except ValueError as error:
                self._refuse(str(error))
            else:
                self._take(text)
