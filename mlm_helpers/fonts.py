"""Which signs matplotlib can draw here, so that any word can be a label without a warning."""

from functools import lru_cache

from matplotlib import font_manager
from matplotlib.ft2font import FT2Font

BASE = "DejaVu Sans"
_WIDER = ("Noto Sans CJK JP", "Noto Sans CJK SC", "Hiragino Sans", "Microsoft YaHei", "Yu Gothic",
          "Malgun Gothic", "WenQuanYi Zen Hei", "Noto Sans Devanagari", "Noto Sans Thai",
          "Nirmala UI", "Arial Unicode MS")
_MISSING = "□"


@lru_cache(maxsize=1)
def wider_families():
    """The installed font families that know more signs than matplotlib's own."""
    installed = set(font_manager.get_font_names())
    return [family for family in _WIDER if family in installed]


@lru_cache(maxsize=16)
def _signs(family):
    return frozenset(FT2Font(font_manager.findfont(family)).get_charmap())


def drawable(text):
    """The text with each sign that no font at hand can draw replaced by a box.

    Returns
    -------
    text : str
        One box per undrawable sign; white space of any kind becomes a blank.
    families : list of str
        The font families to draw it with.

    Examples
    --------
    >>> drawable("cat")
    ('cat', ['DejaVu Sans'])
    """
    text = " ".join(text.split())
    if _covered(text, [BASE]):
        return text, [BASE]
    families = [BASE, *wider_families()]
    return "".join(c if _covered(c, families) else _MISSING for c in text), families


def _covered(text, families):
    return all(any(ord(c) in _signs(family) for family in families) for c in text)
