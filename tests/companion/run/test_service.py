"""What systemd is told, over a real socket: ready once the loop serves, alive only while it does and the keys
are heard."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from support.leaving import keyed, leaving
from support.patience import PATIENCE, joined
from support.presses import view_at
from support.screens import Evening
from support.server import ask, companion

from cribpi.companion.devices.board import WORDS, shut_down_or_restart
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.entry.debounce import Edge
from cribpi.companion.entry.effect import TableCommand
from cribpi.companion.entry.requests import Press
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import Running, assembled
from cribpi.companion.run.config import Config
from cribpi.companion.run.service import PINGS_PER_TIMEOUT, Service
from cribpi.companion.table.loop import Stop
from cribpi.companion.table.table import ShutdownResult, Table
from cribpi.companion.views.screen.layouts.dialogs import shutting_down
from cribpi.companion.views.screen.screen import draw_last
from cribpi.companion.views.screen.sheet import Sheet

BITE = 0.3
"""Seconds without a word after which the watchdog of these tests would bite."""


class Systemd:
    """The other end of `$NOTIFY_SOCKET`."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind("\0" + address[1:] if address.startswith("@") else address)

    def close(self) -> None:
        self.socket.close()

    def environ(self, bite: float | None = BITE) -> dict[str, str]:
        usec = (
            {}
            if bite is None
            else {"WATCHDOG_USEC": str(round(bite * 1e6)), "WATCHDOG_PID": str(os.getpid())}
        )
        return {"NOTIFY_SOCKET": self.address, **usec}

    def hears(self, timeout: float = PATIENCE) -> dict[str, str] | None:
        """Return what is told next, or None if nothing is for *timeout* seconds."""
        self.socket.settimeout(timeout)
        try:
            told = self.socket.recv(4096).decode()
        except TimeoutError:
            return None
        return dict(line.split("=", 1) for line in told.split("\n"))

    def hears_until(self, name: str) -> dict[str, str]:
        while (told := self.hears()) is not None:
            if name in told:
                return told
        raise AssertionError(f"{name} is never told")


@pytest.fixture
def systemd(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Systemd]:
    """Give the other end, at a path, or at an abstract name where the test asks for that."""
    is_abstract = getattr(request, "param", "") == "abstract"
    with closing(Systemd(f"@cribpi-test-{os.getpid()}" if is_abstract else str(tmp_path / "n"))) as end:
        yield end


@contextmanager
def served(state: Path, environ: dict[str, str]) -> Iterator[Running]:
    """Give a companion on the twin whose loop runs in a thread, with its service."""
    with assembled(Config(), load_kit("table"), state, is_sim=True) as parts:
        loop = threading.Thread(target=parts.loop.run)
        service = Service(parts.loop.call, parts.is_heard, lambda: "well", environ)
        service.start()
        loop.start()
        try:
            yield parts
        finally:
            parts.loop.post(Stop())
            joined(loop)
            service.stop()
            assert not loop.is_alive()


def keys_of(parts: Running) -> Any:  # noqa: ANN401  what is opened in there
    """Return the keypad's driver, once its thread runs."""
    asked, until = threading.Event(), time.monotonic() + PATIENCE
    while (keys := parts.keys.device) is None:
        assert time.monotonic() < until, "the keys were not opened"
        asked.wait(0.01)
    return keys


@pytest.mark.parametrize("systemd", ["path", "abstract"], indirect=True)
def test_ready_is_said_once_and_then_that_it_lives_as_long_as_it_serves(
    systemd: Systemd, tmp_path: Path
) -> None:
    with served(tmp_path, systemd.environ()):
        assert systemd.hears() == {"READY": "1", "WATCHDOG": "1", "STATUS": "well"}
        for _ in range(2 * PINGS_PER_TIMEOUT):
            assert systemd.hears() == {"WATCHDOG": "1", "STATUS": "well"}
    assert systemd.hears_until("STOPPING")


def test_ready_is_not_said_before_the_loop_serves(systemd: Systemd, tmp_path: Path) -> None:
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as parts:
        service = Service(parts.loop.call, parts.is_heard, lambda: "well", systemd.environ())
        service.start()
        assert systemd.hears(2 * BITE) is None
        service.stop()
    assert systemd.hears() == {"STOPPING": "1", "STATUS": "stopping"}


def test_nothing_is_fed_while_the_loop_hangs(systemd: Systemd, tmp_path: Path) -> None:
    with served(tmp_path, systemd.environ()) as parts:
        assert systemd.hears_until("READY")
        hangs, goes_on = threading.Event(), threading.Event()

        def hang(table: Table) -> Any:  # noqa: ANN401  it answers nothing
            hangs.set()
            goes_on.wait(PATIENCE)
            return table.now

        parts.loop.ask(hang)
        assert hangs.wait(PATIENCE)
        systemd.hears(BITE)  # what was said before it hung, if it was
        assert systemd.hears(3 * BITE) is None
        assert parts.loop._inbox.qsize() <= 1, "beats pile up in a queue that does not move"
        goes_on.set()
        assert systemd.hears_until("WATCHDOG")


def test_what_is_to_be_called_does_not_wait_behind_the_presses_that_a_slow_card_has_let_gather(
    tmp_path: Path,
) -> None:
    order: list[str] = []

    def slow(name: str) -> Any:  # noqa: ANN401  it answers nothing
        order.append(name)
        parts.loop.call(lambda: order.append(f"fed after {name}"))

    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as parts:
        for name in ("first", "second", "third"):
            parts.loop.ask(lambda _table, name=name: slow(name))  # type: ignore[misc]
        parts.loop.serve()
    assert order == ["first", "fed after first", "second", "fed after second", "third", "fed after third"]


def test_nothing_is_fed_while_the_thread_of_the_keys_is_dead_and_all_is_well_once_they_are_opened_again(
    systemd: Systemd, tmp_path: Path
) -> None:
    with served(tmp_path, systemd.environ()) as parts:
        assert systemd.hears_until("READY")
        keys = keys_of(parts)
        thread = keys._thread
        keys._stop.set()
        keys._wake_thread()
        joined(thread)
        told = systemd.hears_until("STATUS")
        while told["STATUS"] == "well":
            told = systemd.hears_until("STATUS")
        assert told == {"STATUS": "no keys are being read"}
        assert systemd.hears_until("WATCHDOG")["STATUS"] == "well"
        assert keys_of(parts) is not keys


def test_nothing_is_fed_after_the_death_of_lgpios_thread_though_the_keys_are_opened_again(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served(tmp_path, systemd.environ()) as parts:
        assert systemd.hears_until("WATCHDOG")
        keys = keys_of(parts)
        monkeypatch.setitem(sys.modules, "lgpio", dead_lgpio())
        told = systemd.hears_until("STATUS")
        while "WATCHDOG" in told:
            told = systemd.hears_until("STATUS")
        keys.close()  # what tends them opens others, if it has not yet, which nobody hears either
        for _ in range(3 * PINGS_PER_TIMEOUT):
            assert systemd.hears() == {"STATUS": "no keys are being read"}
        monkeypatch.delitem(sys.modules, "lgpio")


def dead_lgpio() -> ModuleType:
    """Return what is left of lgpio when its one thread has ended."""
    ended = threading.Thread(target=lambda: None)
    ended.start()
    ended.join()
    lgpio: Any = ModuleType("lgpio")
    lgpio._notify_thread = ended
    return lgpio  # type: ignore[no-any-return]  # a module with one more name


def test_keys_that_are_not_there_are_no_reason_to_restart_but_a_dead_lgpio_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with assembled(Config(), load_kit("table"), tmp_path, is_sim=True) as parts:
        parts.keys.close()
        assert parts.keys.device is None
        assert parts.is_heard()
        monkeypatch.setitem(sys.modules, "lgpio", dead_lgpio())
        assert not parts.is_heard()


def test_without_a_socket_nothing_happens() -> None:
    called: list[object] = []
    before = threading.active_count()
    service = Service(called.append, lambda: True, lambda: "well", {"WATCHDOG_USEC": "30000000"})
    service.start()
    assert called == []
    assert threading.active_count() == before
    service.stop()


def test_without_a_watchdog_ready_is_said_and_no_more(systemd: Systemd, tmp_path: Path) -> None:
    with served(tmp_path, systemd.environ(None)):
        assert systemd.hears() == {"READY": "1", "STATUS": "well"}
        assert systemd.hears(2 * BITE) is None


def test_a_watchdog_of_another_process_is_not_fed(systemd: Systemd, tmp_path: Path) -> None:
    with served(tmp_path, systemd.environ() | {"WATCHDOG_PID": "1"}):
        assert systemd.hears() == {"READY": "1", "STATUS": "well"}
        assert systemd.hears(2 * BITE) is None


def test_a_socket_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    end = Systemd(str(tmp_path / "n"))
    with served(tmp_path, end.environ()) as parts:
        assert end.hears_until("READY")
        end.close()
        (tmp_path / "n").unlink()
        assert parts.companion.do(Press("OK")).result(PATIENCE).is_accepted


def test_the_companion_as_a_process_says_when_it_is_ready_lives_and_stops(
    systemd: Systemd, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in (systemd.environ() | {"WATCHDOG_PID": ""}).items():
        monkeypatch.setenv(name, value)
    with companion(tmp_path) as (process, url):
        assert systemd.hears_until("READY")["STATUS"] == f"page at {url}"
        assert systemd.hears_until("WATCHDOG")
        process.terminate()
        assert systemd.hears_until("STOPPING")
        assert process.wait(PATIENCE) == 0


# --- switching off ---


@pytest.mark.parametrize("keys", ["", "OK OK P1 J"])
def test_the_last_picture_has_room_for_all_of_its_words(keys: str) -> None:
    evening = Evening().press(keys)
    sheet = Sheet(view_at(evening.state, evening.saved))
    shutting_down(sheet, evening.state, WORDS)
    told = " ".join(text.text for text in sheet.texts())
    assert "SHUTTING DOWN Unplug the Pi when its green light is out; your game is saved" in told


def test_the_last_frame_says_when_the_plug_may_be_pulled_and_the_strip_is_dark(tmp_path: Path) -> None:
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, shown):
        keyed(loop, "OK", "OK", "P1", "J")
        assert any(shown.frame.data)
        keyed(loop, "hold:MENU")
        last = draw_last(loop.table.now.view, WORDS)
        assert "unplug the Pi" in (loop.table.now.input_state.message or "")
        assert shown.picture.tobytes() == last.tobytes()
        assert shown.frame.data == bytes(3 * loop.kit.strip.leds)
        loop.trouble("oled", "oled: it is loose")
        loop.serve()
        assert shown.picture.tobytes() == last.tobytes()


def test_after_the_last_picture_a_key_does_nothing_and_nothing_more_is_drawn(tmp_path: Path) -> None:
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, shown):
        keyed(loop, "OK", "OK", "P1", "J", "hold:MENU")
        last, seq = shown.picture.tobytes(), loop.table.now.seq
        for at, closed in ((1.0, True), (2.0, False)):
            loop.post(Edge("7", closed, at))
            loop.serve()
        assert loop.table.now.seq == seq
        keyed(loop, "7")  # the page's press is answered by the page
        assert loop.table.now.seq == seq + 1
        for stops in (False, True):
            if stops:
                loop.post(Stop())
            else:
                loop.trouble("oled", "oled: it is loose")
            loop.serve()
            assert shown.picture.tobytes() == last
            assert not any(shown.frame.data)


def test_where_the_machine_stays_on_after_all_its_keys_work_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cribpi.companion.table.loop.SHUTDOWN_GRACE", 0.0)
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, shown):
        keyed(loop, "OK", "OK", "P1", "J", "hold:MENU")
        last, seq = shown.picture.tobytes(), loop.table.now.seq
        for at, closed in ((1.0, True), (2.0, False)):
            loop.post(Edge("7", closed, at))
            loop.serve()
        assert loop.table.now.seq == seq + 1
        assert shown.picture.tobytes() != last
        assert any(shown.frame.data)


def test_a_pi_that_does_not_switch_off_says_so_and_goes_on(tmp_path: Path) -> None:
    with leaving(tmp_path, ShutdownResult("the Pi did not shut down; run sudo poweroff")) as (loop, shown):
        keyed(loop, "OK", "OK", "P1", "J", "hold:MENU")
        assert any(shown.frame.data)
        loop.post(Stop())
        loop.serve()
        assert any(shown.frame.data)


def test_the_next_start_comes_back_to_the_prompt_and_not_to_the_last_picture(tmp_path: Path) -> None:
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, _):
        keyed(loop, "OK", "OK", "P1", "J")
        before = loop.table.now.input_state
        keyed(loop, "hold:MENU")
    with leaving(tmp_path, ShutdownResult(WORDS)) as (loop, _):
        assert loop.table.now.input_state == before
        assert loop.table.now.seq == 5


def test_a_full_disk_does_not_keep_the_pi_from_switching_off(tmp_path: Path) -> None:
    with leaving(tmp_path, ShutdownResult(WORDS, is_leaving=True)) as (loop, shown):
        keyed(loop, "OK")
        loop.table._journal._db.execute("pragma query_only = on")
        refused = loop.ask(lambda table: table.do(Press("OK")))
        loop.serve()
        assert not refused.result(0).is_accepted
        keyed(loop, "hold:MENU")
        assert not any(shown.frame.data)


def test_what_logind_answers_is_said_with_the_remedy() -> None:
    says = (sys.executable, "-c", "import sys; sys.exit('Call failed: Access denied.')")
    with pytest.raises(
        DeviceTrouble, match=r"^the Pi did not shut down \(Access denied\); run sudo poweroff$"
    ):
        shut_down_or_restart(TableCommand.SHUT_DOWN, says)
    with pytest.raises(DeviceTrouble, match="No such file"):
        shut_down_or_restart(TableCommand.SHUT_DOWN, ("/no/such/busctl",))
    assert "unplug the Pi" in shut_down_or_restart(TableCommand.SHUT_DOWN, ("true",))


def test_holding_menu_on_the_twin_asks_nobody_to_switch_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command for it is put on the PATH, and must not be run."""
    trap = tmp_path / "bin"
    trap.mkdir()
    for name in ("busctl", "systemctl", "poweroff", "shutdown", "loginctl"):
        (trap / name).write_text(f"#!/bin/sh\ntouch {tmp_path}/asked\n", encoding="utf-8")
        (trap / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{trap}{os.pathsep}{os.environ['PATH']}")
    subprocess.run(["busctl"], check=True)
    (tmp_path / "asked").unlink()
    with companion(tmp_path / "state") as (_, url):
        assert ask(f"{url}api/press", {"key": "hold:MENU"})[0] == 200
    assert not (tmp_path / "asked").exists()
