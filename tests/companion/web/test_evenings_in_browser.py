"""Whole evenings, each from the start to the end of a game and what comes after, by what the page offers."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import needs_chromium, patience, usual_port, wait_until
from companion.web.phone_table import phone_table
from companion.web.test_phones_in_browser import board_page, cards_on, hidden_from, told_of_others
from playwright.sync_api import Browser, Error, Locator, Page, expect
from support.companions import page_of, running
from support.patience import PATIENCE
from support.real_cards import RealCards

from cribpi.companion.run.bootstrap import Running

pytestmark = [pytest.mark.browser, needs_chromium]

PHONE, TABLET = (390, 844), (1280, 800)
HELD = ".hand button.card"
MAIN = ".asked .main, .show .main"
LOOK = """async () => {
  const main = document.querySelector("main.table");
  const isAnswered = main?.dataset.waiting === "0"; // before the table is asked: else it may tell what was before the press
  const [state, page] = await Promise.all(["state", "page"].map((what) => fetch(`/api/${what}`).then((answer) => answer.json())));
  const shown = (one) => one.offsetParent !== null;
  return {
    state, kind: main?.dataset.kind, carries: Object.keys(page.carry.keys), hand: page.hand?.wanted ? page.hand : null,
    isReady: isAnswered && main.dataset.seq === String(state.seq) && page.seq === state.seq && page.thinking === null
      && !document.querySelector("[data-rests], [data-kind=play] .felt.closed, .key.waiting"),
    main: [...document.querySelectorAll(".asked .main, .show .main")].filter(shown).map((one) => one.textContent)[0] ?? null,
  };
}"""
"""Where the game stands, what this page asks for, and whether all of it is shown and waits for somebody."""
LATE = """const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (kind, act) {
  listen.call(this, kind, kind === "page" ? (event) => setTimeout(act, 30, event) : act);
};
const ask = window.fetch;
let wait = 0;
window.fetch = async (path, ...rest) => {
  wait = (wait + 7) % 20;
  await new Promise((go) => setTimeout(go, wait));
  return ask(path, ...rest);
};"""
"""A slow line: requests overtake each other, and an answer is there before the page is told what came of it."""


@contextmanager
def window(
    browser: Browser, size: tuple[int, int], *, is_touch: bool = False, now: datetime | None = None
) -> Iterator[Page]:
    """Open a new browser, whose calendar may say another day; a message of its console fails the test."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]}, has_touch=is_touch)
    context.add_init_script(LATE)
    page = context.new_page()
    page.set_default_timeout(patience())
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on("console", lambda message: said.append(message.text))
    if now is not None:
        page.clock.set_fixed_time(now)
    try:
        yield page
    finally:
        context.close()
    assert said == []


@contextmanager
def evening(folder: Path) -> Iterator[tuple[Running, str]]:
    """Run a companion whose games are short and whose computers are quick, on what is in *folder*."""
    with (
        running(folder, seed=2, still=True, target=31, speed="fast") as parts,
        page_of(parts.companion, usual_port("127.0.0.1")) as page,
    ):
        yield parts, page.url


def way(page: Page, title: str) -> Locator:
    return page.locator(".way", has=page.get_by_role("heading", name=title))


def look(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(LOOK)
    return found


def to_the_end(act: Callable[[Page, dict[str, Any]], None], *pages: Page) -> None:
    """Have *act* do what the pages are ready for, one after the other, until each shows how the game ended."""
    end = time.monotonic() + PATIENCE
    playing = list(pages)
    while playing:
        for page in pages:
            now = look(page)
            assert time.monotonic() < end, str(now)
            if now["kind"] == "result":
                playing = [other for other in playing if other is not page]
            elif now["isReady"]:
                act(page, now)


def press(page: Page, now: dict[str, Any], *, is_touch: bool) -> None:
    """Press the button that stands out, or else a card that can be chosen; go is said by itself."""
    hand = now["hand"]
    free = [card for card in hand["playable"] if card not in hand["chosen"]] if hand else []
    wanted = MAIN if now["main"] else f'.hand [data-card="{free[-1]}"]' if free else ""
    found = page.query_selector(wanted) if wanted else None
    if found is None:
        return  # the game has gone on since it was looked at
    try:
        found.tap() if is_touch else found.click()
    except Error as gone:
        if "not attached" not in gone.message:
            raise


def test_somebody_plays_hard_by_touch_and_looks_at_it_again(tmp_path: Path, browser: Browser) -> None:
    with evening(tmp_path) as (parts, url), window(browser, PHONE, is_touch=True) as page:
        page.goto(url)
        computer = way(page, "Play the computer")
        computer.get_by_text("Hard", exact=True).tap()
        computer.get_by_role("button", name="Deal").tap()
        expect(page.locator(".tile b")).to_have_text(["You", "Hard"])

        def tap(page: Page, now: dict[str, Any]) -> None:
            hidden = {str(card) for card in hidden_from(parts.loop.table.now.state, 0)}
            assert not hidden & cards_on(page), "a card of the computer's"
            press(page, now, is_touch=True)

        to_the_end(tap, page)
        expect(page.locator(".result h1")).to_contain_text("You ")
        assert page.locator(".result .main").all_inner_texts() == ["Rematch"]
        page.get_by_role("link", name="Review").tap()
        expect(page.locator(".reviewed")).to_be_visible()
        page.get_by_role("link", name="cribpi").tap()
        expect(page.locator(".last-game h2")).to_contain_text("Today: you ")
        page.get_by_role("button", name="Rematch").tap()
        expect(page.locator(HELD)).to_have_count(6)


TYPED = {"10": "0", "GO": "g"}


def put_right(page: Page, wrong: str, taken_back: int) -> None:
    """Enter a *wrong* card, and take it back."""
    page.locator(f'.keypad [data-key="{wrong}"]').click()
    expect(page.locator(".pile .laid")).to_have_count(taken_back + 1)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".asked .remark")).to_contain_text(f"took back the {wrong}")
    expect(page.locator(".pile .laid")).to_have_count(taken_back)


def choose(page: Page, field: Locator, name: str) -> None:
    """Empty a *field*, and choose a *name* of its list, which the browser draws where no test sees it."""
    field.fill("")
    listed = page.locator(f'datalist#{field.get_attribute("list")} [value="{name}"]')
    expect(listed).to_have_count(1)
    field.fill(str(listed.get_attribute("value")))


def keep_score(page: Page, cards: RealCards, *, is_typed: bool = False) -> None:
    """Enter a game with real cards to its end, by keys that are clicked or typed; the second click is a slip."""
    right: list[str] = []  # the card that a wrong one was entered for
    slips = [] if is_typed else [1]

    def enter(page: Page, now: dict[str, Any]) -> None:
        key = right.pop() if right else cards.next_key(now["state"], now["carries"])
        if key is not None and slips and now["state"]["count"]:
            right.append(key)
            put_right(page, "A" if key != "A" else "2", slips.pop())
            return
        if key is None and now["main"] is None:
            return  # what comes next is not shown yet
        if is_typed:
            page.keyboard.press("Enter" if key is None else TYPED.get(key, key.lower()))
        else:
            page.locator(MAIN if key is None else f'.keypad [data-key="{key}"]').click()

    to_the_end(enter, page)


def test_ann_and_bob_keep_score_and_again_the_next_day(tmp_path: Path, browser: Browser) -> None:
    today = datetime.now().astimezone()
    with evening(tmp_path) as (_, url), window(browser, TABLET) as page:
        page.goto(url)
        keep = way(page, "Keep score")
        keep.get_by_label("Player 1").fill("Ann")
        keep.get_by_label("Player 2").fill("Bob")
        keep.get_by_role("button", name="Start").click()
        expect(page.locator(".tile b")).to_have_text(["Ann", "Bob"])
        keep_score(page, RealCards(1))
        won = page.locator(".result h1").inner_text()
        assert won.split()[0] in {"Ann", "Bob"}
    with evening(tmp_path) as (_, url), window(browser, TABLET, now=today + timedelta(days=1)) as page:
        page.goto(url)
        expect(page.locator(".last-game h2")).to_contain_text("Yesterday: ")
        expect(page.locator(".last-game h2")).to_contain_text(" beat ")
        expect(page.locator(".last-game p")).to_have_text(re.compile("^31\N{EN DASH}"))
        keep = way(page, "Keep score")
        expect(keep.get_by_label("Player 1")).to_have_value("Ann")
        expect(keep.get_by_label("Player 2")).to_have_value("Bob")
        for player, name in enumerate(("Bob", "Ann"), start=1):
            choose(page, keep.get_by_label(f"Player {player}"), name)
        keep.get_by_role("button", name="Start").click()
        expect(page.locator(".tile b")).to_have_text(["Bob", "Ann"])
        keep_score(page, RealCards(2), is_typed=True)
        page.get_by_role("link", name="cribpi").click()
        page.get_by_role("link", name="All games and statistics").click()
        expect(page.locator(".game-row")).to_have_count(2)
        page.get_by_role("link", name="Statistics").click()
        expect(page.get_by_role("rowheader")).to_have_text(["Ann", "Bob"])


UNNAMED = """() => [...document.querySelectorAll(".across .sits > span:last-child")]
  .filter((name) => name.clientWidth < 24).map((name) => name.textContent)"""
"""Who sits across the felt without room for a name."""


def test_four_play_two_at_the_table_and_two_on_their_phones(tmp_path: Path, browser: Browser) -> None:
    with (
        phone_table(tmp_path, browser, target=31) as table,
        board_page(table) as server,
        window(browser, TABLET) as board,
    ):
        board.goto(server.url)
        share = way(board, "Pass and play")
        for _ in range(2):
            share.get_by_text("+", exact=True).click()
        for seat, name in enumerate(("Ann", "Bob", "Cleo", "Dan"), start=1):
            share.get_by_label(f"Player {seat}").fill(name)
        share.get_by_role("button", name="Deal").click()
        expect(board.locator(".tile b")).to_have_text(["Ann+Cleo", "Bob+Dan"])
        # It cuts and deals by itself first.
        wait_until(board, lambda: (deal := table.parts.loop.table.now.state.deal) and all(deal.dealt))
        table.press(*"P1 digit:1 digit:6 OK P2 digit:1 digit:6 OK".split())  # so that two deals are enough
        expect(board.locator(".tile .score")).to_have_text(["16", "16"])
        phones = {table.joined("Play as Bob"): 1, table.joined("Play as Dan"): 3}

        def act(page: Page, now: dict[str, Any]) -> None:
            if page in phones:
                assert told_of_others(table, page, phones[page]) == set(), phones[page]
                assert page.evaluate(UNNAMED) == [], phones[page]
            hand: Any = table.parts.companion.page()["hand"]
            assert hand is None or hand["seat"] in {0, 2}, "it is at the table"
            press(page, now, is_touch=False)

        to_the_end(act, board, *phones)
        for page in (board, *phones):
            expect(page.locator(".result h1")).to_contain_text("win")
