"""The HTTP server of page, phones and club: uvicorn in its own thread, which sleeps between requests.

uvicorn's HTTP/1.1 waits forever for a request that does not come, and does not count a connection before its
first request; so here are limits on connections: their number, their silence, and what is logged about them.
"""

import asyncio
import errno
import json
import logging
import resource
import socket
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from operator import itemgetter
from typing import Any

import uvicorn
from starlette.responses import JSONResponse
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from cribpi.companion.web.guard import HEADERS, Guard

_LOG = logging.getLogger(__name__)

MOST = 512  # connections; an open page needs one, and sometimes a few more
BACKLOG = 128  # connections accepted at once, before they are counted
REQUEST_TIMEOUT = 10.0  # seconds for a request to arrive, from the connection or the previous answer
QUIET = 600.0  # seconds without running out of files, after which it is logged again

PICTURES = 2  # threads that read pictures: one for the screen, one for the strip

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def most_connections() -> int:
    """Return the most connections allowed: half of the file descriptors are for the table."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 2)


class TimedProtocol(H11Protocol):
    """One connection, closed if no complete request arrives in time.

    One too many replaces the one that has waited longest for a request; if all are busy, it is answered 503.
    """

    app: Any  # a `Guard`
    deadline: asyncio.TimerHandle | None = None
    """When it is closed, while it waits for a request."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, and make room for this connection."""
        super().connection_made(transport)
        self._watch()
        others = [
            one
            for one in self.connections
            if isinstance(one, TimedProtocol) and one is not self and not one.transport.is_closing()
        ]
        if len(others) < most_connections():
            return
        waiting = [(one.deadline.when(), one) for one in others if one.deadline is not None]
        if waiting:
            min(waiting, key=itemgetter(0))[1].transport.abort()
        else:
            # Answered after its request: a client may not read before.
            sentence = f"{len(others)} connections are open, the maximum: close a page, then try again"
            self.app = self.app.before(JSONResponse({"error": sentence}, 503, {"Connection": "close"}))

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
                "no new connections now: %s; it tries again every second, and the game goes on",
                (error.strerror or str(error)).lower(),
            )
        self._quiet_until = loop.time() + QUIET


class IdleServer(uvicorn.Server):
    """A uvicorn server that waits for the signal to stop, where the original polls ten times a second."""

    def __init__(self, config: uvicorn.Config, end: Callable[[], None]) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._end = end
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(OutOfFiles())
        loop.set_default_executor(ThreadPoolExecutor(PICTURES, "picture"))
        await super().startup(sockets)

    async def main_loop(self) -> None:
        """Serve until told to stop, then end the event streams, which would never end by themselves."""
        await self.on_tick(0)  # sets the headers that uvicorn adds to every answer
        self._loop = asyncio.get_running_loop()
        self.ready.set()
        await self._stopping.wait()
        self._end()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, finish what is being served, and hang up on who is left.

        The original leaves those open that came at the last moment, or whose answer takes too long; they
        would wait for a server that is gone until the program ends.
        """
        # Accept no more, and make connections of those just accepted.  asyncio does that in two rounds of the
        # loop, and loses a connection that is between them when a server closes.
        loop = asyncio.get_running_loop()
        for server in self.servers:
            for listener in server.sockets:
                loop.remove_reader(listener)
        for _ in range(2):
            await asyncio.sleep(0)
        await super().shutdown(sockets)
        for one in list(self.server_state.connections):
            if isinstance(one, TimedProtocol):
                one.transport.abort()

    def tell_to_stop(self) -> None:
        """Stop serving; may be called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)


class Server:
    """A thread that serves an application.

    Args:
        app: The application, behind a `Guard`.
        sockets: Bound to the addresses to serve at; closed by :meth:`stop`.
        name: The name of the thread.
        end: Called when the server stops, to end the answers that never end by themselves.
    """

    def __init__(
        self, app: Guard, sockets: Sequence[socket.socket], name: str, end: Callable[[], None] = lambda: None
    ) -> None:
        self._sockets = list(sockets)
        config = uvicorn.Config(
            app,
            interface="asgi3",
            loop="asyncio",
            http=TimedProtocol,
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            server_header=False,
            date_header=False,
            timeout_graceful_shutdown=2,
            backlog=BACKLOG,
        )
        self._server = IdleServer(config, end)
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start to answer; return once requests are served."""
        self._thread.start()
        self._server.ready.wait()

    def stop(self) -> None:
        """End the streams, finish requests being served, and release the port."""
        if self._thread.is_alive():
            self._server.tell_to_stop()
            self._thread.join()
        for one in self._sockets:
            one.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._server.serve(sockets=self._sockets))
        finally:
            self._server.ready.set()  # releases `start` even if the server failed to start
