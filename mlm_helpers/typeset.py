"""Markdown with LaTeX → HTML whose formulas are MathML, which browsers set without any script."""

import mistune
from latex2mathml.converter import convert


def formula(latex, *, block=False):
    """A formula as MathML.

    Examples
    --------
    >>> formula("x^2").startswith('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    True
    """
    mathml = convert(latex, display="block" if block else "inline")
    return mathml.replace('mathvariant="bold"', 'style="font-weight: bold"')  # browsers dropped it


def typeset(markdown):
    """HTML of a Markdown text with $…$, $$…$$ and tables. HTML in the text passes as it is.

    Examples
    --------
    >>> typeset("**two**")
    '<p><strong>two</strong></p>'
    """
    return _MARKDOWN(markdown).strip()


def _with_mathml(markdown):
    """A plugin: formulas in MathML, which mistune would leave as LaTeX."""
    markdown.renderer.register("block_math", lambda _, text: formula(text, block=True))
    markdown.renderer.register("inline_math", lambda _, text: formula(text))


_MARKDOWN = mistune.create_markdown(escape=False, plugins=["table", "math", _with_mathml])
