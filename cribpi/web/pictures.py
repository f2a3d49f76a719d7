"""Pictures of the chips, made outside the server's loop: a slow chip may take a quarter of a second."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from cribpi.web.companion import Companion

T = TypeVar("T")


class OneAtATime(Generic[T]):
    """The result of *make*, made in a thread, and once for everyone who waits for it.

    A caller gets a result that was begun after its call, and so shows whatever was pressed before.  However
    many call, one result is being made, and the next one is for all of them.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the next result.  A caller that is cancelled does not cancel it for the others."""
        if self._next is None:
            self._next = asyncio.create_task(self._made())
        return await asyncio.shield(self._next)

    async def _made(self) -> T:
        async with self._lock:
            self._next = None  # too late for new callers: this picture may miss what they pressed
            return await asyncio.to_thread(self._make)


class Pictures:
    """What *companion*'s screen and strip show, shared by all callers."""

    def __init__(self, companion: Companion) -> None:
        self.glass = OneAtATime(companion.glass).get
        self.strip = OneAtATime(companion.strip).get
