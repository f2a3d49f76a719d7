"""Base class of all kinds of keys: a reading thread passes edges to a sink, and stuck keys are reported.

A key that is already closed when its driver opens is ignored until it is released. Otherwise a stuck MENU
would switch the Pi off again after each start.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from contextlib import suppress

from cribpi.companion.devices.supervisor import RETRIES, DeviceTrouble, sentence
from cribpi.companion.entry.debounce import Edge

NAME = "keypad"
"""The name of all kinds of keys in reports."""

STUCK = 10.0
"""Seconds after which a held key is reported as stuck."""

Sink = Callable[[Edge], None]
Report = Callable[[str, str | None], None]
Clock = Callable[[], float]


class Keys(ABC):
    """Keys that pass each change to a sink, as an `Edge`.

    `start` runs a thread.  Without a thread, as in tests, call `service` after each change, and again after
    the time that it returned.

    Args:
        sink: Receives each edge, on the thread that runs `service`.
        report: Receives the device's name and an error message once, and None after recovery.
        clock: The time in monotonic seconds.
    """

    def __init__(self, sink: Sink, report: Report, clock: Clock) -> None:
        self._sink = sink
        self._report = report
        self._clock = clock
        self._held: dict[str, float] = {}
        """The time at which each closed key was closed, by key."""
        self._ignored: set[str] = set()
        """Keys closed since before the start; their release is not passed to the sink."""
        self._changed = clock()
        self._reported: str | None = None
        self._report_lock = threading.Lock()
        self._stop = threading.Event()
        self._wake = threading.Event()
        self._thread: threading.Thread | None = None

    @abstractmethod
    def service(self, at: float) -> float | None:
        """Read the keys at the time *at*, and pass the changes to the sink.

        Returns:
            The seconds until the next reading, or None to wait for a change.

        Raises:
            Exception: Any error of the keys or of the sink.
        """

    @abstractmethod
    def _release(self) -> None:
        """Release the opened pins or devices."""

    @abstractmethod
    def _wait(self, pause: float | None) -> None:
        """Block the reading thread until a change or `_wake_thread`, at most *pause* seconds."""

    def start(self) -> None:
        self._thread = threading.Thread(target=self._run, name=NAME, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """End the thread, release held keys, and close the opened pins or devices."""
        self._stop.set()
        self._wake_thread()
        if self._thread is not None:
            self._thread.join()
            self._thread = None
        with suppress(Exception):  # the sink may be gone
            self._release_lost(self._clock())
        self._release()

    @property
    def alive(self) -> bool:
        """Whether the reading thread is running, so that a press would be noticed."""
        return self._thread is not None and self._thread.is_alive()

    def check(self) -> None:
        """Check that a press would be noticed.

        Raises:
            DeviceTrouble: If the reading thread has ended.
        """
        if not self.alive:
            raise DeviceTrouble(f"{NAME}: the thread that reads the keys has ended; restart cribpi")

    def _wake_thread(self) -> None:
        """Wake the reading thread. Thread-safe; never raises."""
        self._wake.set()

    def _ignore_held(self, closed: Iterable[str]) -> None:
        """Treat the keys that are *closed* at the start as held, but not as pressed."""
        self._held = dict.fromkeys(closed, self._clock())
        self._ignored = set(self._held)

    def _update_held(self, closed: Collection[str], at: float) -> None:
        """Compare the *closed* keys with those held so far; pass the changes to the sink, releases first."""
        for key in sorted(self._held.keys() - set(closed)):
            self._edge(key, closed=False, at=at)
        for key in sorted(set(closed) - self._held.keys()):
            self._edge(key, closed=True, at=at)

    def _release_lost(self, at: float) -> None:
        """Release all held keys without effect, because they can no longer be read."""
        for key in sorted(self._held):
            self._edge(key, closed=False, at=at, lost=True)

    def _edge(self, key: str, *, closed: bool, at: float, lost: bool = False) -> None:
        if closed == (key in self._held):
            return
        self._changed = at
        if key not in self._ignored:
            self._sink(Edge(key, closed, at, lost))
        self._ignored.discard(key)
        if closed:
            self._held[key] = at
        else:
            del self._held[key]

    def _stuck(self, at: float) -> str | None:
        """Return the error message for keys held for too long at the time *at*, or None."""
        stuck = [key for key, since in self._held.items() if at - since >= STUCK]
        if not stuck:
            return None
        return (
            f"{NAME}: {' and '.join(stuck)} held for more than {STUCK:.0f} seconds; free the key or "
            f"check its wiring"
        )

    def _until_stuck(self, at: float) -> float | None:
        """Return the seconds until the next held key counts as stuck, or None if none will."""
        rest = [since + STUCK - at for since in self._held.values()]
        return min((seconds for seconds in rest if seconds > 0), default=None)

    def _report_change(self, trouble: str | None) -> None:
        """Report *trouble*, or its end if None, but only if it has changed."""
        with self._report_lock:
            if trouble != self._reported:
                self._reported = trouble
                self._report(NAME, trouble)

    def report_again(self) -> None:
        """Report the last error once more, because a report about the same device has replaced it."""
        with self._report_lock:
            if self._reported is not None:
                self._report(NAME, self._reported)

    def _run(self) -> None:
        """Read the keys until closed; report a failure, and try again after a growing pause."""
        failures = 0
        while not self._stop.is_set():
            try:
                pause = self.service(self._clock())
            except Exception as error:  # noqa: BLE001  whatever the error, the keys are tried again
                self._report_change(sentence(NAME, error))
                self._stop.wait(RETRIES[min(failures, len(RETRIES) - 1)])
                failures += 1
            else:
                failures = 0
                self._wait(pause)
