"""Emulated USB keypads with the kernel's interface: events as bytes in pipes, and ioctl requests."""

from __future__ import annotations

import errno
import os
import threading
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass, field

from cribpi.companion.devices import numpad
from cribpi.companion.devices.numpad import EV_KEY, EV_SYN, EVENT, SYN_REPORT, LinuxInputs

EV_MSC = 4
MSC_SCAN = 4
REPEATED = 2
"""The value of the events by which the kernel repeats a held key."""
_PIPE = 1 << 16
"""The capacity of a pipe in bytes."""


@dataclass(eq=False, slots=True)
class UsbPad:
    name: str
    codes: Collection[int]
    held: set[int] = field(default_factory=set)


class UsbPorts(LinuxInputs):
    """Emulated input devices of a machine, which behave exactly as the kernel's.

    An open device is the reading end of a pipe, so that `poll` works with it.

    Attributes:
        grabbed: By the path of a pad: the descriptor that has grabbed it.
        opened: The number of times that a device was opened.
    """

    def __init__(self) -> None:
        self.grabbed: dict[str, int] = {}
        self.opened = 0
        self._lock = threading.RLock()
        self._pads: dict[str, UsbPad] = {}
        self._readers: dict[int, tuple[str, int]] = {}
        """By descriptor of an open device: its path, and the writing end of its pipe, -1 after unplugging."""
        self._overrun = set[int]()
        self._number = 0

    # --- for tests and the simulator ---

    def plug(self, pad: UsbPad) -> None:
        """Plug in *pad*, with a device number that was never used before."""
        with self._lock:
            self._pads[f"/dev/input/event{self._number}"] = pad
            self._number += 1

    def unplug(self, pad: UsbPad) -> None:
        """Unplug *pad*, even with keys held."""
        with self._lock:
            for path in [path for path, other in self._pads.items() if other is pad]:
                del self._pads[path]
                self.grabbed.pop(path, None)
                for device, (opened, kernel) in self._readers.items():
                    if opened == path and kernel >= 0:
                        os.close(kernel)
                        self._readers[device] = (path, -1)

    def move(self, pad: UsbPad, code: int, value: int) -> None:
        """Press, release or repeat the key *code*; if *pad* is plugged in, its readers receive the event."""
        with self._lock:
            if value != REPEATED:
                if (value == numpad.PRESSED) == (code in pad.held):
                    return
                pad.held ^= {code}
            scan, key = (EV_MSC, MSC_SCAN, 0x70000 + code), (EV_KEY, code, value)
            self._write(pad, _packed(scan, key, (EV_SYN, SYN_REPORT, 0)))

    def overrun(self, pad: UsbPad) -> None:
        """Lose the pending events of *pad*, and all later ones until `catch_up`, as with a full buffer."""
        with self._lock:
            for device, (path, _) in self._readers.items():
                if self._pads.get(path) is pad:
                    self._overrun.add(device)
                    self._drain(device)

    def catch_up(self, pad: UsbPad) -> None:
        """Report that events of *pad* were lost, and resume delivery."""
        with self._lock:
            self._overrun.clear()
            self._write(pad, _packed((EV_SYN, numpad.SYN_DROPPED, 0), (EV_SYN, SYN_REPORT, 0)))

    # --- the kernel's interface ---

    def paths(self) -> list[str]:
        with self._lock:
            return list(self._pads)

    def open(self, path: str) -> int:
        with self._lock:
            if path not in self._pads:
                raise _error(errno.ENOENT)
            device, kernel = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)
            self._readers[device] = (path, kernel)
            self.opened += 1
            return device

    def read(self, device: int, size: int) -> bytes:
        """Return whole events, at most *size* bytes."""
        data = os.read(device, size - size % EVENT.size)
        if not data:
            raise _error(errno.ENODEV)
        return data

    def ask(self, device: int, request: int, room: int) -> bytes:
        """Return name, available keys or held keys; as in the kernel, the last drops pending key events."""
        with self._lock:
            pad = self._pad(device)
            if request == numpad.EVIOCGNAME:
                return pad.name.encode()[: room - 1].ljust(room, b"\0")
            if request == numpad.EVIOCGBIT_KEY:
                return _bits(pad.codes)[:room]
            if request == numpad.EVIOCGKEY:
                waiting = EVENT.iter_unpack(self._drain(device))
                others = [(kind, code, value) for *_, kind, code, value in waiting if kind != EV_KEY]
                os.write(self._readers[device][1], _packed(*others))
                return _bits(pad.held)[:room]
            raise _error(errno.ENOTTY)

    def grab(self, device: int) -> None:
        with self._lock:
            self._pad(device)
            path = self._readers[device][0]
            if path in self.grabbed:
                raise _error(errno.EBUSY)
            self.grabbed[path] = device

    def close(self, device: int) -> None:
        with self._lock:
            path, kernel = self._readers.pop(device)
            if self.grabbed.get(path) == device:
                del self.grabbed[path]
            if kernel >= 0:
                os.close(kernel)
            os.close(device)

    # --- internals ---

    def _pad(self, device: int) -> UsbPad:
        path = self._readers[device][0]
        if path not in self._pads:
            raise _error(errno.ENODEV)
        return self._pads[path]

    def _write(self, pad: UsbPad, events: bytes) -> None:
        """Write *events* to all readers of *pad*, or only to the reader that has grabbed it."""
        for device, (path, kernel) in self._readers.items():
            is_read = self._pads.get(path) is pad and device not in self._overrun
            if is_read and self.grabbed.get(path, device) == device:
                os.write(kernel, events)

    def _drain(self, device: int) -> bytes:
        with suppress(BlockingIOError):
            return os.read(device, _PIPE)
        return b""


def _packed(*events: tuple[int, int, int]) -> bytes:
    """Return *events* in the kernel's format; each has a type, a code and a value."""
    return b"".join(EVENT.pack(1_700_000_000, 123_456, *event) for event in events)


def _bits(codes: Iterable[int]) -> bytes:
    return sum(1 << code for code in set(codes)).to_bytes(numpad.BITS, "little")


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))
