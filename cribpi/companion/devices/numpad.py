"""USB keypads, read through the kernel's interface: events from /dev/input/event*, and ioctl requests."""

from __future__ import annotations

import errno
import fcntl
import os
import select
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from enum import IntEnum, auto
from pathlib import Path
from typing import Final

from cribpi.companion.devices.keys import NAME, Clock, Keys, Report, Sink

# Why not python3-evdev, which Raspberry Pi OS has: it would replace some 50 lines of this file, and leave
# them untested. Its InputDevice opens a path, and sends requests that only a device of the kernel answers:
# the twin would have to emulate the library, no longer the kernel. Few machines that run the tests have
# /dev/uinput, and PyPI has only its source, which needs a compiler and the kernel's headers. Its size does
# not matter: on x86, 15 ms and 1.3 MB more at the start. This file follows Linux's ABI, `linux/input.h`; a
# test checks the numbers.


FOLDER: Final = Path("/dev/input")

EVENT: Final = struct.Struct("@llHHi")
"""One event: seconds and microseconds (both unused), type, code and value.

The kernel returns whole events only.
"""

EV_SYN: Final = 0
EV_KEY: Final = 1
SYN_REPORT: Final = 0
SYN_DROPPED: Final = 3
"""Events were lost: the kernel's buffer was full."""
RELEASED: Final = 0
PRESSED: Final = 1
"""Values of a key event; the kernel also repeats a held key with the value 2."""

KEY_COUNT: Final = 0x300
"""Number of key codes."""
BITS: Final = KEY_COUNT // 8
NAME_ROOM: Final = 256
"""Bytes for a device's name."""

_READ: Final = 2
_WRITE: Final = 1


def _request(direction: int, number: int, size: int) -> int:
    """Return the number of an ioctl of the input devices: the kernel's macro `_IOC`."""
    return direction << 30 | size << 16 | ord("E") << 8 | number


EVIOCGNAME: Final = _request(_READ, 0x06, NAME_ROOM)
"""Requests the device's name."""
EVIOCGKEY: Final = _request(_READ, 0x18, BITS)
"""Requests the keys held now, one bit per code."""
EVIOCGBIT_KEY: Final = _request(_READ, 0x20 + EV_KEY, BITS)
"""Requests the keys that the device has, one bit per code."""
EVIOCGRAB: Final = _request(_WRITE, 0x90, struct.calcsize("@i"))
"""Grabs the device for exclusive use if the argument is not 0."""


class LinuxInputs:
    """This machine's input devices, which the twin emulates.  Every failure raises `OSError`."""

    def paths(self) -> list[str]:
        return sorted((str(path) for path in FOLDER.glob("event*")), key=lambda path: (len(path), path))

    def open(self, path: str) -> int:
        """Open a device for reading without blocking, and return a descriptor for `poll`."""
        return os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)

    def read(self, device: int, size: int) -> bytes:
        """Return whole events, at most *size* bytes.

        Raises:
            BlockingIOError: If there are none.
            OSError: ENODEV once the device is unplugged.
        """
        return os.read(device, size)

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Return the answer to the ioctl *request*, of *room* bytes."""
        answer = bytearray(room)
        fcntl.ioctl(device, request, answer)
        return bytes(answer)

    def grab(self, device: int) -> None:
        """Grab the device for exclusive use; EBUSY if another program has grabbed it."""
        fcntl.ioctl(device, EVIOCGRAB, 1)

    def close(self, device: int) -> None:
        os.close(device)


def bits_set(bits: bytes) -> set[int]:
    """Return the numbers of the bits that are set; bit 0 is the lowest bit of the first byte.

    >>> sorted(bits_set(bytes([0b10, 0, 0b1000_0000])))
    [1, 23]
    """
    number = int.from_bytes(bits, "little")
    return {bit for bit in range(number.bit_length()) if number >> bit & 1}


def bits_in_words(text: str) -> set[int]:
    """Return the numbers of the bits that are set in hexadecimal words, as files in /sys list them.

    The highest word comes first; a word is as long as a C `long`.

    >>> sorted(bits_in_words("2 80000001"))[:2]
    [0, 31]

    Raises:
        ValueError: If *text* has another format.
    """
    size = 8 * struct.calcsize("@l")
    words = [int(word, 16) for word in reversed(text.split())]
    return {place * size + bit for place, word in enumerate(words) for bit in range(size) if word >> bit & 1}


LETTERS: Final = frozenset({*range(16, 26), *range(30, 39), *range(44, 51)})
"""The codes of the 26 letters.  Every keyboard has these, and no keypad does."""


class MatchQuality(IntEnum):
    """Ratings of a device as the kit's keypad; lower values are better."""

    PAD = auto()
    """A keypad that can be used."""
    KEYBOARD = auto()
    """A device that has all letters too: people may type on it, so it is used only if the kit names it."""
    NONE = auto()
    """A device that lacks a key, or has another name."""


def match_quality(codes: set[int], name: str | None, keys: set[int], label: str) -> MatchQuality:
    """Rate the device called *label*, which has *keys*, as a keypad that must have *codes*.

    *name* is a part of the keypad's name, upper or lower case, or None for any name.  A full keyboard counts
    as `PAD` only if *name* is given, or if *codes* has letters.
    """
    if not codes <= keys or (name or "").casefold() not in label.casefold():
        return MatchQuality.NONE
    if name is None and keys >= LETTERS and not codes & LETTERS:
        return MatchQuality.KEYBOARD
    return MatchQuality.PAD


def find(inputs: LinuxInputs, codes: set[int], name: str | None) -> tuple[int, str] | str:
    """Open the best keypad that has all *codes*: return its descriptor and path, or an error message.

    *name* is a part of its name, or None for any. If several match, the one with the fewest keys is the best.
    All other devices are closed again.
    """
    best: tuple[int, int, str] | None = None
    is_refused, keyboard = False, None
    for path in inputs.paths():
        try:
            device = inputs.open(path)
        except OSError as error:
            is_refused |= error.errno in {errno.EACCES, errno.EPERM}
            continue
        try:
            keys = bits_set(inputs.ask(device, EVIOCGBIT_KEY, BITS))
            label = inputs.ask(device, EVIOCGNAME, NAME_ROOM).split(b"\0")[0].decode(errors="replace")
        except OSError:  # unplugged meanwhile
            keys, label = set[int](), ""
        quality = match_quality(codes, name, keys, label)
        if quality is MatchQuality.KEYBOARD:
            keyboard = keyboard or label
        if quality is MatchQuality.PAD and (best is None or len(keys) < best[0]):
            if best is not None:
                close_quietly(inputs, best[1])
            best = len(keys), device, path
        else:
            close_quietly(inputs, device)
    if best is not None:
        return best[1:]
    if is_refused:
        return _REFUSED
    if name is not None:
        return f"{NAME}: none found called {name}; plug it in, or look up its name in /proc/bus/input/devices"
    if keyboard is not None:
        return f"{NAME}: found only a keyboard, {keyboard}; plug the keypad in, or name it in the kit"
    return f"{NAME}: none found with the kit's keys; plug it in, or check the keys in the kit"


_UNPLUGGED: Final = f"{NAME}: it has been unplugged; plug it in again"
_REFUSED: Final = f"{NAME}: no permission to read /dev/input; add this user to the input group"


def close_quietly(inputs: LinuxInputs, device: int) -> None:
    with suppress(OSError):
        inputs.close(device)


SEARCH_INTERVAL = 1.0
"""Seconds between two searches for a missing keypad."""
EVENTS_PER_READ = 64
"""Maximum number of events per read."""


class Numpad(Keys):
    """A USB keypad, plugged in or not.

    Args:
        codes: The name of each key by its code, in the kernel's numbers.
        name: A part of the device's name, in any case; None for any keypad that has all *codes*.
        inputs: The machine's input devices, or the twin's.
        sink, report, clock: As for `Keys`.
    """

    def __init__(
        self,
        codes: Mapping[int, str],
        sink: Sink,
        *,
        name: str | None = None,
        inputs: LinuxInputs | None = None,
        report: Report = lambda _name, _sentence: None,
        clock: Clock = time.monotonic,
    ) -> None:
        super().__init__(sink, report, clock)
        self._codes = dict(codes)
        self._name = name
        self._inputs = inputs or LinuxInputs()
        self._device: int | None = None
        self._lost_events = False
        self._was_there = False
        self._waker = os.eventfd(0, os.EFD_NONBLOCK | os.EFD_CLOEXEC)
        self._trouble = self._plug_in()

    def service(self, at: float) -> float | None:
        """Read all events up to the time *at*, and pass the changes to the sink.

        Returns:
            The seconds until the next call, to look for a missing keypad or report a stuck key; None to wait
            for an event.

        Raises:
            Exception: Any error of the sink.
        """
        with suppress(BlockingIOError):
            os.eventfd_read(self._waker)
        if self._device is None:
            self._trouble = self._plug_in()
        if self._device is not None:
            try:
                self._read(self._device, at)
            except OSError as error:
                # The held keys of a lost keypad are released, but these releases have no effect in the game.
                self._close_device()
                self._release_lost(at)
                self._trouble = _read_failed(error)
        self._report_change(self._trouble or self._stuck(at))
        return SEARCH_INTERVAL if self._device is None else self._until_stuck(at)

    def _read(self, device: int, at: float) -> None:
        """Read all pending events.

        If the kernel reports lost events, those up to the next report are ignored, and then the held keys are
        read, as the kernel's documentation demands (event-codes, SYN_DROPPED).

        Raises:
            OSError: If the keypad is unplugged.
        """
        while True:
            try:
                data = self._inputs.read(device, EVENTS_PER_READ * EVENT.size)
            except BlockingIOError:
                return
            if not data:
                raise OSError(errno.ENODEV, os.strerror(errno.ENODEV))
            for *_when, kind, code, value in EVENT.iter_unpack(data):
                if kind == EV_SYN and code == SYN_DROPPED:
                    self._lost_events = True
                elif kind == EV_SYN and code == SYN_REPORT and self._lost_events:
                    self._lost_events = False
                    self._update_held(self._closed(device), at)
                elif kind == EV_KEY and value in {PRESSED, RELEASED} and not self._lost_events:
                    key = self._codes.get(code)
                    if key is not None:
                        self._edge(key, closed=value == PRESSED, at=at)

    def _closed(self, device: int) -> set[str]:
        held = bits_set(self._inputs.ask(device, EVIOCGKEY, BITS))
        return {key for code, key in self._codes.items() if code in held}

    def _plug_in(self) -> str | None:
        """Look for the keypad and grab it; return the reason if that fails, or None."""
        keypad = find(self._inputs, set(self._codes), self._name)
        if isinstance(keypad, str):
            return _UNPLUGGED if self._was_there and keypad != _REFUSED else keypad
        device, path = keypad
        try:
            self._inputs.grab(device)
            self._ignore_held(self._closed(device))
        except OSError as error:
            close_quietly(self._inputs, device)
            if error.errno == errno.EBUSY:
                return f"{NAME}: another program is using {path}; stop that program"
            return _read_failed(error)
        self._device = device
        self._lost_events = False
        self._was_there = True
        return None

    def _close_device(self) -> None:
        if self._device is not None:
            close_quietly(self._inputs, self._device)
            self._device = None

    def _wait(self, pause: float | None) -> None:
        poll = select.poll()
        poll.register(self._waker, select.POLLIN)
        if self._device is not None:
            poll.register(self._device, select.POLLIN)
        poll.poll(None if pause is None else pause * 1000)

    def _wake_thread(self) -> None:
        # If the counter is full, the thread is awake already; if the descriptor is closed, it has ended.
        with suppress(OSError, ValueError):
            os.eventfd_write(self._waker, 1)

    def _release(self) -> None:
        self._close_device()
        if self._waker >= 0:
            os.close(self._waker)
            self._waker = -1


def _read_failed(error: OSError) -> str:
    if error.errno == errno.ENODEV:
        return _UNPLUGGED
    return f"{NAME}: it cannot be read ({error.strerror}); unplug it and plug it in again"
