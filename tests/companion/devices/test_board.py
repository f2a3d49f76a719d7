"""The pins of a Pi: the real gpiozero over a stand-in for lgpio, with lgpio's traps in it."""

from __future__ import annotations

import os
import queue
import shutil
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import gpiozero.pins.local
import pytest
from support.machines import NAMES, header, machine
from support.patience import PATIENCE

from cribpi.companion.devices import board, gpio_chips
from cribpi.companion.devices.board import open_pins, who_has
from cribpi.companion.devices.health import Problem
from cribpi.companion.devices.keypad import ButtonKeys
from cribpi.companion.devices.keys import Keys
from cribpi.companion.devices.supervisor import RETRIES, DeviceTrouble, Supervised
from cribpi.companion.doctor.machine import MachineFiles
from cribpi.companion.doctor.pi import check_gpio
from cribpi.companion.entry.debounce import Edge

STAND_IN = Path(__file__).parent / "stand_in"
PI_4 = 0xC03111
PI_5 = 0xC04170
PINS = {"UP": 17, "DOWN": 22, "OK": 4}


@pytest.fixture(autouse=True)
def a_pi(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """Let this machine pass for a Pi 4, with what the stand-in leaves behind taken away again."""
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: PI_4)
    monkeypatch.syspath_prepend(str(STAND_IN))
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    becomes(monkeypatch, machine("pi-4-6.6.47", tmp_path / "root"))
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


def becomes(monkeypatch: pytest.MonkeyPatch, this: MachineFiles) -> None:
    """Let the kernel say of its GPIO chips what it says on *this* machine, whose config.txt is read, too."""

    def asked(chip: Path, request: int, data: bytes) -> bytes:
        if request == gpio_chips._GET_CHIP_INFO:
            return gpio_chips._CHIP_INFO.pack(chip.name.encode(), this.label_of(chip).encode(), 54)
        line = gpio_chips._LINE_INFO.unpack(data)[2]
        holder = this.holder_of(chip, line)
        return gpio_chips._LINE_INFO.pack(b"", holder.encode(), line, 0, int(bool(holder)), b"", b"")

    monkeypatch.setattr(gpio_chips, "_ioctl", asked)
    monkeypatch.setattr(board, "_DEVICES", this.root / "dev")
    monkeypatch.setattr(board, "who_has", partial(who_has, root=this.root))
    monkeypatch.setattr(board, "pi_model", lambda: this.model)


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


def test_pins_that_may_not_be_opened_are_said_with_the_group(tmp_path: Path) -> None:
    open_pins().close()
    lgpio().failing.append("can not open gpiochip")
    with pytest.raises(
        DeviceTrouble, match=r"cannot be opened \(can not open gpiochip\); add this user to the gpio group"
    ):
        open_pins()
    lgpio().failing.append("can not open gpiochip")
    ill = check_gpio(MachineFiles(tmp_path, "ann", frozenset()), open_pins)
    assert isinstance(ill, Problem)
    assert "usermod -aG gpio ann" in ill.remedy


# --- the header's chip, and who has a line of it ---


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")
def test_the_kernel_is_asked_as_its_own_header_has_it(tmp_path: Path) -> None:
    (tmp_path / "ask.c").write_text(
        """
        #include <linux/gpio.h>
        #include <stddef.h>
        #include <stdio.h>
        #define AT(field) offsetof(struct gpio_v2_line_info, field)
        int main(void) {
            printf("%zu %zu ", sizeof(struct gpiochip_info), offsetof(struct gpiochip_info, label));
            printf("%zu %zu %zu %zu ", sizeof(struct gpio_v2_line_info), AT(consumer), AT(offset), AT(flags));
            printf("%u %u ", (unsigned) GPIO_GET_CHIPINFO_IOCTL, (unsigned) GPIO_V2_GET_LINEINFO_IOCTL);
            printf("%u", (unsigned) GPIO_V2_LINE_FLAG_USED);
        }
        """,
        encoding="ascii",
    )
    cc = ["cc", "-o", str(tmp_path / "ask"), str(tmp_path / "ask.c")]
    if subprocess.run(cc, capture_output=True, check=False).returncode:
        pytest.skip("the kernel's headers are not installed")
    said = subprocess.run([tmp_path / "ask"], capture_output=True, check=True, text=True).stdout
    chip, line = gpio_chips._CHIP_INFO, gpio_chips._LINE_INFO
    assert said.split() == [
        str(number)
        for number in (
            *(chip.size, struct.calcsize("32s")),
            *(line.size, struct.calcsize("32s"), struct.calcsize("32s32s"), struct.calcsize("32s32sII")),
            *(gpio_chips._GET_CHIP_INFO, gpio_chips._GET_LINE_INFO, gpio_chips._USED),
        )
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("revision", [PI_4, PI_5])
def test_the_chip_that_is_opened_is_the_headers_whatever_its_number_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, revision: int
) -> None:
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: revision)
    becomes(monkeypatch, machine(name, tmp_path / "machine"))
    open_pins().close()
    assert lgpio().numbers == [int(header(name).removeprefix("gpiochip"))]


def test_no_other_chip_is_opened_where_none_is_the_headers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pi = machine("pi-5-6.6.47", tmp_path / "machine")
    (pi.root / "dev" / "gpiochip0").unlink()
    becomes(monkeypatch, pi)
    said = r"no GPIO chip is the header's \(gpiochip10 is gpio-brcmstb@107d508500, .*; sudo apt full-upgrade"
    with pytest.raises(DeviceTrouble, match=said):
        open_pins()
    assert lgpio().numbers == []


def test_a_gpiozero_that_takes_another_chip_than_it_is_told_to_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Before 2.0.1.post3, that of lgpio takes chip 4 on a Pi 5."""
    open_pins().close()
    factory = sys.modules["gpiozero.pins.lgpio"].LGPIOFactory
    before = factory.__init__
    monkeypatch.setattr(factory, "__init__", lambda self, **_: before(self, chip=4))
    with pytest.raises(DeviceTrouble, match=r"gpiozero opens gpiochip4, and .*/gpiochip0; update gpiozero"):
        open_pins()
    assert not lgpio().chips


def test_a_line_that_somebody_holds_is_said_with_its_holder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    becomes(monkeypatch, machine("pi-5-sata", tmp_path / "machine"))
    pins = open_pins()
    lgpio().chips[99] = {17}
    said = "keypad: GPIO 17 is held by hat_button; stop what uses it, or use another GPIO"
    with pytest.raises(DeviceTrouble, match=said):
        ButtonKeys(PINS, pins, print)
    del lgpio().chips[99]


def test_a_line_that_the_kernel_holds_is_said_with_its_line_of_config_txt(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pi = machine("pi-4-ubo", tmp_path / "machine")
    becomes(monkeypatch, replace(pi, holder_of=lambda _chip, line: "gpio-fan" if line == 22 else ""))
    pins = open_pins()
    lgpio().chips[99] = {22}
    said = (
        "keypad: GPIO 22 is held by gpio-fan: dtoverlay=gpio-fan,gpiopin=22,temp=60000 in "
        "/boot/firmware/config.txt; take that line out and restart the Pi, or use another GPIO"
    )
    with pytest.raises(DeviceTrouble, match=said):
        ButtonKeys(PINS, pins, print)
    del lgpio().chips[99]


def test_what_belongs_to_a_bus_is_logged_as_its_lines_can_be_had_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    becomes(monkeypatch, machine("pi-3-jukebox", tmp_path / "machine"))
    ButtonKeys({"OK": 20}, open_pins(), print).close()
    (said,) = caplog.messages
    assert said.startswith("GPIO 20 belongs to something else: dtoverlay=hifiberry-dac in /boot/firmware/")


# --- callbacks ---


def test_keys_are_heard_through_lgpios_thread() -> None:
    edges = queue.Queue[Edge]()
    buttons = ButtonKeys(PINS, open_pins(), edges.put)
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
    buttons = ButtonKeys(PINS, open_pins(), print)
    with lgpio().late(17):
        buttons.close()
    caught_up()
    assert lgpio()._notify_thread.killer is None
    assert lgpio()._notify_thread.is_alive()


def test_the_death_of_lgpios_thread_is_noticed_and_said() -> None:
    said = list[str | None]()
    opened = list[ButtonKeys]()

    def open_keys() -> Keys:
        opened.append(ButtonKeys(PINS, open_pins(), print))
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
        buttons = ButtonKeys(PINS, open_pins(), edges.put)
        buttons.start()
        lgpio().touch(4, closed=True)
        assert edges.get(timeout=PATIENCE).button == "OK"
        lgpio().touch(4, closed=False)
        assert not edges.get(timeout=PATIENCE).closed
        buttons.close()
        assert not lgpio().chips
