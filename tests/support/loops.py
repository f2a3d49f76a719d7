"""An asyncio event loop in a thread, for tests whose own thread already runs the browser's loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def run(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """Run *coroutine* in a separate thread, and return its result."""
    return apart(lambda: asyncio.run(coroutine))


def apart(call: Callable[[], Found]) -> Found:
    """Run *call* in a separate thread, and return its result.

    Some libraries fail in a thread with an event loop.
    """
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()
