"""The page with other keys than twenty: a numpad's and a joystick's, before the real table on the twin."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from cribpi.bootstrap import put_together
from cribpi.config import Config
from cribpi.kit import load_kit
from cribpi.loop import Stop
from cribpi.web.server import PageServer
from web.browser import key, needs_chromium, visit

pytestmark = [pytest.mark.browser, needs_chromium]

WAIT = 20.0


@contextmanager
def table(browser: Browser, kit: str, state: Path, size: tuple[int, int] = (1280, 800)) -> Iterator[Page]:
    """Open the page of a companion with *kit*."""
    with put_together(Config(still=True), load_kit(kit), state, is_sim=True) as parts:
        thread = threading.Thread(target=parts.loop.run)
        thread.start()
        server = PageServer(parts.companion, 0)
        server.start()
        try:
            with visit(browser, server.url, size) as page:
                yield page
        finally:
            server.stop()
            parts.loop.post(Stop())
            thread.join(WAIT)


def type_keys(page: Page, keys: str) -> None:
    """Press keys of the computer, one after another, each once the last was answered."""
    for name in keys.split():
        page.keyboard.press(name)
        expect(page.locator("#keypad .waiting")).to_have_count(0)


def caption(page: Page, name: str) -> str:
    return page.locator(f'#keypad [data-key="{name}"] .caption').inner_text()


def test_a_numpad_shows_what_is_printed_and_what_it_is(browser: Browser, tmp_path: Path) -> None:
    with table(browser, "numpad", tmp_path) as page:
        expect(page.locator("#prompt")).to_have_text("Press Enter for a new game")
        assert page.locator('#keypad [data-key="J"] .name').inner_text() == "/"
        assert [caption(page, name) for name in ("OK", "A", "FLNB", "7")] == [
            "OK\nhold: off",
            "A",
            "FLNB\nhold: MENU",
            "",
        ]
        assert page.locator('#keypad [data-key="FLNB"]').get_attribute("aria-label") == (
            "flush and nobs, hold to open the menu"
        )
        assert "Press" not in page.locator("#quiet").inner_text(), "what is pressed differs from kit to kit"
        type_keys(page, "Enter 3 * Enter 2 9")
        expect(page.locator("#prompt")).to_have_text("ORANGE deals: Enter when the starter is cut")
        type_keys(page, "Enter Enter 4")
        expect(page.locator("#prompt")).to_have_text("4: [/] or [*] pegs it")
        assert [caption(page, name) for name in ("J", "Q", "K", "A")] == ["ORANGE", "BLUE", "K", ""]
        expect(page.locator('#keypad [data-key="Q"]')).to_have_attribute("data-next", "also")
        type_keys(page, "*")
        expect(page.locator("#scores")).to_contain_text("4")


def test_a_long_press_on_the_page_is_what_the_kit_says(browser: Browser, tmp_path: Path) -> None:
    with table(browser, "numpad", tmp_path) as page:
        point = page.locator('#keypad [data-key="FLNB"]')
        point.hover()
        page.mouse.down()
        expect(page.locator("#prompt")).to_contain_text("Menu, 1 of")
        page.mouse.up()
        type_keys(page, "u")
        expect(page.locator("#prompt")).to_have_text("Press Enter for a new game")
        type_keys(page, "m")
        expect(page.locator("#prompt")).to_contain_text("Menu, 1 of")


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
        type_keys(page, "Enter Enter")
        expect(page.locator("#prompt")).to_contain_text("LEFT or RIGHT for who deals")
        type_keys(page, "[ Enter Enter ArrowUp ArrowUp")
        expect(page.locator("#typed")).to_have_text("2")
        expect(page.locator("#aside")).to_have_text("Up and down count the amount.")
        assert [caption(page, name) for name in ("LEFT", "RIGHT", "UNDO")] == [
            "ORANGE",
            "BLUE",
            "UNDO\nhold: redo",
        ]
        expect(page.locator('#keypad [data-key="UP"]')).to_have_attribute("data-next", "also")
        key(page, "RIGHT")
        expect(page.locator("#scores li").nth(1)).to_contain_text("2")


def test_up_and_down_are_marked_where_they_move_or_count(browser: Browser, tmp_path: Path) -> None:
    with table(browser, "bonnet", tmp_path) as page:
        for keys, said in (("m", "Menu, 1 of 2"), ("u Enter Enter [ Enter", "Starter: UP and OK")):
            type_keys(page, keys)
            expect(page.locator("#prompt")).to_contain_text(said)
            for name in ("UP", "DOWN"):
                expect(page.locator(f'#keypad [data-key="{name}"]')).to_have_attribute("data-next", "also")
            expect(page.locator('#keypad [data-key="OK"]')).to_have_attribute("data-next", "first")


@pytest.mark.parametrize("kit", ["numpad", "bonnet", "table"])
def test_every_caption_is_whole_on_a_phone(browser: Browser, tmp_path: Path, kit: str) -> None:
    with table(browser, kit, tmp_path, (390, 844)) as page:
        for place in page.locator("#keypad .caption").all():
            assert place.evaluate("(caption) => caption.scrollWidth <= caption.parentElement.clientWidth")


@pytest.mark.parametrize("kit", ["numpad", "bonnet", "travel-61"])
@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_the_page_fits_with_every_kit(
    browser: Browser, tmp_path: Path, kit: str, size: tuple[int, int]
) -> None:
    with table(browser, kit, tmp_path, size) as page:
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        for button in page.locator("#keypad button").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 40
            assert box["width"] >= 40
