"""For everyone: axe finds nothing in any scene, in both themes and on three sizes of screen, and a screen reader hears
each move."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect
from support.companions import WAIT

from web.browser import needs_chromium, visit
from web.real_table import RealTable, real_table

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(300)]

SIZES = [(1280, 800), (390, 664), (844, 390)]
SCENES = ("", "#count", "#settings", "#games", "#stats", "#table")
AT_REST = "() => { for (const moving of document.getAnimations()) moving.finish(); }"


def begin(table: RealTable, *levels: str, entry: str = "dealt") -> None:
    request = {
        "rules": "standard",
        "players": len(levels),
        "entry": entry,
        "options": {"target": "31"},
        "speed": "fast",
    }
    request |= {"levels": list(levels), "automatic": ["cut", "deal", "starter"]}
    assert table.companion.start(request, None).result(WAIT).status == 200


def press(table: RealTable, *keys: str) -> None:
    for key in keys:
        assert table.companion.press(key, None).result(WAIT).status == 200


def violations(page: Page) -> list[str]:
    page.evaluate(AT_REST)
    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize(
    ("size", "is_dark"),
    [
        pytest.param(size, is_dark, marks=() if is_dark == (size != SIZES[0]) else pytest.mark.prove)
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
        press(table, "P1", "8", "8", "7", "2", "9")
        for keys in ((), ("10",), ("UNDO",), ("MENU",), ("OK",)):
            press(table, *keys)
            page.wait_for_function(
                "(seq) => Number(document.querySelector('main.table').dataset.seq) >= seq",
                arg=table.state()["seq"],
            )
            assert violations(page) == [], keys


def test_each_move_is_heard_as_a_sentence(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "", entry="cards")
        heard = page.locator(".table > [role=status]")
        press(table, "P1", "8", "8")
        expect(heard).to_contain_text("BLUE 8: eight. ORANGE to play. ORANGE 0, BLUE 0")
        press(table, "7")
        expect(heard).to_contain_text("ORANGE 7: fifteen for two. BLUE to play. ORANGE 2, BLUE 0")


def test_a_game_is_played_with_the_keyboard_alone(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        page.get_by_role("button", name="Deal").first.focus()
        page.keyboard.press("Enter")
        expect(page.locator(".hand button.card")).to_have_count(6)
        for card in (0, 1):
            page.locator(".hand button.card").nth(card).focus()
            page.keyboard.press("Space")
        expect(page.locator(".asked .main")).to_contain_text("Send to ")
        page.locator(".asked .main").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".hand button.card")).to_have_count(4)


def test_cards_are_typed_as_on_the_keypad(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "", entry="cards")
        page.wait_for_selector(".keypad")
        for key in "[", "8", "8", "7":
            page.keyboard.press(key)
        expect(page.locator(".laid")).to_have_count(2)
        assert table.state()["pile"] == ["8", "7"]
