"""A derivation's steps: what is done, why, and the working, as Markdown with LaTeX."""

import re
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Step:
    """One step of a derivation: what is done, why, and the working."""

    title: str
    why: str
    working: str
    number: int = 1

    def __repr__(self):
        return f"Step {self.number}. {self.title}.\n\nWhy? {self.why}\n\n{self.working}"

    def _repr_markdown_(self):
        return f"**Step {self.number}. {self.title}.** *Why?* {self.why}\n\n{self.working}"


def numbered(steps):
    """The steps with their numbers, from 1."""
    return [replace(step, number=number) for number, step in enumerate(steps, start=1)]


def latex(text):
    """A number as the package writes it, in LaTeX.

    Examples
    --------
    >>> print(latex("−4.2·10⁻⁶"), latex("∞"))
    -4.2 \\cdot 10^{-6} \\infty
    """
    text = re.sub("·10([⁻⁰¹²³⁴-⁹]+)", _latex_power, text)
    return (text.replace("\N{NARROW NO-BREAK SPACE}", r"\,").replace("\N{MINUS SIGN}", "-")
            .replace("∞", r"\infty"))


def _latex_power(match):
    exponent = match[1].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return rf" \cdot 10^{{{exponent}}}"
