"""The page in a real browser: what it shows, narrow and wide, in light and dark, to eye and ear."""

from __future__ import annotations

import re

import httpx
import pytest
from companion.web.browser import (
    AT_REST,
    DEVICE,
    TABLE,
    intercept,
    key,
    looks,
    needs_chromium,
    resize,
    show,
    visit,
    wait_until,
)
from companion.web.rehearsed import RehearsedClient
from companion.web.scenes import PLAY, QUESTION, SCENES, SHOW, THREE
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, expect
from support.samples import some_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

WHOLE = pytest.mark.prove
NO_TABLE = ("idle", "new-game")
"""Where there is none yet, and the page shows the start."""

# The least contrast of any text that is shown, with what it is: colours are read as the browser draws them.  What a
# card bears is drawn, on paper of its own.
CONTRAST = """() => {
  const parse = (text) => {
    const parts = text.match(/[\\d.]+/g).map(Number);
    return { rgb: parts.slice(0, 3), alpha: parts[3] ?? 1 };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((part) => part / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (node) => {
    for (let at = node; at; at = at.parentElement) {
      const found = parse(getComputedStyle(at).backgroundColor);
      if (found.alpha === 1) return found.rgb;
    }
    return [255, 255, 255];
  };
  let least = [99, ""];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !node.checkVisibility() || node.closest(".unseen, .card, svg, script, noscript")) continue;
    const [a, b] = [luminance(parse(getComputedStyle(node).color).rgb), luminance(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, walker.currentNode.textContent];
  }
  return least;
}"""


FRONT, BACK = 20, 18  # ORANGE's pegs in the play


def test_what_the_page_cannot_do_without_is_asked_for_again(browser: Browser, server: PageServer) -> None:
    page = browser.new_context().new_page()
    tries: list[str] = []
    begun = r'(?<=<script type="application/json" id="begun">).*?(?=</script>)'
    empty = re.sub(begun, "null", httpx.get(server.url).text, flags=re.DOTALL)

    def fail_once(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.abort()
        else:
            route.continue_()

    intercept(page, server.url, lambda route: route.fulfill(body=empty, content_type="text/html"))
    intercept(page, "**/api/kit", fail_once)
    page.goto(server.url)  # it has nothing to begin from
    expect(page.locator(".ways")).to_be_visible()
    assert len(tries) == 2
    page.context.close()


def test_the_keys_that_make_sense_are_marked(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    expect(page.locator(".asked .main")).to_have_text("Peg 6")
    expect(page.locator(".asked .chip")).to_have_text(["+4 flush", "+5 flush with starter"])
    show(page, companion, PLAY)
    expect(page.locator(".key.likely")).to_have_count(10)
    show(page, companion, THREE)
    expect(page.get_by_role("button", name="Peg 6 for WHITE")).to_be_visible()


def test_a_line_of_the_log_opens_to_its_scores(page: Page) -> None:
    log = page.get_by_role("complementary", name="What happened")
    score = log.locator("li").filter(has_text="ORANGE 7: twenty-two for two").locator(".score")
    expect(score).to_be_hidden()
    log.get_by_text("ORANGE 7: twenty-two for two").click()
    expect(score).to_be_visible()
    expect(score).to_contain_text("7 7")


TALLEST = ("play", "long", "long-question", "three", "four", "won")
SCROLLS = (
    "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]"
)


@pytest.mark.parametrize(
    "kit", ["table", pytest.param("table-3", marks=WHOLE), pytest.param("strip-121", marks=WHOLE)]
)
def test_no_scene_scrolls_on_a_phone_or_a_desk(
    page: Page, companion: RehearsedClient, *, whole: bool
) -> None:
    for width, height in ((320, 568), (390, 664), (844, 390), (1280, 800)):
        resize(page, width, height)
        for scene in SCENES if whole else TALLEST:
            if scene not in NO_TABLE:
                show(page, companion, scene)
                assert max(page.evaluate(SCROLLS)) <= 0, (scene, width, height)


@pytest.mark.parametrize("kit", some_of(["table", "table-3", "strip-121"], 0))
@pytest.mark.parametrize("path", [DEVICE])
def test_the_board_glows_where_the_leds_are_lit_alone(page: Page, companion: RehearsedClient) -> None:
    holes = {hole.hole: hole.at for hole in companion.kit.tracks[0].holes}
    width = companion.kit.board.width
    wait_until(page, lambda: looks(page, width, [holes[FRONT]])[0][0] > 200)
    (red, _, blue), dark = looks(page, width, [holes[FRONT], holes[10]])
    assert red > blue
    assert max(dark) < 80


@pytest.mark.parametrize("path", [DEVICE])
def test_the_screen_is_yellow_above_and_blue_white_below(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    page.wait_for_function(
        """() => {
          const pixels = document.querySelector('.screen').getContext('2d').getImageData(0, 0, 128, 64).data;
          const lit = (from, to) => {
            for (let i = from * 512; i < to * 512; i += 4) if (pixels[i]) return [pixels[i], pixels[i + 1], pixels[i + 2]];
            return null;
          };
          const [above, below] = [lit(0, 16), lit(16, 64)];
          return above && below && above[0] > above[2] && below[2] > below[0];
        }""",
    )


@pytest.mark.parametrize("is_dark", some_of([False, True], 1))
def test_every_text_stands_out_from_its_ground(
    browser: Browser,
    server: PageServer,
    companion: RehearsedClient,
    *,
    is_dark: bool,
) -> None:
    with visit(browser, server.url, is_dark=is_dark, path=TABLE) as page:
        key(page, "OK")  # it is refused: the refusal is a text too
        expect(page.get_by_role("alert")).not_to_have_text("")
        page.wait_for_function(AT_REST)
        ratio, text = page.evaluate(CONTRAST)
        assert ratio >= 4.5, ("a refusal", text)
        for scene in SCENES:
            if scene not in NO_TABLE:
                show(page, companion, scene)
                page.wait_for_function(AT_REST)
                ratio, text = page.evaluate(CONTRAST)
                assert ratio >= 4.5, (scene, text)


def test_a_screen_reader_finds_its_way(page: Page, companion: RehearsedClient) -> None:
    for name in ("Board", "Cards on the table", "Your turn", "Keypad"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    board = page.get_by_role("img", name=re.compile(f"ORANGE in hole {FRONT}, .*{BACK}"))
    expect(board).to_have_count(1)
    for name in ("BLUE says go", "Undo", "Correct ORANGE's score"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    nameless = page.evaluate(
        "[...document.querySelectorAll('button')].filter((b) => !(b.ariaLabel || "
        "b.textContent).trim()).length",
    )
    assert nameless == 0
    said = page.locator("main > [role=log]")
    show(page, companion, SHOW)
    expect(said).to_contain_text("BLUE said go at 22, but held the 3")
    expect(said).to_contain_text("ORANGE shows 8 7 2 10 with 9")


@pytest.mark.parametrize("path", [DEVICE])
def test_a_screen_reader_finds_its_way_on_the_device(page: Page, companion: RehearsedClient) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    for name in ("Board", "Keypad"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("img", name=re.compile("^Screen: BLUE to play"))).to_have_count(1)
    expect(page.get_by_role("status")).to_have_text(str(companion.state()["prompt"]))
    show(page, companion, SHOW)
    expect(page.get_by_role("status")).to_have_text(str(companion.state()["prompt"]))


def test_who_wants_no_motion_gets_none(page: Page, companion: RehearsedClient) -> None:
    page.emulate_media(reduced_motion="reduce")
    show(page, companion, QUESTION)
    key(page, "OK")
    show(page, companion, SHOW)
    assert page.evaluate("document.getAnimations().length") == 0
    moving = page.evaluate(
        "[...document.querySelectorAll('main *')].map((each) => getComputedStyle(each))"
        ".filter(({ animationName, transitionDuration }) => animationName !== 'none' || "
        "transitionDuration.split(', ').some((each) => each !== '0s')).length"
    )
    assert moving == 0


def test_nothing_is_fetched_from_elsewhere_and_nothing_breaks_the_policy(
    page: Page, server: PageServer
) -> None:
    asked: list[str] = []
    said: list[str] = []

    def ask(request: Request) -> None:
        asked.append(request.url)

    def say(message: ConsoleMessage) -> None:
        said.append(message.text)

    page.on("request", ask)
    page.on("console", say)
    page.goto(server.url)
    expect(page.locator(".ways")).to_be_visible()
    for part in (TABLE, DEVICE, "#rules", "#names", "#settings", "#count", "#games"):
        page.goto(server.url + part)
        page.wait_for_selector("main:not(.failed)")
    page.remove_listener("request", ask)
    page.remove_listener("console", say)
    assert said == []
    assert any(url.endswith("/page/board.js") for url in asked)
    assert all(url.startswith((server.url, "data:image/png")) for url in asked)
