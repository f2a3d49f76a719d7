"""Keeping score with real cards: the page's keys are called by what they do now, and not by the device's words."""

from __future__ import annotations

import re

import pytest
from companion.web.browser import TABLE, needs_chromium, resize, show, until_pressed, visit
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import CRIB, DEAL, LONG_NAMES, PLAY, SHOW
from playwright.sync_api import Browser, Locator, Page, expect

from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

CUT = Scene("OK OK", NextGame(house=House(("Ann", "Bob"))))
DEVICE_WORDS = re.compile(r"\b(GO|FLNB|P1|P2|OK|UNDO|MENU)\b")
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 800)]
SCROLLS = "document.documentElement.scrollHeight - innerHeight"


def key(page: Page, name: str) -> Locator:
    return page.locator(f'.keypad [data-key="{name}"]')


def test_at_the_cut_the_keys_say_who_deals(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, CUT)
    expect(key(page, "P1")).to_have_text("Ann deals")
    expect(page.locator(".asked .main")).to_have_text("Draw the first dealer")
    page.get_by_role("button", name="Bob deals first").click()
    until_pressed(page, companion, "P2")


def test_in_the_play_who_has_no_card_says_go(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY)
    expect(key(page, "GO")).to_have_text("Says go")
    expect(key(page, "GO")).to_have_accessible_name("BLUE says go")
    expect(key(page, "P2")).to_have_text("Correct BLUE")
    key(page, "GO").click()
    until_pressed(page, companion, "GO")


def test_no_word_of_the_device_is_on_the_page_and_nothing_is_cut(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, SIZES[0], path=TABLE) as page:
        for scene in (CUT, PLAY, PLAY.then("GO 2 GO 6 10 3 K"), Scene(f"{DEAL} 5 9 6 6 5", LONG_NAMES)):
            show(page, companion, scene)
            for size in SIZES:
                resize(page, *size)
                words = page.locator(".asked, .keypad").all_inner_texts()
                assert not DEVICE_WORDS.search(" ".join(words)), (words, size, scene)
                low = "[...document.querySelectorAll('.keypad .key, .asked button')].filter((one) => one.offsetParent && one.offsetHeight < 40).length"
                assert page.evaluate(low) == 0, (size, scene)
                assert page.evaluate(SCROLLS) <= 0, (size, scene)


def test_a_card_past_thirty_one_leads_at_once(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY)
    expect(page.locator(".asked .carry")).to_have_text("A card over 31 starts a new count.")
    expect(key(page, "K")).to_have_accessible_name("K: New count with the K")
    key(page, "K").click()
    until_pressed(page, companion, "K")
    heard = page.locator(".table > [role=log]")
    expect(heard).to_contain_text("BLUE to play.")
    expect(heard).not_to_contain_text("over 31.")  # what the keypad asks is answered with the card


def test_the_cribs_first_card_pegs_both_hands(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    expect(page.locator(".next figure")).to_have_count(2)
    page.keyboard.press("j")
    until_pressed(page, companion, "J")
    expect(page.locator(".pile .slot")).to_have_count(3)
    key(page, "5").click()
    until_pressed(page, companion, "J", "5")


def test_a_suit_can_be_given_with_the_card_that_goes_on(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    key(page, "J").click(button="right")
    page.get_by_role("button", name="jack of hearts").click()
    until_pressed(page, companion, "JH")


def test_at_the_show_nothing_lies_over_the_felt(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, SIZES[0], path=TABLE) as page:
        for scene in (SHOW, SHOW.then("OK"), CRIB, CRIB.then("J Q K")):
            show(page, companion, scene)
            for size in (*SIZES, (1920, 1080)):
                resize(page, *size)
                expect(page.locator(".felt .pile .card").first).to_be_visible()
                over = "document.querySelector('.felt').getBoundingClientRect().bottom - document.querySelector('.asked').getBoundingClientRect().top"
                assert page.evaluate(over) <= 0, (size, scene)
                assert page.evaluate(SCROLLS) <= 0, (size, scene)


def test_a_flush_is_added_and_taken_away_again_beside_peg(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY.then("GO 2 GO 6 10 3 K"))
    peg, flush = page.locator(".asked .main"), page.get_by_role("button", name="+4 flush")
    before = peg.inner_text()
    flush.click()
    expect(flush).to_have_attribute("aria-pressed", "true")
    expect(peg).not_to_have_text(before)
    flush.click()
    expect(flush).to_have_attribute("aria-pressed", "false")
    expect(peg).to_have_text(before)
