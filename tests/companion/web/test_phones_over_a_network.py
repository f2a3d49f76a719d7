"""Phones on a home's network: the real program, a router that is switched off, and pages of strangers."""

from __future__ import annotations

import socket
import threading
import time
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
import zeroconf
from companion.web.browser import needs_chromium
from companion.web.network_table import (
    PORT,
    STRANGER,
    Board,
    at_the_table,
    browser_on_the_phone,
    hand,
    play,
    played_to_the_play,
)
from playwright.sync_api import Browser, expect
from support.network import BOARD, PHONE, Home, home, inside
from support.patience import PATIENCE, until

pytestmark = [pytest.mark.browser, needs_chromium]

LOST = "Disconnected, reconnecting."
MISDIRECTED = 421


@pytest.fixture
def network() -> Iterator[Home]:
    with home() as found:
        yield found


@pytest.fixture
def board(network: Home, tmp_path: Path) -> Iterator[Board]:
    board = Board(network, tmp_path)
    board.start()
    try:
        yield board
    finally:
        board.stop()


@pytest.fixture
def on_the_phone(network: Home, browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    with browser_on_the_phone(network, browser.browser_type, tmp_path) as found:
        yield found


def can_reach(namespace: str, address: str) -> bool:
    with inside(namespace), socket.socket() as line:
        line.settimeout(5)
        return line.connect_ex((address, PORT)) == 0


def test_nothing_is_there_for_the_network_until_phones_are_let_in(network: Home, board: Board) -> None:
    assert can_reach(network.board, "127.0.0.1")
    assert not can_reach(network.phone, BOARD)
    board.let_in()
    until(lambda: can_reach(network.phone, BOARD))
    board.ask("/api/phones", {"phones": "close"})
    until(lambda: not can_reach(network.phone, BOARD))
    assert can_reach(network.board, "127.0.0.1")


@pytest.mark.prove
@pytest.mark.parametrize("seconds", [10, 60], ids=["ten seconds", "a minute"])
def test_without_a_router_for_a_while_all_are_back_and_a_press_has_counted_once(
    network: Home, board: Board, on_the_phone: Browser, seconds: float
) -> None:
    pages = at_the_table(board, on_the_phone)
    seats = [page for what, page in pages.items() if what != "Scoreboard"]
    turn = played_to_the_play(board, seats)
    before, held = board.ask("/api/state"), hand(turn)
    network.switch(on=False)
    off = time.monotonic()
    play(turn)
    expect(turn.get_by_text(LOST)).to_be_visible()  # it was sent, and no answer came
    assert board.ask("/api/state")["seq"] == before["seq"]
    time.sleep(max(0.0, off + seconds - time.monotonic()))
    network.switch(on=True)
    until(lambda: board.ask("/api/state")["seq"] > before["seq"])
    for page in pages.values():
        expect(page.locator(".pile .card")).to_have_count(len(before["pile"]) + 1)
        expect(page.get_by_text(LOST)).to_have_count(0)
    after = board.ask("/api/state")
    assert len(after["pile"]) == len(before["pile"]) + 1
    assert len(hand(turn)) == len(held) - 1
    assert set(hand(turn)) < set(held)


@pytest.mark.prove
def test_a_scoreboard_that_hears_nothing_says_so_by_itself(
    network: Home, board: Board, on_the_phone: Browser
) -> None:
    far = at_the_table(board, on_the_phone)["Scoreboard"]
    network.switch(on=False)
    expect(far.get_by_text(LOST)).to_be_visible()
    network.switch(on=True)
    expect(far.get_by_text(LOST)).to_have_count(0)


@pytest.mark.prove
def test_when_the_program_is_killed_and_started_again_all_are_back_by_themselves(
    board: Board, on_the_phone: Browser
) -> None:
    pages = at_the_table(board, on_the_phone)
    seats = [page for what, page in pages.items() if what != "Scoreboard"]
    played_to_the_play(board, seats)
    before = [hand(page) for page in seats]
    board.kill()
    for page in pages.values():
        expect(page.get_by_text(LOST)).to_be_visible()
    board.start()
    for page in pages.values():
        expect(page.get_by_text(LOST)).to_have_count(0)
    assert [hand(page) for page in seats] == before
    play(played_to_the_play(board, seats))
    for page in pages.values():
        expect(page.locator(".pile .card")).not_to_have_count(0)


# --- pages of strangers ---


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def strangers_page(network: Home, folder: Path, html: str) -> Iterator[str]:
    """Serve a stranger's page on the phone's own network; give its address."""
    (folder / "index.html").write_text(html)
    with inside(network.phone):
        server = ThreadingHTTPServer((PHONE, 0), partial(QuietHandler, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://{PHONE}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_a_strangers_name_that_leads_to_the_board_is_refused(board: Board, on_the_phone: Browser) -> None:
    pages = at_the_table(board, on_the_phone)
    page = pages["Play as ORANGE"]
    answer = page.goto(f"http://{STRANGER}:{PORT}/")
    assert answer is not None
    assert answer.status == MISDIRECTED
    assert page.locator("main").count() == 0
    for path in ("state", "page", "log", "phone"):
        told = page.evaluate(f"() => fetch('/api/{path}').then(async (a) => [a.status, await a.text()])")
        assert told[0] == MISDIRECTED
        assert "hand" not in told[1]


STRANGE = f"""<!doctype html><title>a stranger</title>
<form method="post" enctype="text/plain" action="http://{BOARD}:{PORT}/api/press" target="sent">
<input name='{{"key": "UNDO", "x": "' value='"}}'></form>
<iframe name="sent"></iframe>
<iframe id="framed" src="http://{BOARD}:{PORT}/"></iframe>"""
TRIES = f"""async () => {{
  const address = "http://{BOARD}:{PORT}/api/";
  document.forms[0].submit();
  const tried = [];
  for (const path of ["state", "page", "log", "phone", "events"]) {{
    tried.push(await fetch(address + path, {{ credentials: "include" }}).then((a) => a.text(), () => "refused"));
  }}
  for (const mode of ["cors", "no-cors"]) {{
    tried.push(await fetch(address + "press", {{
      method: "POST", mode, credentials: "include", body: '{{"key": "UNDO"}}' }}).then((a) => a.text(), () => "refused"));
  }}
  return tried;
}}"""


def test_a_strangers_page_reads_nothing_and_presses_nothing(
    network: Home, board: Board, on_the_phone: Browser, tmp_path: Path
) -> None:
    pages = at_the_table(board, on_the_phone)
    page = pages["Play as ORANGE"]
    played_to_the_play(board, [page, pages["Play as BLUE"]])
    before = board.ask("/api/state")
    folder = tmp_path / "stranger"
    folder.mkdir()
    with strangers_page(network, folder, STRANGE) as address:
        page.goto(address)
        assert set(page.evaluate(TRIES)) <= {"refused", ""}  # what came without cors is closed to it
        frame = page.frame(url=f"http://{BOARD}:{PORT}/")
        assert frame is None or frame.locator("main").count() == 0
        page.wait_for_timeout(500)
    assert board.ask("/api/state") == before


# --- its name ---


def test_the_board_is_found_by_its_name(network: Home, board: Board) -> None:
    board.let_in()
    until(lambda: can_reach(network.phone, BOARD))
    with ThreadPoolExecutor(1) as elsewhere:  # a loop runs in this thread, and zeroconf wants one of its own
        assert elsewhere.submit(addresses_of, "cribpi.local.", network.phone).result() == [BOARD]
    with inside(network.phone):
        named = {"Host": f"cribpi.local:{PORT}"}
        request = urllib.request.Request(f"http://{BOARD}:{PORT}/", headers=named)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310  as above
            assert answer.status == 200


def addresses_of(name: str, namespace: str) -> list[str]:
    """Ask the network for the addresses of a *name*, as a phone does."""
    asks: Any = zeroconf.AddressResolverIPv4(name)  # type: ignore[attr-defined]  # the library forgets to list it
    with inside(namespace):
        line = zeroconf.Zeroconf(interfaces=[PHONE])
        try:
            asks.request(line, 10_000)
        finally:
            line.close()
    found: list[str] = asks.parsed_addresses()
    return found
