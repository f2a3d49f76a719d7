"""A button that has just changed its meaning takes no press, and Enter is the one that stands out; fast play is not held
up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from companion.web.browser import (
    TABLE,
    intercept,
    key,
    needs_chromium,
    show,
    until_pressed,
    until_rested,
    until_sent,
    visit,
)
from companion.web.dealt_scenes import LAY_AWAY, TO_PLAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import CORRECTING, COUNT, score
from companion.web.test_numbers_in_browser import PEGGING
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

SHOW = Scene(COUNT)
"""A hand is counted, and the other's is next."""
LAST_SHOW = Scene(COUNT.replace("2 5", f"2 5 {score('P1', 112)} {score('P2', 100)}"))
"""The hand that is counted wins the game."""
REST = 400
"""Milliseconds."""
MAIN = ".asked .main"


@pytest.fixture
def still(browser: Browser, server: PageServer) -> Iterator[Page]:
    """Give a page whose clock stands, so that no time passes between two presses."""
    with visit(browser, server.url, is_still=True, is_touch=True, path=TABLE) as page:
        yield page


def by_mouse(page: Page) -> None:
    box = page.locator(MAIN).bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def by_finger(page: Page) -> None:
    box = page.locator(MAIN).bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def by_enter(page: Page) -> None:
    page.keyboard.press("Enter")


def by_a_key_with_the_focus(page: Page) -> None:
    page.locator(MAIN).focus()
    page.keyboard.press("Space")


WAYS = [by_mouse, by_finger, by_enter, by_a_key_with_the_focus]


def test_a_hand_is_not_pegged_unseen_by_a_second_press(still: Page, companion: RehearsedClient) -> None:
    for press in WAYS:
        show(still, companion, SHOW)
        companion.pressed.clear()
        companion.sent.clear()
        still.clock.run_for(REST)
        first = still.locator(MAIN).inner_text()
        press(still)
        until_pressed(still, companion, "OK")
        expect(still.locator(MAIN)).not_to_have_text(first)
        press(still)
        still.clock.run_for(REST - 50)
        press(still)
        until_sent(still, companion, "OK")
        still.clock.run_for(100)
        press(still)
        until_pressed(still, companion, "OK", "OK")


@pytest.mark.parametrize("press", some_of(WAYS, 0))
def test_a_button_whose_press_is_on_its_way_takes_no_other(
    still: Page, companion: RehearsedClient, press: Callable[[Page], None]
) -> None:
    show(still, companion, SHOW)
    still.clock.run_for(REST)  # the button was there at the first click
    companion.held = []
    press(still)
    expect(still.locator("main.table")).to_have_attribute("data-waiting", "1")
    press(still)
    companion.let_go()
    expect(still.locator("main.table")).to_have_attribute("data-waiting", "0")
    until_sent(still, companion, "OK")


def test_a_button_is_pressed_again_once_it_shows_what_came_of_the_first_answered_or_not(
    still: Page, companion: RehearsedClient
) -> None:
    """The state comes by another line than the answer, and may be first."""
    held = []
    intercept(still, "**/api/press", lambda route: held.append((route, route.fetch())), times=1)
    show(still, companion, SHOW)
    first = still.locator(MAIN).inner_text()
    by_mouse(still)
    expect(still.locator(MAIN)).not_to_have_text(first)
    still.clock.run_for(REST)
    expect(still.locator("main.table")).to_have_attribute("data-waiting", "1")
    by_mouse(still)
    expect(still.locator("main.table")).to_have_attribute("data-waiting", "2")
    for route, answer in held:
        route.fulfill(response=answer)
    until_pressed(still, companion, "OK", "OK")


def test_a_press_after_the_table_has_gone_on_by_itself_is_not_for_what_came_of_it(
    still: Page, companion: RehearsedClient
) -> None:
    show(still, companion, SHOW)
    still.clock.run_for(2000)
    show(still, companion, SHOW.then("OK"))
    by_mouse(still)
    until_sent(still, companion)
    still.clock.run_for(REST)
    by_mouse(still)
    until_pressed(still, companion, "OK")


def test_a_second_click_does_not_reach_what_lies_beneath_a_menu_that_it_closed(
    still: Page, companion: RehearsedClient
) -> None:
    show(still, companion, CORRECTING)
    button = still.locator(".dialog .main").bounding_box()
    assert button
    there = (button["x"] + 20, button["y"] + 20)
    still.mouse.click(*there)
    until_pressed(still, companion, "OK")
    expect(still.locator(".keypad")).to_be_visible()
    beneath = still.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.key').dataset.key", there)
    still.mouse.click(*there)
    until_sent(still, companion, "OK")
    still.clock.run_for(REST)
    still.mouse.click(*there)
    until_sent(still, companion, "OK", beneath)


def test_a_second_click_on_the_last_peg_starts_no_new_game(still: Page, companion: RehearsedClient) -> None:
    show(still, companion, LAST_SHOW)
    by_enter(still)
    expect(still.locator(".result .main")).to_have_text("Rematch")
    by_enter(still)
    still.locator(".result .main").dispatch_event("click")
    until_sent(still, companion, "OK")


def test_cards_are_pressed_as_fast_as_they_fall(still: Page, companion: RehearsedClient) -> None:
    show(still, companion, Scene("OK OK 7 2 5"))
    for name in ("9", "6", "6", "5", "GO", "4", "GO", "10", "7", "10"):
        key(still, name)
    until_pressed(still, companion, "9", "6", "6", "5", "GO", "4", "GO", "10", "7", "10")
    by_enter(still)
    until_pressed(still, companion, "9", "6", "6", "5", "GO", "4", "GO", "10", "7", "10", "OK")


def test_a_number_and_enter_are_typed_as_fast_as_fingers_go(still: Page, companion: RehearsedClient) -> None:
    show(still, companion, PEGGING.then("OK"))
    still.keyboard.type("12")
    expect(still.locator(".pad .main")).to_have_text("Peg 12 for BLUE")
    by_enter(still)
    until_pressed(still, companion, "digit:1", "digit:2", "OK")


SLOW = """new MutationObserver(() => {
  if (!document.querySelector("[data-rests]")) return;
  for (const end = performance.now() + 600; performance.now() < end; );
}).observe(document, { subtree: true, childList: true, attributeFilter: ["data-rests"] });"""


def test_a_button_wakes_on_a_machine_that_takes_longer_than_it_rests(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, path=TABLE, script=SLOW) as page:
        show(page, companion, LAY_AWAY)
        show(page, companion, SHOW)
        show(page, companion, TO_PLAY)
        expect(page.locator(MAIN)).to_contain_text("makes 31")
        until_rested(page)


def test_enter_after_clicking_cards_sends_them(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, LAY_AWAY)
    cards = page.locator(".hand .card").all()[:2]
    names = [card.get_attribute("data-card") or "" for card in cards]
    for card in cards:
        card.click()
    expect(page.locator(MAIN)).to_have_text("Send to my crib")
    by_enter(page)
    until_pressed(page, companion, *names, "OK")


def test_enter_after_a_card_was_lifted_plays_it(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, TO_PLAY)
    card = page.locator(".hand .card[aria-disabled=false]").get_attribute("data-card")
    expect(page.locator(MAIN)).to_contain_text("makes 31")
    # After another test's scene it rests.
    expect(page.locator(MAIN)).not_to_have_attribute("aria-disabled", "true")
    by_enter(page)
    until_pressed(page, companion, card or "")


def test_a_button_that_tab_has_come_to_is_pressed_by_enter(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    page.locator("[data-tool=undo]").focus()
    by_enter(page)
    until_sent(page, companion, "UNDO")


def test_where_two_sides_can_peg_no_button_stands_out_and_enter_pegs_for_neither(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, PEGGING)
    page.keyboard.type("12")
    expect(page.locator(".pad output")).to_have_text("12")
    expect(page.locator("main.table [data-enter]")).to_have_count(0)
    by_enter(page)
    expect(page.get_by_role("alert")).to_have_text("Who gets 12?")
    assert companion.loop.table.now.state.scores() == (0, 0)
