"""Text that moves with a slider: each letter is drawn once and copied from then on.

Laying out and drawing a dozen numbers anew is what most of a frame's time went into.
"""

from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

_COPIED = frozenset(map(chr, range(32, 127))) | set("−·…∞₂⁻⁰¹²³⁴⁵⁶⁷⁸⁹\N{NARROW NO-BREAK SPACE}")
_SHIFT = {"left": 0.0, "center": 0.5, "right": 1.0}


class QuickText(Text):
    """One line of plain black text, quick to draw again with other words.

    It looks like ``Text`` but for letters standing on whole pixels. Words with letters that need
    more than being put in a row, Hindi's say, are left to ``Text``.
    """

    def draw(self, renderer):
        """Copy the letters into the picture."""
        text = self.get_text()
        if not _COPIED.issuperset(text):
            super().draw(renderer)
        elif text and self.get_visible():
            letters = _row(text, self.get_fontsize(), self.figure.dpi)
            x, y = self.get_transform().transform(self.get_position())
            height, width = letters.shape[:2]
            y -= {"bottom": 0, "center": height / 2}[self.get_verticalalignment()]
            gc = renderer.new_gc()
            renderer.draw_image(gc, round(x - width * _SHIFT[self.get_horizontalalignment()]),
                                round(y), letters)
            gc.restore()


@lru_cache(maxsize=256)
def _row(text, size, dpi):
    """The whole text, shape (height, width, 4), lowest line of pixels first as Agg wants it."""
    shades = np.hstack([_letter(letter, size, dpi) for letter in text])[::-1]
    pixels = np.zeros((*shades.shape, 4), dtype=np.uint8)
    pixels[..., 3] = shades
    return pixels


@lru_cache(maxsize=256)
def _letter(letter, size, dpi):
    """How dark each pixel of a letter is, from 0 to 255, on a field as wide as the letter."""
    height = int(np.ceil(1.3 * size * dpi / 72))
    repeats = 20
    canvas = FigureCanvasAgg(Figure(figsize=(10, height / dpi), dpi=dpi, facecolor="white"))
    drawn = canvas.figure.text(0, 0.24, letter, fontsize=size, parse_math=False)
    many = canvas.figure.text(0, 0.24, letter * (repeats + 1), fontsize=size, parse_math=False)
    renderer = canvas.get_renderer()
    span = many.get_window_extent(renderer).width - drawn.get_window_extent(renderer).width
    many.set_visible(False)
    canvas.draw()
    width = max(1, round(span / repeats))
    return 255 - np.asarray(canvas.buffer_rgba())[:, :width, 0]
