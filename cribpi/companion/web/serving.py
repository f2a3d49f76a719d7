"""The HTTP server of page, phones and club: uvicorn in its own thread, which sleeps between requests.

uvicorn waits forever for a request that does not come, and for a client that does not read; so here are
limits on connections: their number, their silence, and what they leave unread.
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

MOST = 128  # connections; an open page needs one, and sometimes a few more
BACKLOG = 128  # connections accepted at once, before they are counted
TIMEOUT = 10.0  # seconds for a request to arrive, and for each part of an answer to be read
UNREAD = 8 * 1024  # bytes that wait to be read, by us or by a client
SENT = 64 * 1024  # bytes that the kernel keeps for a client, beside them
FAREWELL = 2.0  # seconds for what is being answered when the server stops

THREADS = 8  # for what Starlette has answered by a thread, with a connection to the database
PICTURES = 2  # threads that read pictures: one for the screen, one for the strip

_OUT_OF_FILES = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}


def most_connections() -> int:
    """Return the most connections of one server, unless all are being answered: then as many again.

    Half of the file descriptors are left to the table.
    """
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST if files == resource.RLIM_INFINITY else min(MOST, files // 8)  # page and phones: two servers


class TimedProtocol(H11Protocol):
    """One connection, closed if no complete request arrives in time, or if an answer is not read.

    At the maximum, a new connection replaces the one that has waited longest for its client.  If none waits,
    it is served beside them; at twice the maximum, it is answered 503.
    """

    app: Any  # a `Guard`, and then what answers with it
    deadline: asyncio.TimerHandle | None = None
    """When it is closed, while it waits for its client."""
    answering = 0
    """How many requests are."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request, and make room for this connection."""
        super().connection_made(transport)
        transport.set_write_buffer_limits(UNREAD)
        app, others = self.app, [one for one in self.connections if isinstance(one, TimedProtocol)]
        taken = [one for one in others if one.answering or one.deadline is not None]
        most = most_connections()
        if len(taken) >= most:
            waiting = [(one.deadline.when(), one) for one in taken if one.deadline is not None]
            for _, one in sorted(waiting, key=itemgetter(0))[: len(taken) + 1 - most]:
                one.hang_up()
            if len(taken) - len(waiting) >= 2 * most:
                # Answered after its request: a client may not read before.
                sentence = f"{len(taken)} connections are open, the maximum: close a page, then try again"
                app = app.before(JSONResponse({"error": sentence}, 503, {"Connection": "close"}))
        self.app = partial(self._answer, app)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._stop_waiting()

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

    async def _answer(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Run *app* without a time limit; limit the client's time to send and to read."""
        has_all = False

        async def receive_in_time() -> Message:
            nonlocal has_all
            if not has_all:
                self._wait(2 * TIMEOUT)  # whoever reads the body gives up before, and says so
            message = await receive()
            if not has_all:
                self._stop_waiting()
                has_all = not message.get("more_body")
            return message

        async def send_in_time(message: Message) -> None:
            body, more = message.get("body", b""), message.get("more_body", False)
            for at in range(0, len(body) or 1, UNREAD):
                is_last = at + UNREAD >= len(body)
                part = {**message, "body": body[at : at + UNREAD], "more_body": more or not is_last}
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
        """Start the clock for what the client has to do next: ask, or read what it is sent."""
        self._stop_waiting()
        if self in self.connections:
            self.deadline = asyncio.get_running_loop().call_later(seconds or TIMEOUT, self.hang_up)

    def _stop_waiting(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def hang_up(self) -> None:
        """Close the connection at once: a client this slow won't fetch what is still unsent either."""
        self._stop_waiting()
        self.transport.abort()


def on_fault(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Log a fault of the *loop*; a sentence, if no connection can be accepted."""
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
        sockets: Bound to the addresses to serve at; closed by :meth:`stop`.
        name: The name of the thread.
        end: Called when the server stops, to end the answers that never end by themselves.
    """

    def __init__(
        self, app: Guard, sockets: Sequence[socket.socket], name: str, end: Callable[[], None] = lambda: None
    ) -> None:
        self._sockets = sockets
        for one in sockets:  # each connection inherits it; the kernel would keep megabytes for it
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, UNREAD)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENT)
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
        """Start to answer; return once requests are served."""
        self._thread.start()
        self._ready.wait()

    def stop(self) -> None:
        """End the streams, finish requests being served, and release the port; any thread may call."""
        if self._thread.is_alive():
            if self._loop is not None:
                self._loop.call_soon_threadsafe(self._stopping.set)
            self._thread.join()
        for one in self._sockets:
            one.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        finally:
            self._ready.set()  # releases `start` even if the server failed to start

    async def _serve(self) -> None:
        """Serve until told to stop, and hang up on who is left then.

        They would wait for a server that is gone until the program ends.
        """
        self._loop = loop = asyncio.get_running_loop()
        loop.set_exception_handler(on_fault)
        loop.set_default_executor(ThreadPoolExecutor(PICTURES, "picture"))
        current_default_thread_limiter().total_tokens = THREADS
        state = ServerState()
        made = partial(TimedProtocol, self._config, state, {})
        servers = [await loop.create_server(made, sock=one, backlog=BACKLOG) for one in self._sockets]
        self._ready.set()
        await self._stopping.wait()
        self._end()  # of the event streams, which would never end by themselves
        # Accept no more, and make connections of those just accepted.  asyncio does that in two rounds of the
        # loop, and loses a connection that is between them when a server closes.
        for listener in self._sockets:
            loop.remove_reader(listener)
        for _ in range(2):
            await asyncio.sleep(0)
        for server in servers:
            server.close()
        if state.tasks:
            await asyncio.wait(state.tasks, timeout=FAREWELL)
        for one in [*state.connections]:
            if isinstance(one, TimedProtocol):
                one.hang_up()
