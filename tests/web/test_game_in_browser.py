"""A whole game on the page, by clicks alone: the real companion on its twin, and a person who reads the
marks."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.server import ask, companion

from web.browser import needs_chromium, visit
from web.real_table import real_table

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(600)]

PRESSES = 1000  # a game of two to 31 takes some 30 to 50
CAUGHT_UP = """(seq) => Number(document.getElementById("table").dataset.seq) >= seq
  && !document.querySelector("#keypad .waiting")"""
MARKED = """() => {
  const found = [];
  for (const key of document.querySelectorAll("#keypad [data-next=first], #keypad [data-next=also]")) {
    key.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = key.getBoundingClientRect();
    found.push({ key: key.dataset.key, first: key.dataset.next === "first", at: [x + width / 2, y + height / 2] });
  }
  return { refused: document.getElementById("refusal").textContent, keys: found };
}"""


def click(page: Page, name: str) -> None:
    page.locator(f'#keypad [data-key="{name}"]').click()
    expect(page.locator("#keypad .waiting")).to_have_count(0)


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
        assert marked["keys"], states[-1]["prompt"]
        first = [key for key in marked["keys"] if key["first"]]
        page.mouse.click(*(first[0] if first else chance.choice(marked["keys"]))["at"])
        page.wait_for_function(CAUGHT_UP, arg=states[-1]["seq"] + 1)
    return pytest.fail(f"no end after {PRESSES} presses: {states[-1]['prompt']}")


def test_a_game_is_played_to_its_end_by_clicking_what_is_marked(tmp_path: Path, browser: Browser) -> None:
    short = ("--rule", "target=31")
    with companion(tmp_path, *short) as (_, url), visit(browser, url) as page:
        expect(page.locator("#prompt")).to_contain_text("OK")
        state = play(page, lambda: ask(f"{url}api/state")[1], Random(27))[-1]
        front = page.locator("#scores .wins .front")
        expect(front).to_have_text(str(state["target"]))
        expect(page.locator("#scores .wins")).to_contain_text("won")
        click(page, "OK")  # and the next game can begin
        assert ask(f"{url}api/state")[1]["winner"] is None


@pytest.mark.parametrize(
    "size", [(1280, 800), pytest.param((390, 844), marks=pytest.mark.prove)], ids=["desk", "phone"]
)
def test_a_game_where_people_count_is_set_up_on_the_page_and_played_to_its_end(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size) as page:
        page.get_by_role("button", name="Rules", exact=True).click()
        page.locator("#rule-rules").select_option("acc-muggins")
        page.locator("#rule-target").select_option("other")
        page.get_by_role("textbox", name="Target: 31 to 121").fill("31")
        page.locator("#rule-match").select_option("other")
        page.keyboard.type("first-to-1")
        page.get_by_role("button", name="Set up the next game").click()
        expect(page.locator("#prompt")).to_contain_text("to 31 by acc-muggins, first to 1")
        states = play(page, table.state, Random(7))
        counts = [state["last"]["claimed"] for state in states if state["last"]]
        assert any(count is not None for count in counts)
        assert any("muggins for" in state["last"]["call"] for state in states if state["last"])
        assert states[-1]["phase"] == "match-over"
        expect(page.locator("#match h2")).to_contain_text("wins the match, first to 1")
        page.get_by_role("button", name="Rules", exact=True).click()
        expect(page.locator("#rules .playing")).to_contain_text(
            "Last game: acc-muggins with house rules, 2 players, to 31."
        )
