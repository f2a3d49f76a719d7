"""The page in a real browser: what it shows, narrow and wide, in light and dark, to eye and ear."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request, Route, expect

from cribpi.web.server import PageServer
from web.browser import AT_REST, DEVICE, LOOK, needs_chromium, resize, show, visit
from web.rehearsed import RehearsedCompanion
from web.scenes import SCENES, SHOW, THREE

pytestmark = [pytest.mark.browser, needs_chromium]

# The least contrast of any text that is shown, with what it is: colours are read as the browser draws them.
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
    if (!walker.currentNode.textContent.trim() || !node.checkVisibility() || node.closest(".unseen, script, noscript")) continue;
    const [a, b] = [luminance(parse(getComputedStyle(node).color).rgb), luminance(ground(node))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < least[0]) least = [ratio, walker.currentNode.textContent];
  }
  return least;
}"""


FRONT, BACK = 20, 18  # ORANGE's pegs in the play
AGAIN = 2000  # milliseconds between the page's tries


def test_a_kit_that_cannot_be_loaded_is_said_and_tried_again(browser: Browser, server: PageServer) -> None:
    context = browser.new_context()
    page = context.new_page()
    tries: list[str] = []

    def fail_once(route: Route) -> None:
        tries.append(route.request.url)
        if len(tries) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/api/kit", fail_once)
    page.clock.install()
    page.goto(server.url + DEVICE)
    expect(page.locator("#prompt")).to_contain_text("Can't reach cribpi. Is it running?")
    page.clock.fast_forward(AGAIN)
    expect(page.locator("#prompt")).to_have_text("BLUE to play. GO: BLUE says go")
    context.close()


def test_the_keys_that_make_sense_are_marked(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(SHOW)
    expect(page.locator('[data-next="first"]')).to_have_attribute("data-key", "OK")
    expect(page.locator('[data-next="also"]')).to_have_attribute("data-key", "FLNB")
    companion.change(THREE)
    expect(page.locator('[data-key="GO"]')).to_contain_text("WHITE")


def test_a_line_of_the_story_opens_to_its_scores(page: Page) -> None:
    story = page.get_by_role("region", name="Game log")
    rule = story.get_by_text("double", exact=False).or_(story.locator("li li")).first
    expect(rule).to_be_hidden()
    story.get_by_text("ORANGE 7: a pair for two").click()
    expect(rule).to_be_visible()
    expect(rule).to_contain_text("7 7")


ON_A_PHONE = """() => {
  const boxes = [...document.querySelectorAll("#keypad button")].map((key) => key.getBoundingClientRect());
  const { scrollWidth } = document.documentElement;
  window.scrollTo(0, 99999);
  const glass = document.getElementById("pixels").getBoundingClientRect();
  window.scrollTo(0, 0);
  return {
    wide: scrollWidth,
    keys: boxes.length,
    least: Math.min(...boxes.flatMap(({ width, height }) => [width, height])),
    right: Math.max(...boxes.map(({ right }) => right)),
    glass: glass.y,
  };
}"""


TALLEST = ("play", "long", "long-question", "three", "four", "won")


def test_a_phone_scrolls_down_only_and_keeps_the_glass_in_sight(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, *, whole: bool
) -> None:
    with visit(browser, server.url, (320, 844), dots=2) as page:
        for width in (320, 390):  # there is the least room on the narrower one
            resize(page, width, 844)
            for scene in SCENES if whole or width == 320 else TALLEST:
                show(page, companion, scene)
                found = page.evaluate(ON_A_PHONE)
                assert found["wide"] == width, scene
                assert found["keys"] == 20
                assert found["least"] >= 44, (width, scene)
                assert found["right"] <= width, scene
                assert found["glass"] >= 0, (width, scene)


ON_A_DESK = """() => ({
  size: [document.documentElement.scrollWidth, document.documentElement.scrollHeight],
  places: ["#wood", "#pixels", "#keypad", "#story footer"].map((place) => {
    const { top, bottom } = document.querySelector(place).getBoundingClientRect();
    return [place, top, bottom];
  }),
})"""


@pytest.mark.parametrize("kit", ["table", "table-3", "strip-121"])
def test_a_desk_shows_everything_without_scrolling_and_its_board_glows_where_the_leds_are_lit_alone(
    page: Page, companion: RehearsedCompanion, kit: str, *, whole: bool
) -> None:
    holes = {hole.hole: hole for hole in companion.kit.tracks[0].holes}
    width = companion.kit.board.width
    front = [holes[FRONT].x, holes[FRONT].y, width]
    page.wait_for_function(f"(at) => ({LOOK})(at)[0] > 200", arg=front)
    red, _, blue, _ = page.evaluate(LOOK, front)
    assert red > blue
    assert max(page.evaluate(LOOK, [holes[10].x, holes[10].y, width])[:3]) < 80
    for scene in SCENES if whole or kit == "table" else TALLEST:
        show(page, companion, scene)
        found = page.evaluate(ON_A_DESK)
        assert found["size"] == [1280, 800], scene
        for place, top, bottom in found["places"]:
            assert 0 <= top < bottom <= 800, (scene, place)


@pytest.mark.parametrize(
    "dots",
    [
        1,
        1.5,  # as far from a whole number as can be
        *(pytest.param(dots, marks=pytest.mark.prove) for dots in (1.25, 2, 3)),
    ],
)
def test_a_pixel_of_the_glass_is_a_whole_number_of_the_screens(
    browser: Browser, server: PageServer, dots: float
) -> None:
    with visit(browser, server.url, (390, 844), dots=dots) as page:
        for width in (390, 1280):
            resize(page, width, 844)
            drawn = page.evaluate("parseFloat(document.getElementById('pixels').style.width)") * dots / 128
            assert abs(drawn - round(drawn)) < 1e-4
            assert drawn >= 2


def test_the_glass_is_yellow_above_and_blue_white_below(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(SHOW)
    page.wait_for_function(
        """() => {
          const pixels = document.getElementById('pixels').getContext('2d').getImageData(0, 0, 128, 64).data;
          const lit = (from, to) => {
            for (let i = from * 512; i < to * 512; i += 4) if (pixels[i]) return [pixels[i], pixels[i + 1], pixels[i + 2]];
            return null;
          };
          const [above, below] = [lit(0, 16), lit(16, 64)];
          return above && below && above[0] > above[2] && below[2] > below[0];
        }""",
    )


@pytest.mark.parametrize("is_dark", [False, True])
def test_every_text_stands_out_from_its_ground(
    browser: Browser,
    server: PageServer,
    companion: RehearsedCompanion,
    *,
    is_dark: bool,
) -> None:
    with visit(browser, server.url, is_dark=is_dark) as page:
        page.locator('[data-key="OK"]').click()  # it is refused: the refusal is a text too
        expect(page.get_by_role("alert")).not_to_have_text("")
        page.wait_for_function(AT_REST)  # a key takes its time to come up again
        ratio, text = page.evaluate(CONTRAST)
        assert ratio >= 4.5, ("a refusal", text)
        for scene in SCENES:
            show(page, companion, scene)
            ratio, text = page.evaluate(CONTRAST)
            assert ratio >= 4.5, (scene, text)


def test_a_screen_reader_finds_its_way(page: Page, companion: RehearsedCompanion) -> None:
    for name in ("Board", "Screen", "Keypad", "Scores", "Game log", "What to do next"):
        expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("main")).to_have_count(1)
    expect(
        page.get_by_role("img", name=re.compile(f"ORANGE in hole {FRONT}, back peg in {BACK}"))
    ).to_have_count(1)
    expect(page.get_by_role("img", name=re.compile("count 22, played 8 7 7"))).to_have_count(1)
    for name in ("flush or nobs", "undo, hold to redo", "P1, ORANGE"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(1)
    nameless = page.evaluate(
        "[...document.querySelectorAll('button')].filter((b) => !(b.ariaLabel || "
        "b.textContent).trim()).length",
    )
    assert nameless == 0
    said = page.locator("#say")
    expect(said).to_have_attribute("aria-live", "polite")
    companion.change(SHOW)
    expect(said).to_contain_text("BLUE said go at 22, but held the 3")
    expect(said).to_contain_text("ORANGE 21, BLUE 10")


def test_who_wants_no_motion_gets_none(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url) as page:
        page.emulate_media(reduced_motion="reduce")
        page.keyboard.press("7")
        style = page.evaluate(
            "(({animationName, transitionDuration}) => [animationName, transitionDuration])"
            "(getComputedStyle(document.querySelector('[data-key=\"7\"]')))",
        )
        assert style == ["none", "0s"]


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
    page.goto(server.url + DEVICE)
    expect(page.locator("#prompt")).to_have_text("BLUE to play. GO: BLUE says go")
    page.remove_listener("request", ask)
    page.remove_listener("console", say)
    assert said == []
    assert server.url + DEVICE in asked
    assert all(url.startswith((server.url, "data:image/png")) for url in asked)
