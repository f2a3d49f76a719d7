"""The desk's page in a browser: it fits, it can be heard, and it shows what is new by itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

pytest.importorskip("sqlalchemy", reason="the extra club is not installed")
pytest.importorskip("jinja2", reason="the extra club is not installed")

from companion.web.access_in_browser import violations
from companion.web.browser import PATIENCE_MS, needs_chromium
from pictures.club import night_at, served
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.club.desk import Desk
from cribpi.club.entries import Gone, Reported
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
    page.set_default_timeout(PATIENCE_MS)
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
    signed_in.set_viewport_size({"width": width, "height": height})
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
