"""A page elsewhere that puts ours into a frame, in a real browser: it gets nothing to click on."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from companion.web.browser import needs_chromium
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Browser

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]


@contextmanager
def page_elsewhere(html: str) -> Iterator[str]:
    """Serve *html* at another port of this machine, which is another origin; give its address."""

    class Answer(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(html.encode())

        def log_message(self, *_: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()


def test_a_page_at_another_port_that_frames_ours_gets_nothing(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    page = browser.new_context().new_page()
    paths = ("", "api/state", "api/oled.png", "nothing")
    frames = [f"<iframe src='{server.url}{path}' width=1200 height=700></iframe>" for path in paths]
    with page_elsewhere(f"<title>elsewhere</title>{''.join(frames)}") as url:
        page.goto(url)  # until all is loaded, the frames too
        assert len(page.frames) == 1 + len(paths)
        for path, framed in zip(paths, page.frames[1:], strict=True):
            assert framed.url.startswith("chrome-error:"), (path, framed.url)
            assert framed.locator("main, pre").count() == 0, path
        for path, frame in zip(paths, page.locator("iframe").all(), strict=True):
            frame.click()
            page.keyboard.press("7")
            assert companion.pressed == [], path
    page.context.close()
    assert companion.pressed == []
