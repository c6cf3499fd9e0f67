"""The controls by which a reader says which text to train on."""

from html import escape

import ipywidgets as widgets
import traitlets

from mlm_helpers.controls import buttons, row
from mlm_helpers.real_text.corpus import Corpus, language_reference, read_text
from mlm_helpers.uploads import TextUpload
from mlm_helpers.wording import integer, shorten

REFERENCE = "the Python language reference"
_UPLOAD_LIMIT = 10_000_000  # bytes; a server cuts the connection at what is longer


class TextSource(widgets.VBox):
    """A text to paste, to upload, or to name by its path; at first, the language reference.

    What is no text to train on is refused with ``problem`` set, and the corpus stands.

    Parameters
    ----------
    text : str, optional
        Where it starts instead.

    Attributes
    ----------
    value : Corpus
        The corpus to train on.
    name : str
        Where it comes from.
    pasted, path : ipywidgets.Textarea, ipywidgets.Text
        The text box and the path's.
    upload : TextUpload
    problem : str
        Why the last text was refused, or "".
    """

    value = traitlets.Instance(Corpus)
    problem = traitlets.Unicode()

    def __init__(self, text=None):
        self._start = ((language_reference(), REFERENCE) if text is None else
                       (text, "the text given"))
        self._start_corpus = Corpus(self._start[0])
        self._note = widgets.HTML()
        self.pasted = widgets.Textarea(
            description="your text", continuous_update=False,
            placeholder="Paste a text of 1 kB or more, then press “Use this text”.",
            layout=widgets.Layout(width="98%", height="5em"))
        self.path = widgets.Text(description="path", placeholder="books/tale.txt",
                                 continuous_update=False, layout=widgets.Layout(width="22em"))
        self.upload = TextUpload("Upload a text file", self._take_upload, self._refuse,
                                 _UPLOAD_LIMIT)
        self._buttons = buttons({"Use this text": self.use_pasted, "Read this path": self.use_path,
                                 "Language reference": self.reset})
        use_pasted, use_path, reference = self._buttons
        super().__init__([self.pasted, row(use_pasted, self.upload, reference),
                          row(self.path, use_path), self._note], value=self._start_corpus)
        self._tell(self._start[1])

    def use_pasted(self):
        """Train on what stands in the text box."""
        self._take(lambda: self.pasted.value, "the pasted text")

    def use_path(self):
        """Train on the file whose path is typed."""
        self._take(lambda: read_text(self.path.value), self.path.value)

    def reset(self):
        """Back to the text that it started with."""
        self.pasted.value = self.path.value = ""
        self.problem = ""
        self._tell(self._start[1])
        self.value = self._start_corpus

    def disable(self, disabled):
        """Grey everything out, or bring it back."""
        for control in (self.pasted, self.path, self.upload.button, *self._buttons):
            control.disabled = disabled

    def _take_upload(self, text):
        self._take(lambda: text, "the uploaded text")

    def _take(self, read, name):
        try:
            corpus = Corpus(read())
        except (ValueError, OSError) as error:
            self._refuse(str(error))
            return
        self.problem = ""
        self._tell(name, corpus)
        self.value = corpus

    def _refuse(self, reason):
        self.problem = ""  # so that the same refusal twice is seen twice
        self.problem = f"{reason}. The text stands as it was."

    def _tell(self, name, corpus=None):
        self.name, corpus = name, corpus or self._start_corpus
        self._note.value = (
            f'<p style="font-size: 14px; line-height: 1.4">Text: {escape(shorten(name, 60))}, '
            f"{integer(corpus.n_tokens)} words and signs, {integer(corpus.n_different)} different "
            f"ones in the part to learn from; the last {integer(corpus.n_held_out)} are held out."
            "</p>")
