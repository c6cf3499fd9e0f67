"""Masking explorer: the reader's own text, masked under a policy and a seed."""

from functools import partial

import ipywidgets as widgets
import numpy as np

from mlm_helpers.controls import NumberSlider, button_row, buttons, choice, row, wide_html
from mlm_helpers.explorers.base import Explorer
from mlm_helpers.figures import white_figure
from mlm_helpers.live import LiveFigure, still_picture
from mlm_helpers.mask_plots import plot_branch_shares, plot_ribbon
from mlm_helpers.masked_text import mask_text
from mlm_helpers.masking import expected_branch_counts
from mlm_helpers.policy_wording import policy_label
from mlm_helpers.ribbons import BRANCH_MARKS, Ribbon
from mlm_helpers.sample_texts import TEXTS
from mlm_helpers.sentences import masking_sentence
from mlm_helpers.slot_counts import POLICIES
from mlm_helpers.tables import number_table
from mlm_helpers.texts import split_words
from mlm_helpers.uploads import TextUpload
from mlm_helpers.wording import count, decimal, integer, percent

START = {"policy": "bert", "mlm_probability": 0.15, "seed": 12}
_SPLITTING = ("Split at white space and punctuation, one token per word, sign or Chinese "
              "character; BERT's own WordPiece would cut rare words into pieces. Long texts are "
              "cut into sequences of 128 tokens. Swapped words are drawn from this text's words "
              "and [MASK], so a swap may show the original word again.")


class MaskingExplorer(Explorer):
    """See ``explore_masking``."""

    def __init__(self, text):
        self._start_text = text
        self._make_controls(text)
        drawing = white_figure(9.6, 2.6)
        expected = expected_branch_counts(1)
        self.shares = plot_branch_shares(drawing.add_axes((0.08, 0.13, 0.90, 0.72)), expected)
        self.ribbon, self.counts = wide_html(), widgets.HTML()
        self.masked = None
        super().__init__(LiveFigure(drawing, self.shares.artists), self._arranged(),
                         [self.ribbon, self.pager, self.counts])
        self.follow(self.text, self.policy, self.mlm_probability, self.seed)
        self.page.observe(self._show_ribbon, "value")
        self.refresh()

    def _make_controls(self, text):
        self.text = widgets.Textarea(text, description="your text", continuous_update=True,
                                     placeholder="Type or paste any text here.",
                                     layout=widgets.Layout(width="98%", height="6em"))
        self.upload = TextUpload("Upload a text file", self._take_text, self._refuse_file)
        self.policy = choice("policy", [(policy_label(policy), policy) for policy in POLICIES],
                             START["policy"], width="28em")
        self.mlm_probability = NumberSlider("rate (mlm_probability)", START["mlm_probability"],
                                            0, 1, step=0.01)
        self.seed = NumberSlider("seed of the draw", START["seed"], 0, 1000, step=1, whole=True)
        self.page = widgets.BoundedIntText(1, min=1, max=1, description="ribbon page",
                                           layout=widgets.Layout(width="12em"))

    def _arranged(self):
        texts = {name: partial(self.choose, text=text, page=1) for name, text in TEXTS.items()}
        self.n_pages = widgets.Label()
        self.pager = row(self.page, self.n_pages)
        options = row(self.policy, self.upload,
                      *buttons({"New draw": self.draw_again, "Reset": self.reset}))
        splitting = widgets.HTML(f'<p style="font-size: 14px; line-height: 1.4">{_SPLITTING}</p>')
        return [button_row("Presets", texts), self.text, self.mlm_probability, self.seed, options,
                splitting]

    def draw_again(self):
        """Go on to the next seed."""
        self.choose(seed=(self.seed.value + 1) % (self.seed.maximum + 1))

    def reset(self):
        """Put every control back to how it started."""
        self.choose(text=self._start_text, page=1, **START)

    def _take_text(self, text):
        self.choose(text=text, page=1)

    def _refuse_file(self, reason):
        self.warn(f"{reason}. The text above stands as it was.")

    def show_state(self):
        self.masked = masked = mask_text(
            split_words(self.text.value), self.policy.value,
            mlm_probability=self.mlm_probability.value,
            rng=np.random.default_rng(int(self.seed.value)),
        )
        counts = masked.branch_counts
        self.shares.move(counts)
        self._show_ribbon()
        self.counts.value = _counts_table(counts, masked.n_sequences)
        self.figure.draw(masking_sentence(len(masked.original), counts))

    def _show_ribbon(self, _=None):
        ribbon = Ribbon(self.masked.original, self.masked.shown, self.masked.branches)
        self.page.max = ribbon.n_pages
        self.n_pages.value = f"of {integer(ribbon.n_pages)}"
        self.pager.layout.display = "none" if ribbon.n_pages == 1 else ""
        self.ribbon.value = ribbon.page(self.page.value)._repr_html_()

    def still(self):
        """The first tokens of the ribbon above the shares, for a reader without a kernel."""
        masked = self.masked
        drawing = white_figure(9.6, 4.6)
        first = 8
        ribbon = Ribbon(masked.original, masked.shown, masked.branches)
        rows = [(heading, texts[:first]) for heading, texts in ribbon.rows()]
        colours = [BRANCH_MARKS[masked.branches[i]].background if i in masked.branches else "white"
                   for i in range(len(masked.original[:first]))]
        plot_ribbon(drawing.add_axes((0.0, 0.62, 0.99, 0.36)), rows, colours)
        shares = plot_branch_shares(drawing.add_axes((0.08, 0.08, 0.90, 0.40)),
                                    expected_branch_counts(1))
        shares.move(masked.branch_counts)
        return still_picture(drawing, self.sentence)


def _counts_table(counts, n_sequences):
    """Drawn beside expected, for each branch and in all."""
    n_slots = sum(counts.values())
    expected = expected_branch_counts(n_slots)
    rows = [(f"{BRANCH_MARKS[branch].symbol} {branch}", integer(drawn),
             percent(drawn / n_slots) if n_slots else "no slots", decimal(expected[branch], 1))
            for branch, drawn in counts.items()]
    caption = f"{count(n_slots, 'slot')} in {count(n_sequences, 'sequence')}"
    return number_table(("branch", "drawn", "share", "expected"), rows, caption)


def explore_masking(text=TEXTS["English"]):
    """Mask a text of one's own under a policy and a seed, and see what each token becomes.

    Parameters
    ----------
    text : str
        Where it starts.

    Returns
    -------
    MaskingExplorer
        A widget. Its ``text``, ``policy``, ``mlm_probability`` and ``seed`` have a ``value`` that
        code can set; ``masked`` holds the tokens and branches, ``sentence`` the counts.

    Examples
    --------
    >>> explorer = explore_masking("the cat sat down")
    >>> explorer.policy.value = "page"
    >>> explorer.sentence
    '4 tokens, 0 slots (0.0 %): 0 mask, 0 swap, 0 keep'
    """
    return MaskingExplorer(text)
