"""The process that writes to the strip: its frames, its faults, and its end."""

from __future__ import annotations

import errno
import os
import select
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from support import strip_writers
from support.paths import TESTS
from support.patience import PATIENCE, joined
from support.strip_writers import DARKEST
from support.ws281x_module import need_python_part

from cribpi.companion.devices import strip_process, supervisor
from cribpi.companion.devices.strip_process import StripProcess
from cribpi.companion.devices.strip_ws281x import serve
from cribpi.companion.devices.supervisor import RETRIES, DeviceTrouble, Supervised, sentence

FAULT = bytes((DARKEST, 0, 0, 0, 0, 0))
FIRST, SECOND = b"\x01bcdef", b"\x02hijkl"


@pytest.fixture(autouse=True)
def _fetched() -> None:
    need_python_part()


@pytest.fixture
def shown(tmp_path: Path) -> Path:
    """Where the writer leaves the LEDs' colours."""
    return tmp_path / "colours"


def opened(
    kind: str, shown: Path, *, leds: int = 2, pin: int = 10, patience: float = PATIENCE
) -> StripProcess:
    """Return a strip with two LEDs whose writer has the fault *kind*."""
    command = (sys.executable, str(Path(strip_writers.__file__)), kind, str(shown))
    return StripProcess(leds, pin, command=command, patience=patience)


def is_gone(pid: int, within: float = PATIENCE) -> bool:
    """Return whether the process *pid* ends within some seconds."""
    try:
        watch = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([watch], [], [], within)[0])
    finally:
        os.close(watch)


def test_a_frame_is_shown_when_it_is_answered(shown: Path) -> None:
    strip = opened("well", shown)
    for frame in (FIRST, SECOND, FIRST):
        strip.show(frame)
        assert shown.read_bytes() == frame
    strip.close()
    assert is_gone(strip._writer.pid)


def test_a_long_strip_goes_through_the_pipe(shown: Path) -> None:
    leds = 339
    strip = opened("well", shown, leds=leds)
    frame = bytes(number % 251 for number in range(3 * leds))
    strip.show(frame)
    assert shown.read_bytes() == frame
    strip.close()


def test_a_frame_of_another_length_is_refused_and_the_writer_goes_on(shown: Path) -> None:
    strip = opened("well", shown)
    with pytest.raises(ValueError, match="6 bytes"):
        strip.show(bytes(7))
    strip.show(FIRST)
    assert shown.read_bytes() == FIRST
    strip.close()


@pytest.mark.parametrize(
    ("kind", "says"),
    [
        ("crashes", r"was ended by SIGSEGV; it is restarted"),
        ("leaves", r"ended with 3; it is restarted"),
        ("hangs", r"has not answered for 0\.5 s; it is restarted"),
        ("babbles", r"said 'what\?'; set the strip's driver to spi"),
        ("is-refused", r"raise spidev\.bufsiz .*\(code -14\)"),
    ],
)
def test_a_fault_of_the_writer_is_a_sentence_and_ends_it_only(shown: Path, kind: str, says: str) -> None:
    strip = opened(kind, shown, patience=0.5 if kind == "hangs" else 20)
    strip.show(FIRST)
    with pytest.raises(DeviceTrouble, match=rf"^strip: .*{says}"):
        strip.show(FAULT)
    strip.close()
    assert is_gone(strip._writer.pid)
    with pytest.raises(DeviceTrouble):
        strip.show(FIRST)


def test_a_board_that_the_library_does_not_know_is_told_when_it_is_opened(shown: Path) -> None:
    with pytest.raises(DeviceTrouble, match=r"does not know this board .*\(code -3\)$"):
        opened("unknown-board", shown)


def test_a_program_that_cannot_be_started_is_a_sentence() -> None:
    with pytest.raises(DeviceTrouble, match=r"^strip: .* cannot be started .*; free some memory$"):
        StripProcess(2, command=("/no/such/program",))


def test_the_writer_that_is_shipped_starts_and_says_what_it_lacks_here() -> None:
    # No library, a library without its C part, or a board that is no Pi: whichever, it is a sentence.
    with pytest.raises(DeviceTrouble, match=r"^strip: .*(rpi_ws281x|code -\d+)"):
        StripProcess(2)


def test_a_writer_killed_in_peace_is_found_out_by_the_next_frame(shown: Path) -> None:
    strip = opened("well", shown)
    os.kill(strip._writer.pid, signal.SIGKILL)
    assert is_gone(strip._writer.pid)
    with pytest.raises(DeviceTrouble, match=r"was ended by SIGKILL"):
        strip.show(FIRST)
    strip.close()


def test_a_stop_that_is_meant_for_all_leaves_the_writer_to_show_the_last_frame(shown: Path) -> None:
    # A program started in the background inherits that Ctrl-C is ignored; here it must not be.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        strip = opened("well", shown)
    finally:
        signal.signal(signal.SIGINT, before)
    for stop in (signal.SIGTERM, signal.SIGINT):
        os.kill(strip._writer.pid, stop)
    strip.show(SECOND)
    assert shown.read_bytes() == SECOND
    strip.close()


def test_the_writer_dies_with_a_companion_that_is_killed(shown: Path) -> None:
    program = f"""
import sys; sys.path.insert(0, {str(TESTS)!r})
from pathlib import Path
from cribpi.companion.devices.strip_process import StripProcess
strip = StripProcess(2, command=(sys.executable, {strip_writers.__file__!r}, "well", {str(shown)!r}))
print(strip._writer.pid, flush=True)
sys.stdin.read()
"""
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as companion:
        assert companion.stdout is not None
        writer = int(companion.stdout.readline())
        assert not is_gone(writer, within=0)
        companion.kill()
        companion.wait()
        assert is_gone(writer)


def test_a_failing_writer_is_started_again_and_shows_the_latest(shown: Path) -> None:
    said = list[str | None]()
    pids = list[int]()

    def open_strip() -> StripProcess:
        strip = opened("crashes", shown)
        pids.append(strip._writer.pid)
        return strip

    supervised = Supervised("strip", open_strip, lambda _name, sentence: said.append(sentence))
    supervised.show(FIRST)
    supervised.service(0.0)
    supervised.show(FAULT)
    assert supervised.service(1.0) == RETRIES[0]
    supervised.show(SECOND)
    assert supervised.service(1.0 + RETRIES[0]) is None
    assert shown.read_bytes() == SECOND
    assert [sentence is None for sentence in said] == [False, True]
    assert len(set(pids)) == 2
    supervised.close()
    assert all(is_gone(pid) for pid in pids)


def test_what_is_shown_goes_through_the_writer_again_in_time_and_a_dead_one_is_found_out(shown: Path) -> None:
    said = list[str | None]()
    supervised = Supervised(
        "strip", lambda: opened("well", shown), lambda _name, told: said.append(told), again_every=2.0
    )
    supervised.show(FIRST)
    supervised.service(0.0)
    shown.unlink()
    assert supervised.service(2.0) == 2.0
    assert shown.read_bytes() == FIRST
    assert supervised.device is not None
    os.kill(supervised.device._writer.pid, signal.SIGKILL)
    assert supervised.service(4.0) == RETRIES[0], "nothing new had to come"
    shown.unlink()
    assert supervised.service(4.0 + RETRIES[0]) == pytest.approx(2.0)
    assert shown.read_bytes() == FIRST
    assert [told is None for told in said] == [False, True]
    supervised.close()


@pytest.mark.parametrize("is_told_first", [True, False])
def test_a_writer_that_hangs_as_it_opens_is_killed_when_the_companion_ends(
    *, is_told_first: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the opening begins only after the companion has begun to end."""
    pipe = tmp_path / "pid"
    os.mkfifo(pipe)
    calls = list[None]()

    def abandon() -> None:
        calls.append(None)
        if is_told_first or len(calls) == 2:
            strip_process.abandon()

    if not is_told_first:
        monkeypatch.setattr(supervisor, "CLOSE_TIMEOUT", 0.2)
    threads = set(threading.enumerate())
    said = list[str | None]()
    supervised = Supervised(
        "strip",
        lambda: opened("never-opens", pipe),
        lambda _name, sentence: said.append(sentence),
        abandon=abandon,
    )
    supervised.start()
    pid = int(pipe.read_text(encoding="ascii"))
    os.kill(pid, signal.SIGTERM)
    began = time.monotonic()
    supervised.close()
    assert time.monotonic() - began < supervisor.CLOSE_TIMEOUT + supervisor.KILL_TIMEOUT / 2
    assert is_gone(pid, within=0)
    assert set(threading.enumerate()) == threads
    assert len(said) == 1
    assert "was ended by SIGKILL" in str(said[0])
    assert len(calls) == (1 if is_told_first else 2)


def test_a_strip_that_is_open_is_not_abandoned(shown: Path) -> None:
    strip = opened("well", shown)
    strip_process.abandon()
    strip.show(FIRST)
    assert shown.read_bytes() == FIRST
    strip.close()


def test_no_file_is_left_open_by_writers_that_fail(shown: Path) -> None:
    before = sorted(os.listdir("/proc/self/fd"))  # noqa: PTH208  names are wanted
    for _ in range(3):
        strip = opened("leaves", shown)
        with pytest.raises(DeviceTrouble):
            strip.show(FAULT)
        strip.close()
        with suppress(DeviceTrouble):
            opened("unknown-board", shown)
    assert sorted(os.listdir("/proc/self/fd")) == before  # noqa: PTH208


class Row:
    """Takes what the writer shows, and fails at a frame."""

    def __init__(self, fails_at: bytes = b"") -> None:
        self.shown = list[bytes]()
        self.closed = 0
        self._fails_at = fails_at

    def show(self, rgb: bytes) -> None:
        if rgb == self._fails_at:
            raise OSError(5, "Input/output error")
        self.shown.append(rgb)

    def close(self) -> None:
        self.closed += 1


def answers_to(sent: bytes, open_strip: Callable[[], Row]) -> list[str]:
    """Return what the writer answers to the bytes *sent* and their end."""
    source, into = os.pipe()
    out, answers = os.pipe()
    os.write(into, sent)
    os.close(into)
    thread = threading.Thread(target=serve, args=(open_strip, 1, source, answers))
    thread.start()
    joined(thread)
    os.close(answers)
    with os.fdopen(out, encoding="utf-8") as lines:
        found = [line.rstrip("\n") for line in lines]
    os.close(source)
    return found


def test_each_frame_is_shown_and_answered_and_half_a_frame_is_neither() -> None:
    row = Row()
    assert answers_to(b"abcdefgh", lambda: row) == ["0", "0", "0"]
    assert row.shown == [b"abc", b"def"]
    assert row.closed == 1


def test_a_failure_is_the_last_answer_in_one_line() -> None:
    row = Row(fails_at=b"def")
    assert answers_to(b"abcdefghi", lambda: row) == [
        "0",
        "0",
        sentence("strip", OSError(errno.EIO, "Input/output error")),
    ]
    assert row.shown == [b"abc"]
    assert row.closed == 1


def test_a_strip_that_does_not_open_is_the_first_answer() -> None:
    def fail() -> Row:
        raise DeviceTrouble("strip: no\nboard")

    assert answers_to(b"abc", fail) == ["strip: no board"]


def test_a_companion_that_is_gone_is_no_error_of_the_writer() -> None:
    row = Row()
    source, into = os.pipe()
    out, answers = os.pipe()
    os.close(out)
    serve(lambda: row, 1, source, answers)
    for file in (source, into, answers):
        os.close(file)
    assert row.closed == 1
