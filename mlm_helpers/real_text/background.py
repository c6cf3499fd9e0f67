"""Long work in short slices, so that the kernel answers in between.

The slices run as a task of the event loop that handled the click, so that a run gives the same
numbers each time. It need not be the loop that handles the next click: JupyterLab may give widgets
a thread of their own within the kernel. So ``pause`` may come in the middle of the work; whoever
shares something with ``work`` and ``show`` holds a lock.
"""

import asyncio
import time

SLICE, BREATH = 0.04, 0.002  # seconds of work, and of listening to what the reader clicks
_SHOW_EVERY = 0.3


class SlicedWork:
    """Do some work until it is done or paused.

    Parameters
    ----------
    work : callable
        Does the smallest part of the work, and says whether there is more.
    show : callable
        Called every 0.3 s and at the end, to show how far it is.
    fail : callable
        Called with what ``work`` or ``show`` raises; that ends it.

    Attributes
    ----------
    running : bool

    Examples
    --------
    Outside a notebook there is no event loop, and the work is done at once:

    >>> left = [1, 2, 3]
    >>> SlicedWork(lambda: left.pop() > 1, lambda: print("left:", left), print).start()
    left: []
    """

    def __init__(self, work, show, fail):
        self._work, self._show, self._fail = work, show, fail
        self._task, self.running = None, False

    def start(self):
        """Begin, or go on."""
        if self.running:
            return
        self.running = True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._finish()
        else:
            self._task = loop.create_task(self._slices())  # kept, or it may be swept away

    def pause(self):
        """Stop after the present part."""
        self.running = False

    def _finish(self):
        """Do all the work now."""
        try:
            while self.running and self._work():
                pass
            self.running = False
            self._show()
        except Exception as error:
            self.running = False
            self._fail(error)

    async def _slices(self):
        me, shown = self._task, time.perf_counter()
        try:
            while self.running and me is self._task:  # not if paused and gone on with meanwhile
                end = time.perf_counter() + SLICE
                while self.running and me is self._task and time.perf_counter() < end:
                    if not self._work():
                        self.running = False
                if not self.running or time.perf_counter() - shown > _SHOW_EVERY:
                    self._show()
                    shown = time.perf_counter()
                await asyncio.sleep(BREATH)
        except Exception as error:  # in a task it would be told to nobody
            self.running = False
            self._fail(error)
