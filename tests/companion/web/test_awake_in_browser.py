"""A screen that keeps score stays lit as long as a game goes on and somebody can see it."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import real_table
from companion.web.test_access_in_browser import begin
from playwright.sync_api import Browser, Page, expect

pytestmark = [pytest.mark.browser, needs_chromium]

LOCK = """() => {
  window.asked = [];
  const release = async () => window.asked.push("released");
  const request = async (kind) => (window.asked.push(kind), { release });
  Object.defineProperty(navigator, "wakeLock", { value: { request }, configurable: true });
}"""
REFUSES = """() => Object.defineProperty(navigator, "wakeLock", {
  value: { request: async () => { throw new DOMException("the battery is low", "NotAllowedError"); } },
})"""
LACKS = "() => { delete Navigator.prototype.wakeLock; }"
SEEN = """(isSeen) => {
  Object.defineProperty(document, "hidden", { value: !isSeen, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def until_asked(page: Page, asked: str) -> None:
    page.wait_for_function("(asked) => window.asked.join() === asked", arg=asked)


@pytest.mark.parametrize(("entry", "keys"), [("peg", "P1 OK OK"), ("cards", "P1 4 5")])
def test_it_is_asked_for_while_a_game_goes_on_and_the_page_is_seen(
    tmp_path: Path, browser: Browser, entry: str, keys: str
) -> None:
    with real_table(tmp_path) as table:
        begin(table, "", "", entry=entry)
        table.press(*keys.split())
        with visit(browser, table.url) as page:
            page.evaluate(LOCK)
            page.evaluate("location.hash = 'table'")
            until_asked(page, "screen")
            page.evaluate(SEEN, False)  # noqa: FBT003
            page.evaluate(SEEN, True)  # noqa: FBT003
            until_asked(page, "screen,screen")
            page.evaluate("location.hash = ''")
            page.wait_for_selector("main.start")
            until_asked(page, "screen,screen,released")


@pytest.mark.parametrize("lock", [REFUSES, LACKS])
def test_where_there_is_none_the_game_goes_on(tmp_path: Path, browser: Browser, lock: str) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        begin(table, "", "", entry="cards")
        page.evaluate(lock)
        page.evaluate("location.hash = 'table'")
        table.press("P1", "8")
        expect(page.locator(".starter")).to_be_visible()
