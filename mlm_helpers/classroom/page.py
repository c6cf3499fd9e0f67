"""What all classroom widgets share: how they show without a kernel, and how they speak up."""

from html import escape

import ipywidgets as widgets

TYPE = "font-size: 18px; line-height: 1.4"
_COLOURS = {  # ground, ink, edge
    "warning": ("#fff3cd", "#3d2c00", "#E69F00"),
    "right": ("#dcf2ea", "#06382a", "#009E73"),
    "plain": ("#eef3f8", "#14212e", "#0072B2"),
}


class Page(widgets.VBox):
    """Controls that a reader without a kernel sees as HTML, and a reader of plain text as a line.

    A subclass sets ``still`` (HTML) and ``sentence`` before it is shown.
    """

    still = ""
    sentence = ""

    def __init__(self, children):
        super().__init__(children, layout=widgets.Layout(max_width="62em"))
        self.add_class("mlm-page")

    def _repr_mimebundle_(self, **kwargs):
        bundle = super()._repr_mimebundle_(**kwargs)
        return {**bundle, "text/html": self.still, "text/plain": self.sentence}


def box(content, kind="plain"):
    """HTML content on a ground of its own, so that it reads in a light and a dark theme."""
    ground, ink, edge = _COLOURS[kind]
    role = "alert" if kind == "warning" else "status"
    return (f'<div role="{role}" style="background: {ground}; color: {ink}; border-left: 4px solid '
            f'{edge}; padding: 6px 12px; margin: 4px 0; {TYPE}">{content}</div>')


def warning(message):
    """A plain message as a box that a screen reader reads out at once."""
    return box(escape(message), "warning")


def paragraph(text):
    """A plain text as a paragraph in the size of the classroom."""
    return f'<p style="{TYPE}; margin: 4px 0">{escape(text)}</p>'


