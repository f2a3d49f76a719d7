"""How phones find this machine: its addresses on the home's network, and its name there.

The name is told by mDNS (RFC 6762): `cribpi.local`, or beside it `cribpi-2.local`.  It needs python-zeroconf;
without it, phones use the plain address.
"""

from __future__ import annotations

import ipaddress
import logging
import socket
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from cribpi.companion.installed import again

_LOG: Final = logging.getLogger(__name__)

MOST_BOARDS: Final = 9
"""Boards of one name in a house, at the most."""
ASKING: Final = 1500
"""Milliseconds in which another board of that name answers."""
_HTTP: Final = "_http._tcp.local."


@dataclass(frozen=True, slots=True)
class Reach:
    """Where this machine can be reached, and what is in the way."""

    addresses: tuple[str, ...] = ()
    """IPv4 addresses of home networks, the likeliest first."""
    trouble: str | None = None
    """Why no phone can reach it, in a sentence."""


def reach() -> Reach:
    """Find where this machine can be reached by phones at the same table.

    Only private addresses count (RFC 1918, RFC 3927): the page is never opened to a public one.
    """
    import ifaddr  # noqa: PLC0415  only where phones are let in

    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # the unit may ask the kernel nothing about networks
        return Reach(
            trouble=f"The service has no access to your network yet. On the Pi: {again(option='phones')}"
        )
    found = [
        (_rank(adapter.name, str(ip.ip)), str(ip.ip))
        for adapter in adapters
        for ip in adapter.ips
        if ip.is_IPv4 and is_home(str(ip.ip))
    ]
    if not found:
        return Reach(trouble="There is no network: connect the board to your Wi-Fi first.")
    return Reach(tuple(dict.fromkeys(address for _, address in sorted(found))))


def is_home(address: str) -> bool:
    """Tell whether *address* belongs to a private network.

    >>> [is_home(one) for one in ("192.168.1.23", "10.0.0.7", "169.254.9.9", "127.0.0.1", "93.184.215.14")]
    [True, True, True, False, False]
    """
    ip = ipaddress.ip_address(address)
    return ip.version == 4 and ip.is_private and not ip.is_loopback and not ip.is_unspecified


def _rank(adapter: str, address: str) -> tuple[bool, bool, str]:
    """Put the networks of containers and the addresses of a network without a router last."""
    return adapter.startswith(("docker", "br-", "veth", "virbr")), address.startswith("169.254."), adapter


def host_name() -> str:
    """Return this machine's name on its network, in lower case, where mDNS answers to it."""
    return f"{socket.gethostname().split('.')[0].lower()}.local"


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
    return f"{name}.local", *(f"{name}-{number}.local" for number in range(2, MOST_BOARDS + 1))


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
        _LOG.warning("phones can't use a name for this board, only its address: %s", error)
        return UNNAMED
    try:
        hosts = names_of(name)
        library: Any = zeroconf  # which forgets to list its resolver
        resolver = library.AddressResolverIPv4
        host = next((host for host in hosts if not resolver(f"{host}.").request(network, ASKING)), hosts[0])
        info = zeroconf.ServiceInfo(
            _HTTP,
            f"{host.removesuffix('.local')}.{_HTTP}",
            addresses=[socket.inet_aton(address) for address in addresses],
            port=port,
            properties={"path": "/"},
            server=f"{host}.",
        )
        network.register_service(info, allow_name_change=True)
    except (zeroconf.Error, OSError) as error:
        network.close()
        _LOG.warning("phones can't use a name for this board, only its address: %s", error)
        return UNNAMED
    return Announced(host, network.close)
