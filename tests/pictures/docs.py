"""The pictures that the docs show: scenes as they stand, and a few moves of a game as they go on."""

from __future__ import annotations

import base64
import io
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from companion.web.browser import AT_REST
from PIL import Image
from playwright.sync_api import Browser, Page
from support.greedy_games import greedy_game, journal_of
from support.server import companion

from cribpi.cribbage.game.events import Event
from pictures.club import club_pictures
from pictures.phones import joining_picture, phones_picture
from pictures.scenes import PAUSE, SCENES, Scene, Told, alone, at, likely, may_play, play, told

Size = tuple[int, int]
WIDE: Size = (1280, 800)
PHONE: Size = (390, 664)
STILLS: dict[str, tuple[str, Size, str]] = {
    "page": ("play", WIDE, "light"),
    "dealt": ("hint", WIDE, "dark"),
    "start": ("start", WIDE, "light"),
    "four": ("four", WIDE, "light"),
    "result": ("result", WIDE, "light"),
    "rules": ("rules", WIDE, "light"),
    "settings": ("settings", WIDE, "light"),
    "voice": ("voice", (760, 480), "light"),
    "phone": ("keep", PHONE, "light"),
    "review": ("review", WIDE, "light"),
    "mistakes": ("mistakes", (1280, 1000), "light"),
    "trying": ("trying", PHONE, "light"),
    "practised": ("practised", PHONE, "light"),
    "player": ("player", WIDE, "light"),
}
"""Each picture of `docs/images/`, with its scene, its size and its colours."""
QUALITY = 86
MOVING: Size = (800, 500)
CARD = ".hand button.card:not([aria-disabled=true])"
MAIN = ".asked .main"
THINKS: float = 700
"""Milliseconds for which whoever watches sees what is pressed next."""
READY = """(seq) => document.querySelector("main").dataset.seq === String(seq)
  && !document.querySelector("[data-rests], .felt.closed")
  && document.getAnimations().every(({ playState }) => playState !== "running")
  && document.querySelector(".show, .asked .main, .hand button.card:not([aria-disabled=true])")"""
"""The page shows all of that state, and takes a press."""
COUNTED = """() => document.querySelector(".show .total")
  && !document.querySelector(".show :is(.now, .later, .lifted)")"""
"""The hand is walked through."""
ON_DISK = Path("/var/tmp")  # noqa: S108  a fresh folder is made in it
APART = 0.15  # seconds; of pictures that follow one another sooner, the latest is kept
LONGEST, LAST = 1200, 2500  # milliseconds that a picture in which nothing moves is shown, and the last one


def make_docs(browser: Browser, folder: Path) -> None:
    for name, (scene, size, theme) in STILLS.items():
        page = browser.new_context(reduced_motion="reduce").new_page()
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.set_viewport_size({"width": size[0], "height": size[1]})
        with reached(page, SCENES[scene]):
            save(page.screenshot(), folder / f"{name}.webp")
        page.context.close()
    save(phones_picture(browser), folder / "phones.webp")
    save(joining_picture(browser), folder / "joining.webp")
    for name, picture in club_pictures(browser):
        save(picture, folder / f"{name}.webp")
    film(browser, folder / "play.webp")


@contextmanager
def reached(page: Page, scene: Scene) -> Iterator[None]:
    """Run a companion, with past games where the scene has some, and bring it and *page* to the scene."""
    games = [past_game(seed) for seed in scene.past]
    # Of a folder in memory a trouble is told, in the place of a hint.
    with tempfile.TemporaryDirectory(dir=ON_DISK) as folder:
        state = journal_of(Path(folder), *games) if games else Path(folder)
        with companion(state) as (_, url):
            scene.reach(page, url)
            page.wait_for_timeout(300)  # the pegs are walked, and all is drawn
            yield


def past_game(seed: int) -> list[Event]:
    """Play a game that was played before."""
    return greedy_game(seed, ("Ann", "Bob"), 61)


def save(picture: bytes, path: Path) -> None:
    Image.open(io.BytesIO(picture)).save(path, quality=QUALITY, method=6)
    print(path)


def ready(page: Page, url: str) -> Told:
    """Wait until the table waits for the player, and *page* shows it and takes a press; return the state."""
    while not ((now := told(url))["phase"] == "show" or may_play(now) or "GO" in likely(now)):
        page.wait_for_timeout(1000 * PAUSE)
    page.wait_for_function(READY, arg=now["seq"])
    return now


def film(browser: Browser, path: Path) -> None:
    """Record a few moves as the browser draws them: what changed, and for how long it stood."""
    taken: list[tuple[float, bytes]] = []
    with tempfile.TemporaryDirectory() as state, companion(Path(state)) as (_, url):
        page = browser.new_context(color_scheme="light").new_page()
        page.set_viewport_size({"width": WIDE[0], "height": WIDE[1]})
        alone(url, speed="normal")
        at(page, url, "table")
        play(url, may_play)
        ready(page, url)
        camera = page.context.new_cdp_session(page)

        def keep(frame: dict[str, Any]) -> None:
            when = frame["metadata"]["timestamp"]
            if len(taken) > 1 and taken[-1][0] - taken[-2][0] < APART:
                taken.pop()
            taken.append((when, base64.b64decode(frame["data"])))
            camera.send("Page.screencastFrameAck", {"sessionId": frame["sessionId"]})

        camera.on("Page.screencastFrame", keep)
        camera.send("Page.startScreencast", {"format": "png"})
        while (now := ready(page, url))["phase"] != "show":
            has_one = page.locator(MAIN).count() > 0  # the only card that can be played is lifted already
            next_one = page.locator(MAIN if has_one else CARD).first
            next_one.hover()
            page.wait_for_timeout(THINKS)
            next_one.click()
            page.wait_for_function(
                "(seq) => Number(document.querySelector('main').dataset.seq) > seq", arg=now["seq"]
            )
        page.wait_for_function(COUNTED)
        page.wait_for_function(AT_REST)
        camera.remove_listener("Page.screencastFrame", keep)
        camera.send("Page.stopScreencast")
        taken.append((taken[-1][0] + APART, page.screenshot()))
        page.context.close()
    frames = [Image.open(io.BytesIO(picture)).resize(MOVING) for _, picture in taken]
    lasts = [min(LONGEST, max(20, round(1000 * (then - now)))) for (now, _), (then, _) in pairwise(taken)]
    frames[0].save(
        path, save_all=True, append_images=frames[1:], duration=[*lasts, LAST], loop=0, quality=42, method=6
    )
    print(path, len(frames), "frames")
