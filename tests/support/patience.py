"""Timeouts of tests."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = float(os.environ.get("CRIBPI_PATIENCE", "300"))
"""Timeout in seconds. A wait ends as soon as its condition holds; after this time it fails.

It is longer than any slow or busy machine needs, so that a failure means that the condition never held. While
bugs are planted most waits are in vain, and `tests/bugs/plant.py` sets a shorter one.
"""

PAGE: Final = 30.0
"""Timeout in seconds for a page, if each program has a processor.

The longest successful wait took ten seconds.
"""


def for_a_page() -> float:
    """Return the timeout for a page. It is longer if many programs share a processor."""
    to_a_processor = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(PATIENCE, PAGE * max(1.0, to_a_processor))


def until(holds: Callable[[], object], within: float = PATIENCE) -> None:
    """Wait until *holds* returns true, and fail if it never does."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.005)


def joined(thread: threading.Thread) -> None:
    """Wait for the end of *thread*, and fail if it never ends. `join` alone would wait forever."""
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it never ended"
