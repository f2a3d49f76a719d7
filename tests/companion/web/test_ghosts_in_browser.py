"""Ghost pegs on the page: among the LEDs of the board, and as rings on the strip of a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, expect
from support.companions import start_of
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Change

pytestmark = [pytest.mark.browser, needs_chromium]

PHONE, DESK = (390, 664), (1280, 800)


def second_deal(table: RealTable) -> None:
    """Play by points, with ORANGE dealing first, until the second deal; nobody pegs much."""
    request = {"rules": "standard", "players": 2, "entry": "peg", "options": {}}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    table.press("P1", "OK", "OK", "5", "P1", "OK")
    while deal(table) == 1:
        table.press("OK")


def deal(table: RealTable) -> Any:  # noqa: ANN401  JSON
    page: Any = table.companion.page()
    return page["table"]["deal"]


def turn(table: RealTable, value: str) -> None:
    assert table.companion.do(Change({"ghost": value})).result(PATIENCE).is_accepted


def test_the_strip_of_a_phone_shows_where_the_average_would_be(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, PHONE, path="#table") as page:
        second_deal(table)
        ghosts = page.locator(".strip .ghost")
        expect(page.locator(".about")).to_contain_text("deal 2")
        expect(ghosts).to_have_count(0)
        turn(table, "on")
        expect(ghosts).to_have_count(2)
        lane = 1000 - 2 * 34
        at = sorted(float(one.get_attribute("cx") or 0) for one in ghosts.all())
        assert at == pytest.approx([34 + lane * 10 / 121, 34 + lane * 16 / 121])
        assert page.locator(".strip text").all_text_contents() == ["30", "60", "90", "121"]
        name = page.locator(".strip").get_attribute("aria-label") or ""
        assert "ORANGE in hole 5, back peg in 0, on average 16" in name
        assert "BLUE in hole 0, back peg in 0, on average 10" in name
        assert violations(page) == []
        page.locator(".strip").screenshot(path=tmp_path / "strip.png")
        table.press("OK", "OK")
        expect(ghosts).to_have_count(0)


def test_the_board_of_a_desk_has_them_among_its_lights_and_says_so(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, DESK, path="#table") as page:
        second_deal(table)
        board = page.locator(".board .slab")
        expect(board).to_have_attribute(
            "aria-label", "Board: ORANGE in hole 5, back peg in 0; BLUE in hole 0, back peg in 0"
        )
        before = page.request.get(f"{table.url}api/strip").json()
        turn(table, "on")
        expect(board).to_have_attribute(
            "aria-label",
            "Board: ORANGE in hole 5, back peg in 0, on average 16; BLUE in hole 0, back peg in 0, on average 10",
        )
        after = page.request.get(f"{table.url}api/strip").json()
        kit: Any = page.request.get(f"{table.url}api/kit").json()
        leds = [{hole["hole"]: hole["led"] for hole in track["holes"]} for track in kit["tracks"]]
        lit = {
            led
            for led, colours in enumerate(zip(before, after, strict=True))
            if not any(colours[0]) and any(colours[1])
        }
        assert {leds[0][16], leds[1][10]} <= lit
