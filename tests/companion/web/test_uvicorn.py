"""What is overridden or read of uvicorn beyond what it documents, and the versions that it fits.

The server of page, phones and club, and its limits on connections, need more than uvicorn offers: `WITHIN` names all of it.
"""

from __future__ import annotations

import inspect
from importlib.metadata import version
from typing import Final

import pytest
from support.paths import CHECKOUT
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from cribpi.companion.web.serving import TimedProtocol

FITS: Final = ("0.29.0", "0.54.0")
"""The oldest and the newest version that the tests of the page have passed with: those in floors.txt and in
constraints.txt."""

WITHIN: Final = {
    H11Protocol: {
        "__init__": ["self", "config", "server_state", "app_state", "_loop"],
        "connection_made": ["self", "transport"],  # asyncio's own, as the next
        "connection_lost": ["self", "exc"],
        "send_400_response": ["self", "msg"],
    },
    ServerState: {"__init__": ["self"]},
}
"""The methods that are overridden or called, each with its parameters."""

HOLDS: Final = {
    "connections": ServerState.__init__,
    "tasks": ServerState.__init__,
    "transport": H11Protocol.connection_made,
    "app": H11Protocol.__init__,
}
"""The attributes that are read or set, each with the function of uvicorn's that sets it first."""

REMEDY: Final = "see serving.py in cribpi/companion/web: adapt it, or let pyproject.toml refuse that version"


@pytest.mark.parametrize(
    ("owner", "name"), [(owner, name) for owner, methods in WITHIN.items() for name in methods]
)
def test_a_method_of_uvicorns_takes_what_it_took(owner: type, name: str) -> None:
    here = getattr(owner, name, None)
    takes = list(inspect.signature(here).parameters) if here else None
    assert takes == WITHIN[owner][name], (
        f"uvicorn {version('uvicorn')} has changed {owner.__name__}.{name}: {REMEDY}"
    )


@pytest.mark.parametrize("name", HOLDS)
def test_an_attribute_of_uvicorns_is_where_it_was(name: str) -> None:
    assert name in HOLDS[name].__code__.co_names, (
        f"uvicorn {version('uvicorn')} sets no {name} in {HOLDS[name].__qualname__} any more: {REMEDY}"
    )


def test_no_other_is_overridden() -> None:
    overridden = {name for name in vars(TimedProtocol) if hasattr(H11Protocol, name)}
    assert {name for name in overridden if not name.startswith("__")} <= WITHIN[H11Protocol].keys(), (
        f"name it in {__name__} too"
    )


def test_the_versions_that_it_fits_are_those_that_are_tested() -> None:
    pins = [(CHECKOUT / file).read_text(encoding="utf-8") for file in ("floors.txt", "constraints.txt")]
    assert [f"\nuvicorn=={fits} " in pin for fits, pin in zip(FITS, pins, strict=True)] == [True, True]
