"""Places are fixed: nothing that can be pressed moves because something else appears, or can no longer be done."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import PAINTED, PATIENCE_MS, needs_chromium, wait_until
from companion.web.real_table import real_table
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import IDLE, LONG_SHOW, PLAY
from companion.web.test_second_evening_in_browser import evening
from playwright.sync_api import Browser, Page, Route
from support.greedy_games import greedy_game

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = ((1280, 800), (844, 390), (390, 844), (390, 664), (320, 568))

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
        page.set_default_timeout(PATIENCE_MS)
        page.add_init_script(NOTE_SHIFTS)
        page.route(LATE, lambda route: held.append(route))  # noqa: PLW0108  it is marked by who calls it
        for size in SIZES:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            found = {"an evening": shifts(page, held, table.url, HAS_ROWS)}
            for name, scene in {"new": IDLE, "open": PLAY, "long names": LONG_SHOW}.items():
                companion.change(scene)
                found[name] = shifts(page, held, server.url, HAS_NONE)
            for name, each in found.items():
                assert sum(value for value, *_ in each) < MOST, (size, name, each)
