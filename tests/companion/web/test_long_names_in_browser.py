"""Names that are hard to show, on the start and in a past game: markup, and 40 letters without a blank."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import real_table
from playwright.sync_api import Browser, expect
from support.companions import start_of
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

MARKUP = "<img src=x onerror=alert(1)> & forty / %"
LONG = "W" * 40
BEYOND = """() => [...document.querySelectorAll(".open-game *, .gains *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1).map((each) => each.outerHTML)"""


WORDS_CUT = """(where) => [...document.querySelectorAll(where)].flatMap((box) => {
  const found = [], outer = box.getBoundingClientRect(), range = document.createRange();
  const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    range.selectNodeContents(node);
    const isName = box.contains(node.parentElement.closest(".long-name, .fact > bdi, b"));
    const isIn = [...range.getClientRects()].every(({ left, right, top, bottom }) =>
      left >= outer.left - 1 && right <= outer.right + 1 && top >= outer.top - 1 && bottom <= outer.bottom + 1);
    if (!isName && !isIn) found.push(node.data);
  }
  return found;
})"""
"""The words, other than a name, that are not whole in their box."""


@pytest.mark.parametrize("size", some_of([(320, 568), (844, 390)], 0), ids=str)
def test_no_name_leaves_the_page_or_becomes_markup(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    games = journal_of(tmp_path, greedy_game(3, (MARKUP, LONG), 61), greedy_game(4, (MARKUP, LONG))[:30])
    with real_table(games) as table, visit(browser, table.url, size, path="") as page:
        for path, shown in {"": ".open-game", "#games/1": ".gains"}.items():
            page.goto(f"{table.url}{path}")
            expect(page.locator(shown)).to_be_visible()
            assert page.evaluate(BEYOND) == [], path
            assert page.locator("img[src=x]").count() == 0


@pytest.mark.parametrize("size", some_of([(320, 568), (844, 390)], 0), ids=str)
def test_a_screen_is_passed_on_by_a_button_in_view_whatever_the_name(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "dealt", "options": {}, "levels": ["", ""]}
        answer = table.companion.do(start_of({**request, "names": [LONG, MARKUP]})).result(PATIENCE)
        assert answer.is_accepted
        button = page.locator(".asked .main")
        expect(button).to_contain_text("Show ")
        expect(button).to_be_in_viewport(ratio=1)
        assert page.evaluate(WORDS_CUT, ".asked .main, .asked h1") == []
        expect(button).to_have_text(f"Show {LONG}'s cards")
        felt = page.locator(".felt").bounding_box()
        assert felt is not None
        assert felt["height"] >= 120


RUN_OVER = """() => [...document.querySelectorAll(".keypad .key[data-side]")].filter((key) => {
  const parts = [...key.children].map((part) => part.getBoundingClientRect()), { top, bottom } = key.getBoundingClientRect();
  const [name, small] = parts;
  return name.top < top + 3 || small.top < name.bottom - 1 || small.bottom > bottom - 1;
}).map((key) => key.outerHTML)"""
"""The keys of sides whose name leaves its place: below the coloured edge, the key's own name, and then this."""


def test_a_name_on_a_key_stays_below_what_the_key_is(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (320, 568), path="#device") as page:
        for players in (2, 3):
            request = {"rules": "standard", "players": players, "entry": "peg"}
            names = [LONG, MARKUP, "Maximiliano Alejandro de la Cruz"][:players]
            assert table.companion.do(start_of(request | {"names": names})).result(PATIENCE).is_accepted
            expect(page.locator(".keypad .key[data-side]")).to_have_count(players)
            assert page.evaluate(RUN_OVER) == []


def test_whose_crib_it_is_leaves_the_cards_for_it_in_view(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (320, 568), path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "dealt", "levels": ["", ""]}
        request |= {
            "names": [LONG, "Wilhelmina Constantinopolitanska"],
            "automatic": ["cut", "deal", "starter"],
        }
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        page.get_by_role("button", name="Show ").click()
        felt, slot = page.locator(".felt").bounding_box(), page.locator(".slots .slot").last.bounding_box()
        assert felt is not None
        assert slot is not None
        assert slot["y"] + slot["height"] <= felt["y"] + felt["height"]


OUT_OF_DIALOG = """() => {
  const { right } = document.querySelector(".dialog").getBoundingClientRect();
  const heads = [...document.querySelectorAll(".match thead th")].filter((one) => one.getClientRects().length && one.clientHeight > 44);
  return [...document.querySelectorAll(".dialog :is(button, h1), .match :is(td, th)")]
    .filter((one) => one.getBoundingClientRect().right > right || one.scrollWidth > one.clientWidth + 1).concat(heads).map((one) => one.outerHTML);
}"""
"""What leaves a dialog, or its own box, and the heads of a table that are broken letter by letter."""


ENDS_OF = """(name) => {
  const line = [...document.querySelectorAll(".log .head > span")].find((one) => /: five$/.test(one.textContent));
  const walk = document.createTreeWalker(line, NodeFilter.SHOW_TEXT), range = document.createRange(), at = {};
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    for (const what of [name, "5"]) {
      const begin = node.data.indexOf(what);
      if (begin < 0) continue;
      range.setStart(node, begin);
      range.setEnd(node, begin + what.length);
      at[what] = range.getBoundingClientRect();
    }
  }
  return [at[name].right, at["5"].left];
}"""
"""Where a name ends and the card behind it begins."""


def test_a_card_stands_behind_a_name_that_is_read_from_the_right(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "cards", "names": ["Ann", "מרים"]}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        for key in ("3", "9", "8", "5"):  # who cuts the lowest card deals, and the other one leads
            page.locator(f'.keypad [data-key="{key}"]').click()
            expect(page.locator(".keypad .waiting")).to_have_count(0)
        expect(page.locator(".log .head", has_text=": five")).to_have_count(1)
        name, card = page.evaluate(ENDS_OF, "מרים")
        assert name <= card


@pytest.mark.parametrize("size", some_of([(320, 568), (390, 664), (844, 390)], 0), ids=str)
def test_menus_and_corrections_hold_any_name(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "cards", "names": [LONG, "🦊 <i>" + LONG[:30]]}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        for line, shown in (("Correct W", "+10"), ("Correct 🦊", "+10"), ("Match so far", "Spread")):
            page.locator('[data-tool="menu"]').click()
            expect(page.get_by_role("heading", name="Menu")).to_be_visible()
            assert page.evaluate(OUT_OF_DIALOG) == []
            page.locator(".line", has_text=line).click()
            expect(page.locator(".dialog").get_by_text(shown)).to_be_visible()
            assert page.evaluate(OUT_OF_DIALOG) == [], line
            page.locator(".dialog .row:last-child button").last.click()
            expect(page.locator(".dialog")).to_have_count(0)


@pytest.mark.parametrize("size", some_of([(320, 568), (390, 664), (844, 390)], 0), ids=str)
def test_what_a_side_does_is_told_whole_beside_any_name(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#table") as page:
        for players in (2, 3, 4):
            names = [f"{number} {LONG}"[:40] for number in range(players)]
            request = {"rules": "standard", "players": players, "entry": "cards", "names": names}
            assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
            table.press(*("2", "K", "Q", "J", "5")[-players - 1 :])
            table.until_shown(page)
            expect(page.locator(".tile small", has_text="deals")).to_have_count(1)
            expect(page.locator(".tile small", has_text="cards")).to_have_count(players if players < 4 else 2)
            assert page.evaluate(WORDS_CUT, ".tile, .tile small") == []
