"""Games and statistics over a thousand games: opened, filtered, and one of them stepped through."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import real_table
from playwright.sync_api import Browser, expect
from support.greedy_games import greedy_game, journal_of_many

pytestmark = [pytest.mark.browser, needs_chromium]

PAGE = 50
PAIRS = [("Ann", "Bob"), ("Ann", "Cleo"), ("Bob", "Cleo"), ("Cleo", "Dan"), ("Ann", "Dan")]


@pytest.mark.prove
@pytest.mark.parametrize("number", [250, 1000])
def test_many_games_are_opened_filtered_and_stepped_through(
    tmp_path: Path, browser: Browser, number: int
) -> None:
    games = [greedy_game(seed, pair, 31) for seed, pair in enumerate(PAIRS)]
    folder = journal_of_many(tmp_path, games, number)
    with real_table(folder) as table, visit(browser, table.url, path="#stats") as page:
        expect(page.locator(".pending")).to_have_count(0)
        for name in ("Ann", "Dan"):
            row = page.locator("tbody tr", has=page.get_by_role("link", name=name, exact=True))
            played = sum(name in pair for pair in PAIRS) * number // len(PAIRS)
            expect(row.locator("td").first).to_have_text(str(played))  # they are counted one by one
        page.get_by_role("link", name="Dan", exact=True).first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Dan")
        expect(page.get_by_role("heading", name="Results over time")).to_be_visible()
        page.get_by_role("link", name="Dan's games").click()
        rows = page.locator(".game-row")
        expect(rows).to_have_count(PAGE)
        assert rows.filter(has_text="Dan").count() == PAGE
        page.get_by_role("button", name="More games").click()
        expect(rows).to_have_count(2 * PAGE)
        page.get_by_label("Player").select_option("")
        expect(rows.first).to_contain_text(f"Game {number}")
        page.goto(f"{table.url}#games/7")
        expect(page.get_by_role("heading", level=1)).to_contain_text(" beat ")
        page.get_by_role("link", name="Step through it").click()
        for step in range(1, 6):
            page.wait_for_selector(f'.past-game[data-step="{step}"]')
            page.get_by_role("button", name="Next").click()
        page.keyboard.press("End")
        expect(page.get_by_role("button", name="Next")).to_be_disabled()
