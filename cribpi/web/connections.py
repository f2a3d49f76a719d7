"""The connections to the page's server: how many there may be, how long each may be silent, and what is said
by itself.

uvicorn's HTTP/1.1 waits for ever for a request that does not come, and counts no connection before one has
come.
"""

import asyncio
import errno
import json
import logging
import resource
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cribpi.web.guard import HEADERS, Guard

_LOG = logging.getLogger(__name__)

MOST = 512  # connections; an open page needs one, and now and then a few more
BACKLOG = 128  # connections that are accepted together, before they are counted
REQUEST_TIMEOUT = (
    10.0  # seconds for a request's headers, from the connection's beginning or the answer before
)
QUIET = 600.0  # seconds without running out of files, after which that is worth saying again

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def most_connections() -> int:
    """Return how many connections there may be: half of the files that may be open are for the table."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


class PageProtocol(H11Protocol):
    """One connection.

    It is ended where no whole request comes in time.  One too many takes the place of the one that has waited
    for a request the longest; where all have one in hand, it is answered 503.
    """

    deadline: asyncio.TimerHandle | None = None
    """When it is ended, while it waits for a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, and make room for this connection."""
        super().connection_made(transport)
        self._watch()
        if len(self.connections) > most_connections():
            self._take_place()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait for nothing any more."""
        super().connection_lost(exc)
        self._unwatch()

    def data_received(self, data: bytes) -> None:
        """Take what has come; the time goes on until it is a request."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        super().on_response_complete()
        self._watch()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's words, which say less
        """Refuse what no application can be asked about, and hang up."""
        self._refuse(HTTPStatus.BAD_REQUEST, "this is not an HTTP request: open the page in a browser")

    def _watch(self) -> None:
        """Give the next request its time, from now or as it is given already; one in hand has all the time it
        needs.
        """
        cycle: RequestResponseCycle | None = self.cycle
        if self.transport.is_closing() or (cycle is not None and not cycle.response_complete):
            self._unwatch()
        elif self.deadline is None:
            # What is still unsent then will not be fetched either, so nothing is waited for.
            self.deadline = self.loop.call_later(REQUEST_TIMEOUT, self.transport.abort)

    def _unwatch(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _take_place(self) -> None:
        """Have the one that has waited longest give way, or prepare to say that none does."""
        others = [
            other for other in self.connections if other is not self and not other.transport.is_closing()
        ]
        if len(others) < most_connections():
            return
        waiting = {
            other: other.deadline.when()
            for other in others
            if isinstance(other, PageProtocol) and other.deadline is not None
        }
        if waiting:
            min(waiting, key=waiting.__getitem__).transport.abort()
        else:
            self.app = _unavailable(len(others))  # it is told when it has asked: before, it might not listen

    def _refuse(self, status: HTTPStatus, sentence: str) -> None:
        """Answer with *sentence* in the place of the application, and hang up."""
        body = json.dumps({"error": sentence})
        headers = {
            **HEADERS,
            "Content-Type": "application/json",
            "Content-Length": len(body),
            "Connection": "close",
        }
        lines = [
            f"HTTP/1.1 {status} {status.phrase}",
            *(f"{name}: {value}" for name, value in headers.items()),
        ]
        self.transport.write("\r\n".join([*lines, "", body]).encode())
        self.transport.close()


def _unavailable(connections: int) -> Any:  # noqa: ANN401  uvicorn and starlette each have their own name for it
    sentence = f"{connections} connections are open, which is the most: close a page, then try again"
    return Guard(JSONResponse({"error": sentence}, HTTPStatus.SERVICE_UNAVAILABLE, {"Connection": "close"}))


class OutOfFiles:
    """The loop's exception handler: that no connection can be accepted is said once, however often it is
    tried.
    """

    def __init__(self) -> None:
        self._quiet_until = float("-inf")

    def __call__(self, loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]) -> None:
        """Say what *context* tells of, in the loop's own words where it is anything else."""
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
