"""What systemd hears: that the companion serves, that it lives, how it is, and that it stops.

A datagram to the socket in `$NOTIFY_SOCKET` is all there is to it; without that nothing happens.  The thread
here is a clock and no more: it puts a call into the loop's queue, and the loop pings the watchdog when it
comes to that call.  A loop that hangs pings nothing, and neither does one whose keys nobody hears.
"""

from __future__ import annotations

import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from typing import Final

_LOG: Final = logging.getLogger(__name__)

PINGS_PER_TIMEOUT: Final = 3
"""How often the watchdog is pinged in its timeout: a ping may be lost."""

START_EXTENDED: Final = 60.0
"""Seconds, from when they are asked for, that a start may take if it has much to do."""

RETRY_AFTER: Final = 1.0
"""Seconds at most to the next ping while nobody hears the keys: they may be opened again in time."""


def notify(address: str, *lines: str) -> None:
    """Send *lines*, each ``NAME=value``, to the socket *address*: a path, or ``@`` and an abstract name.

    This never waits and never raises.
    """
    said = "\n".join(" ".join(line.split()) for line in lines)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.settimeout(0)
            out.sendto(said.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
    except OSError as error:
        _LOG.warning("systemd did not accept %s (%s): is this unit of Type=notify?", lines[0], error)


def watchdog_seconds(environ: Mapping[str, str]) -> float | None:
    """Return after how many seconds without a word systemd ends this process; None if it never does.

    >>> watchdog_seconds({"WATCHDOG_USEC": "30000000"})
    30.0
    >>> watchdog_seconds({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}) is None
    True
    """
    usec, pid = environ.get("WATCHDOG_USEC", ""), environ.get("WATCHDOG_PID", "")
    if not usec.isdecimal() or int(usec) == 0 or (pid and pid != str(os.getpid())):
        return None
    return int(usec) / 1_000_000


def extend_start(status: str, environ: Mapping[str, str] = os.environ) -> None:
    """Ask systemd for more time to start in, and say what it is for; without systemd nothing happens.

    It grants 90 seconds, and then ends this process.
    """
    if address := environ.get("NOTIFY_SOCKET"):
        notify(address, f"EXTEND_TIMEOUT_USEC={round(START_EXTENDED * 1e6)}", f"STATUS={status}")


class Service:
    """The companion as systemd sees it.

    Args:
        call: Has a function called by the loop's thread when its queue comes to that.
        is_heard: Whether somebody hears the keys; asked from the loop's thread.
        status: How the companion is, in a line; asked from the loop's thread.
        environ: The environment, in which systemd says what it wants.
    """

    def __init__(
        self,
        call: Callable[[Callable[[], None]], None],
        is_heard: Callable[[], bool],
        status: Callable[[], str],
        environ: Mapping[str, str] = os.environ,
    ) -> None:
        self._call = call
        self._is_heard = is_heard
        self._status = status
        self._address = environ.get("NOTIFY_SOCKET", "")
        self._timeout = watchdog_seconds(environ)
        self._pinged = threading.Event()
        self._stop = threading.Event()
        self._is_ready = False
        self._pause = 0.0
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Say that the companion is ready once its loop serves, and from then on that it lives."""
        if not self._address:
            return
        if self._timeout is None:
            self._call(self._ping)
            return
        self._thread = threading.Thread(target=self._run, name="service", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Say that the companion stops, and ping the watchdog no more."""
        self._stop.set()
        self._pinged.set()
        if self._thread is not None:
            self._thread.join()
        if self._address:
            notify(self._address, "STOPPING=1", "STATUS=stopping")

    def _run(self) -> None:
        """Put one ping after another into the queue, never a second before the first was taken out."""
        while not self._stop.wait(self._pause):
            self._pinged.clear()
            if self._stop.is_set():  # `stop` may have set both between the wait and the clear
                return
            self._call(self._ping)
            self._pinged.wait()

    def _ping(self) -> None:
        """Say how the companion is, and ping the watchdog if it is well; this runs in the loop's thread."""
        is_heard, every = self._is_heard(), (self._timeout or 0.0) / PINGS_PER_TIMEOUT
        lines = [] if self._is_ready else ["READY=1"]
        if is_heard and self._timeout is not None:
            lines.append("WATCHDOG=1")
        lines.append(f"STATUS={self._status() if is_heard else 'no keys are being read'}")
        self._is_ready = True
        notify(self._address, *lines)
        self._pause = every if is_heard else min(RETRY_AFTER, every)
        self._pinged.set()
