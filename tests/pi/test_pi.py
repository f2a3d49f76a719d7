"""What `make pi` looks with, and what it refuses; the machine itself is a run of its own, as root."""

from __future__ import annotations

import os
import struct
import subprocess
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest
from pi import drive, scenarios
from pi.machine import Machine, Sight, Trouble
from pi.panel import PAGES, PUMP_ON, WIDTH, Panel, parse
from pi.rehearsed import Game, Press
from pi.table import Table
from pi.ws2812 import Chain, Garbled, transfers
from PIL import Image

from cribpi.companion.devices.strip import FOUR_BITS, THREE_BITS
from cribpi.cribbage.game.state import State

RUN = Path(__file__).parent / "run"

UPRIGHT = {
    "power": 1,
    "on": 1,
    "inverse": 0,
    "all": 0,
    "segments": 1,
    "down": 1,
    "line": 0,
    "offset": 0,
    "multiplex": 63,
    "pins": 0x12,
    "pump": PUMP_ON,
}


def dots(**changed: int) -> list[tuple[int, int]]:
    """Return the lit dots of a panel whose memory has one, in line 1, with some registers changed."""
    panel = Panel(UPRIGHT | changed, b"\x02" + bytes(WIDTH * PAGES - 1))
    glass = Image.frombytes("1", (128, 64), panel.picture())
    return [(x, y) for y in range(64) for x in range(128) if glass.getpixel((x, y))]


@pytest.mark.parametrize(
    ("changed", "dot"),
    [
        ({}, (0, 1)),
        ({"segments": 0}, (127, 1)),
        ({"down": 0}, (0, 62)),
        ({"line": 10}, (0, 55)),
        ({"offset": 10}, (0, 55)),
        ({"multiplex": 31}, (0, 33)),
        ({"pins": 0x32}, (0, 0)),
        ({"pins": 0x02}, (0, 2)),
        ({"pins": 0x22}, (0, 3)),
    ],
)
def test_a_dot_is_where_the_registers_put_it(changed: dict[str, int], dot: tuple[int, int]) -> None:
    assert dots(**changed) == [dot]


@pytest.mark.parametrize("register", ["power", "on", "pump"])
def test_a_panel_without_power_or_off_is_dark(register: str) -> None:
    assert dots(**{register: 0}) == []


def test_an_inverse_panel_and_one_that_is_all_lit_show_it() -> None:
    assert len(dots(inverse=1)) == 128 * 64 - 1
    assert len(dots(all=1)) == 128 * 64


def test_a_panel_is_read_from_the_words_of_its_module() -> None:
    panel = parse("power=1 contrast=207\n" + f"{'00' * 127}ff\n" * 8)
    assert panel.registers == {"power": 1, "contrast": 207}
    assert len(panel.memory) == WIDTH * PAGES
    assert panel.memory[WIDTH - 1] == 0xFF


HERTZ, REST = FOUR_BITS.hertz, FOUR_BITS.rest
DARK_LED = FOUR_BITS.encode(bytes(3))


def test_lights_are_read_off_the_wire() -> None:
    chain = Chain(3)
    chain.hear(REST, HERTZ)
    assert (chain.colours, chain.frames) == (bytes(9), 0)
    for rgb in (bytes(range(0, 250, 28)), bytes(range(255, 0, -29))):
        chain.hear(FOUR_BITS.encode(rgb), HERTZ)
        assert chain.colours == rgb
    assert chain.frames == 2


@pytest.mark.parametrize(
    ("data", "hertz"),
    [
        (DARK_LED, HERTZ // 2),
        (DARK_LED, HERTZ * 2),
        (DARK_LED[: -len(REST)], HERTZ),
        (DARK_LED[len(REST) :], HERTZ),
        (DARK_LED[: len(REST)] + DARK_LED[len(REST) + 3 :], HERTZ),
        (THREE_BITS.encode(bytes(3)), THREE_BITS.hertz),
        (REST + (int("1110" * 24, 2) << 6).to_bytes(13) + REST, HERTZ),
    ],
    ids=[
        "too-slow",
        "too-fast",
        "no-rest-after-it",
        "no-rest-before-it",
        "bits-are-missing",
        "a-0-too-long-for-some",
        "pulses-across-two-bytes",
    ],
)
def test_a_wire_that_does_not_keep_to_the_times_is_refused(data: bytes, hertz: int) -> None:
    with pytest.raises(Garbled):
        Chain(1).hear(data, hertz)


def test_each_transfer_is_found_in_the_log_of_the_wire() -> None:
    log = struct.pack("<II", 3, HERTZ) + b"abc" + struct.pack("<II", 0, 1) + struct.pack("<II", 1, 2) + b"d"
    assert list(transfers(log)) == [(b"abc", HERTZ), (b"", 1), (b"d", 2)]


@dataclass
class Shown:
    """A machine that shows one thing after another, the last one for ever."""

    sights: list[Sight]
    done: list[str] = field(default_factory=list)

    def ask(self, deed: str, *_arguments: object) -> None:
        self.done.append(deed)

    def look(self) -> Sight:
        return self.sights.pop(0) if len(self.sights) > 1 else self.sights[0]


DARK = Sight(bytes(128 * 64 // 8), bytes(6), 255)
LIT = Sight(b"\x80" + DARK.glass[1:], b"\x09" + DARK.lights[1:], 255)
ONLY_ITS_GLASS = replace(LIT, lights=DARK.lights)
TOO_DIM = replace(LIT, contrast=1)


def table_of(folder: Path, *sights: Sight) -> Table:
    """Return a table at a machine that shows *sights*, and a game of two presses: light, and dark again."""
    state = State()
    game = Game(DARK, (Press("OK", 1, 2, LIT, state), Press("OK", 1, 2, DARK, state)))
    return Table(folder, cast("Machine", Shown(list(sights))), game, folder / "disk")


def test_a_press_is_compared_once_screen_and_lights_are_right(tmp_path: Path) -> None:
    table = table_of(tmp_path, DARK, ONLY_ITS_GLASS, TOO_DIM, LIT, DARK)
    table.play(2)
    assert table.compared == {1, 2}
    assert cast("Shown", table.machine).done == ["press", "press"]


def test_lights_that_are_not_right_are_told_and_the_press_does_not_count_as_compared(tmp_path: Path) -> None:
    table = table_of(tmp_path, ONLY_ITS_GLASS)
    table.at = 1
    with pytest.raises(Trouble, match="after press 1: 1 lights: 0 is 000000 and not 090000"):
        table.sees(LIT, within=0)
    table.sees(LIT, within=0, is_awake=False)
    assert table.compared == set()
    assert list(tmp_path.iterdir()) == []


def test_a_screen_that_is_too_dim_is_told(tmp_path: Path) -> None:
    table = table_of(tmp_path, TOO_DIM)
    with pytest.raises(Trouble, match="after press 0: the screen's brightness: 1 and not 255"):
        table.sees(LIT, within=0)


def test_lights_that_lose_their_power_are_dark_until_they_hear_of_their_colours() -> None:
    chain = Chain(1)
    for _ in range(2):
        chain.hear(FOUR_BITS.encode(b"abc"), HERTZ)
        assert chain.colours == b"abc"
        chain.lose_power()
        assert chain.colours == bytes(3)


def test_a_screen_that_is_not_right_is_kept_as_a_picture(tmp_path: Path) -> None:
    with pytest.raises(Trouble, match="the screen"):
        table_of(tmp_path, DARK).sees(LIT, within=0)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["glass-000-found.png", "glass-000-wanted.png"]


@pytest.mark.parametrize(("shown", "at"), [(DARK, 0), (LIT, 1)])
def test_a_press_in_which_the_plug_was_pulled_counts_where_it_is_seen(
    tmp_path: Path, shown: Sight, at: int
) -> None:
    table = table_of(tmp_path, shown)
    assert scenarios._is_one_further(table, table.game.presses[0]) is bool(at)
    assert (table.at, table.compared) == (at, {at})


def qemu_that(does: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """Return a machine whose QEMU is a program that *does* this instead, the socket bound as `end`."""
    program = folder / "qemu-system-x86_64"
    program.write_text(
        f"#!{sys.executable}\nimport socket, time\nend = socket.socket(socket.AF_UNIX)\n"
        f"end.bind({str(folder / 'agent.socket')!r})\n{does}\n"
    )
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    return Machine(folder, folder / "disk", folder / "log")


def test_a_machine_that_listens_a_while_after_its_socket_is_there_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = """b'{"id": 0, "answer": "ready"}\\n'"""
    machine = qemu_that(
        f"time.sleep(0.5); end.listen(); end.accept()[0].sendall({answer}); time.sleep(60)",
        tmp_path,
        monkeypatch,
    )
    try:
        machine.start()
        assert not machine.is_off_within(0)
    finally:
        machine.unplug()


def test_a_machine_that_ends_at_once_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    machine = qemu_that("", tmp_path, monkeypatch)
    with pytest.raises(Trouble, match="QEMU does not start"):
        machine.start()
    machine.unplug()


def test_an_unknown_scenario_is_refused_with_those_that_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert drive.main([str(tmp_path), "game", "earthquake"]) == 2
    assert capsys.readouterr().err.startswith("no scenario earthquake; there are beginning")
    assert list(tmp_path.iterdir()) == []


def refusal(*arguments: str, path: str = os.environ["PATH"]) -> tuple[int, str]:
    environ = {**os.environ, "PATH": path}
    done = subprocess.run([RUN, *arguments], env=environ, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    return done.returncode, done.stderr


def test_without_root_it_says_so_and_stops(tmp_path: Path) -> None:
    somebody = tmp_path / "id"
    somebody.write_text("#!/bin/sh\necho 1000\n")
    somebody.chmod(0o755)
    assert refusal(path=f"{tmp_path}:{os.environ['PATH']}") == (
        2,
        "tests/pi/run: a Debian root is made and entered by root; run it with sudo\n",
    )


def test_a_run_without_its_folder_is_refused_in_a_sentence() -> None:
    assert refusal("--folder") == (2, "tests/pi/run: --folder wants a folder\n")
