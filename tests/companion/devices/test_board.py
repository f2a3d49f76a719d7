"""The pins of a Pi: the real gpiozero over a stand-in for lgpio, with lgpio's traps in it."""

from __future__ import annotations

import os
import queue
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Any

import gpiozero.pins.local
import pytest
from support.patience import PATIENCE

from cribpi.companion.devices.board import open_pins
from cribpi.companion.devices.keypad import Buttons
from cribpi.companion.devices.keys import Keys
from cribpi.companion.devices.supervisor import RETRIES, DeviceTrouble, Supervised
from cribpi.companion.entry.debounce import Edge

STAND_IN = Path(__file__).parent / "stand_in"
PI_4 = 0xC03111
PINS = {"UP": 17, "DOWN": 22, "OK": 4}


@pytest.fixture(autouse=True)
def a_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let this machine pass for a Pi 4, with what the stand-in leaves behind taken away again."""
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: PI_4)
    monkeypatch.syspath_prepend(str(STAND_IN))
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("lgpio", "gpiozero.pins.lgpio"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
        del sys.modules[name]
    here = Path.cwd()
    yield
    os.chdir(here)
    module: Any = sys.modules.get("lgpio")
    with suppress(AttributeError):
        module._notify_thread.events.put(None)
        module._notify_thread.join(PATIENCE)
    gpiozero.pins.local.LocalPiFactory.pins.clear()
    gpiozero.pins.local.LocalPiFactory._reservations.clear()


def lgpio() -> Any:  # noqa: ANN401  a stand-in
    return sys.modules["lgpio"]


def caught_up() -> None:
    """Wait until lgpio's thread has called everybody, if it lives."""
    done = queue.Queue[None]()
    gone = lgpio()._callback(-1, lambda *_: done.put(None))
    lgpio()._notify_thread.events.put((0, -1, 0, 0))
    with suppress(queue.Empty):
        done.get(timeout=2)
    gone.cancel()


# --- the working directory ---


def test_lgpio_leaves_the_program_in_its_folder_and_its_pipe_in_a_folder_of_its_own(tmp_path: Path) -> None:
    here = Path.cwd()
    open_pins().close()
    assert Path.cwd() == here
    (pipe,) = tmp_path.rglob(".lgd-*")
    assert pipe.parent.parent == tmp_path
    assert pipe.parent.stat().st_mode & 0o777 == 0o700
    assert not (here / pipe.name).exists()


def test_the_services_runtime_directory_is_lgpios_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("RUNTIME_DIRECTORY", f"{tmp_path}:/another")
    open_pins().close()
    assert (tmp_path / ".lgd-nfy0").is_fifo()


def test_a_folder_that_is_none_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LG_WD", "/nowhere/at/all")
    with pytest.raises(DeviceTrouble, match=r"lgpio can't create its pipe .*set LG_WD to a folder"):
        open_pins()


# --- what is not there ---


def test_an_empty_lgpio_is_no_lgpio(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", ModuleType("lgpio"))
    with pytest.raises(DeviceTrouble, match="lgpio is empty; install the system package python3-lgpio"):
        open_pins()


def test_a_missing_lgpio_is_said_and_no_other_factory_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lgpio", None)
    with pytest.raises(DeviceTrouble, match="install the system package python3-lgpio"):
        open_pins()


def test_pins_that_may_not_be_opened_are_said_with_the_group() -> None:
    open_pins().close()
    lgpio().failing.append("can not open gpiochip")
    with pytest.raises(
        DeviceTrouble, match=r"cannot be opened \(can not open gpiochip\); add this user to the gpio group"
    ):
        open_pins()


# --- callbacks ---


def test_keys_are_heard_through_lgpios_thread() -> None:
    edges = queue.Queue[Edge]()
    buttons = Buttons(PINS, open_pins(), edges.put)
    buttons.start()
    for closed in (True, False):
        lgpio().touch(22, closed=closed)
        edge = edges.get(timeout=PATIENCE)
        assert (edge.button, edge.closed) == ("DOWN", closed)
    assert buttons.alive
    buttons.close()
    assert not lgpio().chips, "the chip is closed"
    assert not lgpio()._notify_thread.callbacks


def test_a_callback_that_raises_would_end_lgpios_thread_and_cannot() -> None:
    pin = open_pins().pin(17)

    def raises(_ticks: object, _state: object) -> None:
        raise RuntimeError("in a callback")

    pin.input_with_pull("up")
    pin.when_changed = raises
    lgpio().touch(17, closed=True)
    caught_up()
    assert lgpio()._notify_thread.killer is None
    assert lgpio()._notify_thread.is_alive()
    lgpio()._callback(22, raises)
    lgpio()._notify_thread.events.put((0, 22, 0, 0))
    lgpio()._notify_thread.join(PATIENCE)
    assert not lgpio()._notify_thread.is_alive(), "as the stand-in, and the real one, otherwise do"


def test_an_edge_that_comes_after_its_pin_was_closed_hurts_nobody() -> None:
    buttons = Buttons(PINS, open_pins(), print)
    with lgpio().late(17):
        buttons.close()
    caught_up()
    assert lgpio()._notify_thread.killer is None
    assert lgpio()._notify_thread.is_alive()


def test_the_death_of_lgpios_thread_is_noticed_and_said() -> None:
    said = list[str | None]()
    opened = list[Buttons]()

    def open_keys() -> Keys:
        opened.append(Buttons(PINS, open_pins(), print))
        opened[-1].start()
        return opened[-1]

    supervised = Supervised(
        "keypad", open_keys, lambda _name, sentence: said.append(sentence), check=Keys.check, check_every=5
    )
    assert supervised.service(0.0) == 5
    lgpio()._notify_thread.events.put(None)
    lgpio()._notify_thread.join(PATIENCE)
    assert not opened[0].alive
    assert supervised.service(5.0) == RETRIES[0]
    assert said == ["keypad: the thread that reads the keys has ended; restart cribpi"]
    supervised.close()


def test_keys_that_failed_are_opened_again_on_lines_that_were_given_back() -> None:
    """A line stays busy until the handle that has it is closed; so the pins are given back with the keys."""
    for _ in range(3):
        edges = queue.Queue[Edge]()
        buttons = Buttons(PINS, open_pins(), edges.put)
        buttons.start()
        lgpio().touch(4, closed=True)
        assert edges.get(timeout=PATIENCE).button == "OK"
        lgpio().touch(4, closed=False)
        assert not edges.get(timeout=PATIENCE).closed
        buttons.close()
        assert not lgpio().chips
