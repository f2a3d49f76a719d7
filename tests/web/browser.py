"""A real browser: Debian's chromium, headless, or a skip that says why not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

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


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=list(ARGUMENTS))
        yield browser
        browser.close()


@contextmanager
def visit(
    browser: Browser,
    url: str,
    size: tuple[int, int] = (1280, 800),
    *,
    is_dark: bool = False,
    is_touch: bool = False,
    dots: float = 1,
) -> Iterator[Page]:
    """Open the page in a window of *size* CSS pixels; an error in it fails the test."""
    context: BrowserContext = browser.new_context(
        viewport={"width": size[0], "height": size[1]},
        color_scheme="dark" if is_dark else "light",
        device_scale_factor=dots,
        has_touch=is_touch,
    )
    page = context.new_page()
    page.set_default_timeout(15_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(url)
    page.wait_for_selector("[data-line=open]")
    yield page
    context.close()
    assert errors == []


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
