"""The fake companion behind a real server on a free port of this machine, and a browser before it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from playwright.sync_api import Browser, Page

from cribpi.web.server import PageServer
from web.browser import open_browser, visit
from web.fake import FakeCompanion


@pytest.fixture
def companion() -> FakeCompanion:
    return FakeCompanion()


@pytest.fixture
def server(companion: FakeCompanion) -> Iterator[PageServer]:
    server = PageServer(companion, 0)
    server.start()
    yield server
    companion.let_go()
    server.stop()


@pytest.fixture
def client(server: PageServer) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, trust_env=False, timeout=20) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the one chromium of this worker: each test opens a window of its own in it, and shares nothing else."""
    with open_browser() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, server: PageServer) -> Iterator[Page]:
    with visit(browser, server.url) as page:
        yield page
