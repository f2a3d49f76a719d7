"""Machines that their owners have described in public. tests/machines has a folder for each.

A folder is laid out like the root of that machine, with config.txt and the model at their usual paths. In
addition, `source` states the origin of each part, and what is unknown. `gpiodetect` and `gpioinfo` are the
output of these libgpiod programs, which list the GPIO chips.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from cribpi.companion.devices.gpio_chips import HEADER
from cribpi.companion.doctor.machine import MachineFiles
from support.paths import TESTS

MACHINES: Final = TESTS / "machines"
NAMES: Final[Sequence[str]] = sorted(folder.name for folder in MACHINES.iterdir())

_DETECTED: Final = re.compile(r"(gpiochip\d+) \[(.*)\] \(\d+ lines\)")
_CHIP: Final = re.compile(r"(gpiochip\d+) - \d+ lines:")
_LINE: Final = re.compile(r'\s*line\s+(\d+):\s+(?:"[^"]*"|\S+)\s+(.*)')
_CONSUMER: Final = re.compile(r'consumer="([^"]*)"|^"([^"]*)"')


def machine(name: str, folder: Path) -> MachineFiles:
    """Copy the machine *name* into the new *folder*, and create a device for each of its GPIO chips."""
    root = shutil.copytree(MACHINES / name, folder)
    (root / "dev").mkdir(exist_ok=True)
    labels: dict[str, str] = {}
    for line in (root / "gpiodetect").read_text(encoding="utf-8").splitlines():
        found = _DETECTED.fullmatch(line)
        assert found is not None, line
        chip, label = found.groups()
        if chip in labels:
            (root / "dev" / "gpiochip4").symlink_to(chip)
        else:
            (root / "dev" / chip).touch()
        labels[chip] = label
    holders = _holders(root / "gpioinfo")

    def label_of(chip: Path) -> str:
        if chip.name not in labels:
            raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
        return labels[chip.name]

    return replace(
        MachineFiles(root, "ann", frozenset({"gpio", "i2c", "spi", "input"})),
        label_of=label_of,
        holder_of=lambda chip, line: holders.get((chip.name, line), ""),
    )


def header(name: str) -> str:
    """Return the GPIO chip of the header, according to `gpiodetect` of the machine *name*."""
    text = (MACHINES / name / "gpiodetect").read_text(encoding="utf-8")
    (found,) = {chip for chip, label in _DETECTED.findall(text) if label in HEADER}
    return str(found)


def _holders(path: Path) -> dict[tuple[str, int], str]:
    """Return the user of each line of each chip, from the output of either version of `gpioinfo`."""
    found: dict[tuple[str, int], str] = {}
    chip = ""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if begins := _CHIP.fullmatch(line):
            chip = begins[1]
        elif (parts := _LINE.fullmatch(line)) and (consumer := _CONSUMER.search(parts[2])):
            found[chip, int(parts[1])] = consumer[1] or consumer[2]
    return found
