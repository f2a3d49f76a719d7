"""The page's server: uvicorn in its own thread, on loopback only, asleep while there are no requests."""

import asyncio
import errno
import socket
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Protocol

import uvicorn
from starlette.types import ASGIApp

from cribpi.companion.web.app import page_app
from cribpi.companion.web.board import BoardClient
from cribpi.companion.web.connections import BACKLOG, OutOfFiles, PageProtocol
from cribpi.companion.web.phones.door import PhoneStreams, phone_app
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.stream import Stream
from cribpi.cribbage.rules.errors import UserError

_HOST = "127.0.0.1"
PICTURES = 2  # threads that read pictures: one for the screen, one for the strip


class PortTaken(UserError, OSError):
    """The port can't be opened; the message names it and the option for another."""


class Streams(Protocol):
    """The event streams of a server: they begin with it, and end with it."""

    def open(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to tell; the streams are served in *loop*."""

    def close(self) -> None:
        """End every stream.  Must be called in the loop."""

    def __len__(self) -> int:
        """Return the number of open streams."""


class _IdleServer(uvicorn.Server):
    """A uvicorn server that waits for the signal to stop, where the original polls ten times a second."""

    def __init__(self, config: uvicorn.Config, stream: Streams) -> None:
        super().__init__(config)
        self.ready = threading.Event()
        self._stream = stream
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
        self._stream.open(self._loop)
        self.ready.set()
        await self._stopping.wait()
        self._stream.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop accepting, finish what is being served, and hang up on who is left.

        The original leaves those open that came at the last moment, or whose answer takes too long; they
        would wait for a server that is gone until the program ends.
        """
        await self._let_in()
        await super().shutdown(sockets)
        for one in list(self.server_state.connections):
            if isinstance(one, PageProtocol):
                one.transport.abort()

    async def _let_in(self) -> None:
        """Accept no more, and make connections of those just accepted.

        asyncio does that in two rounds of the loop; it drops whoever is between them when a server closes.
        """
        loop = asyncio.get_running_loop()
        for server in self.servers:
            for listener in server.sockets:
                loop.remove_reader(listener)
        for _ in range(2):
            await asyncio.sleep(0)

    def tell_to_stop(self) -> None:
        """Stop serving; may be called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)


class _Server:
    """An application that is served on *sockets* by a thread of its own, called *name*."""

    def __init__(self, app: ASGIApp, streams: Streams, sockets: Sequence[socket.socket], name: str) -> None:
        self._sockets = list(sockets)
        config = uvicorn.Config(
            app,
            interface="asgi3",
            loop="asyncio",
            http=PageProtocol,
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
        self._server = _IdleServer(config, streams)
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


class PageServer(_Server):
    """Serves the page to browsers on this machine.

    The port is opened at once, so that a port in use is known before anything else starts; requests wait
    until :meth:`start`.

    Args:
        companion: The table behind the page.
        port: From 0 to 65535; 0 takes any free one.

    Raises:
        PortTaken: If the port is in use, or we may not open it.
    """

    def __init__(self, companion: BoardClient, port: int) -> None:
        listener = _listener(port)
        self.port: int = listener.getsockname()[1]
        stream = Stream(companion, companion.glass)
        super().__init__(page_app(companion, stream), stream, [listener], "page")

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        return f"http://{_HOST}:{self.port}/"


class PhoneServer(_Server):
    """Serves phones at this machine's own *addresses*, on *port*; each sees what its role may.

    Raises:
        OSError: If the port can't be opened there.
    """

    def __init__(
        self, door: TablePhones, addresses: Sequence[str], port: int, names: Sequence[str] = ()
    ) -> None:
        with ExitStack() as failed:
            listeners = [failed.enter_context(_bound(address, port)) for address in addresses]
            failed.pop_all()
        streams = PhoneStreams()
        hosts = frozenset(
            name for host in (*addresses, *names) for name in (host.lower(), f"{host.lower()}:{port}")
        )
        super().__init__(
            phone_app(door, streams, lambda host: host.lower() in hosts), streams, listeners, "phones"
        )


def _listener(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise PortTaken(f"{port} is not a port: ports are 0 to 65535; choose another with --port")
    try:
        return _bound(_HOST, port)
    except OSError as error:
        why = {
            errno.EADDRINUSE: "is taken, perhaps by another cribpi; choose another",
            errno.EACCES: "needs root; choose one from 1024 up",
            errno.EPERM: "needs root; choose one from 1024 up",
        }.get(error.errno or 0, f"can't be used: {error}; choose another")
        raise PortTaken(f"port {port} {why} with --port") from error


def _bound(address: str, port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((address, port))
        listener.listen()
    except OSError:
        listener.close()
        raise
    return listener
