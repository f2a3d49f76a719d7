"""Standard input, output and error that are closed, full, broken or of another encoding: a line and exit code
2."""

from __future__ import annotations

import os
import socket
import subprocess
from pathlib import Path

import pytest
from support.lasting import without_forgetting
from support.patience import PATIENCE
from support.program import command
from support.refusals import is_line_with

from cribpi.commands.streams import LONGEST, print_error

RECORD = 'cribpi record 1\ngame "ÄNN" "BO ♠" dealer=1\nstarter J\nplay 0:5 1:10\n'
SCORE = ("score", "7H 8C 8D KS", "--starter", "9S")


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "game.crib"
    path.write_text(RECORD, encoding="utf-8")
    return path


def at_a_prompt(
    redirections: str, *arguments: object, typed: bytes = b"", **environment: str
) -> tuple[int, bytes, bytes]:
    """Run cribpi with the shell's *redirections*; return its exit code, its output and its errors."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$@" {redirections}', "sh", *command(*arguments)],
        input=typed,
        capture_output=True,
        check=False,
        env=os.environ | environment,
    )
    return done.returncode, done.stdout, done.stderr


def is_a_line(told: bytes) -> bool:
    return told.startswith(b"cribpi") and told.endswith(b"\n") and told.decode().rstrip("\n").isprintable()


@pytest.mark.parametrize("arguments", [SCORE, ("--help",), ("simulate", "OK OK")])
def test_an_output_that_is_closed_or_full_is_a_line_and_exit_code_2(arguments: tuple[str, ...]) -> None:
    for redirection, why in ((">&-", b"Bad file descriptor"), (">/dev/full", b"No space left on device")):
        code, _, told = at_a_prompt(redirection, *arguments)
        assert code == 2
        assert is_a_line(told)
        assert told.endswith(b"the output can't be written: " + why + b"\n")


@pytest.mark.parametrize(
    "letter", ["e\N{COMBINING ACUTE ACCENT}", "\U0001f1e8\U0001f1ed", "\U0001f44d\U0001f3fd"]
)
@pytest.mark.parametrize("before", ["", "x"])
def test_a_complaint_is_cut_between_letters(
    letter: str, before: str, capsys: pytest.CaptureFixture[str]
) -> None:
    print_error(before + letter * LONGEST)
    start, end = capsys.readouterr().err.rstrip("\n").split(" ... ")
    assert (start, end) == (
        before + letter * (len(start) // len(letter)),
        letter * (len(end) // len(letter)),
    )
    assert LONGEST - 4 <= len(start) + len(end) <= LONGEST


def test_an_output_that_is_closed_does_not_hide_why_a_command_is_refused() -> None:
    code, _, told = at_a_prompt(">&-", "score", "XX", "--starter", "9S")
    assert (code, b"'XX' is not a card" in told, is_a_line(told)) == (2, True, True)


@pytest.mark.parametrize("command", ["score", "simulate"])
def test_an_input_that_is_closed_is_a_line_and_exit_code_2(command: str) -> None:
    code, _, told = at_a_prompt("<&-", command, "-")
    assert code == 2
    assert is_line_with(told.decode(), f"cribpi {command}: ", "(Bad file descriptor)", "pipe", "file")


@pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
def test_where_nobody_hears_why_the_exit_code_still_tells(redirection: str) -> None:
    assert at_a_prompt(redirection, "score", "XX", "--starter", "9S")[:2] == (2, b"")
    assert at_a_prompt(redirection, "score", "XX")[:2] == (2, b"")
    assert at_a_prompt(redirection, "fly")[:2] == (2, b"")
    code, out, _ = at_a_prompt(redirection, *SCORE)
    assert (code, out[:3]) == (0, b"12:")


@pytest.mark.parametrize("redirection", ["<&- >&- 2>&-", ">/dev/full 2>/dev/full"])
def test_where_all_is_closed_or_full_the_exit_code_still_tells(redirection: str, tmp_path: Path) -> None:
    assert at_a_prompt(redirection, *SCORE)[0] == 2
    assert at_a_prompt(redirection, "import", tmp_path / "none.crib")[0] == 2


def test_what_is_opened_never_takes_the_place_of_a_closed_stream(record: Path, tmp_path: Path) -> None:
    """A journal or its lock at file descriptor 1 would be printed into."""
    folder = tmp_path / "games"
    assert at_a_prompt("<&- >&- 2>&-", "import", record, "--state", folder)[0] == 2
    assert (folder / "lock").read_bytes() == b"%020d\n" % 0, "the number of the last press, once closed"
    code, out, _ = at_a_prompt("", "export", "--state", folder)
    assert (code, out.decode().splitlines()[-1]) == (0, "play 0:5 1:10")


def test_who_reads_no_more_of_the_output_ends_it_in_silence() -> None:
    code, out, told = at_a_prompt("| true", "rules")
    assert (code, out, told) == (0, b"", b"")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1:strict"])
def test_a_letter_that_the_output_lacks_is_replaced(encoding: str, record: Path, tmp_path: Path) -> None:
    folder = tmp_path / "games"
    asked: tuple[tuple[object, ...], ...] = (
        ("replay", record),
        ("import", record, "--state", folder),
        ("export", "--list", "--state", folder),
    )
    for arguments in asked:
        code, out, told = at_a_prompt("", *arguments, PYTHONIOENCODING=encoding)
        assert (code, told) == (0, b"")
        assert b"BO ?" in out
    assert b"?NN" in at_a_prompt("", "replay", record, PYTHONIOENCODING="ascii")[1]
    assert "ÄNN".encode("latin-1") in at_a_prompt("", "replay", record, PYTHONIOENCODING="latin-1")[1]
    code, out, _ = at_a_prompt("", "export", "--state", folder, PYTHONIOENCODING=encoding)
    assert (code, out.decode().splitlines()[-1]) == (0, "play 0:5 1:10"), "a record is UTF-8 everywhere"


def test_the_input_is_utf_8_in_every_locale_with_a_byte_order_mark_or_without() -> None:
    plain = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for mark in ("", "\ufeff"):
        line = f"{mark}7♥ 8♣ 8♦ K♠ | 9♠\n".encode()
        assert at_a_prompt("", "score", "-", typed=line, **plain) == (0, b"12\n", b"")
        assert at_a_prompt("", "score", "-", typed=line, PYTHONIOENCODING="ascii") == (0, b"12\n", b"")
    code, _, told = at_a_prompt("", "score", "-", typed=b"\xff\xfe7")
    assert (code, told) == (2, b"cribpi score: the input is not text in UTF-8\n")


def test_a_line_of_millions_is_cut_and_what_does_not_print_is_made_visible() -> None:
    for name in ("score", "simulate"):
        code, _, told = at_a_prompt("", name, "-", typed=b"x" * 5_000_000 + b"\n")
        assert code == 2
        assert is_a_line(told)
        assert len(told) < 600
        code, _, told = at_a_prompt("", name, "-", typed="7H \x1b[31m\u2028\u202e\0 | 9\n".encode())
        assert (code, is_a_line(told)) == (2, True)
        assert rb"\x1b[31m" in told


@pytest.mark.parametrize(
    "arguments",
    [
        ("score", "\x1b]0;x\a\n", "--starter", "9"),
        ("\x1b[31m\nfly",),
        ("kits", "check", "/a\x1b[31m\n"),
        ("rules", "a" * 100_000),
    ],
)
def test_an_argument_cannot_paint_the_terminal_or_fill_it(arguments: tuple[str, ...]) -> None:
    code, _, told = at_a_prompt("", *arguments)
    assert (code, is_a_line(told)) == (2, True)
    assert len(told) < 1100


def test_a_companion_runs_on_where_its_output_is_closed_or_full(tmp_path: Path) -> None:
    for place, redirection in enumerate((">&-", ">/dev/full", "<&- >&- 2>/dev/full")):
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(tmp_path / f"{place}.socket"))
            systemd.settimeout(60)
            asked = command("run", "--sim", "--port", "0", "--state", tmp_path / str(place))
            running = subprocess.Popen(
                ["/bin/sh", "-c", f'exec "$@" {redirection}', "sh", *asked],
                stderr=subprocess.PIPE,
                env=os.environ | {"NOTIFY_SOCKET": str(tmp_path / f"{place}.socket")},
            )
            try:
                assert systemd.recv(1000).startswith(b"READY=1")
            finally:
                running.terminate()
                _, told = running.communicate(timeout=PATIENCE)
        assert (running.returncode, without_forgetting(told.decode())) == (0, "")
