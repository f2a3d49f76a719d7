"""The rehearsed companion behind a real server on a free port of this machine, and a browser before it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
import pytest
from companion.web.browser import TABLE, USUAL, Stand, Standing, open_browser, stand, visit
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Browser, Page
from support.clients import client_of
from support.companions import page_of

from cribpi.companion.web.server import PageServer


@pytest.fixture(scope="session")
def stands() -> Iterator[Stand]:
    with stand() as stands:
        yield stands


@pytest.fixture
def standing(stands: Stand, kit: str) -> Standing:
    """Give the server with *kit* that the tests in the browser share, with a companion as good as new."""
    standing = stands(kit)
    standing.companion.begin_anew()
    return standing


@pytest.fixture(scope="session")
def kit() -> str:
    """Return the kit of the page; a test that is about others has its own."""
    return USUAL


@pytest.fixture(scope="session")
def sharing() -> Iterator[RehearsedClient]:
    """Give the companion that the tests without a browser share."""
    companion = RehearsedClient()
    yield companion
    companion.close()


@pytest.fixture
def companion(request: pytest.FixtureRequest, kit: str) -> RehearsedClient:
    """Give a companion that nothing has happened to: the one of all tests, as good as new."""
    if request.node.get_closest_marker("browser"):
        standing: Standing = request.getfixturevalue("standing")
        return standing.companion
    assert kit == USUAL, "that is what they share"
    companion: RehearsedClient = request.getfixturevalue("sharing")
    companion.begin_anew()
    return companion


@pytest.fixture
def server(request: pytest.FixtureRequest, companion: RehearsedClient) -> Iterator[PageServer]:
    if request.node.get_closest_marker("browser"):
        standing: Standing = request.getfixturevalue("standing")
        yield standing.server
        return
    with page_of(companion) as server:
        yield server
        companion.let_go()


@pytest.fixture
def client(server: PageServer) -> Iterator[httpx.Client]:
    with client_of(server.url) as client:
        yield client


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give the one chromium of this worker: each test opens a window of its own in it, and shares nothing
    else."""
    with open_browser() as browser:
        yield browser


@pytest.fixture(scope="session")
def path() -> str:
    """Return the part of the page that a test is about; a file about another has its own."""
    return TABLE


@pytest.fixture
def page(browser: Browser, server: PageServer, path: str) -> Iterator[Page]:
    with visit(browser, server.url, path=path) as page:
        yield page
