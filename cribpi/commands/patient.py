"""A stderr that never blocks. A full pipe without a reader must not delay the program or its exit."""

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
"""Maximum number of queued bytes. Further messages are dropped, and their number is logged."""

PATIENCE: Final = 1.0
"""Timeout in seconds for writing the queued messages at exit."""


class NonBlockingStream(io.TextIOBase):
    """A text stream to the file descriptor *target*, written by its own thread.

    It bypasses Python's buffered stream: if a blocked thread held that stream's lock, the interpreter would
    abort at exit.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, target: int) -> None:
        super().__init__()
        self._target = target
        self._waiting: deque[bytes] = deque()
        self._queued_bytes = 0
        self._dropped = 0
        # The condition's lock is reentrant: `write` may trigger a warning, which calls `write` again.
        self._news = threading.Condition()
        threading.Thread(target=self._run, name="stderr", daemon=True).start()

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._target

    def isatty(self) -> bool:
        return os.isatty(self._target)

    def write(self, text: str) -> int:
        """Queue *text* and return its length. Never blocks or raises."""
        data = text.encode(self.encoding, self.errors)
        with self._news:
            if self._queued_bytes + len(data) > ROOM:
                self._dropped += 1
            else:
                self._waiting.append(data)
                self._queued_bytes += len(data)
            self._news.notify_all()
        return len(text)

    def flush(self) -> None:
        """Do nothing, because `write` must not block. Call `drain` to wait."""

    def drain(self, seconds: float) -> bool:
        """Wait for at most *seconds* until all queued text is written. Return whether it is."""
        with self._news:
            return self._news.wait_for(lambda: not self._queued_bytes, seconds)

    def _run(self) -> None:
        while True:
            with self._news:
                self._news.wait_for(lambda: self._waiting)
                data = self._waiting.popleft()
            self._send(data)
            with self._news:
                self._queued_bytes -= len(data)
                if not self._waiting and self._dropped:
                    dropped, self._dropped = self._dropped, 0
                    self.write(f"cribpi: messages dropped, because nothing was reading: {dropped}\n")
                self._news.notify_all()

    def _send(self, data: bytes) -> None:
        """Write *data*, which may block. If the reader has closed the pipe, the data is dropped."""
        with suppress(OSError, ValueError):
            while data:
                try:
                    data = data[os.write(self._target, data) :]
                except BlockingIOError:  # another program has made the shared terminal non-blocking
                    select.select([], [self._target], [])


@contextmanager
def patient_stderr(patience: float = PATIENCE) -> Iterator[None]:
    """Replace stderr with a `NonBlockingStream`. At the end, wait up to *patience* seconds for its writes.

    Without an open descriptor, stderr is not replaced.
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
            sys.stderr = before  # so that later messages, such as the reason of a failure, are not lost
