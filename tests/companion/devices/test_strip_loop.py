"""The strip in the whole companion: what is sent when, and that no fault of its wire stops keys or page."""

from __future__ import annotations

import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from support import strip_writers
from support.companions import press, running, served, twin_of
from support.patience import PATIENCE, until
from support.server import ask
from support.ws281x_module import need_python_part

from cribpi.companion.devices.strip_process import StripProcess
from cribpi.companion.devices.twin.twin import TOUCH
from cribpi.companion.devices.twin.wire import Wire
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run import bootstrap
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.table.faults import Faults
from cribpi.companion.web.json.state import shown_json

START = "OK OK P1 5".split()
"""A new game, who deals, and the starter."""


class Line:
    """Stands between the strip's driver and the twin's wire, and lets frames through, fails them, or holds
    them.

    Attributes:
        sent: The frames that went through.
        fails: Whether a frame fails.
        held: Set while the driver is held in its call.
    """

    def __init__(self, wire: Wire) -> None:
        self.sent = list[bytes]()
        self.fails = False
        self.held = threading.Event()
        self._open = threading.Event()
        self._open.set()
        self._write = wire.write
        wire.write = self.write  # type: ignore[method-assign]

    def hold(self) -> None:
        self._open.clear()

    def release(self) -> None:
        self._open.set()
        self.held.clear()

    def write(self, data: bytes) -> int:
        if not self._open.is_set():
            self.held.set()
            assert self._open.wait(PATIENCE), "held for good"
        if self.fails:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        self.sent.append(data)
        return self._write(data)


@contextmanager
def held(line: Line) -> Iterator[None]:
    """Hold the line, and let it go whatever happens."""
    line.hold()
    try:
        yield
    finally:
        line.release()


def wanted(parts: Running) -> bytes:
    """Return the frame that the loop composed last."""
    data: bytes = parts.loop._outputs.frame.data  # type: ignore[attr-defined]
    return data


def finger(parts: Running, key: str) -> None:
    """Press *key* on the twin's keypad, and wait until the table has taken it and the glass shows it.

    The one after it is to be another: where a busy machine does not hear between two presses that the key was
    let go, they are one.
    """
    seq, glass = parts.loop.table.now.seq, twin_of(parts).panel.picture().tobytes()
    twin_of(parts).close_key(key)  # held until it is heard: a busy machine may miss a short touch
    try:
        until(lambda: parts.loop.table.now.seq == seq + 1)
    finally:
        twin_of(parts).open_key(key)
        twin_of(parts)._pause(TOUCH)
    until(lambda: twin_of(parts).panel.picture().tobytes() != glass)


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[tuple[Running, Line, str]]:
    """A companion with its page, a game begun, and the line of its strip; the LEDs show what they should."""
    with served(tmp_path, still=True) as (parts, url):
        line = Line(twin_of(parts).wire)
        for key in START:
            press(parts, key)
        until(lambda: twin_of(parts).wire.colours == wanted(parts))
        yield parts, line, url


@pytest.fixture
def bench() -> Iterator[Rehearsal]:
    bench = Rehearsal(load_kit("table"), 1)
    yield bench
    bench.close()


def test_a_frame_goes_out_when_it_changes_and_else_every_two_seconds(bench: Rehearsal) -> None:
    wire, sent = bench.twin.wire, list[tuple[float, bytes]]()
    write = wire.write

    def noted(data: bytes) -> int:
        sent.append((bench._now, data))
        return write(data)

    wire.write = noted  # type: ignore[method-assign]
    for key in [*START, *"8 7 UNDO 7 7 6 GO GO".split()]:
        bench.press(key)
    bench.twin._pause(5)
    assert len({data for _, data in sent}) > 2, "pegs have moved"
    for (before, old), (after, new) in pairwise(sent):
        assert new != old or after - before >= 2, "one frame was sent twice"
    frames, now = len(sent), bench._now
    for tenth in range(1, 101):
        bench.outputs.strip.service(now + tenth / 10)
    assert len(sent) == frames + 5, "a still board is sent again every two seconds, and no more often"


def test_a_strip_whose_supply_comes_later_shows_the_still_board_by_itself(bench: Rehearsal) -> None:
    for key in START:
        bench.press(key)
    bench.twin._pause(5)
    wire, shown = bench.twin.wire, bench.board().data
    assert any(shown)
    wire.lose_power()
    assert not any(bench.board().data)
    bench.twin._pause(2)
    assert bench.board().data == shown


def test_a_wire_that_blocks_stops_neither_keys_nor_glass_nor_page(
    begun: tuple[Running, Line, str],
) -> None:
    parts, line, url = begun
    with held(line):
        for key in ("8", "7"):
            finger(parts, key)
        assert line.held.wait(PATIENCE), "the strip was given nothing to show"
        status, state = ask(f"{url}api/press", {"key": "7"})
        assert (status, state["pile"]) == (200, ["8", "7", "7"])
        status, colours = ask(f"{url}api/strip")
        assert (status, len(colours)) == (200, len(wanted(parts)) // 3)
        finger(parts, "6")
        assert shown_json(parts.loop.table.now, Faults())["pile"] == ["8", "7", "7", "6"]
        late = len(line.sent)
    until(lambda: twin_of(parts).wire.colours == wanted(parts))
    assert len(line.sent) <= late + 2, "what was not fetched in time is never sent"


def test_a_wire_that_fails_is_named_while_the_game_goes_on_and_shows_the_latest_when_it_is_back(
    begun: tuple[Running, Line, str],
) -> None:
    parts, line, url = begun
    line.fails = True
    for key in ("8", "7", "6", "5"):
        finger(parts, key)
    until(lambda: any("strip" in sentence for sentence in ask(f"{url}api/page")[1]["trouble"]))
    assert list(parts.loop.troubles) == ["strip"]
    assert ask(f"{url}api/strip")[0] == 200
    line.fails = False
    until(lambda: parts.loop.troubles == {})
    until(lambda: twin_of(parts).wire.colours == wanted(parts))


def test_a_writer_that_is_killed_stops_nothing_and_its_successor_shows_the_latest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_python_part()
    shown = tmp_path / "colours"
    command = (sys.executable, strip_writers.__file__, "well", str(shown))
    writers = list[int]()

    def open_strip() -> StripProcess:
        strip = StripProcess(load_kit("table").strip.leds, command=command, patience=PATIENCE)
        writers.append(strip._writer.pid)
        return strip

    twin_chips = bootstrap.twin_chips
    monkeypatch.setattr(bootstrap, "twin_chips", lambda kit: replace(twin_chips(kit), open_strip=open_strip))

    def is_right() -> bool:
        return shown.exists() and shown.read_bytes() == wanted(parts)

    with running(tmp_path / "state", still=True) as parts:
        for key in START:
            press(parts, key)
        until(is_right)
        os.kill(writers[0], signal.SIGKILL)
        for key in ("8", "7", "6", "5"):
            finger(parts, key)
        until(lambda: len(writers) == 2 and parts.loop.troubles == {})
        until(is_right)
    assert all(not Path(f"/proc/{writer}").exists() for writer in writers)
