"""Games won, a match that is over, and hands that people count themselves, on the page in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from cribpi.web.server import PageServer
from web.browser import needs_chromium, show, visit
from web.rehearsed import RehearsedCompanion
from web.scenes import COUNTED, COUNTING, DRAWN, NEXT_GAME, PLAY, WON, WON_ONE

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = [pytest.param((1280, 800), id="desk"), pytest.param((390, 844), id="phone")]


@pytest.mark.parametrize(
    ("size", "told"), [((1280, 800), ["1 game", "0 games"]), ((390, 844), ["1 won", "0 won"])]
)
def test_games_won_stand_beside_the_scores(
    browser: Browser,
    server: PageServer,
    companion: RehearsedCompanion,
    size: tuple[int, int],
    told: list[str],
) -> None:
    with visit(browser, server.url, size) as page:
        show(page, companion, NEXT_GAME)
        games = page.locator("#scores .games")
        expect(games).to_have_text(told, use_inner_text=True)
        for game in games.all():
            expect(game).to_be_visible()


def test_before_a_game_is_won_nothing_is_said_of_games(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, NEXT_GAME)
    show(page, companion, PLAY)
    expect(page.locator("#scores .games")).to_have_count(0)


@pytest.mark.parametrize("size", SIZES)
def test_a_match_that_is_over_has_its_summary(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size) as page:
        companion.change(WON)
        match = page.locator("#match")
        expect(match.get_by_role("heading")).to_have_text("ORANGE wins the match, first to 2")
        cells = match.get_by_role("row").filter(has_text="ORANGE").get_by_role("cell")
        expect(cells).to_have_text(["2", "4", "2", "+84"])
        expect(match.get_by_role("columnheader")).to_have_text(["Games", "Points", "Skunks", "Spread"])
        expect(match.locator(".won")).to_have_count(1)
        companion.change(DRAWN)
        expect(match.get_by_role("heading")).to_have_text("The match is drawn, best of 2")
        expect(match.locator(".won")).to_have_count(0)
        wide = (
            "document.querySelector('#match table').scrollWidth - "
            "document.querySelector('#match').clientWidth"
        )
        assert page.evaluate(wide) <= 0
        companion.change(WON_ONE)
        expect(match).to_be_hidden()


@pytest.mark.parametrize("size", SIZES)
def test_while_a_count_is_typed_the_keys_say_what_they_are_worth_and_the_amount_is_seen(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size) as page:
        companion.change(COUNTING)
        for key, worth in (("A", "1"), ("J", "11"), ("Q", "12"), ("K", "13"), ("7", "")):
            expect(page.locator(f'[data-key="{key}"] .caption')).to_have_text(worth)
        expect(page.get_by_role("button", name="king, 13", exact=True)).to_have_count(1)
        expect(page.locator("#typed")).to_be_hidden()
        expect(page.locator("#aside")).to_have_text("Keys add up: for 20, press 10 twice.")
        companion.change(COUNTED)
        expect(page.locator("#typed")).to_have_text("12")
        expect(page.locator('[data-key="OK"]')).to_have_attribute("data-next", "first")
        expect(page.locator('[data-key="5"]')).to_have_attribute("data-next", "also")
        companion.change(PLAY)
        expect(page.locator('[data-key="K"] .caption')).to_have_text("")
        expect(page.locator("#typed")).to_be_hidden()
        expect(page.get_by_role("button", name="king", exact=True)).to_have_count(1)
