"""Every scene that pictures are made of: axe finds nothing in it, and what is asked covers no card, in any size
and either colours."""

from __future__ import annotations

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import PAINTED, needs_chromium, resize
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
            resize(page, width, height)
            for theme in ("light", "dark") if whole else (("light", "dark")[number % 2],):
                page.emulate_media(color_scheme=theme)
                page.evaluate(PAINTED)
                assert violations(page) == [], (width, theme)
    page.context.close()


ASKING = (
    *("discard", "hint", "play", "closed", "keep-closed", "four", "long-names", "keep", "over-31", "suits"),
    *("lesson", "review"),
)
"""The scenes of the table with a bar that asks."""

LAID_OUT = """() => new Promise((done) => {
  let before = '', same = 0;
  const look = () => {
    const all = [...document.querySelectorAll('.table :not(.slab *)')];  // a board's lights never rest
    const now = all.map((one) => JSON.stringify(one.getBoundingClientRect())).join();
    same = now === before ? same + 1 : 0;
    before = now;
    if (same === 20) done(true); else requestAnimationFrame(look);
  };
  look();
})"""
"""Until nothing of the table has moved for twenty frames: a change of size is answered in several steps."""

COVERED = """() => {
  const bar = document.querySelector('.table .asked').getBoundingClientRect();
  const kept = '.table :is(.felt :is(.card, .slot, .count), .hand .card, .keypad .key, .tile, .strip)';
  return [...document.querySelectorAll(kept)].filter((one) => {
    const box = one.getBoundingClientRect();
    return box.width && Math.min(box.right, bar.right) - Math.max(box.left, bar.left) > 1
      && Math.min(box.bottom, bar.bottom) - Math.max(box.top, bar.top) > 1;
  }).map((one) => one.className + ' ' + one.textContent);
}"""
"""What of the table lies under that bar."""


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name in {"over-31", "hint"} else pytest.mark.prove) for name in ASKING],
)
def test_what_is_asked_covers_no_card(browser: Browser, name: str) -> None:
    page = browser.new_context(reduced_motion="reduce").new_page()
    with reached(page, SCENES[name]):
        for width, height in (*SIZES, (320, 568), (390, 844), (1920, 1080)):
            resize(page, width, height)
            page.wait_for_function(LAID_OUT)
            assert page.evaluate(COVERED) == [], (width, height)
    page.context.close()
