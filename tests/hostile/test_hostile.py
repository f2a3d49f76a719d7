"""Whoever comes to page, phones or club, whatever they send: others are served, and the log stays short."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import httpx
import pytest
from companion.web.test_phones import let_in
from support.companions import served as page_served
from support.patience import PATIENCE

from cribpi.companion.web import body, serving

HEAD = (
    b"POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    b"Content-Length: %d\r\n\r\n"
)
PARTS = b"--x\r\nContent-Disposition: form-data; name=code\r\n\r\nABC\r\n" * 8_000
STRANGERS = (b"/login", b"/enter", b"/desk/book-read", b"/logout")
"""Where a form can be sent without a password."""
Paths = tuple[bytes, ...]
TOO_MUCH = 20_001
"""Bytes: more than any of the three takes of a stranger."""

# A connection each: one that waits for a request gives way to others, and a browser then asks again.
EACH = httpx.Limits(max_keepalive_connections=0)


class Room:
    """A server, and a *client* of ours who asks for *path*."""

    def __init__(self, client: httpx.Client, path: str, forms: Paths, posts: Paths) -> None:
        self._client = client
        self._path = path
        self.host = client.base_url.host
        self.port = client.base_url.port or 80
        self.forms = forms
        """Where what a stranger sends is waited for."""
        self.posts = posts
        """Where anything can be sent."""

    def line(self) -> socket.socket:
        return socket.create_connection((self.host, self.port), PATIENCE)

    def head(self, path: bytes, length: int) -> bytes:
        return HEAD % (path, self.host.encode(), length)

    def serves_us(self) -> bool:
        return self._client.get(self._path).status_code == 200


@contextmanager
def page(folder: Path) -> Iterator[Room]:
    with page_served(folder) as (_, url), httpx.Client(base_url=url, timeout=PATIENCE, limits=EACH) as client:
        yield Room(client, "/api/state", (b"/api/press", b"/api/game"), (b"/api/press", b"/api/log"))


@contextmanager
def phones(folder: Path) -> Iterator[Room]:
    with let_in(folder) as let, let.joined("keypad") as joined:
        cookies = joined.cookies
        with httpx.Client(base_url=let.url, timeout=PATIENCE, limits=EACH, cookies=cookies) as client:
            yield Room(client, "/api/state", (b"/api/join",), (b"/api/join", b"/api/press"))


@contextmanager
def club(folder: Path) -> Iterator[Room]:
    for needed in ("sqlalchemy", "jinja2"):
        pytest.importorskip(needed, reason="the extra club is not installed")
    from pictures.club import night_at, served  # noqa: PLC0415  with the extra alone

    from cribpi.club.log import Log  # noqa: PLC0415

    with closing(Log(f"sqlite:///{folder / 'club.db'}")) as log, served(night_at(log), log, folder) as at:
        url, access = at
        with httpx.Client(base_url=url, headers={"origin": url}, timeout=PATIENCE, limits=EACH) as director:
            assert director.post("/login", data={"password": access.new_password()}).status_code == 303
            yield Room(director, "/desk", (b"/login", b"/enter"), STRANGERS)


@pytest.fixture(params=[page, phones, club])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    with request.param(tmp_path) as found:
        yield found


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Room]:
    with club(tmp_path) as found:
        yield found


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], int]:
    """Return how many bytes were logged."""
    caplog.set_level(logging.WARNING)
    return lambda: sum(len(record.getMessage()) for record in caplog.records)


def test_more_idle_connections_than_there_may_be_shut_nobody_out(
    room: Room, said: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST", 40)
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT", 10 * PATIENCE)  # none is closed for its silence
    with ExitStack() as lines:
        oldest, *_ = [lines.enter_context(room.line()) for _ in range(200)]
        assert room.serves_us()
        with suppress(ConnectionResetError):
            assert oldest.recv(1) == b""
    assert said() < 10_000


def test_who_never_ends_a_request_is_let_go(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT", 0.5)
    with room.line() as line:
        line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert line.recv(100) == b""
        assert room.serves_us()


def test_who_never_sends_the_form_makes_room_for_others(
    room: Room, said: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST", 20)
    monkeypatch.setattr(body, "TIMEOUT", 0.5)
    with ExitStack() as lines:
        slow = [lines.enter_context(room.line()) for _ in range(20)]
        for number, line in enumerate(slow):
            line.sendall(room.head(room.forms[number % len(room.forms)], 4000) + b"x")
        assert [line.recv(12)[9:] for line in slow] == [b"408"] * len(slow)
        assert room.serves_us()
    assert said() < 10_000


@pytest.mark.parametrize("path", STRANGERS)
def test_a_stranger_sends_no_file(path: bytes, desk: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be taken apart as a letter is, for a second and longer."""
    app = pytest.importorskip("cribpi.club.web.app")
    parsed: list[bytes] = []

    def parse(data: bytes) -> Message:
        parsed.append(data)
        return message_from_bytes(data)

    monkeypatch.setattr(app, "message_from_bytes", parse)
    sent = PARTS[: app.LONGEST]
    with desk.line() as line:
        line.sendall(desk.head(path, len(sent)) + sent)
        assert line.recv(100).startswith(b"HTTP/1.1 ")
    assert parsed == []


def test_a_long_form_is_answered_before_all_of_it_has_come(room: Room, said: Callable[[], int]) -> None:
    with ExitStack() as lines:
        for number in range(8):
            line = lines.enter_context(room.line())
            line.sendall(room.head(room.posts[number % len(room.posts)], len(PARTS)) + PARTS[:TOO_MUCH])
            assert line.recv(100).startswith(b"HTTP/1.1 ")
        assert room.serves_us()
    assert said() < 10_000


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: %s\r\n" + b"X-Y: %s\r\n" % (b"z" * 40) * 10_000 + b"\r\n",
        b"\x16\x03\x01" * 1000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: %s\r\nOrigin: http://evil.example\r\n\r\n",
    ],
    ids=["10,000 headers", "TLS", "a long path", "another host", "another origin"],
)
def test_what_is_no_request_of_ours_is_refused_in_a_line(
    sent: bytes, room: Room, said: Callable[[], int]
) -> None:
    with room.line() as line:
        line.sendall(sent.replace(b"%s", room.host.encode()))
        assert line.recv(12)[:10] == b"HTTP/1.1 4"
        assert room.serves_us()
    assert said() < 10_000
