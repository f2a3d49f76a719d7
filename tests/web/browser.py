"""A real browser: Debian's chromium, headless, or a skip that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Error, Page, expect, sync_playwright

from web.dealt_scenes import DEALT_SCENES
from web.fake import SCENES, FakeCompanion, Scene

CHROMIUM = Path("/usr/bin/chromium")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

needs_chromium = pytest.mark.skipif(
    not CHROMIUM.exists(),
    reason=f"there is no {CHROMIUM}: the page was not tried in a browser; install the package chromium",
)


AT_REST = "() => document.getAnimations().every((each) => each.playState !== 'running')"
PATIENCE = 60_000
"""Milliseconds until a wait is given up: on a machine with much else to do, what takes one second takes ten."""
expect.set_options(timeout=PATIENCE)


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield browser
        browser.close()


_windows: dict[tuple[Browser, bool, float], Page] = {}
"""A window of each kind that was opened, to be used again: a new one takes three times as long as a new page."""


@contextmanager
def visit(
    browser: Browser,
    url: str,
    size: tuple[int, int] = (1280, 800),
    *,
    is_dark: bool = False,
    is_touch: bool = False,
    dots: float = 1,
    is_still: bool = False,
) -> Iterator[Page]:
    """Open the page in a window of *size* CSS pixels; an error in it fails the test.

    The page stores nothing in the browser, so that a window may be used by one test after another.  With *is_still*
    its clock stands, and only the test moves it: that is for good, so the window is closed afterwards.
    """
    page = _windows.pop((browser, is_touch, dots), None) or _new_window(browser, is_touch=is_touch, dots=dots)
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if is_dark else "light", reduced_motion="no-preference")
    page.mouse.move(0, 0)
    errors: list[str] = []

    def note(error: Error) -> None:
        errors.append(str(error))

    page.on("pageerror", note)
    try:
        if is_still:
            page.clock.install()
        page.goto(url)
        page.wait_for_selector("[data-line=open]")
        if is_still:
            page.clock.pause_at(page.evaluate("Date.now()") + 10_000)
        yield page
        page.unroute_all()
        page.goto("about:blank")
        page.remove_listener("pageerror", note)
    except BaseException:
        page.context.close()  # whatever is the matter with it, the next test is to have none of it
        raise
    if is_still:
        page.context.close()
    else:
        _windows[browser, is_touch, dots] = page
    assert errors == []


def _new_window(browser: Browser, *, is_touch: bool, dots: float) -> Page:
    page = browser.new_context(device_scale_factor=dots, has_touch=is_touch).new_page()
    page.set_default_timeout(PATIENCE)
    return page


def key(page: Page, name: str) -> None:
    page.locator(f'#keypad [data-key="{name}"]').click()


def show(page: Page, companion: FakeCompanion, scene: str | Scene) -> None:
    """Let the table come to the *scene*, which may be named, and wait until the page shows all of it."""
    companion.change((SCENES | DEALT_SCENES)[scene] if isinstance(scene, str) else scene)
    page.wait_for_selector(f'#table[data-seq="{companion.seq}"]')


def until_pressed(page: Page, companion: FakeCompanion, *keys: str) -> None:
    """Wait until nothing waits any more, then compare what arrived at the table with *keys*."""
    expect(page.locator("#keypad .waiting")).to_have_count(0)
    page.wait_for_timeout(0)
    for _ in range(200):
        if len(companion.pressed) >= len(keys):
            break
        page.wait_for_timeout(20)
    assert companion.pressed == list(keys), page.locator("#refusal").inner_text()
