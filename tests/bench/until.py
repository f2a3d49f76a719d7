"""Run a command to its end, or to its first line; print the seconds, and its most memory in MB.

    python -S tests/bench/until.py end|line COMMAND ...

It is a small program of its own: a child's figure begins with what its parent has.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time


def main(until: str, *command: str) -> None:
    start = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        if until == "end":
            process.stdout.read()
            process.wait()
        else:
            process.stdout.readline()
        took = time.perf_counter() - start
        process.terminate()
        process.wait()
    print(took, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024)


if __name__ == "__main__":
    main(*sys.argv[1:])
