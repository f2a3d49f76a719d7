"""A room full of strangers' phones: whatever they send, the director is served, and the log stays short."""

from __future__ import annotations

import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from email import message_from_bytes
from email.message import Message
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("jinja2", reason="the extra club is not installed")

import httpx
from pictures.club import night_at, served
from support.patience import PATIENCE

from cribpi.club.log import Log
from cribpi.club.web import app
from cribpi.companion.web import body, serving

HEAD = (
    b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: multipart/form-data; boundary=x\r\n"
    b"Content-Length: %d\r\n\r\n"
)
PARTS = b"--x\r\nContent-Disposition: form-data; name=code\r\n\r\nABC\r\n" * 8_000


class Room:
    """A desk at *url*, and its director, who is signed in."""

    def __init__(self, url: str, director: httpx.Client) -> None:
        self.port = int(url.rpartition(":")[2])
        self._director = director

    def line(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), PATIENCE)

    def serves_the_director(self) -> bool:
        return self._director.get("/desk").status_code == 200


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with closing(Log(f"sqlite:///{tmp_path / 'club.db'}")) as log, served(night_at(log), log, tmp_path) as at:
        url, access = at
        # A connection each: one that waits for a request gives way to others, and a browser then asks again.
        each = httpx.Limits(max_keepalive_connections=0)
        with httpx.Client(base_url=url, headers={"origin": url}, timeout=PATIENCE, limits=each) as director:
            assert director.post("/login", data={"password": access.new_password()}).status_code == 303
            yield Room(url, director)


@pytest.fixture
def said(caplog: pytest.LogCaptureFixture) -> Callable[[], int]:
    """Return how many bytes were logged."""
    caplog.set_level(logging.WARNING)
    return lambda: sum(len(record.getMessage()) for record in caplog.records)


def test_more_idle_connections_than_there_may_be_shut_nobody_out(
    room: Room, said: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST", 40)
    with ExitStack() as lines:
        for _ in range(200):
            lines.enter_context(room.line())
        assert room.serves_the_director()
    assert said() < 10_000


def test_who_never_ends_a_request_is_let_go(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "REQUEST_TIMEOUT", 0.5)
    with room.line() as line:
        line.sendall(b"GET / HTTP/1.1\r\nX-Slow: ")
        assert line.recv(100) == b""
        assert room.serves_the_director()


@pytest.mark.parametrize("path", [b"/login", b"/enter"])
def test_who_never_sends_the_form_makes_room_for_others(
    path: bytes, room: Room, said: Callable[[], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(serving, "MOST", 20)
    monkeypatch.setattr(body, "TIMEOUT", 0.5)
    with ExitStack() as lines:
        slow = [lines.enter_context(room.line()) for _ in range(20)]
        for line in slow:
            line.sendall(HEAD % (path, 4000) + b"x")
        assert [line.recv(12)[9:] for line in slow] == [b"408"] * len(slow)
        assert room.serves_the_director()
    assert said() < 10_000


STRANGERS = (b"/login", b"/enter", b"/desk/book-read", b"/logout")
"""Where a form can be sent without a password."""


@pytest.mark.parametrize("path", STRANGERS)
def test_a_stranger_sends_no_file(path: bytes, room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would be taken apart as a letter is, for a second and longer."""
    parsed: list[bytes] = []

    def parse(data: bytes) -> Message:
        parsed.append(data)
        return message_from_bytes(data)

    monkeypatch.setattr(app, "message_from_bytes", parse)
    sent = PARTS[: app.LONGEST]
    with room.line() as line:
        line.sendall(HEAD % (path, len(sent)) + sent)
        assert line.recv(100).startswith(b"HTTP/1.1 ")
    assert parsed == []


@pytest.mark.parametrize("path", STRANGERS)
def test_a_long_form_is_answered_before_all_of_it_has_come(
    path: bytes, room: Room, said: Callable[[], int]
) -> None:
    with ExitStack() as lines:
        for _ in range(8):
            line = lines.enter_context(room.line())
            line.sendall(HEAD % (path, len(PARTS)) + PARTS[: app.LONGEST + 1])
            assert line.recv(100).startswith(b"HTTP/1.1 ")
        assert room.serves_the_director()
    assert said() < 10_000


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n" + b"X-Y: %s\r\n" % (b"z" * 40) * 10_000 + b"\r\n",
        b"\x16\x03\x01" * 1000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: http://evil.example\r\n\r\n",
    ],
    ids=["10,000 headers", "TLS", "a long path", "another host", "another origin"],
)
def test_what_is_no_request_of_ours_is_refused_in_a_line(
    sent: bytes, room: Room, said: Callable[[], int]
) -> None:
    with room.line() as line:
        line.sendall(sent)
        assert line.recv(12)[:10] == b"HTTP/1.1 4"
        assert room.serves_the_director()
    assert said() < 10_000
