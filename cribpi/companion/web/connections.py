"""Limits on the server's connections: their number, their silence, and what is logged about them.

uvicorn's HTTP/1.1 waits forever for a request that does not come, and does not count a connection before its
first request.
"""

import asyncio
import errno
import json
import logging
import resource
from collections.abc import Mapping
from operator import itemgetter
from typing import Any

from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cribpi.companion.web.guard import HEADERS, Guard

_LOG = logging.getLogger(__name__)

MOST = 512  # connections; an open page needs one, and sometimes a few more
BACKLOG = 128  # connections accepted at once, before they are counted
REQUEST_TIMEOUT = 10.0  # seconds for a request to arrive, from the connection or the previous answer
QUIET = 600.0  # seconds without running out of files, after which it is logged again

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def most_connections() -> int:
    """Return the most connections allowed: half of the file descriptors are for the table."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


class PageProtocol(H11Protocol):
    """One connection, closed if no complete request arrives in time.

    One too many replaces the one that has waited longest for a request; if all are busy, it is answered 503.
    """

    deadline: asyncio.TimerHandle | None = None
    """When it is closed, while it waits for a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, and make room for this connection."""
        super().connection_made(transport)
        self._watch()
        others = [
            one
            for one in self.connections
            if isinstance(one, PageProtocol) and one is not self and not one.transport.is_closing()
        ]
        if len(others) < most_connections():
            return
        waiting = [(one.deadline.when(), one) for one in others if one.deadline is not None]
        if waiting:
            min(waiting, key=itemgetter(0))[1].transport.abort()
        else:
            self.app = _unavailable(
                self.app, len(others)
            )  # answered after its request: a client may not read before

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._unwatch()

    def data_received(self, data: bytes) -> None:
        """Receive data; the clock runs on until it makes a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's own message says less
        """Refuse what never reaches the application, and close the connection."""
        body = json.dumps({"error": "this is not an HTTP request: open the page in a browser"})
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": len(body),
            "Connection": "close",
        }
        lines = ["HTTP/1.1 400 Bad Request", *(f"{name}: {value}" for name, value in headers.items())]
        self.transport.write("\r\n".join([*lines, "", body]).encode())
        self.transport.close()

    def _watch(self) -> None:
        """Start the clock for the next request, unless it is running; a request being served has no limit."""
        cycle: RequestResponseCycle | None = self.cycle
        if self.transport.is_closing() or (cycle is not None and not cycle.response_complete):
            self._unwatch()
        elif self.deadline is None:
            # `abort`, not `close`: a client this slow won't fetch what is still unsent either.
            self.deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _unwatch(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None


def _unavailable(app: Any, connections: int) -> Any:  # noqa: ANN401  uvicorn and starlette each have their own name for it
    sentence = f"{connections} connections are open, which is the most: close a page, then try again"
    answer = JSONResponse({"error": sentence}, 503, {"Connection": "close"})
    return (app if isinstance(app, Guard) else Guard(app)).before(answer)


class OutOfFiles:
    """The loop's exception handler: logs only once in a while that no connection can be accepted."""

    def __init__(self) -> None:
        self._quiet_until = float("-inf")

    def __call__(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        """Log *context*, as the loop would for anything else."""
        error = context.get("exception")
        if not (isinstance(error, OSError) and error.errno in _OUT_OF_FILES):
            loop.default_exception_handler(dict(context))
            return
        if loop.time() >= self._quiet_until:
            _LOG.error(
                "the page can't take new connections now: %s; it tries again every second, and the game "
                "goes on",
                (error.strerror or str(error)).lower(),
            )
        self._quiet_until = loop.time() + QUIET
