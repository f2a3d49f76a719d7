"""A line that is dead without having been closed, and a script that does not come: the page tries again."""

from __future__ import annotations

import pytest
from companion.web.browser import TABLE, intercept, needs_chromium, show, visit, wait_until
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.companion.web import stream
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

LONG, SHORT = 26, 20
"""Seconds of silence after which a line is given up, and after which it is not."""


def lines(page: Page) -> list[str]:
    """Return the list that gets an entry for each line that *page* opens from now on."""
    opened: list[str] = []
    page.on("request", lambda request: opened.append(request.url) if "/api/events" in request.url else None)
    return opened


def heard(page: Page) -> list[str]:
    """Return the list that gets the kind of each event that comes to *page* from now on."""
    kinds: list[str] = []
    developer = page.context.new_cdp_session(page)
    developer.send("Network.enable")
    developer.on("Network.eventSourceMessageReceived", lambda event: kinds.append(event["eventName"]))
    return kinds


def show_all(page: Page, companion: RehearsedClient, scene: str, kinds: list[str]) -> None:
    """Show *scene*, picture and all, which comes last: a word that is still on its way breaks a silence."""
    kinds.clear()
    show(page, companion, scene)
    wait_until(page, lambda: kinds[-1:] == ["oled"])


def let_pass(page: Page, seconds: int) -> None:
    page.clock.run_for(seconds * 1000)


def test_a_line_that_says_nothing_is_opened_anew_and_one_that_does_is_not(
    server: PageServer, companion: RehearsedClient, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "PING", 1000.0)  # the table's own clock is not the page's
    with visit(browser, server.url, is_still=True, path=TABLE) as page:
        kinds = heard(page)
        show_all(page, companion, "play", kinds)
        opened = lines(page)
        let_pass(page, SHORT)
        show_all(page, companion, "show", kinds)
        let_pass(page, SHORT)
        assert opened == []
        let_pass(page, LONG - SHORT)
        show(page, companion, "play")
        assert len(opened) == 1
        expect(page.locator(".offline")).to_have_count(0)


@pytest.mark.parametrize("script", some_of(["app.js", "ui.js", "vendor/preact.js"], 1))
def test_a_page_whose_script_did_not_come_is_loaded_again(
    server: PageServer, browser: Browser, script: str
) -> None:
    context = browser.new_context()
    page = context.new_page()
    times = 2 if script != "app.js" else 1  # what is asked for beforehand is asked for once more
    intercept(page, f"**/page/{script}", lambda route: route.abort(), times=times)
    page.goto(server.url)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    context.close()
