"""Past games and statistics on the page: a game that was played is listed, opened, stepped through and counted."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.companions import WAIT

from web.browser import needs_chromium, visit
from web.real_table import RealTable, real_table

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(300)]

NAME = "<b>Ann</b> \N{BLACK CLUB SUIT}"


def played(table: RealTable) -> None:
    """Let the computer play a short game with itself."""
    request = {
        "rules": "standard",
        "players": 2,
        "entry": "dealt",
        "options": {"target": "31"},
        "levels": ["chance", "thrifty"],
        "names": [NAME, "BLUE"],
        "speed": "fast",
    }
    assert table.companion.start(request, None).result(WAIT).status == 200
    end = time.monotonic() + WAIT
    while table.state()["winner"] is None:
        assert time.monotonic() < end, "no end of the game"
        time.sleep(0.05)


@pytest.mark.parametrize("size", [(1280, 800), (390, 664)], ids=str)
def test_a_game_that_was_played_is_listed_opened_and_counted(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path, seed=4) as table, visit(browser, table.url, size, path="") as page:
        played(table)
        state = table.state()
        winner = state["sides"][state["winner"]]["name"]
        page.goto(f"{table.url}#games")
        row = page.get_by_role("link", name="Game 1")
        expect(row).to_contain_text(NAME)  # as text, and never as markup
        row.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"{winner} wins by")
        page.get_by_text("Step through it").click()
        expect(page.get_by_role("slider")).to_be_visible()
        page.get_by_role("button", name="Next").click()
        page.goto(f"{table.url}#stats")
        expect(page.get_by_role("main")).to_contain_text("computer (Easy)")
        page.get_by_role("link", name="computer (Easy)").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("computer (Easy)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_without_a_game_the_lists_say_so(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#games") as page:
        expect(page.get_by_role("main")).to_contain_text("game")
        page.goto(f"{table.url}#stats/Nobody")
        expect(page.get_by_role("main")).to_contain_text("No finished game of Nobody")
