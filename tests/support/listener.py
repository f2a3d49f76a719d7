"""A small server on loopback, with a thread per connection."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress


class Listener:
    """Listens at a free *port* of *host*. A subclass calls this constructor last, and implements `serve`."""

    def __init__(self, host: str = "127.0.0.1") -> None:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self._server = socket.create_server((host, 0), family=family)
        self.port = int(self._server.getsockname()[1])
        self.lines: list[socket.socket] = []
        """All connections, including closed ones."""
        threading.Thread(target=self._accept, daemon=True).start()

    def serve(self, line: socket.socket) -> None:
        """Serve a connection. Runs in a thread."""
        raise NotImplementedError

    def close(self) -> None:
        for line in (self._server, *self.lines):
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
            line.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                line, _ = self._server.accept()
                self.lines.append(line)
                threading.Thread(target=self.serve, args=(line,), daemon=True).start()
