"""This board's name on the home's network by mDNS (RFC 6762): `cribpi.local`, or beside it `cribpi-2.local`.

It needs python-zeroconf; without it, phones use the plain address.
"""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

_LOG: Final = logging.getLogger(__name__)

MOST_BOARDS: Final = 9
"""Boards of one name in a house, at the most."""
ASKING: Final = 1500
"""Milliseconds in which another board of that name answers."""
_HTTP: Final = "_http._tcp.local."


@dataclass(frozen=True, slots=True)
class Announced:
    """A name that phones find, and what takes it back."""

    host: str
    """The name, such as `cribpi.local`; empty if the board has no name."""
    stop: Callable[[], None]


def names_of(name: str) -> tuple[str, ...]:
    """Return all that a board called *name* may come to be called, if others have that name.

    >>> names_of("oak")[:2]
    ('oak.local', 'oak-2.local')
    """
    return tuple(f"{_numbered(name, number)}.local" for number in range(1, MOST_BOARDS + 1))


def _numbered(name: str, number: int) -> str:
    return name if number == 1 else f"{name}-{number}"


UNNAMED: Final = Announced("", lambda: None)


def announce(name: str, addresses: Sequence[str], port: int) -> Announced:
    """Tell the home's network that *name* is at *addresses*; it takes up to two seconds.

    Where another board has that name, this one has a number behind it.  What fails is logged, and there is no
    name then.
    """
    try:
        import zeroconf  # noqa: PLC0415  an extra, and only where phones are let in
    except ImportError:
        return UNNAMED
    try:
        network = zeroconf.Zeroconf(interfaces=list(addresses), ip_version=zeroconf.IPVersion.V4Only)
    except OSError as error:
        _LOG.warning("phones find no name for this board, but its address: %s", error)
        return UNNAMED
    try:
        host = _free(zeroconf, network, name)
        info = zeroconf.ServiceInfo(
            _HTTP,
            f"{host}.{_HTTP}",
            addresses=[socket.inet_aton(address) for address in addresses],
            port=port,
            properties={"path": "/"},
            server=f"{host}.local.",
        )
        network.register_service(info, allow_name_change=True)
    except (zeroconf.Error, OSError) as error:
        network.close()
        _LOG.warning("phones find no name for this board, but its address: %s", error)
        return UNNAMED
    return Announced(f"{host}.local", network.close)


def _free(zeroconf: Any, network: Any, name: str) -> str:  # noqa: ANN401  the library, loaded only where it is used
    """Return *name*, or with a number behind it, as no other board has it."""
    for number in range(1, MOST_BOARDS + 1):
        host = _numbered(name, number)
        if not zeroconf.AddressResolverIPv4(f"{host}.local.").request(network, ASKING):
            return host
    return name
