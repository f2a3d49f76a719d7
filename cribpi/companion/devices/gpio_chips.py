"""The kernel's GPIO chips: finds the chip of the Pi's header, and the consumer of each of its lines.

Chips are identified by their labels, because their numbers depend on the kernel: a Pi 5's header has been
gpiochip4, gpiochip0 and gpiochip15.  The ioctl requests are those of version 2 in linux/gpio.h.
"""

from __future__ import annotations

import fcntl
import os
import struct
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

HEADER: Final = ("pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1")
"""The labels of the header's chip: on models up to the Pi 3, on a Pi 4, on a Pi 5."""

_CHIP_INFO: Final = struct.Struct("32s32sI")
_GET_CHIP_INFO: Final = 0x8044B401
_LINE_INFO: Final = struct.Struct("32s32sIIQ160s16s")
_GET_LINE_INFO: Final = 0xC100B405
_USED: Final = 1


class NoHeader(LookupError):
    """No chip has the label of the header; the message names the chips found."""


def _ioctl(chip: Path, request: int, data: bytes) -> bytes:
    """Send the ioctl *request* to *chip*, and return the kernel's answer.

    Raises:
        OSError: If the request fails.
    """
    file = os.open(chip, os.O_RDONLY | os.O_CLOEXEC)
    try:
        return fcntl.ioctl(file, request, data)
    finally:
        os.close(file)


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode("utf-8", "replace")


def label_of(chip: Path) -> str:
    """Return the label of *chip*, such as ``pinctrl-rp1``.

    Raises:
        OSError: If the request fails.
    """
    return _text(_CHIP_INFO.unpack(_ioctl(chip, _GET_CHIP_INFO, bytes(_CHIP_INFO.size)))[1])


def holder_of(chip: Path, line: int) -> str:
    """Return the consumer of *line* of *chip*, such as ``gpio-fan``; "" if the line is free.

    Raises:
        OSError: If the request fails.
    """
    question = _LINE_INFO.pack(b"", b"", line, 0, 0, b"", b"")
    _, consumer, _, _, flags, _, _ = _LINE_INFO.unpack(_ioctl(chip, _GET_LINE_INFO, question))
    return (_text(consumer) or "the kernel") if flags & _USED else ""


def header_chip(chips: Iterable[Path], label: Callable[[Path], str] = label_of) -> tuple[Path, str]:
    """Return the one of *chips* that is the header's, and its *label*.

    Raises:
        NoHeader: If none of them is.
        OSError: If none is found, but the label of one can't be read.
    """
    others: list[str] = []
    refused: OSError | None = None
    for chip in sorted(chips):
        # The symlink gpiochip4 exists for programs that expect a Pi 5's header there.
        if chip.is_symlink():
            continue
        try:
            its_label = label(chip)
        except OSError as error:
            refused = error
            continue
        if its_label in HEADER:
            return chip, its_label
        others.append(f"{chip.name} is {its_label}")
    if refused is not None:
        raise refused
    raise NoHeader(", ".join(others) or "there is no /dev/gpiochip")
