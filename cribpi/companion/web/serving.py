"""The HTTP server of page, phones and club: uvicorn in a thread that sleeps between requests.

uvicorn waits forever for a request that does not arrive, and for a client that does not read. This module
therefore limits the number of connections, their idle time, and their unread data.
"""

import asyncio
import errno
import json
import logging
import resource
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from operator import itemgetter
from typing import Any

import uvicorn
from anyio.to_thread import current_default_thread_limiter
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from cribpi.companion.web.guard import HEADERS, Guard

_LOG = logging.getLogger(__name__)

MOST = 128  # maximum number of connections; an open page needs one, and sometimes a few more
BACKLOG = 128  # maximum length of the kernel's queue of connections that are not accepted yet
TIMEOUT = 10.0  # seconds for a request to arrive, and for a client to read each part of a response
UNREAD = 8 * 1024  # maximum number of bytes buffered in this process, in either direction
SENT = 64 * 1024  # bytes that the kernel additionally buffers for a client
FAREWELL = 2.0  # seconds for pending requests when the server stops

THREADS = 8  # number of threads for handlers that are not coroutines; each has its own database connection
PICTURES = 2  # number of threads that read pictures: one for the screen, one for the strip

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def most_connections() -> int:
    """Return the number of connections of one server above which idle connections are closed.

    If no connection is idle, the limit is twice that number. The two servers together leave half of the
    process's file descriptors to the table.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 8)


class TimedProtocol(H11Protocol):
    """A connection with time limits: to receive a complete request, and for the client to read the response.

    At the maximum, a new connection replaces the one that has waited longest for its client. If none is
    waiting, the new one is served too; at twice the maximum, it gets a 503.
    """

    app: Any  # initially a `Guard`, later a partial of `_answer` around it
    deadline: asyncio.TimerHandle | None = None
    """Timer that closes the connection. It runs while the connection waits for its client."""
    answering = 0
    """Number of requests being answered."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for this connection, and start waiting for a request."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(UNREAD)
        app, others = self.app, [other for other in self.connections if isinstance(other, TimedProtocol)]
        live = [other for other in others if other.answering or other.deadline is not None]
        most = most_connections()
        if len(live) >= most:
            waiting = [(other.deadline.when(), other) for other in live if other.deadline is not None]
            for _, other in sorted(waiting, key=itemgetter(0))[: len(live) + 1 - most]:
                other.hang_up()
            if len(live) - len(waiting) >= 2 * most:
                # The 503 follows the client's request, because a client may not read before it has sent a
                # request.
                sentence = f"{len(live)} connections are open, the maximum: close a page, then try again"
                app = app.before(JSONResponse({"error": sentence}, 503, {"Connection": "close"}))
        self.app = partial(self._answer, app)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

    def send_400_response(self, msg: str) -> None:  # noqa: ARG002  uvicorn's own message is less helpful
        """Reject data that is not HTTP, and close the connection."""
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

    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Run *app* without a time limit. Only the client's time to send and to read is limited."""
        has_all = False

        async def receive_in_time() -> Message:
            nonlocal has_all
            if not has_all:
                # Twice the time, because `body_of` must time out first: it responds with a message.
                self._wait(2 * TIMEOUT)
            message = await receive()
            if not has_all:
                self._stop_waiting()
                has_all = not message.get("more_body")
            return message

        async def send_in_time(message: Message) -> None:
            body, more = message.get("body", b""), message.get("more_body", False)
            for start in range(0, len(body) or 1, UNREAD):
                end = start + UNREAD
                part = {**message, "body": body[start:end], "more_body": more or end < len(body)}
                self._wait()
                await send(part)
                self._stop_waiting()

        self.answering += 1
        self._stop_waiting()
        try:
            await app(scope, receive_in_time, send_in_time)
        finally:
            self.answering -= 1
            if not self.answering:
                self._wait()

    def _wait(self, seconds: float | None = None) -> None:
        """Start the timeout for the client's next action: sending a request, or reading the response."""
        self._stop_waiting()
        if self in self.connections:
            self.deadline = asyncio.get_running_loop().call_later(seconds or TIMEOUT, self.hang_up)

    def _stop_waiting(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def hang_up(self) -> None:
        """Close the connection at once. A client this slow would not read the unsent data either."""
        self._stop_waiting()
        self.transport.abort()


def on_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log an error of the event loop. If connections can't be accepted, the log has no traceback."""
    error = context.get("exception")
    if isinstance(error, OSError) and error.errno in _OUT_OF_FILES:
        _LOG.error(
            "no new connections now: %s; it tries again every second, and the game goes on",
            (error.strerror or str(error)).lower(),
        )
    else:
        loop.default_exception_handler(context)


class Server:
    """A thread that serves an application.

    Args:
        app: The application, behind a `Guard`.
        sockets: Sockets bound to the addresses. :meth:`stop` closes them.
        name: Name of the thread.
        end: Called when the server stops, to end the event streams.
    """

    def __init__(
        self, app: Guard, sockets: Sequence[socket.socket], name: str, end: Callable[[], None] = lambda: None
    ) -> None:
        self._sockets = sockets
        for listener in sockets:  # connections inherit these sizes; the kernel's defaults are megabytes
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT)
        self._end = end
        self._config = uvicorn.Config(
            app,
            interface="asgi3",
            ws="none",
            lifespan="off",
            log_config=None,
            log_level="error",
            access_log=False,
            proxy_headers=False,
            timeout_keep_alive=round(TIMEOUT),
        )
        self._ready = threading.Event()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stopping = asyncio.Event()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Start the thread, and wait until it serves requests."""
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        """End the event streams, finish pending requests, and release the port. Thread-safe."""
        if self._thread.is_alive():
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        for listener in self._sockets:
            listener.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:
            self._ready.set()  # release `start` even if the server has failed to start

    async def _serve(self) -> None:
        """Serve until `stop` is called.

        Then close the remaining connections, which would never be answered.
        """
        self._loop = loop = asyncio.get_running_loop()
        loop.set_exception_handler(on_fault)
        loop.set_default_executor(ThreadPoolExecutor(PICTURES, "picture"))
        current_default_thread_limiter().total_tokens = THREADS
        state = ServerState()
        protocol = partial(TimedProtocol, self._config, state, {})
        servers = [await loop.create_server(protocol, sock=each, backlog=BACKLOG) for each in self._sockets]
        self._ready.set()
        await self._stopping.wait()
        self._end()
        # Stop accepting, then let asyncio set up the connections just accepted. This takes two rounds of the
        # event loop; a connection in between would be lost when the server closes.
        for listener in self._sockets:
            loop.remove_reader(listener)
        for _ in range(2):
            await asyncio.sleep(0)
        for server in servers:
            server.close()
        if state.tasks:
            await asyncio.wait(state.tasks, timeout=FAREWELL)
        for connection in [*state.connections]:
            if isinstance(connection, TimedProtocol):
                connection.hang_up()
