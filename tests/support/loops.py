"""A loop of asyncio, beside a browser that is open in this thread and has a loop there already."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Found = TypeVar("Found")


def run(coroutine: Coroutine[Any, Any, Found]) -> Found:
    """Run *coroutine* in a thread of its own, and return what it returns."""
    with ThreadPoolExecutor(1) as apart:
        return apart.submit(asyncio.run, coroutine).result()
