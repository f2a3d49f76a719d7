"""The event stream: the latest of everything to everyone who listens, and nothing kept for those who
don't."""

from __future__ import annotations

import asyncio
import base64
import json
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random
from statistics import median
from typing import Any

import httpx
import pytest
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import PLAY, SHOW
from support import loops
from support.clients import client_of
from support.companions import page_of
from support.patience import PATIENCE, until

from cribpi.companion.entry.requests import Press
from cribpi.companion.web import stream as streams
from cribpi.companion.web.json.page import strip_json
from cribpi.companion.web.server import PageServer
from cribpi.companion.web.stream import Stream


def events(response: httpx.Response) -> Iterator[tuple[str, str]]:
    """Yield the name and the data of each event but the build's; a comment has no name."""
    name = ""
    for line in response.iter_lines():
        if line.startswith("event: "):
            name = line.removeprefix("event: ")
        elif line.startswith("data: ") and name != "build":
            yield name, line.removeprefix("data: ")
        elif line.startswith(":"):
            yield "", line


def test_a_new_client_is_told_everything_first(client: httpx.Client, companion: RehearsedClient) -> None:
    with client.stream("GET", "/api/events") as response:
        assert response.headers["content-type"].startswith("text/event-stream")
        told = dict(next_four(events(response)))
    assert list(told) == ["state", "page", "strip", "oled"]
    assert json.loads(told["state"]) == companion.state()
    assert json.loads(told["page"]) == companion.page()
    assert told["strip"] == json.dumps(strip_json(companion.strip()), separators=(",", ":"))
    assert base64.b64decode(told["oled"]) == companion.glass()


def test_a_stream_begins_with_the_build_of_the_page(client: httpx.Client) -> None:
    begun = client.get("/").text
    with client.stream("GET", "/api/events") as response:
        lines = response.iter_lines()
        assert [next(lines) for _ in range(3)][2] == "event: build"
        build = next(lines).removeprefix("data: ")
    assert len(build) == 20
    assert f'"build": "{build}"' in begun


def next_four(found: Iterator[tuple[str, str]]) -> list[tuple[str, str]]:
    return [next(found) for _ in range(4)]


def test_every_client_hears_of_a_change_that_another_pressed(
    server: PageServer,
    client: httpx.Client,
    companion: RehearsedClient,
) -> None:
    with (
        client_of(server.url) as other,
        client.stream("GET", "/api/events") as one,
        other.stream("GET", "/api/events") as two,
    ):
        streams_of_both = [events(one), events(two)]
        for each in streams_of_both:
            next_four(each)
        companion.change(SHOW)
        for each in streams_of_both:
            name, data = next(each)
            assert (name, json.loads(data)["phase"]) == ("state", "show")


def test_what_is_told_is_made_once_for_all_who_listen_and_anew_for_who_comes_when_all_have_gone(
    server: PageServer, companion: RehearsedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def counted(kind: str, make: Callable[[], object]) -> Callable[[], object]:
        def count() -> object:
            made.append(kind)
            return make()

        return count

    monkeypatch.setattr(companion, "state", counted("state", companion.state))
    monkeypatch.setattr(companion, "page", counted("page", companion.page))
    with ExitStack() as stack:
        clients = [stack.enter_context(client_of(server.url)) for _ in range(3)]
        listeners = [events(stack.enter_context(one.stream("GET", "/api/events"))) for one in clients]
        for each in listeners:
            next_four(each)
        assert sorted(made) == ["page", "state"]
        companion.change(SHOW)
        for each in listeners:
            assert json.loads(dict(next_four(each))["page"])["keys"] == ["OK", "FLNB"]
        assert sorted(made) == ["page", "page", "state", "state"]
    companion.change(PLAY)
    with (
        client_of(server.url) as late,
        late.stream("GET", "/api/events") as told,
    ):
        assert json.loads(dict(next_four(events(told)))["state"])["phase"] == "play"


def test_only_what_changed_is_told(client: httpx.Client, companion: RehearsedClient) -> None:
    with client.stream("GET", "/api/events") as response:
        found = events(response)
        next_four(found)
        companion.tell("strip")
        assert next(found)[0] == "strip"


def test_in_a_silence_the_table_says_that_it_is_there(
    monkeypatch: pytest.MonkeyPatch,
    client: httpx.Client,
) -> None:
    monkeypatch.setattr(streams, "PING", 0.05)
    with client.stream("GET", "/api/events") as response:
        found = events(response)
        next_four(found)
        assert next(found)[0] == "still"


MOST = 3_000
"""Bytes of a press on a client's line: state, page, the LEDs and the screen's picture."""


def test_a_press_is_few_bytes_to_a_client_that_takes_gzip(
    client: httpx.Client, companion: RehearsedClient
) -> None:
    chance = Random(1)
    told: list[str] = []
    with client.stream("GET", "/api/events") as response:
        assert response.headers["content-encoding"] == "gzip"
        found = events(response)
        next_four(found)
        first = response.num_bytes_downloaded
        while len(told) < 40:
            keys = [choice["key"] for choice in companion.page()["choices"]]
            if companion.do(Press(chance.choice(keys))).result(PATIENCE).is_accepted:
                told.append(json.dumps(companion.page()))
                while next(found) != ("page", told[-1]):
                    pass
        assert response.num_bytes_downloaded - first < MOST * len(told)
    assert sum(map(len, told)) > 2 * MOST * len(told)


def test_a_client_that_takes_no_gzip_is_told_as_it_is(client: httpx.Client) -> None:
    with client.stream("GET", "/api/events", headers={"Accept-Encoding": "identity"}) as response:
        assert "content-encoding" not in response.headers
        assert [kind for kind, _ in next_four(events(response))] == ["state", "page", "strip", "oled"]


def test_a_client_that_goes_is_forgotten(server: PageServer) -> None:
    stream = server._stream
    request = f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", server.port)) as line:
        line.sendall(request.encode())
        line.recv(100)
        assert len(stream) == 1
    until(lambda: not len(stream))


def test_a_slow_client_misses_what_was_overtaken_and_holds_nothing(companion: RehearsedClient) -> None:
    """The client takes an event only when told to; a hundred changes in between are one event a kind."""

    async def play() -> list[str]:
        stream = Stream(companion, companion.glass)
        taken: list[str] = []
        may_take = asyncio.Semaphore(6)  # the head, the retry, and the first four events
        heard: asyncio.Queue[str] = asyncio.Queue()

        async def until(words: str) -> None:
            async with asyncio.timeout(PATIENCE):
                while words not in await heard.get():
                    pass

        async def receive() -> dict[str, object]:
            await asyncio.Event().wait()
            raise AssertionError

        async def send(message: object) -> None:
            assert isinstance(message, dict)
            await may_take.acquire()
            taken.append(message.get("body", b"").decode())
            heard.put_nowait(taken[-1])

        scope = {"type": "http", "method": "GET", "headers": [], "query_string": b""}
        task = asyncio.create_task(stream(scope, receive, send))
        await until("event: oled")
        assert len(taken) == 6
        for key in ["P1", "2", *["P2"] * 98]:  # a score is put right, hole by hole
            assert companion.do(Press(key)).result(0).is_accepted
        await asyncio.sleep(0)
        for _ in range(9999):  # as many as there are, and whatever would have been kept
            may_take.release()
        await until(f'"seq": {companion.seq}')
        await until("event: oled")
        stream.close()
        await task
        return taken[6:]

    later = loops.run(play())
    told = [body for body in later if body.startswith("event: state")]
    assert len(told) <= 2  # one that was in hand, and the latest
    assert f'"seq": {companion.seq}' in told[-1]
    assert len(later) <= 10


def test_changes_with_nobody_listening_cost_no_wakening(
    server: PageServer,
    companion: RehearsedClient,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop = server._loop
    assert loop is not None
    woken: list[object] = []
    monkeypatch.setattr(loop, "call_soon_threadsafe", lambda *call: woken.append(call))
    companion.tell_all()
    monkeypatch.undo()
    assert woken == []


def test_the_strip_is_told_by_its_lit_leds() -> None:
    assert strip_json(bytes(726)) == {"leds": 242, "lit": []}


def test_the_server_stops_while_someone_listens(companion: RehearsedClient) -> None:
    with (
        page_of(companion) as server,
        client_of(server.url) as client,
        client.stream("GET", "/api/events") as response,
    ):
        found = events(response)
        next_four(found)
        server.stop()
        assert list(found) == []


class Told:
    """What a client of a stream of changes knows."""

    def __init__(self) -> None:
        self.known: dict[str, dict[str, Any]] = {"state": {}, "page": {}}
        self._rules: dict[str, Any] = {}
        self._choices: dict[str, Any] = {}

    def take(self, kind: str, data: str) -> None:
        changed = self._whole(json.loads(data))
        for name in changed.keys() & {"choices", "log"}:
            sent = self.known[kind].get(name, [])
            changed[name] = [
                sent[one] if isinstance(one, int) else self._merged(one) if name == "choices" else one
                for one in changed[name]
            ]
        self.known[kind] |= changed

    def _merged(self, choice: dict[str, Any]) -> dict[str, Any]:
        self._choices[choice["key"]] = self._choices.get(choice["key"], {}) | choice
        return dict(self._choices[choice["key"]])

    def _whole(self, value: Any) -> Any:  # noqa: ANN401  JSON
        match value:
            case {"rule": rule, "text": _}:
                self._rules[rule] = value
                return value
            case {"rule": rule}:
                return self._rules[rule]
            case dict():
                return {name: self._whole(one) for name, one in value.items()}
            case list():
                return list(map(self._whole, value))
            case _:
                return value


def test_a_stream_of_changes_says_less_and_comes_to_the_same(
    client: httpx.Client, companion: RehearsedClient
) -> None:
    told, sizes = Told(), []
    with client.stream("GET", "/api/events", params={"changes": "true"}) as response:
        found = events(response)
        for turn in range(30):
            if turn:
                likely = [choice["key"] for choice in companion.page()["choices"] if choice["likely"]]
                companion.do(Press("UNDO" if turn == 20 else likely[turn % len(likely)])).result()
            size, seq = 0, companion.state()["seq"]
            while any(told.known[kind].get("seq") != seq for kind in told.known):
                kind, data = next(found)
                if kind in told.known:
                    told.take(kind, data)
                    size += len(data)
            assert told.known["state"] == companion.state(), turn
            assert told.known["page"] == companion.page(), turn
            sizes.append(size)
    assert max(sizes[1:]) < 4500, sizes
    assert median(sizes[1:]) < 2500, sizes
