"""Points as numbers on the page: typed digit by digit on a computer's keyboard, and shown while they are made."""

from __future__ import annotations

import pytest
from companion.web.browser import DEVICE, needs_chromium, show, until_pressed, until_rested
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import COUNT, DEAL, PLAY
from playwright.sync_api import Locator, Page, expect

from cribpi.companion.entry.next_game import NextGame

pytestmark = [pytest.mark.browser, needs_chromium]

POINTS = NextGame(entry="peg")
STARTER = Scene("OK OK P1 OK", POINTS)
PEGGING = STARTER.then("OK")
SHOWING = PEGGING.then("OK")
"""BLUE, who is pone, is to show."""
MUGGINS = Scene(COUNT, NextGame(rules="acc-muggins"))
"""ORANGE is to count a hand."""


def asked(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def number(page: Page) -> Locator:
    """The number in the making."""
    return page.locator(".pad output")


def tap(page: Page, *keys: str) -> None:
    """Press keys of the pad, and nothing that has its key otherwise."""
    for key in keys:
        page.locator(f'.pad [data-key="{key}"]').click()


def scores(companion: RehearsedClient) -> tuple[int, ...]:
    return companion.loop.table.now.state.scores()


def test_twelve_is_pegged_as_twelve(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOWING)
    page.keyboard.type("12")
    expect(number(page)).to_have_text("12")
    expect(page.locator(".pad .main")).to_have_text("Peg 12 for BLUE")
    expect(page.locator(".pad .main")).to_have_css("background-color", "rgb(0, 70, 255)")
    page.keyboard.press("Enter")
    until_pressed(page, companion, "digit:1", "digit:2", "OK")
    assert scores(companion) == (0, 12)


def test_points_are_tapped_and_then_who_gets_them(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PEGGING)
    expect(number(page)).to_have_text("How many points?")
    tap(page, "digit:1", "digit:2", "digit:erase", "digit:2")
    expect(number(page)).to_have_text("12")
    expect(page.locator(".pad .pegs")).to_have_text(["Peg 12 for ORANGE", "Peg 12 for BLUE"])
    page.get_by_role("button", name="Peg 12 for ORANGE").click()
    until_pressed(page, companion, "digit:1", "digit:2", "digit:erase", "digit:2", "P1")
    assert scores(companion) == (12, 0)
    expect(page.locator(".keypad")).to_have_count(0)


def test_a_digit_is_taken_away_by_backspace_and_never_a_step_of_the_game(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, PEGGING)
    page.keyboard.type("12")
    expect(number(page)).to_have_text("12")
    page.keyboard.press("Backspace")
    expect(number(page)).to_have_text("1")
    page.keyboard.press("Backspace")
    expect(number(page)).to_have_text("How many points?")
    page.keyboard.press("Backspace")
    page.keyboard.type("3[")
    until_pressed(page, companion, *["digit:1", "digit:2"], *["digit:erase"] * 3, "digit:3", "P1")
    assert scores(companion) == (3, 0)


def test_twelve_counted_with_muggins_is_no_claim_of_two(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, MUGGINS)
    before = scores(companion)
    page.keyboard.type("12")
    expect(number(page)).to_have_text("12")
    expect(page.locator(".pad .main")).to_have_text("Peg 12 for ORANGE")
    page.keyboard.press("Enter")
    until_pressed(page, companion, "digit:1", "digit:2", "OK")
    gained = [now - was for was, now in zip(before, scores(companion), strict=True)]
    assert min(gained) == 0, "nothing is given away"
    assert max(gained) > 2


def test_a_score_is_put_right_by_typing_it(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY.then("P1"))
    ends = page.locator(".dialog .row").last.get_by_role("button")
    expect(ends).to_have_text(["Close"])
    page.keyboard.type("47")
    expect(ends).to_have_text(["Set to 47", "Cancel"])
    expect(asked(page)).to_have_text("Correct ORANGE: set score to 47")
    page.keyboard.press("Enter")
    until_pressed(page, companion, "digit:4", "digit:7", "OK")
    assert scores(companion)[0] == 47


def test_a_score_is_put_right_by_ones_and_tens(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY.then("P1"))
    before = int(number(page).inner_text())
    tap(page, "step:+10", "step:+10", "step:-1")
    expect(number(page)).to_have_text(str(before + 19))
    expect(page.locator(".dialog button", has_text="Lower")).to_have_count(0)
    page.get_by_role("button", name=f"Set to {before + 19}").click()
    until_pressed(page, companion, "step:+10", "step:+10", "step:-1", "OK")
    assert scores(companion)[0] == before + 19


def test_at_the_device_a_number_is_typed_too(page: Page, companion: RehearsedClient) -> None:
    companion.change(SHOWING)
    page.goto(page.url.partition("#")[0] + DEVICE)
    page.wait_for_selector(f'main.device-page[data-seq="{companion.seq}"]')
    page.keyboard.type("12")
    page.keyboard.press("Enter")
    until_pressed(page, companion, "digit:1", "digit:2", "OK")
    assert scores(companion) == (0, 12)


def test_where_cards_are_asked_for_the_keys_are_ranks_and_one_is_refused_in_words(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, Scene(DEAL))
    page.keyboard.press("1")
    expect(page.get_by_role("alert")).to_contain_text("1 is not a card: type a for the ace, 0 for the ten.")
    page.keyboard.press("0")
    until_pressed(page, companion, "10")


def test_a_game_by_points_shows_no_count_and_no_cards_that_nobody_knows(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, PEGGING)
    expect(page.locator(".tile")).to_have_count(2)
    expect(page.locator("main.table")).not_to_contain_text("of 31")
    expect(page.locator(".tiles")).not_to_contain_text("cards")


def test_a_hand_that_was_counted_wrongly_stays_with_what_was_missed_until_somebody_goes_on(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, MUGGINS)
    before = asked(page).inner_text()
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(asked(page)).to_have_text("ORANGE counted 2; it is worth 8")
    expect(page.locator(".taken b")).to_have_text("BLUE takes 6")
    assert [card.get_attribute("data-card") for card in page.locator(".shown .card").all()][-1] == "5"
    marks = page.locator(".tally .was").all_inner_texts()
    assert marks[0] == "✓ counted"
    assert sum(int(mark.removeprefix("missed ")) for mark in marks if mark.startswith("missed ")) == 6
    expect(page.locator(":is(.keypad, .pad)")).to_have_count(0)
    page.get_by_role("button", name="Go on").click()
    expect(asked(page)).to_contain_text("BLUE shows")
    assert asked(page).inner_text() != before
    until_pressed(page, companion, "digit:2", "OK")


def test_a_hand_that_was_counted_wrongly_does_not_come_back_over_the_crib(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, MUGGINS)
    for name in ("ORANGE", "BLUE"):
        page.keyboard.type("2")
        until_rested(page)
        page.keyboard.press("Enter")
        expect(asked(page)).to_contain_text(f"{name} counted 2")
        until_rested(page)
        page.keyboard.press("Enter")
        expect(asked(page)).not_to_contain_text(name + " counted")
    for left in (3, 2):
        page.keyboard.press("7")
        expect(asked(page)).to_contain_text(f"press its cards, {left} more")


def test_a_hand_that_was_counted_rightly_does_not_stay(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, MUGGINS)
    page.keyboard.type("8")
    page.keyboard.press("Enter")
    expect(asked(page)).to_contain_text("BLUE shows")


def test_a_wrong_count_that_is_taken_back_goes_with_it(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, MUGGINS)
    page.keyboard.type("2")
    page.keyboard.press("Enter")
    expect(asked(page)).to_contain_text("ORANGE counted 2")
    page.locator("[data-tool=undo]").click()
    expect(page.locator(".remark")).to_contain_text("The count of ORANGE's hand was taken back")
    expect(page.locator(".show")).to_have_count(0)


def test_points_only_begins_with_who_deals_and_then_asks_for_nothing_but_points(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, Scene("OK OK", POINTS))
    expect(asked(page)).to_have_text("Who deals first?")
    heard = page.locator(".table > [role=log] > p").last
    expect(heard).to_have_text("Who deals first?")
    expect(page).to_have_title("Who deals first? – cribpi")  # noqa: RUF001
    expect(page.locator(".keypad")).to_have_count(0)
    names = ["ORANGE deals first", "BLUE deals first", "Draw the first dealer"]
    assert sorted(page.locator(".pad > .buttons button").all_inner_texts()) == sorted(names)
    page.get_by_role("button", name="BLUE deals first").click()
    first_points = "BLUE deals: enter the first points, then who gets them"
    expect(asked(page)).to_have_text(first_points)
    expect(heard).to_have_text(f"BLUE deals first. {first_points}.")
    expect(page).to_have_title(f"{first_points} – cribpi")  # noqa: RUF001
    tap(page, "digit:2")
    page.get_by_role("button", name="Peg 2 for ORANGE").click()
    until_pressed(page, companion, "P2", "digit:2", "P1")
    assert scores(companion) == (2, 0)
    for tool in ("undo", "redo"):
        expect(page.locator(f"[data-tool={tool}]")).to_be_visible()
    page.locator("[data-tool=undo]").click()
    expect(page.locator("[data-tool=redo]")).to_be_enabled()
    page.keyboard.type("3")
    expect(page.locator(".pad .pegs")).to_have_text(["Peg 3 for ORANGE", "Peg 3 for BLUE"])
