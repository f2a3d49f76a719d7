"""Every scene that pictures are made of: axe finds nothing in it, in any size and either colours."""

from __future__ import annotations

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import PAINTED, needs_chromium
from pictures.docs import reached
from pictures.scenes import SCENES
from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = ((1280, 800), (390, 664), (844, 390))
SAMPLE = ("show", "review")


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=() if name in SAMPLE else pytest.mark.prove) for name in SCENES]
)
def test_axe_finds_nothing(browser: Browser, name: str, *, whole: bool) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    with reached(page, SCENES[name]):
        for number, (width, height) in enumerate(SIZES if whole else SIZES[1:2]):
            page.set_viewport_size({"width": width, "height": height})
            for theme in ("light", "dark") if whole else (("light", "dark")[number % 2],):
                page.emulate_media(color_scheme=theme)
                page.evaluate(PAINTED)
                assert violations(page) == [], (width, theme)
    page.context.close()
