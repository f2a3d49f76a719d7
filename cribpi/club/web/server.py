"""The HTTP server of the desk's website."""

from __future__ import annotations

import ipaddress
import socket
import threading
from collections.abc import Callable
from typing import Final

from cribpi.club.web.app import Site
from cribpi.companion.web.serving import Server
from cribpi.cribbage.rules.errors import UserError

HOME: Final = ("local", "lan", "home", "home.arpa", "internal", "localdomain", "fritz.box")
"""Domain suffixes of local machines, from routers and mDNS. They can't be registered publicly."""


def is_ours(host: str) -> bool:
    """Return whether *host* is an IP address or a local name of this machine.

    Rejecting other names prevents DNS rebinding: an attacker can point their own domain at this machine, but
    can't control an IP address or a local name.

    >>> is_ours("192.168.1.5:8131"), is_ours("[::1]:8131"), is_ours("localhost"), is_ours("club.example:8131")
    (True, True, True, False)
    """
    name = host.lower().rpartition(":")[0] if "]:" in host or host.count(":") == 1 else host.lower()
    try:
        return bool(ipaddress.ip_address(name.strip("[]")))
    except ValueError:
        own = socket.gethostname().lower()
        short = own.split(".")[0]
        return name in {"localhost", own, short, *(f"{short}.{home}" for home in HOME)}


def serve(site: Site, address: str, port: int, serves: Callable[[Callable[[], None]], None]) -> None:
    """Serve *site* until it is stopped.

    *serves* is called once it runs, with the function that stops it.

    Raises:
        UserError: If the port can't be opened.
    """
    with socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET) as listener:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((address, port))
        except OSError as bad:
            why = (bad.strerror or type(bad).__name__).lower()
            raise UserError(f"port {port} can't be opened at {address} ({why}): see --listen") from None
        done = threading.Event()
        server = Server(site.app(is_ours), [listener], "club")
        server.start()
        try:
            serves(done.set)
            done.wait()
        finally:
            server.stop()
