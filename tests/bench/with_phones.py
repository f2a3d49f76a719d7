"""Run cribpi where `HOME` is this machine's one address on a home's network."""

from __future__ import annotations

from collections.abc import Iterable

import ifaddr

HOME = "127.0.0.2"
"""Stands in for an address on the home's network."""


def adapters(include_unconfigured: bool = False) -> Iterable[ifaddr.Adapter]:  # noqa: FBT001, FBT002, ARG001
    return [ifaddr.Adapter("home", "home", [ifaddr.IP(HOME, 8, "home")])]


def is_home(address: str) -> bool:
    return address == HOME


if __name__ == "__main__":
    from cribpi.__main__ import main
    from cribpi.companion.web.phones import network

    ifaddr.get_adapters = adapters
    network.is_home = is_home
    main()
