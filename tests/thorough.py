"""What the plain suite leaves to a thorough one: ``THOROUGH=1 pytest`` takes three times as long.

The plain suite makes fewer random moves, and asks some promises of a few notebooks or states
only: those that differ most from each other.
"""

import os

THOROUGH = os.environ.get("THOROUGH", "") not in ("", "0")


def plainly(few, all_of_them):
    """``few`` in the plain suite, ``all_of_them`` in the thorough one."""
    return all_of_them if THOROUGH else few
