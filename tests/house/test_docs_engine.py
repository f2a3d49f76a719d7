"""The page on the engine protocol: its transcript, its examples and its limits are the program's."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import pages
from support.engines import EXAMPLES, python

from cribpi.companion.engines import launcher, process
from cribpi.cribbage.engine.lines import LONGEST
from cribpi.cribbage.rules.rules import preset
from cribpi.workshop.arena.contest import Contest, play_sets

PAGE = pages.read(pages.DOCS / "reference" / "engine-protocol.md")


def test_the_transcript_is_what_cribpi_engine_says() -> None:
    (block,) = pages.blocks(PAGE, "cei")
    asked = [line.removeprefix("> ") for line in block.lines if line.startswith("> ")]
    said = [line.removeprefix("< ") for line in block.lines if line.startswith("< ")]
    assert len(asked) + len(said) == len(block.lines)
    ran = subprocess.run(
        [sys.executable, "-m", "cribpi", "engine", "expert"],
        input="\n".join(asked) + "\n",
        stdout=subprocess.PIPE,
        encoding="utf-8",
        check=True,
    )
    assert ran.stdout.splitlines() == said


def test_the_limits_are_those_of_the_program() -> None:
    limits, told = dict(launcher.LIMITS), dict(rows())
    gib, mib = 1024**3, 1024**2
    assert told == {
        "to start, and for `newgame`": f"{process.READY:.0f} seconds each",
        "for a decision": f"in the arena `movetime` ({1000 * process.MOVETIME:,.0f} ms), "
        f"and {process.GRACE:.0f} seconds more",
        "output for one answer, errors included": f"{process.FLOOD:,} bytes",
        "a line from the referee": f"{LONGEST:,} bytes",
        "address space": f"{limits[resource.RLIMIT_AS] // gib} GiB",
        "processor time per game": f"{limits[resource.RLIMIT_CPU]} seconds",
        "a file; open files": f"{limits[resource.RLIMIT_FSIZE] // mib} MiB; {limits[resource.RLIMIT_NOFILE]}",
    }
    assert f"can have {launcher.MOST_PROCESSES} of its own" in PAGE


def rows() -> list[tuple[str, str]]:
    section = pages.section(PAGE, "## What happens to an engine that fails")
    return [(limit, value) for limit, value in pages.rows(section)]


def test_the_page_is_short() -> None:
    is_text, words = True, 0
    for line in PAGE.splitlines():
        if line.startswith(pages.FENCE):
            is_text = not is_text
        elif is_text:
            words += len(line.split())
    assert words <= 1_100


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_examples_play_each_other(tmp_path: Path, players: int) -> None:
    other = "thrifty"
    if compiler := shutil.which("cc"):
        program = tmp_path / "engine"
        source = str(EXAMPLES / "engine.c")
        subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", "-o", str(program), source], check=True)
        other = f"{process.PREFIX}{program}"
    sums = play_sets(Contest(python(EXAMPLES / "engine.py"), other, preset("standard", players)), 0, 2)
    assert sums["games"] == 2 * (3 if players == 3 else 2)
    assert not sums["handed-over.a"] + sums["handed-over.b"]
