"""A loop of asyncio, beside a browser that is open in this thread and has a loop there already."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def run(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """Run *coroutine* in a thread of its own, and return what it returns."""
    return apart(lambda: asyncio.run(coroutine))


def apart(call: Callable[[], Found]) -> Found:
    """Run *call* in a thread of its own, and return what it returns: some libraries refuse beside a loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(call).result()
