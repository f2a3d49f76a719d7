"""Keys that are held down on the page: a rank for its suit, UNDO to redo; and what is pressed meanwhile: nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Locator, Page, expect
from support.companions import start_of
from support.patience import PATIENCE
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

TO_THE_STARTER = ("2", "K")
HAND = ("5H", "6H", "7H", "JH")


def begin(table: RealTable, *keys: str) -> None:
    request = {"rules": "standard", "players": 2, "entry": "cards", "options": {}, "names": ["Ann", "Bob"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    table.press(*keys)


def key(page: Page, name: str) -> Locator:
    return page.locator(f'.key[data-key="{name}"]')


def hold(page: Page, name: str, seconds: float) -> None:
    key(page, name).hover()
    page.mouse.down()
    page.clock.run_for(int(seconds * 1000))
    page.mouse.up()


def starter(table: RealTable) -> Any:  # noqa: ANN401  JSON
    return table.state()["starter"]


def until_starter(page: Page, table: RealTable, card: str) -> None:
    expect(page.locator("main.table")).to_have_attribute("data-phase", "play")
    assert starter(table) == card


def test_a_rank_that_is_held_asks_for_its_suit_and_one_that_is_not_is_pressed(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table:
        begin(table, *TO_THE_STARTER)
        with visit(browser, table.url, (390, 664), is_still=True, path="#table") as page:
            expect(page.locator(".tip")).to_be_visible()
            hold(page, "7", 0.6)
            menu = page.get_by_role("dialog", name="which suit?")
            expect(menu.get_by_role("button", name="seven of hearts")).to_be_visible()
            page.keyboard.press("Escape")
            expect(menu).to_have_count(0)
            assert starter(table) is None
            hold(page, "7", 0.6)
            menu.get_by_role("button", name="seven of hearts").click()
            until_starter(page, table, "7H")
            expect(page.locator(".tip")).to_have_count(0)  # whoever has done it knows
            hold(page, "9", 0.3)
            expect(page.locator(".laid")).to_have_count(1)
            assert table.state()["pile"] == ["9"]


@pytest.mark.parametrize("way", some_of(["right click", "context menu", "shift"], 0))
def test_the_suits_are_there_without_a_long_press_too(tmp_path: Path, browser: Browser, way: str) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, *TO_THE_STARTER)
        expect(key(page, "7")).to_have_attribute("aria-haspopup", "dialog")
        if way == "right click":
            key(page, "7").click(button="right")
        elif way == "context menu":
            key(page, "7").dispatch_event("contextmenu")
        else:
            page.keyboard.press("Shift+Digit7")
        expect(page.get_by_role("dialog", name="which suit?")).to_be_visible()
        if way == "shift":
            assert violations(page) == []
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        until_starter(page, table, "7H")


AT_ONCE = """new MutationObserver((_, watch) => {
  if (!document.querySelector(".key[data-key='7'][aria-haspopup]")) return;
  watch.disconnect();
  document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "/", code: "Digit7", shiftKey: true, bubbles: true }));
}).observe(document, { subtree: true, childList: true, attributes: true });"""
"""Type a seven with shift as soon as it is on the page, before that was painted."""


def test_a_suit_that_is_asked_for_at_the_first_picture_is_asked(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *TO_THE_STARTER)
        with visit(browser, table.url, path="#count") as page:
            expect(page.get_by_role("heading", level=1)).to_be_visible()
            page.evaluate(f"() => {{ {AT_ONCE}; location.hash = '#table'; }}")
            expect(page.get_by_role("dialog", name="which suit?")).to_be_visible()


def test_held_undo_redoes(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *TO_THE_STARTER, "7")
        with visit(browser, table.url, is_still=True, path="#device") as page:
            hold(page, "UNDO", 0.5)  # that is an undo, and no more
            expect(page.locator("main.device-page")).to_have_attribute("data-phase", "deal")
            hold(page, "UNDO", 1.1)
            expect(page.locator("main.device-page")).to_have_attribute("data-phase", "play")
            assert starter(table) == "7"


def test_held_menu_asks_before_it_switches_off(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *TO_THE_STARTER)
        with visit(browser, table.url, is_still=True, path="#table") as page:
            page.keyboard.down("m")
            page.clock.run_for(3100)
            page.keyboard.up("m")
            expect(page.get_by_role("dialog", name="Shut down")).to_be_visible()
            page.get_by_role("button", name="Cancel").click()
            expect(page.get_by_role("dialog")).to_have_count(0)
            expect(page.locator("main.table")).to_have_attribute("data-kind", "keep")


def test_with_suits_the_cards_bear_them_and_the_show_has_the_flush_and_his_nobs(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, *TO_THE_STARTER, "4H")
        table.press("5H", "9")
        expect(page.get_by_role("img", name="five of hearts")).to_be_visible()
        expect(page.get_by_role("img", name="nine", exact=True)).to_be_visible()
        table.press("6H", "9", "2H", "8", "JH", "8")
        expect(page.locator("main.table")).to_have_attribute("data-phase", "show")
        expect(page.locator(".asked .main")).to_have_text("Peg 13")  # fifteens 4, run 3, flush 5, nobs 1
