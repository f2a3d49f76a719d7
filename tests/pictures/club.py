"""The pages of a club night, in the middle of its fifth round, and a board's screen."""

from __future__ import annotations

import io
import json
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from PIL import Image
from playwright.sync_api import Browser
from support.broker import free_port
from support.screens import ROUND_3

from cribpi.club.desk import Desk
from cribpi.club.entries import Arrived, Listed, Reported
from cribpi.club.log import Log
from cribpi.club.night import Night
from cribpi.club.standings import Result
from cribpi.club.web.access import Access
from cribpi.club.web.app import Site
from cribpi.club.web.server import serve
from cribpi.companion.entry.requests import SetPairing
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.run.bootstrap import apply_club_request
from cribpi.companion.run.simulator import IN_MEMORY, Rehearsal
from cribpi.workshop.club_trial import NAMES, PEOPLE


def night_at(
    log: Log, rounds: int = 5, name: str = "Tuesday club", share: float = 0.4, seed: int = 17
) -> Desk:
    """Return a desk with 24 players on 12 boards; a *share* of the last round's games has ended."""
    chance, desk = Random(seed), Desk(log, name)
    for player in PEOPLE[:24]:
        desk.do(Listed(player))
        desk.do(Arrived(player))
    for board in NAMES[:12]:
        desk.on_online(board, is_there=True)
        desk.on_state(board, b'{"sides": [], "phase": "idle", "club": true}')
    desk.draw(Random(5))
    for number in range(1, rounds + 1):
        desk.open_round()
        for table in desk.night.missing:
            if number < rounds or chance.random() < share:
                _ended(desk, desk.night, table.board, chance)
            else:
                scores = [chance.randrange(60, 119) for _ in table.players]
                sides = [
                    {"name": name, "score": score} for name, score in zip(table.players, scores, strict=True)
                ]
                desk.on_state(
                    NAMES[table.board - 1],
                    json.dumps({"sides": sides, "phase": "play", "club": True}).encode(),
                )
    return desk


def _ended(desk: Desk, night: Night, board: int, chance: Random) -> None:
    winner, loser = chance.sample(night.table(night.round, board).players, 2)
    score = min(120, max(60, round(chance.gauss(103, 13))))
    desk.do(Reported(Result(night.round, board, winner, loser, score), NAMES[board - 1]))


@contextmanager
def served(desk: Desk, log: Log, folder: Path) -> Iterator[tuple[str, Access]]:
    """Serve the page of *desk*, and give its address and who may use it."""
    access, port = Access(folder / "password.json"), free_port()
    stop: list[Callable[[], None]] = []
    ready = threading.Event()

    def serves(how_to_stop: Callable[[], None]) -> None:
        stop.append(how_to_stop)
        ready.set()

    thread = threading.Thread(target=serve, args=(Site(desk, log, access), "127.0.0.1", port, serves))
    thread.start()
    assert ready.wait(30)
    try:
        yield f"http://127.0.0.1:{port}", access
    finally:
        stop[0]()
        thread.join(30)


def club_pictures(browser: Browser) -> Iterator[tuple[str, bytes]]:
    """Yield the pages of a night and what a board shows, by the names of their pictures."""
    with tempfile.TemporaryDirectory() as folder:
        log = Log(f"sqlite:///{folder}/club.db")
        for seed, name in enumerate(("2026-09-08", "2026-09-15", "2026-09-22")):
            night_at(log, 9, name, 1, seed)
        with served(night_at(log), log, Path(folder)) as (url, access):
            page = browser.new_context(color_scheme="light", reduced_motion="reduce").new_page()
            page.set_viewport_size({"width": 1280, "height": 860})
            page.goto(url)
            yield "club-night", page.screenshot()
            page.goto(f"{url}/cards")
            yield "club-cards", page.screenshot()
            page.goto(f"{url}/login")
            page.get_by_label("Password").fill(access.new_password())
            page.get_by_role("button", name="Sign in").click()
            page.wait_for_load_state()
            yield "club-desk", page.screenshot()
            page.goto(f"{url}/season")
            yield "club-season", page.screenshot()
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(url)
            yield "club-phone", page.screenshot()
            page.context.close()
        log.close()
    yield "club-board", board_picture()


def board_picture() -> bytes:
    """Return the screen of a board whose next game is known, four times as large."""
    bench = Rehearsal(load_kit("table"), 7, journal=IN_MEMORY)
    try:
        apply_club_request(bench.loop, SetPairing(ROUND_3))
        bench._serve()
        glass = bench.glass().convert("L")
    finally:
        bench.close()
    found = io.BytesIO()
    glass.resize((glass.width * 4, glass.height * 4), Image.Resampling.NEAREST).save(found, "PNG")
    return found.getvalue()
