"""A page that is older than the program says so and reloads itself, once, and when nothing is lost by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from companion.web.browser import intercept, needs_chromium, visit, wait_until
from playwright.sync_api import Browser, Page, Route, expect
from support.companions import running

from cribpi.companion.web import files
from cribpi.companion.web.client import BoardClient
from cribpi.companion.web.files import build_of, read_files
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

NEW = "body[data-new]"
LATE = ("**/page/count.js",)
"""Parts that an old page has yet to load."""
LOADS = "() => { window.isOld = true; }"


def changed() -> dict[str, bytes]:
    """Read the files as they are after an update: the first one has another body."""
    found = read_files()
    return found | {"page/index.html": found["page/index.html"].replace(b"<body>", b"<body data-new>")}


@contextmanager
def serving(companion: BoardClient, port: int = 0) -> Iterator[PageServer]:
    server = PageServer(companion, port)
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def updated(
    state: Path,
    browser: Browser,
    monkeypatch: pytest.MonkeyPatch,
    *,
    path: str = "",
    typing: bool = False,
    is_still: bool = False,
) -> Iterator[Page]:
    """Open the page, then restart the server behind it with a changed file."""
    with running(state, still=True) as parts, ExitStack() as window:
        with serving(parts.companion) as server:
            page = window.enter_context(visit(browser, server.url, path=path, is_still=is_still))
            page.evaluate(LOADS)
            if typing:
                page.get_by_label("Player 1").first.fill("Ann")
        monkeypatch.setattr(files, "read_files", changed)
        with serving(parts.companion, server.port):
            yield page
            window.close()


def test_an_old_page_says_so_and_reloads_itself(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with updated(tmp_path, browser, monkeypatch, path="#settings") as page:
        expect(page.locator(".update")).to_have_text("cribpi was updated. Reloading\u2026")
        page.wait_for_selector(NEW)
        expect(page.get_by_role("heading", name="Settings", exact=True)).to_be_visible()
        assert page.locator(".update").count() == 0
        assert page.evaluate("window.isOld") is None


def test_an_old_page_gets_no_part_of_the_new_build_and_shows_it_once_it_is_reloaded(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with running(tmp_path, still=True) as parts, ExitStack() as window:
        with serving(parts.companion) as server:
            page = window.enter_context(visit(browser, server.url, path=""))
            for late in LATE:
                intercept(page, late, lambda route: route.abort())
            page.reload()
            page.wait_for_selector(".ways")
        monkeypatch.setattr(files, "read_files", changed)
        with serving(parts.companion, server.port):
            for late in LATE:
                page.unroute(late)
            got: list[str] = []
            page.on("response", lambda response: got.append(response.url) if response.ok else None)
            page.evaluate("location.hash = 'count'")
            page.wait_for_selector(f"{NEW} .count-hand")
            parts_got = [url for url in got if url.endswith("/page/count.js")]
            assert [build_of(changed()) in url for url in parts_got] == [True]
            window.close()


@pytest.mark.prove
def test_it_waits_while_somebody_types(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with updated(tmp_path, browser, monkeypatch, typing=True) as page:
        page.wait_for_selector(".update")
        page.wait_for_timeout(4000)
        assert page.get_by_label("Player 1").first.input_value() == "Ann"
        assert page.evaluate("window.isOld")
        page.get_by_label("Player 1").first.blur()
        page.wait_for_selector(NEW)


PRESS = "async () => (await import('/page/store.js')).press('MENU')"


def test_it_waits_while_a_press_is_on_its_way(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    def come_to(holds: Callable[[], object]) -> None:
        def later() -> object:
            page.clock.run_for(500)
            return holds()

        wait_until(page, later)

    with updated(tmp_path, browser, monkeypatch, is_still=True) as page:
        intercept(page, "**/api/press", lambda route: route.abort())
        page.evaluate(PRESS)
        come_to(lambda: page.locator(".update").count())
        page.clock.run_for(4000)
        assert page.evaluate("window.isOld")
        page.unroute("**/api/press")
        come_to(lambda: page.locator(NEW).count())


@pytest.mark.prove
def test_a_page_that_comes_back_as_old_is_not_reloaded_again(
    tmp_path: Path, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with updated(tmp_path, browser, monkeypatch) as page:
        loads: list[str] = []

        def stale(route: Route) -> None:
            loads.append(route.request.url)
            response = route.fetch()
            new = build_of(changed())
            told = f'"build": "{new}"'
            assert told in response.text()
            route.fulfill(
                response=response, body=response.text().replace(told, '"build": "as old as before"')
            )

        intercept(page, page.url, stale)
        expect(page.locator(".update")).to_contain_text("Close this page")
        page.wait_for_timeout(4000)
        assert len(loads) == 1


def test_a_restart_without_an_update_is_no_news(tmp_path: Path, browser: Browser) -> None:
    with running(tmp_path, still=True) as parts, ExitStack() as window:
        with serving(parts.companion) as server:
            page = window.enter_context(visit(browser, server.url, path=""))
            page.evaluate(LOADS)
        with serving(parts.companion, server.port):
            page.wait_for_timeout(2500)
            assert page.evaluate("window.isOld")
            assert page.locator(".update").count() == 0
            window.close()
