"""A real browser: Debian's chromium without a window, or a skip that says why not."""

from __future__ import annotations

import re
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import pytest
from companion.web.dealt_scenes import DEALT_SCENES
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import SCENES
from fastjsonschema import JsonSchemaException
from PIL import Image
from playwright.sync_api import Browser, Error, Page, Request, Route, expect, sync_playwright
from playwright.sync_api import TimeoutError as PlaywrightTimeoutError
from support.held_to_schema import hold_body
from support.patience import for_a_page

from cribpi.companion.kit.reader import load_kit
from cribpi.companion.web.server import PageServer

CHROMIUM = Path("/usr/bin/chromium")
_WITHOUT_WINDOW = Path("/usr/bin/chromium-headless-shell")
HEADLESS = _WITHOUT_WINDOW if _WITHOUT_WINDOW.exists() else CHROMIUM
"""The same engine without what draws a window: a fifth less to do for each page."""
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
    not HEADLESS.exists(),
    reason=f"there is no {HEADLESS}: the page was not tried in a browser; install the package chromium",
)


AT_REST = "() => document.getAnimations().every((each) => each.playState !== 'running')"
SETTLE = "() => { for (const moving of document.getAnimations()) moving.finish(); }"
ASKED = """(() => {
  const ask = fetch;
  globalThis.asked = { begun: 0, open: 0 };
  globalThis.fetch = async (...of) => {
    asked.begun++, asked.open++;
    try {
      const answer = await ask(...of);
      await answer.clone().arrayBuffer();
      return answer;
    } finally {
      asked.open--;
    }
  };
})()"""
"""Counts what a page asks its server for, and what of it has not come."""
TABLE, DEVICE = "#table", "#device"
"""Where the game is, and where the screen and the keypad are."""
SOON = 5_000
"""Milliseconds in which a page that is left open shows what there is now, or is opened anew."""
MOST_LOOKS: Final = 20_000
"""Looks at a page until it is given up; at most of them a computer still thinks."""


def patience() -> float:
    """Return for how many milliseconds to wait for what must come on a page, and let `expect` wait as long."""
    within = 1000 * for_a_page()
    expect.set_options(timeout=within)
    return within


@contextmanager
def open_browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(HEADLESS), args=list(ARGUMENTS))
        yield browser
        browser.close()


_windows: dict[tuple[Browser, bool, float, str], list[Page]] = {}
"""The windows of each kind that were opened, to be used again: a new one takes three times as long as a new page.

The page of the server that most tests share is left open in one of its own, under its address; another is kept
for the pages whose clock stands.
"""
STILL = "still"
BLANK = "about:blank"

_ports: dict[str, int] = {}


def usual_port(host: str) -> int:
    """Return a port of *host* for the next server: the last one's, if it is free.

    A window that is used again has the page's files from there, and half of the time to open the page is saved.
    """
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            one.bind((host, _ports.get(host, 0)))
        except OSError:
            one.bind((host, 0))
        _ports[host] = int(one.getsockname()[1])
        return _ports[host]


USUAL = "table"
"""The kit of most tests."""
ORDINARY = (False, 1)
"""Neither for fingers nor with finer dots: in a window of this kind the page is left open from test to
test."""

LEFT_OPEN = (TABLE, DEVICE)
"""The parts of the page that a test may find open from the one before."""

SHOWS = "(seq) => document.querySelector('main[data-seq]')?.dataset.seq === String(seq)"
RESTED = "() => !document.querySelector('[data-rests]')"
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
LOOKS = r"""() => {
  const body = document.body.cloneNode(true);
  for (const node of body.querySelectorAll("dialog:not([open]), .unseen[role=log], #begun")) node.remove();
  for (const node of body.querySelectorAll("*")) {
    for (const name of ["style", "width", "height", "data-seq"]) node.removeAttribute(name);
    const kept = [...node.attributes].sort((one, other) => (one.name < other.name ? -1 : 1));
    for (const { name } of kept) node.removeAttribute(name);
    for (const { name, value } of kept) node.setAttribute(name, value);
  }
  return document.activeElement.tagName + body.innerHTML;
}"""
"""All that is on the page, but for what hangs on its size, is closed, or is heard and then gone; in one order."""
FORGET = """() => {
  if (!location.protocol.startsWith("http")) return false;
  const kept = localStorage.length;
  localStorage.clear();
  return kept > 0;
}"""
"""Forget what was chosen for this browser, and tell whether anything was."""
LEAVE = """() => {
  document.querySelector("dialog[open] .tool, dialog[open] .other, .log.open h2 .tool")?.click();
  for (const one of document.querySelectorAll("details[open]")) one.open = false;
  document.activeElement.blur();
  for (const node of document.querySelectorAll("*")) if (node.scrollTop || node.scrollLeft) node.scrollTo(0, 0);
}"""
"""What a person may leave open is closed as a person does it."""


class Standing:
    """A server that the tests of a worker share, with its companion, and the page that is left open from it.

    To open the page takes half a second of the processor, more than most tests take with it.  So it is opened
    anew only where the test before has left anything on it that a new one has not.
    """

    def __init__(self, kit: str) -> None:
        self.is_usual = kit == USUAL
        self.companion = RehearsedClient(kit=load_kit(kit))
        self.server = PageServer(self.companion, 0)
        self._new: dict[tuple[str, tuple[int, int]], str] = {}
        """How a new page looks at its path and size, once one was seen: a small one says less."""

    def opened(self, page: Page, path: str, size: tuple[int, int]) -> None:
        """See how a page looks that was just opened."""
        if (path, size) not in self._new and self.companion.is_new:
            page.wait_for_function(SHOWS, arg=self.companion.seq)
            page.wait_for_function(RESTED)
            self._new[path, size] = page.evaluate(LOOKS)

    def is_as_new(self, page: Page, path: str, size: tuple[int, int]) -> bool:
        """Tell whether *page* shows what there is now, and is otherwise as one that was just opened."""
        is_here = page.url == self.server.url + path
        if not is_here or (path, size) not in self._new or not self.companion.is_new:
            return False
        try:
            page.evaluate(LEAVE)
            page.wait_for_function(SHOWS, arg=self.companion.seq, timeout=SOON)
            page.wait_for_function(RESTED, timeout=SOON)
            page.evaluate(PAINTED)  # in this size and these colours
        except PlaywrightTimeoutError:
            return False
        return bool(page.evaluate(LOOKS) == self._new[path, size])


_standing: dict[str, Standing] = {}

Stand = Callable[[str], Standing]
"""Gives the server with a kit, which is started for the first test that asks for it."""


@contextmanager
def stand() -> Iterator[Stand]:
    """Start the servers that the tests of a worker share, one for each kit that is asked for."""
    started: dict[str, Standing] = {}

    def with_kit(kit: str) -> Standing:
        if kit not in started:
            started[kit] = standing = Standing(kit)
            standing.server.start()
            _standing[standing.server.url] = standing
        return started[kit]

    yield with_kit
    for standing in started.values():
        del _standing[standing.server.url]
        standing.companion.let_go()
        standing.server.stop()
        standing.companion.close()


@contextmanager
def visit(
    browser: Browser,
    url: str,
    size: tuple[int, int] = (1280, 800),
    *,
    is_dark: bool = False,
    is_touch: bool = False,
    dots: float = 1,
    is_still: bool = False,
    path: str = "",
    script: str = "",
) -> Iterator[Page]:
    """Open the page at *path* in a window of *size* CSS pixels; an error in it, or an unfit body, fails the test.

    What the page stores in the browser is forgotten, so that a window may be used by one test after another, and
    a page too that still looks as it did when it was opened.  With *is_still* its clock stands once it is there, and
    only the test moves it.  The *script* runs before the page's own.
    """
    standing = _standing.get(url)
    may_stay = not (is_still or script) and path in LEFT_OPEN and (is_touch, dots) == ORDINARY
    shared = (browser, is_touch, dots, STILL if is_still else "")
    place = (browser, is_touch, dots, url) if may_stay and standing and standing.is_usual else shared
    free = _windows.get(place) or _windows.get(shared)
    kept = free.pop() if free else None
    page = kept or _new_window(browser, is_touch=is_touch, dots=dots)
    page.set_default_timeout(patience())
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.emulate_media(color_scheme="dark" if is_dark else "light", reduced_motion="no-preference")
    page.mouse.move(0, 0)
    errors: list[str] = []

    def note(error: Error) -> None:
        errors.append(str(error))

    def hold(request: Request) -> None:
        if request.method == "POST":
            try:
                hold_body(urlsplit(request.url).path, request.post_data or "null")
            except JsonSchemaException as unfit:
                errors.append(f"{request.url}: {request.post_data}: {unfit}")

    page.on("pageerror", note)
    page.on("request", hold)
    try:
        with _running_first(page, script):
            if not (standing and standing.is_as_new(page, path, size)):
                if is_still and kept:
                    page.clock.resume()
                elif is_still:
                    page.clock.install()
                if page.url != BLANK:
                    page.goto(BLANK)  # another part of the same address is no new page
                page.goto(url + path)
                page.wait_for_selector("main:not(.failed)")
                if is_still:
                    page.clock.pause_at(page.evaluate("Date.now() / 1000") + 10)
                elif standing and may_stay:
                    standing.opened(page, path, size)
            yield page
        page.unroute_all()
        has_chosen = page.evaluate(FORGET)
        if not standing or not may_stay or has_chosen or _windows.get(place):
            place = shared
            page.goto(BLANK)
        page.remove_listener("pageerror", note)
        page.remove_listener("request", hold)
    except BaseException:
        page.context.close()  # whatever is the matter with it, the next test is to have none of it
        raise
    _windows.setdefault(place, []).append(page)
    assert errors == []


@contextmanager
def _running_first(page: Page, script: str) -> Iterator[None]:
    """Have *script* run before all else in whatever this window opens."""
    if not script:
        yield
        return
    tab = page.context.new_cdp_session(page)
    tab.send("Page.enable")
    added = tab.send("Page.addScriptToEvaluateOnNewDocument", {"source": script})
    yield
    tab.send("Page.removeScriptToEvaluateOnNewDocument", added)
    tab.detach()


def _new_window(browser: Browser, *, is_touch: bool, dots: float) -> Page:
    return browser.new_context(device_scale_factor=dots, has_touch=is_touch).new_page()


PROBE = "/page/icon.svg?intercepted"
IS_INTERCEPTED = f"async () => await (await fetch('{PROBE}')).text() === ''"


def intercept(
    page: Page, url: str | re.Pattern[str], handler: Callable[[Route], object], times: int | None = None
) -> None:
    """Have *handler* answer for *url* from now on.

    Chromium confirms an interception before an open page has heard of it: its next request may still get through.
    """
    page.route(url, handler, times=times)
    if page.url.startswith("http"):
        page.route(f"**{PROBE}", lambda route: route.fulfill(body=""))
        wait_until(page, lambda: page.evaluate(IS_INTERCEPTED))
        page.unroute(f"**{PROBE}")


def resize(page: Page, width: int, height: int) -> None:
    """Give the window another size, and wait until the page has drawn itself in it."""
    page.set_viewport_size({"width": width, "height": height})
    page.evaluate(PAINTED)


def go(page: Page, path: str) -> None:
    """Go to a part of the page with another title, as a link to it does, and wait until it is there."""
    before = page.title()
    page.evaluate("(to) => { location.hash = to; }", path)
    page.wait_for_function("(before) => document.title !== before", arg=before)


TYPED = {"OK": "Enter", "UNDO": "u", "MENU": "m", "FLNB": "f"}


def key(page: Page, name: str) -> None:
    """Press a key of the keypad, whether it means anything now or not; OK, once it would be taken."""
    if name == "OK":
        until_rested(page)
    own = page.locator(f'.keypad [data-key="{name}"]')
    if own.count() or name not in TYPED:
        own.click(force=True)
    else:  # the page's own keys have it beside what is asked, or above the table
        page.keyboard.press(TYPED[name])


def until_rested(page: Page) -> None:
    """Wait until no button has just changed its meaning, so that each takes a press."""
    page.wait_for_function(RESTED)


def show(page: Page, companion: RehearsedClient, scene: str | Scene) -> None:
    """Let the table come to the *scene*, which may be named, and wait until the page shows all of it."""
    companion.change((SCENES | DEALT_SCENES)[scene] if isinstance(scene, str) else scene)
    page.wait_for_selector(f'main[data-seq="{companion.seq}"]')


def wait_until(page: Page, holds: Callable[[], object]) -> None:
    """Let the page go on until *holds*, and fail when it never comes to that."""
    end = time.monotonic() + for_a_page()
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        page.wait_for_timeout(20)


def looks(page: Page, width: float, places: Iterable[tuple[float, float]]) -> list[tuple[int, int, int]]:
    """Return the colours at *places* of the board, in millimetres; it is *width* of them wide."""
    page.wait_for_selector(".slab [data-led]")
    with Image.open(BytesIO(page.locator(".slab").screenshot())) as picture:
        wood = picture.convert("RGB")
    scale = wood.width / width
    found = (wood.getpixel((round(x * scale), round(y * scale))) for x, y in places)
    return [(colour[0], colour[1], colour[2]) for colour in found if isinstance(colour, tuple)]


def until_pressed(page: Page, companion: RehearsedClient, *keys: str) -> None:
    """Wait until nothing waits any more, then compare what arrived at the table with *keys*."""
    expect(page.locator(".keypad .waiting")).to_have_count(0)
    wait_until(page, lambda: len(companion.pressed) >= len(keys))
    assert companion.pressed == list(keys), page.locator("[role=alert]").all_inner_texts()


def until_sent(page: Page, companion: RehearsedClient, *keys: str) -> None:
    """The same for all that was pressed on the page, whether the table has taken it or not."""
    wait_until(page, lambda: len(companion.sent) >= len(keys))
    expect(page.locator(".keypad .waiting")).to_have_count(0)
    assert companion.sent == list(keys), companion.sent
