"""Names that are hard to show, on the start and in a past game: markup, and 40 letters without a blank."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from support.companions import WAIT
from support.greedy_games import greedy_game, journal_of

from web.browser import needs_chromium, visit
from web.real_table import real_table

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(300)]

MARKUP = "<img src=x onerror=alert(1)> & forty / %"
LONG = "W" * 40
BEYOND = """() => [...document.querySelectorAll(".open-game *, .gains *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML)"""


@pytest.mark.parametrize("size", [(320, 568), (844, 390)], ids=str)
def test_no_name_leaves_the_page_or_becomes_markup(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    games = journal_of(tmp_path, greedy_game(3, (MARKUP, LONG), 61), greedy_game(4, (MARKUP, LONG))[:30])
    with real_table(games) as table, visit(browser, table.url, size, path="") as page:
        for path, shown in {"": ".open-game", "#games/1": ".gains"}.items():
            page.goto(f"{table.url}{path}")
            expect(page.locator(shown)).to_be_visible()
            assert page.evaluate(BEYOND) == [], path
            assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("size", [(320, 568), (844, 390)], ids=str)
def test_a_screen_is_passed_on_by_a_button_in_view_whatever_the_name(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "dealt", "options": {}, "levels": ["", ""]}
        answer = table.companion.start({**request, "names": [LONG, MARKUP]}, None).result(WAIT)
        assert answer.status == 200
        button = page.locator(".asked .main")
        expect(button).to_contain_text("Show ")
        expect(button).to_be_in_viewport(ratio=1)
        felt = page.locator(".felt").bounding_box()
        assert felt is not None
        assert felt["height"] >= 120
