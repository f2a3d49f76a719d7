"""The device with other keys than twenty: a numpad's and a joystick's, before the real table on the twin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from companion.web.browser import DEVICE, key, needs_chromium, resize, visit
from companion.web.real_table import real_table
from playwright.sync_api import Browser, Locator, Page, expect

pytestmark = [pytest.mark.browser, needs_chromium]


@contextmanager
def table(browser: Browser, kit: str, state: Path, size: tuple[int, int] = (1280, 800)) -> Iterator[Page]:
    """Open the device of a companion with *kit*."""
    with real_table(state, kit) as table, visit(browser, table.url, size, path=DEVICE) as page:
        yield page


def type_keys(page: Page, keys: str) -> None:
    """Press keys of the computer, one after another, each once the last was answered."""
    for name in keys.split():
        page.keyboard.press(name)
        expect(page.locator(".keypad .waiting")).to_have_count(0)


def asked(page: Page) -> Locator:
    return page.get_by_role("status")


def caption(page: Page, name: str) -> str:
    return " ".join(page.locator(f'[data-key="{name}"] small').all_inner_texts())


MEASURED = """() => ({
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  keys: [...document.querySelectorAll(".keypad button")].map((key) => {
    const { width, height } = key.getBoundingClientRect();
    return [key.dataset.key, width, height];
  }),
  cut: [...document.querySelectorAll(".keypad small")]
    .filter(({ scrollWidth, clientWidth, scrollHeight, clientHeight }) => scrollWidth > clientWidth || scrollHeight > clientHeight + 1)
    .map((caption) => caption.textContent),
})"""


def assert_fits(page: Page) -> None:
    """Nothing is wider than the page on the desk and on a phone, each key has room, and each caption is
    whole."""
    for size in ((390, 844), (1280, 800)):
        resize(page, *size)
        found = page.evaluate(MEASURED)
        assert found["wider"] <= 0, size
        assert found["keys"], size
        assert [key for key in found["keys"] if min(key[1:]) < 40] == [], size
        assert found["cut"] == [], size


def test_a_numpad_shows_what_is_printed_and_what_it_is(browser: Browser, tmp_path: Path) -> None:
    with table(browser, "numpad", tmp_path) as page:
        expect(asked(page)).to_have_text("No game yet. Enter: New game")
        assert page.locator('[data-key="J"] span').inner_text() == "/"
        assert [caption(page, name) for name in ("OK", "A", "FLNB", "7")] == [
            "OK hold: off",
            "A",
            "FLNB hold: MENU",
            "",
        ]
        assert_fits(page)
        type_keys(page, "Enter 3 * Enter 2 9")
        expect(asked(page)).to_have_text("ORANGE deals. Enter: The starter is cut")
        type_keys(page, "Enter Enter 4")
        expect(asked(page)).to_have_text("Who gets 4? [/]: Peg 4 for ORANGE, [*]: Peg 4 for BLUE")
        assert [caption(page, name) for name in ("J", "Q")] == ["ORANGE", "BLUE"]
        expect(page.locator('.likely[data-key="Q"]')).to_have_count(1)
        type_keys(page, "*")
        expect(page.get_by_role("img", name="Board: ")).to_have_attribute(
            "aria-label", "Board: ORANGE in hole 0, back peg in 0; BLUE in hole 4, back peg in 0"
        )


def test_a_joystick_plays_and_up_and_down_are_marked_where_they_move_or_count(
    browser: Browser, tmp_path: Path
) -> None:
    with table(browser, "bonnet", tmp_path) as page:
        assert page.locator(".keypad button").count() == 7, "what is no key is no button"
        assert_fits(page)
        type_keys(page, "m")
        expect(asked(page)).to_contain_text("Menu, 1 of ")
        assert_up_and_down_are_marked(page)
        type_keys(page, "u Enter Enter")
        expect(asked(page)).to_contain_text("LEFT: ORANGE deals first")
        type_keys(page, "[ Enter")
        expect(asked(page)).to_contain_text("UP, then OK")
        assert_up_and_down_are_marked(page)
        type_keys(page, "Enter ArrowUp ArrowUp")
        expect(asked(page)).to_contain_text("Who gets 2?")
        assert [caption(page, name) for name in ("LEFT", "RIGHT", "UNDO")] == [
            "ORANGE",
            "BLUE",
            "UNDO hold: redo",
        ]
        assert_up_and_down_are_marked(page)
        key(page, "RIGHT")
        expect(page.get_by_role("img", name="BLUE in hole 2")).to_have_count(1)


def assert_up_and_down_are_marked(page: Page) -> None:
    for name in ("UP", "DOWN"):
        expect(page.locator(f'.key.likely[data-key="{name}"]')).to_have_count(1)


@pytest.mark.parametrize("kit", [pytest.param("table", marks=pytest.mark.prove), "travel-61"])
def test_the_page_fits_with_kits_that_have_all_keys_too(browser: Browser, tmp_path: Path, kit: str) -> None:
    with table(browser, kit, tmp_path) as page:
        assert_fits(page)
