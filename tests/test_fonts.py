"""Any text is drawn without a warning, with the fonts at hand or with matplotlib's own alone."""

from pathlib import Path

import matplotlib.font_manager
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from mlm_helpers import fonts
from mlm_helpers.fonts import BASE, drawable, wider_families
from test_wording import HOSTILE

pytestmark = pytest.mark.filterwarnings("error")

PACKAGE = Path(fonts.__file__).parent
FOREIGN = {"texts.py", "sample_texts.py"}  # examples in other scripts

SCRIPTS = [
    "Äpfel − ∞ ₂", "日本語の猫", "고양이", "बिल्ली", "مرحبا", "שלום", "แมว", "🙂", "👩‍💻", "❤️",
    "Ġthe", "▁the",
    "e\u0301", "\ufeff", "\ud800", "\U0010ffff", "\x00\x07", "𝔘𝔫𝔦", "ﷺ",
]


@pytest.fixture(params=["fonts at hand", "matplotlib's font alone"])
def font_choice(request, monkeypatch):
    if request.param != "fonts at hand":
        monkeypatch.setattr(fonts, "wider_families", lambda: [])


def draw(text, families):
    figure = Figure()
    figure.text(0.5, 0.5, text, fontfamily=families, parse_math=False)
    FigureCanvasAgg(figure).draw()


@pytest.mark.usefixtures("font_choice")
@pytest.mark.parametrize("text", [*HOSTILE, *SCRIPTS], ids=ascii)
def test_any_text_is_drawn_without_a_warning(text):
    draw(*drawable(text))


@pytest.mark.usefixtures("font_choice")
def test_every_sign_stays_or_becomes_one_box():
    for text in [*HOSTILE, *SCRIPTS]:
        shown, _ = drawable(text)
        one_line = " ".join(text.split())
        assert len(shown) == len(one_line)
        assert all(new in (old, "□") for old, new in zip(one_line, shown, strict=True))


def test_latin_signs_never_need_another_font():
    assert drawable("The naïve cat, Äpfel: 3 − 2 ∞ [MASK] ##ing Ġ ▁") == (
        "The naïve cat, Äpfel: 3 − 2 ∞ [MASK] ##ing Ġ ▁", [BASE]
    )


@pytest.mark.parametrize("module", [path for path in sorted(PACKAGE.rglob("*.py"))
                                    if path.name not in FOREIGN],
                         ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_own_signs_never_need_another_font(module, monkeypatch):
    """A picture must not depend on the reader's fonts, unless the reader's words do."""
    monkeypatch.setattr(fonts, "wider_families", lambda: [])
    text = " ".join(module.read_text("utf-8").split())
    assert set(text) - set(drawable(text)[0]) == set()


def test_a_sign_that_no_font_has_becomes_a_box_and_the_others_stay(monkeypatch):
    monkeypatch.setattr(fonts, "wider_families", lambda: [])
    assert drawable("a猫b\U0010ffff") == ("a□b□", [BASE])


def test_only_installed_families_are_named():
    assert set(wider_families()) <= set(matplotlib.font_manager.get_font_names())
