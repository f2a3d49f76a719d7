"""Supervision of a device: a thread of its own, only the latest picture, and reopening after failures."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Generic, Protocol, TypeVar

from cribpi.devices.trouble import RETRIES, sentence

CLOSING = 5.0
"""Seconds for a device to show the last thing at the end."""
KILLED = 1.0
"""More seconds for one that was still being opened, after that was abandoned."""

Device = TypeVar("Device", bound="Closes")


class Closes(Protocol):
    """A device that can be closed.  One that shows things has a method `show` as well.

    One that reports its own trouble by the same name has a method `say_again`.  It is called when this
    reports the device as well again, which has just withdrawn the device's own report.
    """

    def close(self) -> None:
        """Release the device."""


class Supervised(Generic[Device]):
    """A device that may be missing, fail, and come back, without making anybody wait.

    It is a strip that shows frames, an OLED that shows pictures, or a keypad that is only opened and checked.
    All of this happens in a thread of its own.  The mailbox has one slot: anything superseded before it was
    taken is never shown, and what is already shown is not sent again.  A failure is reported once, and the
    device is closed and reopened after growing pauses; then its last setting is restored, and the latest
    thing shown.

    With `start` the thread runs.  Without it, call `service`; then nothing runs by itself.

    Args:
        name: The device's name in reports.
        open_device: Returns the device, ready to use, or raises.
        report: Receives *name* and the trouble, once, and None once all is well again.
        check: Checks the device every *check_every* seconds; raises if it is not well.
        check_every: The seconds between two checks.
        abandon: Makes an opening that hangs fail soon; called by `close`, from another thread.
        clock: The time in monotonic seconds.
    """

    def __init__(
        self,
        name: str,
        open_device: Callable[[], Device],
        report: Callable[[str, str | None], None],
        *,
        check: Callable[[Device], None] | None = None,
        check_every: float = 5.0,
        abandon: Callable[[], None] = lambda: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._open_device = open_device
        self._report = report
        self._check = check
        self._check_every = check_every
        self._abandon = abandon
        self._clock = clock
        self._slot: Any = None
        self._setting: Callable[[Device], None] | None = None
        self._lock = threading.Lock()
        self._wake = threading.Event()
        self._done = threading.Condition(self._lock)
        self._stop = False
        self._thread: threading.Thread | None = None
        # Only the thread that runs `service` uses the following.
        self._device: Device | None = None
        self._shown: Any = None
        self._set: Callable[[Device], None] | None = None
        self._said: str | None = None
        self._failures = 0
        self._retry_at = float("-inf")
        self._check_at = float("-inf")

    def start(self) -> None:
        """Open the device and supervise it in a thread of its own from now on."""
        self._thread = threading.Thread(target=self._run, name=f"tend {self._name}", daemon=True)
        self._thread.start()

    @property
    def device(self) -> Device | None:
        """The device while it is open; may be read from any thread."""
        return self._device

    def show(self, thing: object) -> None:
        """Show *thing* as soon as the device can; returns at once and never raises.

        *thing* is a whole frame or picture, and must not be changed afterwards.
        """
        with self._lock:
            self._slot = thing
        self._wake.set()

    def adjust(self, setting: Callable[[Device], None]) -> None:
        """Apply *setting* to the device before it shows anything more, and after each reopening.

        It replaces the previous setting.
        """
        with self._lock:
            self._setting = setting
        self._wake.set()

    def flush(self, timeout: float) -> bool:
        """Wait until the latest thing is shown, at most *timeout* seconds; return whether it is."""
        with self._done:
            return self._done.wait_for(lambda: self._slot is self._shown, timeout)

    def close(self) -> None:
        """Show the latest thing if the device is well, release it, and end the thread."""
        self._stop = True
        self._wake.set()
        if self._thread is None:
            self._shut()
            return
        if self._device is None:  # nothing can be shown, so there is nothing to wait for
            self._abandon()
        self._thread.join(CLOSING)
        if self._thread.is_alive() and self._device is None:  # it began to open only after that
            self._abandon()
            self._thread.join(KILLED)
        self._thread = None

    def service(self, at: float) -> float | None:
        """Do what is due at the time *at*.

        Returns:
            The seconds until the next call, or None to wait for something to show.
        """
        if at < self._retry_at:
            return self._retry_at - at
        try:
            self._update(at)
        except Exception as error:  # noqa: BLE001  a device may raise what it likes, and the table goes on
            self._say(sentence(self._name, error))
            self._shut()
            pause = RETRIES[min(self._failures, len(RETRIES) - 1)]
            self._failures += 1
            self._retry_at = at + pause
            return pause
        self._failures = 0
        self._say(None)
        return None if self._check is None else self._check_at - at

    def _update(self, at: float) -> None:
        """Open the device if need be, apply its setting, show what is new, and check it if that is due."""
        with self._lock:
            thing, setting = self._slot, self._setting
        if self._device is None:
            self._device = self._open_device()
        shows: Any = self._device
        if setting is not None and setting is not self._set:
            setting(self._device)
            self._set = setting
        if thing is not None and thing is not self._shown:
            if self._shown is None or thing != self._shown:
                shows.show(thing)
            with self._done:
                self._shown = thing
                self._done.notify_all()
        if self._check is not None and at >= self._check_at:
            self._check(self._device)
            self._check_at = at + self._check_every

    def _shut(self) -> None:
        """Close the device, and forget what it showed."""
        device, self._device = self._device, None
        self._shown = self._set = None
        if device is not None:
            with suppress(Exception):  # what failed may fail to close as well
                device.close()

    def _say(self, trouble: str | None) -> None:
        """Report *trouble*, or that it is over, if that is news."""
        if (trouble is None) != (self._said is None):
            self._said = trouble
            self._report(self._name, trouble)
            if trouble is None and (say_again := getattr(self._device, "say_again", None)):
                say_again()

    def _run(self) -> None:
        while True:
            self._wake.clear()  # first, so that a close or a show from now on wakes again
            stop = self._stop
            if stop and self._device is None and self._failures:
                break  # no retry of an opening just for the last thing
            pause = self.service(self._clock())
            if stop:
                break
            self._wake.wait(pause)
        self._shut()
