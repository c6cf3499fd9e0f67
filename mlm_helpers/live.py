"""A figure drawn once, of which only the moving parts are drawn again, shown as a widget.

A slider move costs a restored background, a few artists, and a small picture: no new figure, no
pyplot, nothing that could leak or show twice.
"""

import base64
import io
import textwrap
from functools import lru_cache
from html import escape

import numpy as np
from ipywidgets import HTML
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from PIL import Image

from mlm_helpers.colours import palette_image
from mlm_helpers.fonts import drawable

HINT = "A still picture. Run all cells to move the sliders."
_CAPTION_WIDTH, _LINE_HEIGHT = 96, 30


class LiveFigure:
    """Keep one figure's still part, and redraw the rest on each ``draw``.

    Parameters
    ----------
    figure : Figure
        Drawn to completion by the caller; its size never changes.
    moving : list of Artist
        The artists whose looks change. All axes' spines join them, since they lie above the bars.

    Attributes
    ----------
    widget : ipywidgets.HTML
        The picture, with the sentence as alternative text and written below it.
    sentence : str
        What the last picture shows.
    """

    def __init__(self, figure, moving):
        self.figure = figure
        self.sentence = ""
        self.widget = HTML()
        self._canvas = FigureCanvasAgg(figure)
        self._moving = _in_drawing_order(figure, moving)
        self._background = None
        for artist in self._moving:
            artist.set_animated(True)

    def renew(self):
        """Draw the still part too next time, because it has changed."""
        self._background = None

    def set_dpi(self, dpi):
        """Draw with so many dots per inch from now on: more are sharper where it is shown large."""
        self.figure.set_dpi(dpi)
        self.renew()

    def draw(self, sentence):
        """Show the moving artists as they now are."""
        if self._background is None:
            self._canvas.draw()
            self._background = self._canvas.copy_from_bbox(self.figure.bbox)
        self._canvas.restore_region(self._background)
        renderer = self._canvas.get_renderer()
        for artist in self._moving:
            if artist.get_visible():
                artist.draw(renderer)
        self.sentence = sentence
        self.widget.value = self._markup(encode(self.pixels()))

    def pixels(self):
        """The picture as it stands, shape (height, width, 4)."""
        return np.asarray(self._canvas.buffer_rgba())

    def still(self):
        """PNG bytes for a reader without a kernel: the picture as it stands, and its sentence."""
        return encode(with_caption(self.pixels(), self.sentence))

    def _markup(self, png):
        """An img element in place; decoded before it is painted, so that nothing flickers."""
        height, width = self.pixels().shape[:2]
        data = base64.b64encode(png).decode("ascii")
        sentence = escape(self.sentence)
        return (f'<img class="mlm-picture" alt="{sentence}" width="{width}" height="{height}" '
                f'decoding="sync" style="max-width: 100%; height: auto; object-fit: contain" '
                f'src="data:image/png;base64,{data}">'
                f'<p class="mlm-sentence" role="status" style="font-size: 18px; line-height: 1.4; '
                f'margin: 4px 0">{sentence}</p>')


def _in_drawing_order(figure, moving):
    """Moving artists as matplotlib itself would draw them: axes by axes, lower zorder first."""
    ordered = []
    for ax in figure.axes:
        frame = ax.spines.values() if ax.axison else ()
        own = [artist for artist in ax.get_children() if artist in moving or artist in frame]
        ordered += sorted(own, key=lambda artist: artist.get_zorder())
    return ordered


def still_picture(figure, sentence):
    """PNG bytes of a figure that never moves, with its sentence."""
    return encode(with_caption(drawn(figure), sentence))


def drawn(figure):
    """A whole figure as pixels, shape (height, width, 4)."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())


def encode(pixels):
    """PNG bytes of a plot, RGBA. Its colours are few and known, so a palette holds them."""
    height, width = pixels.shape[:2]
    image = Image.frombuffer("RGBA", (width, height), pixels, "raw", "RGBA", 0, 1).convert("RGB")
    image = image.quantize(palette=_palette(), dither=Image.Dither.NONE)
    target = io.BytesIO()
    image.save(target, format="PNG", compress_level=1)
    return target.getvalue()


@lru_cache(maxsize=1)
def _palette():
    return palette_image()


def with_caption(pixels, sentence):
    """The picture with its sentence below it, and the hint that it can be brought to life."""
    lines = _caption_lines(sentence, pixels.shape[1])
    height = _LINE_HEIGHT * (len(lines) + 1)
    strip = Figure(figsize=(pixels.shape[1] / 100, height / 100), dpi=100, facecolor="white")
    for row, line in enumerate([*lines, HINT]):
        text, families = drawable(line)
        strip.text(0.01, 1 - (row + 0.5) * _LINE_HEIGHT / height, text, fontsize=14, va="center",
                   fontfamily=families, parse_math=False, style="italic" if line == HINT else None)
    return np.vstack([pixels, drawn(strip)])


def _caption_lines(sentence, width):
    """The sentence in lines that fit; digits are wider than letters, so counting is not enough."""
    trial = FigureCanvasAgg(Figure(dpi=100)).figure.text(0, 0, "", fontsize=14, parse_math=False)
    for n_characters in range(_CAPTION_WIDTH, _CAPTION_WIDTH // 2, -4):
        lines = textwrap.wrap(sentence, n_characters)
        if all(_width(trial, line) <= 0.985 * width for line in lines):
            break
    return lines


def _width(trial, line):
    text, families = drawable(line)
    trial.set(text=text, fontfamily=families)
    return trial.get_window_extent().width
