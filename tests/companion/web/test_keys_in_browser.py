"""Enter is the main button, of which there is one; `?` lists what each key does here."""

from __future__ import annotations

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import TABLE, intercept, needs_chromium, show, until_rested, visit
from companion.web.dealt_scenes import DEALT_SCENES, LAY_AWAY, TO_PLAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import PLAY, SCENES
from playwright.sync_api import Browser, Page, expect

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

DARK = "[...document.querySelectorAll('main .main')].filter((one) => one.offsetParent).length"
LIST = "dialog.keys-list"
FOCUS_AT_ONCE = """() => new MutationObserver((_, seen) => {
  const last = [...document.querySelectorAll(".dialog .line")].at(-1);
  last?.focus();
  if (last) seen.disconnect();
}).observe(document.body, { childList: true, subtree: true })"""


def test_no_scene_has_two_dark_buttons_and_enter_presses_the_one(
    page: Page, companion: RehearsedClient
) -> None:
    for name in (*(SCENES.keys() - {"idle", "new-game"}), *DEALT_SCENES):
        show(page, companion, name)
        assert page.evaluate(DARK) <= 1, name
        assert page.locator("[data-enter]").count() == page.evaluate(DARK), name


PAGES = [
    "",
    "settings",
    "rules",
    "names",
    "count",
    "games",
    "practice",
    "stats",
    "phones",
    "learn/five-minutes",
]


def test_no_page_has_two_dark_buttons(page: Page, server: PageServer) -> None:
    for name in PAGES:
        page.goto(f"{server.url}#{name}")
        expect(page.get_by_role("heading", level=1)).to_have_count(1)
        assert page.evaluate(DARK) <= 1, name


def test_the_list_says_what_the_keys_do_now(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY)
    page.keyboard.press("?")
    rows = page.locator(f"{LIST} dl > div")
    expect(rows.filter(has=page.get_by_text("G", exact=True))).to_contain_text("BLUE says go")
    expect(rows.filter(has=page.get_by_text("U", exact=True))).to_contain_text("Undo")
    expect(rows.filter(has_text="Shift + A")).to_have_count(1)
    assert violations(page) == []
    page.keyboard.press("7")  # nothing is pressed behind it
    page.keyboard.press("Escape")
    expect(page.locator(LIST)).to_have_count(0)
    assert companion.pressed == []
    show(page, companion, LAY_AWAY)
    page.keyboard.press("?")
    expect(rows.filter(has_text="A card of your hand")).to_have_count(1)
    page.get_by_role("button", name="Close").click()
    expect(page.locator(LIST)).to_have_count(0)


def test_the_menu_is_gone_along_with_arrows_and_opened_with_enter(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, TO_PLAY)
    page.keyboard.press("m")
    lines = page.locator(".dialog .line")
    expect(lines.first).to_be_focused()
    page.keyboard.press("?")
    rows = page.locator(f"{LIST} dl > div")
    expect(rows.filter(has_text="Another line")).to_have_count(1)
    expect(rows.filter(has_text="0 is the ten")).to_have_count(0)
    expect(page.locator(LIST)).to_be_visible()  # before that, Escape closes the menu behind it
    page.keyboard.press("Escape")
    expect(page.locator(LIST)).to_have_count(0)
    page.keyboard.press("ArrowUp")
    expect(lines.last).to_be_focused()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")  # moves nothing that is not seen
    expect(lines.first).to_be_focused()
    until_rested(page)
    page.keyboard.press("Enter")
    asked = page.get_by_role("heading", level=1)
    expect(asked).to_contain_text("Correct your score")
    page.keyboard.press("2")
    page.keyboard.press("5")
    expect(asked).to_contain_text("25")
    until_rested(page)
    page.keyboard.press("Enter")  # the dark button, and no line that has come to the place of the one before
    expect(page.locator(".tile .score").first).to_have_text("25")


@pytest.mark.parametrize("line", ["Correct your score", "Why?", "Status", "Settings"])
def test_escape_closes_what_lies_on_the_table(page: Page, companion: RehearsedClient, line: str) -> None:
    show(page, companion, TO_PLAY)
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=line).focus()
    until_rested(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=line)).to_have_count(0)
    page.wait_for_selector('main[data-waiting="0"]')
    if line == "Correct your score":
        page.keyboard.press("2")  # from now on there is something to leave undone
        expect(page.locator(".dialog .number output")).to_have_text("2")
    until_rested(page)
    page.keyboard.press("Escape")
    expect(page.locator(".dialog")).to_have_count(0)
    expect(menu).to_be_focused()
    assert companion.rehearsal.table.now.state.phase.name == "PLAY"


def test_the_focus_goes_back_however_fast_somebody_went_on(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, TO_PLAY)
    menu = page.get_by_role("button", name="Menu")
    menu.focus()
    page.evaluate(FOCUS_AT_ONCE)
    page.keyboard.press("Enter")
    expect(page.locator(".dialog .line").last).to_be_focused()
    until_rested(page)
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()


def test_the_drawer_of_what_happened_has_the_focus_until_escape(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, (390, 844), path=TABLE) as page:
        opens = page.locator('[data-tool="log"]')
        opens.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".log.open h2 button")).to_be_focused()
        page.keyboard.press("Escape")
        expect(page.locator(".log.open")).to_have_count(0)
        expect(opens).to_be_focused()


def test_a_mouse_finds_it_in_the_settings(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, (390, 844), path="#settings") as page:
        page.locator(".setting", has_text="Or press ?").get_by_role("button", name="Show").click()
        expect(page.locator(LIST)).to_be_visible()
        assert page.locator(LIST).evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0


def test_enter_begins_on_the_start_also_from_a_name(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, path="") as page:
        page.get_by_role("radio", name="Hard").click()
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{server.url}{TABLE}")


def test_enter_begins_before_all_other_parts_have_come(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, path="") as page:
        intercept(page, "**/page/table.js", lambda route: route.abort())
        page.reload()
        page.get_by_role("radio", name="Hard").click()
        page.keyboard.press("Enter")
        expect(page).to_have_url(f"{server.url}{TABLE}")
