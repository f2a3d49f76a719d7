"""HTTP clients of the servers under test."""

from __future__ import annotations

import ssl
from typing import Any, Final

import httpx

from support.held_to_schema import hold_request
from support.patience import PATIENCE

_NOBODY: Final = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Trusts no certificate. Loading the system's certificates takes longer than most tests."""


def client_of(url: str, **more: Any) -> httpx.Client:  # noqa: ANN401  what Client takes
    """Return a client of the server at *url*, without a proxy, that is patient.

    Each body that the server reads has the type that is declared for it.
    """
    hooks = {"response": [hold_request]}
    return httpx.Client(
        base_url=url, trust_env=False, timeout=PATIENCE, verify=_NOBODY, event_hooks=hooks, **more
    )
