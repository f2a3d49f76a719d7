"""The page's server: uvicorn in a thread of its own, on loopback only, asleep while there are no requests."""

import asyncio
import errno
import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import uvicorn

from cribpi.web.app import page_app
from cribpi.web.companion import Companion
from cribpi.web.connections import BACKLOG, OutOfFiles, PageProtocol
from cribpi.web.stream import Stream

_HOST = "127.0.0.1"
PICTURES = 2  # threads that read pictures: one for the screen, one for the strip


class PortTaken(OSError):
    """The port can't be opened; the message names it and the option for another."""


class _Sleeper(uvicorn.Server):
    """A uvicorn server that waits for the signal to stop, where the original polls ten times a second."""

    def __init__(self, config: uvicorn.Config, stream: Stream) -> None:
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

    def tell_to_stop(self) -> None:
        """Stop serving; may be called from any thread."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self._stopping.set)


class PageServer:
    """Serves the page to browsers on this machine.

    The port is opened at once, so that a port in use is known before anything else starts; requests wait
    until :meth:`start`.

    Args:
        companion: The table behind the page.
        port: From 0 to 65535; 0 takes any free one.

    Raises:
        PortTaken: If the port is in use, or we may not open it.
    """

    def __init__(self, companion: Companion, port: int) -> None:
        self._socket = _listener(port)
        self.port: int = self._socket.getsockname()[1]
        stream = Stream(companion)
        config = uvicorn.Config(
            page_app(companion, stream),
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
        self._server = _Sleeper(config, stream)
        self._thread = threading.Thread(target=self._run, name="page", daemon=True)

    @property
    def url(self) -> str:
        """The address to open in a browser."""
        return f"http://{_HOST}:{self.port}/"

    def start(self) -> None:
        """Start to answer; return once requests are served."""
        self._thread.start()
        self._server.ready.wait()

    def stop(self) -> None:
        """End the streams, finish requests being served, and release the port."""
        if self._thread.is_alive():
            self._server.tell_to_stop()
            self._thread.join()
        self._socket.close()

    def _run(self) -> None:
        try:
            asyncio.run(self._server.serve(sockets=[self._socket]))
        finally:
            self._server.ready.set()  # releases `start` even if the server failed to start


def _listener(port: int) -> socket.socket:
    if not 0 <= port <= 65535:
        raise PortTaken(f"{port} is not a port: ports are 0 to 65535; choose another with --port")
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((_HOST, port))
        listener.listen()
    except OSError as error:
        listener.close()
        why = {
            errno.EADDRINUSE: "is taken, perhaps by another cribpi; choose another",
            errno.EACCES: "needs root; choose one from 1024 up",
            errno.EPERM: "needs root; choose one from 1024 up",
        }.get(error.errno or 0, f"can't be used: {error}; choose another")
        raise PortTaken(f"port {port} {why} with --port") from error
    return listener
