"""The documentation site in a browser: its search finds a page, and asks no other host."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from companion.web.browser import needs_chromium, patience
from playwright.sync_api import Browser, Request, expect
from support import site
from support.patience import until

pytestmark = [pytest.mark.browser, needs_chromium]


class _Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Build the site, and give the address of a server that has it."""
    folder = tmp_path_factory.mktemp("docs") / "site"
    assert site.main(str(folder)) == 0
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Silent, directory=folder)) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    ("words", "title"),
    [
        ("muggins", "Count your own hands, and muggins"),
        ("house rules", "Play under other rules, or your own"),
    ],
)
def test_the_search_finds_a_page_and_asks_no_other_host(
    browser: Browser, url: str, words: str, title: str
) -> None:
    page = browser.new_context().new_page()
    page.set_default_timeout(patience())
    hosts: set[str] = set()

    def note(request: Request) -> None:
        if request.url.startswith("http"):
            hosts.add(urlsplit(request.url).netloc)

    page.on("request", note)
    page.goto(url)
    box = page.get_by_role("textbox", name="Search")
    box.fill(words)
    found = page.locator(".md-search-result__item > a").filter(has=page.get_by_text(title, exact=True))

    def is_found() -> bool:
        box.press("End")  # the search reads the box at a key; one that came before its script is lost
        return found.count() > 0

    until(is_found)
    found.first.click()
    expect(page.get_by_role("heading", name=title, level=1)).to_be_visible()
    assert hosts == {urlsplit(url).netloc}
    page.context.close()
