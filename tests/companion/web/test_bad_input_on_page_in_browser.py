"""What goes wrong before the page: a double tap, a press that comes too late, no storage, no line, a restart."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest
from companion.web.browser import intercept, needs_chromium, visit, wait_until
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, Route, expect
from support.companions import page_of, start_of
from support.patience import PATIENCE

pytestmark = [pytest.mark.browser, needs_chromium]

NO_STORAGE = """() => Object.defineProperty(window, "localStorage", { get() { throw new DOMException("off", "SecurityError"); } })"""
CARD = ".hand button.card"
PLAYABLE = f"{CARD}[aria-disabled=false]"


def dealt(table: RealTable) -> None:
    request = {"rules": "standard", "players": 2, "entry": "dealt", "options": {}, "speed": "fast"}
    request |= {"levels": ["", "solid"], "automatic": ["cut", "deal", "starter"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted


def kept(table: RealTable, *keys: str) -> None:
    request = {"rules": "standard", "players": 2, "entry": "cards", "options": {}, "names": ["Ann", "Bob"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    table.press("2", "K", "4", *keys)


def to_play(page: Page) -> None:
    page.locator(CARD).nth(0).click()
    page.locator(CARD).nth(1).click()
    page.locator(".asked .main").click()
    page.wait_for_selector(f'main[data-phase="play"] {PLAYABLE}')


def test_a_card_that_is_tapped_twice_on_its_way_is_played_once(tmp_path: Path, browser: Browser) -> None:
    sent: list[str] = []
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        dealt(table)
        to_play(page)
        page.on(
            "request",
            lambda request: sent.append(request.post_data or "") if "press" in request.url else None,
        )
        held: list[Route] = []
        intercept(page, "**/api/press", lambda route: held.append(route), times=1)  # noqa: PLW0108  Playwright marks it
        card = page.locator(PLAYABLE).first
        card.click()
        for _ in range(3):
            card.click()
        wait_until(page, lambda: held)
        held[0].continue_()
        expect(page.locator(CARD)).to_have_count(3)
        expect(page.locator(".remark.wrong")).to_have_count(0)
        assert len(sent) == 1


def test_a_press_that_comes_too_late_says_what_has_happened(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        kept(table)
        page.wait_for_selector(".keypad")

        def overtake(route: Route) -> None:
            table.press("9")
            route.continue_()

        intercept(page, "**/api/press", overtake, times=1)
        page.locator('.key[data-key="8"]').click()
        expect(page.get_by_role("alert")).to_contain_text("Somebody else pressed first")
        expect(page.get_by_role("alert")).to_contain_text("Meanwhile: Bob 9")
        assert table.state()["pile"] == ["9"]


def test_without_storage_the_page_is_whole(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, closing(browser.new_context()) as context:
        context.add_init_script(f"({NO_STORAGE})()")
        page = context.new_page()
        page.goto(table.url)
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        to_play(page)
        page.goto(f"{table.url}#settings")
        sound = page.get_by_role("radiogroup", name="Sound").get_by_role("radio", name="On")
        sound.click()
        expect(sound).to_be_checked()


def test_without_a_line_presses_wait_and_a_restarted_program_goes_on(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table:
        kept(table)
        with page_of(table.companion) as server, visit(browser, server.url, path="#table") as page:
            page.wait_for_selector(".keypad")
            server.stop()
            page.locator('.key[data-key="9"]').click()
            expect(page.locator(".remark.wrong")).to_contain_text("To be sent: 9.")
            assert table.state()["pile"] == []
            with page_of(table.companion, server.port):
                expect(page.locator(".laid")).to_have_count(1)
                expect(page.locator(".remark.wrong")).to_have_count(0)
                assert table.state()["pile"] == ["9"]
