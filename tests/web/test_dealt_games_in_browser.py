"""Whole games that the machine deals, by clicks in a real browser: against it, with several at the page,
without anyone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect
from support.companions import WAIT

from web.browser import needs_chromium, visit
from web.peeking import Listener, peeked
from web.real_table import RealTable, real_table

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(300)]

CLICKS = 400  # a game of two to 61 takes some 60
SOME = 3  # hints to follow: the first chooses the discard; after them the test picks its own cards
STEPS = 2000  # of a game without anyone to press; to 31 it takes some 100
ACTS = """(withHints) => {
  const on = (node) => node.offsetParent !== null && node.getAttribute("aria-disabled") !== "true";
  const words = (selector) => document.querySelector(selector).textContent;
  const [ok, ask] = ["#hand .ok", "#hand .ask"].map((each) => document.querySelector(each));
  const card = [...document.querySelectorAll("#hand button.card:not(.chosen)")].find(on);
  const won = document.querySelector("#scores .wins") !== null;
  const wants = won ? null : withHints && on(ask) && !words("#hand .hint") ? ask : on(ok) ? ok : card ?? null;
  const seq = Number(document.getElementById("table").dataset.seq);
  const seen = { seq, won, title: words("#hand .whose"), refused: words("#refusal"), asks: wants === ask, hit: true };
  if (wants) {
    wants.scrollIntoView({ block: "nearest" });
    const { x, y, width, height } = wants.getBoundingClientRect();
    seen.hit = wants.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    wants.click();
  }
  return seen;
}"""
"""Look and click at one go: the machine moves on meanwhile, and what was seen may be gone when a mouse comes
to it."""
MOVED_ON = "(seq) => Number(document.getElementById('table').dataset.seq) > seq"


def set_up(page: Page, *levels: str, target: str, speed: str = "fast", names: tuple[str, ...] = ()) -> None:
    """Set a game up in the dialog of rules, as a person does, and start it."""
    page.get_by_role("button", name="Rules", exact=True).click()
    page.locator("#rule-players").select_option(str(len(levels)))
    page.locator("#rule-target").select_option("other")
    page.get_by_role("textbox", name="Target: 31 to 121").fill(target)
    page.locator("#rule-entry").select_option("dealt")
    for seat, level in enumerate(levels):
        page.get_by_label(f"Who plays in seat {seat + 1}").select_option(level)
    for seat, name in enumerate(names):
        page.get_by_label(f"Name for seat {seat + 1}").fill(name)
    if any(levels):
        page.locator("#rule-speed").select_option(speed)
    page.get_by_role("button", name="Set up the next game").click()
    start(page)


def set_up_at_the_door(page: Page, table: RealTable, *levels: str, target: str) -> None:
    """The same without the dialog, where another test has been through it."""
    request = {
        "rules": "standard",
        "players": len(levels),
        "entry": "dealt",
        "options": {"target": target},
        "levels": list(levels),
        "speed": "fast",
    }
    assert table.companion.set_up(request, None).result(WAIT).status == 200
    start(page)


def start(page: Page) -> None:
    expect(page.locator("#prompt")).to_contain_text("New game")
    page.locator('#keypad [data-key="OK"]').click()
    expect(page.locator("#felt")).to_be_visible()


def play(page: Page, deals: int = CLICKS, *, hints: int = 0) -> list[str]:
    """Click cards and OK until a side has won, or so many *deals* are played; return what lay before the
    person.

    Of the *hints* that the page offers so many are asked for, and followed.
    """
    titles: list[str] = []
    for _ in range(CLICKS):
        now: dict[str, Any] = page.evaluate(ACTS, hints > 0)
        if not titles or titles[-1] != now["title"]:
            titles.append(now["title"])
        assert now["refused"] == ""  # what the page offers is accepted
        assert now["hit"]  # a mouse would click it too
        if now["won"] or titles.count("The pack") > deals:
            return titles
        if now["asks"]:
            hints -= 1
            expect(page.locator("#hand .hint")).to_contain_text("Hint: ")
        page.wait_for_function(MOVED_ON, arg=now["seq"])
    return pytest.fail(f"no end after {CLICKS} clicks: {page.locator('#prompt').inner_text()}")


@pytest.mark.parametrize(
    ("levels", "size"),
    [
        pytest.param(("", "thrifty"), (1280, 800), id="two", marks=pytest.mark.prove),
        pytest.param(("thrifty", "", "thrifty"), (390, 844), id="three, on a phone"),
        pytest.param(
            ("", "thrifty", "thrifty", "thrifty"),
            (1280, 800),
            id="four, as partners",
            marks=pytest.mark.prove,
        ),
    ],
)
def test_a_person_plays_the_machine_to_the_end_of_a_game_by_clicks(
    tmp_path: Path, browser: Browser, levels: tuple[str, ...], size: tuple[int, int]
) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, size) as page:
        set_up(page, *levels, target="31")
        titles = play(page, hints=SOME)
        state = table.state()
        assert [seat["level"] for seat in state["seats"]] == [level or None for level in levels]
        expect(page.locator("#scores .wins .front")).to_have_text("31")
        me = state["seats"][levels.index("")]["name"]
        assert f"Your hand, {me}" in titles
        assert any(" shows: " in title for title in titles)
        expect(page.locator("#hand .ok")).to_have_text("Next game")
        page.locator("#hand .ok").click()
        expect(page.locator("#scores .wins")).to_have_count(0)


@pytest.mark.prove
def test_hints_lead_a_person_through_a_whole_game_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 844)) as page:
        set_up(page, "", "chance", target="31")
        play(page, hints=CLICKS)
        expect(page.locator("#scores .wins .front")).to_have_text("31")
        expect(page.locator("#message")).to_be_hidden()  # on a phone a hint stands below the hand


def test_a_hint_stands_where_remarks_do_on_a_wide_page_and_escapes_with_another_card(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (1024, 768)) as page:
        set_up_at_the_door(page, table, "", "thrifty", target="61")
        page.locator("#hand .ask").click()
        expect(page.locator("#message")).to_contain_text("Keep ")
        expect(page.locator("#hand button.chosen")).to_have_count(2)
        expect(page.locator("#hand .hint")).to_be_hidden()
        box, hand = page.locator("#message").bounding_box(), page.locator("#hand").bounding_box()
        assert box is not None
        assert hand is not None
        assert box["y"] + box["height"] <= hand["y"]
        page.locator("#hand button.card:not(.chosen)").first.click()
        expect(page.locator("#message")).to_be_hidden()


def test_the_machine_plays_a_game_with_itself_and_nobody_presses(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        set_up_at_the_door(page, table, "thrifty", "chance", target="31")
        page.wait_for_selector("#scores .wins", timeout=60_000)
        state = table.state()
        assert state["seq"] < STEPS
        assert page.locator("#hand button.card").count() == 0
        expect(page.locator("#hand .ok")).to_have_text("Next game")
        held = page.locator("#felt .seat .unseen").all_text_contents()
        assert len(held) == 2


def test_two_at_one_page_never_see_each_others_cards(
    tmp_path: Path, browser: Browser, *, whole: bool
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        heard = Listener(table.url)
        page.on("response", heard.answered)
        set_up(page, "", "", target="61", names=("ANN", "BOB"))
        titles = play(page, deals=1, hints=CLICKS if whole else SOME)
        heard.take("state", json.dumps(table.state()))
        heard.take("page", json.dumps(table.companion.page()))
        told = heard.stop()
        page.remove_listener("response", heard.answered)
        opened = {title for title in titles if title.endswith("hand")}
        closed = {title for title in titles if title.endswith("face down")}
        assert opened == {"ANN's hand", "BOB's hand"}
        assert {title.removesuffix(", face down") for title in closed} == opened
        deals, leaks = peeked(told)
        assert deals >= 1
        assert leaks == []
        assert page.locator("#log").inner_text().count("discards") <= 12
