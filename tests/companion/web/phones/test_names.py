"""The board's name by mDNS, on loopback alone: nothing is told to anybody's network."""

from __future__ import annotations

import socket
import sys

import pytest
import zeroconf
from support.loops import apart

from cribpi.companion.web.phones.network import UNNAMED, Announced, announce, names_of

ADDRESS = "127.0.0.1"
NAME = f"cribpi-test-{socket.gethostname().lower()[:12]}"


def announced(port: int) -> Announced:
    return apart(lambda: announce(NAME, [ADDRESS], port))


def found(host: str) -> list[str]:
    return apart(lambda: asked(host))


def asked(host: str) -> list[str]:
    network = zeroconf.Zeroconf(interfaces=[ADDRESS])
    try:
        name = zeroconf.AddressResolverIPv4(f"{host}.")  # type: ignore[attr-defined]  # the library forgets to list it
        return name.parsed_addresses() if name.request(network, 3000) else []
    finally:
        network.close()


def test_a_second_board_has_a_number_and_a_name_is_free_again_once_its_board_is_gone() -> None:
    first = announced(8121)
    try:
        if not found(first.host):
            pytest.skip("this loopback carries no multicast, which mDNS needs")
        second = announced(8122)
        apart(second.stop)
        assert (first.host, second.host) == names_of(NAME)[:2]
        assert found(first.host) == [ADDRESS]
    finally:
        apart(first.stop)


def test_without_the_library_there_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zeroconf", None)
    assert announce(NAME, [ADDRESS], 8121) == UNNAMED


def test_what_the_network_refuses_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(**_: object) -> None:
        raise OSError(19, "No such device")

    monkeypatch.setattr(zeroconf, "Zeroconf", refused)
    assert announce(NAME, ["192.0.2.77"], 8121) == UNNAMED
    assert "can't use a name for this board" in caplog.text
