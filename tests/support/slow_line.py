"""A connection to a broker that can be slow, or blocked."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from support.listener import Listener


class SlowLine(Listener):
    """Forwards data from its *port*, in pieces of at most *most* bytes and with pauses of *pause* seconds."""

    def __init__(self, target: int, most: int, pause: float) -> None:
        self._target, self._most, self._pause = target, most, pause
        self.free = threading.Event()
        """Event that is cleared to block data in both directions."""
        self.free.set()
        self.handed_on = 0
        """Number of bytes forwarded to the broker."""
        super().__init__()

    def close(self) -> None:
        self.free.set()
        super().close()

    def serve(self, line: socket.socket) -> None:
        with suppress(OSError):
            far = socket.create_connection(("127.0.0.1", self._target))
            self.lines.append(far)
            threading.Thread(target=self._hand_on, args=(far, line), daemon=True).start()
            self._hand_on(line, far)

    def _hand_on(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while piece := one.recv(self._most):
                self.free.wait()
                other.sendall(piece)
                if other.getpeername()[1] == self._target:
                    self.handed_on += len(piece)
                time.sleep(self._pause)
        for line in (one, other):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


@contextmanager
def slow_line(target: int, most: int = 4096, pause: float = 0.0) -> Iterator[SlowLine]:
    line = SlowLine(target, most, pause)
    try:
        yield line
    finally:
        line.close()
