"""Each address has a title of its own, a link leads to its heading, Back to the place one came from, and a dialog that
closes gives the focus back."""

from __future__ import annotations

from itertools import product

import pytest
from companion.web.browser import TABLE, needs_chromium, resize, show, visit, wait_until
from companion.web.dealt_scenes import LAY_AWAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import PLAY
from playwright.sync_api import Browser, Page, expect

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

PAGES = ("", "#settings", "#rules", "#phones", "#names", "#count", "#games", "#stats", "#practice", "#device")
FOCUS = "() => [document.activeElement.tagName, document.activeElement.textContent.trim()]"


def test_each_address_has_its_own_title(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY)
    expect(page.locator("html")).to_have_attribute("lang", "en")
    titles = {"#table": page.title()}
    for path in (*PAGES, "#learn/five-minutes"):
        page.evaluate("(to) => { location.hash = to; }", path)
        heading = page.locator("main h1")
        if path:
            expect(heading).not_to_have_text("Play cribbage, or keep the score")
        wait_until(page, lambda: page.title() == f"{heading.first.text_content()} – cribpi")  # noqa: B023, RUF001
        titles[path] = page.title()
    assert len(set(titles.values())) == len(titles), titles
    page.evaluate("(to) => { location.hash = to; }", TABLE)
    expect(page).to_have_title(titles["#table"])
    companion.change(LAY_AWAY)
    expect(page).not_to_have_title(titles["#table"])


LINKS = ("Settings", "Count a hand", "Practice", "Phones", "Rules", "Cribbage in five minutes")


def test_a_link_leads_to_the_heading_and_back_to_the_link(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, path="") as page:
        companion.change(PLAY)
        expect(page.locator(".open-game")).to_be_visible()
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/page/input.js'))"
        )
        for name, by_key in product(LINKS, (False, True)):
            link = page.get_by_role("link", name=name).first
            if by_key:
                link.focus()
                page.keyboard.press("Enter")
            else:
                link.click()
            expect(page.locator("main h1")).to_be_focused()
            assert page.evaluate(FOCUS)[0] == "H1"
            page.go_back()
            expect(link).to_be_focused()
        page.get_by_role("link", name="Continue").click()
        expect(page.locator("main.table h1")).to_be_focused()
        tree = page.locator("main").aria_snapshot()
        assert "- heading" in tree
        assert (
            page.evaluate("() => document.activeElement.ariaLevel ?? document.activeElement.tagName") == "H1"
        )


def scroll_to(page: Page, y: int) -> None:
    page.wait_for_function(
        "(y) => (scrollTo(0, y), history.state?.y === y)", arg=y
    )  # all of it may be still to come


def test_back_finds_the_place_that_was_left_and_a_link_begins_at_the_top(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, server.url, (320, 480), path="") as page:
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/page/input.js'))"
        )
        scroll_to(page, 100)
        page.get_by_role("link", name="Settings").click()
        expect(page.locator("main h1")).to_be_focused()
        assert page.evaluate("scrollY") == 0
        scroll_to(page, 900)
        page.get_by_role("link", name="cribpi").first.click()
        expect(page.locator("main.start .ways")).to_be_visible()
        page.wait_for_function("() => scrollY === 0")
        page.go_back()
        page.wait_for_function("() => scrollY === 900")
        page.go_back()
        page.wait_for_function("() => scrollY === 100")
        page.go_forward()
        page.wait_for_function("() => scrollY === 900")
        page.reload()
        page.wait_for_function("() => scrollY === 900")
        page.go_forward()
        expect(page.locator("main.start .ways")).to_be_visible()


def opened_board(page: Page) -> None:
    resize(page, 390, 844)
    page.locator(".strip").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog.over[open]")).to_be_visible()


@pytest.mark.parametrize("by", ["key", "button"])
def test_a_dialog_that_closes_gives_the_focus_back(
    browser: Browser, server: PageServer, companion: RehearsedClient, by: str
) -> None:
    with visit(browser, server.url, (390, 844), path=TABLE) as page:
        show(page, companion, PLAY)
        page.wait_for_function(
            "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/page/input.js'))"
        )
        strip = page.locator(".strip")
        strip.focus()
        for opener, dialog in (("Enter", "dialog.over"), ("?", "dialog.keys-list")):
            page.keyboard.press(opener)
            expect(page.locator(f"{dialog}[open]")).to_be_visible()
            if by == "key":
                page.keyboard.press("Escape")
            else:
                page.locator(dialog).get_by_role("button", name="Close").focus()
                page.keyboard.press("Enter")
            expect(page.locator(dialog)).to_have_count(0)
            expect(strip).to_be_focused()
