"""Addresses of hosts and services on the local network, by mDNS (RFC 6762, RFC 6763).

This needs python-zeroconf, from the extra `mdns`; without it the results are empty.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

PATIENCE: Final = 2.0
"""Default time to wait for answers, in seconds."""


@contextmanager
def _network(interfaces: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the module zeroconf and a `Zeroconf` instance on *interfaces*, or else on the default interface.

    Raises:
        ImportError, OSError: If the library is missing, or the network fails.
    """
    import zeroconf  # noqa: PLC0415  an optional extra, needed only to look up names

    usual = zeroconf.InterfaceChoice.Default
    network = zeroconf.Zeroconf(interfaces=list(interfaces) or usual, ip_version=zeroconf.IPVersion.V4Only)
    try:
        yield zeroconf, network
    except zeroconf.Error as error:
        raise OSError(str(error)) from error
    finally:
        network.close()


def address_of(host: str, interfaces: Sequence[str] = (), seconds: float = PATIENCE) -> str | None:
    """Return the IPv4 address of *host*, a name that ends in ``.local``, or None if no host answers."""
    with suppress(ImportError, OSError), _network(interfaces) as (zeroconf, network):
        resolver = zeroconf.AddressResolverIPv4(f"{host}.")
        if resolver.request(network, round(1000 * seconds)):
            return next(iter(resolver.parsed_addresses()), None)
    return None


def offering(service: str, interfaces: Sequence[str] = (), seconds: float = PATIENCE) -> dict[str, str]:
    """Return the hosts that offer *service*, such as ``_wled._tcp``, with their IPv4 addresses."""
    hosts: dict[str, str] = {}
    with suppress(ImportError, OSError), _network(interfaces) as (zeroconf, network):
        names = list[str]()

        def note(name: str, **_: object) -> None:
            names.append(name)

        browser = zeroconf.ServiceBrowser(network, f"{service}.local.", handlers=[note])
        time.sleep(seconds)
        browser.cancel()
        for name in sorted(set(names)):
            with suppress(zeroconf.Error):  # A malformed name must not hide the others.
                info = network.get_service_info(f"{service}.local.", name, round(1000 * seconds))
                if info is not None and info.server and info.parsed_addresses():
                    hosts[info.server.rstrip(".")] = info.parsed_addresses()[0]
    return hosts
