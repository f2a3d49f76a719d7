"""The page with other keys than twenty: a numpad's and a joystick's, before the real table on the twin."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from web.browser import key, needs_chromium, resize, visit
from web.real_table import real_table

pytestmark = [pytest.mark.browser, needs_chromium]


@contextmanager
def table(browser: Browser, kit: str, state: Path, size: tuple[int, int] = (1280, 800)) -> Iterator[Page]:
    """Open the page of a companion with *kit*."""
    with real_table(state, kit) as table, visit(browser, table.url, size) as page:
        yield page


def type_keys(page: Page, keys: str) -> None:
    """Press keys of the computer, one after another, each once the last was answered."""
    for name in keys.split():
        page.keyboard.press(name)
        expect(page.locator("#keypad .waiting")).to_have_count(0)


def caption(page: Page, name: str) -> str:
    return page.locator(f'#keypad [data-key="{name}"] .caption').inner_text()


MEASURED = """() => ({
  wider: document.documentElement.scrollWidth - document.documentElement.clientWidth,
  keys: [...document.querySelectorAll("#keypad button")].map((key) => {
    const { width, height } = key.getBoundingClientRect();
    return [key.dataset.key, width, height];
  }),
  cut: [...document.querySelectorAll("#keypad .caption")]
    .filter((caption) => caption.scrollWidth > caption.parentElement.clientWidth).map((caption) => caption.textContent),
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
        expect(page.locator("#prompt")).to_have_text("No game yet. Enter: New game")
        assert page.locator('#keypad [data-key="J"] .name').inner_text() == "/"
        assert [caption(page, name) for name in ("OK", "A", "FLNB", "7")] == [
            "OK\nhold: off",
            "A",
            "FLNB\nhold: MENU",
            "",
        ]
        assert page.locator('#keypad [data-key="FLNB"]').get_attribute("aria-label") == (
            "flush or nobs, hold to open the menu"
        )
        assert "Press" not in page.locator("#quiet").inner_text(), "what is pressed differs from kit to kit"
        assert_fits(page)
        assert_a_long_press_opens_the_menu(page)
        type_keys(page, "Enter 3 * Enter 2 9")
        expect(page.locator("#prompt")).to_have_text("ORANGE deals. Enter: The starter is cut")
        type_keys(page, "Enter Enter 4")
        expect(page.locator("#prompt")).to_have_text("4 typed. [/]: 4 for ORANGE, [*]: 4 for BLUE")
        assert [caption(page, name) for name in ("J", "Q", "K", "A")] == ["ORANGE", "BLUE", "K", ""]
        expect(page.locator('#keypad [data-key="Q"]')).to_have_attribute("data-next", "also")
        type_keys(page, "*")
        expect(page.locator("#scores")).to_contain_text("4")


def assert_a_long_press_opens_the_menu(page: Page) -> None:
    """Try it where the kit says so, by the mouse; and by the keyboard, where a letter stands for it."""
    page.locator('#keypad [data-key="FLNB"]').hover()
    page.mouse.down()
    expect(page.locator("#prompt")).to_contain_text("Menu, 1 of")
    page.mouse.up()
    type_keys(page, "u")
    expect(page.locator("#prompt")).to_have_text("No game yet. Enter: New game")
    type_keys(page, "m")
    expect(page.locator("#prompt")).to_contain_text("Menu, 1 of")
    type_keys(page, "u")


def test_a_joystick_is_drawn_as_one_and_plays(browser: Browser, tmp_path: Path) -> None:
    with table(browser, "bonnet", tmp_path) as page:
        up, down, left, right, middle = (
            page.locator(f'#keypad [data-key="{name}"]').evaluate(
                "(key) => [key.getBoundingClientRect().x, key.getBoundingClientRect().y]"
            )
            for name in ("UP", "DOWN", "LEFT", "RIGHT", "OK")
        )
        assert left[0] < middle[0] < right[0]
        assert up[1] < middle[1] < down[1]
        assert up[0] == middle[0] == down[0]
        assert len(page.locator("#keypad button").all()) == 7, "what is no key is no button"
        assert_fits(page)
        type_keys(page, "m")
        expect(page.locator("#prompt")).to_contain_text("Menu, 1 of ")
        assert_up_and_down_are_marked(page)
        type_keys(page, "u Enter Enter")
        expect(page.locator("#prompt")).to_contain_text("LEFT: ORANGE deals first")
        type_keys(page, "[ Enter")
        expect(page.locator("#prompt")).to_contain_text("UP, then OK")
        assert_up_and_down_are_marked(page)
        type_keys(page, "Enter ArrowUp ArrowUp")
        expect(page.locator("#typed")).to_have_text("2")
        expect(page.locator("#aside")).to_have_text("Press up or down to change the amount.")
        assert [caption(page, name) for name in ("LEFT", "RIGHT", "UNDO")] == [
            "ORANGE",
            "BLUE",
            "UNDO\nhold: redo",
        ]
        expect(page.locator('#keypad [data-key="UP"]')).to_have_attribute("data-next", "also")
        key(page, "RIGHT")
        expect(page.locator("#scores li").nth(1)).to_contain_text("2")


def assert_up_and_down_are_marked(page: Page) -> None:
    """They move or count there, and OK takes what they have come to."""
    for name in ("UP", "DOWN"):
        expect(page.locator(f'#keypad [data-key="{name}"]')).to_have_attribute("data-next", "also")
    expect(page.locator('#keypad [data-key="OK"]')).to_have_attribute("data-next", "first")


@pytest.mark.parametrize("kit", [pytest.param("table", marks=pytest.mark.prove), "travel-61"])
def test_the_page_fits_with_kits_that_have_all_keys_too(browser: Browser, tmp_path: Path, kit: str) -> None:
    with table(browser, kit, tmp_path) as page:
        assert_fits(page)
