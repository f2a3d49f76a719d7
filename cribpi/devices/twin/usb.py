"""Emulated USB keypads, and the kernel's side of them: real event bytes in pipes, and answers to real
ioctls.
"""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Iterable
from contextlib import suppress

from cribpi.devices.linux_input import (
    BITS,
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGBIT_KEY,
    EVIOCGKEY,
    EVIOCGNAME,
    PRESSED,
    RELEASED,
    SYN_DROPPED,
    SYN_REPORT,
    events_in,
)

EV_MSC = 4
MSC_SCAN = 4
REPEATED = 2
"""The value of a key's event while the kernel repeats it."""
_PIPE = 1 << 16
"""Bytes that a pipe holds."""


class Pad:
    """A keypad: its name, the codes of its keys, and those that are held."""

    def __init__(self, name: str, codes: Iterable[int]) -> None:
        self.name = name
        self.codes = frozenset(codes)
        self.held = set[int]()


class UsbPorts:
    """A machine's input devices, to the letter of what `devices.linux_input.Inputs` asks of a kernel.

    Every opened device is the end of a pipe, so that `poll` takes it.

    Attributes:
        grabbed: The descriptor that has a pad for itself, by the pad's path.
        opened: How often a device was opened.
    """

    def __init__(self) -> None:
        self.grabbed: dict[str, int] = {}
        self.opened = 0
        self._lock = threading.RLock()
        self._pads: dict[str, Pad] = {}
        self._readers: dict[int, tuple[str, int]] = {}
        """The path of each open device, and the end of its pipe that the kernel writes to."""
        self._overrun = set[int]()
        self._number = 0

    # --- what hands do ---

    def plug(self, pad: Pad) -> None:
        """Plug *pad* in; it gets a number that no device had before."""
        with self._lock:
            self._pads[f"/dev/input/event{self._number}"] = pad
            self._number += 1

    def unplug(self, pad: Pad) -> None:
        """Pull *pad* out, with whatever is held on it."""
        with self._lock:
            for path in [path for path, other in self._pads.items() if other is pad]:
                del self._pads[path]
                self.grabbed.pop(path, None)
                for device, (opened, kernel) in self._readers.items():
                    if opened == path and kernel >= 0:
                        os.close(kernel)
                        self._readers[device] = (path, -1)

    def move(self, pad: Pad, code: int, value: int) -> None:
        """Press, let go or repeat the key *code*; whoever has the pad open reads of it, if it is plugged
        in.
        """
        with self._lock:
            if value == REPEATED:
                pass
            elif value == PRESSED and code not in pad.held:
                pad.held.add(code)
            elif value == RELEASED and code in pad.held:
                pad.held.remove(code)
            else:
                return
            report = ((EV_MSC, MSC_SCAN, 0x70000 + code), (EV_KEY, code, value), (EV_SYN, SYN_REPORT, 0))
            self._write(pad, b"".join(EVENT.pack(1_700_000_000, 123_456, *event) for event in report))

    def overrun(self, pad: Pad) -> None:
        """Lose what waits on *pad*, and all that comes until `catch_up`: nobody fetches it."""
        with self._lock:
            for device, (path, _) in self._readers.items():
                if self._pads.get(path) is pad:
                    self._overrun.add(device)
                    self._drain(device)

    def catch_up(self, pad: Pad) -> None:
        """Say that events of *pad* were lost; from now on they come again."""
        with self._lock:
            self._overrun.clear()
            lost = ((EV_SYN, SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0))
            self._write(pad, b"".join(EVENT.pack(1_700_000_000, 0, *event) for event in lost))

    # --- what the driver asks ---

    def paths(self) -> list[str]:
        """Return the paths of all devices that are plugged in."""
        with self._lock:
            return list(self._pads)

    def open(self, path: str) -> int:
        """Open a device for reading."""
        with self._lock:
            if path not in self._pads:
                raise _error(errno.ENOENT)
            device, kernel = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._readers[device] = (path, kernel)
            self.opened += 1
            return device

    def read(self, device: int, size: int) -> bytes:
        """Return whole events of *size* bytes at most."""
        data = os.read(device, size - size % EVENT.size)
        if not data:
            raise _error(errno.ENODEV)
        return data

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Answer as the kernel does: name, keys there are, keys held; with these it forgets the keys'
        events.
        """
        with self._lock:
            pad = self._pad(device)
            if request == EVIOCGNAME:
                return pad.name.encode()[: room - 1].ljust(room, b"\0")
            if request == EVIOCGBIT_KEY:
                return _bits(pad.codes)[:room]
            if request == EVIOCGKEY:
                rest = b"".join(
                    EVENT.pack(1_700_000_000, 0, *event)
                    for event in events_in(self._drain(device))
                    if event[0] != EV_KEY
                )
                os.write(self._readers[device][1], rest)
                return _bits(pad.held)[:room]
            raise _error(errno.ENOTTY)

    def grab(self, device: int) -> None:
        """Give the device to this reader alone."""
        with self._lock:
            self._pad(device)
            path = self._readers[device][0]
            if path in self.grabbed:
                raise _error(errno.EBUSY)
            self.grabbed[path] = device

    def close(self, device: int) -> None:
        """Let go of the device."""
        with self._lock:
            path, kernel = self._readers.pop(device)
            if self.grabbed.get(path) == device:
                del self.grabbed[path]
            if kernel >= 0:
                os.close(kernel)
            os.close(device)

    # --- how it is done ---

    def _pad(self, device: int) -> Pad:
        path = self._readers[device][0]
        if path not in self._pads:
            raise _error(errno.ENODEV)
        return self._pads[path]

    def _write(self, pad: Pad, events: bytes) -> None:
        """Write *events* for all who read *pad*, or for the one who has grabbed it."""
        for device, (path, kernel) in self._readers.items():
            is_read = self._pads.get(path) is pad and device not in self._overrun
            if is_read and self.grabbed.get(path, device) == device:
                os.write(kernel, events)

    def _drain(self, device: int) -> bytes:
        with suppress(BlockingIOError):
            return os.read(device, _PIPE)
        return b""


def _bits(codes: Iterable[int]) -> bytes:
    bits = bytearray(BITS)
    for code in codes:
        bits[code // 8] |= 1 << code % 8
    return bytes(bits)


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
