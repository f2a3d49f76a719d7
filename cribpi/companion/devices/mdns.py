"""Who has a name, or offers a service, on the home's network: by mDNS (RFC 6762, RFC 6763).

It needs python-zeroconf, the extra `mdns`; without that nobody is found.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

PATIENCE: Final = 2.0
"""Seconds in which others answer."""


@contextmanager
def _network(interfaces: Sequence[str]) -> Iterator[tuple[Any, Any]]:
    """Yield the library, and a socket on the *interfaces*, or on the usual one.

    Raises:
        ImportError, OSError: If either is not to be had, or the name can't be asked for.
    """
    import zeroconf  # noqa: PLC0415  an extra, and only where a name is looked for

    usual = zeroconf.InterfaceChoice.Default
    network = zeroconf.Zeroconf(interfaces=list(interfaces) or usual, ip_version=zeroconf.IPVersion.V4Only)
    try:
        yield zeroconf, network
    except zeroconf.Error as error:
        raise OSError(str(error)) from error
    finally:
        network.close()


def address_of(host: str, interfaces: Sequence[str] = (), seconds: float = PATIENCE) -> str | None:
    """Return the address of IPv4 of *host*, a name that ends in ``.local``; None if nobody has it."""
    with suppress(ImportError, OSError), _network(interfaces) as (zeroconf, network):
        found = zeroconf.AddressResolverIPv4(f"{host}.")
        if found.request(network, round(1000 * seconds)):
            return next(iter(found.parsed_addresses()), None)
    return None


def offering(service: str, interfaces: Sequence[str] = (), seconds: float = PATIENCE) -> dict[str, str]:
    """Return the names of those that offer *service*, such as ``_wled._tcp``, and their addresses of IPv4."""
    found: dict[str, str] = {}
    with suppress(ImportError, OSError), _network(interfaces) as (zeroconf, network):
        names = list[str]()

        def note(name: str, **_: object) -> None:
            names.append(name)

        browser = zeroconf.ServiceBrowser(network, f"{service}.local.", handlers=[note])
        time.sleep(seconds)
        browser.cancel()
        for name in sorted(set(names)):
            with suppress(zeroconf.Error):  # a name that can't be: the others are found all the same
                info = network.get_service_info(f"{service}.local.", name, round(1000 * seconds))
                if info is not None and info.server and info.parsed_addresses():
                    found[info.server.rstrip(".")] = info.parsed_addresses()[0]
    return found
