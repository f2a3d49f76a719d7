"""Whoever reads large letters, by the setting of their browser and not by zoom, has them on the page too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from companion.web.browser import (
    ARGUMENTS,
    ASKED,
    HEADLESS,
    SETTLE,
    go,
    needs_chromium,
    resize,
    show,
    visit,
    wait_until,
)
from companion.web.dealt_scenes import LAY_AWAY, MENU
from companion.web.real_table import real_table
from companion.web.rehearsed import RehearsedClient, no_phones
from companion.web.scenes import PLAY
from playwright.sync_api import Browser, Page, expect
from support.greedy_games import greedy_game, journal_of_many

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

USUAL, LARGE = 16, 32
"""Pixels of a letter where a browser is as it comes, and at 200 %."""
LETTERS = """() => [...document.querySelectorAll("#app *")]
  .filter((each) => !each.closest("svg, .fan, .unseen, dialog:not([open])"))
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent.trim().slice(0, 40), parseFloat(getComputedStyle(each).fontSize)])"""
"""What is said on the page and how large; the letters in a drawing are a part of it."""
LEAST = 12
WHOLE = """async () => {
  const next = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const begun = asked.begun;
  for (let drawn = 0; drawn < 4; drawn++) await next();
  return asked.open === 0 && asked.begun === begun && document.fonts.status === "loaded";
}"""
"""Whether a page is whole: nothing that it asked for is to come, and what has come has been drawn and asks no more."""
WIDTHS = (320, 390, 1280)
PATHS = (
    "",
    "#settings",
    "#count",
    "#rules",
    "#names",
    "#phones",
    "#games",
    "#stats",
    "#practice",
    "#learn/five-minutes",
    "#practice/discard",
)
"""Every part of the page but the table and the device."""
WIDER = """() => [document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll("main, main > *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5).map((each) => each.outerHTML.slice(0, 80))]"""
"""By how much the page is wider than its window, and which of its parts are."""


@pytest.fixture(scope="module")
def large(browser: Browser) -> Iterator[Browser]:
    """Give a chromium whose letters are twice as large, by its own setting."""
    setting = f"--blink-settings=defaultFontSize={LARGE}"
    large = browser.browser_type.launch(executable_path=str(HEADLESS), args=[*ARGUMENTS, setting])
    yield large
    large.close()


def assert_large(page: Page, path: str) -> None:
    letters = page.evaluate(LETTERS)
    assert letters, path
    assert [said for said, size in letters if size < LEAST * LARGE / USUAL] == [], path


def test_every_text_is_as_large_as_the_browser_is_told_and_no_page_is_wider_than_its_window(
    large: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(large, server.url, (WIDTHS[0], 844), path="", script=ASKED) as page:
        for path in PATHS:
            if path:
                go(page, path)
            page.wait_for_function(WHOLE)
            for width in WIDTHS:
                resize(page, width, 844)
                assert page.evaluate(WIDER) == [0], (path, width)
            assert_large(page, path)
        go(page, "#table")
        show(page, companion, LAY_AWAY)
        resize(page, 1280, 800)
        assert_large(page, "#table")


SCENES_OF_A_GAME = (
    "play", "lay away", "question", "laid out", "long-show", "to play", "crib", "go", "correcting", "shown",
    "counting", "closed", "three", "partners", "over", "show", "won", "taken back", "four", "counted", "drawn",
    "watched", "long", "long-question",
)  # fmt: skip
"""Of each kind, with cards that the machine deals and with real ones by turns."""
SIZES = ((320, 568), (390, 664), (844, 390), (1280, 800))
MENU_OF_TABLE = {"menu": PLAY.then("MENU"), "menu of a dealt game": MENU}
UNSEEN = r"""() => {
  const wrong = [];
  if (document.documentElement.scrollWidth > innerWidth) wrong.push("the page is too wide");
  const needed = ".tile .score, .asked h1, .asked .remark, .asked .buttons > *, .key, .pad output, .pad > .buttons > *,"
    + " .hand .card, .cloth .count output, .cloth .count small, .shown .card, .tally .sum, .show .total output,"
    + " :is(.show, .result, .dialog) :is(h1, .buttons > *, .row > *), .line";
  for (const each of document.querySelectorAll(`main :is(${needed})`)) {
    if (!each.checkVisibility({ visibilityProperty: true })) continue;
    const isCard = each.matches(".card");
    const name = `${each.tagName}.${each.className} ${each.textContent.trim().slice(0, 30)}`;
    const faults = ["center", "start"].map((block) => { // what stays at the foot of the window may cover the one
      each.scrollIntoView({ block, inline: "nearest" });
      const { left, right, top, bottom } = each.getBoundingClientRect();
      if (left < -1 || right > innerWidth + 1 || bottom - top < 1) return "beside the window";
      const hit = document.elementFromPoint(isCard ? left + 5 : (left + right) / 2, isCard ? top + 12 : (top + bottom) / 2);
      const isThere = each.contains(hit) || (!each.matches("button:enabled") && hit?.contains(each));
      return isThere ? "" : `under ${hit?.outerHTML.slice(0, 60)}`;
    });
    if (faults.every(Boolean)) wrong.push(`${name}: ${faults[0]}`);
    const { overflowX, display } = getComputedStyle(each);
    if (!isCard && display !== "inline" && overflowX !== "visible" && !each.querySelector(".long-name") && (each.scrollWidth > each.clientWidth + 1 || each.scrollHeight > each.clientHeight + 2)) wrong.push(`${name}: cut`);
    const texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (parentElement.closest("svg, .unseen, .long-name")) continue;
      for (const { 0: word, index } of data.matchAll(/(?<![\p{L}\d])[\p{L}\d]{1,9}(?![\p{L}\d])/gu)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, index);
        range.setEnd(texts.currentNode, index + word.length);
        const lines = new Set([...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => Math.round(top)));
        if (lines.size > 1) wrong.push(`${name}: ${word} is broken`);
      }
    }
  }
  scrollTo(0, 0);
  return wrong;
}"""
"""What a person must press or read and cannot, even once it is scrolled to: beside the window, under something, cut, or with a short word broken."""


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_a_game_can_be_played_in_large_letters(
    large: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int], *, whole: bool
) -> None:
    at = SIZES.index(size)
    with visit(large, server.url, size, path="#table") as page:
        for name in SCENES_OF_A_GAME if whole else SCENES_OF_A_GAME[at :: len(SIZES)]:
            show(page, companion, name)
            page.evaluate(SETTLE)
            until_seen(page, name)
        for name, scene in MENU_OF_TABLE.items():
            show(page, companion, scene)
            until_seen(page, name)
    with visit(large, server.url, size, path="#device") as page:
        page.wait_for_selector(".device .key")
        until_seen(page, "the device")


def until_seen(page: Page, what: str) -> None:
    """Wait until nothing lies under something else: on a busy machine the board is drawn later than the rest."""
    unseen: list[str] = []

    def is_seen() -> bool:
        unseen[:] = page.evaluate(UNSEEN)
        return not unseen

    try:
        wait_until(page, is_seen)
    except AssertionError:
        raise AssertionError(what, unseen) from None


LONG_NAMES = ("Bartholomeus Alexandrinopoulos-Wainwrigh", "Donaudampfschifffahrtsgesellschaftskapit")
PAIRS = (LONG_NAMES, ("Ann", LONG_NAMES[0]))


def test_long_lists_of_long_names_are_no_wider_than_a_phone_in_large_letters(
    large: Browser, tmp_path: Path
) -> None:
    games = [greedy_game(seed, pair, 31) for seed, pair in enumerate(PAIRS)]
    with real_table(journal_of_many(tmp_path, games, 40)) as table:
        for path in ("", "#games", "#stats", f"#stats/{quote(LONG_NAMES[0])}", "#games/3"):
            with visit(large, table.url, (WIDTHS[0], 844), path=path, script=ASKED) as page:
                page.wait_for_function(WHOLE)
                for width in WIDTHS:
                    resize(page, width, 844)
                    assert page.evaluate(WIDER) == [0], (path, width)


def test_many_phones_of_long_names_are_no_wider_than_their_window(
    browser: Browser, large: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    phones = [
        {
            "number": number,
            "kind": "Android",
            "role": "seat" if seat < 2 else None,
            "seat": seat % 2,
            "name": "",
        }
        for number, seat in enumerate(range(12), 1)
    ]
    seats = [{"seat": seat, "name": name, "phone": None} for seat, name in enumerate(LONG_NAMES)]
    told: Any = {
        **no_phones(),
        "open": True,
        "address": "http://192.168.178.123:8735",
        "code": "ABC234",
        "seconds": 250.0,
        "seats": seats,
        "phones": phones,
    }
    companion.phones = lambda: told
    try:
        for of in (browser, large):
            with visit(of, server.url, (WIDTHS[0], 844), path="#phones", script=ASKED) as page:
                page.wait_for_function(WHOLE)
                expect(page.locator(".choice")).to_have_count(len(phones))
                for width in WIDTHS:
                    resize(page, width, 844)
                    assert page.evaluate(WIDER) == [0], width
    finally:
        companion.phones = no_phones


def test_a_hand_to_count_is_no_wider_than_the_smallest_phone(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, (320, 568), path="#count") as page:
        page.wait_for_selector(".by-rules")
        assert page.evaluate("document.documentElement.scrollWidth") == 320


BESIDE_FELT = """() => {
  const felt = document.querySelector(".counted").getBoundingClientRect();
  return [...document.querySelectorAll(".counted .slot")].filter((each) => {
    const text = document.createRange();
    text.selectNodeContents(each);
    const { right } = each.getBoundingClientRect();
    return right > felt.right || text.getBoundingClientRect().right > right;
  }).length;
}"""
"""How many places of a hand are cut by the felt on which they lie, or are narrower than the word in them."""


@pytest.mark.parametrize("letters", [USUAL, LARGE])
def test_all_places_of_a_hand_to_count_are_on_the_felt(
    browser: Browser, large: Browser, server: PageServer, letters: int
) -> None:
    with visit(large if letters == LARGE else browser, server.url, (320, 568), path="#count") as page:
        page.wait_for_selector(".by-rules")
        for width in (*WIDTHS, 360):
            resize(page, width, 568)
            assert page.locator(".counted .slot").count() == 5
            assert page.evaluate(BESIDE_FELT) == 0, width
