"""What all explorers share: refreshing, refusals, and how they show without a kernel."""

from contextlib import contextmanager
from html import escape
from threading import RLock

import ipywidgets as widgets

from mlm_helpers.controls import toggle
from mlm_helpers.figures import DPI

_SHARP = 2 * DPI  # a projector may show the picture at twice its size
_PROJECTED = """<style>
.mlm-projected { position: fixed !important; inset: 0; z-index: 10000; overflow: auto !important;
    background: white; color-scheme: light; padding: 4px 12px; display: block !important;
    --jp-widgets-label-color: black; }
.mlm-projected .mlm-picture { width: 100% !important; max-height: 86vh; }
.mlm-projected .mlm-sentence { font-size: 26px !important; color: black; }
/* JupyterLab's panels would hold back what wants the whole window. */
.lm-Widget:has(.mlm-projected) { contain: none !important; z-index: auto !important; }
</style>"""


class Explorer(widgets.VBox):
    """Controls, one live figure and its sentence.

    Displayed, it carries three things that say the same: the live widget, a still picture of how
    it starts, and its sentence as plain text.

    A subclass passes its figure and controls here, implements ``show_state``, and calls
    ``refresh`` when it is complete. Only one thread draws at a time, the one that holds ``lock``:
    a kernel may handle sliders in another thread than the one in which a cell sets them.

    Parameters
    ----------
    figure : LiveFigure
        The picture. Its button *Project* shows it alone in the window, larger, type and lines too;
        the controls are then below it.
    controls, below : list of widgets
        What stands before the picture (beside it where the page is wide, else above) and below it.
    """

    def __init__(self, figure, controls, below=()):
        self.figure = figure
        self.notice = widgets.HTML()
        self._held = False
        self.lock = RLock()
        left = widgets.VBox([*controls, self.notice],
                            layout=widgets.Layout(flex="1 1 34em", min_width="0"))
        self.project = toggle("Project", "the picture alone, as large as the window")
        self._style = widgets.HTML(layout=widgets.Layout(display="none"))
        self._below = widgets.VBox(below)
        right = widgets.VBox([self.project, figure.widget, self._below, self._style],
                             layout=widgets.Layout(flex="0 1 964px", min_width="0"))
        super().__init__([left, right], layout=widgets.Layout(flex_flow="row wrap"))
        self.add_class("mlm-explorer")
        self.project.observe(self._show_size, "value")

    def show_state(self):
        """Read the controls and draw; what it raises is shown in the notice."""
        raise NotImplementedError

    @property
    def sentence(self):
        """What the explorer shows at this moment, in one sentence."""
        return self.figure.sentence

    def refresh(self, _=None):
        """Show the state of the controls; on an error say so and keep the last good picture."""
        if self._held:
            return
        with self.lock:
            self._show_or_warn()

    def _show_or_warn(self):
        try:
            self.show_state()
        except Exception as error:  # a swallowed error would leave a stale picture unexplained
            self.warn(f"{type(error).__name__}: {error}")
        else:
            self.warn("")

    def _show_size(self, change):
        """Fill the window with the picture and put the controls below it, or go back."""
        if change.new:
            self._style.value = _PROJECTED
            self.add_class("mlm-projected")
        else:
            self.remove_class("mlm-projected")
        self._below.layout.display = "none" if change.new else None
        self.children = self.children[::-1]
        self.project.description = "Back to the page" if change.new else "Project"
        self.figure.set_dpi(_SHARP if change.new else DPI)
        self.refresh()

    def warn(self, message):
        """Show a message in the widget, or none; not while another thread draws, who clears it."""
        with self.lock:
            self.notice.value = message and (
                '<p role="alert" style="background: #fff3cd; color: #3d2c00; border-left: 4px '
                f'solid #E69F00; padding: 6px 12px; font-size: 16px">{escape(message)}</p>')

    @contextmanager
    def hold(self):
        """Set several controls and draw once, however deep such blocks are nested."""
        outer, self._held = self._held, True
        try:
            yield
        finally:
            self._held = outer
        self.refresh()

    def choose(self, **values):
        """Set controls by name, draw once, and so clear what was refused before."""
        with self.hold():
            for name, value in values.items():
                getattr(self, name).value = value

    def follow(self, *controls):
        """Refresh whenever one of the controls changes; pass on what it refuses."""
        for control in controls:
            control.observe(self.refresh, "value")
            if control.has_trait("problem"):
                control.observe(lambda change: self.warn(change.new), "problem")

    def still(self):
        """PNG bytes for a reader without a kernel."""
        return self.figure.still()

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        picture = {"image/png": self.still(), "text/plain": self.sentence}
        return {**bundle, **picture}, {"image/png": {"alt": self.sentence}}
