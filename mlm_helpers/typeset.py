"""Markdown with LaTeX → HTML whose formulas are MathML, which browsers set without any script."""

import re

import mistune
from latex2mathml.converter import convert

# A function before its argument, unless that is in parentheses: LaTeX leaves a thin space there.
_FUNCTION = re.compile(r"(<msub><mi>log</mi><mn>\d+</mn></msub>"
                       r"|(?<!<msub>)(?<!<msup>)<mi>(?:ln|log|exp)</mi>)(?=<m(?!o))")

_EMPTY_HEADING = re.compile(r"<th([^>]*)></th>")


def formula(latex, *, block=False):
    """A formula as MathML.

    Examples
    --------
    >>> formula("x^2").startswith('<math xmlns="http://www.w3.org/1998/Math/MathML"')
    True
    """
    mathml = convert(latex, display="block" if block else "inline")
    # Browsers dropped the attribute that says so.
    mathml = mathml.replace('mathvariant="bold"', 'style="font-weight: bold"')
    return _FUNCTION.sub(r'\1<mspace width="0.167em"></mspace>', mathml)


def typeset(markdown):
    """HTML of a Markdown text with $…$, $$…$$ and tables. HTML in the text passes as it is.

    The empty corner of a table is made an ordinary cell: a heading that says nothing is none.

    Examples
    --------
    >>> typeset("**two**")
    '<p><strong>two</strong></p>'
    """
    return _EMPTY_HEADING.sub(r"<td\1></td>", _MARKDOWN(markdown).strip())


def typeset_steps(steps):
    """HTML of a derivation's steps, one below the other.

    Examples
    --------
    >>> from mlm_helpers.steps import Step
    >>> typeset_steps([Step("Add", "A sum.", "1 + 1")]).startswith("<p><strong>Step 1. Add.")
    True
    """
    return "".join(typeset(step._repr_markdown_()) for step in steps)


def _with_mathml(markdown):
    """A plugin: formulas in MathML, which mistune would leave as LaTeX."""
    markdown.renderer.register("block_math", lambda _, text: formula(text, block=True))
    markdown.renderer.register("inline_math", lambda _, text: formula(text))


_MARKDOWN = mistune.create_markdown(escape=False, plugins=["table", "math", _with_mathml])
