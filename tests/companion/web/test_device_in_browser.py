"""The device on the page: its screen dot for dot and its keypad key for key, beside the table or by itself, with
every kit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from pathlib import Path

import httpx
import pytest
from companion.web.browser import needs_chromium, resize, visit, wait_until
from companion.web.real_table import RealTable, real_table
from companion.web.test_access_in_browser import begin
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

WHOLE = pytest.mark.prove
SIZES = [
    (1280, 800),
    (390, 844),
    pytest.param((844, 390), marks=WHOLE),
    pytest.param((320, 568), marks=WHOLE),
]
DOTS = """() => {
  const screen = document.querySelector(".screen");
  const { data } = screen.getContext("2d").getImageData(0, 0, 128, 64);
  return Array.from({ length: 128 * 64 }, (_, at) => data[4 * at] > 0 ? 1 : 0).join("");
}"""
DOT_SIZE = "() => document.querySelector('.screen').getBoundingClientRect().width * devicePixelRatio / 128"
MISPLACED = """() => [...document.querySelectorAll(".device .key, .device .screen")].filter((each) => {
  const { left, right, top, bottom, width, height } = each.getBoundingClientRect();
  const wide = each.classList.contains("key") && [...each.children].some((text) => text.scrollWidth > text.clientWidth + 1);
  return left < 0 || right > innerWidth || top < 0 || bottom > innerHeight + 1 || width < 44 || height < 44 || wide;
}).map((each) => each.outerHTML.slice(0, 90))"""


@contextmanager
def device(
    state: Path, browser: Browser, kit: str = "table", size: tuple[int, int] = (1280, 800), dots: float = 1
) -> Iterator[tuple[RealTable, Page]]:
    with real_table(state, kit) as table, visit(browser, table.url, size, dots=dots, path="#device") as page:
        page.wait_for_selector(".device .key")
        yield table, page


def strike(page: Page, *names: str) -> None:
    for name in names:
        page.locator(f'.device [data-key="{name}"]').click()
        expect(page.locator(".key.waiting")).to_have_count(0)


def until_phase(page: Page, phase: str) -> None:
    page.wait_for_selector(f'[data-phase="{phase}"]')


def until_exact(page: Page, table: RealTable) -> None:
    """Wait until the screen shows what the chip holds; the chip may be drawn to meanwhile."""

    def is_exact() -> bool:
        png = httpx.get(f"{table.url}api/oled.png", trust_env=False).content
        held = Image.open(BytesIO(png)).convert("1").tobytes("raw", "L")
        return any(held) and page.evaluate(DOTS) == "".join("1" if dot else "0" for dot in held)

    wait_until(page, is_exact)


@pytest.mark.parametrize("dots", [1, pytest.param(1.5, marks=WHOLE), pytest.param(2, marks=WHOLE)])
def test_the_screen_is_that_of_the_chip_dot_for_dot(tmp_path: Path, browser: Browser, dots: float) -> None:
    with device(tmp_path, browser, dots=dots) as (table, page):
        until_exact(page, table)
        size = page.evaluate(DOT_SIZE)
        assert size >= 2
        assert abs(size - round(size)) < 0.01, "each dot is as large as the others"
        strike(page, "MENU")
        until_exact(page, table)
        expect(page.get_by_role("img", name="Screen: ")).to_be_visible()


def test_without_a_game_one_is_begun_with_its_keys_alone(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser) as (table, page):
        expect(page.locator('.device [data-key="OK"]')).not_to_have_class("dull")
        strike(page, "OK")
        until_phase(page, "new-game")
        strike(page, "OK")
        until_phase(page, "cut")
        assert page.url.endswith("#device"), "nothing leads away from it"
        until_exact(page, table)


def test_it_is_shown_beside_the_table_and_the_choice_is_kept(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        begin(table, "", "", entry="cards")
        page.get_by_role("button", name="Device").click()
        table.press("P1")
        table.until_shown(page)
        strike(page, "8", "8", "7")
        expect(page.locator(".count output")).to_have_text("15")
        assert page.locator(".key").count() == 20, "one keypad, and not two"
        until_exact(page, table)
        page.reload()
        expect(page.locator(".device .screen")).to_be_visible()
        assert page.locator(".table").get_attribute("data-device") == "true"
        page.get_by_role("button", name="Device").click()
        expect(page.locator(".device")).to_have_count(0)
        page.reload()
        expect(page.locator(".keypad .key")).to_have_count(16)  # the ranks, a go, and a correction for each
        assert page.locator(".device").count() == 0


@pytest.mark.parametrize("by", some_of(["mouse", "keyboard"], 0))
def test_a_key_that_is_held_is_another_and_a_short_press_is_its_own(
    tmp_path: Path, browser: Browser, by: str
) -> None:
    with device(tmp_path, browser) as (table, page):
        begin(table, "", "", entry="cards")
        table.press("P1", "8", "8")
        undo = page.locator('.device [data-key="UNDO"]')
        table.press("UNDO")
        table.until_shown(page)
        assert table.state()["pile"] == []
        undo.hover()
        down = page.mouse.down if by == "mouse" else partial(page.keyboard.down, "u")
        up = page.mouse.up if by == "mouse" else partial(page.keyboard.up, "u")
        down()
        page.wait_for_selector(".key.holding")
        page.wait_for_selector(".key:not(.holding)[data-key=UNDO]")
        until_pile(page, table, ["8"])
        up()
        down()
        up()
        until_pile(page, table, [])


def until_pile(page: Page, table: RealTable, pile: list[str]) -> None:
    wait_until(page, lambda: table.state()["pile"] == pile and not page.locator(".key.waiting").count())


def test_its_board_stands_on_end_as_soon_as_the_screen_does(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#device") as page:
        stands = "() => { const { width, height } = document.querySelector('.board svg').viewBox.baseVal; return height > width; }"
        page.wait_for_function(f"() => !({stands})()")
        resize(page, 390, 844)
        page.wait_for_function(stands)
        resize(page, 1280, 800)
        page.wait_for_function(f"() => !({stands})()")


def test_a_press_that_leaves_the_key_is_none(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser) as (table, page):
        seq = table.state()["seq"]
        page.locator('.device [data-key="MENU"]').hover()
        page.mouse.down()
        page.wait_for_selector(".key.holding")
        page.mouse.move(1, 1)
        expect(page.locator(".key.holding")).to_have_count(0)
        page.mouse.up()
        strike(page, "OK")
        until_phase(page, "new-game")
        assert table.state()["seq"] == seq + 1


def test_a_refusal_is_told_beside_the_keys(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser) as (table, page):
        begin(table, "", "", entry="cards")
        table.press("P1")
        until_phase(page, "deal")
        page.locator('.device [data-key="GO"]').click(force=True)
        expect(page.locator(".device [role=alert]")).not_to_be_empty()


@pytest.mark.parametrize("size", some_of(SIZES, 1), ids=str)
@pytest.mark.parametrize("kit", some_of(["table", "numpad", "bonnet"], 0))
def test_it_is_whole_with_every_kit(
    tmp_path: Path, browser: Browser, kit: str, size: tuple[int, int]
) -> None:
    with device(tmp_path, browser, kit, size=size) as (table, page):
        assert page.evaluate(MISPLACED) == []
        strike(page, "OK")
        until_phase(page, "new-game")
        if size[0] > 320:
            begin(table, "", "", entry="peg")
            page.goto(f"{table.url}#table")
            page.get_by_role("button", name="Device").click()
            page.wait_for_selector(".table .device .key")
            assert page.evaluate(MISPLACED) == []


def test_a_numpad_says_what_is_printed_and_what_is_held(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser, "numpad") as (_, page):
        jack, hint = (page.locator(f'.device [data-key="{key}"]') for key in ("J", "FLNB"))
        assert jack.inner_text().split() == ["/", "J"]
        assert "hold: MENU" in hint.inner_text()
        hint.hover()
        page.mouse.down()
        expect(page.locator("main > [role=status]")).to_contain_text("Menu, 1 of")
        page.mouse.up()
        page.keyboard.press("u")
        expect(page.locator("main > [role=status]")).to_contain_text("No game yet")
        page.keyboard.press("m")  # no key of its own, but what a long press stands for
        expect(page.locator("main > [role=status]")).to_contain_text("Menu, 1 of")


def test_a_joystick_is_drawn_as_one_and_typed(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser, "bonnet") as (_, page):
        where = {
            key: page.locator(f'.device [data-key="{key}"]').bounding_box()
            for key in ("UP", "DOWN", "LEFT", "RIGHT", "OK")
        }
        spots = {key: (box["x"], box["y"]) for key, box in where.items() if box}
        assert spots["LEFT"][0] < spots["OK"][0] < spots["RIGHT"][0]
        assert spots["UP"][1] < spots["OK"][1] < spots["DOWN"][1]
        page.keyboard.press("Enter")
        until_phase(page, "new-game")
        page.keyboard.press("Enter")
        until_phase(page, "cut")
        page.keyboard.press("[")  # LEFT, which is P1 there
        until_phase(page, "deal")


def test_escape_leads_away_from_it(tmp_path: Path, browser: Browser) -> None:
    with device(tmp_path, browser) as (table, page):
        page.keyboard.press("Escape")
        page.wait_for_selector("main.start")
        page.go_back()
        page.locator(".device-page").get_by_role("link", name="Close").click()
        page.wait_for_selector("main.start")
        begin(table, "", "", entry="cards")
        table.press("P1")
        page.goto(f"{table.url}#table")
        table.until_shown(page)
        page.get_by_role("button", name="Device").click()
        page.keyboard.down("Shift")
        page.keyboard.press("Digit7")  # asks which suit
        page.keyboard.up("Shift")
        page.wait_for_selector("dialog[open]")
        page.keyboard.press("Escape")
        expect(page.locator("dialog[open]")).to_have_count(0)
        expect(page.locator(".device .screen")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.locator(".device")).to_have_count(0)
        expect(page.locator("main.table")).to_be_visible()
