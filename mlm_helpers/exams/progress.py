"""A progress bar, for whoever waits."""

import sys

SHOWN_FROM = 20
"""With fewer items nobody waits long enough to look."""

_WIDTH = 30


def progress(items, label, stream=None):
    """The items one by one, with a bar on standard error from 20 items up.

    Parameters
    ----------
    items : sequence
        What is worked through.
    label : str
        What the items are: "papers".
    stream : file, optional
        Where the bar is drawn, instead.

    Yields
    ------
    object
        Each item.
    """
    stream = stream or sys.stderr
    if len(items) < SHOWN_FROM:
        yield from items
        return
    drawn = None
    for done, item in enumerate(items):
        drawn = _draw(stream, drawn, done, len(items), label)
        yield item
    _draw(stream, drawn, len(items), len(items), label)
    stream.write("\n")


def _draw(stream, drawn, done, total, label):
    """Draw the bar if it has grown; thirty times are enough, also for whoever keeps a log."""
    full = _WIDTH * done // total
    if full != drawn:
        stream.write(f"\r[{'#' * full}{'.' * (_WIDTH - full)}] {done} of {total} {label}")
        stream.flush()
    return full
