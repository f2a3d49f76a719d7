"""What of a page a screen reader or an eye can't make out, as axe finds it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from companion.web.browser import SETTLE
from playwright.sync_api import Page


def violations(page: Page) -> list[str]:
    """Return what axe finds on the page, once nothing on it moves; of the rest, which is long, nothing is told."""
    page.evaluate(SETTLE)
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(
        "async () => (await axe.run({ resultTypes: ['violations'], preload: false })).violations"
    )
    return [f"{each['id']}: {node['html'][:120]}" for each in found for node in each["nodes"]]
