"""Games won, a match that is over, and hands that people count themselves, on the page in a real browser."""

from __future__ import annotations

import pytest
from companion.web.browser import DEVICE, TABLE, needs_chromium, resize, show, visit
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import COUNTED, COUNTING, DRAWN, NEXT_GAME, PLAY, WON, WON_ONE
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = [pytest.param((1280, 800), id="desk"), pytest.param((390, 664), id="phone")]
CUT = """() => [...document.querySelectorAll(".tile .who small")]
  .filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent)"""
WIDER = "document.documentElement.scrollWidth - innerWidth"


@pytest.mark.parametrize("size", some_of(SIZES, -1))
def test_games_won_stand_beside_the_scores(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        show(page, companion, NEXT_GAME)
        told = page.locator(".tile .who small")
        for words, games in zip(told.all_inner_texts(), ("won 1", "won 0"), strict=True):
            assert words.endswith(games)
        assert page.evaluate(CUT) == []


def test_before_a_game_is_won_nothing_is_said_of_games(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, NEXT_GAME)
    show(page, companion, PLAY)
    assert "won" not in " ".join(page.locator(".tile").all_inner_texts())


@pytest.mark.parametrize("size", some_of(SIZES, -1))
def test_a_match_that_is_over_has_its_summary_and_keeps_it_where_it_is_closed(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        show(page, companion, WON)
        assert_is_summary_of_the_match(page)
        page.get_by_role("button", name="Close", exact=True).click()
        page.wait_for_selector('main[data-kind="result"]')
        assert_is_summary_of_the_match(page)
        show(page, companion, DRAWN)
        expect(page.get_by_role("heading", name="The match is drawn, best of 2")).to_be_visible()
        expect(page.locator(".match .won")).to_have_count(0)
        assert page.evaluate(WIDER) <= 0
        show(page, companion, WON_ONE)
        expect(page.locator(".match")).to_have_count(0)


def test_on_the_smallest_phone_a_short_name_is_not_broken(page: Page, companion: RehearsedClient) -> None:
    resize(page, 320, 568)
    show(page, companion, WON)
    name = page.locator(".match").get_by_role("rowheader", name="ORANGE")
    assert name.evaluate("(cell) => cell.offsetHeight") < 60  # its peg and one line


def assert_is_summary_of_the_match(page: Page) -> None:
    expect(page.get_by_role("heading", name="ORANGE wins the match, first to 2")).to_be_visible()
    match = page.locator(".match")
    cells = match.get_by_role("row").filter(has_text="ORANGE").get_by_role("cell")
    expect(cells).to_have_text(["2", "4", "2", "+84"])
    expect(match.get_by_role("row").last.get_by_role("cell").last).to_have_text("\u221284")
    expect(match.get_by_role("columnheader")).to_have_text(["Games", "Points", "Skunks", "Spread"])
    expect(match.locator(".won")).to_have_count(1)
    assert page.evaluate(WIDER) <= 0


@pytest.mark.parametrize("size", some_of(SIZES, -1))
def test_while_a_count_is_typed_the_keys_of_the_device_say_what_they_are_worth(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=DEVICE) as page:
        show(page, companion, COUNTING)
        for key, worth in (("A", ["1"]), ("J", ["11"]), ("Q", ["12"]), ("K", ["13"]), ("7", [])):
            expect(page.locator(f'[data-key="{key}"] small')).to_have_text(worth)
        expect(page.get_by_role("button", name="K: 13", exact=True)).to_have_count(1)
        for key, name in (("P1", "ORANGE"), ("P2", "BLUE")):
            expect(page.locator(f'[data-key="{key}"] small')).to_have_text([name])
        show(page, companion, COUNTED)
        expect(page.get_by_role("button", name="OK: Peg 12 for ORANGE", exact=True)).to_have_class(
            "key likely"
        )
        show(page, companion, PLAY)
        expect(page.locator('[data-key="K"] small')).to_have_count(0)
