"""A browser that translates the page puts other texts in the place of ours, again and again: the page goes on."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from companion.web.browser import TABLE, go, needs_chromium, show, visit
from companion.web.dealt_scenes import DEALT, SHOW_KEYS
from companion.web.real_table import real_table
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import COUNTED, FIRST_DEAL, FOUR_PLAY, PARTNERS, WON, WON_ONE, score
from playwright.sync_api import Browser, Page, expect
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE

from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

REPLACED = """(text, words) => {
  const font = document.createElement("font"), inner = document.createElement("font");
  inner.textContent = words;
  font.append(inner);
  text.replaceWith(font);
}"""
"""As Google Translate: our text is gone, and in its place is a text in two `<font>`."""
MOVED = """(text, words) => {
  const font = document.createElement("font");
  text.replaceWith(font);
  font.append(text);
  text.data = words;
}"""
"""As Edge: our text has moved into a `<font>`."""
RENEWED = "(text, words) => text.replaceWith(words)"
"""As Firefox: our text is gone, and another is in its place."""
WRITTEN = "(text, words) => { text.data = words; }"
"""As Safari: another text is written into ours."""

TRANSLATOR = """(() => {
  const put = %s;
  const translate = () => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), found = [];
    while (texts.nextNode()) found.push(texts.currentNode);
    for (const text of found) {
      if (/^\\s*$|⟦/.test(text.data) || text.parentElement.closest("[translate=no], .notranslate, script, style")) continue;
      put(text, `⟦${text.data}⟧`);
    }
  };
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(translate).observe(document.body, { subtree: true, childList: true, characterData: true });
    translate();
  });
})();"""
READ = "() => document.querySelector('#app').innerText"
BEGUN, *DEAL = [SHOW_KEYS[:11], *SHOW_KEYS[11:].split(), "OK", "OK", "OK", "OK"]


def read(page: Page) -> str:
    """Return what *page* says, without the marks of a translation and how its lines are broken."""
    return " ".join(str(page.evaluate(READ)).replace("⟦", "").replace("⟧", "").split())


def until_alike(page: Page, plain: Page) -> None:
    """Wait until *page* says the same as *plain*, which nobody translates."""
    end = time.monotonic() + PATIENCE
    while (said := read(page)) != (wanted := read(plain)):
        assert time.monotonic() < end, f"{said!r} is not {wanted!r}"
        page.wait_for_timeout(20)


@pytest.mark.parametrize(
    "how", [REPLACED, MOVED, RENEWED, WRITTEN], ids=["google", "edge", "firefox", "safari"]
)
def test_a_translated_page_says_through_a_deal_what_the_page_says(
    browser: Browser, server: PageServer, companion: RehearsedClient, how: str
) -> None:
    start = replace(Scene(BEGUN, DEALT), seed=6)
    companion.change(start)
    with (
        visit(browser, server.url, path=TABLE, script=TRANSLATOR % how) as page,
        visit(browser, server.url, path=TABLE) as plain,
    ):
        for one in (page, plain):
            one.emulate_media(reduced_motion="reduce")  # a count is there at once
        for length in range(len(DEAL) + 1):
            companion.change(replace(start, keys=" ".join([BEGUN, *DEAL[:length]])))
            for one in (plain, page):
                one.wait_for_selector(f'main[data-seq="{companion.seq}"]')
            until_alike(page, plain)
            assert page.get_by_text("⟦").count() > 3


UNMARKED = r"""(names) => {
  const texts = document.createTreeWalker(document.querySelector("#app"), NodeFilter.SHOW_TEXT), found = [];
  const own = new RegExp(`(?<!\\p{L})(?:${names.join("|")})(?!\\p{L})`, "u");
  while (texts.nextNode()) {
    const { data, parentElement } = texts.currentNode;
    if (parentElement.closest("[translate=no], [role=log], option")) continue;
    const isNumber = /\d/.test(data) && !/\p{L}/u.test(data), isCard = /^(?:[AJQK]|(?:10|[A2-9JQK])[♣♦♥♠])$/.test(data.trim());
    if (isNumber || isCard || own.test(data)) found.push(parentElement.outerHTML.slice(0, 200));
  }
  return found;
}"""
"""What holds a number, a card or a name that a translator would take for words; what is only heard is not seen."""
NAMED = replace(DEALT, levels=("", "")).with_house(names=("Will", "Rose"))
REAL = NextGame(house=House(("Will", "Rose")))
PLAYED = "OK OK 7 2 5 9 6"
SHOWN = f"{FIRST_DEAL} 9 8 7 7 GO 2 GO 6 10 3 K"


SCENES = {
    "discard": Scene("OK OK P2 OK OK 4 Q", NAMED),
    "pass on": Scene("OK OK P2 OK OK 4 Q OK", NAMED),
    "keep": Scene(PLAYED, REAL),
    "correction": Scene(f"{PLAYED} P1", REAL),
    "show": Scene(SHOWN, REAL),
    "crib": Scene(f"{SHOWN} OK OK 5", REAL),
    "over": Scene(f"OK OK 7 2 {score('P2', 70)} {score('P1', 121)} OK", REAL),
    "match": replace(
        WON,
        setup=WON.setup.with_house(names=("Will", "Rose")),
        before=None,
        keys=f"{WON_ONE.keys} {WON.keys}",
    ),
    "counted": replace(COUNTED, setup=replace(REAL, rules="acc")),
    "four": replace(FOUR_PLAY, setup=PARTNERS.with_house(names=("Will", "Rose", "Mark", "Grace"))),
}


def test_numbers_cards_and_names_say_that_they_are_not_for_translation(
    page: Page, companion: RehearsedClient
) -> None:
    for name, scene in SCENES.items():
        show(page, companion, scene)
        assert page.evaluate(UNMARKED, ["Will", "Rose", "Mark", "Grace"]) == [], name


def test_pages_of_games_that_were_played_say_so_too(tmp_path: Path, browser: Browser) -> None:
    games = journal_of(tmp_path, greedy_game(1, ("Will", "Rose"), 31), greedy_game(2, ("Will", "Rose"))[:40])
    with real_table(games) as table, visit(browser, table.url, path="") as page:
        for path in ("", "#games", "#stats", "#games/1", "#games/1/9"):
            if path:
                go(page, path)
            expect(page.locator(".scores, .game-row, .figures, .gains, .held").first).to_contain_text("Will")
            bare = [each for each in page.evaluate(UNMARKED, ["Will", "Rose"]) if not each.startswith("<h")]
            assert bare == [], path
