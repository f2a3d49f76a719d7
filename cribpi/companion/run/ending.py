"""How `cribpi run` ends: SIGTERM, SIGHUP and Ctrl-C, each with exit code 0, from its first moment on.

It loads next to nothing: what is loaded after it takes most of a start, and a signal may come then too.
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
    """What a signal that ends the program does: first it ends at once, then it asks, and at last nothing.

    ``with Ending() as ending`` takes the signals; then call `opens` before anything is opened that must be
    closed again, and `serves` when there is something to be stopped.  A signal that was to be ignored from
    the start, as SIGHUP under nohup, stays so.
    """

    def __init__(self) -> None:
        self.is_asked = False
        self._is_open = False
        self._stop: Callable[[], None] | None = None
        self._before: dict[signal.Signals, object] = {}

    def __enter__(self) -> Self:
        """Take the signals, and give them back at the end."""
        self.take()
        return self

    def take(self) -> None:
        """Take the signals; where this is not the main thread, there are none to take."""
        with suppress(ValueError):
            for one in SIGNALS:
                if one is not signal.SIGHUP or signal.getsignal(one) is not signal.SIG_IGN:
                    self._before[one] = signal.signal(one, self._end)

    def __exit__(self, *_: object) -> None:
        """Give the signals back; once the end was asked for, nothing more than that is to come of another."""
        for one, before in self._before.items():
            signal.signal(one, signal.SIG_IGN if self.is_asked else before)  # type: ignore[arg-type]

    def opens(self) -> None:
        """From now on something is open: what is asked is done when it can be closed again."""
        self._is_open = True

    def serves(self, stop: Callable[[], None]) -> None:
        """From now on *stop*, which must not wait, is called; at once, if the end was asked for already."""
        self._stop = stop
        if self.is_asked:
            stop()

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        self.is_asked = True
        if self._stop is not None:
            self._stop()
        elif not self._is_open:
            os._exit(
                0
            )  # nothing is open yet, and an exception might come up anywhere in what is being loaded
