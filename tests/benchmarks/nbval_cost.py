"""What comparing all notebooks costs, beside the bare cost of starting their kernels.

Run by hand: ``python tests/benchmarks/nbval_cost.py``. Three things are timed in turn, three times:
pytest with nbval over the folder of notebooks, as the tests are set up and then one notebook after
the other; and one after the other as many kernels as there are notebooks, each of which imports
numpy and matplotlib and ends.
"""

import statistics
import subprocess
import sys
import time
from pathlib import Path

from jupyter_client.manager import start_new_kernel

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
IMPORTS = "import numpy, matplotlib.figure"
ROUNDS = 3


def timed(run):
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def compare_all(*options):
    command = [sys.executable, "-m", "pytest", "-q", *options, str(NOTEBOOKS)]
    subprocess.run(command, cwd=NOTEBOOKS.parent, check=True, stdout=subprocess.DEVNULL)


def start_all():
    for _ in NOTEBOOKS.glob("*.ipynb"):
        manager, client = start_new_kernel(kernel_name="python3", stderr=subprocess.DEVNULL)
        try:
            client.execute_interactive(IMPORTS, timeout=60)
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def main():
    rounds = [(timed(compare_all), timed(lambda: compare_all("-n0")), timed(start_all))
              for _ in range(ROUNDS)]
    together, in_turn, bare = (statistics.median(times) for times in zip(*rounds, strict=True))
    print(f"bare kernels {bare:.1f} s")
    for how, cost in (("as set up", together), ("one after the other", in_turn)):
        print(f"nbval {how} {cost:.1f} s: {cost / bare:.2f} times")


if __name__ == "__main__":
    main()
