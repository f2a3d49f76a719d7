"""The addresses at which others on the same network can reach this machine."""

from __future__ import annotations

import ipaddress
import socket
from dataclasses import dataclass

from cribpi.companion.installed import again


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
        return Reach(trouble=f"The service may not use your network yet. On the Pi: {again(option='phones')}")
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
