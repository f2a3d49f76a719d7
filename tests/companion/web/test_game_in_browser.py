"""A whole game on the page, by clicks alone: the real companion on its twin, and a person who reads the marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from companion.web.browser import DEVICE, TABLE, needs_chromium, visit
from companion.web.real_table import real_table
from playwright.sync_api import Browser, Page, expect
from support.server import ask, companion

pytestmark = [pytest.mark.browser, needs_chromium]

PRESSES = 1000  # a game of two to 31 takes some 30 to 50
CAUGHT_UP = """(seq) => Number(document.querySelector("main[data-seq]")?.dataset.seq) >= seq
  && !document.querySelector(".key.waiting, .likely[aria-disabled=true], .main[aria-disabled=true]")"""
MARKED = """() => {
  const main = [...document.querySelectorAll(".dialog .main, .result .main, .asked .main")].filter((one) => one.offsetParent);
  const spots = main.length ? main : [...document.querySelectorAll(".key.likely")];
  return {
    refused: document.querySelector(".wrong, .trouble:not(:empty)")?.textContent ?? "",
    buttons: spots.map((each) => {
      each.scrollIntoView({ block: "nearest" });
      const { x, y, width, height } = each.getBoundingClientRect();
      return { key: each.dataset.key ?? "", first: !each.dataset.key || each.dataset.key === "OK", at: [x + width / 2, y + height / 2] };
    }),
  };
}"""


def play(page: Page, state: Callable[[], dict[str, Any]], chance: Random) -> list[dict[str, Any]]:
    """Press what is marked until a side has won; return the states on the way."""
    states: list[dict[str, Any]] = []
    for _ in range(PRESSES):
        states.append(state())
        if states[-1]["winner"] is not None:
            return states
        page.wait_for_function(CAUGHT_UP, arg=states[-1]["seq"])
        marked = page.evaluate(MARKED)
        assert marked["refused"] == ""  # what is marked is accepted
        assert marked["buttons"], states[-1]["prompt"]
        first = [one for one in marked["buttons"] if one["first"]]
        page.mouse.click(*(first or [chance.choice(marked["buttons"])])[0]["at"])
        page.wait_for_function(CAUGHT_UP, arg=states[-1]["seq"] + 1)
    return pytest.fail(f"no end after {PRESSES} presses: {states[-1]['prompt']}")


@pytest.mark.parametrize("path", [DEVICE, pytest.param(TABLE, marks=pytest.mark.prove)])
def test_a_game_is_played_to_its_end_by_clicking_what_is_marked(
    tmp_path: Path, browser: Browser, path: str
) -> None:
    short = ("--rule", "target=31")
    with companion(tmp_path, *short) as (_, url), visit(browser, url, path=path) as page:
        if path == TABLE:
            page.get_by_role("button", name="Start").click()
            page.wait_for_selector("main.table")
        state = play(page, lambda: ask(f"{url}api/state")[1], Random(27))[-1]
        page.goto(f"{url}{TABLE}")
        expect(page.locator(".tile.wins .score")).to_have_text(str(state["target"]))
        expect(page.get_by_role("heading", level=1)).to_contain_text(" wins by ")
        page.get_by_role("button", name="Rematch").click()  # and the next game can begin
        expect(page.locator(".tile.wins")).to_have_count(0)
        assert ask(f"{url}api/state")[1]["winner"] is None


@pytest.mark.prove
@pytest.mark.parametrize(
    "size", [(1280, 800), pytest.param((390, 844), marks=pytest.mark.prove)], ids=["desk", "phone"]
)
def test_a_game_where_people_count_is_set_up_on_the_page_and_played_to_its_end(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#rules") as page:
        page.locator(".presets").get_by_role("radio", name="with their one optional rule").click()
        page.get_by_label("Target: 31 to 121").fill("31")
        page.keyboard.press("Tab")
        match = page.locator("[data-option=match]")
        match.get_by_role("radio", name="First to").click()
        match.get_by_label("Number of games").fill("1")
        page.keyboard.press("Tab")
        expect(page.locator(".differences li")).to_have_count(2)
        page.get_by_role("link", name="Close").click()
        page.get_by_role("heading", name="Keep score").click()
        page.get_by_role("button", name="Start").click()
        page.wait_for_selector("main.table")
        states = play(page, table.state, Random(7))
        counts = [state["last"]["claimed"] for state in states if state["last"]]
        assert any(count is not None for count in counts)
        assert any("muggins for" in state["last"]["call"] for state in states if state["last"])
        assert states[-1]["phase"] == "match-over"
        expect(page.get_by_text("wins the match, first to 1")).to_be_visible()
        assert table.state()["match"]["kind"] == "first-to-1"
