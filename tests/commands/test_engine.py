"""`cribpi engine`, as a program at the other end of its pipes meets it."""

from __future__ import annotations

import subprocess

from support.patience import PATIENCE
from support.program import command, ended

from cribpi.cribbage.engine.lines import LONGEST

HELLO = ["id name cribpi thrifty", "id author the authors of cribpi", "ceiok"]


def engine(typed: bytes, level: str = "thrifty") -> tuple[int, list[str], str]:
    """Send *typed* to the engine of *level*; return its exit code, its lines and its errors."""
    done = ended("engine", level, typed=typed.decode("latin-1"), encoding="latin-1")
    return done.returncode, done.stdout.splitlines(), done.stderr


def test_bytes_and_lines_that_cannot_be_are_errors_and_it_goes_on() -> None:
    typed = b"\xff\xfe\n" + b"x" * (2 * LONGEST + 5) + b"\n" + b"y" * (LONGEST - 1) + b"\n\ncei 1"
    code, lines, errors = engine(typed)
    assert [line.split()[0] for line in lines[:3]] == ["error"] * 3
    assert lines[3:] == HELLO
    assert (code, errors) == (0, "")


def test_it_answers_each_line_at_once_and_ends_when_asked() -> None:
    with subprocess.Popen(
        command("engine", "thrifty"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    ) as asked:
        assert asked.stdin is not None
        assert asked.stdout is not None
        asked.stdin.write("cei 1\n")
        asked.stdin.flush()
        assert [asked.stdout.readline().rstrip() for _ in HELLO] == HELLO
        asked.stdin.write("quit\n")
        asked.stdin.flush()
        assert asked.wait(PATIENCE) == 0


def test_a_level_that_is_not_known_is_a_line_and_exit_code_2() -> None:
    code, lines, errors = engine(b"cei 1\n", "genius")
    assert (code, lines) == (2, [])
    assert errors.startswith("cribpi engine: the level 'genius' is not known: choose one of")
