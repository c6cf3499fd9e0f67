"""What comparing all notebooks costs, beside the bare cost of starting their kernels.

Run by hand: ``python tests/benchmarks/nbval_cost.py``. Both are timed in turn, three times, in one
process each: pytest with nbval over the folder of notebooks, and as many kernels as there are
notebooks, each of which imports numpy and matplotlib and ends.
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


def compare_all():
    command = [sys.executable, "-m", "pytest", "-q", "-n0", str(NOTEBOOKS)]
    subprocess.run(command, cwd=NOTEBOOKS.parent, check=True, stdout=subprocess.DEVNULL)


def start_all():
    for _ in NOTEBOOKS.glob("*.ipynb"):
        manager, client = start_new_kernel(kernel_name="python3")
        try:
            client.execute_interactive(IMPORTS, timeout=60)
        finally:
            client.stop_channels()
            manager.shutdown_kernel(now=True)


def main():
    pairs = [(timed(compare_all), timed(start_all)) for _ in range(ROUNDS)]
    compared, bare = (statistics.median(times) for times in zip(*pairs, strict=True))
    print(f"nbval {compared:.1f} s, bare kernels {bare:.1f} s: {compared / bare:.2f} times")


if __name__ == "__main__":
    main()
