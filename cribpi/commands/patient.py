"""An error stream that never waits: a pipe that is full, as nobody reads it, holds up neither answer nor
end.
"""

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
"""Bytes that wait to be read at the most; what comes after them is dropped, and counted."""

PATIENCE: Final = 1.0
"""Seconds that the last words get at the end."""


class PatientStream(io.TextIOBase):
    """A text stream to the file descriptor *target*, written to by a thread of its own.

    The descriptor is written to directly: a lock of Python's own that a blocked thread held would end the
    interpreter with an abort.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, target: int) -> None:
        super().__init__()
        self._target = target
        self._waiting: deque[bytes] = deque()
        self._held = 0
        self._dropped = 0
        self._news = threading.Condition()  # its lock may be taken again by who has it: a warning in `write`
        threading.Thread(target=self._run, name="stderr", daemon=True).start()

    def writable(self) -> bool:
        """Return True: it can be written to."""
        return True

    def fileno(self) -> int:
        """Return the descriptor that it writes to."""
        return self._target

    def isatty(self) -> bool:
        """Tell whether a terminal reads it."""
        return os.isatty(self._target)

    def write(self, text: str) -> int:
        """Take *text* and return its length; this never waits for whoever reads it, and never raises."""
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
        """Do nothing: `drain` waits, and for no longer than it is told."""

    def drain(self, seconds: float) -> bool:
        """Wait *seconds* at most until all is written; return whether it is."""
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
                    said = (
                        f"cribpi: {self._dropped} messages were dropped, as nothing was reading "
                        "them\n".encode()
                    )
                    self._dropped = 0
                    self._waiting.append(said)
                    self._held += len(said)
                self._news.notify_all()

    def _send(self, data: bytes) -> None:
        """Write *data*, however long that takes; what a reader who is gone would have read is lost."""
        with suppress(OSError, ValueError):
            while data:
                try:
                    data = data[os.write(self._target, data) :]
                except BlockingIOError:  # another program has made the terminal that we share so
                    select.select([], [self._target], [])


@contextmanager
def patient_stderr(patience: float = PATIENCE) -> Iterator[None]:
    """Have all that goes to stderr written by a thread of its own; at the end it gets *patience* seconds.

    A stream that has no descriptor, or none that is open, is left as it is.
    """
    before = sys.stderr
    try:
        target = before.fileno()
        os.fstat(target)
    except (AttributeError, OSError, ValueError):
        yield
        return
    before.flush()
    stream = PatientStream(target)
    sys.stderr = stream
    try:
        yield
    finally:
        if stream.drain(patience) and select.select([], [target], [], 0)[1]:
            sys.stderr = before  # else what is still to be said, as why a start was refused, would wait
