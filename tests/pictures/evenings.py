"""Pictures of evenings with phones: what each window shows at the same moment."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from companion.web.network_table import Board, at_the_table, browser_on_the_phone, play, played_to_the_play
from companion.web.phone_table import LYING, TELEVISION, PhoneTable, act, act_on_keypad, phone_table
from playwright.sync_api import Browser, Page
from support.companions import page_of
from support.network import home
from support.patience import until

from cribpi.cribbage.game.state import State

Windows = Mapping[str, Page]
Take = Callable[[str, Windows], None]
WIDE = (1280, 800)
SETTLED = 1500
"""Milliseconds after which the pegs are walked, and all is drawn."""
ROUTER_OFF = 10.0
"""Seconds."""
MOMENTS: dict[str, Callable[[State], bool]] = {
    "discard": lambda state: state.deal is not None and any(state.deal.dealt) and not state.deal.pile,
    "play": lambda state: state.deal is not None and len(state.deal.pile) > 2,
    "show": lambda state: state.phase == "show",
}
"""What a picture is taken of, the first time that it is so."""


def three(browser: Browser, take: Take) -> None:
    """Three on phones, a television and the device's keypad."""
    with _seated(browser, "person", "person", "person") as (table, url):
        names = ("ORANGE", "BLUE", "WHITE")
        phones = {name: table.joined(f"Play as {name}") for name in names}
        windows = {
            **phones,
            "television": table.joined("Scoreboard", TELEVISION),
            "device": table.window(WIDE),
        }
        windows["device"].goto(f"{url}#device")
        table.begin("61", automatic=())
        _evening(table, windows, take, "three")


def four(browser: Browser, take: Take) -> None:
    """Two on phones, one at the keypad, and the computer."""
    with _seated(browser, "person", "person", "person", "medium") as (table, url):
        phones = {"BLUE": table.joined("Play as BLUE"), "ORANGE-2": table.joined("Play as ORANGE 2", LYING)}
        windows = {**phones, "device": table.window(WIDE)}
        windows["device"].goto(f"{url}#device")
        table.begin("61")
        _evening(table, windows, take, "four")


def network(browser: Browser, take: Take) -> None:
    """The router is off for ten seconds, and then the program is killed and started again."""
    with (
        home() as net,
        tempfile.TemporaryDirectory() as folder,
        browser_on_the_phone(net, browser.browser_type, Path(folder)) as phone,
    ):
        state = Path(folder) / "state"
        state.mkdir()
        board = Board(net, state)
        board.start()
        try:
            pages = at_the_table(board, phone)
            windows = {what.split()[-1].lower(): page for what, page in pages.items()}
            seats = [page for what, page in pages.items() if what != "Scoreboard"]
            turn = played_to_the_play(board, seats)
            take("router-before", windows)
            net.switch(on=False)
            off = time.monotonic()
            play(turn)
            turn.wait_for_timeout(5000)
            take("router-off", windows)
            time.sleep(max(0.0, off + ROUTER_OFF - time.monotonic()))
            net.switch(on=True)
            _are_back(windows)
            take("router-on", windows)
            board.kill()
            turn.wait_for_timeout(5000)
            take("killed", windows)
            board.start()
            _are_back(windows)
            take("restarted", windows)
        finally:
            board.stop()


EVENINGS: dict[str, Callable[[Browser, Take], None]] = {"three": three, "four": four, "network": network}


def evenings(browser: Browser, names: list[str], folder: Path) -> None:
    """Have the evenings of those *names*; their pictures go to *folder*."""
    folder.mkdir(parents=True, exist_ok=True)

    def take(moment: str, windows: Windows) -> None:
        for who, page in windows.items():
            page.wait_for_timeout(SETTLED)
            path = folder / f"{moment}-{who}.png"
            page.screenshot(path=path)
            print(path)

    for name in names:
        EVENINGS[name](browser, take)


@contextmanager
def _seated(browser: Browser, *levels: str) -> Iterator[tuple[PhoneTable, str]]:
    with (
        tempfile.TemporaryDirectory() as state,
        phone_table(Path(state), browser, *levels) as table,
        page_of(table.parts.companion) as server,
    ):
        yield table, server.url


def _evening(table: PhoneTable, windows: Windows, take: Take, name: str) -> None:
    """Play a game; take pictures of its moments as they come."""
    moments = dict(MOMENTS)
    for _ in table.rounds_until("game-over"):
        state = table.parts.loop.table.now.state
        for moment in [moment for moment, is_there in moments.items() if is_there(state)][:1]:
            del moments[moment]
            take(f"{name}-{moment}", windows)
        for who, page in windows.items():
            if who == "device":
                act_on_keypad(page)
            elif who != "television":
                act(page)
    take(f"{name}-over", windows)


def _are_back(windows: Windows) -> None:
    for page in windows.values():
        until(lambda page=page: not page.get_by_text("Disconnected, reconnecting.").count())  # type: ignore[misc]
