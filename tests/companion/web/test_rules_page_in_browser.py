"""The rules and the names on the page: what differs is told and can be put back, a refusal is no dead end, and no
name does any harm."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import intercept, needs_chromium, visit, wait_until
from companion.web.real_table import RealTable, real_table
from companion.web.test_access_in_browser import begin
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect
from support.samples import some_of

from cribpi.cribbage.rules.rulebook import rulebook

pytestmark = [pytest.mark.browser, needs_chromium]

WHOLE = pytest.mark.prove
PHONE, DESK, SMALL = (390, 664), (1280, 800), (320, 568)
SIDEWAYS = "document.documentElement.scrollWidth - innerWidth"
NAMES = [
    "<img src=x onerror=alert(1)><b>bold</b>",
    "شهرزاد بنت الوزير",
    "Wolfeschlegelsteinhausenbergerdorffwelch",
    "Zoë 🃏🎲😀\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}",
]


def setup(table: RealTable) -> dict[str, Any]:
    found: dict[str, Any] = httpx.get(f"{table.url}api/rules").json()["setup"]
    return found


def row(page: Page, option: str) -> Locator:
    return page.locator(f"[data-option={option}]")


@contextmanager
def rules_page(
    tmp_path: Path, browser: Browser, size: tuple[int, int] = PHONE, *, is_dark: bool = False
) -> Iterator[tuple[RealTable, Page]]:
    with (
        real_table(tmp_path) as table,
        visit(browser, table.url, size, is_dark=is_dark, path="#rules") as page,
    ):
        page.wait_for_selector(".rules-page")
        yield table, page


def test_what_is_changed_is_told_and_goes_back(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        expect(page.locator(".nothing")).to_contain_text("Standard rules, nothing changed")
        row(page, "crib_flush").get_by_role("radio", name="four are enough").click()
        different = page.locator(".differences li")
        expect(different).to_contain_text("A flush in the crib")
        assert setup(table)["options"] == {"crib_flush": "four"}
        shown: Any = table.companion.page()["table"]
        assert shown["dialog"] is None, "the table is left alone"
        different.get_by_role("button", name="Back to: all five cards only, for five").click()
        expect(different).to_have_count(0)
        assert setup(table)["options"] == {}


def test_a_game_from_the_start_is_played_by_them(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        page.get_by_role("radio", name="Lowe Lowe's sheet").click()
        expect(page.locator(".nothing")).to_have_text("Lowe rules, nothing changed.")
        page.get_by_label("Target: 31 to 121").fill("91")
        page.keyboard.press("Tab")
        row(page, "games_peg").get_by_role("switch").click()
        expect(page.locator(".differences li")).to_have_count(2)
        page.get_by_role("link", name="Close").click()
        expect(page.get_by_role("link", name="Rules: Lowe")).to_contain_text("1 house rule")
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        page.wait_for_selector(".hand button.card")
        state = table.state()
        assert (state["rules"], state["target"]) == ("lowe", 91)
        assert state["house"] == {"target": "91", "games_peg": "off"}


def test_a_game_that_the_rules_do_not_allow_says_so_on_the_start(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser, DESK) as (table, page):
        row(page, "false_win").get_by_role("radio", name="fifteen holes back").click()
        expect(page.locator(".differences li")).to_have_count(1)
        page.get_by_role("link", name="Close").click()
        way = page.locator(".way", has_text="Pass and play")
        way.get_by_role("button", name="Make it 3 players").click()
        way.get_by_role("button", name="Deal").click()
        expect(page.get_by_role("alert")).to_contain_text(
            "your opponent gets the points you overclaimed” gives points to the opponent, but here there are two"
        )
        assert table.state()["phase"] == "idle"
        page.goto(f"{table.url}#rules")
        page.get_by_role("radio", name=re.compile("^ACC tournament(?! with)")).click()
        expect(page.locator(".nothing")).to_have_text("ACC tournament rules, nothing changed.")
        page.get_by_role("link", name="Close").click()
        expect(way.get_by_label("Player 2")).to_be_visible()
        expect(way.get_by_role("button", name="Make it")).to_have_count(0)


def test_an_answer_that_a_later_one_has_overtaken_is_not_shown(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (_, page):
        late: list[tuple[Route, APIResponse]] = []

        def keep_the_first(route: Route) -> None:
            if route.request.method == "GET" and not late:
                late.append((route, route.fetch()))
            else:
                route.continue_()

        intercept(page, "**/api/rules", keep_the_first)
        row(page, "crib_flush").get_by_role("radio", name="four are enough").click()
        page.wait_for_timeout(0)
        expect(page.locator(".nothing")).to_be_visible()
        wait_until(page, lambda: late)
        row(page, "match").get_by_role("radio", name="Best of").click()
        expect(page.locator(".differences li")).to_have_count(2)
        route, answer = late[0]
        route.fulfill(response=answer)
        page.wait_for_timeout(200)
        expect(page.locator(".differences li")).to_have_count(2)


def test_what_is_being_typed_stays_when_another_screen_changes_something(
    tmp_path: Path, browser: Browser
) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        target = page.get_by_label("Target: 31 to 121")
        target.fill("9")
        httpx.post(f"{table.url}api/rules", json={"options": {"crib_flush": "four"}, "menu": False})
        expect(page.locator(".differences li")).to_have_count(1)
        target.press_sequentially("1")
        expect(target).to_have_value("91")
        page.keyboard.press("Tab")
        expect(page.locator(".differences li")).to_have_count(2)
        assert setup(table)["options"]["target"] == "91"


def test_a_match_is_of_any_number_of_games(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        match = row(page, "match")
        match.get_by_role("radio", name="Best of").click()
        expect(match.get_by_label("Number of games")).to_have_value("5")
        assert setup(table)["options"] == {"match": "best-of-5"}
        match.get_by_role("radio", name="First to").click()
        expect(match.get_by_label("Number of games")).to_have_value("3")
        match.get_by_label("Number of games").fill("7")
        page.keyboard.press("Tab")
        expect(page.locator(".differences")).to_contain_text("first to 7 games")
        assert setup(table)["options"] == {"match": "first-to-7"}
        for typed in ("100", "0", "-1", "2.5", ""):
            match.get_by_label("Number of games").fill(typed)
            page.keyboard.press("Tab")
            expect(match.get_by_role("alert")).to_have_text("Choose 1 to 99 games.")
            expect(match.get_by_label("Number of games")).to_have_value("7")
        assert setup(table)["options"] == {"match": "first-to-7"}
        match.get_by_label("Number of games").fill("8")
        page.keyboard.press("Tab")
        expect(page.locator(".differences")).to_contain_text("first to 8 games")
        expect(match.get_by_role("alert")).to_have_count(0)


def test_options_that_exclude_one_another_are_refused_with_a_way_on(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        skunk = row(page, "skunk")
        skunk.get_by_role("switch").click()
        expect(skunk.get_by_role("alert")).to_contain_text("Double skunks need skunks")
        expect(page.get_by_role("alert")).to_have_count(1)  # and at no other option
        assert setup(table)["options"] == {}
        skunk.get_by_role("button", name="Also choose A double skunk").click()
        expect(page.locator(".differences li")).to_have_count(2)
        assert setup(table)["options"] == {"skunk": "off", "double_skunk": "off"}
        page.get_by_role("button", name="Back to plain Standard").click()
        expect(page.locator(".nothing")).to_be_visible()


def test_the_rules_of_the_open_game_are_all_told_beside_those_of_the_next(
    tmp_path: Path, browser: Browser
) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        expect(page.locator(".played")).to_have_count(0)
        begin(table, "", "", entry="cards")
        page.get_by_role("radio", name="Lowe Lowe's sheet").click()
        expect(page.locator(".nothing")).to_have_text("Lowe rules, nothing changed.")
        expect(page.locator(".rules-page > p").first).to_contain_text("Your open game's rules: Standard.")
        page.get_by_text("All rules of this game").click()
        told = page.locator(".played div")
        expect(told).to_have_count(len(rulebook().options))
        expect(told.filter(has_text="Counting the hands")).to_contain_text("the computer counts")
        expect(told.filter(has_text="Target")).to_contain_text("31")
        assert page.evaluate(SIDEWAYS) <= 0


def test_rules_that_cannot_be_loaded_are_asked_for_again(tmp_path: Path, browser: Browser) -> None:
    refused: list[str] = []

    def twice_not(route: Route) -> None:
        if len(refused) < 2:
            refused.append(route.request.url)
            route.fulfill(status=500, json={"error": "broken"})
        else:
            route.continue_()

    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        intercept(page, "**/api/rules", twice_not)
        page.goto(f"{table.url}#rules")
        expect(page.get_by_role("status")).to_have_text("Loading\u2026")
        expect(page.locator(".rules-page")).to_be_visible()
        assert len(refused) == 2


def test_rules_are_changed_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    with rules_page(tmp_path, browser) as (table, page):
        presets = page.get_by_role("radiogroup", name="Whose rules").get_by_role("radio")
        presets.nth(0).focus()
        page.keyboard.press("ArrowDown")
        expect(presets.nth(1)).to_be_checked()
        expect(presets.nth(1)).to_be_focused()
        page.keyboard.press("ArrowUp")
        expect(presets.nth(0)).to_be_checked()
        row(page, "starter_cut").get_by_role("radio").nth(0).focus()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".differences li")).to_have_count(1)
        assert setup(table)["options"] == {"starter_cut": "dealer-turns"}
        expect(row(page, "starter_cut").get_by_role("radio").nth(1)).to_be_focused()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(row(page, "starter_cut").locator("q").first).to_be_visible()


@pytest.mark.parametrize(
    ("size", "is_dark"),
    [
        (PHONE, True),
        pytest.param(DESK, False, marks=WHOLE),
        pytest.param(PHONE, False, marks=WHOLE),
        pytest.param(DESK, True, marks=WHOLE),
    ],
)
def test_axe_finds_nothing_in_rules_and_names(
    tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool
) -> None:
    with rules_page(tmp_path, browser, size, is_dark=is_dark) as (table, page):
        row(page, "match").get_by_role("radio", name="Best of").click()
        row(page, "skunk").get_by_role("switch").click()
        page.wait_for_selector(".refused")
        row(page, "heels").locator("summary").click()
        assert violations(page) == []
        page.goto(f"{table.url}#names")
        page.wait_for_selector(".names-page")
        assert violations(page) == []


def harmless(page: Page, names: list[str]) -> None:
    """Fail if a name became markup, or makes the page scroll sideways."""
    assert page.evaluate(SIDEWAYS) <= 0
    assert page.locator("img[src=x], #app b:text-is('bold')").count() == 0
    text = page.evaluate(
        "document.body.innerText + [...document.querySelectorAll('input')].map((one) => one.value)"
    )
    assert [name for name in names if name not in text] == []


@pytest.mark.parametrize("size", [SMALL, pytest.param(DESK, marks=WHOLE)])
@pytest.mark.parametrize("names", some_of([NAMES[:2], NAMES[2:]], 0), ids=["markup", "long"])
def test_no_name_does_any_harm(
    tmp_path: Path, browser: Browser, names: list[str], size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#names") as page:
        page.on("dialog", lambda dialog: pytest.fail(f"a dialog: {dialog.message}"))
        for seat, name in enumerate(names, start=1):
            page.get_by_label(f"Seat {seat}").fill(name)
        page.get_by_role("button", name="Save the names").click()
        expect(page.get_by_role("status")).to_have_text("Saved.")
        harmless(page, names)
        begin(table, "", "", entry="cards")
        page.goto(f"{table.url}#table")
        page.wait_for_selector("main.table")
        harmless(page, names)
        page.goto(table.url)
        page.wait_for_selector(".open-game")
        harmless(page, names)
        table.press("P1", "P1", "FLNB", "P2", "P2", "P2", "FLNB", "P2", "OK")
        assert table.state()["winner"] == 0
        page.goto(f"{table.url}#table")
        page.wait_for_selector("main.table")
        page.wait_for_timeout(100)
        harmless(page, names)
