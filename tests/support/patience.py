"""How long a test waits for what must come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 300.0
"""Seconds.  A wait ends when what it waits for has come, and this is when it is given up: no machine is so
slow or so busy, so that what is red then never came."""


def until(holds: Callable[[], object], within: float = PATIENCE) -> None:
    """Wait until *holds*, and fail when it never comes to that."""
    end = time.monotonic() + within
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.005)
