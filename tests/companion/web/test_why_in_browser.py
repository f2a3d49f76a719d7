"""Why, on the page in a real browser: what a line of the log, and what a refusal, rests on."""

from __future__ import annotations

from typing import Any

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import TABLE, key, needs_chromium, show, until_pressed, until_rested, visit
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import DEAL, LEAD, PLAY, PLAYED_ON, SHOW, WON
from playwright.sync_api import Browser, Locator, Page, expect
from support.samples import some_of

from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

PHONE = (390, 664)


def line(page: Page, words: str) -> Locator:
    return page.locator(".log li").filter(has_text=words)


def opener(page: Page, words: str) -> Locator:
    return line(page, words).locator("summary")


def reasons(page: Page, words: str) -> Locator:
    return line(page, words).locator(".why")


def test_a_line_tells_its_scores_each_rule_in_its_sentence_whose_it_is_and_its_own_words(page: Page) -> None:
    opener(page, "ORANGE shows").click()
    told = reasons(page, "ORANGE shows")
    expect(told).to_have_count(4)  # its scores', and the order of the show
    expect(told.first).to_contain_text("a count of exactly fifteen pegs 2")
    expect(told.first.locator("cite")).to_contain_text("A board set: Any combination of cards adding up")
    expect(line(page, "ORANGE shows").locator(".score")).to_have_count(5)
    expect(opener(page, "ORANGE shows")).to_be_in_viewport()
    told.last.scroll_into_view_if_needed()
    expect(told.last).to_be_in_viewport()


def test_on_a_phone_the_lines_open_too(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, PHONE, path=TABLE) as page:
        page.get_by_role("button", name="What happened").click()
        opener(page, "twenty-two for two").click()
        told = reasons(page, "twenty-two for two").first
        expect(told).to_be_in_viewport()
        expect(line(page, "twenty-two for two").locator(".score")).to_contain_text("pair 7 7")


def test_a_silent_source_is_not_quoted(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, Scene(DEAL, NextGame(rules="computer-game")))
    opener(page, "BLUE deals").click()
    expect(reasons(page, "BLUE deals").locator("cite")).to_have_text(
        "A computer game: not stated; as in standard"
    )


def test_a_line_without_a_reason_does_not_open(page: Page) -> None:
    expect(line(page, "ORANGE 8: eight")).not_to_have_count(0)
    expect(opener(page, "ORANGE 8: eight")).to_have_count(0)


@pytest.mark.parametrize("way", some_of(["click", "Enter", "Space"], 0))
def test_a_line_opens_and_closes_the_same_way(page: Page, companion: RehearsedClient, way: str) -> None:
    button, told = opener(page, "ORANGE 7"), reasons(page, "ORANGE 7").first
    expect(told).to_be_hidden()
    for is_open in (True, False):
        if way == "click":
            button.click()
        else:
            button.focus()
            page.keyboard.press(way)
        expect(told).to_be_visible() if is_open else expect(told).to_be_hidden()
    assert companion.sent == []


def test_one_line_is_open_at_a_time(page: Page) -> None:
    opener(page, "twenty-two for two").click()
    opener(page, "BLUE 7: fifteen for two").click()
    expect(page.locator(".log details[open]")).to_have_count(1)


def test_an_open_line_stays_open_and_keeps_the_focus_while_the_game_goes_on(
    page: Page, companion: RehearsedClient
) -> None:
    button = opener(page, "ORANGE 7")
    button.focus()
    page.keyboard.press("Enter")
    companion.change(PLAYED_ON)
    expect(page.locator(".log .head").first).to_contain_text("BLUE A: twenty-three")
    expect(button).to_be_focused()
    expect(reasons(page, "ORANGE 7").first).to_be_visible()


def log_of(companion: RehearsedClient) -> Any:  # noqa: ANN401  JSON
    return companion.log()


def test_lines_stand_newest_first_whichever_come_and_go_and_none_of_another_game(
    page: Page, companion: RehearsedClient
) -> None:
    for scene in (PLAYED_ON, PLAY, PLAYED_ON, WON, PLAY):
        show(page, companion, scene)
        texts = [entry["text"] for entry in log_of(companion)]
        expect(page.locator(".log .head > span:not(.peg)")).to_have_text(texts)
        expect(page.locator(".log ol > li").first).to_have_class("deal")  # above the lines of its own


def test_after_a_click_on_a_line_enter_is_still_ok(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    opener(page, "twenty-two for two").click()
    until_rested(page)
    page.keyboard.press("Enter")
    until_pressed(page, companion, "OK")
    expect(reasons(page, "twenty-two for two").first).to_be_visible()


@pytest.mark.parametrize("size", some_of([(1280, 800), PHONE], 1), ids=["desk", "phone"])
def test_a_refusal_tells_at_a_word_the_rule_that_it_rests_on(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        show(page, companion, LEAD)
        key(page, "GO")
        told = page.get_by_role("alert").locator("details")
        why = told.locator("summary")
        expect(why).to_have_text("Why?")
        rule = "If you can play, you must: saying go is not allowed"
        assert rule not in told.inner_text()
        why.click()
        expect(told).to_contain_text(rule)
        box = told.bounding_box()
        assert box is not None
        assert 0 <= box["x"] < box["x"] + box["width"] <= size[0]
        assert 0 <= box["y"] < box["y"] + box["height"] <= size[1]
        key(page, "7")  # what is pressed goes through, and the refusal is old news
        expect(page.get_by_role("alert")).to_have_count(0)
        until_pressed(page, companion, "7")


def test_a_refusal_that_rests_on_no_sources_rule_has_no_why(page: Page) -> None:
    key(page, "FLNB")
    expect(page.get_by_role("alert")).to_contain_text("press the card")
    expect(page.get_by_role("alert").locator("details")).to_have_count(0)


def test_from_the_menu_it_is_read_as_a_whole_and_closed(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY.then("MENU 4 OK"))
    told = page.locator(".dialog")
    expect(told.get_by_role("heading")).to_have_text("Why?")
    expect(told.locator(".why").first.locator("cite")).to_contain_text("A board set: ")
    expect(told.get_by_role("button")).to_have_text(["Close"])
    assert violations(page) == []
    page.keyboard.press("Enter")
    until_pressed(page, companion, "OK")


@pytest.mark.parametrize("number", ["5", "10"], ids=["match", "status"])
def test_what_is_only_read_has_one_button(page: Page, companion: RehearsedClient, number: str) -> None:
    show(page, companion, PLAY.then(f"MENU {number} OK"))
    expect(page.locator(".dialog").get_by_role("button")).to_have_text(["Close"])
