"""The kernel's own border to a USB keypad: what it writes into /dev/input/event*, and what can be asked of
it.

Of the library `evdev` there are no wheels and a compiler would be wanted on the Pi; what we need of it are
one structure and four questions, which the kernel has promised never to change (`linux/input.h`).
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final, Protocol

FOLDER: Final = Path("/dev/input")

EVENT: Final = struct.Struct("@llHHi")
"""One event: seconds and microseconds, which we do not use, its type, its code and its value; native."""

EV_SYN: Final = 0
EV_KEY: Final = 1
SYN_REPORT: Final = 0
SYN_DROPPED: Final = 3
"""Events were lost, as nobody fetched them in time."""
RELEASED: Final = 0
PRESSED: Final = 1
"""Values of a key's event; 2 is the kernel repeating a key that is held."""

KEY_COUNT: Final = 0x300
"""How many key codes there are."""
BITS: Final = KEY_COUNT // 8
NAME_ROOM: Final = 256
"""Bytes for a device's name."""

_READ: Final = 2
_WRITE: Final = 1


def _request(direction: int, number: int, size: int) -> int:
    """Return the number of an ioctl of the input devices, as the kernel's `_IOC` makes it."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


EVIOCGNAME: Final = _request(_READ, 0x06, NAME_ROOM)
"""Asks for the device's name."""
EVIOCGKEY: Final = _request(_READ, 0x18, BITS)
"""Asks which keys are held: a bit for each code."""
EVIOCGBIT_KEY: Final = _request(_READ, 0x20 + EV_KEY, BITS)
"""Asks which keys there are: a bit for each code."""
EVIOCGRAB: Final = _request(_WRITE, 0x90, struct.calcsize("@i"))
"""Takes the device for us alone: a number other than 0 as the argument."""


class Inputs(Protocol):
    """The input devices of a machine, as the kernel offers them; a failure is an `OSError` with its
    number.
    """

    def paths(self) -> list[str]:
        """Return the paths of all devices there are now."""

    def open(self, path: str) -> int:
        """Open a device for reading without ever waiting; return its descriptor, which `poll` takes."""

    def read(self, device: int, size: int) -> bytes:
        """Return whole events of *size* bytes at most; BlockingIOError if there are none, ENODEV once it is
        gone.
        """

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Return the kernel's answer, *room* bytes of it."""

    def grab(self, device: int) -> None:
        """Take the device for us alone; EBUSY if another program has."""

    def close(self, device: int) -> None:
        """Let go of the device."""


class LinuxInputs:
    """The input devices of this machine."""

    def paths(self) -> list[str]:
        """Return the paths of all devices there are now."""
        return sorted((str(path) for path in FOLDER.glob("event*")), key=lambda path: (len(path), path))

    def open(self, path: str) -> int:
        """Open a device for reading."""
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def read(self, device: int, size: int) -> bytes:
        """Return whole events of *size* bytes at most."""
        return os.read(device, size)

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Return the kernel's answer, *room* bytes of it."""
        answer = bytearray(room)
        fcntl.ioctl(device, request, answer)
        return bytes(answer)

    def grab(self, device: int) -> None:
        """Take the device for us alone."""
        fcntl.ioctl(device, EVIOCGRAB, 1)

    def close(self, device: int) -> None:
        """Let go of the device."""
        os.close(device)


def bits_set(bits: bytes) -> set[int]:
    """Return the numbers of the bits that are set, as the kernel counts them.

    >>> sorted(bits_set(bytes([0b10, 0, 0b1000_0000])))
    [1, 23]
    """
    return {byte * 8 + bit for byte, held in enumerate(bits) for bit in range(8) if held >> bit & 1}


def events_in(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Return type, code and value of each whole event in *data*."""
    whole = len(data) - len(data) % EVENT.size
    for _seconds, _microseconds, kind, code, value in EVENT.iter_unpack(data[:whole]):
        yield kind, code, value


def bits_in_words(text: str) -> set[int]:
    """Return the numbers of the bits that are set, as the kernel writes them in /sys: the highest word first.

    A word is as long as this process's `long`, which the kernel goes by as well.

    >>> sorted(bits_in_words("2 80000001"))[:2]
    [0, 31]

    Raises:
        ValueError: If *text* is something else.
    """
    size = 8 * struct.calcsize("@l")
    words = [int(word, 16) for word in reversed(text.split())]
    return {place * size + bit for place, word in enumerate(words) for bit in range(size) if word >> bit & 1}


LETTERS: Final = frozenset({*range(16, 26), *range(30, 39), *range(44, 51)})
"""The codes of the letters from Q to M, which are on every keyboard and on no keypad."""


class Fit(Enum):
    """How well a device fits the kit's keys."""

    NONE = auto()
    """It has not all of them, or another name."""
    KEYBOARD = auto()
    """It has them and all letters too: somebody may be typing on it, so that it is not taken unasked."""
    PAD = auto()
    """It may be taken."""


def fit(codes: set[int], name: str | None, keys: set[int], called: str) -> Fit:
    """Tell whether the device *called* so, with *keys*, is the pad with *codes* that we look for.

    *name* is a part of the pad's name, in any case: who is named so is taken, even if it is a keyboard; None
    is a pad of any name.  A kit that has letters itself asks for a keyboard.
    """
    if not codes <= keys or (name or "").casefold() not in called.casefold():
        return Fit.NONE
    if name is None and keys >= LETTERS and not codes & LETTERS:
        return Fit.KEYBOARD
    return Fit.PAD


@dataclass(frozen=True, slots=True)
class Found:
    """An open *device* that has the keys we look for, and others: *keys* in all."""

    path: str
    device: int
    keys: int


@dataclass(frozen=True, slots=True)
class Search:
    """What came of a search: the pad that was *found*, or why there is none."""

    found: Found | None
    refused: OSError | None = None
    """What kept us from looking at a device."""
    keyboard: str | None = None
    """The name of a keyboard that has all the keys, and was left alone."""


def find(inputs: Inputs, codes: set[int], name: str | None) -> Search:
    """Look for the device that has all *codes*, and *name* as a part of its name where that is given.

    A keyboard is left alone unless it is named.  Of several pads it is the one with the fewest keys; all
    other devices are closed again.
    """
    best: Found | None = None
    refused: OSError | None = None
    keyboard: str | None = None
    for path in inputs.paths():
        try:
            device = inputs.open(path)
        except OSError as error:
            refused = error if error.errno in {errno.EACCES, errno.EPERM} else refused
            continue
        try:
            keys = bits_set(inputs.ask(device, EVIOCGBIT_KEY, BITS))
            called = inputs.ask(device, EVIOCGNAME, NAME_ROOM).split(b"\0")[0].decode(errors="replace")
        except OSError:  # it went while we looked
            keys, called = set[int](), ""
        fits = fit(codes, name, keys, called)
        if fits is Fit.KEYBOARD:
            keyboard = keyboard or called
        if fits is Fit.PAD and (best is None or len(keys) < best.keys):
            if best is not None:
                _close(inputs, best.device)
            best = Found(path, device, len(keys))
        else:
            _close(inputs, device)
    return Search(best, refused, keyboard)


def _close(inputs: Inputs, device: int) -> None:
    try:
        inputs.close(device)
    except OSError:  # it went before
        return
