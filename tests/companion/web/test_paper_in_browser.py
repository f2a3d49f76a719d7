"""What a browser prints of a page: all that is said and chosen, and nothing that can be pressed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.paper import needs_pdftotext, printed
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, expect
from support.greedy_games import greedy_game, journal_of_many

pytestmark = [pytest.mark.browser, needs_chromium, needs_pdftotext]

GAMES = 3
PATHS = {
    "#games": ".game-row",
    "#games/3": ".course",
    "#games/3/review": ".reviewed .decisions",
    "#stats": "table",
    "#stats/Ann": ".sheets",
    "#rules": ".rule",
}
"""Pages that are printed, and what of each comes last."""
PRESSED = """() => [...document.querySelectorAll("#app :is(button, .tools a, a.main, a.other)")]
  .filter((each) => each.checkVisibility() && !each.matches("[role=switch], .whom, .decisions button"))
  .map((each) => each.textContent.trim())"""


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RealTable]:
    games = [greedy_game(seed, ("Ann", "Bob"), 31) for seed in range(GAMES)]
    with real_table(journal_of_many(tmp_path_factory.mktemp("paper"), games, GAMES)) as found:
        yield found


@pytest.mark.parametrize("path", PATHS)
def test_nothing_on_paper_can_be_pressed_and_no_sheet_of_it_is_empty(
    path: str, table: RealTable, browser: Browser, tmp_path: Path
) -> None:
    with visit(browser, table.url, path=path, is_dark=True) as page:
        expect(page.locator(PATHS[path]).first).to_be_visible()
        sheets = printed(page, tmp_path).removesuffix("\f").split("\f")
        assert all(sheet.strip() for sheet in sheets), sheets
        page.emulate_media(media="print")
        assert page.evaluate(PRESSED) == []
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        page.emulate_media(media="screen")


def test_the_rules_are_printed_as_they_are_chosen(table: RealTable, browser: Browser, tmp_path: Path) -> None:
    with visit(browser, table.url, path="#rules") as page:
        expect(page.locator(".rule").first).to_be_visible()
        chosen = page.locator(".rule label:has(:checked)").all_inner_texts()
        said = " ".join(printed(page, tmp_path).split())
    assert len(chosen) > 10
    assert [one for one in chosen if one.split()[0] not in said] == []
