"""Whoever reads large letters, by the setting of their browser and not by zoom, has them on the page too."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from companion.web.browser import ARGUMENTS, HEADLESS, needs_chromium, resize, show, visit
from companion.web.dealt_scenes import LAY_AWAY
from companion.web.rehearsed import RehearsedClient
from playwright.sync_api import Browser

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

USUAL, LARGE = 16, 32
"""Pixels of a letter where a browser is as it comes, and at 200 %."""
LETTERS = """() => [...document.querySelectorAll("#app *")]
  .filter((each) => !each.closest("svg, .fan, .unseen, dialog:not([open])"))
  .filter((each) => [...each.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim()))
  .filter((each) => each.checkVisibility())
  .map((each) => [each.textContent.trim().slice(0, 40), parseFloat(getComputedStyle(each).fontSize)])"""
"""What is said on the page and how large; the letters in a drawing are a part of it."""
LEAST = 12
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
WHOLE = """async () => {
  const next = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const begun = asked.begun;
  for (let drawn = 0; drawn < 4; drawn++) await next();
  return asked.open === 0 && asked.begun === begun && document.fonts.status === "loaded";
}"""
"""Whether a page is whole: nothing that it asked for is to come, and what has come has been drawn and asks no more."""
WIDTHS = (320, 390, 1280)
WIDER = """() => [document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll("main, main > *")]
    .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5).map((each) => each.outerHTML.slice(0, 80))]"""
"""By how much the page is wider than its window, and which of its parts are."""


@pytest.fixture(scope="module")
def large(browser: Browser) -> Iterator[Browser]:
    """Give a chromium whose letters are twice as large, by its own setting."""
    setting = f"--blink-settings=defaultFontSize={LARGE}"
    large = browser.browser_type.launch(executable_path=str(HEADLESS), args=[*ARGUMENTS, setting])
    yield large
    large.close()


@pytest.mark.parametrize("path", ["", "#settings", "#count", "#rules", "#games", "#phones", "#table"])
def test_every_text_is_as_large_as_the_browser_is_told(
    large: Browser, server: PageServer, companion: RehearsedClient, path: str
) -> None:
    with visit(large, server.url, (1280, 800), path=path) as page:
        if path == "#table":
            show(page, companion, LAY_AWAY)
        page.wait_for_selector("h1")
        letters = page.evaluate(LETTERS)
        assert letters
        assert [said for said, size in letters if size < LEAST * LARGE / USUAL] == []


@pytest.mark.parametrize(
    "path",
    [
        "",
        "#settings",
        "#count",
        "#rules",
        "#names",
        "#phones",
        "#games",
        "#stats",
        "#practice",
        "#practice/discard",
        "#learn/five-minutes",
    ],
)
def test_no_page_is_wider_than_its_window_in_large_letters(
    large: Browser, server: PageServer, path: str
) -> None:
    with visit(large, server.url, (WIDTHS[0], 844), path=path, script=ASKED) as page:
        page.wait_for_function(WHOLE)
        for width in WIDTHS:
            resize(page, width, 844)
            assert page.evaluate(WIDER) == [0], width


def test_a_hand_to_count_is_no_wider_than_the_smallest_phone(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, (320, 568), path="#count") as page:
        page.wait_for_selector(".by-rules")
        assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_a_name_is_cut_between_what_people_see_as_letters(browser: Browser, server: PageServer) -> None:
    family = "\N{MAN}\N{ZERO WIDTH JOINER}\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"
    with visit(browser, server.url, path="") as page:
        cut = page.evaluate(
            """async (name) => (await import("/page/picture.js")).titleOf({ winner: 0, sides: [
              { name, said: name, score: 121 }, { name: "Bob", said: "Bob", score: 90 }] }, 8)""",
            family * 9,
        )
        assert f"{family * 7}\N{HORIZONTAL ELLIPSIS}" in cut
