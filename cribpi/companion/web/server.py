"""The HTTP servers of the local page and of the phones."""

import errno
import socket
from collections.abc import Sequence
from contextlib import ExitStack

from cribpi.companion.web.app import page_app
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.phones.door import PhoneStreams, phone_app
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.serving import Server
from cribpi.companion.web.stream import Stream
from cribpi.cribbage.rules.errors import UserError

_HOST = "127.0.0.1"


class PortTaken(UserError, OSError):
    """The port can't be opened. The message names the port, and the option to select another one."""


class PageServer(Server):
    """Serves the page to browsers on this machine.

    The constructor opens the port, so that a port in use is reported before anything else starts. Requests
    are answered only after :meth:`start`.

    Args:
        companion: The client that provides the page's data.
        port: 0 to 65535; 0 takes any free port.

    Raises:
        PortTaken: If the port is in use, or opening it is not permitted.
    """

    def __init__(self, companion: BoardClient, port: int) -> None:
        if not 0 <= port <= 65535:
            raise PortTaken(f"{port} is not a port: ports are 0 to 65535; choose another with --port")
        try:
            listener = _bound(_HOST, port)
        except OSError as error:
            root = "needs root; choose one from 1024 up"
            why = {
                errno.EADDRINUSE: "is taken, perhaps by another cribpi; choose another",
                errno.EACCES: root,
                errno.EPERM: root,
            }.get(error.errno or 0, f"can't be used: {error}; choose another")
            raise PortTaken(f"port {port} {why} with --port") from error
        self.port: int = listener.getsockname()[1]
        self._stream = stream = Stream(companion, companion.glass)
        super().__init__(page_app(companion, stream), [listener], "page", stream.close)

    @property
    def url(self) -> str:
        """Address to open in a browser."""
        return f"http://{_HOST}:{self.port}/"


class PhoneServer(Server):
    """Serves phones on *port* at *addresses* of this machine. *names* are further valid Host headers.

    Raises:
        OSError: If the port can't be opened.
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
            phone_app(door, streams, lambda host: host.lower() in hosts), listeners, "phones", streams.close
        )


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
