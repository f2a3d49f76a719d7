"""Plant each bug of the lists in a copy of the checkout, one at a time, and run the tests: one must turn red.

    make bugs                        all of them
    make bugs ARGS="NAME ..."        some, by their names or by the end of their file's path: play.py

A line for each bug tells which test found it, or that it SURVIVED; the survivors are named at the end,
and the exit code is 1 if there are any.  A hang counts as red.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from bugs.planted import HOUSE, Bug, chosen

TESTS: Final = (
    "tests/core",
    "tests/entry",
    "cribpi/core",
    "cribpi/entry",
    "tests/test_whole_games.py",
    "tests/test_recorded_games.py",
    "tests/test_table.py",
    "tests/test_machine_seats.py",
    "tests/test_house_rules.py",
    "tests/house/test_docs_rules.py",
    "tests/house/test_docs_reference_rules.py",
)
"""The tests that concern the core and the entry: their own, their doctests, and those that play whole games."""

LEFT_OUT: Final = (".*", "__pycache__", "compiled", "dist", "build", "*.egg-info", "images")
LONGEST_TEST: Final = 60
"""Seconds after which a test hangs."""
LONGEST_RUN: Final = 900
"""Seconds after which all the tests together hang."""

SURVIVED: Final = "SURVIVED"
RED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
"""How pytest names a test that is red."""

CACHE: Final = HOUSE / ".pytest_cache"
FOUND: Final = CACHE / "bugs-found.json"
"""Which test found each bug the last time."""


class Workshop:
    """A copy of the checkout, in which one bug at a time is planted."""

    def __init__(self, place: Path, notes: Path, source: Path = HOUSE) -> None:
        """Copy *source* to *place*; *notes* is where the run without a bug notes what it saw."""
        shutil.copytree(source, place, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self.place = place
        self._environment = os.environ | {
            "PYTHONPATH": os.pathsep.join((str(place), str(place / "tests"))),
            "PYTHONDONTWRITEBYTECODE": "",  # what does not change is compiled once, and not for each bug
            "PYTHONPYCACHEPREFIX": str(place / "compiled"),
            "CRIBPI_BUGS": str(notes),
        }

    def compile(self) -> None:
        """Compile the package so that a change is told by its text.

        By time and size, as is usual, a bug as long as what it replaces could go unseen for a second.
        """
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "cribpi"],
            cwd=self.place,
            env=self._environment,
            check=True,
        )

    def digest(self) -> str:
        """Return a word that changes whenever a file of the package or of the tests does."""
        files = sorted(
            path
            for room in ("cribpi", "tests", "docs")
            for path in (self.place / room).rglob("*")
            if path.is_file() and "bugs" not in path.parts
        )
        told = hashlib.sha256()
        for path in files:
            told.update(f"{path.relative_to(self.place)}\n".encode() + path.read_bytes())
        return told.hexdigest()[:16]

    def run(self, *options: str, tests: Sequence[str] = TESTS) -> tuple[int | None, str]:
        """Run *tests*; return pytest's exit code and what it printed, None for a hang."""
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "bugs.shortest_first",
            "-p",
            "no:cacheprovider",
        ]
        command += ["--hypothesis-profile=planted", f"--timeout={LONGEST_TEST}", *options, *tests]
        try:
            ran = subprocess.run(
                command,
                cwd=self.place,
                env=self._environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                timeout=LONGEST_RUN,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, ""
        return ran.returncode, ran.stdout

    def verdict(self, bug: Bug, first: str | None) -> str:
        """Plant *bug*, run the tests up to the first red one, and return its name, or `SURVIVED`.

        *first* is the test that found it the last time: where it still does, no other is needed.
        """
        file = self.place / bug.file
        right = file.read_text(encoding="utf-8")
        try:
            file.write_text(bug.planted_in(right), encoding="utf-8")
        except ValueError as wrong:
            return f"{SURVIVED}, for it can't be planted: {wrong}"
        try:
            if first is not None and self.run(tests=[first])[0] == 1:
                return first
            code, said = self.run("-x")
        finally:
            file.write_text(right, encoding="utf-8")
        if code is None:
            return f"the tests together hang after {LONGEST_RUN} s"
        if code == 0:
            return SURVIVED
        red = RED.search(said)
        if code not in {1, 2} or not red:
            return f"{SURVIVED}, for pytest ended with {code}, and no test was red: {said[-300:]}"
        return red[1]


def _begin(folder: Path, workshops: int) -> SimpleQueue[Workshop]:
    """Make *workshops* copies, and run the tests without a bug: it tells their times, and which are red.

    That is done once for each state of the checkout; what it has told is kept beside pytest's own cache.
    """
    first = Workshop(folder / "0", folder / "notes.json")
    notes, kept = folder / "notes.json", CACHE / f"bugs-without-{first.digest()}.json"
    first.compile()
    began = time.monotonic()
    if kept.exists():
        shutil.copy(kept, notes)
    else:
        code, said = first.run()
        if code not in {0, 1} or not notes.exists():
            raise SystemExit(f"the tests do not run without a bug either:\n{said[-3000:]}")
        CACHE.mkdir(exist_ok=True)
        for old in CACHE.glob("bugs-without-*.json"):
            old.unlink()
        shutil.copy(notes, kept)
    red = json.loads(notes.read_text())["red"]
    print(f"without a bug: {time.monotonic() - began:.0f} s, {len(red)} red", flush=True)
    for node in red:
        print(f"  red without a bug, and left out: {node}", flush=True)
    free: SimpleQueue[Workshop] = SimpleQueue()
    free.put(first)
    for number in range(1, workshops):
        other = Workshop(folder / str(number), notes, first.place)  # the checkout may have changed since
        other.compile()
        free.put(other)
    return free


def main() -> int:
    """Plant the bugs that are asked for; return the exit code: 1 if any survived."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reader.add_argument("names", nargs="*", help="bugs, or ends of file paths; all without any")
    reader.add_argument("--workshops", type=int, default=2, help="how many bugs at a time (2)")
    asked = reader.parse_args()
    try:
        wanted = chosen(asked.names)
    except ValueError as wrong:
        reader.error(str(wrong))
    began, survivors = time.monotonic(), []
    with tempfile.TemporaryDirectory(prefix="cribpi-bugs-") as place:
        free = _begin(Path(place), min(asked.workshops, len(wanted)))

        before: dict[str, str] = json.loads(FOUND.read_text()) if FOUND.exists() else {}

        def one(bug: Bug) -> tuple[Bug, str]:
            workshop = free.get()
            try:
                return bug, workshop.verdict(bug, before.get(bug.name))
            finally:
                free.put(workshop)

        with ThreadPoolExecutor(asked.workshops) as pool:
            for done in as_completed([pool.submit(one, bug) for bug in wanted]):
                bug, found = done.result()
                if found.startswith(SURVIVED):
                    survivors.append(bug)
                elif "::" in found:
                    before[bug.name] = found
                print(f"{bug.name}: {found}", flush=True)
        FOUND.write_text(json.dumps(before, indent=1))
    killed = len(wanted) - len(survivors)
    print(
        f"{len(wanted)} bugs in {time.monotonic() - began:.0f} s: {killed} found, {len(survivors)} survived"
    )
    for bug in survivors:
        print(f"  {SURVIVED}: {bug.name}, {bug.file}: {bug.why}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
