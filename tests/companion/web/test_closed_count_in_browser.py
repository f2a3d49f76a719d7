"""A count that closes stays on the felt with what it scored, while hand and keys are already at what follows."""

from __future__ import annotations

from pathlib import Path

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from pictures.scenes import closed
from playwright.sync_api import Browser, Page, expect
from support.companions import start_of
from support.patience import PATIENCE
from support.samples import some_of
from support.server import companion

pytestmark = [pytest.mark.browser, needs_chromium]

TO_THE_STARTER = ("2", "K", "4")
CLOSED = ("10", "10", "J", "A")
"""Thirty-one."""


def begin(table: RealTable, *keys: str) -> None:
    request = {"rules": "standard", "players": 2, "entry": "cards", "options": {}, "names": ["Ann", "Bob"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
    table.press(*TO_THE_STARTER, *keys)


def is_held(page: Page, cards: int) -> None:
    expect(page.locator(".felt.closed .laid")).to_have_count(cards)


def is_past(page: Page, cards: int) -> None:
    expect(page.locator(".felt:not(.closed)")).to_have_count(1)
    expect(page.locator(".laid")).to_have_count(cards)


def test_it_lies_there_for_a_moment_though_the_next_card_is_led(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED[:-1])
        with visit(browser, table.url, is_still=True, path="#table") as page:
            table.press(CLOSED[-1])
            is_held(page, 4)
            expect(page.locator(".count output")).to_have_text("31")
            expect(page.locator(".count small")).to_have_text("for 2")
            expect(page.locator(".felt .called")).to_contain_text("thirty-one for two")
            expect(page.locator(".gone")).to_have_count(0)
            table.press("9")
            expect(page.locator(".asked h1")).to_contain_text("Ann to play")  # that is at once
            is_held(page, 4)
            page.clock.run_for(1600)
            expect(page.locator(".felt.leaving")).to_have_count(1)
            page.clock.run_for(300)
            is_past(page, 1)
            expect(page.locator(".count output")).to_have_text("9")
            expect(page.locator(".count small")).to_have_text("22 to 31")
            expect(page.get_by_role("img", name="Earlier counts, 4 cards")).to_have_count(1)


def test_a_press_is_answered_at_once_and_ends_it(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED[:-1])
        with visit(browser, table.url, is_still=True, path="#table") as page:
            table.press(CLOSED[-1])
            is_held(page, 4)
            page.locator('.key[data-key="9"]').click()
            is_past(page, 1)
            assert table.state()["pile"] == ["9"]


def test_with_less_motion_it_goes_without_moving(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED[:-1])
        with visit(browser, table.url, is_still=True, path="#table") as page:
            page.emulate_media(reduced_motion="reduce")
            table.press(CLOSED[-1])
            is_held(page, 4)
            page.clock.run_for(1510)
            is_past(page, 0)
            expect(page.locator(".gone .card.down")).to_have_count(4)  # though nothing was led yet
            for _ in range(2):  # on another screen; the second time while it is held
                table.press("UNDO")
                is_past(page, 3)
                table.press(CLOSED[-1])
                is_held(page, 4)


def test_the_last_card_of_a_deal_is_seen_before_the_show(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED, "9", "9", "5")
        with visit(browser, table.url, is_still=True, path="#table") as page:
            table.press("3")
            expect(page.locator("main.table")).to_have_attribute("data-phase", "show")
            is_held(page, 4)
            expect(page.locator(".felt .called")).to_contain_text("twenty-six and one for last")
            expect(page.locator(".pile > .card")).to_have_count(0)  # of the hand that is shown next
            page.clock.run_for(2000)
            is_past(page, 0)
            expect(page.locator(".pile > .card")).not_to_have_count(0)
            table.press("UNDO")  # it lies open again, and has not closed
            expect(page.locator(".laid")).to_have_count(3)


def test_the_cards_of_every_closed_count_lie_face_down_until_the_next_deal(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED, "9")
        with visit(browser, table.url, is_still=True, path="#table") as page:
            expect(page.locator(".gone .card.down")).to_have_count(4)
            expect(page.locator(".gone [data-card]")).to_have_count(0)
            table.press(*["UNDO"] * 2)
            expect(page.locator(".gone")).to_have_count(0)


SIZES = [(320, 568), (360, 640), (390, 664), (390, 844), (568, 320), (844, 390), (768, 1024), (1280, 800)]
BOXES = """() => Object.fromEntries([".felt", ".count output", ".count small", ".gone .backs", ".starter .card"].map((name) => {
  const { left, top, right, bottom } = document.querySelector(name).getBoundingClientRect();
  return [name, [left, top, right, bottom].map(Math.round)];
}))"""


@pytest.mark.parametrize("size", some_of(SIZES, 0), ids=lambda size: f"{size[0]}x{size[1]}")
def test_both_are_seen_whole_at_every_size(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    with real_table(tmp_path) as table:
        begin(table, *CLOSED, "9", "9", "5")
        with visit(browser, table.url, size, is_still=True, path="#table") as page:
            expect(page.locator(".gone")).to_have_count(1)
            are_apart(page)


def are_apart(page: Page) -> None:
    """What closed lies on the felt, and covers neither the count nor the starter."""
    boxes = page.evaluate(BOXES)
    left, top, right, bottom = boxes.pop(".felt")
    for name, box in boxes.items():
        assert left <= box[0] < box[2] <= right, name
        assert top <= box[1] < box[3] <= bottom, name
    gone = boxes.pop(".gone .backs")
    for name, box in boxes.items():
        assert gone[2] <= box[0] or box[2] <= gone[0] or gone[3] <= box[1] or box[3] <= gone[1], name


THREE_LINES = """() => {
  const called = document.querySelector(".felt .called");
  called.textContent = "Medium plays the J: twenty-one and one for last";
  const lines = called.getBoundingClientRect().height / parseFloat(getComputedStyle(called).lineHeight);
  if (Math.round(lines) !== 3) throw new Error(`${lines} lines`);
  return [document.querySelector(".gone").getBoundingClientRect().bottom, called.getBoundingClientRect().top];
}"""


def test_upright_three_lines_of_what_is_said_stand_below_what_closed(
    tmp_path: Path, browser: Browser
) -> None:
    with companion(tmp_path) as (_, url), visit(browser, url, (390, 844)) as page:
        closed(page, url)
        page.wait_for_function(
            "() => !document.querySelector('.felt.closed') && document.querySelector('.gone')"
        )
        above, said = page.evaluate(THREE_LINES)
        assert above <= said
