"""What fails on a page comes to the log as a line, whatever it says and however often it fails."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from companion.web.rehearsed import RehearsedClient
from starlette.applications import Starlette

from cribpi.companion.web.handlers import HOUR, MOST_FAULTS, fault_route
from cribpi.companion.web.requests import BODY_LIMIT


def test_a_fault_is_one_line_of_the_log_with_nothing_hidden_in_it(
    client: httpx.Client, caplog: pytest.LogCaptureFixture
) -> None:
    said = "x is null\n2026 ERROR all is lost \x1b[2J\u202e\x07"
    answer = client.post("/api/fault", json={"fault": said + "!" * 2000, "at": "#\r\n", "where": ""})
    assert answer.json() == {"logged": True}
    (line,) = [record.getMessage() for record in caplog.records if "the page failed" in record.getMessage()]
    assert line.isprintable()
    assert len(line) < 300
    assert line.startswith(r"the page failed: x is null\n2026 ERROR all is lost \x1b[2J\u202e\x07!!")
    assert line.endswith(r"..., at #\r\n")


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"{}", b'{"fault": 7}', b'{"fault": "\\ud800"}', b'{"fault": "' + b"x" * BODY_LIMIT + b'"}'],
)
def test_what_tells_no_fault_is_refused(client: httpx.Client, body: bytes) -> None:
    assert client.post("/api/fault", content=body).status_code == 422


def test_a_page_that_fails_over_and_over_does_not_fill_the_log(
    companion: RehearsedClient, caplog: pytest.LogCaptureFixture
) -> None:
    at = 0.0
    route = fault_route(lambda _: companion, lambda: at)

    async def sent(*faults: str) -> list[bool]:
        transport = httpx.ASGITransport(Starlette(routes=[route]))
        async with httpx.AsyncClient(transport=transport, base_url="http://board") as page:
            answers = [await page.post("/api/fault", json={"fault": fault}) for fault in faults]
        return [answer.json()["logged"] for answer in answers]

    with (
        caplog.at_level(logging.ERROR),
        ThreadPoolExecutor() as thread,
    ):  # this one may have a loop, a browser's
        logged = thread.submit(asyncio.run, sent(*(f"fault {one}" for one in range(1000)))).result()
        assert logged == [one < MOST_FAULTS for one in range(1000)]
        assert len(caplog.records) == MOST_FAULTS
        at = HOUR
        assert thread.submit(asyncio.run, sent("an hour later")).result() == [True]
