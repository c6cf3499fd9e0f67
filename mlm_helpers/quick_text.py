"""Text that moves with a slider: each letter is drawn once and copied from then on.

Laying out and drawing a dozen numbers anew is what most of a frame's time went into.
"""

from functools import lru_cache

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

_COPIED = frozenset(map(chr, range(32, 127))) | set("±−·…∞₂⁻⁰¹²³⁴⁵⁶⁷⁸⁹\N{NARROW NO-BREAK SPACE}")
_OVERHANG = 3  # pixels by which a letter, an f say, may reach over its neighbours
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
            height, width = letters.shape[0], letters.shape[1] - 2 * _OVERHANG
            x -= _OVERHANG + width * _SHIFT[self.get_horizontalalignment()]
            y -= {"bottom": 0, "center": height / 2}[self.get_verticalalignment()]
            gc = renderer.new_gc()
            renderer.draw_image(gc, round(x), round(y), letters)
            gc.restore()


@lru_cache(maxsize=64)  # some frames' worth; long rows take 70 kB each
def _row(text, size, dpi):
    """The whole text, shape (height, width, 4), lowest line of pixels first as Agg wants it."""
    letters = [_letter(letter, size, dpi) for letter in text]
    starts = np.cumsum([0, *(letter.shape[1] - 2 * _OVERHANG for letter in letters)])
    shades = np.zeros((len(letters[0]), starts[-1] + 2 * _OVERHANG), dtype=np.uint8)
    for letter, start in zip(letters, starts, strict=False):
        field = shades[:, start:start + letter.shape[1]]
        np.maximum(field, letter, out=field)
    shades = shades[::-1]
    pixels = np.zeros((*shades.shape, 4), dtype=np.uint8)
    pixels[..., 3] = shades
    return pixels


@lru_cache(maxsize=256)
def _letter(letter, size, dpi):
    """How dark each pixel of a letter is, from 0 to 255, on its own width and the overhang."""
    height = int(np.ceil(1.3 * size * dpi / 72))
    repeats = 20
    canvas = FigureCanvasAgg(Figure(figsize=(10, height / dpi), dpi=dpi, facecolor="white"))
    drawn = canvas.figure.text(_OVERHANG / 10 / dpi, 0.24, letter, fontsize=size, parse_math=False)
    many = canvas.figure.text(0, 0.24, letter * (repeats + 1), fontsize=size, parse_math=False)
    renderer = canvas.get_renderer()
    span = many.get_window_extent(renderer).width - drawn.get_window_extent(renderer).width
    many.set_visible(False)
    canvas.draw()
    width = max(1, round(span / repeats))
    return 255 - np.asarray(canvas.buffer_rgba())[:, :width + 2 * _OVERHANG, 0]
