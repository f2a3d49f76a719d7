"""This machine's addresses in the home network, and its mDNS name.

mDNS (RFC 6762) publishes the name `cribpi.local`, or `cribpi-2.local` if that is taken. This requires
python-zeroconf; without it, phones use the IP address.
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
"""Maximum number of boards with the same name in a network."""
MDNS_TIMEOUT_MS: Final = 1500
"""Time in milliseconds for another board with the same name to answer."""
_HTTP: Final = "_http._tcp.local."


@dataclass(frozen=True, slots=True)
class Reach:
    """Addresses at which phones can reach this machine, or the reason why they can't."""

    addresses: tuple[str, ...] = ()
    """IPv4 addresses in private networks, most likely first."""
    trouble: str | None = None
    """Reason why phones can't reach this machine, as a sentence, or None."""


def reach() -> Reach:
    """Find the addresses at which phones can reach this machine.

    Only private addresses count (RFC 1918, RFC 3927). Phones are never served at a public address.
    """
    import ifaddr  # noqa: PLC0415  needed only if phones are on

    try:
        adapters = list(ifaddr.get_adapters())
    except OSError:  # the systemd unit forbids netlink until phones are installed
        return Reach(
            trouble=f"The service has no access to your network yet. On the Pi: {again(option='phones')}"
        )
    ranked = [
        (_rank(adapter.name, str(ip.ip)), str(ip.ip))
        for adapter in adapters
        for ip in adapter.ips
        if ip.is_IPv4 and is_home(str(ip.ip))
    ]
    if not ranked:
        return Reach(trouble="There is no network: connect the board to your Wi-Fi first.")
    return Reach(tuple(dict.fromkeys(address for _, address in sorted(ranked))))


def is_home(address: str) -> bool:
    """Return whether *address* is in a private network.

    >>> [is_home(address) for address in ("192.168.1.23", "169.254.9.9", "127.0.0.1", "93.184.215.14")]
    [True, True, False, False]
    """
    ip = ipaddress.ip_address(address)
    return ip.version == 4 and ip.is_private and not ip.is_loopback and not ip.is_unspecified


def _rank(adapter: str, address: str) -> tuple[bool, bool, str]:
    """Return a sort key. Container networks and link-local addresses come last."""
    return adapter.startswith(("docker", "br-", "veth", "virbr")), address.startswith("169.254."), adapter


def host_name() -> str:
    """Return this machine's mDNS name, in lower case."""
    return f"{socket.gethostname().split('.')[0].lower()}.local"


@dataclass(frozen=True, slots=True)
class Announced:
    """An mDNS name. It is published until `stop` is called."""

    host: str
    """The name, such as `cribpi.local`; "" if the board has none."""
    stop: Callable[[], None]


def names_of(name: str) -> tuple[str, ...]:
    """Return the mDNS names to try for a board called *name*. Other boards may already have the first ones.

    >>> names_of("oak")[:2]
    ('oak.local', 'oak-2.local')
    """
    return f"{name}.local", *(f"{name}-{number}.local" for number in range(2, MOST_BOARDS + 1))


UNNAMED: Final = Announced("", lambda: None)


def announce(name: str, addresses: Sequence[str], port: int) -> Announced:
    """Publish *name* by mDNS for *addresses*. May block for two seconds.

    If another board has the name, a number is appended. A failure is logged, and `UNNAMED` is returned.
    """
    try:
        import zeroconf  # noqa: PLC0415  an optional dependency, needed only if phones are on
    except ImportError:
        return UNNAMED
    try:
        network = zeroconf.Zeroconf(interfaces=list(addresses), ip_version=zeroconf.IPVersion.V4Only)
    except OSError as error:
        _LOG.warning("phones can't use a name for this board, only its address: %s", error)
        return UNNAMED
    try:
        hosts = names_of(name)
        library: Any = zeroconf  # its resolver is missing in __all__
        resolver = library.AddressResolverIPv4
        free = (host for host in hosts if not resolver(f"{host}.").request(network, MDNS_TIMEOUT_MS))
        host = next(free, hosts[0])
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
