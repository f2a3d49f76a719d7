"""A card is dragged to the felt, or to the crib, by mouse and by finger; and a tap on the felt goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pytest
from companion.web.browser import (
    SETTLE,
    TABLE,
    needs_chromium,
    show,
    until_pressed,
    until_sent,
    visit,
    wait_until,
)
from companion.web.dealt_scenes import DEALT, LAID_OUT, LAY_AWAY, THINKS, TO_PLAY
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene
from playwright.sync_api import Browser, Locator, Page, expect

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]

LEAD = LAID_OUT.then("OK OK")
"""ORANGE holds 2 9 Q K, and may play any."""
PLACES = "(cards) => cards.map((card) => JSON.stringify(card.getBoundingClientRect()))"
HELD = ".hand button.card"
RESTS = 1000
"""Milliseconds after which each button and card takes a press."""
Drag = Callable[[Page, Locator, Locator], None]


@pytest.fixture
def page(browser: Browser, server: PageServer) -> Iterator[Page]:
    """Give a page whose clock stands, so that a test can let a button rest without waiting for it."""
    with visit(browser, server.url, is_still=True, path=TABLE) as page:
        yield page


@pytest.fixture
def phone(browser: Browser, server: PageServer) -> Iterator[Page]:
    """Give such a page on a phone, which may have a mouse too."""
    with visit(browser, server.url, (390, 844), is_still=True, is_touch=True, path=TABLE) as page:
        yield page


def come(page: Page, companion: RehearsedClient, scene: str | Scene) -> None:
    show(page, companion, scene)
    page.clock.run_for(RESTS)
    page.evaluate(SETTLE)


def middle(part: Locator) -> tuple[float, float]:
    box = part.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def grip(card: Locator) -> tuple[float, float]:
    """Return where a card is held: at its left edge, which no other covers."""
    box = card.bounding_box()
    assert box
    return box["x"] + 12, box["y"] + box["height"] / 2


def by_mouse(page: Page, card: Locator, place: Locator) -> None:
    page.mouse.move(*grip(card))
    page.mouse.down()
    page.mouse.move(*middle(place), steps=4)
    page.mouse.up()


def by_finger(page: Page, card: Locator, place: Locator) -> None:
    (x, y), (to_x, to_y) = grip(card), middle(place)
    fingers = page.context.new_cdp_session(page)
    steps = [(x + (to_x - x) * at / 4, y + (to_y - y) * at / 4) for at in range(1, 5)]
    fingers.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
    for one, two in steps:
        fingers.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": one, "y": two}]})
    fingers.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    fingers.detach()


def held(page: Page, name: str) -> Locator:
    return page.locator(f'.hand [data-card="{name}"]')


def lies_in_its_place(page: Page, name: str) -> None:
    def lies() -> bool:
        page.clock.run_for(50)
        return bool(held(page, name).evaluate("(card) => card.style.translate === ''"))

    wait_until(page, lies)


def lies_on(card: Locator, place: Locator) -> bool:
    return sum(abs(one - other) for one, other in zip(middle(card), middle(place), strict=True)) < 4


DRAGS = (by_mouse, by_finger)


def test_a_card_that_is_let_go_over_the_felt_is_played(phone: Page, companion: RehearsedClient) -> None:
    for drag in DRAGS:
        come(phone, companion, LEAD)
        companion.pressed.clear()
        drag(phone, held(phone, "9C"), phone.locator(".pile"))
        until_pressed(phone, companion, "9C")
        expect(phone.locator('.pile [data-card="9C"]')).to_be_visible()


def test_two_cards_that_are_dragged_to_the_crib_are_discarded(
    phone: Page, companion: RehearsedClient
) -> None:
    for drag in DRAGS:
        come(phone, companion, LAY_AWAY)
        companion.pressed.clear()
        drag(phone, held(phone, "AC"), phone.locator(".slot").first)
        until_pressed(phone, companion, "AC")
        slot, card = phone.locator(".slot").first, held(phone, "AC")
        wait_until(phone, partial(lies_on, card, slot))
        drag(phone, held(phone, "5C"), phone.locator(".felt"))
        until_pressed(phone, companion, "AC", "5C", "OK")


def test_a_card_that_is_dragged_out_of_the_crib_goes_back_to_the_hand(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, LAY_AWAY)
    by_mouse(page, held(page, "AC"), page.locator(".felt"))
    until_pressed(page, companion, "AC")
    expect(held(page, "AC")).to_have_attribute("aria-pressed", "true")
    by_mouse(page, held(page, "AC"), page.locator(".hand"))
    until_pressed(page, companion, "AC", "AC")
    lies_in_its_place(page, "AC")


def test_a_card_that_is_let_go_elsewhere_goes_back_and_no_other_moves(
    page: Page, companion: RehearsedClient
) -> None:
    page.emulate_media(reduced_motion="reduce")
    come(page, companion, LEAD)
    others = page.locator('.hand .card:not([data-card="9C"])')
    before = others.evaluate_all(PLACES)
    page.mouse.move(*grip(held(page, "9C")))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".pile")), steps=3)
    expect(page.locator(".felt[data-over]")).to_have_count(1)
    expect(page.locator(".asked .main")).to_contain_text("makes 19")
    assert others.evaluate_all(PLACES) == before
    page.mouse.move(*middle(page.locator(".tools")), steps=3)
    expect(page.locator(".felt[data-over]")).to_have_count(0)
    page.mouse.up()
    lies_in_its_place(page, "9C")
    page.mouse.move(*grip(held(page, "9C")))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".pile")), steps=3)
    page.keyboard.press("Escape")
    lies_in_its_place(page, "9C")
    page.mouse.up()
    until_sent(page, companion)


def test_a_second_finger_ends_a_drag_and_nothing_is_played(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (390, 844), is_still=True, is_touch=True, path=TABLE) as page:
        come(page, companion, LEAD)
        (x, y), (to_x, to_y) = grip(held(page, "9C")), middle(page.locator(".pile"))
        first, other = {"x": to_x, "y": to_y, "id": 0}, {"x": 60, "y": 300, "id": 1}
        fingers = page.context.new_cdp_session(page)
        for kind, points in (
            ("touchStart", [first | {"x": x, "y": y}]),
            ("touchMove", [first]),
            ("touchStart", [first, other]),
            ("touchEnd", [first]),
            ("touchEnd", []),
        ):
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        fingers.detach()
        lies_in_its_place(page, "9C")
        until_sent(page, companion)


def test_a_card_that_is_let_go_in_another_step_of_the_game_goes_back(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, LEAD)
    page.mouse.move(*grip(held(page, "9C")))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".felt")), steps=3)
    show(page, companion, LAY_AWAY)  # somebody else has taken the discards back
    page.mouse.up()
    lies_in_its_place(page, "9C")
    until_sent(page, companion)


def test_a_card_that_is_let_go_while_the_computer_thinks_stays_in_the_hand(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, LEAD)
    page.mouse.move(*grip(held(page, "QH")))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".felt")), steps=3)
    show(page, companion, THINKS)  # another screen has played the 9
    page.mouse.up()
    lies_in_its_place(page, "QH")
    by_mouse(page, held(page, "KH"), page.locator(".felt"))
    lies_in_its_place(page, "KH")
    until_sent(page, companion)
    expect(page.get_by_role("heading", level=1)).to_have_text("Thrifty is thinking")
    assert "".join(page.locator("[role=alert]").all_inner_texts()) == ""
    expect(page.locator(HELD)).to_have_count(3)


def test_a_card_that_cannot_be_played_goes_back_and_the_table_says_why(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, TO_PLAY)
    by_mouse(page, held(page, "KH"), page.locator(".felt"))
    expect(page.get_by_role("alert")).not_to_be_empty()
    lies_in_its_place(page, "KH")
    assert companion.pressed == []


def test_a_mouse_shows_what_it_is_over_and_plays_it_with_one_click(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, LEAD)
    page.mouse.move(*grip(held(page, "9C")))
    expect(page.locator(".asked .main")).to_contain_text("makes 19")
    page.mouse.move(*middle(page.locator(".tools")))
    expect(page.locator(".asked .main")).to_have_count(0)
    page.mouse.click(*grip(held(page, "9C")))
    until_pressed(page, companion, "9C")


def test_a_finger_lifts_a_card_and_a_tap_on_the_felt_plays_it(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, (390, 844), is_still=True, is_touch=True, path=TABLE) as page:
        come(page, companion, LEAD)
        page.touchscreen.tap(*middle(page.locator(".felt")))
        page.touchscreen.tap(*grip(held(page, "9C")))
        expect(page.locator(".asked .main")).to_contain_text("makes 19")
        until_sent(page, companion)
        page.clock.run_for(RESTS)
        page.touchscreen.tap(*middle(page.locator(".felt")))
        until_pressed(page, companion, "9C")
        page.evaluate("async () => (await import('/page/preferences.js')).prefer('quick', true)")
        come(page, companion, LEAD)
        page.touchscreen.tap(*grip(held(page, "9C")))
        until_pressed(page, companion, "9C", "9C")


def test_a_tap_on_the_felt_opens_no_hand_where_several_share_the_screen(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, "closed")
    page.locator(".felt").click()
    until_sent(page, companion)


def test_a_tap_on_the_felt_sends_what_is_chosen_and_nothing_before(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, LAY_AWAY)
    page.locator(".felt").click()
    until_sent(page, companion)
    come(page, companion, LAID_OUT)
    page.locator(".felt").click()
    until_pressed(page, companion, "OK")


SEATED = """() => [...document.querySelectorAll(".across li")].map((one) => [one.innerText.trim().split("\\n")[0], one.querySelectorAll(".down").length])"""


def test_the_others_sit_across_the_table_with_the_backs_of_their_cards(
    page: Page, companion: RehearsedClient
) -> None:
    come(page, companion, TO_PLAY)
    assert page.evaluate(SEATED) == [["Thrifty", 2]]
    expect(page.locator(".crib.own .down")).to_have_count(4)
    parts = (
        page.locator(one)
        for one in (".across .backs", ".pile .laid:not(.own) >> nth=0", ".pile .own", ".crib.own")
    )
    heights = [middle(part)[1] for part in parts]
    assert heights == sorted(heights), "theirs up, one's own down"
    come(page, companion, "partners")
    assert [name for name, _ in page.evaluate(SEATED)] == ["Thrifty", "Solid", "Chance"]
    come(page, companion, replace(Scene("OK OK P2 OK A Q OK OK", DEALT), seed=6))
    expect(page.locator(".crib:not(.own) .down")).to_have_count(4)
