"""How the bench measures, and how it prints: a row for each figure, with the budget it has."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

START = "OK OK P1 5".split()
"""A new game, who deals, and the starter."""
ORDINARY = "8 7 7 6 GO GO 5 Q K 4 OK OK 2 9 J 4 OK 8 10 5 4 J GO GO Q 3 K 8 OK OK".split()
"""Thirty presses of an ordinary game: a deal and most of the next, none of them refused."""

WITH_TESTS = os.environ | {"PYTHONPATH": str(Path(__file__).parents[1])}
"""The environment of a program that finds `bench` and `support`."""


def python(*words: str) -> str:
    """Run Python in a process of its own, which finds `bench`, and return what it prints."""
    return subprocess.run(
        [sys.executable, *words], env=WITH_TESTS, check=True, capture_output=True, text=True
    ).stdout


def row(what: str, figure: str, budget: str) -> None:
    print(f"{what:<60} {figure:>32}   budget {budget}", flush=True)


def median_us(act: Callable[[], object], runs: int, each: int = 1) -> float:
    """Return the median time of *act*, which does *each* things, in microseconds a thing."""
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        act()
        times.append((time.perf_counter() - start) / each)
    return statistics.median(times) * 1e6


def speed(runs: int) -> None:
    """How fast the machine is just now: what else runs on it makes all figures larger, and this one too."""
    row(
        "this machine now: sum(range(10**6))",
        f"{median_us(lambda: sum(range(10**6)), runs) / 1e3:.2f} ms",
        "-",
    )


def resident_mb(process: int) -> float:
    return _status_mb(process, "VmRSS:")


def most_mb(process: int) -> float:
    """Return the most memory that the process has had resident since it began."""
    return _status_mb(process, "VmHWM:")


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def disk_bytes(process: int) -> int:
    """Return the bytes that the process has had written to a disk."""
    return int(Path(f"/proc/{process}/io").read_text(encoding="ascii").split("\nwrite_bytes: ")[1].split()[0])


def has_numpy(process: int) -> bool:
    """Tell whether the process has loaded NumPy, by the libraries that lie in its memory."""
    return "/numpy/" in Path(f"/proc/{process}/maps").read_text(encoding="utf-8")


def _status_mb(process: int, name: str) -> float:
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii")
    return int(status.split(name)[1].split()[0]) / 1024
