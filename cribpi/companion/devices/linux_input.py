"""USB keypads as the kernel offers them: the events in /dev/input/event*, and what an ioctl answers."""

# Why not python3-evdev, which Raspberry Pi OS has: it would take over some 50 lines of this file, and leave
# them untested.  Its InputDevice opens a path, and asks it what only a device of the kernel answers: the twin
# would stand in for the library, no longer for the kernel.  Few machines that run the tests have /dev/uinput,
# and PyPI has only its source, which needs a compiler and the kernel's headers.  Its size does not matter: on
# x86, 15 ms and 1.3 MB more at the start.  What is here is Linux's ABI, `linux/input.h`; a test holds the
# numbers.

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import Final

FOLDER: Final = Path("/dev/input")

EVENT: Final = struct.Struct("@llHHi")
"""One event: seconds and microseconds, which we do not use, its type, its code and its value."""

EV_SYN: Final = 0
EV_KEY: Final = 1
SYN_REPORT: Final = 0
SYN_DROPPED: Final = 3
"""Events were lost: the kernel's buffer was full."""
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
    """Return the number of an ioctl of the input devices: the kernel's macro `_IOC`."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


EVIOCGNAME: Final = _request(_READ, 0x06, NAME_ROOM)
"""Asks for the device's name."""
EVIOCGKEY: Final = _request(_READ, 0x18, BITS)
"""Asks which keys are held: a bit for each code."""
EVIOCGBIT_KEY: Final = _request(_READ, 0x20 + EV_KEY, BITS)
"""Asks which keys there are: a bit for each code."""
EVIOCGRAB: Final = _request(_WRITE, 0x90, struct.calcsize("@i"))
"""Takes the device for us alone: a number other than 0 as the argument."""


class LinuxInputs:
    """This machine's input devices; the twin's have the same methods.  Every failure is an `OSError`."""

    def paths(self) -> list[str]:
        return sorted((str(path) for path in FOLDER.glob("event*")), key=lambda path: (len(path), path))

    def open(self, path: str) -> int:
        """Open a device for reading without blocking, and return a descriptor that `poll` takes."""
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def read(self, device: int, size: int) -> bytes:
        """Return whole events, at most *size* bytes.

        Raises:
            BlockingIOError: If there are none.
            OSError: ENODEV once the device is unplugged.
        """
        return os.read(device, size)

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Return the answer to the ioctl *request*, *room* bytes long."""
        answer = bytearray(room)
        fcntl.ioctl(device, request, answer)
        return bytes(answer)

    def grab(self, device: int) -> None:
        """Take the device for us alone; EBUSY if another program has."""
        fcntl.ioctl(device, EVIOCGRAB, 1)

    def close(self, device: int) -> None:
        os.close(device)


def bits_set(bits: bytes) -> set[int]:
    """Return the numbers of the bits that are set; the lowest bit of the first byte is 0.

    >>> sorted(bits_set(bytes([0b10, 0, 0b1000_0000])))
    [1, 23]
    """
    return {byte * 8 + bit for byte, held in enumerate(bits) for bit in range(8) if held >> bit & 1}


def events_in(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Yield the type, code and value of each event in *data*: the kernel gives whole events only."""
    for _seconds, _microseconds, kind, code, value in EVENT.iter_unpack(data):
        yield kind, code, value


def bits_in_words(text: str) -> set[int]:
    """Return the numbers of the bits that are set in hexadecimal words, the highest first, as in /sys.

    A word is as long as a C `long`.

    >>> sorted(bits_in_words("2 80000001"))[:2]
    [0, 31]

    Raises:
        ValueError: If *text* is something else.
    """
    size = 8 * struct.calcsize("@l")
    words = [int(word, 16) for word in reversed(text.split())]
    return {place * size + bit for place, word in enumerate(words) for bit in range(size) if word >> bit & 1}


LETTERS: Final = frozenset({*range(16, 26), *range(30, 39), *range(44, 51)})
"""The codes of the 26 letters, which every keyboard has and no keypad."""


class Fit(Enum):
    """Whether a device is the kit's keypad."""

    NONE = auto()
    """It lacks a key, or has another name."""
    KEYBOARD = auto()
    """It has the keys and all letters too: somebody may be typing on it, so it is not taken unasked."""
    PAD = auto()
    """It may be taken."""


def fit(codes: set[int], name: str | None, keys: set[int], called: str) -> Fit:
    """Return whether the device *called* so, with *keys*, is the keypad that has *codes*.

    *name* is a part of the keypad's name, in any case, or None for any name.  A keyboard fits only if it is
    named, or if the kit itself has letters.
    """
    if not codes <= keys or (name or "").casefold() not in called.casefold():
        return Fit.NONE
    if name is None and keys >= LETTERS and not codes & LETTERS:
        return Fit.KEYBOARD
    return Fit.PAD


@dataclass(slots=True)
class Search:
    """The open *device* that has the kit's keys, and *keys* in all; or why none was found."""

    device: int | None = None
    path: str = ""
    keys: int = 0
    is_refused: bool = False
    """Whether a device could not be opened for lack of permission."""
    keyboard: str | None = None
    """The name of a keyboard that has all the keys, and was left alone."""


def find(inputs: LinuxInputs, codes: set[int], name: str | None) -> Search:
    """Look for the keypad that has all *codes*, and *name* as a part of its name if one is given.

    Of several it is the one with the fewest keys; all other devices are closed again.
    """
    search = Search()
    for path in inputs.paths():
        try:
            device = inputs.open(path)
        except OSError as error:
            search.is_refused |= error.errno in {errno.EACCES, errno.EPERM}
            continue
        try:
            keys = bits_set(inputs.ask(device, EVIOCGBIT_KEY, BITS))
            called = inputs.ask(device, EVIOCGNAME, NAME_ROOM).split(b"\0")[0].decode(errors="replace")
        except OSError:  # unplugged meanwhile
            keys, called = set[int](), ""
        fits = fit(codes, name, keys, called)
        if fits is Fit.KEYBOARD:
            search.keyboard = search.keyboard or called
        if fits is Fit.PAD and (search.device is None or len(keys) < search.keys):
            if search.device is not None:
                close_quietly(inputs, search.device)
            search.device, search.path, search.keys = device, path, len(keys)
        else:
            close_quietly(inputs, device)
    return search


def close_quietly(inputs: LinuxInputs, device: int) -> None:
    """Close *device*, which may have been unplugged."""
    with suppress(OSError):
        inputs.close(device)
