"""In the colours of a contrast theme, where no background and no shadow is left, what is chosen is seen, and cards and pegs
are there."""

from __future__ import annotations

import io

import pytest
from companion.web.browser import AT_REST, go, needs_chromium, show, until_rested, visit
from companion.web.dealt_scenes import LAY_AWAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import PLAY
from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

THEMES = (False, True)
"""Whether it is dark."""


def colours(what: Locator) -> set[tuple[int, ...]]:
    """Return the colours that cover a tenth of what is seen there."""
    picture = Image.open(io.BytesIO(what.screenshot())).convert("RGB")
    found = picture.getcolors(picture.width * picture.height) or []
    return {colour for count, colour in found if count * 10 > picture.width * picture.height}  # type: ignore[misc]


def in_contrast(page: Page, *, is_dark: bool) -> None:
    page.emulate_media(forced_colors="active", color_scheme="dark" if is_dark else "light")
    page.wait_for_function("() => document.querySelector('link[href$=\"/page/contrast.css\"]')?.sheet")


def test_pegs_and_cards_have_their_own_colours(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, path="#table") as page:
        for is_dark in THEMES:
            in_contrast(page, is_dark=is_dark)
            show(page, companion, PLAY)
            one, other = page.locator(".tile .peg").all()
            assert colours(one), is_dark
            assert not colours(one) & colours(other), is_dark
            show(page, companion, LAY_AWAY)
            cards = page.locator(".hand button.card")
            expect(cards).to_have_count(6)
            page.mouse.move(0, 0)  # over none of them
            page.wait_for_function(AT_REST)
            until_rested(page)
            assert (255, 253, 248) in colours(cards.first), is_dark
            before = page.locator(".hand").screenshot()
            cards.nth(1).click()
            expect(cards.nth(1)).to_have_attribute("aria-pressed", "true")
            outline = cards.nth(1).evaluate("(each) => getComputedStyle(each).outlineStyle")
            assert outline == "solid", is_dark
            assert page.locator(".hand").screenshot() != before, is_dark
        page.emulate_media(forced_colors="none")


OTHERWISE = """() => [...document.querySelectorAll('label:has(:checked), [aria-pressed="true"], .line[aria-current]')]
  .flatMap((chosen) => [...chosen.querySelectorAll("*")].filter((one) => one.checkVisibility() && one.textContent.trim()
    && getComputedStyle(one).color !== getComputedStyle(chosen).color).map((one) => one.textContent))"""
"""The texts in what is chosen that have another colour than the theme's for it."""


def test_what_is_chosen_is_seen_and_all_that_is_written_on_it_is_in_the_themes_colour(
    browser: Browser, server: PageServer
) -> None:
    with visit(browser, server.url, path="") as page:
        for path in ("", "#rules", "#settings", "#count"):
            if path:
                go(page, path)
            for is_dark in THEMES:
                in_contrast(page, is_dark=is_dark)
                expect(page.locator("label:has(:checked), [aria-pressed=true]").first).to_be_visible()
                assert page.evaluate(OTHERWISE) == [], (path, is_dark)
                if not path:
                    levels = page.get_by_role("radiogroup", name="How well the computer plays").first
                    chosen, other = (
                        levels.locator(f"label:{one}").first
                        for one in ("has(:checked)", "not(:has(:checked))")
                    )
                    assert not colours(chosen) & colours(other), is_dark
            if path == "#count":
                page.locator(".ranks .key").nth(4).click()
                chosen, other = (
                    page.locator(f".ranks [aria-pressed={one}]").first for one in ("true", "false")
                )
                assert not colours(chosen) & colours(other)
        page.emulate_media(forced_colors="none")
