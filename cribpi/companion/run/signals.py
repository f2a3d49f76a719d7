"""Clean exit of `cribpi run`: SIGTERM, SIGHUP and Ctrl-C give exit code 0 from the first moment on.

This module imports next to nothing: the other imports take most of the start, and a signal can arrive then.
"""

from __future__ import annotations

import os
import signal
from contextlib import suppress

TYPE_CHECKING = False
if TYPE_CHECKING:  # `typing` takes longer to load than all of this
    from collections.abc import Callable
    from types import FrameType
    from typing import Self

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ending:
    """The handler of the signals that end the program, installed by ``with Ending() as ending``.

    The effect of a signal depends on the phase. Before `opens`, it ends the process at once. After `opens`,
    it sets `is_asked`. After `serves`, it also calls the *stop* given there.

    A signal that was ignored from the start, such as SIGHUP under nohup, stays ignored.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._is_open = False
        self._stop: Callable[[], None] | None = None
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        self.take()
        return self

    def take(self) -> None:
        """Install the handler, which Python allows in the main thread only: do nothing in another."""
        with suppress(ValueError):
            for number in SIGNALS:
                if number is not signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:
                    self._before[number] = signal.signal(number, self._end)

    def __exit__(self, *_: object) -> None:
        """Restore the former handlers; if the program is ending, ignore further signals instead."""
        for number, before in self._before.items():
            signal.signal(number, signal.SIG_IGN if self.is_asked else before)  # type: ignore[arg-type]

    def opens(self) -> None:
        """Note that something is open and must be closed: from now on, a signal only sets `is_asked`."""
        self._is_open = True

    def serves(self, stop: Callable[[], None]) -> None:
        """Register *stop*, which must not block, and call it at once if a signal has already arrived."""
        self._stop = stop
        if self.is_asked:
            stop()

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self.is_asked = True
        if self._stop is not None:
            self._stop()
        elif not self._is_open:
            os._exit(0)  # Nothing is open yet, and an exception could surface in the middle of an import.
