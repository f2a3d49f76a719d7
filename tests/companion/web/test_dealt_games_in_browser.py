"""Whole games that the computer deals, by clicks in a real browser: by its hints, by itself, with two at one page."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import MOST_LOOKS, TABLE, needs_chromium, visit
from companion.web.peeking import Listener, peeked
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, expect
from support.companions import start_of
from support.patience import PATIENCE

pytestmark = [pytest.mark.browser, needs_chromium]

CLICKS = 400  # a game of two to 61 takes some 60
SOME = 3  # hints to follow: after them the test picks its own cards
STEPS = 2000  # of a game without anyone to press; to 31 it takes some 100
ACT = """(withHints) => {
  for (const moving of document.getAnimations()) moving.finish(); // as the next tap does
  document.querySelector("main.table > .felt.closed")?.click(); // so is the wait for a closed count
  const on = (node) => node && node.offsetParent !== null && node.getAttribute("aria-disabled") !== "true";
  const table = document.querySelector("main.table");
  const hand = document.querySelector(".hand:not(.empty)");
  const hinted = [...document.querySelectorAll(".hand button.card.hinted[aria-pressed=false]")].find(on);
  const card = hinted ?? [...document.querySelectorAll(".hand button.card[aria-pressed=false]")].find(on);
  const main = document.querySelector(".buttons .main");
  const ask = document.querySelector(".hand .hinted") ? null : document.querySelector("[data-tool=hint]");
  const isOver = table.dataset.kind === "result";
  const isWaiting = table.dataset.waiting !== "0";
  const asks = Boolean(withHints && !isOver && on(ask) && on(card) && !isWaiting);
  const wants = isOver || isWaiting ? null : asks ? ask : hinted ?? (on(main) ? main : card ?? null);
  const seen = {
    seq: Number(table.dataset.seq), isOver, asks, hand: hand?.getAttribute("aria-label") ?? "",
    title: document.querySelector("h1").textContent, refused: document.querySelector(".remark.wrong")?.textContent ?? "",
    moves: wants !== null && wants === main, phase: table.dataset.phase,
  };
  wants?.click();
  return seen;
}"""
"""Look and click at one go: the computer moves on meanwhile, and what was seen may be gone when a mouse comes to it."""
MOVED_ON = "(seq) => Number(document.querySelector('main.table').dataset.seq) > seq"


def begin(table: RealTable, page: Page, *levels: str, target: str, names: tuple[str, ...] = ()) -> None:
    request: dict[str, Any] = {
        "rules": "standard", "players": len(levels), "entry": "dealt", "options": {"target": target}, "speed": "fast",
        "levels": list(levels), "automatic": ["cut", "deal", "starter"],
    }  # fmt: skip
    request |= {"names": list(names)} if names else {}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    page.wait_for_selector("main.table")


def play(page: Page, deals: int = CLICKS, *, hints: int = 0) -> list[dict[str, Any]]:
    """Click what is offered until the game is over, or so many *deals* are counted; return what was seen.

    Of the *hints* that the page offers so many are asked for, and followed.
    """
    seen: list[dict[str, Any]] = []
    for _ in range(MOST_LOOKS):
        now = page.evaluate(ACT, hints > 0)
        cribs = sum(is_crib(now) and not is_crib(before) for before, now in pairwise(seen))
        seen.append(now)
        assert now["refused"] == "", (now, seen[-3:])  # what the page offers is accepted
        if now["isOver"] or cribs >= deals:
            return seen
        if now["asks"]:
            hints -= 1
            expect(page.locator(".hint-said")).to_contain_text("Hint: ")
            expect(page.locator(".hand .hinted")).not_to_have_count(0)
        if now["moves"]:
            page.wait_for_function(MOVED_ON, arg=now["seq"])
        else:
            page.wait_for_timeout(20)
    return pytest.fail(f"no end after {MOST_LOOKS} looks: {seen[-1]}")


def is_crib(now: dict[str, Any]) -> bool:
    return bool(now["phase"] == "crib")


@pytest.mark.parametrize(
    ("levels", "size"),
    [
        pytest.param(("thrifty", "", "thrifty"), (390, 844), id="three, on a phone", marks=pytest.mark.prove),
        pytest.param(("", "chance"), (390, 844), id="two, on a phone"),
    ],
)
def test_hints_lead_a_person_through_a_whole_game_and_to_the_next(
    tmp_path: Path, browser: Browser, levels: tuple[str, ...], size: tuple[int, int], *, whole: bool
) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, size, path=TABLE) as page:
        begin(table, page, *levels, target="31")
        seen = play(page, hints=CLICKS if whole else SOME)
        assert sum(now["asks"] for now in seen) >= SOME
        state = table.state()
        assert [seat["level"] for seat in state["seats"]] == [level or None for level in levels]
        expect(page.locator(".tile.wins .score")).to_have_text("31")
        page.get_by_role("button", name="Rematch").click()
        expect(page.locator(".tile.wins")).to_have_count(0)


def test_a_hint_is_told_above_the_hand_and_escapes_with_another_card(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        real_table(tmp_path) as table,
        visit(browser, table.url, (1024, 768), path=TABLE) as page,
    ):
        begin(table, page, "", "thrifty", target="61")
        expect(page.get_by_label("Thrifty's crib, 2 cards")).to_be_visible()  # or the computer may move first
        page.locator("[data-tool=hint]").click()
        expect(page.locator(".hint-said")).to_contain_text("Hint: Keep ")
        expect(page.locator(".hand .hinted")).to_have_count(2)
        box, hand = page.locator(".hint-said").bounding_box(), page.locator(".hand").bounding_box()
        assert box is not None
        assert hand is not None
        assert box["y"] + box["height"] <= hand["y"]
        page.locator(".hand button.card:not(.hinted)").first.click()
        expect(page.locator(".hand .hinted")).to_have_count(0)


@pytest.mark.prove
def test_the_computer_plays_a_game_with_itself_and_nobody_presses(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path=TABLE) as page:
        begin(table, page, "thrifty", "chance", target="31")
        page.wait_for_selector(".result .won")
        state = table.state()
        assert state["seq"] < STEPS
        assert page.locator(".hand button.card").count() == 0
        expect(page.get_by_role("button", name="Rematch")).to_be_visible()


def test_two_at_one_page_never_see_each_others_cards(
    tmp_path: Path, browser: Browser, *, whole: bool
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path=TABLE) as page:
        heard = Listener(table.url)
        page.on("response", heard.answered)
        begin(table, page, "", "", target="61", names=("ANN", "BOB"))
        seen = play(page, deals=1, hints=CLICKS if whole else SOME)
        heard.take("state", json.dumps(table.state()))
        heard.take("page", json.dumps(table.companion.page()))
        told = heard.stop()
        page.remove_listener("response", heard.answered)
        assert {now["hand"] for now in seen if now["hand"]} == {"ANN's hand", "BOB's hand"}
        passes = [now for now in seen if now["title"].startswith("Pass to ")]
        assert {now["title"] for now in passes} == {"Pass to ANN", "Pass to BOB"}
        assert all(now["hand"] == "" for now in passes), "no hand is open before its holder has the screen"
        for name in ("ANN", "BOB"):
            asked = [now for now in seen if now["title"].startswith(f"{name}: ")]
            assert {now["hand"] for now in asked} <= {"", f"{name}'s hand"}
        deals, leaks = peeked(told)
        assert deals >= 1
        assert leaks == []
