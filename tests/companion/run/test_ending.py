"""`cribpi run` ends well: at whichever moment it is told to, and with nobody who reads what it says."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest
from support.lasting import without_forgetting
from support.patience import PATIENCE
from support.program import ended
from support.server import ask, companion

from cribpi.commands.patient import ROOM, NonBlockingStream


@pytest.fixture(autouse=True)
def _hung_up() -> Iterator[None]:
    """Let a child hear SIGHUP, which one inherits ignored where the tests run under nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


TELLS: Final = """
import importlib, os, signal, sys
moment, number = sys.argv.pop(1), int(sys.argv.pop(1))

def tell():
    os.kill(os.getpid(), number)

class Importing:
    def find_spec(self, name, path=None, target=None):
        if name == moment:
            sys.meta_path.remove(self)
            tell()

def before(name):
    module, _, rest = name.partition(":")
    owner = importlib.import_module(module)
    *parents, last = rest.split(".")
    for parent in parents:
        owner = getattr(owner, parent)
    real = getattr(owner, last)
    def told(*args, **options):
        tell()
        return real(*args, **options)
    setattr(owner, last, told)

from cribpi.__main__ import main
if ":" in moment:
    before(moment)
else:
    sys.meta_path.insert(0, Importing())
sys.exit(main())
"""
"""Runs the program, and tells it to end at one moment: when a module is loaded, or a function called."""

MOMENTS: Final = (
    "argparse",
    "cribpi.cli",
    "cribpi.commands.run",
    "PIL.Image",
    "starlette.applications",
    "cribpi.commands.run:settings",
    "cribpi.commands.run:assembled",
    "cribpi.companion.journal.journal:StateFolder.open_journal",
    "cribpi.companion.run.bootstrap:new_table",
    "cribpi.companion.devices.supervisor:Supervised.start",
    "cribpi.companion.web.server:PageServer.start",
    "cribpi.commands.run:Service",
    "cribpi.companion.table.loop:Loop.run",
    "cribpi.companion.table.loop:Loop.show",
    "cribpi.companion.web.server:PageServer.stop",
    "cribpi.companion.devices.supervisor:Supervised.close",
    "cribpi.companion.journal.journal:Journal.close",
)
"""From its first moment to its last; the last three come after the end was asked for once."""

NAMES: Final = ("SIGTERM", "SIGINT", "SIGHUP")


SAMPLE: Final = [(moment, NAMES[number % 3]) for number, moment in enumerate(MOMENTS[::4])]
"""Each moment with one of the signals; `make prove` has all."""


@pytest.mark.parametrize(("moment", "name"), SAMPLE)
def test_a_signal_at_any_moment_of_the_start_and_of_the_end_is_exit_code_0_without_a_word(
    moment: str, name: str, tmp_path: Path
) -> None:
    told_at(moment, name, tmp_path)


@pytest.mark.prove
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_signal_at_every_moment_is_exit_code_0_without_a_word(
    moment: str, name: str, tmp_path: Path
) -> None:
    told_at(moment, name, tmp_path)


def told_at(moment: str, name: str, folder: Path) -> None:
    number = int(getattr(signal, name))
    run = ("run", "--sim", "--port", "0", "--state", str(folder / "state"))
    process = subprocess.Popen(
        [sys.executable, "-c", TELLS, moment, str(number), *run],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    if moment in MOMENTS[-3:]:  # it comes to these only after it was told once
        assert process.stdout is not None
        assert process.stdout.readline().startswith("cribpi is running")
        process.send_signal(number)
    try:
        out, err = process.communicate(timeout=PATIENCE)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it went on: {out} {err}") from None
    assert (process.returncode, without_forgetting(err)) == (0, "")


@pytest.mark.parametrize("name", NAMES)
def test_a_signal_while_it_runs_is_exit_code_0(name: str, tmp_path: Path) -> None:
    with companion(tmp_path) as (process, url):
        assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
        process.send_signal(getattr(signal, name))
        assert process.wait(PATIENCE) == 0


def test_under_nohup_the_end_of_the_terminal_is_not_its_own(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)  # a child inherits that
    try:
        with companion(tmp_path) as (process, url):
            process.send_signal(signal.SIGHUP)
            assert ask(f"{url}api/press", {"key": "OK"})[0] == 200
            process.terminate()
            assert process.wait(PATIENCE) == 0
    finally:
        signal.signal(signal.SIGHUP, before)


# --- stderr -----------------------------------------------------------------------------------------


@contextmanager
def full_pipe() -> Iterator[tuple[int, int]]:
    """Give a pipe that takes not a byte more, with its reading end first."""
    reads, writes = os.pipe()
    os.set_blocking(writes, False)
    try:
        while True:
            os.write(writes, bytes(512))
    except BlockingIOError:
        os.set_blocking(writes, True)
    try:
        yield reads, writes
    finally:
        os.close(reads)
        os.close(writes)


LOUD: Final = (
    "-c",
    """
import sys, cribpi.companion.table.loop

def fails(*_args, **options):
    raise ValueError("loud " * 100)

cribpi.companion.table.loop.draw = cribpi.companion.table.loop.compose = fails
sys.argv = ["cribpi", *sys.argv[1:]]
from cribpi.__main__ import main
sys.exit(main())
""",
)


def test_a_pipe_that_nobody_reads_holds_up_no_answer_and_not_the_end(tmp_path: Path) -> None:
    with full_pipe() as (_, writes), companion(tmp_path, python=LOUD, stderr=writes) as (process, url):
        for key in "OK OK P2 8 5".split():
            assert ask(f"{url}api/press", {"key": key})[0] == 200
        process.terminate()
        assert process.wait(PATIENCE) == 0


def test_what_is_said_is_still_read_before_the_end(tmp_path: Path) -> None:
    with companion(tmp_path, python=LOUD, stderr=subprocess.PIPE) as (process, _):
        process.terminate()
        _, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert "screen: a bug in cribpi (ValueError)" in err
    assert "board lights: a bug in cribpi (ValueError)" in err


def test_why_a_start_is_refused_is_one_line_on_stderr_and_exit_code_2(tmp_path: Path) -> None:
    found = ended("run", "--sim", "--port", "70000", "--state", tmp_path)
    assert (found.returncode, found.stderr.count("\n")) == (2, 1)
    assert "port" in found.stderr


def test_the_stream_writes_in_order_and_counts_what_it_had_to_drop() -> None:
    with full_pipe() as (reads, writes):
        stream = NonBlockingStream(writes)
        for number in range(ROOM // 1024 + 100):
            print(f"{number:>1022} ", file=stream)
        assert not stream.drain(0.0)
        read = b""
        while b"dropped" not in read:
            read += os.read(reads, 65536)
        assert stream.drain(PATIENCE)
    lines = read.lstrip(b"\0").decode().splitlines()
    numbers = [int(line) for line in lines[:-1] if line.strip()]
    assert numbers == list(range(len(numbers)))
    assert len(numbers) >= 200
    assert re.fullmatch("cribpi: messages dropped, because nothing was reading: [1-9][0-9]*", lines[-1])


def test_a_reader_who_is_gone_and_a_letter_that_cannot_be_written_are_no_fault() -> None:
    reads, writes = os.pipe()
    stream = NonBlockingStream(writes)
    os.close(reads)
    print("to nobody \udcff", file=stream)
    assert stream.drain(PATIENCE)
    os.close(writes)
    print("to nowhere", file=stream)
    assert stream.drain(PATIENCE)
    assert (stream.writable(), stream.fileno()) == (True, writes)
