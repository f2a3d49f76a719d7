"""The page on the engine protocol: its transcript, its examples and its limits are the program's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support import pages
from support.engines import EXAMPLES, needs_confinement, python, sights_of
from support.program import ended

from cribpi.companion.engines import process, sandbox
from cribpi.cribbage.engine.lines import LONGEST, write_position
from cribpi.cribbage.rules.rules import preset
from cribpi.workshop.arena.contest import Contest, play_sets

PAGE = pages.read(pages.DOCS / "reference" / "engine-protocol.md")


def test_the_transcript_is_what_cribpi_engine_says() -> None:
    (block,) = pages.blocks(PAGE, "cei")
    asked = [line.removeprefix("> ") for line in block.lines if line.startswith("> ")]
    said = [line.removeprefix("< ") for line in block.lines if line.startswith("< ")]
    assert len(asked) + len(said) == len(block.lines)
    ran = ended("engine", "expert", typed="\n".join(asked) + "\n")
    assert (ran.returncode, ran.stdout.splitlines()) == (0, said)


def test_the_limits_are_those_of_the_program() -> None:
    limits, told = sandbox.LIMITS, dict(rows())
    gib, mib = 1024**3, 1024**2
    assert told == {
        "to start, and for `newgame`": f"{process.READY:.0f} seconds each",
        "for a decision": f"in the arena `movetime` ({1000 * process.MOVETIME:,.0f} ms), "
        f"and {process.GRACE:.0f} seconds more",
        "output for one answer, errors included": f"{process.FLOOD:,} bytes",
        "a line from the referee": f"{LONGEST:,} bytes",
        "address space": f"{limits['as'] // gib} GiB",
        "processor time per game": f"{limits['cpu']} seconds",
        "a file; open files": f"{limits['fsize'] // mib} MiB; {limits['nofile']}",
    }
    assert f"{limits['nproc']} processes" in PAGE
    assert f"`/tmp` {sandbox.ROOM // mib} MiB, `/dev/shm` {sandbox.SHARED // mib} MiB" in PAGE


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


@pytest.mark.skipif(not shutil.which("cc"), reason="there is no compiler")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_example_in_c_answers_as_the_one_in_python_does(tmp_path: Path, players: int) -> None:
    program = compiled(tmp_path)
    sights = sights_of(preset("standard", players), Random(players))
    asked = "".join(f"{write_position(sight)}\ngo\n" for sight in sights)
    by_c, by_python = (
        subprocess.run(command, input=asked, stdout=subprocess.PIPE, encoding="utf-8", check=True).stdout
        for command in ([str(program)], [sys.executable, str(EXAMPLES / "engine.py")])
    )
    assert len(by_python.splitlines()) == len(sights) > 50
    assert by_c == by_python


def compiled(folder: Path) -> Path:
    program = folder / "engine"
    source = str(EXAMPLES / "engine.c")
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", "-o", str(program), source], check=True)
    return program


@needs_confinement
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_examples_play_each_other(tmp_path: Path, players: int) -> None:
    other = "thrifty"
    if shutil.which("cc"):
        other = f"{process.PREFIX}{compiled(tmp_path)}"
    sums = play_sets(Contest(python(EXAMPLES / "engine.py"), other, preset("standard", players)), 0, 2)
    assert sums["games"] == 2 * (3 if players == 3 else 2)
    assert not sums["handed-over.a"] + sums["handed-over.b"]
