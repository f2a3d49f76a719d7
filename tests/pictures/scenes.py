"""The scenes of the page, and how each is come to: by what the program offers, as a person would."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Page
from support.server import ask

Told = dict[str, Any]
"""What `GET /api/state` and `GET /api/page` say, in one."""

MOVES = 3000  # a game to 121 takes some 150, and between them the computer is waited for
PAUSE = 0.02


REVIEWED = (2,)
"""The game that docs/tutorial/review.md reviews."""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where it is, and how it is come to from a program that has just been started."""

    reach: Callable[[Page, str], None]
    past: Sequence[int] = ()
    """The seeds of the games that were played before."""


def told(url: str) -> Told:
    state, page = (ask(f"{url}api/{what}")[1] for what in ("state", "page"))
    return {**state, **page}


def play(url: str, until: Callable[[Told], bool]) -> None:
    """Press what is likely until the table is as wanted."""
    for _ in range(MOVES):
        now = told(url)
        if until(now):
            return
        if now["thinking"] is not None or now["table"]["by_itself"]:
            time.sleep(PAUSE)
            continue
        ask(f"{url}api/press", {"key": next_key(now), "if_seq": now["seq"]})
    raise RuntimeError("the scene was not come to")


def next_key(now: Told) -> str:
    """Return the first card of a hand for the crib, else OK, else the first card that can be played."""
    keys = likely(now)
    if now["phase"] == "deal" and now["hand"] and "OK" not in keys:
        suited = [key for key in keys if key[-1] in "CDHS" and key not in now["hand"]["chosen"]]
        return suited[0]
    return "OK" if "OK" in keys else next(key for key in keys if key not in ("UNDO", "MENU", "FLNB"))


def likely(now: Told) -> list[str]:
    """Return the keys that make sense now."""
    return [choice["key"] for choice in now["choices"] if choice["likely"]]


def may_play(now: Told) -> bool:
    is_mine = now["phase"] == "play" and now["turn"] == 0
    return is_mine and any(choice["key"][-1] in "CDHS" for choice in now["choices"] if choice["likely"])


def dealt(
    url: str, *levels: str, target: str = "121", speed: str = "fast", names: tuple[str, ...] = ()
) -> None:
    automatic = ["cut", "deal", "starter"]
    setup = {
        "players": len(levels), "entry": "dealt", "levels": list(levels), "speed": speed,
        "automatic": automatic, "options": {"target": target}, "names": list(names),
    }  # fmt: skip
    begin(url, setup)


def kept(url: str, names: tuple[str, ...], *keys: str) -> None:
    begin(url, {"players": len(names), "entry": "cards", "names": list(names), "options": {"target": "121"}})
    for key in keys:
        status, answer = ask(f"{url}api/press", {"key": key})
        if status != 200:
            raise RuntimeError(f"{key}: {answer}")


def begin(url: str, setup: Told) -> None:
    status, answer = ask(f"{url}api/game", {"rules": "standard", **setup})
    if status != 200:
        raise RuntimeError(str(answer))


def at(page: Page, url: str, place: str) -> None:
    page.goto(f"{url}#{place}")
    page.wait_for_selector("main:not(.failed)")


def alone(url: str, **settings: str) -> None:
    dealt(url, "", "medium", names=("ANN", "BLUE"), **settings)


def start(page: Page, url: str) -> None:
    at(page, url, "")
    page.wait_for_function("() => [...document.images].every((court) => court.complete)")


def open_game(page: Page, url: str) -> None:
    alone(url)
    play(url, lambda now: now["phase"] == "play")
    at(page, url, "")


def discard(page: Page, url: str) -> None:
    alone(url)
    at(page, url, "table")
    cards = page.locator(".hand button.card")
    cards.nth(1).click()
    page.locator(".hand button.card[aria-pressed=true]").wait_for()
    cards.nth(4).click()
    page.get_by_role("button", name="crib").wait_for()


def hint(page: Page, url: str) -> None:
    dealt(url, "", "expert", names=("ANN", "BLUE"))
    at(page, url, "table")
    play(url, lambda now: now["phase"] == "deal" and bool(now["hand"]))
    page.get_by_role("button", name="Hint").click()
    page.locator(".hand .card.hinted").first.wait_for()


def mid_play(page: Page, url: str) -> None:
    alone(url)
    at(page, url, "table")
    play(url, lambda now: may_play(now) and len(now["pile"]) > 2 and now["table"]["deal"] > 1)
    page.locator(".hand button.card:not([aria-disabled=true])").first.hover()  # a mouse lifts what it is over


def closed(page: Page, url: str) -> None:
    alone(url)
    at(page, url, "table")
    play(url, lambda now: may_play(now) and len(now["table"]["counts"]) > 1 and bool(now["pile"]))


def kept_closed(page: Page, url: str) -> None:
    at(page, url, "table")
    kept(url, ("ANN", "BOB"), "2", "K", "5", "10", "10", "J", "A", "9", "7")
    page.locator(".gone").wait_for()


def of_four(page: Page, url: str) -> None:
    dealt(url, "", "medium", "expert", "easy", names=("ANN", "BOB", "CLEO", "DAN"))
    at(page, url, "table")
    play(url, lambda now: may_play(now) and len(now["pile"]) > 1)


def long_names(page: Page, url: str) -> None:
    dealt(url, "", "", names=("W" * 40, "Annabel-Lee Fitzwilliam-Featherstonehaugh"[:40]))
    at(page, url, "table")
    page.locator(".asked .main").wait_for()


def hand_shown(page: Page, url: str) -> None:
    alone(url)
    at(page, url, "table")
    play(url, lambda now: bool(now["felt"] and now["felt"]["shown"] and now["felt"]["shown"]["points"] > 5))
    page.locator(".show .total").wait_for()


def result(page: Page, url: str) -> None:
    alone(url, target="61")
    at(page, url, "table")
    play(url, lambda now: now["winner"] is not None)
    page.locator(".result").wait_for()


def keep(page: Page, url: str) -> None:
    at(page, url, "table")
    kept(url, ("ANN", "BOB"), "2", "K", "5", "8", "7", "7")
    page.locator(".keypad").wait_for()


def over(page: Page, url: str) -> None:
    at(page, url, "table")
    kept(url, ("ANN", "BOB"), "2", "K", "5", "8", "7", "10", "9")
    page.locator(".question").wait_for()


def menu(page: Page, url: str) -> None:
    keep(page, url)
    ask(f"{url}api/press", {"key": "MENU"})
    page.locator("[data-kind=dialog]").wait_for()


def correction(page: Page, url: str) -> None:
    keep(page, url)
    ask(f"{url}api/press", {"key": "P1"})
    page.locator("[data-kind=dialog]").wait_for()


def count(page: Page, url: str) -> None:
    at(page, url, "count")
    page.get_by_label("Type").fill("5H 5C 5S JD 5D")
    page.locator(".tally li").first.wait_for()


def suits(page: Page, url: str) -> None:
    keep(page, url)
    page.locator('.key[data-key="8"]').click(button="right")
    page.locator(".held-menu").wait_for()


def lesson(page: Page, url: str) -> None:
    at(page, url, "")
    page.get_by_role("button", name="Learn to play").click()
    page.locator(".coach").wait_for()


def device(page: Page, url: str) -> None:
    mid_play(page, url)
    page.locator("[data-tool=keypad]").click()
    page.locator("aside.device").wait_for()


def route(place: str, ready: str) -> Callable[[Page, str], None]:
    def reach(page: Page, url: str) -> None:
        at(page, url, place)
        page.locator(ready).first.wait_for()

    return reach


def voice(page: Page, url: str) -> None:
    route("settings", ".setting")(page, url)
    setting = page.get_by_role("radiogroup", name="Voice")
    setting.get_by_text("On", exact=True).click()
    setting.evaluate("(one) => one.scrollIntoView({ block: 'center' })")


def trying(page: Page, url: str) -> None:
    route("games/1/review", ".decided")(page, url)
    page.get_by_role("button", name="5 led").click()
    page.get_by_role("button", name="Try it yourself").click()
    page.locator(".trying button").first.click()
    page.locator(".verdict").wait_for()


def practised(page: Page, url: str) -> None:
    route("practice/pegging", ".trying")(page, url)
    page.get_by_label("Practise").select_option("Ann")
    page.get_by_text("From game 1, deal 2.").wait_for()
    page.locator(".trying button").nth(1).click()
    page.locator(".verdict").wait_for()


SCENES = {
    "start": Scene(start),
    "open-game": Scene(open_game),
    "discard": Scene(discard),
    "hint": Scene(hint),
    "play": Scene(mid_play),
    "closed": Scene(closed),
    "keep-closed": Scene(kept_closed),
    "four": Scene(of_four),
    "long-names": Scene(long_names),
    "show": Scene(hand_shown),
    "result": Scene(result),
    "keep": Scene(keep),
    "over-31": Scene(over),
    "menu": Scene(menu),
    "correction": Scene(correction),
    "count": Scene(count),
    "suits": Scene(suits),
    "lesson": Scene(lesson),
    "device": Scene(device),
    "rules": Scene(route("rules", "main h1")),
    "names": Scene(route("names", "main h1")),
    "settings": Scene(route("settings", ".setting")),
    "voice": Scene(voice),
    "games": Scene(route("games", ".game-row"), range(12)),
    "review": Scene(route("games/3/40", ".past-game"), range(12)),
    "mistakes": Scene(route("games/1/review", ".decided"), REVIEWED),
    "trying": Scene(trying, REVIEWED),
    "practised": Scene(practised, REVIEWED),
    "practice": Scene(route("practice", ".trying"), range(12)),
    "statistics": Scene(route("stats", ".figures"), range(12)),
    "player": Scene(route("stats/Ann", ".facts-row"), range(12)),
}
