"""The page of a game that the machine deals, in a real browser: the hand, the table, what OK does, who
plays."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from cribpi.core.levels import CARELESS_NAMES, NAMES, title_of
from cribpi.web.server import PageServer
from web.browser import key, needs_chromium, show, until_pressed, visit
from web.dealt_scenes import DEALT, DEALT_SCENES, LAY_AWAY, MENU, SHOW_KEYS, TO_PLAY
from web.rehearsed import RehearsedCompanion
from web.scene import Scene, with_changes
from web.test_page_in_browser import CONTRAST

pytestmark = [pytest.mark.browser, needs_chromium]


PLACES = """() => ["#wood", "#pixels", "#keypad", "#next", "#hand .whose"].map((name) => {
  const { x, y, width, height } = document.querySelector(name).getBoundingClientRect();
  return [name, x, y, width, height].map((part) => (typeof part === "number" ? Math.round(part) : part));
})"""
SCROLLS = (
    "[document.documentElement.scrollHeight - innerHeight, document.documentElement.scrollWidth - innerWidth]"
)
CUT = """[...document.querySelectorAll("#felt, #hand, #hand .tally, #next")]
  .filter((n) => n.offsetParent && (n.scrollHeight > n.clientHeight + 1 || n.scrollWidth > n.clientWidth + 1)).map((n) => n.id || n.className)"""
MEASURED = f"[({PLACES})(), {CUT}, {SCROLLS}, ({CONTRAST})()]"
ONE_GAME = {"lay away", "to play", "go", "thinks", "shown"}
"""On a phone more seats need more rows, and so does OK beside the hint where two cards are chosen."""
TOP = "(card) => card.getBoundingClientRect().top"


def card(page: Page, name: str) -> str:
    return page.locator(f'#hand [data-card="{name}"]').get_attribute("aria-label") or ""


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], ids=["desk", "phone"])
def test_nothing_is_cut_or_moves_and_every_text_stands_out(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size) as page:
        show(page, companion, "lay away")
        places = page.evaluate(PLACES)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            for scene in DEALT_SCENES:
                show(page, companion, scene)
                found, cut, (lower, wider), (ratio, text) = page.evaluate(MEASURED)
                if scene in ONE_GAME or size[0] > 1000:
                    assert found == places, scene
                assert cut == [], scene
                assert wider <= 0, scene
                assert size[0] < 1000 or lower <= 0, scene
                assert ratio >= 4.5, (scene, scheme, text)


def test_on_a_phone_a_card_is_as_large_as_a_thumb_and_the_hand_is_seen_without_scrolling(
    browser: Browser, server: PageServer, companion: RehearsedCompanion
) -> None:
    with visit(browser, server.url, (390, 844), is_touch=True) as page:
        companion.change(LAY_AWAY)
        expect(page.locator("#hand button.card")).to_have_count(6)
        for one in page.locator("#hand button.card").all():
            box = one.bounding_box()
            assert box is not None
            assert box["width"] >= 44
            assert box["height"] >= 44
            expect(one).to_be_in_viewport(ratio=1)
        page.locator('#hand [data-card="QH"]').tap()
        until_pressed(page, companion, "QH")
        expect(page.locator("#hand .ok")).to_be_in_viewport(ratio=1)


def test_a_chosen_card_is_lifted_and_said_to_be_chosen(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, "laid out")
    page.emulate_media(reduced_motion="reduce")
    lying, lifted = (page.locator(f'#hand [data-card="{one}"]').evaluate(TOP) for one in ("2S", "AC"))
    assert lifted < lying - 5
    assert card(page, "AC") == "ace of clubs, chosen"
    assert card(page, "2S") == "two of spades"
    expect(page.get_by_role("button", name="Send to my crib")).to_be_enabled()


def test_a_card_is_pressed_by_its_name_and_what_cannot_be_played_is_dimmed_and_still(
    page: Page, companion: RehearsedCompanion
) -> None:
    companion.change(TO_PLAY)
    expect(page.locator("#hand .barred")).to_have_count(2)
    assert card(page, "QH") == "queen of hearts, can't be chosen"
    expect(page.locator("#hand .ok")).to_have_text("Choose a card")
    page.locator('#hand [data-card="QH"]').click(force=True)
    page.locator("#hand .ok").click(force=True)  # there is nothing for it to do yet
    page.locator('#hand [data-card="2S"]').click()
    until_pressed(page, companion, "2S")
    assert companion.sent == ["2S"]


def test_the_keyboard_alone_is_enough_and_the_focus_stays_in_the_hand(
    page: Page, companion: RehearsedCompanion
) -> None:
    companion.change(LAY_AWAY)
    expect(page.locator("#hand button.card")).to_have_count(6)
    for name in ("a", "5", "Enter"):
        page.keyboard.press(name)
    until_pressed(page, companion, "A", "5", "OK")
    companion.change(LAY_AWAY)
    expect(page.locator("#hand button.card")).to_have_count(6)
    page.locator('#hand [data-card="2S"]').focus()
    page.keyboard.press("Tab")
    expect(page.locator('#hand [data-card="5C"]')).to_be_focused()
    assert (
        page.locator('#hand [data-card="5C"]').evaluate("(n) => getComputedStyle(n).outlineStyle") != "none"
    )
    page.keyboard.press("Enter")
    until_pressed(page, companion, "A", "5", "OK", "5C")
    show(page, companion, TO_PLAY)  # the card is gone: the one in its place has the focus
    assert page.evaluate("document.activeElement.dataset.card") == "KH"


def test_the_machine_at_it_is_told_quietly_and_no_key_is_marked(
    page: Page, companion: RehearsedCompanion
) -> None:
    show(page, companion, "thinks")
    expect(page.locator("#felt .seat.acts")).to_contain_text("is thinking")
    expect(page.locator("#hand .ok")).to_have_text("BLUE is thinking")
    expect(page.locator("#hand .barred")).to_have_count(0)
    expect(page.locator("#keypad [data-next=first]")).to_have_count(0)
    page.locator('#hand [data-card="QH"]').click(force=True)
    page.emulate_media(reduced_motion="reduce")
    assert page.locator("#felt .thinking").evaluate("(n) => getComputedStyle(n).animationName") == "none"
    key(page, "K")
    expect(page.locator("#refusal")).not_to_have_text("")
    assert companion.pressed == []
    assert companion.sent == ["K"]


def test_a_level_is_called_what_players_call_it(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(TO_PLAY)
    state: Any = companion.state()
    orange, blue = state["seats"]
    for level in (*NAMES, *CARELESS_NAMES, "of-tomorrow"):
        show(page, companion, with_changes(TO_PLAY, seats=[orange, blue | {"level": level}]))
        expect(page.locator("#felt .seat .level")).to_have_text(title_of(level))


def test_the_table_shows_backs_the_count_and_the_starter(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, "to play")
    others = page.locator("#felt .seat")
    expect(others).to_have_count(1)
    expect(others).to_contain_text("BLUE")
    expect(others).to_contain_text("2 cards")
    expect(others.locator("svg.back")).to_have_count(2)
    expect(page.locator("#felt .crib svg.back")).to_have_count(4)
    names = "(all) => all.map((one) => one.ariaLabel)"
    assert page.locator("#felt .pile .card").evaluate_all(names) == [
        "queen of spades",
        "nine of clubs",
        "jack of diamonds",
    ]
    expect(page.locator("#felt .pile")).to_contain_text("count 29")
    expect(page.get_by_role("img", name="seven of spades", exact=True)).to_be_visible()


def test_a_show_is_tallied_score_by_score(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, "shown")
    lines = page.locator("#hand .tally li")
    expect(lines).to_have_count(5)
    expect(lines.nth(2)).to_have_text("a pair is six4♦ 4♠")
    expect(page.locator("#hand .whose")).to_have_text("ORANGE shows: 12")
    expect(page.locator("#hand .cards .card")).to_have_count(5)
    page.get_by_role("button", name="Peg 12").click()
    until_pressed(page, companion, "OK")


def test_a_closed_hand_is_backs_and_ok_opens_it_for_its_holder(
    page: Page, companion: RehearsedCompanion
) -> None:
    show(page, companion, "closed")
    expect(page.locator("#hand .card.covered")).to_have_count(6)
    expect(page.locator("#hand .whose")).to_have_text("BLUE's hand, face down")
    expect(page.locator("#hand svg.face")).to_have_count(0)
    page.get_by_role("button", name="Show BLUE's cards").click()
    until_pressed(page, companion, "OK")


def test_a_game_without_persons_shows_the_cards_of_the_count(
    page: Page, companion: RehearsedCompanion
) -> None:
    show(page, companion, "watched")
    expect(page.locator("#hand .whose")).to_have_text("The play: count 28")
    expect(page.locator("#hand .card")).to_have_count(4)
    expect(page.locator("#hand button.card")).to_have_count(0)


def test_a_menu_over_the_hand_lets_no_card_be_pressed(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(MENU)
    card_2s = page.locator('#hand [data-card="2S"]')
    expect(card_2s).to_have_attribute("aria-disabled", "true")
    expect(page.locator("#hand .ok")).to_be_hidden()
    expect(page.locator("#hand .barred")).to_have_count(0)
    card_2s.click(force=True)
    assert companion.sent == []


def test_cards_in_sentences_have_their_suits_signs_and_names_stay_names(
    page: Page, companion: RehearsedCompanion
) -> None:
    companion.change(replace(Scene(SHOW_KEYS, replace(DEALT, names=("JC", "BLUE"))), seed=6))
    expect(page.locator("#prompt")).to_have_text("JC shows 4♦ 4♠ 5♥ 6♣ with 8♦. OK: Peg 12")


def test_with_cards_of_paper_there_is_no_hand(page: Page, companion: RehearsedCompanion) -> None:
    show(page, companion, "to play")
    expect(page.locator("#hand")).to_be_visible()
    show(page, companion, "play")
    expect(page.locator("#hand")).to_be_hidden()
    expect(page.locator("#felt")).to_be_hidden()


@pytest.mark.parametrize(
    "size", [pytest.param((1280, 800), marks=pytest.mark.prove), (390, 844)], ids=["desk", "phone"]
)
def test_who_plays_is_asked_where_the_machine_deals(
    browser: Browser, server: PageServer, companion: RehearsedCompanion, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size) as page:
        page.get_by_role("button", name="Rules", exact=True).click()
        seating = page.get_by_role("group", name="Players")
        expect(seating).to_be_hidden()
        page.locator("#rule-entry").select_option("dealt")
        expect(seating).to_be_visible()
        page.locator("#rule-players").select_option("3")
        expect(seating.locator(".option:visible")).to_have_count(4)
        page.get_by_label("Who plays in seat 2").select_option("expert")
        expect(page.locator("[data-option=seat-1]")).to_contain_text("the strongest")
        page.get_by_label("Who plays in seat 3").select_option("")
        page.get_by_label("Name for seat 1").fill("ANN")
        page.locator("#rule-speed").select_option("slow")
        wide = (
            "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)(document.querySelector('#rules "
            ".scroll'))"
        )
        assert page.evaluate(wide) == 0
        page.get_by_label("Name for seat 3").fill("CAT")
        page.get_by_role("button", name="Set up the next game").click()
        expect(page.get_by_role("dialog")).to_have_count(0)
        asked = companion.set_ups[-1]
        assert asked["entry"] == "dealt"
        assert asked["levels"] == ["", "expert", ""]
        assert asked["speed"] == "slow"
        assert asked["names"] == ["ANN", "BLUE", "CAT"]
