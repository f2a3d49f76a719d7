"""The doctor, over machines laid out as files and over the emulated chips."""

from __future__ import annotations

import errno
import json
import os
import queue
import shutil
import socket
import sqlite3
import struct
import subprocess
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import ifaddr
import pytest
from PIL import Image
from support import ddp
from support.paths import DOCS, KITS
from support.patience import joined
from support.refusals import is_line_with
from support.server import companion

from cribpi.cli import main
from cribpi.commands import doctor
from cribpi.companion.devices.board import settings_of
from cribpi.companion.devices.health import Problem
from cribpi.companion.devices.strip import THREE_BITS, SpiStrip
from cribpi.companion.devices.strip_ws281x import StripDriver
from cribpi.companion.devices.supervisor import DeviceTrouble
from cribpi.companion.devices.twin.panel import Panel
from cribpi.companion.devices.twin.wire import WS2812B, Wire, WireError
from cribpi.companion.doctor import trial
from cribpi.companion.doctor.checkup import check_all
from cribpi.companion.doctor.house import check_phones, check_room, check_writes, write_times
from cribpi.companion.doctor.machine import Finding, MachineFiles, Verdict, finding
from cribpi.companion.doctor.pi import check_pins
from cribpi.companion.doctor.trial import (
    ALL_HEARD,
    hole_names,
    name_keys,
    trial_picture,
    try_out,
    wiring_of,
)
from cribpi.companion.entry.debounce import Edge
from cribpi.companion.entry.phones import Phone
from cribpi.companion.journal.database import VERSION
from cribpi.companion.journal.journal import Journal
from cribpi.companion.kit import Kit, UsbKeys
from cribpi.companion.kit.codes import KEY_CODES
from cribpi.companion.kit.reader import kit_names, load_kit
from cribpi.companion.run.bootstrap import Chips, twin_chips
from cribpi.companion.run.config import Config, PageConfig, SoundConfig
from cribpi.companion.run.simulator import Rehearsal
from cribpi.companion.web.phones.network import Reach
from cribpi.companion.web.phones.registry import Joined, PhoneFile, SavedPhones


def _usb_keys() -> UsbKeys:
    keypad = load_kit("numpad").keypad
    assert isinstance(keypad, UsbKeys)
    return keypad


USB_KEYS = _usb_keys()
GROUPS = frozenset({"gpio", "i2c", "spi", "input"})
CLOCK = "sys/class/i2c-adapter/i2c-1/of_node/clock-frequency"
ALARM = "sys/class/hwmon/hwmon1/in0_lcrit_alarm"
THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
HEAT = "sys/class/thermal/thermal_zone0/temp"
ERRORS = "sys/fs/ext4/mmcblk0p2/errors_count"
LIFE = "sys/block/mmcblk0/device/life_time"
BUFFER = "sys/module/spidev/parameters/bufsiz"
CONFIG = "boot/firmware/config.txt"
UNIT = "etc/systemd/system/cribpi.service"
MODULES = "etc/modules-load.d/cribpi.conf"
GPIOMEM = "sys/module/raspberrypi_gpiomem/initstate"


@dataclass
class Pi:
    """A healthy Pi 4 as files below a folder, with the twin's chips; each test spoils something."""

    machine: MachineFiles
    chips: Chips
    kit: Kit
    state: Path
    port: int = 0
    sound: SoundConfig = field(default_factory=SoundConfig)
    lan: bool = False

    def write(self, name: str, data: bytes) -> None:
        path = self.machine.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)

    def remove(self, name: str) -> None:
        path = self.machine.root / name
        path.unlink()
        if path.name == "initstate":  # a module that is not loaded has no folder
            path.parent.rmdir()

    def findings(self) -> dict[str, Finding]:
        config = Config(port=self.port, sound=self.sound, page=PageConfig(lan=self.lan))
        found = list(check_all(self.chips, self.kit, self.state, config, self.machine))
        assert len({one.name for one in found}) == len(found), "one line for each thing"
        return {one.name: one for one in found}


@pytest.fixture
def pi(tmp_path: Path) -> Pi:
    kit = load_kit("table")
    found = Pi(
        MachineFiles(
            tmp_path / "root", "ann", GROUPS, lambda _chip: "pinctrl-bcm2711", lambda _chip, _line: ""
        ),
        replace(twin_chips(kit), twin=None),
        kit,
        tmp_path / "state",
    )
    found.write("proc/device-tree/model", b"Raspberry Pi 4 Model B Rev 1.4\0")
    for device in ("dev/gpiochip0", "dev/i2c-1", "dev/spidev0.0"):
        found.write(device, b"")
    found.write(CLOCK, (400_000).to_bytes(4))
    found.write(BUFFER, b"4096\n")
    found.write("sys/class/hwmon/hwmon0/name", b"cpu_thermal\n")
    found.write("sys/class/hwmon/hwmon1/name", b"rpi_volt\n")
    found.write(ALARM, b"0\n")
    found.write(THROTTLED, b"0\n")
    found.write(HEAT, b"48312\n")
    found.write(ERRORS, b"0\n")
    found.write(LIFE, b"0x01 0x01\n")
    found.write(CONFIG, b"[pi4]\ncore_freq_min=500\n[all]\n")
    found.write(UNIT, b"[Unit]\nAfter=systemd-modules-load.service\n")
    found.write(MODULES, b"# ours\ni2c-dev\nspidev\nraspberrypi-gpiomem\n")
    found.write("sys/module/i2c_dev/initstate", b"live\n")
    found.write(GPIOMEM, b"live\n")
    return found


def test_a_healthy_pi_is_well_in_every_line(pi: Pi) -> None:
    found = pi.findings()
    assert [one for one in found.values() if not one.is_well] == []
    assert list(found) == [
        "kit", "board", "supply", "heat", "card", "clock", "groups", "modules", "gpio library", "keys",
        "pins", "i2c bus", "oled", "spi", "core clock", "led driver", "free space", "state folder",
        "write speed", "journal", "port", "phones",
    ]  # fmt: skip
    assert is_line_with(found["i2c bus"].says, "/dev/i2c-1", "400 kHz", "23 ms")


@pytest.mark.parametrize(
    "model",
    [
        "Raspberry Pi Zero 2 W Rev 1.0",
        "Raspberry Pi 3 Model B Plus Rev 1.3",
        "Raspberry Pi 400 Rev 1.0",
        "Raspberry Pi 500 Rev 1.0",
        "Raspberry Pi Compute Module 4 Rev 1.1",
        "Raspberry Pi Compute Module 5 Rev 1.0",
    ],
)
def test_every_board_with_the_chip_of_one_that_is_supported_is_well(pi: Pi, model: str) -> None:
    pi.write("proc/device-tree/model", model.encode() + b"\0")
    found = pi.findings()["board"]
    assert (found.is_well, found.says) == (True, model)


def test_the_boot_files_are_named_where_they_are(pi: Pi) -> None:
    """In /boot, as on DietPi and before Bookworm."""
    pi.remove(CONFIG)
    pi.write("boot/config.txt", b"[pi4]\ncore_freq_min=500\n")
    pi.remove("dev/i2c-1")
    pi.write(BUFFER, b"2048")
    found = pi.findings()
    assert found["core clock"].is_well
    assert "| sudo tee -a /boot/config.txt" in found["i2c bus"].remedy
    assert " /boot/cmdline.txt && " in found["spi"].remedy


def test_what_a_remedy_adds_is_for_every_board_whatever_section_comes_last(pi: Pi) -> None:
    config = "core_freq_min=500\ndtoverlay=vc4-kms-v3d\n[pi5]\ndtparam=i2c_arm_baudrate=100000\n"
    pi.write(CONFIG, config.encode())
    pi.write(CLOCK, (100_000).to_bytes(4))
    command = pi.findings()["i2c bus"].remedy.partition(" | ")[0]
    added = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True).stdout
    settings = settings_of(config + added, "Raspberry Pi 4 Model B Rev 1.4")
    assert settings["dtparam i2c_arm_baudrate"] == "400000"


@pytest.mark.parametrize(
    ("seconds", "is_well"), [([0.05] * 11 + [9.0] * 9, True), ([0.01] * 9 + [0.06] * 11, False)]
)
def test_a_slow_disk_is_one_whose_ordinary_sync_takes_long(
    seconds: list[float], *, is_well: bool, tmp_path: Path
) -> None:
    found = check_writes(tmp_path, lambda _folder: seconds)
    assert isinstance(found, str) is is_well
    assert ("60 ms, which you feel at each key; 50 ms is the limit" in str(found)) is not is_well


def test_a_disk_is_measured_without_leaving_anything_there(tmp_path: Path) -> None:
    times = write_times(tmp_path)
    assert 1 <= len(times) <= 20
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("free", "says"),
    [
        (50_000_000, "50 MB are free at "),
        (49_400_000, "49 MB are free at "),
        (2_000_000_000, "2,000 MB are "),
    ],
)
def test_50_megabytes_of_free_space_are_enough_and_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, free: int, says: str
) -> None:
    monkeypatch.setattr(shutil, "disk_usage", lambda _folder: SimpleNamespace(free=free))
    found = finding("free space", check_room(tmp_path))
    assert found.is_well is (free >= 50_000_000)
    assert found.says.startswith(says)


def test_a_very_slow_disk_is_not_measured_for_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter(range(0, 1000, 2))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(now)))
    assert write_times(tmp_path) == [2.0, 2.0, 2.0]


def test_a_disk_that_refuses_says_so(tmp_path: Path) -> None:
    def refuse(_folder: Path) -> list[float]:
        raise OSError(errno.ENOSPC, "No space left on device")

    found = check_writes(tmp_path, refuse)
    assert isinstance(found, Problem)
    assert "can't be stored (No space left on device)" in found.says
    assert isinstance(check_writes(tmp_path / "none", refuse), str)


def no_pins() -> Any:  # noqa: ANN401  what the real one returns has no type either
    raise DeviceTrouble("keypad: the module lgpio is empty; install the system package python3-lgpio")


def no_bus() -> Any:  # noqa: ANN401  as above
    raise DeviceTrouble("oled: No module named 'adafruit_extended_bus'; install cribpi with its pi extra")


def without(pi: Pi, group: str) -> None:
    pi.machine = replace(pi.machine, groups=GROUPS - {group})


def unplugged(pi: Pi) -> None:
    pi.chips.open_bus().plugged = False


def moved(pi: Pi) -> None:
    bus = pi.chips.open_bus()
    bus._address = 0x3D


def other_kit(pi: Pi, name: str, **strip: Any) -> None:  # noqa: ANN401  the fields of Strip
    kit = load_kit(name)
    pi.kit = replace(kit, strip=replace(kit.strip, **strip))


def plug_in(pi: Pi, number: int, called: str, codes: Iterable[int]) -> None:
    """Write the keys *codes* of an input device as the kernel does: words of a long, the highest first."""
    size = 8 * struct.calcsize("@l")
    bits, words = sum(1 << code for code in codes), list[int]()
    while bits:
        words.insert(0, bits & ((1 << size) - 1))
        bits >>= size
    folder = f"sys/class/input/event{number}/device"
    pi.write(f"{folder}/name", f"{called}\n".encode())
    pi.write(f"{folder}/capabilities/key", (" ".join(f"{word:x}" for word in words) + "\n").encode())
    pi.write(f"dev/input/event{number}", b"")


def other_board(pi: Pi, model: str, config: str) -> None:
    pi.write("proc/device-tree/model", model.encode() + b"\0")
    pi.write(CONFIG, config.encode())


def ws281x(pi: Pi, *, without: str) -> None:
    """Let the strip be driven by rpi-ws281x, on a machine that lacks a file."""
    other_kit(pi, "table", driver="rpi-ws281x")
    pi.remove(without)


ZERO, PI_3 = "Raspberry Pi Zero 2 W Rev 1.0", "Raspberry Pi 3 Model B Plus Rev 1.3"


def spoilt(pi: Pi) -> None:
    pi.state.mkdir()
    (pi.state / "journal.db").write_text("no database " * 50)


def written_at(pi: Pi, at: float) -> None:
    pi.state.mkdir()
    Journal(pi.state / "journal.db").close()
    os.utime(pi.state / "journal.db", (at, at))


ILLS: list[tuple[str, Callable[[Pi], object], str, str]] = [
    # name, what is spoiled, a part of what is said, a part of the remedy
    ("board", lambda pi: pi.remove("proc/device-tree/model"), "not a Raspberry Pi", "cribpi run --sim"),
    ("board", lambda pi: pi.write("proc/device-tree/model", b"Raspberry Pi 2 Model B"), "not a Zero 2 W",
     "use one"),
    ("supply", lambda pi: pi.write(ALARM, b"1"), "too low now", "5.1 V"),
    ("supply", lambda pi: pi.write(THROTTLED, b"50005"), "too low now", "5.1 V"),
    ("supply", lambda pi: pi.write(THROTTLED, b"50000"), "since the start", "5.1 V"),
    ("heat", lambda pi: pi.write(HEAT, b"80000\n"), "too hot, so it runs slower", "give it air"),
    ("heat", lambda pi: pi.write(THROTTLED, b"80008"), "too hot, so it runs slower", "give it air"),
    ("card", lambda pi: pi.write(ERRORS, b"3\n"), "3 errors on it so far", "export your games"),
    ("card", lambda pi: pi.write(LIFE, b"0x0a 0x01\n"), "nearly worn out", "use a new card"),
    ("clock", lambda pi: written_at(pi, time.time() + 86_400), "before your last game", "connect a network"),
    ("groups", lambda pi: without(pi, "i2c"), "ann is not in i2c", "sudo usermod -aG i2c ann"),
    ("gpio library", lambda pi: setattr(pi, "chips", replace(pi.chips, open_pins=no_pins)),
     "the module lgpio is empty", "sudo apt update && sudo apt install python3-lgpio"),
    ("keys", lambda pi: pi.remove("dev/gpiochip0"), "no /dev/gpiochip", "apt full-upgrade"),
    ("i2c bus", lambda pi: pi.remove("dev/i2c-1"), "/dev/i2c-1 is not there",
     "printf '%s\\n' '[all]' dtoverlay= dtparam=i2c_arm=on | sudo tee -a /boot/firmware/config.txt"),
    ("i2c bus", lambda pi: pi.write(CLOCK, (100_000).to_bytes(4)),
     "at 100 kHz: a full picture takes 93 ms, 23 ms at the kit's 400",
     "'[all]' dtoverlay= dtparam=i2c_arm_baudrate=400000 | sudo tee -a /boot/firmware/config.txt"),
    ("oled", unplugged, "nothing answers at 0x3c", "four wires"),
    ("oled", moved, "but a panel does at 0x3d", "address = 0x3d"),
    ("oled", lambda pi: setattr(pi, "chips", replace(pi.chips, open_bus=no_bus)), "pi extra", "the i2c bus"),
    ("spi", lambda pi: pi.remove("dev/spidev0.0"), "/dev/spidev0.0 is not there",
     "'[all]' dtoverlay= dtparam=spi=on | sudo tee -a /boot/firmware/config.txt"),
    ("spi", lambda pi: pi.write(BUFFER, b"2048"), "a frame has 3,144 bytes, and /dev/spidev0.0 takes 2,048",
     "spidev.bufsiz=32768"),
    ("spi", lambda pi: other_kit(pi, "table-3"),
     "a frame has 4,596 bytes, and /dev/spidev0.0 takes 4,096: the lights get a shorter code",
     "spidev.bufsiz=32768"),
    ("spi", lambda pi: other_kit(pi, "table-3", driver="rpi-ws281x"), "a frame has 4,376 bytes", "bufsiz"),
    ("core clock", lambda pi: pi.write(CONFIG, b"[pi3]\ncore_freq_min=500\n"),
     "core_freq_min=500 is missing from",
     "printf '%s\\n' '[pi4]' core_freq_min=500 '[all]' | sudo tee -a /boot/firmware/config.txt"),
    ("core clock", lambda pi: other_board(pi, ZERO, "[pi3]\ncore_freq=250\n"), "stay white when idle",
     "'[pi02]' core_freq=250"),
    ("core clock", lambda pi: other_board(pi, PI_3, "core_freq=400\n"), "core_freq=250 is missing from",
     "'[pi3]' core_freq=250"),
    ("core clock", lambda pi: pi.remove(CONFIG), "config.txt can't be read", "core_freq_min=500"),
    ("modules", lambda pi: pi.write(MODULES, b"# none\n"), "i2c-dev and spidev may be loaded only after",
     "sudo make install"),
    ("modules", lambda pi: pi.write(UNIT, b"[Unit]\nAfter=network.target\n"), "does not wait",
     "sudo make install"),
    ("modules", lambda pi: pi.remove("sys/module/i2c_dev/initstate"), "i2c-dev should have been loaded",
     "sudo modprobe -a i2c-dev && sudo systemctl restart cribpi"),
    ("modules", lambda pi: ws281x(pi, without=GPIOMEM), "raspberrypi-gpiomem should have been",
     "sudo modprobe"),
    ("led driver", lambda pi: other_kit(pi, "table", gpio=18, driver="rpi-ws281x"), "", ""),
    ("journal", spoilt,
     "can't be read (file is not a database)", "journal-aside-1.db"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "spoil", "says", "remedy"), [pytest.param(*row, id=f"{row[0]}: {row[2]}") for row in ILLS]
)
def test_each_thing_that_is_wrong_is_one_line_with_its_remedy(
    pi: Pi, name: str, spoil: Callable[[Pi], object], says: str, remedy: str
) -> None:
    spoil(pi)
    ill = pi.findings()[name]
    assert not ill.is_well
    assert says in ill.says
    assert remedy in ill.remedy
    assert ill.remedy


def unlisted(pi: Pi) -> None:
    pi.write(MODULES, b"# none\n")


def without_library(pi: Pi) -> None:
    other_kit(pi, "table", driver="rpi-ws281x")


def unreachable(pi: Pi) -> None:
    pi.lan = True


@pytest.mark.parametrize(
    ("name", "spoil", "by_make", "by_file"),
    [
        ("modules", unlisted, "sudo make install", "sudo sh cribpi-*.run"),
        (
            "led driver",
            without_library,
            "sudo make install; in a checkout: .venv/bin/python -m pip install -e '.[pi]'",
            "sudo sh cribpi-*.run",
        ),
        (
            "phones",
            unreachable,
            "connect it, or on a Pi: sudo make phones (see docs/how-to/phones.md)",
            "connect it, or on a Pi: sudo sh cribpi-*.run --phones (see docs/how-to/phones.md)",
        ),
    ],
)
def test_a_remedy_that_installs_again_does_it_as_it_was_done(
    pi: Pi,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    spoil: Callable[[Pi], None],
    by_make: str,
    by_file: str,
) -> None:
    """Where the file for a stick has installed, there is no Makefile."""
    monkeypatch.setattr(ifaddr, "get_adapters", list)
    spoil(pi)
    assert pi.findings()[name].remedy == by_make
    pi.write("opt/cribpi/venv/installed-from", b"0123abcd for Python 3.13\n")
    assert pi.findings()[name].remedy == by_make
    pi.write("opt/cribpi/venv/installed-from", b"0123abcd in a bundle for Python 3.13\n")
    assert pi.findings()[name].remedy == by_file


LOUD = (
    ("usr/bin/espeak-ng", b""),
    ("usr/bin/aplay", b""),
    ("dev/snd/pcmC1D0p", b""),
    (f"{UNIT}.d/sound.conf", b"[Service]\nDeviceAllow=char-alsa rw\n"),
)


@pytest.fixture
def loud(pi: Pi) -> Pi:
    """Return a Pi with a loudspeaker, on which the voice is on."""
    for name, data in LOUD:
        pi.write(name, data)
    pi.sound = SoundConfig(voice=True)
    return pi


def test_a_voice_that_can_speak_is_well(loud: Pi) -> None:
    found = loud.findings()
    assert (found["voice"].says, found["loudspeaker"].says) == (
        "espeak-ng and aplay; on",
        "/dev/snd/pcmC1D0p",
    )
    assert found["voice"].is_well
    assert found["loudspeaker"].is_well
    loud.sound, loud.kit = SoundConfig(), replace(loud.kit, loudspeaker="default")
    assert "off: voice = true" in loud.findings()["voice"].says


@pytest.mark.parametrize(
    ("lacks", "name", "says", "remedy"),
    [
        ("usr/bin/espeak-ng", "voice", "espeak-ng not installed", "sudo apt install espeak-ng alsa-utils"),
        ("usr/bin/aplay", "voice", "aplay not installed", "sudo apt install espeak-ng alsa-utils"),
        ("dev/snd/pcmC1D0p", "loudspeaker", "no sound card for playback", "plug the loudspeaker in"),
        (f"{UNIT}.d/sound.conf", "loudspeaker", "service can't open", "sudo make install"),
    ],
)
def test_what_a_voice_lacks_is_one_line_with_its_remedy(
    loud: Pi, lacks: str, name: str, says: str, remedy: str
) -> None:
    loud.remove(lacks)
    ill = loud.findings()[name]
    assert not ill.is_well
    assert says in ill.says
    assert remedy in ill.remedy


def test_a_loudspeaker_that_may_not_be_used_is_said_with_the_group(
    loud: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MachineFiles, "may_use", lambda _self, _name: False)  # root may open everything
    assert loud.findings()["loudspeaker"].is_well, "it is the service that uses it"
    loud.remove(UNIT)
    assert "usermod -aG audio ann" in loud.findings()["loudspeaker"].remedy
    assert "no permission to open /dev/snd/pcmC" in loud.findings()["loudspeaker"].says


def test_a_device_that_may_not_be_opened_is_told_from_one_that_is_missing(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(MachineFiles, "may_use", lambda _self, _name: False)  # root may open everything
    found = pi.findings()
    for name, group in (("keys", "gpio"), ("i2c bus", "i2c"), ("spi", "spi,gpio")):
        assert "no permission to open" in found[name].says
        assert f"usermod -aG {group} ann, " in found[name].remedy


@pytest.mark.parametrize(
    ("model", "config"),
    [
        (ZERO, "[pi02]\ncore_freq=250\n"),
        (PI_3, "[pi3]\ncore_freq=250\n[all]\ngpu_mem=16\n"),
        (PI_3, "core_freq=400\ncore_freq=250\n"),
        ("Raspberry Pi 5 Model B Rev 1.0", ""),
    ],
)
def test_a_core_clock_that_stays_is_well(pi: Pi, model: str, config: str) -> None:
    other_board(pi, model, config)
    assert pi.findings()["core clock"].is_well
    (pi.machine.root / CONFIG).rename(pi.machine.root / "boot/config.txt")  # where it was before Bookworm
    assert pi.findings()["core clock"].is_well


def firmware(pi: Pi, script: str) -> None:
    """Let *script*, of the shell, answer as the firmware does."""
    pi.write("usr/bin/vcgencmd", f"#!/bin/sh\n{script}\n".encode())
    (pi.machine.root / "usr/bin/vcgencmd").chmod(0o755)


@pytest.mark.parametrize(
    ("model", "config", "hertz", "is_well"),
    [
        (ZERO, "[pi02]\ncore_freq=250\n", 250_000_496, True),
        (ZERO, "[pi02]\ncore_freq=250\n", 400_000_000, False),
        (PI_3, "[pi3]\ncore_freq=250\n", 200_000_000, False),
        ("Raspberry Pi 4 Model B Rev 1.4", "[pi4]\ncore_freq_min=500\n", 500_000_992, True),
        ("Raspberry Pi 4 Model B Rev 1.4", "[pi4]\ncore_freq_min=500\n", 550_000_000, True),
        ("Raspberry Pi 4 Model B Rev 1.4", "[pi4]\ncore_freq_min=500\n", 200_000_000, False),
    ],
)
def test_the_core_clock_in_use_counts_and_not_the_file_alone(
    pi: Pi, model: str, config: str, hertz: int, *, is_well: bool
) -> None:
    other_board(pi, model, config)
    firmware(pi, f'test "$*" = "measure_clock core" && echo "frequency(1)={hertz}"')
    found = pi.findings()["core clock"]
    assert found.is_well is is_well
    assert f"{round(hertz / 1_000_000)} MHz" in found.says
    assert is_well or found.remedy == "sudo reboot"


@pytest.mark.parametrize(
    "script",
    [
        "exit 1",
        "echo 'frequency(1)=550000000'; exit 1",
        "echo VCHI initialization failed",
        "echo 'frequency(1)=0'",
    ],
)
def test_where_the_firmware_tells_no_clock_the_file_counts(pi: Pi, script: str) -> None:
    firmware(pi, script)
    says = f"/{CONFIG} says core_freq_min=500, which keeps the strip's timing"
    assert pi.findings()["core clock"] == ("core clock", says, "")


def test_the_core_clock_means_nothing_to_a_strip_by_pwm(pi: Pi) -> None:
    other_kit(pi, "table", gpio=18)
    pi.remove(CONFIG)
    found = pi.findings()
    assert found["core clock"].is_well
    assert "GPIO 18" in found["core clock"].says


def test_modules_that_are_built_in_or_listed_elsewhere_are_well(pi: Pi) -> None:
    pi.write(MODULES, b"")
    pi.write("etc/modules", b"# /etc/modules\n#\n\n;\ni2c_dev\n")
    pi.write("proc/sys/kernel/osrelease", b"6.12\n")
    pi.write("lib/modules/6.12/modules.builtin", b"kernel/drivers/spi/spidev.ko\n")
    pi.write("sys/module/spidev/parameters/bufsiz", b"4096\n")
    assert pi.findings()["modules"].is_well


def test_modules_mean_nothing_where_no_service_is_installed(pi: Pi) -> None:
    pi.remove(UNIT)
    pi.remove(MODULES)
    assert pi.findings()["modules"].is_well


def test_a_usb_keypad_is_looked_for_where_the_kit_has_one(pi: Pi) -> None:
    pi.kit = load_kit("numpad")
    assert "no USB keypad" in pi.findings()["keys"].says
    plug_in(pi, 2, "Mouse", {272, 273})
    assert "no USB keypad" in pi.findings()["keys"].says
    plug_in(pi, 10, "Cheap Keypad", USB_KEYS.by_code)
    assert pi.findings()["keys"].is_well
    assert pi.findings()["keys"].says == "Cheap Keypad (/dev/input/event10)"
    without(pi, "input")
    assert "not in input" in pi.findings()["groups"].says


def test_a_keyboard_is_no_keypad_and_of_two_pads_the_smaller_one_is_it(pi: Pi) -> None:
    pi.kit = load_kit("numpad")
    plug_in(pi, 0, "Big Keyboard", KEY_CODES.values())
    found = pi.findings()["keys"]
    assert "only a keyboard, which is not used: Big Keyboard (/dev/input/event0)" in found.says
    assert 'write name = "Big Keyboard" in the kit' in found.remedy
    plug_in(pi, 1, "Pad with more", {*USB_KEYS.by_code, 113, 114, 115})
    assert pi.findings()["keys"].says == "Pad with more (/dev/input/event1)"
    plug_in(pi, 3, "Pad", USB_KEYS.by_code)
    assert pi.findings()["keys"].says == "Pad (/dev/input/event3)"
    for name, says in (("big key", "Big Keyboard (/dev/input/event0)"), ("Lost", "that is called Lost")):
        pi.kit = replace(pi.kit, keypad=replace(USB_KEYS, name=name))
        assert says in pi.findings()["keys"].says


def test_a_keypad_that_may_not_be_read_is_said_with_the_group(
    pi: Pi, monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.kit = load_kit("numpad")
    plug_in(pi, 0, "Pad", USB_KEYS.by_code)
    monkeypatch.setattr(MachineFiles, "may_use", lambda _self, _name: False)  # root may read everything
    found = pi.findings()["keys"]
    assert "no permission to read /dev/input/event0" in found.says
    assert "usermod -aG input ann" in found.remedy


DRIVERS = [
    # the kit's strip, is rpi-ws281x installed?, is it well?, what is said
    ({"driver": "auto"}, True, True, "cribpi's own encoder, on GPIO 10"),
    ({"driver": "auto"}, False, True, "cribpi's own encoder, on GPIO 10"),
    ({"driver": "spi"}, True, True, "cribpi's own encoder, on GPIO 10"),
    ({"driver": "rpi-ws281x"}, True, True, "rpi-ws281x, on GPIO 10"),
    ({"driver": "rpi-ws281x"}, False, False, "the library rpi-ws281x is not installed"),
    ({"driver": "auto", "gpio": 18}, False, False, "the library rpi-ws281x is not installed"),
    ({"driver": "auto", "gpio": 18}, True, False, "GPIO 18 is driven by PWM, which needs root"),
]


@pytest.mark.parametrize(("strip", "has_library", "is_well", "says"), DRIVERS)
def test_the_driver_in_use_is_named(
    strip: dict[str, Any],
    *,
    has_library: bool,
    is_well: bool,
    says: str,
    pi: Pi,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "rpi_ws281x.py").touch()
    if has_library:
        monkeypatch.syspath_prepend(tmp_path / "library")
    else:
        monkeypatch.setitem(sys.modules, "rpi_ws281x", None)
    other_kit(pi, "table", **strip)
    found = pi.findings()["led driver"]
    assert (found.is_well, found.says) == (is_well, says)


def with_panel(pi: Pi, panel: Panel, kits: str) -> Finding:
    """Put *panel* on the bus of a table whose kit has the chip *kits*; return what is found."""
    bus = pi.chips.open_bus()
    bus._chip = panel
    pi.kit = replace(pi.kit, glass=replace(pi.kit.glass, panel=kits))
    return pi.findings()["oled"]


CHIPS = [
    # the panel's chip, the kit's, is it well?, what is said behind "a panel answers at 0x3c; its status, "
    ("SSD1306", "SSD1306", True, "0x46, is that of an SSD1306 or SSD1309"),
    ("SSD1309", "SSD1309", True, "0x46, is that of an SSD1306 or SSD1309"),
    ("SH1106", "SH1106", True, "0x48, is that of an SH1106"),
    ("SH1106", "SSD1306", False,
     "0x48, is that of an SH1106, and the kit says SSD1306: the picture is shifted, or stays dark"),
    ("SSD1306", "SH1106", True,
     "0x46, is that of an SSD1306 or SSD1309, and the kit says SH1106: fine, unless the picture is shifted"),
]  # fmt: skip


@pytest.mark.parametrize(("chip", "kits", "is_well", "says"), CHIPS)
def test_which_chip_answers_is_told_by_its_status(
    pi: Pi,
    chip: str,
    kits: str,
    is_well: bool,  # noqa: FBT001  a row of a table
    says: str,
) -> None:
    found = with_panel(pi, Panel(chip), kits)
    assert (found.is_well, found.says) == (is_well, f"a panel answers at 0x3c; its status, {says}")
    assert is_well or found.remedy == 'write panel = "SH1106" under [oled] in the kit or the settings'


def test_a_status_that_no_chip_is_known_by_is_told(pi: Pi, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Panel, "send", lambda _self: 0x41)
    found = with_panel(pi, Panel(), "SSD1306")
    assert found.is_well
    assert is_line_with(found.says, "0x3c", "0x41", "not show which chip")


def test_a_long_strip_is_well_once_the_buffer_takes_it(pi: Pi) -> None:
    other_kit(pi, "table-3")
    pi.write(BUFFER, b"8192\n")
    assert is_line_with(pi.findings()["spi"].says, "/dev/spidev0.0", "8,192 bytes", "4,596")
    assert pi.findings()["spi"].is_well


def test_the_longest_strip_of_the_library_fits_the_ordinary_buffer(pi: Pi) -> None:
    other_kit(pi, "table", driver="rpi-ws281x", leds=339)
    assert pi.findings()["spi"].is_well
    other_kit(pi, "table", driver="rpi-ws281x", leds=340)
    assert not pi.findings()["spi"].is_well


@pytest.fixture
def _nobody_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)


@pytest.mark.usefixtures("_nobody_found")
def test_lights_on_a_controller_need_no_spi_and_no_timing(pi: Pi) -> None:
    other_kit(pi, "wled", host=ddp.HERE)
    plug_in(pi, 3, "pad", pi.kit.keypad.by_code)  # type: ignore[union-attr]
    without(pi, "spi")
    pi.remove("dev/spidev0.0")
    found = pi.findings()
    assert [name for name, one in found.items() if not one.is_well] == ["led driver"], "nobody answers there"
    assert is_line_with(found["spi"].says, "not used", "WLED")
    assert found["spi"].says == found["core clock"].says
    assert "spidev" not in found["modules"].says


@pytest.mark.usefixtures("_nobody_found")
def test_on_another_computer_the_controller_is_checked_too(pi: Pi) -> None:
    other_kit(pi, "wled", host=ddp.HERE)
    pi.remove("proc/device-tree/model")
    assert {"board", "led driver"} <= {name for name, one in pi.findings().items() if not one.is_well}


# --- on any machine ---------------------------------------------------------------------------------


def doctor_json(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, dict[str, Any]]]:
    code = main(["doctor", "--sim", "--json", *arguments])
    found = json.loads(capsys.readouterr().out)
    assert found["well"] is (code == 0)
    return code, {check["name"]: check for check in found["checks"]}


@pytest.mark.parametrize("kit", kit_names())
def test_the_twin_of_every_kit_is_well(kit: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code, found = doctor_json("--kit", kit, "--state", str(tmp_path), "--port", str(port), capsys=capsys)
    assert code == 0, found


def test_a_running_companion_and_its_journal_are_well_and_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with companion(tmp_path) as (_, url):
        port = url.rsplit(":", 1)[1].strip("/")
        code, found = doctor_json("--state", str(tmp_path), "--port", port, capsys=capsys)
        assert code == 0
        assert "cribpi is running there already" in found["port"]["says"]
    left = sorted(path.name for path in tmp_path.iterdir())
    code, found = doctor_json("--state", str(tmp_path), "--port", port, capsys=capsys)
    assert "is intact" in found["journal"]["says"]
    assert sorted(path.name for path in tmp_path.iterdir()) == left


def test_another_program_that_has_any_pin_of_the_kit_is_named(pi: Pi) -> None:
    """The GPIOs are those of the kit's own file: the wires that a person has soldered."""
    wired = tomllib.loads((KITS / "table" / "kit.toml").read_text(encoding="utf-8"))
    keys, oled = wired["keys"], wired["oled"]
    for gpio in (*keys["rows"], *keys["columns"], oled["data"], oled["clock"], wired["strip"]["gpio"]):

        def holder(_chip: Path, line: int, held: int = gpio) -> str:
            return "fan" * (line == held)

        pi.machine = replace(pi.machine, holder_of=holder)
        found = finding("pins", check_pins(pi.machine, pi.kit))
        assert f"GPIO {gpio} is held by fan" in found.says
        assert not found.is_well


MOUNTED = {
    "ext4": "1 0 179:2 / / rw - ext4 /dev/mmcblk0p2 rw",
    "overlay": "1 0 0:40 / / rw - overlay overlay rw,lowerdir=/lower,upperdir=/upper/data,workdir=/w",
    "tmpfs": "1 0 0:40 / / rw - tmpfs tmpfs rw",
    "ramfs": "1 0 0:40 / / rw - ramfs ramfs rw",
}


@pytest.mark.parametrize("kind", MOUNTED)
def test_a_state_folder_that_forgets_is_told(pi: Pi, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cribpi.companion.files.mounts.MOUNTS", "/proc/self/mountinfo")
    pi.write("proc/self/mountinfo", f"{MOUNTED[kind]}\n".encode())
    found = pi.findings()["state folder"]
    assert found.is_well is (kind == "ext4")
    if not found.is_well:
        assert f"is on {kind}: every game is lost" in found.says
        assert "--state" in found.remedy
        assert ("raspi-config nonint do_overlayfs 1" in found.remedy) is (kind == "overlay")


def test_an_empty_journal_beside_its_log_is_told_and_its_log_is_left_alone(pi: Pi) -> None:
    pi.state.mkdir(parents=True, exist_ok=True)
    (pi.state / "journal.db").touch()
    (pi.state / "journal.db-wal").write_bytes(b"log")
    found = pi.findings()["journal"]
    assert not found.is_well
    assert "is empty or gone, though games were played" in found.says
    assert (pi.state / "journal.db-wal").read_bytes() == b"log"


def test_phones_that_are_let_in_are_told_where(tmp_path: Path) -> None:
    def found(reach: Reach, *, is_wanted: bool = False) -> Verdict:
        return check_phones(tmp_path, 8121, MachineFiles(tmp_path), is_wanted=is_wanted, find=lambda: reach)

    home, away = Reach(("192.168.1.23", "10.0.0.7")), Reach(trouble="There is no network.")
    assert found(home) == found(away) == "off: nothing listens on your network"
    assert is_line_with(str(found(home, is_wanted=True)), "http://192.168.1.23:8121/", "none at the table")
    phones = (Joined("a", Phone(1, "iPhone")), Joined("b", Phone(2, "iPad")))
    PhoneFile(tmp_path).keep(SavedPhones(is_open=True, phones=phones))
    assert is_line_with(str(found(home)), "http://192.168.1.23:8121/", "2 at the table")
    ill = found(away)
    assert isinstance(ill, Problem)
    assert ill.says == "There is no network."
    assert "sudo make phones" in ill.remedy


def test_a_port_of_another_program_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]

        def slam() -> None:
            line, _ = other.accept()
            line.close()

        hand = threading.Thread(target=slam)
        hand.start()
        code, found = doctor_json("--state", str(tmp_path), "--port", str(port), capsys=capsys)
        joined(hand)
    assert code == 1
    assert f"another program has {port}" in found["port"]["says"]
    assert "--port 8122" in found["port"]["remedy"]


@pytest.mark.parametrize(
    ("answer", "is_well"),
    [(b'{"phase": "play"}', True), (b'{"table": 1}', False), (b"no JSON", False), (None, False)],
)
def test_a_companion_is_told_from_another_page_and_from_a_program_that_never_answers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], answer: bytes | None, *, is_well: bool
) -> None:
    class PageConfig(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/api/state" else 404)
            self.end_headers()
            self.wfile.write(answer or b"")

        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(
        ("127.0.0.1", 0), PageConfig
    ) as other:  # which takes what comes, and answers once it serves
        port = other.server_address[1]
        hand = threading.Thread(target=other.serve_forever, args=(0.01,))
        if answer is not None:
            hand.start()
        try:
            _, found = doctor_json("--state", str(tmp_path), "--port", str(port), capsys=capsys)
        finally:
            if answer is not None:
                other.shutdown()
                joined(hand)
    assert found["port"]["well"] is is_well
    assert ("running there already" if is_well else f"another program has {port}") in found["port"]["says"]


def test_a_damaged_desk_is_said_and_what_clears_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = Journal(tmp_path / "journal.db")
    journal.commit("2030-01-01T00:00:00Z", 1, "{}")
    journal.close()
    db = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    db.execute("UPDATE desk SET data = '[]'")
    db.close()
    code, found = doctor_json("--state", str(tmp_path), "--port", "0", capsys=capsys)
    assert code == 1
    assert "the setup of the next game are damaged" in found["journal"]["says"]
    assert is_line_with(found["journal"]["remedy"], "start cribpi", "clears", "goes on")


def test_a_journal_of_a_newer_cribpi_is_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Journal(tmp_path / "journal.db").close()
    db = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    db.execute(f"PRAGMA user_version={VERSION + 1}")
    db.close()
    code, found = doctor_json("--state", str(tmp_path), "--port", "0", capsys=capsys)
    assert code == 1
    assert f"version is {VERSION + 1}, newer than this" in found["journal"]["says"]
    assert found["journal"]["remedy"].startswith("update cribpi;")


def test_a_disk_that_gives_nothing_is_no_damage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    os.mkfifo(tmp_path / "journal.db")  # of which SQLite can read no page
    code, found = doctor_json("--state", str(tmp_path), "--port", "0", capsys=capsys)
    assert code == 1
    assert "disk I/O error" in found["journal"]["says"]
    assert found["journal"]["remedy"].startswith("check the card or disk, which is failing")


def test_a_journal_of_another_program_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    db = sqlite3.connect(tmp_path / "journal.db")
    db.execute("CREATE TABLE birds (name)")
    db.close()
    code, found = doctor_json("--state", str(tmp_path), "--port", "0", capsys=capsys)
    assert code == 1
    assert "not a cribpi journal" in found["journal"]["says"]


def test_lines_are_printed_one_a_finding_with_the_remedy_below(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "journal.db").write_text("spoilt " * 500)
    assert main(["doctor", "--sim", "--state", str(tmp_path), "--port", "0"]) == 1
    lines = capsys.readouterr().out.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("FAIL  journal"))
    assert lines[at + 1].strip().startswith("fix: start cribpi: it keeps this one as journal-aside-1.db")
    assert all(line.startswith("ok  ") for line in lines[:at])


# --- the trial --------------------------------------------------------------------------------------


def test_the_trial_lights_every_led_shows_the_picture_and_names_each_key() -> None:
    kit = load_kit("strip-121")
    chips = twin_chips(kit)
    twin = chips.twin
    assert twin is not None
    seen = set[int]()

    def look() -> None:
        seen.update(led for led in range(kit.strip.leds) if any(twin.wire.colours[3 * led : 3 * led + 3]))

    twin.wire.when_changed = look
    said = list[str]()
    done = threading.Event()
    hand = threading.Thread(target=press_each, args=(twin, kit, said, done))
    hand.start()
    try:
        is_tried = try_out(chips, kit, said.append, patience=20.0, pause=lambda _seconds: None)
    finally:
        done.set()
        joined(hand)
    assert is_tried, said
    assert seen == set(range(kit.strip.leds))
    assert not any(twin.wire.colours), "the strip is dark at the end"
    assert twin.panel.picture().tobytes() == trial_picture().tobytes()
    text = "\n".join(said)
    assert "strip: LED 0 is hole 1 of ORANGE/BLUE/WHITE" in text
    assert "key 7 (row GPIO 16, column GPIO 19)" in text
    assert text.endswith(ALL_HEARD)


def test_the_test_picture_is_that_of_the_docs() -> None:
    shown = Image.open(DOCS / "images" / "first-light.png")
    assert shown.tobytes() == trial_picture().tobytes(), "save trial_picture() there again"


def lit_by_the_trial(strip: StripDriver, kit: Kit, said: list[str]) -> None:
    """Walk the LEDs of *strip* as the trial does; it has no keys, and no screen."""
    chips = replace(twin_chips(kit), open_oled=no_pins, open_pins=no_pins, open_strip=lambda: strip)
    try_out(chips, kit, said.append, patience=0.0, pause=lambda _seconds: None)


def test_the_trial_sets_each_bit_of_each_colour_by_itself_and_all_of_them_on_every_second_led() -> None:
    kit, said, shown = load_kit("strip-121"), list[str](), list[bytes]()

    class Seen:
        def show(self, rgb: bytes) -> None:
            shown.append(rgb)

        def close(self) -> None:
            pass

    lit_by_the_trial(Seen(), kit, said)
    for frame, part in zip(shown, range(3), strict=False):
        assert list(frame[part : 24 + part : 3]) == [1 << bit for bit in range(8)]
        assert sum(map(bool, frame)) == 8
    walks = [set(frame) - {0} for frame in shown[3:-1]]
    assert walks[:2] == [{0x55}, {0xAA}]
    assert {*map(frozenset, walks)} == {frozenset({0x55}), frozenset({0xAA})}
    assert "strip: its first 8 LEDs are red, each brighter than the one before, the others dark" in said


def test_the_trial_shows_that_a_line_pauses_between_bytes() -> None:
    """Colours without bit 2 came through: the trial lit those alone, and all seemed well."""
    kit = load_kit("strip-121")
    wire = Wire(121, THREE_BITS.hertz, led=WS2812B, idle=1)
    with pytest.raises(WireError):
        lit_by_the_trial(SpiStrip(121, wire, THREE_BITS), kit, [])
    lit_by_the_trial(SpiStrip(121, Wire(121)), kit, [])


def press_each(twin: Any, kit: Kit, said: list[str], done: threading.Event) -> None:  # noqa: ANN401  a Twin
    """Press each key that is asked for, and again: one that is held at the start is not heard."""
    while not done.wait(0.01):
        if any("keys: press each" in line for line in said):
            for key in wiring_of(kit):
                twin.press(key)


def test_keys_that_are_never_heard_are_named_with_their_wires() -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    kit = load_kit("table")
    wiring = wiring_of(kit)
    for number, key in enumerate(key for key in wiring if key not in {"7", "OK"}):
        edges.put(Edge(key, closed=True, at=number))
        edges.put(Edge(key, closed=False, at=number + 0.1))
    lines = list(name_keys(edges, kit, 0.01))
    assert is_line_with(lines[-1], "7 (row GPIO 16, column GPIO 19)", "OK (row GPIO 21, column GPIO 25)")
    assert lines[-1].count("GPIO") == 4, "and no other"


def test_keys_that_close_together_are_said_so() -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    edges.put(Edge("7", closed=True, at=0.0))
    edges.put(Edge("8", closed=True, at=0.0))
    lines = list(name_keys(edges, load_kit("table"), 0.01))
    assert "with 7 held" in lines[1]


def test_a_key_that_is_pressed_again_is_told_again_and_counts_once() -> None:
    edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    for number, key in enumerate("778"):
        edges.put(Edge(key, closed=True, at=number))
        edges.put(Edge(key, closed=False, at=number + 0.1))
    lines = list(name_keys(edges, load_kit("table"), 0.01))
    left = [int(line.rpartition("; ")[2].split()[0]) for line in lines[:3]]
    assert left == [left[0], left[0], left[0] - 1]
    assert not any("held" in line for line in lines)


@pytest.mark.parametrize(
    ("faults", "is_lit", "is_tried"),
    [((), True, True), (("keypad: unplugged; plug it in",), True, False), ((), False, False)],
)
def test_a_trial_is_well_where_every_key_was_heard_and_no_device_reported_a_fault(
    monkeypatch: pytest.MonkeyPatch, faults: tuple[str, ...], *, is_lit: bool, is_tried: bool
) -> None:
    kit, said = load_kit("strip-121"), list[str]()

    class Dark:
        def show(self, _what: object) -> None:
            pass

        def close(self) -> None:
            pass

    class Pressed(Dark):
        """Keys that are all pressed at once, of a keypad that reports its *faults*, and then none."""

        def __init__(self, _kit: Kit, _chips: Chips, put: Callable[[Edge], None], report: Any) -> None:  # noqa: ANN401
            self._put, self._report = put, report

        def start(self) -> None:
            for fault in (*faults, None):
                self._report("keypad", fault)
            for key in wiring_of(kit):
                self._put(Edge(key, closed=True, at=0.0))

    monkeypatch.setattr(trial, "new_keys", Pressed)
    dark: Any = Dark
    chips = replace(twin_chips(kit), open_oled=dark, open_strip=dark if is_lit else no_bus)
    assert try_out(chips, kit, said.append, patience=0.0, pause=lambda _seconds: None) is is_tried
    assert said[-1] == ALL_HEARD
    assert [line for line in said if line in faults] == list(faults)


@pytest.mark.parametrize("name", kit_names())
def test_the_first_and_the_last_hole_of_every_track_are_named(name: str) -> None:
    kit = load_kit(name)
    names = hole_names(kit)
    for track in kit.tracks:
        assert "hole 1 of" in names[next(place.led for place in track.holes if place.hole == 1)]
        assert "game hole" in names[track.holes[-1].led]
        last = track.holes[-1].hole
        shown = {place.hole for place in track.holes if place.led in names}
        assert shown - {0, 1, last} == set(range(30, last, 30))


def test_the_light_stays_longer_on_an_led_that_is_named() -> None:
    kit, said, pauses = load_kit("strip-121"), list[str](), list[float]()
    strip: Any = SpiStrip(kit.strip.leds, Wire(kit.strip.leds))
    chips = replace(twin_chips(kit), open_oled=no_pins, open_pins=no_pins, open_strip=lambda: strip)
    try_out(chips, kit, said.append, patience=0.0, pause=pauses.append)
    walked = pauses[-kit.strip.leds :]
    longest = [led for led, seconds in enumerate(walked) if seconds > min(walked)]
    assert longest == sorted(hole_names(kit))


def test_a_companion_that_has_the_pins_is_named_as_the_reason() -> None:
    bench = Rehearsal(load_kit("table"), 1)
    said = list[str]()
    try:
        chips = replace(twin_chips(bench.kit), open_pins=lambda: bench.twin.factory, open_strip=no_pins)
        assert not try_out(chips, bench.kit, said.append, patience=0.1, pause=lambda _seconds: None)
    finally:
        bench.close()
    assert "sudo systemctl stop cribpi" in said[-1]


def test_pins_that_have_no_place_for_their_pipe_are_asked_for_elsewhere(pi: Pi) -> None:
    def no_place() -> Any:  # noqa: ANN401  what the real one returns has no type either
        raise DeviceTrouble("keypad: lgpio can't create its pipe (read-only); set LG_WD to a folder")

    pi.chips = replace(pi.chips, open_pins=no_place)
    assert pi.findings()["gpio library"].remedy == "cd /tmp, and try again there"


@pytest.mark.parametrize("mend", ["sudo apt full-upgrade, and restart the Pi", "update gpiozero"])
def test_a_header_that_is_not_found_needs_no_other_lgpio(pi: Pi, mend: str) -> None:
    def elsewhere() -> Any:  # noqa: ANN401  as above
        raise DeviceTrouble(
            f"keypad: no GPIO chip is the header's (gpiochip10 is gpio-brcmstb@7d508500); {mend}"
        )

    pi.chips = replace(pi.chips, open_pins=elsewhere)
    found = pi.findings()["gpio library"]
    assert found.says == "no GPIO chip is the header's (gpiochip10 is gpio-brcmstb@7d508500)"
    assert found.remedy == mend


def test_the_games_of_an_installed_companion_are_looked_for_where_they_are(
    pi: Pi, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pi.write("etc/systemd/system/cribpi.service", b"")
    pi.write("var/lib/cribpi/journal.db", b"spoilt")
    monkeypatch.setattr(doctor, "MachineFiles", lambda: pi.machine)
    assert main(["doctor", "--sim", "--port", "0", "--json"]) == 1
    printed = capsys.readouterr()
    journal = next(check for check in json.loads(printed.out)["checks"] if check["name"] == "journal")
    assert "root/var/lib/cribpi/journal.db can't be read" in journal["says"]
    assert printed.err == ""


def test_a_trial_of_emulated_chips_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--sim", "--try"]) == 2
    assert "without --sim" in capsys.readouterr().err
