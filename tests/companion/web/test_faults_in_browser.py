"""A part of the page that fails takes no other with it: there is a way home, Back and Reload work, and the log has it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from companion.web.browser import intercept, needs_chromium, show, visit, wait_until
from companion.web.dealt_scenes import LAY_AWAY, MENU, SHOWN
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.scenes import PLAY, WON_ONE
from playwright.sync_api import Browser, Page, Route, expect
from support.companions import page_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

FAILED = "Part of the page failed"
ADDRESSES = {
    "Settings": ("settings.js", "#settings"),
    "Count": ("count.js", "#count"),
    "Games": ("games.js", "#games"),
    "Stats": ("stats.js", "#stats"),
    "RulesPage": ("rules.js", "#rules"),
    "PhonesPage": ("phones.js", "#phones"),
    "DevicePage": ("device.js", "#device"),
    "Practice": ("practice.js", "#practice"),
    "Table": ("table.js", "#table"),
}
"""Parts that are all of an address: where they are written, and the address."""
MOST = 5
"""Faults that a page tells until it is loaded again."""


@pytest.fixture
def companion() -> Iterator[RehearsedClient]:
    """Give a companion of its own, as its server logs so many faults an hour and no more."""
    companion = RehearsedClient()
    yield companion
    companion.close()


@pytest.fixture
def server(companion: RehearsedClient) -> Iterator[PageServer]:
    with page_of(companion) as server:
        yield server
        companion.let_go()


def plant(page: Page, component: str, module: str, *, is_on: list[bool] | None = None) -> None:
    """Let *component* of *module* throw whenever it is drawn, as long as *is_on*."""

    def answer(route: Route) -> None:
        if is_on == []:
            route.continue_()
            return
        written = route.fetch().text()
        throws = f'{component} = () => {{ throw new TypeError("planted in {component}"); }};'
        declared = re.compile(rf"^export (function|const) {component}\b", re.MULTILINE)
        body, found = declared.subn(rf"export const {throws}\n\1 {component}AsItWas", written)
        assert found == 1, f"{module} has no {component}"
        route.fulfill(body=body, content_type="text/javascript")

    intercept(page, f"**/page/{module}", answer)


def logged(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records if "the page failed" in one.getMessage()]


@pytest.mark.parametrize("parts", [[*ADDRESSES][:MOST], [*ADDRESSES][MOST:]], ids=",".join)
def test_what_fails_leaves_a_way_home_back_and_the_rest(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    caplog: pytest.LogCaptureFixture,
    parts: list[str],
) -> None:
    with visit(browser, server.url, path="#names") as page:
        for part in parts:
            plant(page, part, ADDRESSES[part][0])
        page.reload()
        companion.change(PLAY)
        for part in parts:
            module, address = ADDRESSES[part]
            caplog.clear()
            page.evaluate("location.hash = 'names'")
            expect(page.locator("main.names-page")).to_be_visible()
            page.evaluate("(to) => { location.hash = to; }", address)
            expect(page.get_by_role("alert")).to_contain_text(FAILED)
            wait_until(page, lambda: logged(caplog))
            (line,) = logged(caplog)
            assert line.startswith(
                f"the page failed: TypeError: planted in {part}, at {address}, in /page/{module}:"
            )
            page.go_back()
            expect(page.locator("main.names-page")).to_be_visible()
            page.go_forward()
            expect(page.get_by_role("alert")).to_contain_text(FAILED)
            page.get_by_role("link", name="Back to the start").click()
            expect(page.locator("main.start .ways")).to_be_visible()
        page.unroute_all(behavior="wait")


PIECES = {
    "Log": ("log.js", PLAY),
    "Felt": ("felt.js", LAY_AWAY),
    "Tiles": ("table.js", PLAY),
    "Announcements": ("sound.js", PLAY),
    "BoardView": ("board.js", PLAY),
    "Hand": ("hand.js", LAY_AWAY),
    "Keypad": ("keypad.js", PLAY),
}
"""Parts of the table: where they are written, and when they are seen."""
SAID = {"Felt", "Hand", "Keypad"}
"""Parts that leave an error message in their place."""
PLACES = {
    "Dialog": ("dialog.js", MENU),
    "Show": ("show.js", SHOWN),
    "Result": ("result.js", WON_ONE),
}
"""Parts that are what the table is about at a time: undo leads out of them, and they fail alone."""


@contextmanager
def without(
    part: str,
    module: str,
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    scene: Scene | str,
) -> Iterator[Page]:
    """Open the table in *scene*, where *part* of *module* fails."""
    with visit(browser, server.url, path="#names") as page:
        plant(page, part, module)
        page.evaluate("location.hash = 'table'")
        page.reload()
        show(page, companion, scene)
        yield page
        page.unroute_all(behavior="wait")


@pytest.mark.parametrize("part", PIECES)
def test_a_game_goes_on_without_the_part_of_the_table_that_fails(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    caplog: pytest.LogCaptureFixture,
    part: str,
) -> None:
    module, scene = PIECES[part]
    with without(part, module, browser, server, companion, scene) as page:
        wait_until(page, lambda: logged(caplog))
        assert f"planted in {part}" in logged(caplog)[0]
        expect(page.locator(".asked h1")).to_be_visible()
        expect(page.get_by_role("alert")).to_have_count(1 if part in SAID else 0)
        key = "7" if scene is PLAY else "u" if part == "Hand" else "5"
        page.keyboard.press(key)
        wait_until(page, lambda: companion.sent or page.locator(".hand [aria-pressed=true]").count())


@pytest.mark.parametrize("part", PLACES)
def test_what_the_table_is_about_fails_alone_and_can_be_left(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    caplog: pytest.LogCaptureFixture,
    part: str,
) -> None:
    module, scene = PLACES[part]
    with without(part, module, browser, server, companion, scene) as page:
        wait_until(page, lambda: logged(caplog))
        assert f"planted in {part}" in logged(caplog)[0]
        expect(page.locator(".tile")).to_have_count(2)
        seq = companion.seq
        page.locator('[data-tool="undo"]').click()
        wait_until(page, lambda: companion.seq != seq)
        expect(page.locator(".tile")).to_have_count(2)


def test_the_start_does_without_its_games_and_one_that_fails_itself_has_a_way_on(
    browser: Browser, server: PageServer, companion: RehearsedClient, caplog: pytest.LogCaptureFixture
) -> None:
    with visit(browser, server.url, path="#names") as page:
        companion.change(PLAY)
        is_on = [True]
        plant(page, "YourGames", "games.js")
        page.evaluate("location.hash = ''")
        page.reload()
        wait_until(page, lambda: logged(caplog))
        expect(page.locator("main.start .ways")).to_be_visible()
        plant(page, "Start", "start.js", is_on=is_on)
        page.reload()
        expect(page.get_by_role("alert")).to_contain_text(FAILED)
        page.get_by_role("link", name="Continue").click()
        expect(page.locator("main.table")).to_be_visible()
        page.go_back()
        expect(page.get_by_role("alert")).to_contain_text(FAILED)
        is_on.clear()
        page.get_by_role("button", name="Reload").click()
        expect(page.locator("main.start .ways")).to_be_visible()
        page.unroute_all(behavior="wait")


def test_what_fails_once_is_shown_again_as_soon_as_the_table_goes_on(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, path="#names") as page:
        plant(page, "Hand", "hand.js")
        page.evaluate("location.hash = 'table'")
        page.reload()
        companion.change(LAY_AWAY)
        expect(page.get_by_role("alert")).to_contain_text(FAILED)
        show(page, companion, PLAY)  # by real cards there is no hand
        expect(page.locator("main.table .keypad")).to_be_visible()
        page.unroute_all(behavior="wait")


def test_what_fails_in_an_answer_to_a_click_is_told_too_and_only_once(
    browser: Browser, server: PageServer, companion: RehearsedClient, caplog: pytest.LogCaptureFixture
) -> None:
    page = browser.new_page()  # where what fails fails no test
    page.goto(f"{server.url}#table")
    show(page, companion, PLAY)
    page.wait_for_function(
        "() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/page/fault.js'))"
    )
    page.evaluate(
        """() => {
          for (let one = 0; one < 50; one++) Promise.reject(new RangeError("no \\u001b[31msuch card"));
          for (let one = 0; one < 50; one++) setTimeout(() => { throw new RangeError(`the ${one}th`); }, 50);
        }"""
    )
    wait_until(page, lambda: len(logged(caplog)) >= 5)
    assert logged(caplog)[0].startswith(r"the page failed: RangeError: no \x1b[31msuch card, at #table")
    page.evaluate("() => fetch('/api/state').then(() => {})")  # behind what else might have been told
    assert len(logged(caplog)) == 5
    page.close()
