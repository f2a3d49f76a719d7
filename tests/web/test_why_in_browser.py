"""Why, on the page in a real browser: what a line of the story, and what a refusal, rests on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from cribpi.entry.desk import Setup
from cribpi.web.server import PageServer
from web.browser import AT_REST, key, needs_chromium, show, until_pressed, visit
from web.rehearsed import RehearsedCompanion
from web.scene import Scene
from web.scenes import DEAL, LEAD, PLAY, PLAYED_ON, SHOW
from web.test_page_in_browser import CONTRAST

pytestmark = [pytest.mark.browser, needs_chromium]

DESK, PHONE = (1280, 800), (390, 844)
desk_and_phone = pytest.mark.parametrize("page", [DESK, PHONE], ids=["desk", "phone"], indirect=True)


@pytest.fixture(params=[DESK, pytest.param(PHONE, marks=pytest.mark.prove)], ids=["desk", "phone"])
def page(browser: Browser, server: PageServer, request: pytest.FixtureRequest) -> Iterator[Page]:
    with visit(browser, server.url, request.param) as page:
        page.wait_for_selector("#log > li")
        yield page


def line(page: Page, words: str) -> Locator:
    return page.locator("#log > li").filter(has_text=words)


def opener(page: Page, words: str) -> Locator:
    return line(page, words).get_by_role("button")


@desk_and_phone
def test_a_line_tells_each_rule_in_its_sentence_whose_it_is_and_its_own_words(page: Page) -> None:
    opener(page, "ORANGE shows").click()
    reasons = line(page, "ORANGE shows").locator(".reason")
    expect(reasons).to_have_count(4)  # its scores', and the order of the show
    expect(reasons.first.locator(".sentence")).to_contain_text("A count of exactly fifteen pegs 2")
    expect(reasons.first.locator(".citation")).to_contain_text(
        "Board set: “Any combination of cards adding up"
    )
    expect(line(page, "ORANGE shows").locator(".cards li")).to_have_count(5)
    expect(opener(page, "ORANGE shows")).to_be_in_viewport()
    reasons.last.scroll_into_view_if_needed()
    expect(reasons.last).to_be_in_viewport()


def test_a_silent_source_is_not_quoted(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, Scene(DEAL, Setup(rules="computer-game")))
    opener(page, "BLUE deals").click()
    citation = line(page, "BLUE deals").locator(".citation")
    expect(citation).to_have_text("Computer game: not stated; as in standard")


def test_a_line_without_a_reason_is_no_button(page: Page) -> None:
    expect(opener(page, "ORANGE 8: eight")).to_have_count(0)


@pytest.mark.parametrize("way", ["click", "Enter", "Space"])
def test_a_line_opens_and_closes_the_same_way(page: Page, companion: RehearsedCompanion, way: str) -> None:
    button, told = opener(page, "ORANGE 7"), line(page, "ORANGE 7").locator(".reason")
    expect(button).to_have_attribute("aria-expanded", "false")
    for is_open in (True, False):
        if way == "click":
            button.click()
        else:
            button.focus()
            page.keyboard.press(way)
        expect(told).to_be_visible() if is_open else expect(told).to_be_hidden()
        expect(button).to_have_attribute("aria-expanded", str(is_open).lower())
    assert companion.pressed == []
    controls = button.get_attribute("aria-controls")
    assert page.locator(f"#{controls}").count() == 1


def test_escape_closes_a_line_and_one_is_open_at_a_time(page: Page) -> None:
    opener(page, "a pair for two").click()
    opener(page, "BLUE 7: fifteen for two").click()
    expect(page.locator("#log [aria-expanded=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator("#log .reason:visible")).to_have_count(0)


def test_an_open_line_stays_open_and_keeps_the_focus_while_the_game_goes_on(
    page: Page, companion: RehearsedCompanion
) -> None:
    button = opener(page, "ORANGE 7")
    button.focus()
    page.keyboard.press("Enter")
    companion.change(PLAYED_ON)
    expect(page.locator("#log > li").first).to_contain_text("BLUE A: twenty-three")
    expect(button).to_be_focused()
    expect(button).to_have_attribute("aria-expanded", "true")


def log_of(companion: RehearsedCompanion) -> Any:  # noqa: ANN401  JSON
    return companion.page()["log"]


def test_lines_stand_newest_first_whichever_come_and_go(page: Page, companion: RehearsedCompanion) -> None:
    texts = "[...document.querySelectorAll('#log > li')].map((li) => li.querySelector('.what').textContent)"
    for scene in (PLAYED_ON, PLAY, PLAYED_ON):
        companion.change(scene)
        page.wait_for_selector(f'#table[data-seq="{companion.seq}"]')
        assert page.evaluate(texts) == [entry["text"] for entry in log_of(companion)]


def test_after_a_click_on_a_line_enter_is_still_ok(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(SHOW)
    opener(page, "a pair for two").click()
    page.keyboard.press("Enter")
    until_pressed(page, companion, "OK")
    expect(line(page, "a pair for two").locator(".reason")).to_be_visible()


@desk_and_phone
def test_a_refusal_tells_at_a_word_the_rule_that_it_rests_on(
    page: Page, companion: RehearsedCompanion
) -> None:
    show(page, companion, LEAD)
    key(page, "GO")
    why = page.get_by_role("button", name="Why?")
    told = page.get_by_role("note", name="Why")
    expect(why).to_have_attribute("aria-expanded", "false")
    expect(told).to_be_hidden()
    why.click()
    expect(told).to_contain_text("Who can play must play and may not say go")
    expect(told).to_contain_text("Board set: “A player who cannot play witho")
    expect(why).to_have_attribute("aria-expanded", "true")
    boxes = [node.bounding_box() for node in (told, page.locator("#refusal"))]
    assert boxes[0] is not None
    assert boxes[1] is not None
    assert boxes[0]["y"] >= boxes[1]["y"] + boxes[1]["height"]
    size = page.viewport_size
    assert size is not None
    assert boxes[0]["x"] + boxes[0]["width"] <= size["width"]
    page.keyboard.press("Escape")
    expect(told).to_be_hidden()
    expect(why).to_have_attribute("aria-expanded", "false")
    why.focus()
    page.keyboard.press("Enter")
    expect(told).to_be_visible()
    key(page, "7")  # what is pressed goes through, and the refusal is old news
    expect(told).to_be_hidden()
    expect(why).to_be_hidden()
    until_pressed(page, companion, "7")


def test_a_refusal_that_rests_on_no_sources_rule_has_no_why(page: Page) -> None:
    key(page, "FLNB")
    expect(page.locator("#refusal")).to_contain_text("press the card")
    expect(page.get_by_role("button", name="Why?")).to_be_hidden()


def test_reasons_stand_out_from_their_ground(
    browser: Browser, server: PageServer, companion: RehearsedCompanion
) -> None:
    with visit(browser, server.url) as page:
        show(page, companion, LEAD)
        opener(page, "ORANGE shows").click()
        key(page, "GO")
        page.get_by_role("button", name="Why?").click()
        expect(page.get_by_role("note", name="Why")).to_be_visible()
        page.wait_for_function(AT_REST)  # a key takes its time to come up again
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            ratio, text = page.evaluate(CONTRAST)
            assert ratio >= 4.5, (scheme, text)
