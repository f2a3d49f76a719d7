"""The page of a game that the computer deals, in a real browser: the hand, the felt, what is asked, who plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Literal

import pytest
from companion.web.browser import (
    AT_REST,
    TABLE,
    needs_chromium,
    resize,
    show,
    until_pressed,
    until_rested,
    visit,
)
from companion.web.dealt_scenes import (
    DEALT,
    DEALT_SCENES,
    LAY_AWAY,
    MENU,
    PARTNERS_DEALT,
    SHOW_KEYS,
    TO_PLAY,
)
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from companion.web.test_page_in_browser import CONTRAST
from playwright.sync_api import Browser, Page, expect
from support.samples import some_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

CUT = """[...document.querySelectorAll(".felt, .hand, .asked h1, .remark, .tile .who b")].filter((n) => innerWidth > 640 || n.tagName !== "B")
  .filter((n) => n.offsetParent && (n.scrollHeight > n.clientHeight + 1 || n.scrollWidth > n.clientWidth + 1)).map((n) => n.className || n.tagName)"""
SCROLLS = (
    "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
)
MEASURED = f"[{CUT}, {SCROLLS}, ({CONTRAST})()]"
SCHEMES: Final[tuple[Literal["light", "dark"], ...]] = ("light", "dark")
TOP = "(card) => card.getBoundingClientRect().top"
SPOKEN = "(all) => all.map((one) => one.ariaLabel)"


def card(page: Page, name: str) -> str:
    return page.locator(f'.hand [data-card="{name}"]').get_attribute("aria-label") or ""


def test_nothing_is_cut_or_scrolls_and_every_text_stands_out(
    browser: Browser, server: PageServer, companion: RehearsedClient, *, whole: bool
) -> None:
    phone, laptop = (390, 664), (1366, 650)
    others = ((1280, 800), (1024, 600), (640, 400), (768, 1024))
    with visit(browser, server.url, phone, path=TABLE) as page:
        page.emulate_media(reduced_motion="reduce")
        for scene in DEALT_SCENES:
            show(page, companion, scene)
            for size in (phone, laptop, *(others if whole else ())):
                resize(page, *size)
                for scheme in SCHEMES:
                    page.emulate_media(color_scheme=scheme)
                    page.wait_for_function(AT_REST)
                    cut, scrolled, (ratio, text) = page.evaluate(MEASURED)
                    assert cut == [], (scene, size)
                    assert max(scrolled) <= 0, (scene, size)
                    assert ratio >= 4.5, (scene, size, scheme, text)


def test_on_a_phone_a_card_is_as_large_as_a_thumb_and_the_hand_is_seen_without_scrolling(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (390, 664), is_touch=True, path=TABLE) as page:
        show(page, companion, LAY_AWAY)
        expect(page.locator(".hand button.card")).to_have_count(6)
        for one in page.locator(".hand button.card").all():
            box = one.bounding_box()
            assert box is not None
            assert box["width"] >= 44
            assert box["height"] >= 44
            expect(one).to_be_in_viewport(ratio=1)
        page.locator('.hand [data-card="QH"]').tap(position={"x": 12, "y": 20})
        until_pressed(page, companion, "QH")


MOVES = """() => {
  [window.moves, window.moved] = [Element.prototype.animate, 0];
  Element.prototype.animate = function (...how) { window.moved += 1; return window.moves.apply(this, how); };
}"""


def test_a_chosen_card_is_lifted_and_said_to_be_chosen(page: Page, companion: RehearsedClient) -> None:
    page.emulate_media(reduced_motion="reduce")
    page.evaluate(MOVES)
    show(page, companion, "laid out")
    lying, lifted = (page.locator(f'.hand [data-card="{one}"]').evaluate(TOP) for one in ("2S", "AC"))
    assert lifted < lying - 5
    expect(page.get_by_role("button", name="ace of clubs", pressed=True)).to_have_count(1)
    expect(page.get_by_role("button", name="two of spades", pressed=False)).to_have_count(1)
    page.get_by_role("button", name="Send to my crib").click()
    until_pressed(page, companion, "OK")
    assert page.evaluate("() => { Element.prototype.animate = window.moves; return window.moved; }") == 0


def test_what_cannot_be_played_is_dimmed_and_the_table_says_why(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, TO_PLAY)
    expect(page.locator(".hand .dull")).to_have_count(2)
    expect(page.locator(".asked .main")).to_contain_text("makes 31")
    queen = page.get_by_role("button", name="queen of hearts")
    expect(queen).to_be_disabled()
    page.wait_for_function(AT_REST)
    queen.click(force=True)
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert companion.pressed == []
    page.locator('.hand [data-card="2S"]').click(
        position={"x": 12, "y": 20}
    )  # the only one: it is lifted already
    until_pressed(page, companion, "2S")
    show(page, companion, PARTNERS_DEALT)
    page.wait_for_function(AT_REST)  # a card that still moves leaves a mouse that lies still
    page.locator('.hand [data-card="QD"]').hover()
    expect(page.locator(".asked .main")).to_contain_text("makes 21")


def test_the_keyboard_alone_is_enough(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, LAY_AWAY)
    expect(page.locator(".hand button.card")).to_have_count(6)
    expect(page.locator(".asked .remark")).to_have_text("0 of 2 chosen")
    for name in ("a", "5", "Enter"):
        page.keyboard.press(name)
    until_pressed(page, companion, "A", "5", "OK")
    show(page, companion, LAY_AWAY)
    page.locator('.hand [data-card="2S"]').focus()
    page.keyboard.press("Tab")
    five = page.locator('.hand [data-card="5C"]')
    expect(five).to_be_focused()
    assert five.evaluate("(n) => getComputedStyle(n).outlineStyle") != "none"
    page.keyboard.press("Enter")
    until_pressed(page, companion, "A", "5", "OK", "5C")


def test_enter_plays_the_card_that_is_lifted(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, TO_PLAY)
    expect(page.locator(".buttons .main")).to_contain_text("Play 2")  # the only one that can be played
    until_rested(page)
    page.keyboard.press("Enter")
    until_pressed(page, companion, "2S")


def test_the_computer_at_it_is_told_quietly_and_nothing_is_offered(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, "thinks")
    expect(page.get_by_role("heading", level=1)).to_have_text("Thrifty is thinking")
    expect(page.locator(".tile.acts")).to_contain_text("Thrifty")
    pegs = page.locator(".tile .peg").evaluate_all("(all) => all.map((one) => one.dataset.side)")
    assert pegs == ["0", "1"]
    expect(page.locator("[data-tool=hint]")).to_be_disabled()
    expect(page.locator(".hand .dull")).to_have_count(0)
    expect(page.locator(".asked button")).to_have_count(0)
    page.locator('.hand [data-card="QH"]').click(force=True)
    assert companion.sent == []
    page.keyboard.press("k")
    expect(page.get_by_role("alert")).not_to_be_empty()
    assert companion.pressed == []
    assert companion.sent == ["K"]


def test_the_level_of_each_seat_is_told_before_the_play(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, "lay away")
    expect(page.locator(".tile", has_text="Thrifty")).to_contain_text("Thrifty")
    expect(page.locator(".tile", has_text="You")).not_to_contain_text("Thrifty")


def test_the_felt_has_the_cards_of_the_count_the_starter_and_the_crib_face_down(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, "to play")
    expect(page.locator(".tile", has_text="Thrifty")).to_contain_text("2 cards")
    laid = page.locator(".pile .card")
    expect(laid).to_have_count(3)
    assert laid.evaluate_all(SPOKEN) == ["queen of spades", "nine of clubs", "jack of diamonds"]
    expect(page.locator(".count output")).to_have_text("29")
    expect(page.get_by_role("img", name="seven of spades", exact=True)).to_be_visible()
    expect(page.locator(".felt .crib [data-card], .felt .crib .face")).to_have_count(0)


@pytest.mark.parametrize("size", some_of([(320, 568), (390, 844), (1280, 800)], 0), ids=str)
def test_what_lies_in_the_crib_is_seen_beside_the_places_of_the_own_discards(
    browser: Browser, server: PageServer, companion: RehearsedClient, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size, path=TABLE) as page:
        show(page, companion, LAY_AWAY)
        expect(page.locator(".felt figure.crib")).to_have_count(0)
        expect(page.get_by_role("img", name="Your crib, 2 cards")).to_be_visible()
        places = page.locator(".slots :is(.slot, .card)")
        expect(places).to_have_count(4)
        for place in places.all():
            expect(place).to_be_in_viewport(ratio=1)
        outside = """(felt) => [...felt.querySelectorAll(".slot, .slots .card")].filter((one) => {
          const [inner, outer] = [one.getBoundingClientRect(), felt.getBoundingClientRect()];
          return inner.right > outer.right || inner.bottom > outer.bottom;
        }).length"""
        assert page.locator(".felt").evaluate(outside) == 0
        show(page, companion, replace(LAY_AWAY, keys=LAY_AWAY.keys.replace("P1", "P2")))
        expect(page.locator(".slots h2")).to_have_text("Thrifty's crib")


def test_who_has_cards_to_choose_is_marked_while_the_computer_still_thinks(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, replace(LAY_AWAY, keys="OK OK P1", last="OK"))
    assert page.evaluate("fetch('/api/page').then((it) => it.json())")["thinking"] == 1
    expect(page.locator(".tile.acts")).to_contain_text("You")
    expect(page.locator(".asked")).to_have_attribute("data-side", "0")


def test_a_show_is_tallied_score_by_score(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, "shown")
    page.get_by_role("button", name="All at once").click()
    lines = page.locator(".show .tally li")
    expect(lines).to_have_count(5)
    expect(lines.nth(2)).to_contain_text("a pair is six")
    expect(lines.nth(2).locator(".of")).to_have_text("4♦ 4♠")
    expect(page.get_by_role("heading", level=1)).to_have_text("You show")
    expect(page.locator(".shown .card")).to_have_count(5)
    page.get_by_role("button", name="Peg 12").click()
    until_pressed(page, companion, "OK")


def test_all_lines_of_a_count_are_in_view_on_a_narrow_screen(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (320, 568), path=TABLE) as page:
        show(page, companion, "shown")
        page.get_by_role("button", name="Pause").click()
        lines = page.locator(".show .tally li")
        expect(lines).to_have_count(5)
        for _ in range(6):
            for line in lines.all():
                expect(line).to_be_in_viewport(ratio=1)
            page.locator(".show .tally").evaluate("(tally) => tally.click()")
        for button in page.locator(".show .buttons button").all():
            expect(button).to_be_in_viewport(ratio=1)


def test_the_line_that_is_counted_is_in_view_on_a_low_screen(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (568, 320), path=TABLE) as page:
        show(page, companion, "shown")
        page.get_by_role("button", name="Pause").click()
        lines = page.locator(".show .tally li")
        while page.locator(".show .tally .later").count():
            expect(page.locator(".show .tally .now")).to_be_in_viewport(ratio=0.9)
            page.locator(".show .tally").evaluate("(tally) => tally.click()")
        expect(lines.last).to_be_in_viewport(ratio=0.9)


def test_a_closed_hand_is_not_there_and_ok_opens_it_for_its_holder(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, "closed")
    expect(page.get_by_role("heading", level=1)).to_have_text("Pass to BLUE")
    expect(page.locator(".hand .card.down")).to_have_count(6)
    expect(page.locator("[data-card]")).to_have_count(0)
    page.get_by_role("button", name="Show BLUE's cards").click()
    until_pressed(page, companion, "OK")


def test_a_tap_on_a_closed_hand_opens_it_too(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, "closed")
    until_rested(page)
    page.locator(".hand .face-down").click()
    until_pressed(page, companion, "OK")


def test_a_refusal_names_no_key_of_the_device(page: Page, companion: RehearsedClient) -> None:
    """The page asks without keys, and says it again without them: FLNB is a lamp here."""
    show(page, companion, "lay away")
    asks = page.get_by_role("heading", level=1).inner_text()
    until_rested(page)
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(asks)
    page.evaluate("() => { location.hash = 'device'; }")
    page.locator('.device [data-key="OK"]').click(force=True)
    expect(page.get_by_role("alert")).to_contain_text("FLNB")  # there it is a key


def test_a_game_without_persons_shows_the_cards_of_the_count(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, "watched")
    expect(page.locator(".count output")).to_have_text("28")
    expect(page.locator(".pile .card")).to_have_count(4)
    expect(page.locator(".hand button")).to_have_count(0)


def test_a_menu_takes_the_place_of_the_hand(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, MENU)
    expect(page.get_by_role("heading", level=1)).to_have_text("Menu")
    expect(page.locator(".hand button, .asked button")).to_have_count(0)
    page.get_by_role("button", name="Close", exact=True).last.click()
    until_pressed(page, companion, "UNDO")


def test_cards_in_sentences_have_their_suits_signs_and_names_stay_names(
    page: Page, companion: RehearsedClient
) -> None:
    scene = replace(Scene(SHOW_KEYS, DEALT.with_house(you="JC")), seed=6)
    show(page, companion, scene)
    expect(page.get_by_role("heading", level=1)).to_have_text("JC shows")
    show(page, companion, scene.then("OK"))
    first = page.locator(".log li").filter(has_text="shows").first
    expect(first.locator(".head")).to_contain_text("JC shows: fifteen two")
    expect(first.locator(".score").first).to_contain_text("5♥")


def test_with_real_cards_there_is_no_hand_and_with_dealt_ones_no_keypad(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, "to play")
    expect(page.locator(".hand")).to_be_visible()
    expect(page.locator(".keypad")).to_have_count(0)
    show(page, companion, "play")
    expect(page.locator(".hand")).to_have_count(0)
    expect(page.locator(".keypad")).to_be_visible()
