"""Many connections, silent ones and slow ones: the page stays open to others, and running out is said
once."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack

import httpx
import pytest
from companion.web.rehearsed import RehearsedClient
from companion.web.test_door import assert_safe
from support.companions import page_of
from support.patience import PATIENCE, until

from cribpi.companion.web import body, serving
from cribpi.companion.web.server import PageServer
from cribpi.companion.web.serving import most_connections, on_fault

SOON = 0.5
"""Seconds that stand for the ten of a real server."""


def line_to(server: PageServer) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


def read_all(line: socket.socket) -> bytes:
    """Return what comes until the server hangs up; fail if it never does."""
    found = b""
    try:
        while part := line.recv(4096):
            found += part
    except ConnectionResetError:
        pass  # it hung up while something unread had still been sent to it
    return found


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch, companion: RehearsedClient) -> Iterator[PageServer]:
    """A server that waits for a request no longer than a test does."""
    monkeypatch.setattr(serving, "TIMEOUT", SOON)
    monkeypatch.setattr(body, "TIMEOUT", SOON)
    with page_of(companion) as server:
        yield server
        companion.let_go()


REQUEST = b"GET /api/state HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
POST = b"POST %s HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4000\r\n\r\n"


def test_between_two_requests_there_is_as_much_time_and_no_more(hasty: PageServer) -> None:
    with line_to(hasty) as line:
        line.sendall(REQUEST + REQUEST + REQUEST[:20])
        assert read_all(line).count(b"HTTP/1.1 200 OK") == 2


def test_a_body_that_never_comes_is_given_up_in_a_sentence(
    hasty: PageServer, companion: RehearsedClient
) -> None:
    with line_to(hasty) as line:
        line.sendall(POST % b"/api/press" + b'{"key": ')
        head, _, body = read_all(line).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in head.lower()
    assert "send it again" in json.loads(body)["error"]
    assert companion.pressed == []


def test_a_body_for_nobody_is_not_waited_for_either(hasty: PageServer) -> None:
    with line_to(hasty) as line:
        line.sendall(POST % b"/nothing" + b"x")
        assert read_all(line).startswith(b"HTTP/1.1 404 ")


def test_who_listens_or_waits_for_an_answer_is_not_hurried(
    hasty: PageServer, companion: RehearsedClient
) -> None:
    companion.held = []
    with line_to(hasty) as press, line_to(hasty) as events, line_to(hasty) as silent:
        events.sendall(REQUEST.replace(b"state", b"events"))
        body = b'{"key": "7"}'
        press.sendall(POST.replace(b"4000", b"%d" % len(body)) % b"/api/press" + body)
        assert read_all(silent) == b"", "so much time has passed"
        companion.let_go()
        assert press.recv(4096).startswith(b"HTTP/1.1 200 ")
        hear(events, b'"seq": %d' % companion.seq)  # what the press has changed


def test_who_still_waits_for_an_answer_is_hung_up_on_when_the_server_stops(
    companion: RehearsedClient,
) -> None:
    companion.held = []
    with page_of(companion) as server, line_to(server) as press:
        body = b'{"key": "7"}'
        press.sendall(POST.replace(b"4000", b"%d" % len(body)) % b"/api/press" + body)
        until(lambda: companion.held)
        gc.disable()  # which would close it some time later, with a warning
        try:
            server.stop()
            press.settimeout(PATIENCE)
            assert read_all(press) == b""
        finally:
            gc.enable()
            companion.let_go()


def test_who_comes_at_the_very_moment_of_the_stop_is_hung_up_on_too(
    companion: RehearsedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_stop = threading.Event()
    set_in_loop = asyncio.Event.set

    def after_a_while(event: asyncio.Event) -> None:
        may_stop.wait(PATIENCE)
        asyncio.get_running_loop().call_soon(set_in_loop, event)  # in the round in which they are accepted

    monkeypatch.setattr(asyncio.Event, "set", after_a_while)
    with page_of(companion) as server, ExitStack() as lines:
        stop = threading.Thread(target=server.stop)
        stop.start()
        came = [lines.enter_context(line_to(server)) for _ in range(6)]
        gc.disable()  # which would close them some time later, with a warning
        try:
            may_stop.set()
            stop.join(PATIENCE)
            assert not stop.is_alive()
            for line in came:
                line.settimeout(PATIENCE)
                assert read_all(line) == b""
        finally:
            gc.enable()


# --- too many ---------------------------------------------------------------------------------------


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    """How many connections are served while all are being answered: a few."""
    monkeypatch.setattr(serving, "MOST", 2)
    return 4


def listening(server: PageServer) -> socket.socket:
    """Return a connection to an event stream that has begun."""
    line = line_to(server)
    line.sendall(REQUEST.replace(b"state", b"events"))
    assert line.recv(4096).startswith(b"HTTP/1.1 200 ")
    return line


def hear(events: socket.socket, words: bytes) -> None:
    """Read from a stream until it says *words*; fail if it ends before."""
    told = b""
    while words not in told:
        part = events.recv(65536)
        assert part != b"", told
        told += part


def answered(server: PageServer) -> httpx.Response:
    return httpx.get(f"{server.url}api/state", trust_env=False, timeout=PATIENCE)


def test_where_all_are_in_use_one_more_is_told_so_until_there_is_room_again(
    few: int, server: PageServer
) -> None:
    with ExitStack() as lines:
        listeners = [lines.enter_context(listening(server)) for _ in range(few)]
        for _ in range(3):
            refused = answered(server)
            assert refused.status_code == 503
            assert "4 connections are open" in refused.json()["error"]
            assert_safe(refused.headers)
            assert refused.headers["connection"] == "close"
        foreign = httpx.get(f"{server.url}api/state", headers={"Host": "evil.example"}, timeout=PATIENCE)
        assert foreign.status_code == 421
        with line_to(server) as line:  # in two parts, as some clients send them
            line.sendall(POST.replace(b"4000", b"12") % b"/api/press")
            assert line.recv(4096).startswith(b"HTTP/1.1 503 ")
        listeners.pop().close()
        stream = server._stream
        until(lambda: len(stream) < few)
        assert answered(server).status_code == 200


def test_who_waits_for_nothing_makes_room_before_anybody_is_refused(few: int, server: PageServer) -> None:
    with ExitStack() as lines:
        listeners = [lines.enter_context(listening(server)) for _ in range(few - 1)]
        silent = lines.enter_context(line_to(server))
        listeners.append(lines.enter_context(listening(server)))
        assert read_all(silent) == b""
        assert answered(server).status_code == 503
        listeners.pop().close()
        stream = server._stream
        until(lambda: len(stream) < few)
        for _ in range(3):
            assert answered(server).status_code == 200


@pytest.mark.parametrize(("files", "most"), [(1024, 128), (65536, 128), (256, 32), (-1, 128)])
def test_half_of_the_files_are_left_to_the_table(
    monkeypatch: pytest.MonkeyPatch, files: int, most: int
) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _: (files, files))
    assert resource.RLIM_INFINITY == -1
    assert most_connections() == most


def test_any_other_fault_is_told_as_before() -> None:
    told: list[object] = []

    class Loop:
        def default_exception_handler(self, context: object) -> None:
            told.append(context)

    contexts = [{"message": "no exception"}, {"exception": OSError(errno.EIO, "a fault")}]
    for context in contexts:
        on_fault(Loop(), context)  # type: ignore[arg-type]
    assert told == contexts
