"""The desk's page in a browser: it fits, it can be heard, and it shows what is new by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("jinja2", reason="the extra club is not installed")

from companion.web.access_in_browser import violations
from companion.web.browser import needs_chromium, patience, resize
from pictures.club import night_at, served
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.club.desk import Desk
from cribpi.club.entries import Gone, Listed, Reported
from cribpi.club.log import Log
from cribpi.club.standings import Result

pytestmark = [pytest.mark.browser, needs_chromium]

PATHS = ("/", "/cards", "/enter", "/playoffs", "/login", "/desk", "/players", "/season")
LONG = "Wolfeschlegelsteinhausenbergerdorffwelch"
"""As long as a name can be, and without a place to break it."""


@pytest.fixture(scope="module")
def night(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Desk, str, str]]:
    """A desk in the middle of its fifth round, its address and its password."""
    folder = tmp_path_factory.mktemp("club")
    log = Log(f"sqlite:///{folder / 'club.db'}")
    desk = night_at(log)
    desk.on_result("oak", b"nonsense")
    with served(desk, log, folder) as (url, access):
        yield desk, url, access.new_password()
    log.close()


@pytest.fixture(scope="module")
def signed_in(browser: Browser, night: tuple[Desk, str, str]) -> Iterator[Page]:
    """A browser in which a director has signed in."""
    _, url, password = night
    page = browser.new_context().new_page()
    page.set_default_timeout(patience())
    page.goto(f"{url}/login")
    page.get_by_label("Password").fill(password)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Desk", level=1)).to_be_visible()
    yield page
    page.context.close()


@pytest.fixture
def page(signed_in: Page, request: pytest.FixtureRequest) -> Iterator[Page]:
    """That browser, of the size that the test asks for."""
    width, height = getattr(request, "param", (1280, 800))
    resize(signed_in, width, height)
    yield signed_in
    signed_in.goto("about:blank")


@pytest.mark.parametrize("page", some_of([(360, 740), (1280, 800)], 0), indirect=True, ids=["phone", "wide"])
def test_every_page_fits_and_can_be_read_aloud(page: Page, night: tuple[Desk, str, str]) -> None:
    for path in PATHS:
        page.goto(night[1] + path)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert violations(page) == [], path


@pytest.mark.parametrize("page", [(718, 1047), (740, 980)], indirect=True, ids=["A4", "Letter"])
def test_the_season_is_printed_whole(page: Page, night: tuple[Desk, str, str]) -> None:
    """A browser leaves about a centimetre at each edge."""
    page.emulate_media(media="print")
    page.goto(f"{night[1]}/season")
    assert page.evaluate("(one => one.scrollWidth <= one.clientWidth)(document.querySelector('.scrolls'))")
    page.emulate_media(media="screen")


def test_a_result_is_shown_by_itself_and_nobody_is_disturbed_who_types(
    page: Page, night: tuple[Desk, str, str]
) -> None:
    desk, url, _ = night
    page.goto(url)
    table = desk.night.missing[0]
    row = page.locator(".boards tbody tr").nth(table.board - 1)
    desk.do(Reported(Result(5, table.board, *table.players, 77), "the desk"))
    expect(row).to_contain_text("77")
    page.goto(f"{url}/desk")
    late = page.get_by_label("Latecomer")
    late.fill("EVE")
    with page.expect_response("**/news"):
        desk.do(Gone(desk.night.missing[0].players[0]))
    with page.expect_request("**/news"):
        pass  # what came was dealt with, and the page asks for the next
    expect(late).to_have_value("EVE")


def test_what_is_chosen_from_a_list_stays_while_news_come(page: Page, night: tuple[Desk, str, str]) -> None:
    desk, url, _ = night
    page.goto(f"{url}/desk")
    page.locator("#swap summary").click()
    chosen = desk.night.missing[0].players[0]
    page.locator("#swap select").first.select_option(chosen)
    page.locator("#swap select").first.blur()
    with page.expect_response("**/news"):
        desk.do(Listed("GUS"))
    with page.expect_request("**/news"):
        pass  # as above
    expect(page.locator("#swap select").first).to_have_value(chosen)


def test_a_result_is_entered_by_hand_and_corrected(page: Page, night: tuple[Desk, str, str]) -> None:
    desk, url, _ = night
    page.goto(f"{url}/desk")
    table = desk.night.missing[0]
    row = page.locator(".entry").first.locator("tr").nth(table.board - 1)
    for winner, score in ((0, "88"), (1, "101")):
        row.locator("summary").click()
        row.get_by_role("radio", name=table.players[winner]).check()
        row.get_by_label("Loser's score").fill(score)
        row.get_by_role("button", name="Save").click()
        expect(row).to_contain_text(f"{table.players[winner]} 121, {table.players[1 - winner]} {score}")
    expect(row).to_contain_text("corrected")
    assert desk.night.result(5, table.board) == Result(
        5, table.board, table.players[1], table.players[0], 101
    )


def test_a_game_on_a_card_leads_to_its_form(page: Page, night: tuple[Desk, str, str]) -> None:
    _, url, _ = night
    page.goto(f"{url}/cards")
    page.get_by_role("link", name=re.compile("Correct game 2 of")).first.click()
    expect(page.get_by_role("button", name="Save").locator("visible=true")).to_have_count(1)


def test_a_doubt_stands_on_top_and_goes_when_it_is_dismissed(
    page: Page, night: tuple[Desk, str, str]
) -> None:
    page.goto(f"{night[1]}/desk")
    expect(page.get_by_role("alert")).to_contain_text("Oak sent something unreadable")
    page.get_by_role("button", name="Dismiss").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    assert night[0].night.doubts == ()


def entered(page: Page, table: str, winner: str, score: str) -> None:
    """Enter the result of the *table*, `1`, at the desk: a click to open it, one for the winner, one to save."""
    row = page.locator(".entry").first.locator("tr").nth(int(table) - 1)
    row.locator("summary").click()
    row.get_by_role("radio", name=winner).check()
    row.get_by_label("Loser's score").fill(score)
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text(f"{winner} 121")


def test_a_whole_night_by_clicks(browser: Browser, tmp_path: Path) -> None:
    """From an empty book to the next week, with a latecomer, a swap, a forfeit and two phones that sign."""
    log = Log(f"sqlite:///{tmp_path / 'club.db'}")
    desk = Desk(log, "the first night")
    with served(desk, log, tmp_path) as (url, access), closing(log):
        agents = (None, "a phone", "another phone")  # on one address, a phone is known by its browser
        director, phone, other = (browser.new_context(user_agent=agent).new_page() for agent in agents)
        for one in (director, phone, other):
            one.set_default_timeout(patience())
            one.on("dialog", lambda dialog: dialog.accept())
        resize(phone, 390, 664)
        director.goto(f"{url}/login")
        director.get_by_label("Password").fill(access.new_password())
        director.get_by_role("button", name="Sign in").click()
        director.get_by_label("Names, one per line").fill("Ann\nBob\nCat\nDan\nEve\nFay")
        director.get_by_role("button", name="Add").click()
        expect(director.get_by_role("heading", name="6 of 6 here")).to_be_visible()
        director.get_by_label("Number of games").fill("2")
        director.get_by_role("button", name="Draw the pairings").click()
        director.get_by_role("button", name="Start round 1").click()
        expect(director.get_by_role("heading", name="Round 1 of 2")).to_be_visible()

        (first, second, third), code = desk.night.missing, director.locator(".code").inner_text()
        director.get_by_label("Latecomer").fill("Gus")
        director.get_by_role("button", name="Add").click()
        expect(director.get_by_text("Gus plays from the next round.")).to_be_visible()
        director.locator("#swap summary").click()
        director.locator("#swap select").first.select_option(first.players[0])
        director.locator("#swap select").last.select_option(second.players[0])
        director.get_by_role("button", name="Swap").click()
        expect(director.locator("#r1b1")).to_contain_text(second.players[0])

        entered(director, "1", second.players[0], "88")
        phone.goto(f"{url}/enter")
        game = phone.locator(".game", has_text="Board 2")
        game.locator("summary").click()
        for asked in ("Who won?", "You are"):
            game.get_by_role("group", name=asked).get_by_label(first.players[0]).check()
        game.get_by_label("Loser's score").fill("60")
        game.get_by_label("Code").fill(code)
        game.get_by_role("button", name="Save the result").click()
        expect(phone.get_by_role("status")).to_contain_text("If that is wrong, tell the desk")
        expect(director.locator("#r1b2")).to_contain_text("not confirmed")
        other.goto(f"{url}/enter")
        game = other.locator(".game", has_text=f"Confirm: {first.players[0]} 121")
        game.locator("summary").click()
        game.get_by_role("group", name="You are").get_by_label(second.players[1]).check()
        game.get_by_label("Code").fill(code)
        game.get_by_role("button", name="Confirm the result").click()
        expect(director.locator("#r1b2")).to_contain_text("confirmed")
        expect(director.locator("#r1b2")).not_to_contain_text("not confirmed")
        board = director.locator("#r1b3")
        board.locator("summary").click()
        board.get_by_role("radio", name=third.players[1]).check()
        board.get_by_role("button", name="The other forfeits").click()

        director.get_by_role("button", name="Start round 2").click()
        for table in desk.night.missing:
            entered(director, str(table.board), table.players[1], "100")
        expect(director.get_by_text("All games have been played.")).to_be_visible()

        phone.goto(url)
        expect(phone.get_by_role("heading", name="Final standings")).to_be_visible()
        rows = [row.inner_text().split("\t") for row in phone.locator(".standings tbody tr").all()]
        sums = {one.player: (one.games, one.as_read, one.spread) for one in desk.night.standings}
        assert {who: (int(games), card, int(spread)) for _, who, games, card, spread in rows} == sums
        assert sum(spread for _, _, spread in sums.values()) == 0
        skunk = sums[first.players[0]]
        assert int(skunk[1].split("/")[0]) >= 3, "a loser with 60 is skunked"

        director.locator("#nights summary").click()
        director.get_by_label("A new night begins with check-in. Its name").fill("the second night")
        director.get_by_role("button", name="Begin a new night").click()
        director.locator(".book summary").click()
        director.get_by_role("checkbox", name="Ann").check()
        director.get_by_role("checkbox", name="Gus").check()
        director.get_by_role("button", name="Check in", exact=True).first.click()
        expect(director.get_by_role("heading", name="2 of 2 here")).to_be_visible()
        director.get_by_role("link", name="Season").click()
        expect(director.locator("main")).to_contain_text("the first night")
        for one in (director, phone, other):
            one.context.close()
