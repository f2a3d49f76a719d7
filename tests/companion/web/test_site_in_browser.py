"""The site in a browser, on a laptop and on a phone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from companion.web.browser import needs_chromium, visit
from playwright.sync_api import Browser, expect
from support.site import main

pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    site = tmp_path_factory.mktemp("site")
    assert main(str(site)) == 0
    with ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=str(site))
    ) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_a_word_is_found_and_its_page_is_as_wide_as_the_window(
    browser: Browser, address: str, size: tuple[int, int]
) -> None:
    with visit(browser, "", size, path=address) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        if size[0] < 1000:
            page.locator("label.md-header__button[for=__search]").click()
        page.locator(".md-search__input").fill("muggins")
        page.locator(".md-search-result__link").first.click()
        expect(page.locator("main h1")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        assert [url for url in asked if not url.startswith(address)] == []
