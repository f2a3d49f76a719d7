"""Where things stand on the page, in a real browser: nothing moves with what is said, and nothing is cut."""

from __future__ import annotations

from contextlib import closing

import pytest
from playwright.sync_api import Browser, Page, expect
from support.companions import page_of

from cribpi.web.server import PageServer
from web.browser import needs_chromium, resize, show, visit
from web.rehearsed import RehearsedCompanion
from web.scene import Scene, with_changes
from web.scenes import (
    COUNTING,
    CRIB,
    DEAL,
    FOUR,
    IDLE,
    MUGGINS,
    NEW_GAME,
    OLED_GONE,
    PLAY,
    SCENES,
    SHOW,
    THREE,
)

pytestmark = [pytest.mark.browser, needs_chromium]

PLACES = """() => ["#wood", "#pixels", "#keypad", "#next"].map((name) => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, x, y, width, height];
})"""
SIZES = ((390, 844), (1280, 800))
MISSED = "BARTHOLOMEUS has missed 2: who calls muggins first takes it, by that side's key or MENU"
LACKING = "(({scrollHeight, clientHeight}) => scrollHeight - clientHeight)(document.getElementById('next'))"


def test_nothing_moves_and_nothing_is_cut_whatever_is_said(page: Page, companion: RehearsedCompanion) -> None:
    places: dict[tuple[int, int], object] = {}
    for size in SIZES:
        resize(page, *size)
        show(page, companion, "play")
        places[size] = page.evaluate(PLACES)
        for scene in SCENES:
            show(page, companion, scene)
            assert_all_is_in_its_place(page, places[size], (size, scene))
    show(page, companion, "play")
    page.locator('[data-key="FLNB"]').click()
    expect(page.get_by_role("alert")).not_to_have_text("")
    for size in SIZES:
        resize(page, *size)
        assert_all_is_in_its_place(page, places[size], (size, "a refusal"))
    show(page, companion, "play")
    page.route("**/api/press", lambda route: route.abort())
    for key in ("10", "GO", "MENU"):
        page.locator(f'[data-key="{key}"]').click()
    expect(page.locator("#line")).to_contain_text("10, GO, MENU will be sent when cribpi is back")
    for size in SIZES:
        resize(page, *size)
        assert_all_is_in_its_place(page, places[size], (size, "no line"))


def assert_all_is_in_its_place(page: Page, places: object, what: object) -> None:
    found, lacking = page.evaluate(f"[({PLACES})(), {LACKING}]")
    assert found == places, what
    assert lacking <= 0, what


@pytest.mark.parametrize("size", [(320, 640), (390, 844), (1280, 800)])
@pytest.mark.parametrize(
    "message",
    [
        pytest.param(MISSED, id="who missed what"),
        pytest.param(f"{MISSED}; {MISSED}; {MISSED}", id="three lines and more"),
    ],
)
def test_a_message_is_seen_whole_and_no_hint_stands_beside_it(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, size: tuple[int, int], message: str
) -> None:
    prompt = "WHITE shows 10 9 10 8 with 5: type the count, GO for nothing, FLNB for flush or nobs"
    with visit(browser, server.url, size) as page:
        companion.change(with_changes(COUNTING, prompt=prompt, message=message))
        said = page.locator("#message")
        expect(said).to_have_text(message)
        expect(page.locator("#aside")).to_have_text("")
        assert page.evaluate(LACKING) <= 0
        words, place = said.bounding_box(), page.locator("#next").bounding_box()
        assert words is not None
        assert place is not None
        assert words["y"] + words["height"] <= place["y"] + place["height"]
        size_of_letters = "(each) => parseFloat(getComputedStyle(each).fontSize)"
        assert said.evaluate(size_of_letters) >= 14
        companion.change(COUNTING)
        expect(page.locator("#aside")).to_contain_text("add up")
        expect(said).to_be_hidden()


def test_a_prompt_takes_the_whole_width_before_it_takes_a_second_line(
    page: Page, companion: RehearsedCompanion
) -> None:
    companion.change(Scene(DEAL))
    prompt = page.locator("#prompt")
    expect(prompt).to_contain_text("starter's rank")
    box = prompt.bounding_box()
    assert box is not None
    assert box["height"] < 40


LOOK = """() => [...document.querySelectorAll("#keypad button")].map((key) => {
  const { backgroundColor, boxShadow } = getComputedStyle(key);
  return [key.dataset.key, boxShadow === "none" ? "flat" : backgroundColor === "rgb(42, 36, 30)" ? "strong" : "raised"];
})"""


def test_a_key_is_strong_raised_or_flat_as_it_is_the_next_works_or_does_nothing(browser: Browser) -> None:
    companion = RehearsedCompanion(IDLE)  # a table where nothing has happened has nothing to undo
    with closing(companion), page_of(companion) as served, visit(browser, served.url) as page:
        page.emulate_media(reduced_motion="reduce")  # so that no key is on its way up
        for scene, first, raised in (
            (IDLE, "OK", "MENU"),
            (PLAY.then("7"), "", "A 2 GO P1 P2 UNDO MENU"),
            (SHOW, "OK", "FLNB P1 P2 UNDO MENU"),
            (NEW_GAME, "OK", "A 2 3 4 5 6 7 P1 P2 MENU"),
        ):
            if scene is IDLE:
                page.wait_for_selector('#table[data-seq="0"]')
            else:
                show(page, companion, scene)
            looks: dict[str, list[str]] = {"strong": [], "raised": [], "flat": []}
            for name, look in page.evaluate(LOOK):
                looks[look].append(name)
            assert looks["strong"] == first.split(), scene
            assert looks["raised"] == raised.split(), scene
            assert len(looks["flat"]) == 20 - len(first.split()) - len(raised.split()), scene


@pytest.mark.parametrize(
    ("scene", "name", "does"),
    [
        (PLAY, "BLUE", "to play"),
        (SHOW, "ORANGE", "shows"),
        (CRIB, "BLUE", "counts the crib"),
        (FOUR, "BOB+DORA", "DORA to play"),
    ],
)
def test_whose_turn_or_show_it_is_stands_on_the_scores(
    page: Page, companion: RehearsedCompanion, scene: Scene, name: str, does: str
) -> None:
    companion.change(scene)
    acts = page.locator("#scores .acts")
    expect(acts.locator(".playing")).to_have_text(does)
    expect(acts.locator(".who")).to_have_text(name)
    expect(acts).to_have_count(1)


@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_are_shown_whole(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, width: int
) -> None:
    with visit(browser, server.url, (width, 844)) as page:
        show(page, companion, "four")
        expect(page.locator("#scores .who").first).to_have_text("ALEXANDRA+BARTHOLOMEUS")
        expect(page.locator('[data-key="P1"] .caption')).to_have_text("ALEXANDRA")
        cut = page.evaluate(
            "[...document.querySelectorAll('#scores .who, #keypad .caption')]"
            ".filter((n) => n.scrollWidth > n.clientWidth || n.closest('li, button').scrollHeight > "
            "n.closest('li, button').clientHeight + 1).map((n) => n.textContent)",
        )
        assert cut == []


def test_a_line_of_the_story_tells_what_each_side_pegged(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(MUGGINS)
    first = page.locator("#log > li").first
    expect(first.locator(".head .points")).to_have_text(["+4", "+4"])
    colours = first.locator(".head .points .dot").evaluate_all(
        "(dots) => dots.map((dot) => getComputedStyle(dot).backgroundColor)"
    )
    assert colours == ["rgb(255, 96, 0)", "rgb(0, 70, 255)"]
    second = page.locator("#log > li").nth(1)
    expect(second.locator(".head .points")).to_have_text(["+1"])
    expect(second.locator(".head .dot")).to_have_count(0)


def test_a_trouble_is_a_status(page: Page, companion: RehearsedCompanion) -> None:
    trouble = page.get_by_role("status", name="Problems")
    expect(trouble.get_by_role("listitem")).to_have_count(0)
    companion.change(THREE)
    expect(trouble.get_by_role("listitem")).to_have_text([OLED_GONE])
