"""Plant each bug of the lists in a copy of the checkout, one at a time, and run the tests: one must turn red.

    make bugs                        all of them
    make bugs ARGS="NAME ..."        some, by their names or by the end of their file's path: play.py
    make bugs ARGS="--whole NAME"    by all the tests of its list, and not by the one that found it the last
    time

A line for each bug tells which test found it, or that it SURVIVED; the survivors are named at the end,
and the exit code is 1 if there are any.  A hang counts as red, and so does a crash of the whole process.

tests/bugs/found.json keeps which test found each bug.  That test is run first, and if it is red with the bug
and green without it, no other is needed; else all the tests of the bug's list are.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from queue import SimpleQueue
from typing import Final, NamedTuple

from bugs.planted import HOUSE, Bug, bugs, chosen

LEFT_OUT: Final = (".*", "__pycache__", "compiled", "dist", "build", "mutants", "*.egg-info", "images")
LONGEST_TEST: Final = 60
"""Seconds after which a test hangs."""
PATIENCE: Final = 20
"""Seconds that a test waits for what a bug may keep from coming; one that takes longer without a bug is left
out."""
LONGEST_RUN: Final = 900
"""Seconds after which all the tests together hang."""

SURVIVED: Final = "SURVIVED"
RED: Final = re.compile(r"^(?:FAILED|ERROR) (\S+?(?:\[.*?\])?)(?: - .*)?$", re.MULTILINE)
"""How pytest names a test that is red."""

CRASHES: Final = {
    -number.value: number.name
    for number in (signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV)
}
"""The exit codes of a process that has crashed, and the signals; being ended from outside is no crash."""

# What pyproject.toml adds for people, such as more than one worker, only takes time here.
# Asserts are left as they are: that one is red is enough.
PLAIN: Final = (
    *("-o", "addopts=--doctest-modules --import-mode=importlib"),
    *("-p", "no:cacheprovider", "--assert=plain"),
)

CACHE: Final = HOUSE / ".pytest_cache"
FOUND: Final = HOUSE / "tests" / "bugs" / "found.json"
"""Which test found each bug the last time."""


class Workshop:
    """A copy of the checkout, in which one bug at a time is planted."""

    def __init__(self, place: Path, source: Path = HOUSE) -> None:
        """Copy *source* to *place*, and compile the package so that a change is told by its text.

        By time and size, as is usual, a bug as long as what it replaces could go unseen for a second.
        """
        shutil.copytree(source, place, ignore=shutil.ignore_patterns(*LEFT_OUT))
        self.place = place
        self._warm: subprocess.Popen[str] | None = None
        self._environment = os.environ | {
            "PYTHONPATH": os.pathsep.join((str(place), str(place / "tests"))),
            "PYTHONDONTWRITEBYTECODE": "",  # what does not change is compiled once, and not for each bug
            "PYTHONPYCACHEPREFIX": str(place / "compiled"),
            "CRIBPI_PATIENCE": str(PATIENCE),
        }
        subprocess.run(
            [sys.executable, "-m", "compileall", "-q", "--invalidation-mode", "checked-hash", "cribpi"],
            cwd=place,
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

    def run(self, tests: Iterable[str], *options: str, **environment: str) -> tuple[int | None, str]:
        """Run *tests*; return pytest's exit code and what it printed, None for a hang."""
        arguments = ["-q", *PLAIN, "-p", "bugs.shortest_first", "--hypothesis-profile=planted"]
        arguments += [f"--timeout={LONGEST_TEST}", *options, *tests]
        printed = self.place.with_suffix(".out")
        order = {
            "arguments": arguments,
            "environment": environment,
            "out": str(printed),
            "seconds": LONGEST_RUN,
        }
        if self._warm is None:
            self._warm = subprocess.Popen(
                [sys.executable, "-m", "bugs.warm"],
                cwd=self.place,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self._warm.stdin is not None
        assert self._warm.stdout is not None
        print(json.dumps(order), file=self._warm.stdin, flush=True)
        code = json.loads(self._warm.stdout.readline())
        return code, printed.read_text(encoding="utf-8", errors="replace")

    def close(self) -> None:
        """End the process that runs the tests."""
        if self._warm is not None:
            self._warm.communicate()


class Notes:
    """What the tests do without a bug: how long each takes, and which are red.

    It is found out once for each state of the checkout, for the tests that are asked for, and kept beside
    pytest's own cache.
    """

    def __init__(self, folder: Path, workshop: Workshop) -> None:
        """Begin with what is kept for the state of *workshop*; *folder* is for files between here and
        pytest."""
        self._kept = CACHE / f"bugs-without-{workshop.digest()}.json"
        self._folder = folder
        self._lock = threading.Lock()
        self._seconds: dict[str, float] = {}
        self._red: set[str] = set()
        self._whole: list[str] = []
        if self._kept.exists():
            known = json.loads(self._kept.read_text())
            self._seconds, self._red, self._whole = known["seconds"], set(known["red"]), known["whole"]

    def is_green(self, node: str) -> bool:
        """Tell whether the test *node* was run without a bug and was not red."""
        return node in self._seconds and node not in self._red

    def try_out(self, nodes: Collection[str], workshops: Sequence[Workshop]) -> None:
        """Run the tests *nodes*, as far as nothing is known of them, in all *workshops* side by side."""
        unknown = {node for node in nodes if node not in self._seconds}
        files = sorted({node.partition("::")[0] for node in unknown})
        files = [file for file in files if (workshops[0].place / file).is_file()]
        if not files:
            return
        only = self._folder / "only.json"
        only.write_text(json.dumps(sorted(unknown)))
        shares = [share for at in range(len(workshops)) if (share := files[at :: len(workshops)])]
        with ThreadPoolExecutor(len(shares)) as pool:
            list(pool.map(self._note, workshops, shares, [str(only)] * len(shares)))
        self._keep()

    def of(self, tests: Sequence[str], workshop: Workshop) -> Path:
        """Return the file of what is known of all *tests*, of which those are run in *workshop* that were not
        yet."""
        with self._lock:
            if new := [path for path in tests if path not in self._whole]:
                print(f"without a bug: {' '.join(new)} ...", flush=True)
                self._note(workshop, new)
                self._whole += new
                self._keep()
            return self._kept

    def _note(self, workshop: Workshop, tests: Sequence[str], only: str = "") -> None:
        note = self._folder / f"{workshop.place.name}.json"
        code, said = workshop.run(tests, CRIBPI_BUGS_NOTE=str(note), CRIBPI_BUGS_ONLY=only)
        if code not in {0, 1, 5}:
            raise SystemExit(f"the tests do not run without a bug either:\n{said[-3000:]}")
        seen = json.loads(note.read_text())
        self._seconds |= seen["seconds"]
        for node in seen["red"]:
            print(f"  red without a bug, and left out: {node}", flush=True)
        self._red |= set(seen["red"])

    def _keep(self) -> None:
        CACHE.mkdir(exist_ok=True)
        for old in CACHE.glob("bugs-without-*.json"):
            old.unlink()
        known = {"seconds": self._seconds, "red": sorted(self._red), "whole": self._whole}
        self._kept.write_text(json.dumps(known))


class Verdict(NamedTuple):
    """What came of a bug: the test that *found* it, or how it survived, in *seconds*; *at_once* by the
    recorded one."""

    found: str
    seconds: float
    at_once: bool = False


def verdict(bug: Bug, first: str | None, workshop: Workshop, notes: Notes) -> Verdict:
    """Plant *bug* in *workshop*, run the tests up to the first red one, and return its name, or `SURVIVED`.

    *first* is the test that found it the last time: where it still does, no other is needed.
    """
    began = time.monotonic()
    file = workshop.place / bug.file
    right = file.read_text(encoding="utf-8")
    try:
        wrong = bug.planted_in(right)
    except ValueError as unplantable:
        return Verdict(f"{SURVIVED}, for it can't be planted: {unplantable}", 0)
    try:
        if first is not None and notes.is_green(first):
            file.write_text(wrong, encoding="utf-8")
            code = workshop.run([first])[0]
            if code == 1 or code in CRASHES:
                return Verdict(first, time.monotonic() - began, at_once=True)
            file.write_text(right, encoding="utf-8")
        known = notes.of(bug.tests, workshop)
        file.write_text(wrong, encoding="utf-8")
        code, said = workshop.run(bug.tests, "-x", CRIBPI_BUGS=str(known))
    finally:
        file.write_text(right, encoding="utf-8")
    return Verdict(ended(code, said), time.monotonic() - began)


def ended(code: int | None, said: str) -> str:
    """Return the test that is red, by pytest's exit *code* and what it *said*, or how the bug survived."""
    if code is None:
        return f"the tests together hang after {LONGEST_RUN} s"
    if code in CRASHES:
        return f"the tests crash by {CRASHES[code]}"
    if code == 0:
        return SURVIVED
    red = RED.search(said)
    if code not in {1, 2} or not red:
        return f"{SURVIVED}, for pytest ended with {code}, and no test was red: {said[-300:]}"
    return red[1]


def _recorded() -> dict[str, str]:
    """Return which test found each bug the last time."""
    return json.loads(FOUND.read_text()) if FOUND.exists() else {}


def _record(found: dict[str, str]) -> None:
    """Keep which test *found* each bug, of those that are still on the lists."""
    names = {bug.name for bug in bugs()}
    kept = {name: found[name] for name in sorted(found) if name in names}
    text = json.dumps(kept, indent=1) + "\n"
    if not FOUND.exists() or text != FOUND.read_text():
        FOUND.write_text(text)


def plant(wanted: Sequence[Bug], folder: Path, jobs: int, *, whole: bool) -> dict[Bug, Verdict]:
    """Plant all that are *wanted*, *jobs* at a time; print a line for each, and return what came of them."""
    first = Workshop(folder / "0")
    # The checkout may change meanwhile: the others are copies of the first.
    workshops = [first, *(Workshop(folder / str(number), first.place) for number in range(1, jobs))]
    notes, before = Notes(folder, first), {} if whole else _recorded()
    began = time.monotonic()
    notes.try_out({before[bug.name] for bug in wanted if bug.name in before}, workshops)
    print(f"without a bug: {time.monotonic() - began:.0f} s", flush=True)
    free: SimpleQueue[Workshop] = SimpleQueue()
    for workshop in workshops:
        free.put(workshop)

    def one(bug: Bug) -> tuple[Bug, Verdict]:
        workshop = free.get()
        try:
            return bug, verdict(bug, before.get(bug.name), workshop, notes)
        finally:
            free.put(workshop)

    verdicts, found = dict[Bug, Verdict](), _recorded()
    try:
        with ThreadPoolExecutor(jobs) as pool:
            for done in as_completed([pool.submit(one, bug) for bug in wanted]):
                bug, came = done.result()
                verdicts[bug] = came
                if "::" in came.found and not came.found.startswith(SURVIVED):
                    found[bug.name] = came.found
                print(f"{bug.name}: {came.found} ({came.seconds:.1f} s)", flush=True)
    finally:
        _record(found)
        for workshop in workshops:
            workshop.close()
    return verdicts


def main() -> int:
    """Plant the bugs that are asked for; return the exit code: 1 if any survived."""
    reader = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    reader.add_argument("names", nargs="*", help="bugs, or ends of file paths; all without any")
    cores = len(os.sched_getaffinity(0))
    reader.add_argument(
        "--workshops", type=int, default=cores, help=f"how many bugs at a time (a core each: {cores})"
    )
    reader.add_argument("--whole", action="store_true", help="run all the tests, not the recorded one first")
    asked = reader.parse_args()
    try:
        wanted = chosen(asked.names)
    except ValueError as wrong:
        reader.error(str(wrong))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="cribpi-bugs-") as place:
        verdicts = plant(wanted, Path(place), max(1, min(asked.workshops, len(wanted))), whole=asked.whole)
    survivors = [bug for bug, came in verdicts.items() if came.found.startswith(SURVIVED)]
    at_once = [came.seconds for came in verdicts.values() if came.at_once]
    print(
        f"{len(wanted)} bugs in {time.monotonic() - began:.0f} s: {len(wanted) - len(survivors)} found, "
        f"{len(at_once)} of them by the test that found them the last time, in {sum(at_once):.0f} s "
        f"together; "
        f"{len(survivors)} survived"
    )
    for bug in survivors:
        print(f"  {SURVIVED}: {bug.name}, {bug.file}: {bug.why}")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
