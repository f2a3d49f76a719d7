"""`cribpi engine`, as a program at the other end of its pipes meets it."""

from __future__ import annotations

import subprocess
import sys

from support.patience import PATIENCE

from cribpi.cribbage.engine.lines import LONGEST

HELLO = ["id name cribpi thrifty", "id author the authors of cribpi", "ceiok"]


def engine(typed: bytes, level: str = "thrifty") -> tuple[int, list[str], str]:
    """Send *typed* to the engine of *level*; return its exit code, its lines and its errors."""
    done = subprocess.run(
        [sys.executable, "-m", "cribpi", "engine", level], input=typed, capture_output=True, check=False
    )
    return done.returncode, done.stdout.decode().splitlines(), done.stderr.decode()


def test_bytes_and_lines_that_cannot_be_are_errors_and_it_goes_on() -> None:
    typed = b"\xff\xfe\n" + b"x" * (2 * LONGEST + 5) + b"\n" + b"y" * (LONGEST - 1) + b"\n\ncei 1"
    code, lines, errors = engine(typed)
    assert [line.split()[0] for line in lines[:3]] == ["error"] * 3
    assert lines[3:] == HELLO
    assert (code, errors) == (0, "")


def test_it_answers_each_line_at_once_and_ends_when_asked() -> None:
    words = [sys.executable, "-m", "cribpi", "engine", "thrifty"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8") as asked:
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
