"""Undo takes back one decision of a person's, says which, and can itself be taken back beside it."""

from __future__ import annotations

import pytest
from companion.web.browser import needs_chromium, show, until_pressed, until_rested
from companion.web.dealt_scenes import LAID_OUT, SHOWN, TO_PLAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import PLAY, SHOW
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, needs_chromium]

REMARK = ".asked .remark"


def test_a_discard_is_taken_back_with_what_the_computer_has_done_since(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, LAID_OUT.then("OK"))
    expect(page.locator("[data-tool=redo]")).to_be_disabled()
    page.locator("[data-tool=undo]").click()
    expect(page.locator(REMARK)).to_have_text("You took back your discard")
    expect(page.get_by_role("heading", level=1)).to_have_text("Choose two cards for your crib")
    expect(page.locator(".hand button.card")).to_have_count(6)
    page.locator("[data-tool=redo]").click()
    until_pressed(page, companion, "UNDO", "hold:UNDO")
    expect(page.locator(".hand button.card")).to_have_count(4)


def test_whoever_plays_on_needs_no_other_press_first(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, TO_PLAY.then("UNDO"))
    expect(page.locator(REMARK)).to_contain_text("You took back the 9")
    page.keyboard.press("9")
    expect(page.locator(REMARK)).to_have_count(0)


def test_in_the_show_it_is_said_too_and_enter_goes_on(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOWN.then("OK UNDO"))
    expect(page.locator(".show .remark")).to_have_text("The count of your hand was taken back")
    expect(page.locator(".show [data-enter]")).to_have_text("Go on")
    until_rested(page)
    page.keyboard.press("Enter")
    expect(page.locator(".show .remark")).to_have_count(0)


def test_with_real_cards_the_keys_play_on(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, Scene("UNDO", before=PLAY.by_keys()))
    expect(page.locator(REMARK)).to_have_text("ORANGE took back the 7")
    page.keyboard.press("r")
    until_pressed(page, companion, "hold:UNDO")
    expect(page.locator(".count output")).to_have_text("22")


def test_a_card_of_the_crib_goes_back_with_the_hands_that_it_has_pegged(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, SHOW)
    page.keyboard.press("j")
    until_pressed(page, companion, "J")
    page.locator("[data-tool=undo]").click()
    expect(page.locator(".remark")).to_have_text(
        "The J in the crib was taken back (with the counts of two hands)"
    )
    expect(page.locator(".next figure")).to_have_count(2)
    page.keyboard.press("r")
    expect(page.locator(".pile .slot")).to_have_count(3)
