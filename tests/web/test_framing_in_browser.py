"""A page elsewhere that puts ours into a frame, in a real browser: it gets nothing to click on."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser

from cribpi.web.server import PageServer
from web.browser import needs_chromium
from web.fake import FakeCompanion

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


@pytest.mark.parametrize("path", ["", "api/state", "api/oled.png", "nothing"])
def test_a_page_at_another_port_that_frames_ours_gets_nothing(
    browser: Browser, server: PageServer, companion: FakeCompanion, path: str
) -> None:
    frame = f"<title>elsewhere</title><iframe src='{server.url}{path}' width=1200 height=700></iframe>"
    with page_elsewhere(frame) as url:
        context = browser.new_context()
        page = context.new_page()
        page.goto(url)  # until all is loaded, the frame too
        framed = page.frames[1]
        assert framed.url.startswith("chrome-error:"), framed.url
        assert framed.locator("#table, pre").count() == 0
        page.mouse.click(600, 350)
        page.keyboard.press("7")
        context.close()
    assert companion.pressed == []
