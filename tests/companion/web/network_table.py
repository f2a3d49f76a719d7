"""A table on a home's network: the real program on the board, and the windows of those who join it."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.web.browser import ARGUMENTS, HEADLESS, patience
from companion.web.phone_table import HAND, act
from playwright.sync_api import Browser, BrowserType, Page
from support.network import BOARD, Home, inside
from support.patience import PATIENCE, until
from support.server import ask, companion

PORT = 8121
SIZES = {"Play as ORANGE": (390, 664), "Play as BLUE": (390, 664), "Scoreboard": (1920, 1080)}
STRANGER = "stranger.example"
TURN = f'main[data-phase="play"] {HAND}:not([aria-disabled=true])'
"""A card that may be played: at the discard, which a page may show a while longer, all may be chosen."""


@dataclass(slots=True)
class Board:
    """The program in its own namespace, and whoever asks it there."""

    home: Home
    state: Path
    process: subprocess.Popen[str] | None = None
    _running: ExitStack = field(default_factory=ExitStack)

    def start(self) -> None:
        arguments = ("--port", str(PORT), "--entry", "dealt", "--levels", "person,person")
        with inside(self.home.board):
            self.process, _ = self._running.enter_context(companion(self.state, *arguments))

    def kill(self) -> None:
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)
        self.stop()

    def stop(self) -> None:
        self._running.close()

    def ask(self, path: str, body: object = None) -> dict[str, Any]:
        """Ask as the board's own page does."""
        with inside(self.home.board):
            status, answer = ask(f"http://127.0.0.1:{PORT}{path}", body)
        assert status == 200, answer
        found: dict[str, Any] = answer
        return found

    def let_in(self) -> str:
        """Let phones in; return what they open."""
        self.ask("/api/phones", {"phones": "open"})
        until(lambda: bool(self.ask("/api/phones")["address"]))
        return f"http://{BOARD}:{PORT}/J/{self.ask('/api/phones')['code']}"


@contextmanager
def browser_on_the_phone(home: Home, kind: BrowserType, folder: Path) -> Iterator[Browser]:
    """Start a browser on the phone, in which a stranger's name leads to the board's address."""
    program = home.browser(folder, HEADLESS)
    arguments = (*ARGUMENTS, f"--host-resolver-rules=MAP {STRANGER} {BOARD}")
    found = kind.launch(executable_path=str(program), args=list(arguments))
    try:
        yield found
    finally:
        found.close()


def opened(browser: Browser, size: tuple[int, int] = (390, 664)) -> Page:
    page = browser.new_context(viewport={"width": size[0], "height": size[1]}).new_page()
    page.set_default_timeout(patience())
    return page


def at_the_table(board: Board, browser: Browser) -> dict[str, Page]:
    """Have two persons and a television join, and start a game."""
    address = board.let_in()
    pages = {}
    for what, size in SIZES.items():
        pages[what] = page = opened(browser, size)
        page.goto(address)
        page.get_by_role("button", name=what).click()
        page.wait_for_selector("main:is(.table, .lobby, .scoreboard)")
    board.ask(
        "/api/game",
        {
            "rules": "standard",
            "players": 2,
            "entry": "dealt",
            "options": {"target": "31"},
            "levels": ["", ""],
            "speed": "fast",
            "automatic": ["cut", "deal", "starter"],
        },
    )
    return pages


def played_to_the_play(board: Board, seats: list[Page]) -> Page:
    """Discard on both phones; return the one that is to play."""
    end = time.monotonic() + PATIENCE
    while board.ask("/api/state")["phase"] != "play":
        assert time.monotonic() < end, "never at the play"
        for page in seats:
            act(page)
    found: list[Page] = []

    def is_somebodys_turn() -> bool:
        found[:] = [page for page in seats if page.locator(TURN).count()]
        return bool(found)

    until(is_somebodys_turn)
    return found[0]


def play(page: Page) -> None:
    """Choose a card, and play it: it is on its way, or has arrived."""
    for _ in range(2):
        assert act(page)


def hand(page: Page) -> list[str]:
    cards: list[str] = page.locator(HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    return cards
