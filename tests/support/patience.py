"""How long a test waits for what must come."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = float(os.environ.get("CRIBPI_PATIENCE", "300"))
"""Seconds.  A wait ends when what it waits for has come, and this is when it is given up: no machine is so
slow or so busy, so that what is red then never came.  While bugs are planted most waits are in vain, and
`tests/bugs/plant.py` sets it shorter."""

PAGE: Final = 30.0
"""Seconds for what must come on a page where each program has a processor: what came took ten at most."""


def for_a_page() -> float:
    """Return for how many seconds a page is waited for: where many programs share a processor, longer."""
    to_a_processor = os.getloadavg()[0] / (os.cpu_count() or 1)
    return min(PATIENCE, PAGE * max(1.0, to_a_processor))


def until(holds: Callable[[], object], within: float = PATIENCE) -> None:
    """Wait until *holds*, and fail when it never comes to that."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.005)


def joined(thread: threading.Thread) -> None:
    """Wait for the end of *thread*, and fail when it never comes: `join` alone would go on."""
    thread.join(PATIENCE)
    assert not thread.is_alive(), "it never ended"
