"""Where things stand on the page, in a real browser: nothing moves with what is said, and nothing is cut."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from companion.web.browser import SETTLE, TABLE, intercept, key, needs_chromium, resize, show, visit
from companion.web.dealt_scenes import DEALT, SHOW_KEYS
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene, with_changes
from companion.web.scenes import (
    COUNTING,
    CRIB,
    DEAL,
    FOUR,
    LEAD,
    MUGGINS,
    OLED_GONE,
    PLAY,
    SCENES,
    SHOW,
    THREE,
)
from companion.web.test_numbers_in_browser import PEGGING
from companion.web.test_scenes_in_browser import COVERED
from pictures.scenes import next_key
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.companion.entry.house import House
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.run.bootstrap import FORGETS
from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

PLACE = """(key) => {
  const { x, y, width, height } = document.querySelector(`.key[data-key="${key}"]`).getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}"""
WITH_KEYPAD = [
    name for name in SCENES if name not in {"idle", "new-game", "over", "won", "drawn", "correcting"}
]
ON_THE_PAD = {"three", "counting", "counted"}
CUT = """() => {
  const cut = [];
  if (document.documentElement.scrollWidth > innerWidth) cut.push("the page is too wide");
  if (document.documentElement.scrollHeight > innerHeight) cut.push("the page is too high");
  for (const each of document.querySelectorAll(".asked h1, .remark")) {
    if (each.scrollHeight > each.clientHeight + 1) cut.push(each.textContent);
  }
  for (const each of document.querySelectorAll(".asked h1, .remark, .asked .buttons button, .key > *")) {
    const { left, right, top, bottom } = each.getBoundingClientRect();
    if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) cut.push(each.textContent);
    if (each.scrollWidth > each.clientWidth + 1 && getComputedStyle(each).display !== "inline") cut.push(each.textContent);
  }
  for (const each of document.querySelectorAll(".key")) {
    const { width, height } = each.getBoundingClientRect();
    if (Math.min(width, height) < 40) cut.push(`${each.dataset.key} is ${width} by ${height}`);
  }
  return cut;
}"""
STEPS_OF_A_DEAL = 50
"""Presses, at most, until the next deal."""
SIZES = ((390, 844), (390, 664), (1280, 800))
MISSED = "BARTHOLOMEUS has missed 2: who calls muggins first takes it, by that side's key or MENU"


def test_the_keys_stay_and_nothing_is_cut_whatever_is_said(
    page: Page, companion: RehearsedClient, *, whole: bool
) -> None:
    for at, size in enumerate(SIZES):
        resize(page, *size)
        places: dict[str, object] = {}
        for scene in WITH_KEYPAD if whole else WITH_KEYPAD[at :: len(SIZES)]:
            show(page, companion, scene)
            assert page.evaluate(CUT) == [], (size, scene)
            if len(companion.state()["sides"]) == 2:
                name = "digit:0" if scene in ON_THE_PAD else "K"
                place = page.evaluate(PLACE, name)
                assert places.setdefault(name, place) == place, (size, scene)
    show(page, companion, PLAY)
    key(page, "FLNB")
    expect(page.get_by_role("alert")).not_to_have_text("")
    for size in SIZES:
        resize(page, *size)
        assert page.evaluate(CUT) == [], (size, "a refusal")
    show(page, companion, PLAY)
    intercept(page, "**/api/press", lambda route: route.abort())
    for name in ("7", "GO", "MENU"):
        key(page, name)
    expect(page.locator(".remark")).to_contain_text("To be sent: 7, Says go, Menu.")
    for size in SIZES:
        resize(page, *size)
        assert page.evaluate(CUT) == [], (size, "no line")


@pytest.mark.parametrize("size", some_of([(320, 640), (390, 844), (1280, 800)], 0), ids=str)
def test_a_message_is_seen_whole(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        for message in (MISSED, f"{MISSED}; {MISSED}; {MISSED}"):  # two lines, and three and more
            show(page, companion, with_changes(COUNTING, message=message))
            said = page.locator(".remark")
            expect(said).to_have_text(message)
            assert page.evaluate(CUT) == []
            size_of_letters = "(each) => parseFloat(getComputedStyle(each).fontSize)"
            assert said.evaluate(size_of_letters) >= 14
            show(page, companion, COUNTING)
            expect(said).to_have_count(0)


def test_what_is_asked_takes_the_whole_width_before_it_takes_a_second_line(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, Scene(DEAL))
    asked = page.get_by_role("heading", level=1)
    expect(asked).to_contain_text("starter")
    words, place = asked.bounding_box(), page.locator(".asked").bounding_box()
    assert words is not None
    assert place is not None
    assert words["width"] > place["width"] - 48


LOOKS = """() => Object.fromEntries([...document.querySelectorAll(".keypad .key")].map((key) =>
  [key.dataset.key, key.matches(".dull") ? "dull" : key.matches(".likely") ? "likely" : "works"]))"""
OPACITY = (
    "() => [...document.querySelectorAll('.key.dull')].map((key) => Number(getComputedStyle(key).opacity))"
)


def test_a_key_that_does_nothing_is_dull_and_all_others_are_what_the_table_offers(
    page: Page, companion: RehearsedClient
) -> None:
    for scene in (LEAD, PLAY.then("7"), SHOW):
        show(page, companion, scene)
        told: Any = companion.page()
        offered = dict.fromkeys(told["carry"]["keys"], False)
        offered |= {choice["key"]: choice["likely"] for choice in told["choices"]}
        for name, look in page.evaluate(LOOKS).items():
            wanted = "dull" if name not in offered else "likely" if offered[name] else "works"
            assert look == wanted, (scene, name)
    assert all(opacity < 1 for opacity in page.evaluate(OPACITY))


def test_whose_turn_or_show_it_is_stands_on_the_scores_and_in_what_is_asked(
    page: Page, companion: RehearsedClient
) -> None:
    for scene, name, asks in (
        (PLAY, "BLUE", "BLUE to play"),
        (SHOW, "ORANGE", "ORANGE shows"),
        (CRIB, "BLUE", "BLUE's crib"),
        (FOUR, "BOB+DORA", "DORA to play"),
    ):
        show(page, companion, scene)
        expect(page.locator(".tile.acts .who b")).to_have_text(name)
        expect(page.get_by_role("heading", level=1)).to_contain_text(asks)


def test_a_line_of_the_log_tells_what_each_side_pegged(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, MUGGINS)
    points = page.locator(".log .head > b")
    expect(points.nth(0)).to_have_text("+4 +4")
    expect(points.nth(1)).to_have_text("+1")


def test_a_trouble_is_told_beside_what_is_asked(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, LEAD)
    expect(page.locator(".remark")).to_have_count(0)
    show(page, companion, THREE)
    expect(page.locator(".remark")).to_have_text(OLED_GONE)


def test_a_trouble_in_a_small_window_lies_over_no_card_and_opens_whole(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, replace(PLAY, trouble=(FORGETS.format(kind="tmpfs"),)))
    trouble = page.locator(".trouble summary")
    is_cut = "(one) => one.scrollWidth > one.clientWidth"
    for size in ((320, 568), (640, 400), (844, 390)):
        resize(page, *size)
        assert page.evaluate(COVERED) == [], size
        assert trouble.evaluate(is_cut), size
        trouble.click()
        assert not trouble.evaluate(is_cut), size
        trouble.click()
    resize(page, 1280, 800)
    assert not trouble.evaluate(is_cut)


FELT = """() => {
  const { x, y, width, height } = document.querySelector(".felt").getBoundingClientRect();
  return [x, y, width, height].map(Math.round);
}"""


def test_the_felt_stays_as_large_as_it_is_however_much_is_said(
    page: Page, companion: RehearsedClient
) -> None:
    for size in SIZES:
        resize(page, *size)
        show(page, companion, COUNTING)
        quiet = page.evaluate(FELT)
        for message in (MISSED, f"{MISSED}; {MISSED}; {MISSED}"):
            show(page, companion, with_changes(COUNTING, message=message))
            expect(page.locator(".remark")).to_have_text(message)
            assert page.evaluate(FELT) == quiet, size


def test_at_a_zoom_of_200_percent_the_cards_and_the_count_are_seen(
    page: Page, companion: RehearsedClient
) -> None:
    resize(page, 320, 400)
    for scene, least in (("lay away", 110), ("to play", 110), (PLAY, 70), ("shown", 250)):
        show(page, companion, scene)
        page.evaluate(SETTLE)
        assert page.evaluate(FELT)[3] >= least, scene
        if scene != "shown":
            assert page.evaluate(COVERED) == [], scene
    show(page, companion, "question")
    assert page.evaluate(COVERED) == []


APART = """() => {
  const laid = [...document.querySelectorAll(".pile .laid")].map((one) => one.getBoundingClientRect().x);
  return Math.min(...laid.slice(1).map((x, at) => x - laid[at]));
}"""
CUT_NAMES = """() => [...document.querySelectorAll(".across .sits > span:last-child, .crib figcaption")]
  .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent)"""


def test_on_a_phone_the_cards_of_the_count_lie_apart_and_short_names_are_whole(
    page: Page, companion: RehearsedClient
) -> None:
    for scene in ("go", "partners"):
        show(page, companion, scene)
        for size in ((320, 568), (390, 664)):
            resize(page, *size)
            page.evaluate(SETTLE)
            assert page.evaluate(CUT_NAMES) == [], (scene, size)
            if scene == "go":
                assert page.evaluate(APART) > 24, (scene, size)


SHARES = """() => [".slab", ".felt", ".hand .card", ".pile .card"].map((part) => {
  const { width, height } = document.querySelector(part).getBoundingClientRect();
  return [width / innerWidth, height / innerHeight];
})"""


def test_board_felt_and_cards_grow_with_the_window(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, "to play")
    for size in ((1920, 1080), (2560, 1440)):
        resize(page, *size)
        page.evaluate(SETTLE)
        board, felt, card, pile = page.evaluate(SHARES)
        assert board[1] > 0.9
        assert felt[0] > 0.5
        assert card[1] == pytest.approx(0.22, abs=0.01)
        assert pile[1] == pytest.approx(0.23, abs=0.02)


OWN_COUNT = replace(Scene(SHOW_KEYS, replace(DEALT, rules="acc")), seed=6)
"""The machine deals, and ORANGE counts a hand beside the pad."""


def test_the_hand_that_one_counts_is_as_large_as_one_that_is_walked_through(
    page: Page, companion: RehearsedClient
) -> None:
    widths = []
    for scene in ("shown", OWN_COUNT):
        show(page, companion, scene)
        page.evaluate(SETTLE)
        place = page.locator(".shown .card").first.bounding_box()
        assert place is not None
        widths.append(place["width"])
    expect(page.locator(".pad")).to_have_count(1)
    assert widths[1] > 0.85 * widths[0]


SLOT_COVERED = """() => document.querySelector(".asked h1").getBoundingClientRect().top
  < Math.max(...[...document.querySelectorAll(".slot")].map((slot) => slot.getBoundingClientRect().bottom))"""


LINES = "(one) => one.clientHeight / parseFloat(getComputedStyle(one).lineHeight)"


def test_what_is_asked_covers_no_card_that_goes_to_the_crib(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (320, 568), path=TABLE) as page:
        show(page, companion, "laid out")
        expect(page.locator(".slot", has_text="A")).to_have_count(1)
        assert not page.evaluate(SLOT_COVERED)
        assert page.locator(".asked .remark").count() == 0, "both cards are chosen"
        for size in ((320, 568), (390, 844), (844, 390)):
            resize(page, *size)
            page.evaluate(SETTLE)
            slot, card = (page.locator(one).first.bounding_box() for one in (".slot", ".hand .card"))
            assert slot
            assert card
            assert slot["width"] <= card["width"], "a place for a card is no larger than it"
            lines = page.locator(".asked h1").evaluate(LINES)
            assert lines <= 2, "whose crib it is stands on the button alone"


PAD = """() => [...document.querySelectorAll(".pad .digits .key, .pad output")]
  .map((one) => [one.clientHeight, parseFloat(getComputedStyle(one).fontSize)].map((px) => px / innerHeight))"""


def test_the_pad_grows_with_the_window_and_is_seen_whole(page: Page, companion: RehearsedClient) -> None:
    for scene in (PEGGING, COUNTING, PLAY.then("P1")):
        show(page, companion, scene)
        for size in ((1920, 1080), (2560, 1440)):
            resize(page, *size)
            for height, letters in page.evaluate(PAD):
                assert height > 0.07, (scene, size)
                assert letters > 0.028, (scene, size)
            assert page.evaluate("document.querySelector('.pad').getBoundingClientRect().bottom") <= size[1]


OUT_OF_PAD = """() => {
  const pad = document.querySelector(".pad").getBoundingClientRect();
  return [...document.querySelectorAll(".pad button")].filter((one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const isOut = left < pad.left || right > pad.right || top < pad.top || bottom > Math.min(pad.bottom, innerHeight);
    return isOut || one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  }).map((one) => one.textContent);
}"""
"""The buttons of the pad that stand out of it, or whose text is cut."""


def test_the_buttons_of_a_pad_are_whole_inside_it_with_long_names_too(
    page: Page, companion: RehearsedClient
) -> None:
    who_deals = Scene("OK OK", NextGame(entry="peg", house=House(("Maximilian", "Bartholomew"))))
    for scene in (who_deals, who_deals.then("P1 OK OK digit:1 digit:2")):
        show(page, companion, scene)
        expect(page.locator(".pad .buttons button").first).to_be_visible()
        for size in ((320, 568), (375, 667), (390, 664), (390, 720), (390, 844), (844, 390), (1280, 800)):
            resize(page, *size)
            assert page.evaluate(OUT_OF_PAD) == [], (scene.keys, size)


def test_on_a_small_phone_the_hand_of_real_cards_that_is_shown_is_no_smaller_than_a_finger(
    page: Page, companion: RehearsedClient
) -> None:
    resize(page, 320, 568)
    show(page, companion, SHOW)
    place = page.locator(".pile > .card").first.bounding_box()
    assert place is not None
    assert place["width"] >= 44


UNSEEN = """() => [...document.querySelectorAll(".dialog button")].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  return [y + 2, y + height - 2].some((at) => !one.contains(document.elementFromPoint(x + width / 2, at)));
}).map((one) => one.textContent)"""


def test_a_correction_is_seen_whole_on_a_phone(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, PLAY.then("P1"))
    for size in ((320, 568), (390, 664)):
        resize(page, *size)
        assert page.evaluate(UNSEEN) == [], size
    resize(page, 320, 400)
    assert "Set score to 2" not in page.evaluate(UNSEEN)


OUT_OF_ITS_BOX = """() => [...document.querySelectorAll("main, main *")].filter((one) => {
  const { overflowX, display, backgroundColor } = getComputedStyle(one);
  if (one.closest("svg, .unseen, .card") || display === "inline" || overflowX !== "visible" || !one.clientWidth) return false;
  return backgroundColor !== "rgba(0, 0, 0, 0)" && one.scrollWidth > one.clientWidth + 1;
}).map((one) => `${one.tagName} ${one.className}: ${one.textContent.slice(0, 40)}`)"""
"""The boxes with a background whose content is wider than they are."""
PAGES = (
    "",
    "#rules",
    "#settings",
    "#names",
    "#count",
    "#learn/five-minutes",
    "#games",
    "#stats",
    "#practice",
    "#phones",
)


@pytest.mark.parametrize("size", some_of([(320, 568), (360, 640), (390, 844)], 0), ids=str)
def test_nothing_on_a_phone_stands_out_of_its_box(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        for scene in sorted(SCENES.keys() - {"idle", "new-game"}):  # they have no table
            show(page, companion, scene)
            assert page.evaluate(OUT_OF_ITS_BOX) == [], scene
        show(page, companion, PLAY)
        for path in PAGES:
            page.goto(f"{server.url}{path}")
            expect(page.locator("main:not(.failed) :is(h1, .way)").first).to_be_visible()
            page.evaluate(SETTLE)
            assert page.evaluate(OUT_OF_ITS_BOX) == [], path


BOXES = """() => [...document.querySelectorAll(".tile")].map((tile) => {
  const { y, height } = tile.getBoundingClientRect(), said = tile.querySelector("small");
  return [y, height, said.scrollHeight > said.clientHeight + 1 && said.textContent];
})"""
OF_THREE = NextGame(players=3, entry="dealt", levels=("", "easy", "medium"), house=House(("Kate", "", "")))
OF_FOUR = replace(OF_THREE, players=4, levels=("", "easy", "medium", "beginner")).with_house(
    names=("Kate", "", "", "")
)
ALL_SIZES = ((320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080))
SOME_SIZES = {3: ALL_SIZES[1::2], 4: ALL_SIZES[::2]}
"""Each of them once, and the narrowest for four, whose boxes are the fullest."""


@pytest.mark.parametrize("setup", [OF_THREE, OF_FOUR], ids=["three", "four"])
def test_boxes_stay_as_high_whatever_is_said_in_them(
    page: Page, companion: RehearsedClient, setup: NextGame, *, whole: bool
) -> None:
    scene = Scene("OK OK", setup, seed=3)
    sizes = ALL_SIZES if whole else SOME_SIZES[setup.players]
    found: dict[tuple[int, int], Any] = {}
    for _ in range(STEPS_OF_A_DEAL):
        show(page, companion, scene)
        told: Any = {**companion.state(), **companion.page()}
        if told["phase"] not in {"cut", "new-game"}:
            for size in sizes:
                resize(page, *size)
                boxes = page.evaluate(BOXES)
                assert not any(cut for *_, cut in boxes), (told["phase"], size, boxes)
                assert found.setdefault(size, boxes) == boxes, (told["phase"], size)
        if told["table"]["deal"] == 2:
            return
        scene = scene.then(next_key(told))
    pytest.fail("no second deal")


WHOLE = """() => [...document.querySelectorAll(".tile b bdi")].flatMap(({ childNodes }) =>
  [...childNodes].filter((node) => node.nodeType === 3 && node.data.length > 1).map((node) => {
    const range = document.createRange();
    range.selectNode(node);
    return [node.data, new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size];
  }))"""


def test_the_names_of_partners_break_between_them(page: Page, companion: RehearsedClient) -> None:
    resize(page, 390, 664)
    setup = FOUR.setup.with_house(names=("Annabel", "Bob", "Hard", "Medium"))
    show(page, companion, replace(LEAD, setup=setup, keys="OK OK 7"))
    assert page.evaluate(WHOLE) == [[name, 1] for name in ("Annabel", "Hard", "Bob", "Medium")]


def test_the_places_of_a_crib_that_is_to_come_hide_what_they_lie_on(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, SHOW)
    places = page.locator(".few > .slot")
    expect(places).to_have_count(4)
    grounds = places.evaluate_all("(all) => all.map((one) => getComputedStyle(one).backgroundColor)")
    assert "rgba(0, 0, 0, 0)" not in grounds
