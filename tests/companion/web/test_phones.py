"""The door for phones: codes, tokens, foreign hosts and pages, and what each role is never told."""

from __future__ import annotations

import errno
import json
import os
import re
import socket
from collections import deque
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from support.clients import client_of
from support.companions import page_of, press, running
from support.full_disk import files_no_longer_than
from support.paths import DOCS
from support.patience import until

from cribpi.companion.entry.phones import ClosePhones, OpenPhones, RemovePhone
from cribpi.companion.run.bootstrap import Running
from cribpi.companion.web import serving
from cribpi.companion.web import stream as streams
from cribpi.companion.web.phones import registry as registries
from cribpi.companion.web.phones.network import Reach
from cribpi.companion.web.phones.registry import GUESSES
from cribpi.companion.web.phones.seats import TablePhones
from cribpi.companion.web.server import PhoneServer

HOME = "127.0.0.2"
"""Stands in for the address on the home's network: it never leaves this machine."""
CLOSED = (
    "/api/oled.png",
    "/api/strip",
    "/api/games",
    "/api/stats",
    "/api/settings",
    "/api/power",
    "/api/rules",
)
"""What the board's own page has, and no phone."""


class Served:
    """A companion with phones let in, and its address for them."""

    def __init__(self, parts: Running, port: int) -> None:
        self.parts = parts
        self.url = f"http://{HOME}:{port}"

    def client(self, **headers: str) -> httpx.Client:
        return client_of(self.url, headers=headers)

    def joined(self, role: str | None = None, seat: int | None = None) -> httpx.Client:
        registry = self.parts.phones.registry
        registry._guesses.clear()  # a family is slower
        with self.client() as client:
            assert client.post("/api/join", json={"code": registry.code()}).status_code == 200
            if role is not None:
                assert client.post("/api/phone", json={"role": role, "seat": seat}).status_code == 200
            return client_of(self.url, cookies=client.cookies)


def free_port() -> int:
    with socket.socket() as one:
        one.bind((HOME, 0))
        return int(one.getsockname()[1])


@contextmanager
def let_in(state: Path, port: int | None = None, **settings: Any) -> Iterator[Served]:  # noqa: ANN401  the fields of Config
    port = port or free_port()

    def serve(addresses: tuple[str, ...], door: TablePhones) -> Any:  # noqa: ANN401  what ends it
        server = PhoneServer(door, addresses, port, ("cribpi.local",))
        server.start()
        return server.stop

    game = {"entry": "dealt", "levels": ("person",), "speed": "fast"} | settings
    with running(state, seed=1, **game) as parts:
        parts.phones._find = lambda: Reach((HOME,))
        parts.phones.registry.do(OpenPhones())
        parts.phones.start(serve, port)
        until(lambda: bool(parts.loop.table.now.view.phones.address))
        yield Served(parts, port)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with let_in(tmp_path) as found:
        yield found


def start(served: Served) -> None:
    press(served.parts, "OK")
    press(served.parts, "OK")
    until(lambda: bool((deal := served.parts.loop.table.now.state.deal) and any(deal.dealt)))


def test_without_a_token_nothing_of_the_game_is_told(served: Served) -> None:
    start(served)
    name = served.parts.loop.table.now.state.names[0]
    with served.client() as client:
        for path in ("/api/phone", "/api/state", "/api/page", "/api/log", "/api/kit", "/api/events"):
            answer = client.get(path)
            assert (answer.status_code, name in answer.text) == (401, False), path
        assert client.post("/api/press", json={"key": "OK"}).status_code == 401
        assert client.post("/api/phone", json={"role": "keypad"}).status_code == 401
        page = client.get("/")
        assert page.status_code == 200
        assert '"phone": null' in page.text
        assert name not in page.text


def test_a_parameter_that_no_request_has_is_refused(served: Served) -> None:
    with served.joined("keypad") as client:
        for path, known in (("/api/state", "none"), ("/api/phone", "none"), ("/api/events", "changes")):
            answer = client.get(f"{path}?seat=1")
            assert (answer.status_code, answer.json()["error"]) == (
                422,
                f"'seat' is no parameter here: give {known}",
            )
        assert client.post("/api/press?key=OK", json={"key": "OK"}).status_code == 422


@pytest.mark.parametrize("path", CLOSED)
def test_what_is_for_the_boards_own_page_is_not_there(served: Served, path: str) -> None:
    with served.joined("keypad") as client:
        assert client.get(path).status_code == 404
        assert client.post(path, json={}).status_code == 404


def test_a_token_is_for_this_browser_alone_and_no_script_reads_it(served: Served) -> None:
    with served.client() as client:
        answer = client.post("/api/join", json={"code": served.parts.phones.registry.code()})
        cookie = answer.headers["set-cookie"].lower()
        assert "httponly" in cookie
        assert "samesite=strict" in cookie
        assert "path=/" in cookie
        assert client.cookies["cribpi"] not in answer.text


def test_a_phone_that_joins_once_more_stays_the_one_that_it_is(served: Served) -> None:
    """As another one it could look at a second hand."""
    with served.joined("seat", 0) as client:
        before = client.cookies["cribpi"]
        answer = client.post("/api/join", json={"code": served.parts.phones.registry.code()})
        assert (answer.json()["number"], answer.json()["seat"], "set-cookie" in answer.headers) == (
            1,
            0,
            False,
        )
        assert client.cookies["cribpi"] == before
        assert len(served.parts.phones.registry.present) == 1


def test_guesses_are_refused_after_ten_and_say_when_to_try_again(served: Served) -> None:
    with served.client() as client:
        served.parts.phones.registry.code()
        statuses = [
            client.post("/api/join", json={"code": f"AAAAA{at}"}).status_code for at in range(GUESSES)
        ]
        assert statuses == [403] * GUESSES
        late = client.post("/api/join", json={"code": served.parts.phones.registry.code()})
        assert (late.status_code, late.headers["retry-after"]) == (429, "60")


@pytest.mark.parametrize(
    "host", ["cribbage.example", "127.0.0.1", "localhost", "127.0.0.3", "", "cribpi.local.evil.example"]
)
def test_other_names_for_this_machine_are_refused(served: Served, host: str) -> None:
    with served.joined("watch") as client:
        assert client.get("/api/state", headers={"Host": host}).status_code in {400, 421}
        assert client.get("/api/state", headers={"Host": "CRIBPI.local"}).status_code == 200


def test_a_page_elsewhere_presses_nothing(served: Served) -> None:
    with served.joined("keypad") as client:
        before = served.parts.loop.table.now.seq
        for origin in (
            "http://cribbage.example",
            "null",
            served.url + "0",
            served.url.replace("http", "https"),
        ):
            answer = client.post("/api/press", content=b'{"key": "OK"}', headers={"Origin": origin})
            assert answer.status_code == 403
        assert served.parts.loop.table.now.seq == before
        assert client.get("/").headers["x-frame-options"] == "DENY"


def test_a_server_with_a_certificate_may_stand_in_front_under_the_boards_own_name(served: Served) -> None:
    with served.joined("keypad") as client:
        for host in ("cribpi.local", HOME):
            headers = {"Host": host, "Origin": f"https://{host}"}
            assert client.post("/api/press", json={"key": "MENU"}, headers=headers).status_code == 200
        foreign = {"Host": HOME, "Origin": "https://cribpi.local"}
        assert client.post("/api/press", json={"key": "MENU"}, headers=foreign).status_code == 403


def test_each_role_is_told_its_own_hand_and_no_card_of_another(served: Served) -> None:
    roles = [("seat", 0), ("seat", 1), ("keypad", None), ("scoreboard", None), ("watch", None), (None, None)]
    clients = [served.joined(*role) for role in roles]
    start(served)
    dealt = [set(map(str, hand)) for hand in served.parts.loop.table.now.state.deal.dealt]  # type: ignore[union-attr]
    for (role, seat), client in zip(roles, clients, strict=True):
        told = [client.get(path).text for path in ("/", "/api/state", "/api/page", "/api/log", "/api/phone")]
        with client.stream("GET", "/api/events") as stream:
            lines = stream.iter_lines()
            while "event: strip" not in told[-1]:
                told.append(next(lines))
        told.append(client.post("/api/press", json={"key": "2C"}).text)
        for whose, hand in enumerate(dealt):
            seen = {card for card in hand if any(f'"{card}"' in text for text in told)}
            assert seen == (hand if (role, seat) == ("seat", whose) else set()), (role, seat, whose)
        client.close()


def test_a_phone_that_is_removed_hears_no_more_and_its_stream_ends(served: Served) -> None:
    with served.joined("seat", 0) as client, client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        while "event: strip" not in next(lines):
            pass
        served.parts.phones.registry.do(RemovePhone(1))
        list(lines)  # it comes to its end
        assert client.get("/api/state").status_code == 401


def test_closing_drops_everybody_and_nothing_listens_any_more(served: Served) -> None:
    with served.joined("watch") as client, client.stream("GET", "/api/events") as stream:
        served.parts.phones.registry.do(ClosePhones())
        list(stream.iter_lines())
    until(lambda: served.parts.loop.table.now.view.phones.address == "")
    with served.client() as client, pytest.raises(httpx.ConnectError):
        client.get("/")


def test_a_full_disk_lets_nobody_in_and_says_so(served: Served) -> None:
    with served.client() as client, served.joined("watch") as inside:
        code = {"code": served.parts.phones.registry.code()}
        with files_no_longer_than(0):
            for answer in (
                client.post("/api/join", json=code),
                inside.post("/api/phone", json={"role": None}),
            ):
                assert answer.status_code == 409
                assert answer.json()["error"].startswith("Not saved, and nothing has changed (")
        assert inside.get("/api/phone").json()["role"] == "watch"
        assert client.post("/api/join", json=code).status_code == 200


def test_the_boards_page_says_if_a_phone_that_is_removed_comes_back(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_only(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    with (
        served.joined("watch") as phone,
        page_of(served.parts.companion) as page,
        client_of(page.url) as board,
    ):
        with monkeypatch.context() as patch:
            patch.setattr(registries, "write_whole", read_only)
            patch.setattr(registries, "erase", read_only)
            answer = board.post("/api/phones", json={"remove": 1})
            assert answer.status_code == 409
            assert answer.json()["error"] == (
                "Phones that you have removed will be back after a restart (read-only file system): "
                "make the disk writable again (a worn card becomes read-only)."
            )
            assert phone.get("/api/state").status_code == 401, "it is gone all the same"
            until(lambda: "phones" in served.parts.loop.troubles)
        served.parts.phones._wake.set()  # the time has come to try again
        until(lambda: "phones" not in served.parts.loop.troubles)


def test_who_was_here_goes_on_after_a_restart(tmp_path: Path) -> None:
    port = free_port()
    with let_in(tmp_path, port) as served:
        client = served.joined("seat", 0)
        start(served)
        before = client.get("/api/page").json()["hand"]
        client.close()
    with let_in(tmp_path, port) as served, served.client() as again:
        again.cookies = client.cookies
        assert again.get("/api/page").json()["hand"] == before


@pytest.mark.parametrize(
    "body", [b"", b"{", b"[]", b"\xff\xfe", b'{"role": "king"}', b'{"role": "seat", "seat": 9}', b"{}" * 9000]
)
def test_garbage_is_refused_with_a_sentence(served: Served, body: bytes) -> None:
    with served.joined("watch") as client:
        for path in ("/api/phone", "/api/join", "/api/press"):
            answer = client.post(path, content=body)
            assert answer.status_code == 422, path
            assert len(answer.json()["error"]) < 200
        assert client.get("/api/phone").json()["role"] == "watch"


def test_one_phone_cannot_keep_the_others_out_with_its_streams(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    with served.joined("watch") as greedy, served.joined("watch") as other, ExitStack() as lines:
        monkeypatch.setattr(serving, "MOST", 12)
        told: deque[Iterator[str]] = deque()
        for _ in range(30):
            told.append(lines.enter_context(greedy.stream("GET", "/api/events")).iter_lines())
            if len(told) > streams.MOST:
                list(told.popleft())  # it comes to its end
        with other.stream("GET", "/api/events") as stream:
            assert next(stream.iter_lines())
        for one in told:
            while "event: strip" not in next(one):
                pass
        press(served.parts, "MENU")
        for one in told:
            while "event: page" not in next(one):
                pass


def test_streams_that_do_not_end_are_counted_too(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    """A phone that reads nothing keeps its streams open, however often they are told to end."""
    monkeypatch.setattr(streams, "MOST", 2)
    monkeypatch.setattr(streams, "ENDING", 1)
    with served.joined("watch") as greedy, served.joined("watch") as other, ExitStack() as lines:
        for _ in range(2):
            lines.enter_context(greedy.stream("GET", "/api/events"))
        refused = greedy.get("/api/events")
        assert (refused.status_code, refused.json()["error"]) == (429, streams.TOO_MANY)
        with other.stream("GET", "/api/events") as stream:
            assert stream.status_code == 200


def test_every_path_that_the_docs_name_for_phones_is_there_and_no_other(served: Served) -> None:
    told = (DOCS / "reference" / "http.md").read_text(encoding="utf-8").partition("## For phones")[2]
    paths = set(re.findall(r"/api/[a-z.]*[a-z]", told))
    with served.joined("watch") as client:
        for path in paths - {"/api/events"}:
            assert (
                client.request(
                    "POST" if path.endswith(("join", "fault", "press")) else "GET", path
                ).status_code
                != 404
            )
    assert paths == {
        f"/api/{name}" for name in ("join phone kit board.svg state page log fault press events".split())
    }


def test_a_phone_sees_a_press_at_the_board(served: Served) -> None:
    with served.joined("scoreboard") as client, client.stream("GET", "/api/events") as stream:
        lines = stream.iter_lines()
        start(served)
        phases = []
        while "deal" not in phases:
            line = next(lines)
            if line.startswith("data: {") and '"phase"' in line:
                phases.append(json.loads(line[6:])["phase"])
