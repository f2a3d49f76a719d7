"""An error stream that never blocks: a full pipe that nobody reads delays neither answers nor the exit."""

from __future__ import annotations

import io
import os
import select
import sys
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

ROOM: Final = 256 * 1024
"""The most bytes waiting to be read; what comes after them is dropped and counted."""

PATIENCE: Final = 1.0
"""Seconds for the last output at the end."""


class NonBlockingStream(io.TextIOBase):
    """A text stream to the file descriptor *target*, written by a thread of its own.

    It bypasses Python's own stream: a lock of that held by a blocked thread would abort the interpreter at
    exit.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, target: int) -> None:
        super().__init__()
        self._target = target
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._dropped = 0
        self._news = threading.Condition()  # its lock is reentrant: `write` may warn, and so call itself
        threading.Thread(target=self._run, name="stderr", daemon=True).start()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._target

    def isatty(self) -> bool:
        return os.isatty(self._target)

    def write(self, text: str) -> int:
        """Queue *text* and return its length; never blocks, and never raises."""
        data = text.encode(self.encoding, self.errors)
        with self._news:
            if self._held + len(data) > ROOM:
                self._dropped += 1
            else:
                self._waiting.append(data)
                self._held += len(data)
            self._news.notify_all()
        return len(text)

    def flush(self) -> None:
        """Do nothing: `drain` waits, and no longer than it is told."""

    def drain(self, seconds: float) -> bool:
        """Wait at most *seconds* until all is written; return whether it is."""
        with self._news:
            return self._news.wait_for(lambda: not self._held, seconds)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting)
                data = self._waiting.popleft()
            self._send(data)
            with self._news:
                self._held -= len(data)
                if not self._waiting and self._dropped:
                    dropped, self._dropped = self._dropped, 0
                    self.write(f"cribpi: messages dropped, because nothing was reading: {dropped}\n")
                self._news.notify_all()

    def _send(self, data: bytes) -> None:
        """Write *data*, however long that takes; if the reader is gone, it is lost."""
        with suppress(OSError, ValueError):
            while data:
                try:
                    data = data[os.write(self._target, data) :]
                except BlockingIOError:  # another program has made our shared terminal non-blocking
                    select.select([], [self._target], [])


@contextmanager
def patient_stderr(patience: float = PATIENCE) -> Iterator[None]:
    """Write stderr from a thread of its own, which gets *patience* seconds at the end.

    A stream without an open descriptor is left as it is.
    """
    before = sys.stderr
    try:
        target = before.fileno()
        os.fstat(target)
    except (AttributeError, OSError, ValueError):
        yield
        return
    before.flush()
    stream = NonBlockingStream(target)
    sys.stderr = stream
    try:
        yield
    finally:
        if stream.drain(patience) and select.select([], [target], [], 0)[1]:
            sys.stderr = before  # or later messages, such as why a start was refused, would be stuck
