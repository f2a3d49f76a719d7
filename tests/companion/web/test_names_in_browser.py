"""The names of the seats, in a real browser."""

from __future__ import annotations

import pytest
from companion.web.browser import intercept, needs_chromium
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Page, expect

from cribpi.companion.entry.requests import Name, Rename

pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture(scope="session")
def path() -> str:
    return "#names"


def save(page: Page) -> None:
    page.get_by_role("button", name="Save the names").click()


def test_enter_keeps_the_names_and_their_letters_are_no_presses(
    page: Page, companion: RehearsedClient
) -> None:
    seats = page.get_by_label("Seat")
    expect(seats).to_have_count(2)
    seats.nth(0).press_sequentially("Jack Q")
    seats.nth(1).fill("Amy")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert companion.asked == [Name(("Jack Q", "Amy"))]
    assert companion.sent == []


def test_who_leaves_changes_nothing(page: Page, companion: RehearsedClient) -> None:
    page.get_by_label("Seat 1").fill("Nobody")
    page.get_by_role("link", name="Close").click()
    expect(page.locator(".ways")).to_be_visible()
    page.goto(f"{page.url.partition('#')[0]}#names")
    expect(page.get_by_label("Seat 1")).to_have_value("")
    assert companion.asked == []


def test_a_name_is_no_longer_than_the_table_takes(page: Page) -> None:
    seat = page.get_by_label("Seat 1")
    seat.press_sequentially("Wilhelmina Alexandrina van den Oudenrijn the elder")
    expect(seat).to_have_value("Wilhelmina Alexandrina van den Oudenrijn")


def test_refused_names_stay_with_the_reason_until_they_are_mended(
    page: Page, companion: RehearsedClient
) -> None:
    seats = page.get_by_label("Seat")
    seats.nth(0).fill("Ann")
    seats.nth(1).fill("Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("The names Ann, Ann must all be different")
    expect(seats.nth(0)).to_have_value("Ann")
    expect(seats.nth(1)).to_have_value("Ann")
    seats.nth(1).fill("Amy")
    save(page)
    expect(page.get_by_role("status")).to_have_text("Saved.")
    expect(page.get_by_role("alert")).to_have_count(0)
    assert companion.asked == [Name(("Ann", "Amy"))]


def test_a_line_that_is_lost_is_said_and_the_names_are_sent_once_it_is_back(
    page: Page, companion: RehearsedClient
) -> None:
    intercept(page, "**/api/names", lambda route: route.abort())
    page.get_by_label("Seat 1").fill("Ann")
    save(page)
    expect(page.get_by_role("alert")).to_contain_text("Disconnected, reconnecting.")
    page.unroute("**/api/names")
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert companion.asked == [Name(("Ann", ""))]


def test_a_name_of_ones_own_is_saved_with_the_games_so_far_or_without(
    page: Page, companion: RehearsedClient
) -> None:
    page.get_by_label("Your name").fill("Kate")
    expect(page.get_by_role("checkbox")).to_be_checked()
    save(page)
    expect(page.get_by_role("status")).to_have_text("Saved.")
    page.get_by_label("Your name").fill("Carl")
    page.get_by_role("checkbox", name="I am Kate").uncheck()
    save(page)
    expect(page.get_by_role("status")).to_have_text("Saved.")
    assert companion.asked == [Rename("You", "Kate"), Name(you="Carl")]
