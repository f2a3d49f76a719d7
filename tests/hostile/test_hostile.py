"""Whoever comes to page, phones or club, whatever they send: others are served, and it costs little.

Each attack is on the real program, in a process of its own.  While it goes on, or the strangers are still
there, a person at the board and a phone are served, or the director and a player's phone; the log and the
memory hardly grow.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest
from hostile.rooms import EACH, Room, attacking, club, page, phones, table
from support.clients import client_of
from support.patience import PATIENCE, until

MANY = 1_100
"""Connections of strangers: more than a program may have files on Debian."""
PARTS = b"--x\r\nContent-Disposition: form-data; name=code\r\n\r\nABC\r\n" * 8_000
TOO_MUCH = 20_001
"""Bytes: more than any of the three takes of a stranger."""


@pytest.fixture(params=[page, phones, club])
def room(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    with request.param(tmp_path) as found:
        yield found


def heard(told: Iterator[str], event: str) -> bool:
    """Wait for *event* on a stream."""
    return f"event: {event}" in told


def test_idle_connections(room: Room) -> None:
    """Who listens keeps the line."""
    with ExitStack() as kept:
        listen = [client for client, path in room.people if path == "/api/state"]
        streams = [kept.enter_context(one.stream("GET", "/api/events")).iter_lines() for one in listen]
        assert all(heard(told, "strip") for told in streams)
        kept.enter_context(room.lines(MANY))
        room.withstands()
        room.lets_go()
        for one in listen[:1]:
            one.post("/api/press", json={"key": "MENU"})
        assert all(heard(told, "page") for told in streams)


def test_idle_connections_at_both_doors_of_a_table(tmp_path: Path) -> None:
    with table(tmp_path) as (at_page, at_phones), at_page.lines(MANY), at_phones.lines(MANY):
        at_page.withstands()


def test_requests_that_never_end(room: Room) -> None:
    with room.lines(MANY, b"GET / HTTP/1.1\r\nX-Slow: ") as lines:

        def write() -> None:
            for line in lines:
                with suppress(OSError):
                    line.sendall(b"x")

        with attacking(write):
            room.withstands()
            room.lets_go()


def test_forms_that_never_come(room: Room) -> None:
    with ExitStack() as lines:
        for path in room.forms:
            lines.enter_context(room.lines(MANY // len(room.forms), room.head(path, 4000) + b"x"))
        room.withstands()
        room.lets_go()


def test_long_forms(room: Room) -> None:
    """They are answered before all of them has come, and nothing of them is taken apart."""
    with ExitStack() as kept:
        lines = [kept.enter_context(room.line()) for _ in range(8)]
        for number, line in enumerate(lines):
            path = room.posts[number % len(room.posts)]
            line.sendall(room.head(path, len(PARTS)) + PARTS[:TOO_MUCH])
        room.withstands()
        answers = {line.recv(12) for line in lines}
        assert all(answer.startswith(b"HTTP/1.1 ") for answer in answers)
        assert b"HTTP/1.1 408" not in answers
        room.withstands()


def test_answers_that_are_read_a_byte_at_a_time(room: Room) -> None:
    with room.lines(MANY, room.get(room.longest) * 20, buffer=2048) as lines:

        def read() -> None:
            for line in lines:
                with suppress(OSError):
                    line.settimeout(0)
                    line.recv(1)
            time.sleep(0.1)

        with attacking(read):
            room.withstands()
            room.lets_go()


@pytest.mark.parametrize("room", [page, phones], indirect=True)
def test_event_streams_that_are_never_read(room: Room) -> None:
    """They are opened by a phone that has joined, or by a program on this machine."""
    (board, _), (phone, _) = room.people
    cookie = "; ".join(f"{name}={value}" for name, value in phone.cookies.items())
    asked = b"GET /api/events HTTP/1.1\r\nHost: %s\r\nAccept-Encoding: gzip\r\nCookie: %s\r\n\r\n" % (
        room.host.encode(),
        cookie.encode(),
    )
    with room.lines(MANY, asked, buffer=2048):
        for key in ["MENU", "UNDO"] * 50:
            board.post("/api/press", json={"key": key})
        room.withstands()
        for client, _ in room.people:
            with client.stream("GET", "/api/events") as told:
                assert heard(told.iter_lines(), "page")


def test_requests_by_the_thousand_on_one_connection(room: Room) -> None:
    asked = room.get(room.people[1][1].encode()) * 10_000
    with room.line() as line:

        def ask() -> None:
            line.sendall(asked)

        def read() -> None:
            line.recv(65536)

        with attacking(ask), attacking(read):
            for _ in range(5):
                room.withstands()
            line.shutdown(socket.SHUT_RDWR)


def test_requests_by_the_thousand_whose_answers_nobody_reads(room: Room) -> None:
    asked = room.get(room.longest) * 5_000
    with ExitStack() as kept:
        for _ in range(200):
            line = kept.enter_context(room.line(buffer=2048))
            line.settimeout(0)
            with suppress(BlockingIOError):
                line.send(asked)
        room.withstands()
        room.lets_go()


def test_connections_when_no_more_files_can_be_opened(room: Room) -> None:
    with room.program.no_more_files(), room.lines(20):
        until(lambda: room.program.logged)
    room.withstands()


@pytest.mark.parametrize("room", [phones, club], indirect=True)
def test_guessers(room: Room) -> None:
    """Who knows what is right comes in from elsewhere all the same."""
    secret = room.secret
    assert secret is not None
    elsewhere = httpx.HTTPTransport(local_address="127.0.0.9")
    with (
        client_of(room.url, limits=EACH) as guesser,
        httpx.Client(base_url=room.url, transport=elsewhere, timeout=PATIENCE) as other,
        attacking(lambda: secret.sent(guesser, "ABCDEF"), 8),
    ):
        found = {secret.sent(guesser, "GUESS") for _ in range(20)}
        assert found <= {403, 429}
        room.withstands()
        assert secret.sent(other, secret.right()) in {200, 303}
        room.withstands()


RECEIVED = 8_000
"""Bytes that a server takes of a connection in any case."""


@pytest.mark.parametrize(
    "sent",
    [
        b"GET / HTTP/1.1\r\nHost: %s\r\n" + b"X-Y: %s\r\n" % (b"z" * 40) * 10_000 + b"\r\n",
        b"\x16\x03\x01" * 1000,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: %s\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: %s\r\nOrigin: http://evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: %s\r\nOrigin: http://%s\r\nOrigin: http://evil.example\r\n\r\n",
    ],
    ids=["10,000 headers", "TLS", "a long path", "host", "second host", "origin", "second origin"],
)
def test_what_is_no_request_of_ours(sent: bytes, room: Room) -> None:
    sent = sent.replace(b"%s", room.host.encode())

    def ask() -> None:
        with room.line() as line:
            try:
                line.sendall(sent)
                said = line.recv(12)
            except ConnectionResetError:  # it hung up before all of it had come
                assert len(sent) > RECEIVED
            else:
                assert said[:10] == b"HTTP/1.1 4"

    ask()
    with attacking(ask, 4):
        for _ in range(3):
            room.withstands()
