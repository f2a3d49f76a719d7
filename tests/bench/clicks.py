"""How many clicks the page takes for what people do most: each is made with a mouse, and counted."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.figures import row
from companion.web.browser import ARGUMENTS, CHROMIUM
from playwright.sync_api import Locator, Page, expect, sync_playwright
from support.greedy_games import greedy_game, journal_of
from support.real_cards import RealCards
from support.server import ask, companion

LOOK = """async () => {
  const told = (what) => fetch(`/api/${what}`).then((answer) => answer.json());
  const [state, page] = await Promise.all([told("state"), told("page")]);
  const main = document.querySelector("main.table");
  const comes = ".felt.closed, [data-rests], .carries, .tally .now, .key.waiting";
  return {
    ...state, hand: page.hand, carries: Object.keys(page.carry.keys),
    isReady: main?.dataset.seq === String(state.seq) && main.dataset.waiting === "0"
      && page.thinking === null && !page.table.by_itself && !document.querySelector(comes),
  };
}"""
"""Where the game stands, and whether it waits for the person: nothing thinks, moves or goes on by itself."""
WAITS = 500
"""Milliseconds in which whoever plays sees that nothing more comes by itself."""
MAIN = ".asked .main, .show .main, .dialog .main"
CARDS = ".hand button.card"
COUNTS = """() => fetch("/api/rules").then((answer) => answer.json())
  .then(({ setup }) => setup.effective.miscount !== "machine")"""


class Person:
    """Who has the mouse, and each click that was made with it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.clicks: list[str] = []

    def click(self, on: str | Locator, what: str = "") -> None:
        place = self.page.locator(on) if isinstance(on, str) else on
        said = what or " ".join(place.inner_text().split())
        place.click()
        self.clicks.append(said)

    def button(self, name: str) -> None:
        self.click(self.page.get_by_role("button", name=name, exact=True).first, name)

    def link(self, name: str) -> None:
        self.click(self.page.get_by_role("link", name=name).first, name)

    def key(self, key: str) -> None:
        self.click(f'.keypad [data-key="{key}"]', key)

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(LOOK)
        return found

    def waits(self) -> dict[str, Any]:
        """Wait until the table waits for the person, and has for a moment."""
        while True:
            before = self.look()
            if before["isReady"]:
                self.page.wait_for_timeout(WAITS)
                now = self.look()
                if now["isReady"] and now["seq"] == before["seq"]:
                    return now
            self.page.wait_for_timeout(100)


@contextmanager
def someone(page: Page, *seeds: int) -> Iterator[tuple[Person, str]]:
    """Start a companion where such games were played before, and sit somebody down before its start."""
    games = [greedy_game(seed, ("ORANGE", "BLUE"), 61, ("", "solid")) for seed in seeds]
    with tempfile.TemporaryDirectory() as folder:
        state = journal_of(Path(folder), *games) if games else Path(folder)
        with companion(state) as (_, url):
            page.goto(url)
            page.locator(".ways .begin").first.wait_for()
            page.evaluate("localStorage.clear()")
            yield Person(page), url
            page.goto("about:blank")


def way(page: Page, title: str) -> Locator:
    return page.locator(".way", has=page.get_by_role("heading", name=title))


def first_visit(page: Page) -> list[str]:
    with someone(page) as (person, _):
        person.click(way(page, "Play the computer").get_by_role("button", name="Deal"))
        expect(page.locator(CARDS)).to_have_count(6)
        return person.clicks


def deal_against_medium(page: Page) -> list[str]:
    with someone(page) as (person, url):
        dealt(page, url)
        play_deal(person)
        return person.clicks


def dealt(page: Page, url: str, **options: str) -> None:
    """Have a game against Medium begun that doesn't keep anybody waiting."""
    begun = {
        "rules": "standard", "players": 2, "entry": "dealt", "levels": ["", "solid"], "speed": "fast",
        "automatic": ["cut", "deal", "starter", "go"], "options": {"target": "121", **options},
    }  # fmt: skip
    assert ask(f"{url}api/game", begun)[0] == 200
    page.goto(f"{url}#table")
    page.locator(CARDS).first.wait_for()


def play_deal(person: Person, until: str = "") -> None:
    """Play to the next deal, or until the table comes to that phase, with no click but what is needed."""
    dealer = person.waits()["dealer"]
    while True:
        now = person.waits()
        hand = now["hand"]
        if now["dealer"] != dealer or now["phase"] == until:
            return
        if now["phase"] == "deal" and len(hand["chosen"]) < hand["wanted"]:
            person.click(f'{CARDS}[aria-pressed="false"] >> nth=0', "card")
        elif now["phase"] == "play" and hand and hand["playable"]:
            person.click(f'.hand [data-card="{hand["playable"][-1]}"]', "card")
        else:
            person.click(MAIN)


def deals_by_real_cards(page: Page, wanted: int) -> list[str]:
    """Enter so many deals of a game, and before them the cut for the first."""
    with someone(page) as (person, url):
        kept(page, url)
        cards, dealer, deals = RealCards(), None, -1
        while True:
            now = person.waits()
            if now["dealer"] != dealer:
                dealer, deals = now["dealer"], deals + 1
            if deals == wanted:
                return person.clicks
            assert now["winner"] is None, "they are to be no more than a game has"
            key = cards.next_key(now, now["carries"])
            if key is None:
                person.click(MAIN)
            else:
                person.key(key)


def rematch(page: Page) -> list[str]:
    with someone(page, 2) as (person, url):
        page.goto(f"{url}#table")
        person.button("Rematch")
        expect(page.locator(CARDS)).to_have_count(6)
        return person.clicks


def rematch_next_evening(page: Page) -> list[str]:
    with someone(page, 2) as (person, _):
        person.button("Rematch")
        expect(page.locator(CARDS)).to_have_count(6)
        return person.clicks


def review(page: Page) -> list[str]:
    with someone(page, 2) as (person, url):
        page.goto(f"{url}#table")
        person.link("Review")
        page.locator(".reviewed").wait_for()
        return person.clicks


def review_next_evening(page: Page) -> list[str]:
    with someone(page, 2) as (person, _):
        person.click(page.locator(".last-game").get_by_role("link", name="Review"))
        page.locator(".reviewed").wait_for()
        return person.clicks


def wrong_card(page: Page) -> list[str]:
    """Enter a 9 where an 8 was laid, see it at once, and put it right."""
    with someone(page) as (person, url):
        kept(page, url, "2", "K", "5", "7", "9")
        person.click("[data-tool=undo]")
        person.waits()
        person.key("8")
        assert person.waits()["count"] == 15
        return person.clicks


def kept(page: Page, url: str, *keys: str) -> None:
    """Have Ann and Bob keep score with real cards, of which so many are entered."""
    begun = {
        "rules": "standard", "players": 2, "entry": "cards", "names": ["Ann", "Bob"],
        "options": {"target": "121"},
    }  # fmt: skip
    assert ask(f"{url}api/game", begun)[0] == 200
    for key in keys:
        assert ask(f"{url}api/press", {"key": key})[0] == 200
    page.goto(f"{url}#table")
    page.locator(".keypad").wait_for()


def discard_taken_back(page: Page) -> list[str]:
    """Discard two cards against Medium, see the starter, and have all six again."""
    with someone(page) as (person, url):
        dealt(page, url)
        play_deal(person, until="play")
        person.clicks.clear()
        while person.waits()["phase"] != "deal":
            person.click("[data-tool=undo]")
        return person.clicks


def score_corrected(page: Page) -> list[str]:
    """Set a score of 4 right to 23."""
    with someone(page) as (person, url):
        kept(page, url, "2", "K", "5", "8", "7", "7", "7")
        person.key("P1")
        for digit in "23":
            person.click(f'.pad [data-key="digit:{digit}"]')
        person.button("Set to 23")
        assert person.waits()["sides"][0]["front"] == 23
        return person.clicks


def own_count_chosen(page: Page) -> list[str]:
    with someone(page) as (person, _):
        person.link("Settings")
        person.click(page.locator(".who-counts").get_by_text("I do", exact=True))
        page.wait_for_function(COUNTS)
        return person.clicks


def own_count(page: Page) -> list[str]:
    """Count a hand of 12 oneself."""
    with someone(page) as (person, url):
        dealt(page, url, miscount="lost")
        play_deal(person, until="show")
        while not page.locator(".pad").count():
            person.waits()
            person.click(MAIN)
        person.clicks.clear()
        for digit in "12":
            person.click(f'.pad [data-key="digit:{digit}"]')
        expect(page.locator(".pad .main")).to_contain_text("12")
        person.click(".pad .main")
        person.waits()
        return person.clicks


WHAT: dict[str, tuple[Callable[[Page], list[str]], str]] = {
    "first visit to cards": (first_visit, "2"),
    "a deal against Medium": (deal_against_medium, "8"),
    "rematch from the result": (rematch, "1"),
    "rematch the next evening": (rematch_next_evening, "1"),
    "review from the result": (review, "1"),
    "review the next evening": (review_next_evening, "1"),
    "a wrong card put right": (wrong_card, "2"),
    "a discard taken back after the starter": (discard_taken_back, "1"),
    "a score corrected by 19": (score_corrected, "4"),
    "to count one's own hands": (own_count_chosen, "2"),
    "a count of 12": (own_count, "3"),
}


def of_clicks(deals: int) -> None:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        for what, (do, budget) in WHAT.items():
            row(what, f"{len(do(page))} clicks", budget)
        row(
            f"{deals} deals by real cards", f"{len(deals_by_real_cards(page, deals))} clicks", f"{14 * deals}"
        )
        browser.close()
