"""A USB keypad, read from the kernel and taken for us alone; it may be unplugged and plugged in again.

Its keys are known by their codes and not by characters, so NumLock does not matter.  While it is plugged
in nothing is polled; while it is missing it is looked for every `SEARCH_INTERVAL` seconds.  That is done
here, and not where drivers are retried, as retries get further and further apart.  A keyboard is not taken
unless the kit names it: one that is plugged in for something else must not stand in for a missing keypad.
"""

from __future__ import annotations

import errno
import os
import select
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

from cribpi.companion.devices.keys import NAME, Clock, Keys, Report, Sink
from cribpi.companion.devices.linux_input import (
    BITS,
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGKEY,
    PRESSED,
    RELEASED,
    SYN_DROPPED,
    SYN_REPORT,
    LinuxInputs,
    Search,
    bits_set,
    close_quietly,
    events_in,
    find,
)

SEARCH_INTERVAL = 1.0
"""Seconds between two searches for a missing keypad."""
EVENTS_PER_READ = 64
"""The most events of one read."""


class Numpad(Keys):
    """A USB keypad, plugged in or not.

    Args:
        codes: The name of each key by its code, in the kernel's numbers.
        sink: Takes each edge; called from the thread that runs `service`.
        name: A part of the device's name, in any case; None for any keypad that has all *codes*.
        inputs: The machine's input devices, or the twin's.
        report: Takes the device's name and what is wrong with it, once, and None once it works again.
        clock: The time in monotonic seconds.
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
        """Read all events up to the time *at*, and give what changed to the sink.

        Returns:
            The seconds until it is to be called again, to look for a missing keypad or to report a stuck key;
            None to wait for an event.

        Raises:
            Exception: What the sink raised.
        """
        with suppress(BlockingIOError):
            os.eventfd_read(self._waker)
        if self._device is None:
            self._trouble = self._plug_in()
        if self._device is not None:
            try:
                self._read(self._device, at)
            except OSError as error:
                self._unplug(at)
                self._trouble = _read_failed(error)
        self._report_change(self._trouble or self._stuck(at))
        return SEARCH_INTERVAL if self._device is None else self._until_stuck(at)

    def _read(self, device: int, at: float) -> None:
        """Read all events that wait.

        After a loss the events up to the next report are ignored, and the kernel is asked which keys are
        held: so the kernel's documentation has it (event-codes, SYN_DROPPED).

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
            for kind, code, value in events_in(data):
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
        """Return the keys that the kernel says are held."""
        held = bits_set(self._inputs.ask(device, EVIOCGKEY, BITS))
        return {key for code, key in self._codes.items() if code in held}

    def _plug_in(self) -> str | None:
        """Look for the keypad and take it for us alone; return what is wrong, or None."""
        search = find(self._inputs, set(self._codes), self._name)
        if search.device is None:
            return _UNPLUGGED if self._was_there and not search.is_refused else _missing(self._name, search)
        try:
            self._inputs.grab(search.device)
            self._ignore_held(self._closed(search.device))
        except OSError as error:
            close_quietly(self._inputs, search.device)
            if error.errno == errno.EBUSY:
                return f"{NAME}: another program is using {search.path}; stop that program"
            return _read_failed(error)
        self._device, self._lost_events, self._was_there = search.device, False, True
        return None

    def _unplug(self, at: float) -> None:
        """Close the keypad; its keys count as released, and none of them acts by that."""
        self._close_device()
        self._release_lost(at)

    def _close_device(self) -> None:
        if self._device is not None:
            close_quietly(self._inputs, self._device)
            self._device = None

    def _wait(self, pause: float | None) -> None:
        """Wait for an event or for `_wake_thread`, at most *pause* seconds."""
        poll = select.poll()
        poll.register(self._waker, select.POLLIN)
        if self._device is not None:
            poll.register(self._device, select.POLLIN)
        poll.poll(None if pause is None else pause * 1000)

    def _wake_thread(self) -> None:
        with suppress(OSError, ValueError):  # full: it is awake already; closed: it has ended
            os.eventfd_write(self._waker, 1)

    def _release(self) -> None:
        self._close_device()
        if self._waker >= 0:
            os.close(self._waker)
            self._waker = -1


_UNPLUGGED: Final = f"{NAME}: it has been unplugged; plug it in again"


def _read_failed(error: OSError) -> str:
    if error.errno == errno.ENODEV:
        return _UNPLUGGED
    return f"{NAME}: it cannot be read ({error.strerror}); unplug it and plug it in again"


def _missing(name: str | None, search: Search) -> str:
    if search.is_refused:
        return f"{NAME}: no permission to read /dev/input; add this user to the group input"
    if name is not None:
        return f"{NAME}: none found called {name}; plug it in, or look up its name in /proc/bus/input/devices"
    if search.keyboard is not None:
        return f"{NAME}: found only a keyboard, {search.keyboard}; plug the keypad in, or name it in the kit"
    return f"{NAME}: none found with the kit's keys; plug it in, or check the keys in the kit"
