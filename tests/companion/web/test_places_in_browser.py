"""Places are fixed: nothing that can be pressed moves because something else appears, or can no longer be done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from itertools import chain, combinations
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import (
    PAINTED,
    SETTLE,
    SHOWS,
    TABLE,
    intercept,
    needs_chromium,
    patience,
    resize,
    show,
    visit,
    wait_until,
)
from companion.web.dealt_scenes import LAY_AWAY
from companion.web.phone_table import HAND, act, phone_table
from companion.web.real_table import real_table
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import FIRST_DEAL, IDLE, LONG_SHOW, PLAY
from companion.web.test_layout_in_browser import STEPS_OF_A_DEAL
from companion.web.test_second_evening_in_browser import evening
from pictures.scenes import next_key
from playwright.sync_api import Browser, Page, Route, expect
from support.greedy_games import greedy_game

from cribpi.companion.entry.house import House
from cribpi.companion.entry.input_state import Hint
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = ((1280, 800), (844, 390), (390, 844), (390, 664), (320, 568))

# --- a deal ---

PLACES = """() => {
  for (const moving of document.getAnimations()) moving.finish();
  document.querySelector("main.table > .felt.closed")?.click();
  const found = {};
  for (const one of document.querySelectorAll("main.table :is(button, a.mark, .strip)")) {
    if (!one.offsetParent || one.closest("aside, dialog, .hand")) continue;
    const part = ["tools", "keypad", "pad", "asked", "show", "dialog"].find((name) => one.closest(`.${name}`)) ?? "";
    const name = part ? one.dataset.tool ?? one.dataset.key ?? (one.ariaLabel || one.textContent.trim()) : one.className;
    const { x, y, width, height } = one.getBoundingClientRect();
    found[`${part} ${name}`] = [x, y, width, height].map(Math.round);
  }
  return found;
}"""
"""Where each button is, but for the cards of the hand, which close up as they are played."""
Places = dict[str, list[int]]
DEALT = Scene("OK OK", NextGame(entry="dealt", levels=("", "medium"), house=House(("Kate", ""))), seed=3)
KEPT = Scene("OK OK", NextGame(house=House(("Kate", "Bob"))))
POINTS = Scene("OK OK", NextGame(entry="peg", house=House(("Kate", "Bob"))))
KEPT_KEYS = (*FIRST_DEAL.split()[2:], *"9 8 7 7 GO 2 GO 6 10 3 K OK OK 5".split())
POINTS_KEYS = (
    "P1 OK OK digit:3 UNDO digit:3 P1 digit:2 P2 UNDO UNDO hold:UNDO hold:UNDO OK "
    "digit:1 digit:2 OK digit:8 OK digit:4 OK OK"
).split()


def moved(before: Places, after: Places) -> dict[str, tuple[list[int], list[int]]]:
    """Return the buttons that are in both, and not at the same place."""
    return {name: (place, after[name]) for name, place in before.items() if after.get(name, place) != place}


def dealt_keys(companion: RehearsedClient) -> Iterator[str]:
    """Yield what a person presses until the second deal: a hint before each card, and a few back and forth."""
    for at in range(STEPS_OF_A_DEAL):
        told: Any = {**companion.state(), **companion.page()}
        if told["table"]["deal"] == 2:
            return
        if told["hand"] and told["hand"]["may_hint"]:
            yield "FLNB"
            told = {**companion.state(), **companion.page()}
        yield next_key(told)
        if at in {3, 8}:
            yield from ("UNDO", "UNDO", "hold:UNDO", "hold:UNDO")


def kept_keys(_companion: RehearsedClient) -> Iterator[str]:
    for at, key in enumerate(KEPT_KEYS):
        yield key
        if at in {3, 14, 30}:
            yield from ("UNDO", "UNDO", "hold:UNDO", "hold:UNDO")


def points_keys(_companion: RehearsedClient) -> Iterator[str]:
    yield from POINTS_KEYS


@pytest.mark.parametrize(
    ("scene", "keys"),
    [(DEALT, dealt_keys), (KEPT, kept_keys), (POINTS, points_keys)],
    ids=["dealt", "real cards", "points only"],
)
def test_no_button_moves_between_two_states_of_a_deal(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    scene: Scene,
    keys: Callable[[RehearsedClient], Iterator[str]],
) -> None:
    companion.change(scene)
    with ExitStack() as stack:
        pages = [stack.enter_context(visit(browser, server.url, size, path=TABLE)) for size in SIZES]
        last: list[Places] = [{} for _ in SIZES]
        before = ""
        for key in chain([""], keys(companion)):
            if key:
                assert companion.rehearsal.press(key) is None, key
                companion.tell_all()
            for at, page in enumerate(pages):
                page.wait_for_function(SHOWS, arg=companion.seq)
                places = page.evaluate(PLACES)
                assert moved(last[at], places) == {}, (SIZES[at], before, key)
                last[at] = places
            before = key


def test_no_button_moves_on_a_phone_of_ones_own(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, "person", "beginner") as table:
        page = table.joined("Play as")
        table.begin(target="61")
        page.wait_for_selector(HAND)
        last: dict[tuple[int, int], Places] = {}
        seen, done = None, ""
        while table.parts.loop.table.now.state.deal_number == 1:
            seq = page.evaluate("document.querySelector('main').dataset.seq")
            if seq != seen:
                for size in SIZES:
                    resize(page, *size)
                    places = page.evaluate(PLACES)
                    assert moved(last.get(size, {}), places) == {}, (size, done)
                    last[size] = places
                seen = seq
            done = act(page)
            page.wait_for_timeout(20)


# --- the start, while it comes ---

MOST = 0.02
"""The layout shift of a start, as Chromium adds it up."""
NOTE_SHIFTS = """window.shifts = [];
window.watch = new PerformanceObserver((list) => window.shifts.push(...list.getEntries()));
window.watch.observe({ type: "layout-shift", buffered: true });"""
SHIFTS = """() => [...window.shifts, ...window.watch.takeRecords()].map(({ value, sources }) =>
  [value, ...sources.map(({ node, previousRect, currentRect }) => `${node?.className}: ${previousRect.y} to ${currentRect.y}`)])"""
LATE = re.compile(r"figtree|/api/games")
"""What comes once the start is drawn."""
HAS_ROWS = "() => document.querySelectorAll('.game-row').length === 3"
HAS_NONE = "() => document.querySelector('.your-games, .newcomer')"
HAS_FONT = "() => document.fonts.check('16px Figtree')"


def shifts(page: Page, held: list[Route], url: str, last: str) -> list[list[Any]]:
    """Return each layout shift of a start: it is drawn, its font comes, then the games, and so *last*."""
    page.goto("about:blank")
    held.clear()
    page.goto(url, wait_until="commit")
    page.wait_for_selector(".more")
    wait_until(page, lambda: len(held) == 2)
    page.evaluate(PAINTED)
    assert not page.evaluate(HAS_FONT)
    for route in sorted(held, key=lambda route: "api" in route.request.url):
        route.continue_()
        page.wait_for_function(last if "api" in route.request.url else HAS_FONT)
        page.evaluate(PAINTED)
    found: list[list[Any]] = page.evaluate(SHIFTS)
    return found


def test_the_start_stays_where_it_was_drawn(
    browser: Browser, server: PageServer, companion: RehearsedClient, tmp_path: Path
) -> None:
    names = [("Ann", "Bob"), ("You", "BLUE", "Easy 2"), ("Bob", "Ann", "Cleo", "Dan")]
    games = [(5 - at, greedy_game(at, each, 31)) for at, each in enumerate(names, start=1)]
    held: list[Route] = []
    with real_table(evening(tmp_path, *games)) as table, browser.new_context() as context:
        page = context.new_page()
        page.set_default_timeout(patience())
        page.add_init_script(NOTE_SHIFTS)
        intercept(page, LATE, lambda route: held.append(route))  # noqa: PLW0108  it is marked by who calls it
        for size in SIZES:
            resize(page, *size)
            found = {"an evening": shifts(page, held, table.url, HAS_ROWS)}
            for name, scene in {"new": IDLE, "open": PLAY, "long names": LONG_SHOW}.items():
                companion.change(scene)
                found[name] = shifts(page, held, server.url, HAS_NONE)
            for name, each in found.items():
                assert sum(value for value, *_ in each) < MOST, (size, name, each)


# --- the hint ---

CORNERS = """() => [...document.querySelectorAll(".hand .card")].map((card) => {
  const { left, top } = card.querySelector(".index").getBoundingClientRect();
  return card.contains(document.elementFromPoint(left + 3, top + 3)) ? "" : card.dataset.card;
}).filter(Boolean)"""
"""The cards of the hand whose rank another card lies over, as Chromium finds what is on top there."""
WORDS = (
    "Keep A 5 9 K (average 6.0) and give 2 Q to your crib (3.5); 2 9 instead: 0.1 more in the hand, 0.2 more "
    "in your crib, 0.4 less in the play. You win 51% from here"
)
LIES_OVER = """() => {
  const { left, right, top, bottom } = document.querySelector(".hint-said").getBoundingClientRect();
  return [...document.querySelectorAll(".felt, .asked, .hand, .tools")].filter((one) => {
    const box = one.getBoundingClientRect();
    return left < box.right && box.left < right && top < box.bottom && box.top < bottom;
  }).map(({ className }) => className);
}"""


def test_a_hint_hides_no_rank_and_lies_over_nothing_that_is_played_with(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, LAY_AWAY)
    cards: list[str] = companion.page()["hand"]["cards"]  # type: ignore[index]
    table = companion.loop.table
    for at, pair in enumerate(combinations(cards, 2)):
        hint = Hint(pair, WORDS)
        table.now = replace(
            table.now,
            seq=companion.seq + 1,
            input_state=replace(table.now.input_state, hint=hint, chosen=pair),
        )
        companion.tell_all()
        page.wait_for_selector(f'main[data-seq="{companion.seq}"]')
        expect(page.locator(".hand .hinted.chosen")).to_have_count(2)
        resize(page, *SIZES[at % len(SIZES)])
        page.evaluate(SETTLE)
        assert page.evaluate(CORNERS) == [], (pair, SIZES[at % len(SIZES)])
        assert page.evaluate(LIES_OVER) == [], SIZES[at % len(SIZES)]
