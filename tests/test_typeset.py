"""Formulas become MathML, with the same signs in it, and Markdown stays Markdown."""

import re

import pytest

from html_text import text_of
from mlm_helpers.derivations import derive_loss
from mlm_helpers.examples import STANDARD_MASK
from mlm_helpers.typeset import formula, typeset


def test_a_fraction_keeps_what_is_above_and_below():
    html = formula(r"\frac{4.48}{12.8} = 0.35")
    assert re.search(r"<mfrac>.*4\.48.*12\.8.*</mfrac>", html)
    assert text_of(html) == "4.48 12.8 &#x0003D; 0.35"


@pytest.mark.parametrize(("markdown", "tag"), [
    ("a $e^z$ b", 'display="inline"'), ("$$e^z$$", 'display="block"'),
    ("| a |\n|--|\n| 1 |", "<td>1</td>"), ("**b**", "<strong>b</strong>"),
    ("| | a |\n|:--|--|\n| 1 | 2 |", '<td style="text-align:left"></td>'),
    ("&#60;b&#62;", "<p>&lt;b&gt;</p>"),
])
def test_markdown(markdown, tag):
    assert tag in typeset(markdown)


def test_no_formula_of_a_derivation_is_left_as_latex():
    html = "".join(typeset(step._repr_markdown_()) for step in derive_loss(STANDARD_MASK.slot))
    assert "$" not in html and "\\" not in html
    assert html.count("<math") == 8


def test_bold_is_said_in_the_way_browsers_know():
    assert 'style="font-weight: bold"' in formula(r"\mathbf{0.6265}")


@pytest.mark.parametrize("latex, spaces", [
    (r"\ln 0.5", 1), (r"\log_2 5", 1), (r"\ln p + \exp x", 2), (r"\ln(3)", 0), (r"\log_2(8)", 0),
    (r"-\ln \frac{1}{2}", 1)])
def test_functions_stand_clear_of_their_argument(latex, spaces):
    """Else one reads the letters and the number as one word."""
    html = formula(latex)
    assert html.count("<mspace") == spaces and html.count("<msub>") == html.count("</mn></msub>")
