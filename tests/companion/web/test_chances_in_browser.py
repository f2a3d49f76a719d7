"""The chance of winning on the page: only where this screen asks for it, and for everyone to read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import intercept, needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from companion.web.scenes import score
from playwright.sync_api import Browser, Page, Route, expect
from support.companions import start_of
from support.patience import PATIENCE
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = [(1280, 800), (390, 664), (320, 568), (844, 390)]
BAR = ".chances .bar"
ASKED = "api/chances"
BOX = "(what) => { const box = document.querySelector(what).getBoundingClientRect(); return [box.x, box.y, box.width, box.height]; }"
WIDE = "() => document.documentElement.scrollWidth - innerWidth"


def begin(table: RealTable, players: int = 2, entry: str = "cards") -> None:
    request = {
        "rules": "standard",
        "players": players,
        "entry": entry,
        "options": {},
        "levels": [""] * players,
    }
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    if entry == "cards" and players == 2:
        table.press("P1")


@contextmanager
def wanting(browser: Browser, table: RealTable, size: tuple[int, int] = SIZES[0]) -> Iterator[Page]:
    with visit(browser, table.url, size, path="#settings") as page:
        page.get_by_role("radiogroup", name="Chance of winning").get_by_role("radio", name="On").click()
        page.evaluate("location.hash = 'table'")
        yield page


def test_both_chances_add_up_to_a_hundred_however_they_are_rounded(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, wanting(browser, table) as page:
        intercept(
            page, f"**/{ASKED}", lambda route: route.fulfill(json={"seq": 1, "chances": [0.705, 0.295]})
        )
        begin(table)
        meter = page.get_by_role("meter", name="Chance of winning")
        expect(meter.locator("b")).to_have_text(["71 %", "29 %"])
        expect(meter).to_have_attribute("aria-valuetext", "ORANGE 71 %, BLUE 29 %")


def test_nobody_computes_it_unless_a_screen_asks(tmp_path: Path, browser: Browser) -> None:
    asked: list[str] = []
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        page.on("request", lambda request: asked.append(request.url))
        begin(table)
        page.reload()
        table.press("8", "8", "7", "2", "9")
        expect(page.locator(".tile").first).to_be_visible()
        table.until_shown(page)
        expect(page.locator(".chances")).to_have_count(0)
        assert [url for url in asked if "chances" in url] == []


@pytest.mark.parametrize("size", some_of(SIZES, 2), ids=str)
def test_the_bar_says_both_chances_and_follows_the_game(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, wanting(browser, table, size) as page:
        begin(table)
        meter = page.get_by_role("meter", name="Chance of winning")
        expect(meter).to_have_attribute("aria-valuetext", "ORANGE 56 %, BLUE 44 %")
        expect(meter).to_have_attribute("aria-valuenow", "56")
        assert meter.locator("b").all_inner_texts() == ["56 %", "44 %"], "in figures, not by colour alone"
        table.press(*score("P1", 100).split())
        expect(meter).to_have_attribute("aria-valuetext", "ORANGE > 99 %, BLUE < 1 %")
        page.wait_for_timeout(600)  # the bar has moved
        left, right = (page.evaluate(BOX, f".chances i:nth-child({each})")[2] for each in (1, 2))
        assert right < left / 20
        assert page.evaluate(WIDE) <= 0
        tile, bar, felt = (page.evaluate(BOX, what) for what in (".tile", BAR, ".felt"))
        assert tile[1] + tile[3] <= bar[1], "below the scores"
        assert bar[1] + bar[3] <= felt[1] or bar[0] >= felt[0] + felt[2], "above the felt, or beside it"
        assert violations(page) == []


def test_nothing_moves_when_the_chance_comes_or_fails(tmp_path: Path, browser: Browser) -> None:
    held: list[Route] = []
    with real_table(tmp_path) as table, wanting(browser, table) as page:
        intercept(page, f"**/{ASKED}", lambda route: held.append(route))  # noqa: PLW0108  Playwright looks into it
        begin(table)
        page.wait_for_selector(".chances", state="attached")
        page.wait_for_timeout(300)
        before = {what: page.evaluate(BOX, what) for what in (".tiles", ".felt", ".asked")}
        assert held
        for route in held:
            route.continue_()
        page.wait_for_selector(BAR)
        assert {what: page.evaluate(BOX, what) for what in before} == before
        page.unroute_all()
        intercept(page, f"**/{ASKED}", lambda route: route.fulfill(status=409, json={"error": "no tables"}))
        table.press("8", "8")
        expect(page.locator(BAR)).to_have_count(0)
        assert page.evaluate(BOX, ".tiles") == before[".tiles"]


def test_two_pairs_have_a_bar_too(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, wanting(browser, table) as page:
        begin(table, players=4)
        found = httpx.get(f"{table.url}{ASKED}", trust_env=False).json()["chances"]
        assert len(found) == 2
        told = page.get_by_role("meter", name="Chance of winning").locator("b")
        expect(told).to_have_text([f"{round(100 * one)} %" for one in found])


def test_there_is_none_for_three(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, wanting(browser, table) as page:
        begin(table, players=3)
        page.wait_for_function("() => document.querySelectorAll('.tile').length === 3")
        expect(page.locator(".chances")).to_have_count(0)
        assert httpx.get(f"{table.url}{ASKED}", trust_env=False).json()["chances"] is None


def test_an_answer_for_an_earlier_moment_is_not_shown(tmp_path: Path, browser: Browser) -> None:
    late: list[Route] = []
    asked: list[Route] = []

    def first_is_late(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            late.append(route)
        else:
            route.continue_()

    with real_table(tmp_path) as table, wanting(browser, table) as page:
        begin(table)
        meter = page.get_by_role("meter")
        expect(meter).to_be_visible()
        intercept(page, f"**/{ASKED}", first_is_late)
        for _ in range(2):
            with page.expect_request(f"**/{ASKED}"):
                table.press("8")
        late[0].fulfill(json={"seq": 0, "chances": [0.01, 0.99]})
        page.wait_for_timeout(500)
        expect(meter).to_have_attribute("aria-valuetext", "ORANGE 55 %, BLUE 45 %")
