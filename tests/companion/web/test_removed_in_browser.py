"""A game is removed on the page: asked once, undone once, by mouse, keys and what a screen reader says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import intercept, needs_chromium, resize, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, Route, expect
from support.greedy_games import greedy_game, journal_of

from cribpi.companion.entry.requests import Remove

pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    """A table with a game that was left, and two that were won; another is open."""
    left, *won = (greedy_game(seed, ("Ann", "Bob"), 61) for seed in (1, 2, 3))
    with real_table(journal_of(tmp_path, left[:40], *won, greedy_game(4, ("Ann", "Bob"))[:9])) as table:
        yield table


def counted(page: Page, table: RealTable) -> int:
    """Return how many games the page counts for Ann."""
    page.goto(f"{table.url}#stats")
    return int(page.get_by_role("row").filter(has_text="Ann").get_by_role("cell").first.inner_text())


def test_a_game_is_removed_with_the_keys_and_put_back_where_it_was(
    table: RealTable, browser: Browser
) -> None:
    with visit(browser, table.url, path="#games") as page:
        rows = page.locator(".game-row")
        expect(rows).to_have_count(4)
        before = rows.nth(2).inner_text()
        tops = rows.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)")
        expect(rows.first.get_by_role("button")).to_have_count(0)  # it is on the table
        cross = rows.nth(2).get_by_role("button", name="Remove game 2")
        cross.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog", name="Remove game 2?")
        expect(dialog).to_have_accessible_description("It leaves the list and the statistics.")
        assert violations(page) == []
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(cross).to_be_focused()
        assert not httpx.get(f"{table.url}api/games/2").json()["removed"]
        page.keyboard.press("Enter")
        expect(dialog.get_by_role("button", name="Remove")).to_be_focused()
        page.keyboard.press("Enter")
        expect(rows.nth(2).get_by_role("status")).to_have_text("Game 2 is removed.")
        undo = page.get_by_role("button", name="Undo: put game 2 back")
        expect(undo).to_be_focused()
        assert rows.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().top)") == tops
        assert rows.nth(2).get_by_role("link").count() == 0, "nothing else of it can be pressed"
        assert violations(page) == []
        assert [row["game"] for row in httpx.get(f"{table.url}api/games").json()["games"]] == [4, 3, 1]
        page.keyboard.press("Enter")
        expect(cross).to_be_focused()
        assert rows.nth(2).inner_text() == before
        expect(page.get_by_role("button", name="Undo")).to_have_count(0)


def test_the_list_stays_where_it_is_when_the_names_to_choose_from_have_come(
    table: RealTable, browser: Browser
) -> None:
    with visit(browser, table.url, path="#rules") as page:
        held: list[Route] = []

        def hold(route: Route) -> None:
            held.append(route)

        intercept(page, "**/api/stats", hold)
        page.goto(f"{table.url}#games")
        rows = page.locator(".game-row")
        expect(rows).to_have_count(4)
        before = rows.first.bounding_box()
        held[0].continue_()
        expect(page.get_by_role("combobox").locator("option")).not_to_have_count(1)
        assert rows.first.bounding_box() == before


def test_what_is_removed_counts_no_more_until_it_is_put_back_at_its_address(
    table: RealTable, browser: Browser
) -> None:
    with visit(browser, table.url, path="#stats") as page:
        assert counted(page, table) == 2
        page.goto(f"{table.url}#games")
        page.get_by_role("button", name="Remove game 3").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Game 3 is removed.")).to_be_visible()
        assert counted(page, table) == 1
        page.goto(f"{table.url}#games")
        expect(page.locator(".game-row")).to_have_count(3)
        assert page.locator(".game-row").first.locator("a.whom").get_attribute("href") == "#table"
        page.goto(f"{table.url}#games/3")
        expect(page.get_by_text("Game 3 is removed.")).to_be_visible()
        page.get_by_role("button", name="Undo").click()
        expect(page.get_by_role("button", name="Remove game 3")).to_be_focused()
        assert counted(page, table) == 2


def test_a_game_that_was_left_can_be_removed(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games") as page:
        page.get_by_role("button", name="Remove game 1").click()
        page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        expect(page.get_by_text("Game 1 is removed.")).to_be_visible()
        page.reload()
        expect(page.locator(".game-row")).to_have_count(3)


def test_what_somebody_else_has_removed_is_said(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games") as page:
        expect(page.locator(".game-row")).to_have_count(4)
        assert table.companion.do(Remove(2)).result().is_accepted
        page.get_by_role("button", name="Remove game 2").click()
        dialog = page.get_by_role("dialog")
        dialog.get_by_role("button", name="Remove").click()
        expect(dialog.get_by_role("alert")).to_have_text("Game 2 was removed already: Undo puts it back")
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_have_count(0)


def test_the_result_of_a_game_that_is_removed_offers_no_other_games_review(
    tmp_path: Path, browser: Browser
) -> None:
    games = [greedy_game(seed, ("Ann", "Bob"), 61) for seed in (1, 2)]
    with (
        real_table(journal_of(tmp_path, *games)) as table,
        visit(browser, table.url, path="#table") as page,
    ):
        expect(page.locator(".result").get_by_role("link", name="Review")).to_have_attribute(
            "href", "#games/2/review"
        )
        assert table.companion.do(Remove(2)).result().is_accepted
        page.reload()
        expect(page.locator(".result").get_by_role("link", name="New game")).to_be_visible()
        page.wait_for_load_state("networkidle")
        expect(page.locator(".result").get_by_role("link", name="Review")).to_have_count(0)


def test_what_is_removed_stays_in_its_row(table: RealTable, browser: Browser) -> None:
    sizes = ((1280, 800), (390, 664), (320, 568))
    with visit(browser, table.url, sizes[-1], path="#games") as page:
        rows = page.locator(".game-row")
        expect(rows).not_to_have_count(0)

        def heights(size: tuple[int, int]) -> list[int]:
            resize(page, *size)
            found: list[int] = rows.evaluate_all("(all) => all.map((one) => one.offsetHeight)")
            return found

        before = {size: heights(size) for size in sizes}
        for number in (1, 3):
            page.get_by_role("button", name=f"Remove game {number}").click()
            page.get_by_role("dialog").get_by_role("button", name="Remove").click()
            expect(page.get_by_text(f"Game {number} is removed.")).to_be_visible()
        for size in sizes:
            assert heights(size) == before[size], size
            for undo in page.get_by_role("button", name="Undo").all():
                inside, outside = undo.bounding_box(), undo.locator("xpath=ancestor::li").bounding_box()
                assert inside, size
                assert outside, size
                assert outside["x"] <= inside["x"], size
                assert inside["x"] + inside["width"] <= outside["x"] + outside["width"], size
                assert outside["y"] <= inside["y"], size
                assert inside["y"] + inside["height"] <= outside["y"] + outside["height"] + 1, size
        undos = page.get_by_role("button", name="Undo")
        undos.first.click()
        expect(undos).to_have_count(1)
