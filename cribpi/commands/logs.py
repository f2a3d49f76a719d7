"""Rate-limited logging for long-running commands. Strangers on the network can't flood the log."""

from __future__ import annotations

import logging
import time
from collections import deque
from collections.abc import Callable
from typing import Final

MOST: Final = 5
MINUTE: Final = 60.0
"""Period in seconds in which each line of code can log `MOST` messages."""


class Sparing(logging.Filter):
    """A log filter that lets each logging statement log at most `MOST` messages a minute.

    The next message that passes states how many were dropped.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._clock = clock
        self._logged: dict[tuple[str, int], deque[float]] = {}
        self._left_out: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        place, now = (record.pathname, record.lineno), self._clock()
        logged = self._logged.setdefault(place, deque(maxlen=MOST))
        if len(logged) == MOST and now - logged[0] < MINUTE:
            self._left_out[place] = self._left_out.get(place, 0) + 1
            return False
        logged.append(now)
        if left_out := self._left_out.pop(place, 0):
            record.msg, record.args = f"{record.getMessage()} (and {left_out:,} more like it)", ()
        return True


def log(form: str) -> None:
    """Log warnings to stderr in the format *form*. Does nothing if logging is already configured."""
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter(form))
    handler.addFilter(Sparing())
    logging.basicConfig(handlers=[handler], level=logging.WARNING)
