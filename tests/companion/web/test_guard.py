"""Every Host of a request is looked at, and not only the first."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send
from support import loops

from cribpi.companion.web.guard import Guard

HERE = b"127.0.0.1:8121"


async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body"})


def status(*headers: tuple[bytes, bytes]) -> int:
    """Return what a request with these *headers*, as they came, is answered."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    scope = {"type": "http", "method": "POST", "path": "/api/press", "headers": list(headers)}
    loops.run(Guard(app)(scope, receive, send))
    return int(sent[0]["status"])


@pytest.mark.parametrize("hosts", [[], [HERE, HERE], [HERE, b"cribbage.example"]])
def test_a_request_has_one_host(hosts: list[bytes]) -> None:
    assert status(*((b"host", host) for host in hosts)) == 421
