"""Every Host and every Origin of a request is looked at, and not only the first."""

from __future__ import annotations

import pytest
from starlette.types import Message, Receive, Scope, Send
from support import loops

from cribpi.companion.web.guard import Guard

HERE, OURS, FOREIGN = b"127.0.0.1:8121", b"http://127.0.0.1:8121", b"http://cribbage.example"


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


@pytest.mark.parametrize(
    ("origins", "answer"),
    [
        ([], 200),
        ([OURS], 200),
        ([OURS, OURS], 200),
        ([FOREIGN], 403),
        ([FOREIGN, OURS], 403),
        ([OURS, FOREIGN], 403),
    ],
)
def test_of_several_origins_a_single_foreign_one_is_refused(origins: list[bytes], answer: int) -> None:
    assert status((b"host", HERE), *((b"origin", origin) for origin in origins)) == answer


@pytest.mark.parametrize("hosts", [[], [HERE, HERE], [HERE, b"cribbage.example"]])
def test_a_request_has_one_host(hosts: list[bytes]) -> None:
    assert status(*((b"host", host) for host in hosts)) == 421
