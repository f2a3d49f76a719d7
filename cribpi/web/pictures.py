"""What the chips show, asked for beside the server's loop: it may take a quarter of a second where a chip is
slow.
"""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

from cribpi.web.companion import Companion

T = TypeVar("T")


class OneAtATime(Generic[T]):
    """What *make* returns, made in a thread and once for all who wait for it.

    Whoever asks gets one whose making began after that, so that it shows whatever was pressed before.
    However many ask, one is being made, and the next one is for all of them.
    """

    def __init__(self, make: Callable[[], T]) -> None:
        self._make = make
        self._lock = asyncio.Lock()
        self._next: asyncio.Task[T] | None = None

    async def get(self) -> T:
        """Return the next one that is made.  Whoever goes before it is done takes it from nobody else."""
        if self._next is None:
            self._next = asyncio.create_task(self._made())
        return await asyncio.shield(self._next)

    async def _made(self) -> T:
        async with self._lock:
            self._next = None  # whoever asks from here on may have seen what this one does not show
            return await asyncio.to_thread(self._make)


class Pictures:
    """What *companion*'s screen and strip show, for all who ask."""

    def __init__(self, companion: Companion) -> None:
        self.glass = OneAtATime(companion.glass).get
        self.strip = OneAtATime(companion.strip).get
