"""Matrix products on one thread."""

from functools import lru_cache

from threadpoolctl import ThreadpoolController


def one_thread():
    """A context in which numpy's products take one thread.

    The model is small: two threads gain little on an idle machine, and on a busy one, such as
    Binder's, they wait for each other and a step takes eight times as long.
    """
    return _controller().limit(limits=1, user_api="blas")


@lru_cache(maxsize=1)  # looking for the libraries takes longer than a step
def _controller():
    return ThreadpoolController()
