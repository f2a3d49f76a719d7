"""Notifications to systemd: the companion is ready, alive or stopping, and its status.

Each is a datagram to the socket in `$NOTIFY_SOCKET`; without that variable, none is sent.  The thread here is
only a timer: it queues a call, and the loop pings the watchdog when it handles that call.  A loop that hangs
sends no ping, and neither does one whose keys are not being read.
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
"""Watchdog pings per timeout: a ping can get lost."""

START_EXTENDED: Final = 60.0
"""Seconds that a long start requests from systemd each time."""

RETRY_AFTER: Final = 1.0
"""Maximum seconds to the next check while the keys are not being read: they may be opened again in time."""


def notify(address: str, *lines: str) -> None:
    """Send *lines*, each ``NAME=value``, to the socket *address*: a path, or ``@`` and an abstract name.

    It never blocks and never raises.
    """
    text = "\n".join(" ".join(line.split()) for line in lines)
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
            out.settimeout(0)
            out.sendto(text.encode(), address.replace("@", "\0", 1) if address[0] == "@" else address)
    except OSError as error:
        _LOG.warning("systemd did not accept %s (%s): is this unit of Type=notify?", lines[0], error)


def watchdog_seconds(environ: Mapping[str, str]) -> float | None:
    """Return systemd's watchdog timeout for this process in seconds, or None if it has no watchdog.

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
    """Request more time for the start from systemd and show *status* there; do nothing without systemd.

    Otherwise systemd ends a start after 90 seconds.
    """
    if address := environ.get("NOTIFY_SOCKET"):
        notify(address, f"EXTEND_TIMEOUT_USEC={round(START_EXTENDED * 1e6)}", f"STATUS={status}")


class Service:
    """The companion as a systemd service.

    Args:
        call: Queues a function for the loop's thread.
        is_heard: Returns whether the keys are being read; called on the loop's thread.
        status: Returns the companion's status in one line; called on the loop's thread.
        environ: The environment variables, with systemd's.
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
        """Report that the companion is ready once its loop runs, then ping the watchdog."""
        if not self._address:
            return
        if self._timeout is None:
            self._call(self._ping)
            return
        self._thread = threading.Thread(target=self._run, name="service", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End the pings and report that the companion is stopping."""
        self._stop.set()
        self._pinged.set()
        if self._thread is not None:
            self._thread.join()
        if self._address:
            notify(self._address, "STOPPING=1", "STATUS=stopping")

    def _run(self) -> None:
        """Queue one ping at a time, the next one only after the loop has handled the last."""
        while not self._stop.wait(self._pause):
            self._pinged.clear()
            if self._stop.is_set():  # `stop` may have set both between the wait and the clear
                return
            self._call(self._ping)
            self._pinged.wait()

    def _ping(self) -> None:
        """Report the status, and ping the watchdog if the keys are being read.  Loop's thread only."""
        is_heard, every = self._is_heard(), (self._timeout or 0.0) / PINGS_PER_TIMEOUT
        lines = [] if self._is_ready else ["READY=1"]
        if is_heard and self._timeout is not None:
            lines.append("WATCHDOG=1")
        lines.append(f"STATUS={self._status() if is_heard else 'no keys are being read'}")
        self._is_ready = True
        notify(self._address, *lines)
        self._pause = every if is_heard else min(RETRY_AFTER, every)
        self._pinged.set()
