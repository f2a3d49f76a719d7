"""For everyone: axe finds nothing in any scene, in both themes and on three sizes of screen, and a screen reader hears
each move."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import needs_chromium, show, until_rested, visit
from companion.web.dealt_scenes import LAY_AWAY, SHOWN, THINKS, TO_GO
from companion.web.real_table import RealTable, real_table
from companion.web.rehearsed import RehearsedClient
from companion.web.test_table_in_browser import play
from playwright.sync_api import Browser, Page, expect
from support.companions import start_of
from support.patience import PATIENCE

pytestmark = [pytest.mark.browser, needs_chromium]

HAND = ".hand button.card"
SIZES = [(1280, 800), (390, 664), (844, 390)]
SCENES = ("", "#count", "#settings", "#games", "#stats", "#table")


def begin(table: RealTable, *levels: str, entry: str = "dealt") -> None:
    request = {
        "rules": "standard",
        "players": len(levels),
        "entry": entry,
        "options": {"target": "31"},
        "speed": "fast",
    }
    request |= {"levels": list(levels), "automatic": ["cut", "deal", "starter"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted


@pytest.mark.parametrize(
    ("size", "is_dark"),
    [
        pytest.param(size, is_dark, marks=() if (size, is_dark) == (SIZES[0], False) else pytest.mark.prove)
        for size in SIZES
        for is_dark in (False, True)
    ],
)
def test_axe_finds_nothing(tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, is_dark=is_dark, path="") as page:
        begin(table, "", "solid")
        for scene in SCENES:
            page.goto(f"{table.url}{scene}")
            page.wait_for_selector("main:not(.failed)")
            assert violations(page) == [], scene
        begin(table, "", "", entry="cards")
        table.press("P1", "8", "8", "7", "2", "9")
        for keys in ((), ("10",), ("UNDO",), ("MENU",), ("OK",)):
            table.press(*keys)
            table.until_shown(page)
            assert violations(page) == [], keys


SIZES_AND_THEMES = pytest.mark.parametrize(
    ("size", "is_dark"),
    [
        pytest.param(size, is_dark, marks=() if (size, is_dark) == (SIZES[1], True) else pytest.mark.prove)
        for size in SIZES
        for is_dark in (False, True)
    ],
)


@SIZES_AND_THEMES
def test_axe_finds_nothing_in_what_opens_over_the_table_and_at_its_end(
    tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool
) -> None:
    with (
        real_table(tmp_path) as table,
        visit(browser, table.url, size, is_dark=is_dark, path="#table") as page,
    ):
        begin(table, "", "", entry="cards")
        table.press("P1", "8", "8", "7")
        page.wait_for_selector(".keypad")
        device = page.get_by_role("button", name="Device")
        device.click()
        assert violations(page) == [], "device"
        device.click(force=True)
        log = page.locator('[data-tool="log"]')
        if log.is_visible():
            log.click()
            page.locator(".log summary").first.click()
            assert violations(page) == [], "log"
            page.locator(".log h2 button").click()
        if size == SIZES[1]:
            page.locator(".strip").click()
            page.wait_for_selector("dialog.over[open]")
            assert violations(page) == [], "board"
            page.keyboard.press("Escape")
        page.goto(f"{table.url}#device")
        page.wait_for_selector(".device-page .key")
        assert violations(page) == [], "device by itself"


def test_each_move_is_heard_as_a_sentence(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "", entry="cards")
        heard = page.locator(".table > [role=log] > p")
        expect(heard).not_to_have_count(0)  # what happened before the table was shown is not news
        table.press("P1", "8")
        expect(heard.last).to_contain_text("The starter is an eight.")
        table.press("8")
        expect(heard.last).to_have_text("BLUE plays an eight: eight. ORANGE to play.")
        table.press("7")
        expect(heard.last).to_have_text("ORANGE plays a seven: fifteen for two. ORANGE has 2. BLUE to play.")
        table.press("UNDO")
        expect(heard.last).to_contain_text("ORANGE took back the 7.")


def test_what_is_heard_is_what_is_shown(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, LAY_AWAY)
    heard = page.locator(".table > [role=log] > p")
    page.keyboard.press("a")
    expect(heard.last).to_contain_text(re.compile(r"^Ace of \w+\. Choose one more card"))
    page.keyboard.press("m")
    expect(heard.last).to_have_text("Menu.")  # no line of it stands out
    show(page, companion, TO_GO)
    expect(page.get_by_role("heading", level=1)).to_have_text("You can't play")
    expect(heard.last).to_contain_text("You can't play.")
    assert page.locator("output:not([aria-live=off])").count() == 0  # the count is in the sentences
    show(page, companion, SHOWN)
    expect(heard.last).to_contain_text(re.compile(r"shows? (?:\w+ of \w+ ){4}with \w+ of \w+\."))


def test_a_hint_is_heard(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "solid")
        expect(page.locator(HAND)).to_have_count(6)
        page.keyboard.press("f")
        expect(page.locator(".table > [role=log] > p").filter(has_text="Hint: Keep ")).to_have_count(1)


def test_before_the_computer_has_played_nothing_is_said_of_its_thinking(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, LAY_AWAY)
    show(page, companion, THINKS)
    expect(page.get_by_role("heading", level=1)).to_contain_text("is thinking")
    expect(page.locator(".table > [role=log]")).not_to_contain_text("is thinking")


LISTEN = """() => {
  window.heard = [];
  const note = (changes) => window.heard.push(...changes.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent)));
  new MutationObserver(note).observe(document.querySelector(".table > [role=log]"), { childList: true });
}"""


def test_of_a_whole_game_every_move_is_heard_once_and_in_order(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "solid")
        expect(page.locator(HAND)).to_have_count(6)
        expect(page.locator(".table > [role=log] > p")).not_to_have_count(0)
        page.evaluate(LISTEN)
        begun = len(table.companion.log())
        play(page)
        page.wait_for_selector('.table[data-phase="game-over"]')
        moves = [line["announced"] for line in reversed(table.companion.log())][begun:]
        heard = " ".join(page.evaluate("window.heard"))
        assert len(moves) > 20
        for move in moves:
            before, found, heard = heard.partition(str(move))
            assert found, move
            assert not any(mark in before for mark in (" plays ", " shows: ", " crib: ")), (
                f"heard twice, or late: {before!r} {move!r}"
            )
        assert not any(mark in heard for mark in (" plays ", " shows: "))
        assert not any(sign in " ".join(map(str, moves)) for sign in "\u2660\u2663\u2665\u2666")


def test_the_main_button_that_comes_next_has_the_focus_of_the_one_before(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, SHOWN)
    main = page.locator("[data-enter]")
    title = page.get_by_role("heading", level=1)
    for _ in range(2):
        before = title.inner_text()
        main.focus()
        until_rested(page)
        page.keyboard.down("Enter")
        page.keyboard.down("Enter")  # one press, however long the key is down
        page.keyboard.up("Enter")
        expect(title).not_to_have_text(before)
        expect(main).to_be_focused()
    assert companion.pressed == ["OK", "OK"]


WANTED = """() => {
  for (const moving of document.getAnimations()) moving.finish();
  const table = document.querySelector("main.table");
  if (table.dataset.kind === "result") return "over";
  if (table.dataset.waiting !== "0") return "";
  for (const old of document.querySelectorAll("[data-wanted]")) delete old.dataset.wanted;
  const on = (node) => node && node.offsetParent !== null && node.getAttribute("aria-disabled") !== "true";
  const main = document.querySelector(".buttons .main");
  const next = on(main) ? main : [...document.querySelectorAll(".hand button.card[aria-pressed=false]")].find(on);
  if (!next) return "";
  next.dataset.wanted = table.dataset.seq;
  return "there";
}"""
FOCUSED = "() => document.activeElement.dataset.wanted !== undefined"
STEPS = 600  # a game of two to 31 takes some 60


@pytest.mark.prove
def test_a_whole_game_is_played_with_tab_and_enter_alone(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        begin(table, "", "solid")
        page.get_by_role("link", name="Continue").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(HAND)
        for _ in range(STEPS):
            wanted = page.evaluate(WANTED)
            if wanted == "over":
                break
            if not wanted or not tab_to_it(page):
                page.wait_for_timeout(20)
                continue
            page.keyboard.press("Enter")
        assert table.state()["phase"] == "game-over"


def tab_to_it(page: Page) -> bool:
    """Go on with Tab until what is wanted has the focus; the computer may take it away meanwhile."""
    for _ in range(40):
        if page.evaluate(FOCUSED):
            return True
        page.keyboard.press("Tab")
    return False


def test_cards_are_typed_as_on_the_keypad(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "", entry="cards")
        page.wait_for_selector(".keypad")
        for key in "[", "8", "8", "7":
            page.keyboard.press(key)
        expect(page.locator(".laid")).to_have_count(2)
        assert table.state()["pile"] == ["8", "7"]
