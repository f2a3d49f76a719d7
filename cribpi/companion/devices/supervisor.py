"""Supervision of a device: runs it on its own thread, shows the latest picture, reopens it after failures.

Error messages of devices are written for the people at the table.
"""

from __future__ import annotations

import errno
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from math import inf
from typing import Any, Generic, Protocol, TypeVar

RETRIES = (0.1, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds to wait after the first, second, ... consecutive failure; the last one repeats."""

_REMEDIES = {
    errno.ENOENT: "its bus is not there; run cribpi doctor, which shows how to enable it",
    errno.ENODEV: "its bus is not there; run cribpi doctor, which shows how to enable it",
    errno.EACCES: "no permission to open its bus; add this user to the gpio, i2c and spi groups",
    # EPERM comes from DeviceAllow in the service's unit, which is evaluated once at its start.
    errno.EPERM: "the service can't open its bus because it started before the kernel had it; restart it",
    errno.EMFILE: "cribpi has too many files open; close some of its pages, and it will open again by itself",
    errno.ENFILE: "the computer has too many files open; stop another program, and it will open again "
    "by itself",
    errno.EBUSY: "another program is using it; stop that program",
    errno.EMSGSIZE: "the frame is longer than the bus allows; raise spidev.bufsiz in "
    "/boot/firmware/cmdline.txt",
}
_ON_I2C = {
    errno.EREMOTEIO: "nothing answers at its address; check its four wires",
    errno.ENXIO: "nothing answers at its address; check its four wires",
    errno.EIO: "the transfer was disturbed; check that its wires are short and firm",
    errno.ETIMEDOUT: "the bus is stuck; check its wires, then its power",
}
# A strip sends nothing back, so a failure must be in the Pi itself.
_ON_SPI = "SPI failed ({}), and no wire can cause that; restart the Pi, then update its system"


class DeviceTrouble(Exception):
    """A device is missing or failed; the message names the device, the fault and the remedy."""


def sentence(name: str, error: Exception) -> str:
    """Return the error message for people about an *error* of the device *name*, without a full stop.

    >>> sentence("oled", OSError(errno.EREMOTEIO, "Remote I/O error"))
    'oled: nothing answers at its address; check its four wires (error 121)'
    >>> sentence("strip", OSError(errno.ENODEV, "No such device"))
    'strip: its bus is not there; run cribpi doctor, which shows how to enable it (error 19)'
    >>> sentence("strip", DeviceTrouble("strip: it does not know this board; set the driver to spi"))
    'strip: it does not know this board; set the driver to spi'
    """
    if isinstance(error, DeviceTrouble):
        return str(error)
    if isinstance(error, OSError) and error.errno is not None:
        remedies = _REMEDIES | (_ON_I2C if name == "oled" else {})
        other = _ON_SPI if name == "strip" else "{}; check its wires"
        remedy = remedies.get(error.errno) or other.format(error.strerror)
        return f"{name}: {remedy} (error {error.errno})"
    return f"{name}: {str(error) or type(error).__name__}; check its wires and settings"


CLOSE_TIMEOUT = 5.0
"""Timeout in seconds for a device to show the last picture before it is closed."""
KILL_TIMEOUT = 1.0
"""Further timeout in seconds for a device whose opening was abandoned."""

Device = TypeVar("Device", bound="Closeable")


class Closeable(Protocol):
    """A device that can be closed; it can also have the following members.

    `show` shows a frame or picture. `notice` is a message if the device works but does not show it unchanged,
    otherwise None. `report_again` is for a device that reports its own errors under the same name: the
    supervisor calls it after reporting a recovery, which also removes the device's own report.
    """

    def close(self) -> None:
        """Release the device."""


@dataclass(eq=False)
class Supervised(Generic[Device]):
    """A device that may be missing, fail, and come back, without ever blocking a caller.

    It is a strip that shows frames, an OLED that shows pictures, or a keypad that is only opened and checked;
    all on its own thread.

    Only the latest picture is stored: one that is replaced before the thread takes it is never shown.  An
    unchanged picture is not sent again, except every *again_every* seconds.  A failure is reported once, and
    again if its reason changes.  The device is then closed, reopened after growing pauses, and shows the
    latest picture.

    `start` runs the thread.  Without a thread, as in tests, call `service`.

    Args:
        name: The device's name in reports.
        open_device: Opens the device, or raises.
        report: Receives *name* and an error message once, and None after recovery.
        check: Checks the device every *check_every* seconds; raises if it has failed.
        check_every: The seconds between two checks.
        again_every: The seconds after which the picture is sent again, for a device that can't report
            whether it still shows it; infinite for any other.
        abandon: Makes an opening that hangs fail soon; `close` calls it on another thread.
        device: The device while it is open, otherwise None.  Thread-safe.
    """

    name: str
    open_device: Callable[[], Device]
    report: Callable[[str, str | None], None]
    _: KW_ONLY
    check: Callable[[Device], None] | None = None
    check_every: float = 5.0
    again_every: float = inf
    abandon: Callable[[], None] = lambda: None

    device: Device | None = field(default=None, init=False)
    _latest: tuple[object, ...] | None = field(default=None, init=False)
    _wake: threading.Event = field(default_factory=threading.Event, init=False)
    _done: threading.Condition = field(default_factory=threading.Condition, init=False)
    """Notified when `_shown` has changed."""
    _stop: bool = field(default=False, init=False)
    _thread: threading.Thread | None = field(default=None, init=False)
    # Only the thread that runs `service` uses the following fields.
    _shown: tuple[object, ...] | None = field(default=None, init=False)
    _reported: str | None = field(default=None, init=False)
    _failures: int = field(default=0, init=False)
    _retry_at: float = field(default=-inf, init=False)
    _check_at: float = field(default=-inf, init=False)
    _again_at: float = field(default=inf, init=False)

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=f"supervise {self.name}", daemon=True)
        self._thread.start()

    def show(self, *thing: object) -> None:
        """Show *thing* as soon as the device can; returns at once and never raises.

        *thing* is the argument list of the device's `show`: a frame, or a picture and its contrast.  The
        caller must not change these objects afterwards.
        """
        self._latest = thing
        self._wake.set()

    def flush(self, timeout: float) -> bool:
        """Wait until the latest picture is shown, at most *timeout* seconds; return whether it is."""
        with self._done:
            return self._done.wait_for(lambda: self._latest is self._shown, timeout)

    def close(self) -> None:
        """Show the latest picture if the device works, release it, and end the thread."""
        self._stop = True
        self._wake.set()
        if self._thread is None:
            self._shut()
            return
        if self.device is None:  # a device that is not open can't show anything
            self.abandon()
        self._thread.join(CLOSE_TIMEOUT)
        if self._thread.is_alive() and self.device is None:  # opening began after the first `abandon`
            self.abandon()
            self._thread.join(KILL_TIMEOUT)
        self._thread = None

    def service(self, at: float) -> float | None:
        """Do all that is due at the time *at*.

        Returns:
            The seconds until the next call, or None to wait for the next picture.
        """
        if at < self._retry_at:
            return self._retry_at - at
        try:
            self._update(at)
        except Exception as error:  # noqa: BLE001  a device may raise what it likes, and the table goes on
            self._report_change(sentence(self.name, error))
            self._shut()
            pause = RETRIES[min(self._failures, len(RETRIES) - 1)]
            self._failures += 1
            self._retry_at = at + pause
            return pause
        self._failures = 0
        self._report_change(getattr(self.device, "notice", None))
        due = min(self._again_at, inf if self.check is None else self._check_at)
        return None if due == inf else due - at

    def _update(self, at: float) -> None:
        """Open the device if needed, show a new picture or repeat it if due, and check the device if due."""
        thing = self._latest
        if self.device is None:
            self.device = self.open_device()
        shows: Any = self.device
        is_new = thing is not self._shown
        if thing is not None and (is_new or at >= self._again_at):
            shows.show(*thing)
            self._again_at = at + self.again_every
        if is_new:
            with self._done:
                self._shown = thing
                self._done.notify_all()
        if self.check is not None and at >= self._check_at:
            self.check(self.device)
            self._check_at = at + self.check_every

    def _shut(self) -> None:
        """Close the device.  It will get the latest picture again after it is reopened."""
        device, self.device = self.device, None
        self._shown = None
        if device is not None:
            with suppress(Exception):  # A failed device may fail to close as well.
                device.close()

    def _report_change(self, trouble: str | None) -> None:
        """Report *trouble*, or its end if None, but only if it has changed."""
        if trouble != self._reported:
            self._reported = trouble
            self.report(self.name, trouble)
            if trouble is None and (report_again := getattr(self.device, "report_again", None)):
                report_again()

    def _run(self) -> None:
        while True:
            self._wake.clear()  # cleared first, so that a later `show` or `close` wakes the thread again
            stop = self._stop
            if stop and self.device is None and self._failures:
                break  # a device that can't be opened is not tried again just for the last picture
            pause = self.service(time.monotonic())
            if stop:
                break
            self._wake.wait(pause)
        self._shut()
