"""Names and services by mDNS, on loopback alone: nobody's network is asked."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator

import pytest
import zeroconf
from support.loops import apart
from support.patience import until

from cribpi.companion.devices import mdns

ADDRESS = "127.0.0.1"
NAME = f"wled-test-{os.getpid()}"
SERVICE = "_wled._tcp"


@pytest.fixture
def announced() -> Iterator[None]:
    """A controller whose name and service are told on loopback, where that carries multicast."""

    def begin() -> zeroconf.Zeroconf:
        network = zeroconf.Zeroconf(interfaces=[ADDRESS], ip_version=zeroconf.IPVersion.V4Only)
        kind = f"{SERVICE}.local."
        address = socket.inet_aton("192.0.2.60")
        info = zeroconf.ServiceInfo(
            kind, f"{NAME}.{kind}", addresses=[address], port=80, server=f"{NAME}.local."
        )
        network.register_service(info)
        return network

    network = apart(begin)
    try:
        if apart(lambda: mdns.address_of(f"{NAME}.local", [ADDRESS], 3.0)) is None:
            pytest.skip("this loopback carries no multicast, which mDNS needs")
        yield
    finally:
        apart(network.close)


@pytest.mark.usefixtures("announced")
def test_a_name_and_whoever_offers_a_service_are_found() -> None:
    until(lambda: apart(lambda: mdns.address_of(f"{NAME}.local", [ADDRESS])) == "192.0.2.60")
    until(lambda: apart(lambda: mdns.offering(SERVICE, [ADDRESS])).get(f"{NAME}.local") == "192.0.2.60")


@pytest.mark.parametrize("name", ["nobody-has-it", "x" * 64], ids=["unused", "too-long"])
def test_a_name_that_nobody_has_or_can_have_is_not_found(name: str) -> None:
    assert apart(lambda: mdns.address_of(f"{name}.local", [ADDRESS], 0.1)) is None


@pytest.mark.parametrize("what", ["library", "network"])
def test_nobody_is_found_where_there_is_no_library_or_no_network(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(**_: object) -> None:
        raise OSError(19, "No such device")

    if what == "library":
        monkeypatch.setitem(sys.modules, "zeroconf", None)
    else:
        monkeypatch.setattr(zeroconf, "Zeroconf", refused)
    assert mdns.address_of("oak.local") is None
    assert mdns.offering(SERVICE) == {}
