"""The dialog that asks for the names of the seats, in a real browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from web.browser import needs_chromium, show, until_pressed
from web.rehearsed import RehearsedCompanion
from web.scenes import SHOW

pytestmark = [pytest.mark.browser, needs_chromium]


def ask(page: Page) -> None:
    page.get_by_role("button", name="Names").click()
    expect(page.get_by_role("textbox")).to_have_count(2)


def closed(page: Page) -> None:
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_enter_keeps_the_names_and_their_letters_are_no_presses(
    page: Page, companion: RehearsedCompanion
) -> None:
    ask(page)
    seats = page.get_by_role("textbox")
    seats.nth(0).fill("")
    seats.nth(0).press_sequentially("Jack Q")
    seats.nth(1).fill("Amy")
    page.keyboard.press("Enter")
    closed(page)
    assert companion.names_given == [["Jack Q", "Amy"]]
    assert companion.pressed == []


@pytest.mark.parametrize("way", ["Save", "Cancel", "Escape"])
def test_the_next_enter_is_ok(page: Page, companion: RehearsedCompanion, way: str) -> None:
    show(page, companion, SHOW)
    ask(page)
    if way == "Escape":
        page.keyboard.press(way)
    else:
        page.get_by_role("button", name=way).click()
    closed(page)
    page.keyboard.press("Enter")
    until_pressed(page, companion, "OK")
    closed(page)


@pytest.mark.parametrize("way", ["Cancel", "Escape"])
def test_who_leaves_changes_nothing(page: Page, companion: RehearsedCompanion, way: str) -> None:
    ask(page)
    page.get_by_role("textbox").nth(0).fill("Nobody")
    if way == "Escape":
        page.keyboard.press(way)
    else:
        page.get_by_role("button", name=way).click()
    closed(page)
    page.wait_for_timeout(200)
    assert companion.names_given == []


def test_a_name_is_no_longer_than_the_table_takes(page: Page) -> None:
    ask(page)
    seat = page.get_by_role("textbox").nth(0)
    seat.fill("")
    seat.press_sequentially("Wilhelmina Alexandrina van den Oudenrijn the elder")
    expect(seat).to_have_value("Wilhelmina Alexandrina van den Oudenrijn")


def test_refused_names_stay_with_the_reason_until_they_are_mended(
    page: Page, companion: RehearsedCompanion
) -> None:
    ask(page)
    seats = page.get_by_role("textbox")
    seats.nth(0).fill("Ann")
    seats.nth(1).fill("Ann")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("alert")).to_have_text(re.compile("the names Ann, Ann are not all different"))
    expect(seats.nth(0)).to_have_value("Ann")
    expect(seats.nth(1)).to_have_value("Ann")
    seats.nth(1).fill("Amy")
    page.keyboard.press("Enter")
    closed(page)
    assert companion.names_given == [["Ann", "Amy"]]
    ask(page)
    expect(dialog.get_by_role("alert")).to_have_text("")
