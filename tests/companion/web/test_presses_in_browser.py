"""Pressing in a real browser: by mouse, finger and keyboard, and with the line cut."""

from __future__ import annotations

import json
import re
from contextlib import closing
from functools import partial
from typing import Any

import pytest
from companion.web.browser import (
    DEVICE,
    TABLE,
    intercept,
    key,
    needs_chromium,
    show,
    until_pressed,
    until_rested,
    until_sent,
    visit,
    wait_until,
)
from companion.web.rehearsed import RehearsedClient
from companion.web.scene import Scene, with_changes
from companion.web.scenes import LEAD, PLAY, QUESTION, SHOW
from playwright.sync_api import APIResponse, Browser, Locator, Page, Route, expect
from support.companions import page_of

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]


ALL_KEYS = (
    "A",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "10",
    "J",
    "Q",
    "K",
    "GO",
    "FLNB",
    "P1",
    "P2",
    "UNDO",
    "MENU",
    "OK",
)
WRONG = "BLUE to play: press the card"  # what is said of a key that means nothing in the play
FROM_THE_TOP = """() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");
}"""
"""The next Tab begins there, as on a new page, and not where the last click was."""
TYPED = [
    "a",
    "2",
    "3",
    "4",
    "5",
    "6",
    "7",
    "8",
    "9",
    "0",
    "j",
    "q",
    "k",
    "g",
    "f",
    "[",
    "]",
    "u",
    "m",
    "Enter",
]


def asked(page: Page) -> Locator:
    return page.get_by_role("heading", level=1)


def line(page: Page) -> Locator:
    """What is said where the line to the table is lost."""
    return page.locator(".wrong[role=status]")


def asked_at(companion: RehearsedClient) -> str:
    told: Any = companion.page()
    return str(told["table"]["asks"])


def test_a_click_presses_once_and_the_news_is_shown(page: Page, companion: RehearsedClient) -> None:
    key(page, "7")
    until_pressed(page, companion, "7")
    companion.change(SHOW)
    expect(asked(page)).to_have_text(asked_at(companion))
    expect(page.locator(".remark")).to_have_text("BLUE said go at 22, but held the 3 6")


def test_a_tap_presses_once(browser: Browser, server: PageServer, companion: RehearsedClient) -> None:
    with visit(browser, server.url, (390, 844), is_touch=True, path=TABLE) as page:
        page.locator('.keypad [data-key="GO"]').tap()
        until_pressed(page, companion, "GO")


def test_every_key_can_be_typed(page: Page, companion: RehearsedClient) -> None:
    companion.held = []  # who types ahead of what is seen presses keys, and no card says more than itself
    for typed in TYPED:
        page.keyboard.press(typed)
    companion.let_go()
    until_sent(page, companion, *ALL_KEYS)


def test_enter_after_a_click_is_ok_and_not_that_key_again(page: Page, companion: RehearsedClient) -> None:
    show(page, companion, SHOW)
    key(page, "FLNB")
    until_rested(page)
    page.keyboard.press("Enter")
    until_pressed(page, companion, "FLNB", "OK")


def test_a_key_reached_by_tab_is_seen_to_have_the_focus_and_pressed_by_enter(
    page: Page, companion: RehearsedClient
) -> None:
    page.evaluate(FROM_THE_TOP)
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.key") == "7":
            break
    outline = page.evaluate(
        "(({outlineStyle, outlineWidth}) => [outlineStyle, "
        "outlineWidth])(getComputedStyle(document.activeElement))"
    )
    assert outline == ["solid", "3px"]
    companion.held = []  # both before an answer: after one, a second seven would say more than itself
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # as a keyboard repeats it
    page.keyboard.up("Enter")
    page.keyboard.press("Space")
    companion.let_go()
    until_sent(page, companion, "7", "7")


def test_a_key_held_down_on_the_keyboard_presses_once(page: Page, companion: RehearsedClient) -> None:
    page.keyboard.down("7")
    page.keyboard.down("7")  # as a keyboard repeats it
    page.keyboard.up("7")
    until_pressed(page, companion, "7")


def test_a_long_press_is_a_hold_and_a_short_one_is_not(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    pressed: list[str] = []
    with visit(browser, server.url, is_still=True, path=DEVICE) as page:
        for name, seconds in (("UNDO", 1), ("MENU", 3)):
            letter = name[0].lower()
            page.locator(f'[data-key="{name}"]').hover()
            ways = (
                (page.mouse.down, page.mouse.up),
                (partial(page.keyboard.down, letter), partial(page.keyboard.up, letter)),
            )
            for down, up in ways:
                for seconds_down, what in ((seconds - 0.1, name), (seconds + 0.1, f"hold:{name}")):
                    down()
                    page.clock.run_for(int(seconds_down * 1000))
                    up()
                    pressed.append(what)
                    until_sent(page, companion, *pressed)  # before the clock runs out for its answer


def test_at_the_device_no_key_that_is_typed_asks_anything(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    with visit(browser, server.url, path=DEVICE) as page:
        page.keyboard.press("Shift+Digit7")
        until_sent(page, companion, "7")


def test_a_refusal_is_said_at_once_and_goes_with_the_next_press(
    page: Page, companion: RehearsedClient
) -> None:
    key(page, "OK")
    expect(page.get_by_role("alert")).to_have_text(WRONG)
    key(page, "7")
    expect(page.get_by_role("alert")).to_have_count(0)
    until_pressed(page, companion, "7")


def test_an_answer_lost_on_its_way_is_asked_for_again_and_presses_once(
    page: Page,
    companion: RehearsedClient,
) -> None:
    names: list[str] = []

    def lose_the_first_answer(route: Route) -> None:
        names.append(json.loads(route.request.post_data or "")["id"])
        if len(names) == 1:
            route.fetch()  # it arrived, and the table pressed it
            route.abort()
        else:
            route.continue_()

    intercept(page, "**/api/press", lose_the_first_answer)
    key(page, "7")
    key(page, "8")
    expect(line(page)).to_contain_text("Disconnected, reconnecting.")
    expect(line(page)).to_contain_text("To be sent: 7, 8.")
    expect(line(page)).to_have_count(0)
    until_pressed(page, companion, "7", "8")
    assert names[0] == names[1]
    assert names[2] not in names[:2]


def test_presses_go_one_after_another(page: Page, companion: RehearsedClient) -> None:
    companion.held = []
    key(page, "7")
    expect(page.locator('[data-key="7"]')).to_have_class(re.compile("waiting"))
    key(page, "8")
    page.wait_for_timeout(200)
    assert len(companion.held) == 1
    companion.let_go()
    until_pressed(page, companion, "7", "8")


def test_a_table_that_comes_back_is_found_again_with_what_waited(browser: Browser) -> None:
    companion = RehearsedClient()
    with closing(companion), page_of(companion) as first, visit(browser, first.url, path=TABLE) as page:
        first.stop()
        expect(line(page)).to_contain_text("Disconnected, reconnecting.")
        key(page, "7")
        key(page, "GO")
        expect(line(page)).to_contain_text("To be sent: 7, Says go.")
        companion.scene = with_changes(PLAY, message="the same evening, and the same game")
        with page_of(companion, first.port):
            expect(page.locator(".remark:not(.wrong)")).to_have_text("the same evening, and the same game")
            until_pressed(page, companion, "7", "GO")


def test_what_waited_for_a_game_that_is_gone_is_not_pressed_in_another(browser: Browser) -> None:
    companion, other = RehearsedClient(), RehearsedClient(Scene("OK OK 2"))  # it counts from the start
    with (
        closing(companion),
        closing(other),
        page_of(companion) as first,
        visit(browser, first.url, path=TABLE) as page,
    ):
        first.stop()
        key(page, "7")
        key(page, "GO")
        expect(line(page)).to_contain_text("To be sent: 7, Says go.")
        with page_of(other, first.port):
            expect(asked(page)).to_have_text(asked_at(other))
            expect(page.get_by_role("alert")).to_contain_text("your press did not count. Not sent: Says go.")
            expect(page.locator(".keypad .waiting")).to_have_count(0)
            key(page, "7")
            until_pressed(page, other, "7")
            assert companion.sent == []


def test_each_press_carries_the_state_that_was_seen_and_those_behind_it_what_the_one_before_answered(
    page: Page, companion: RehearsedClient
) -> None:
    show(page, companion, LEAD)
    seen = companion.seq
    companion.held = []
    for name in ("7", "OK", "8", "A"):  # the OK is refused, and changes nothing
        key(page, name)
    expect(page.locator(".keypad .waiting")).to_have_count(3)
    expect(page.locator("main")).to_have_attribute("data-waiting", "4")
    companion.let_go()
    until_pressed(page, companion, "7", "8", "A")
    assert companion.meant_for == [seen, seen + 1, seen + 1, seen + 2]
    show(page, companion, PLAY)
    key(page, "2")
    until_pressed(page, companion, "7", "8", "A", "2")
    assert companion.meant_for[-1] == seen + 4


def until_held(page: Page, companion: RehearsedClient, presses: int) -> None:
    """Wait until so many *presses* have come to the table, which keeps its answers back."""
    wait_until(page, lambda: companion.held is not None and len(companion.held) == presses)


def test_of_two_pages_that_press_at_once_one_is_heard_and_the_other_is_told(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    companion.change(LEAD)
    with visit(browser, server.url, path=TABLE) as one, visit(browser, server.url, path=TABLE) as other:
        assert_a_refusal_goes_when_another_page_goes_on(one, other)
        until_pressed(one, companion, "7")
        companion.pressed.clear()
        companion.meant_for.clear()
        seen = companion.seq
        for page in (one, other):
            page.wait_for_selector(f'main[data-seq="{seen}"]')
        companion.held = []
        key(one, "7")
        expect(one.locator(".keypad .waiting")).to_have_count(1)
        for name in ("7", "8", "GO"):
            key(other, name)
        expect(other.locator(".keypad .waiting")).to_have_count(3)
        until_held(other, companion, 2)
        companion.let_go()  # after the first 7 another could be pressed
        told = other.get_by_role("alert")
        expect(told).to_have_text(
            "Somebody else pressed first: the game has changed, and your press did not count. Not sent: 8, "
            "Says go. Meanwhile: ORANGE 7: twenty-two for two."
        )
        expect(asked(other)).to_have_text(asked_at(companion))
        until_pressed(other, companion, "7")
        assert companion.meant_for == [seen, seen]
        expect(one.get_by_role("alert")).to_have_count(0)
        other.keyboard.press("u")
        until_pressed(other, companion, "7", "UNDO")
        expect(told).to_have_count(0)


def test_who_pressed_while_another_took_back_is_told_what(
    browser: Browser, server: PageServer, companion: RehearsedClient
) -> None:
    companion.change(PLAY)
    with visit(browser, server.url, path=TABLE) as page:
        page.wait_for_selector(f'main[data-seq="{companion.seq}"]')
        companion.change_unheard(PLAY.then("UNDO"))
        key(page, "A")
        companion.tell_all()
        expect(page.get_by_role("alert")).to_contain_text("Meanwhile: ORANGE took back the 7.")


def assert_a_refusal_goes_when_another_page_goes_on(one: Page, other: Page) -> None:
    key(one, "OK")
    key(other, "OK")
    for page in (one, other):
        expect(page.get_by_role("alert")).to_have_text(WRONG)
    key(other, "7")
    expect(one.get_by_role("alert")).to_have_count(0)
    expect(other.get_by_role("alert")).to_have_count(0)


def test_the_refusal_is_there_before_the_news_is_and_stays_with_it(
    page: Page, companion: RehearsedClient
) -> None:
    before = asked_at(companion)
    companion.change_unheard(SHOW)
    key(page, "7")
    expect(page.get_by_role("alert")).to_contain_text("Somebody else pressed first")
    expect(asked(page)).to_have_text(before)
    companion.tell_all()
    expect(asked(page)).to_have_text(asked_at(companion))
    expect(page.get_by_role("alert")).to_contain_text("Somebody else pressed first")
    assert companion.pressed == []


def test_a_refusal_that_the_news_has_overtaken_is_about_what_is_gone(
    page: Page, companion: RehearsedClient
) -> None:
    """Else the computer is said to think, in red, when it has played and you are next."""
    show(page, companion, "thinks")
    answers: list[tuple[Route, APIResponse]] = []
    intercept(page, "**/api/press", lambda route: answers.append((route, route.fetch())))
    page.keyboard.press("2")
    wait_until(page, lambda: answers)
    assert answers[0][1].json()["error"] == "Thrifty is thinking"
    show(page, companion, "to play")
    answers[0][0].fulfill(response=answers[0][1])
    page.wait_for_selector('main[data-waiting="0"]')
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("name", ["7", "UNDO", "MENU"])
def test_a_press_that_the_machine_has_overtaken_is_sent_again_where_it_still_means_the_same(
    page: Page, companion: RehearsedClient, name: str
) -> None:
    seen = companion.seq
    # the prompt is the same, or the key the same at any
    companion.change_unheard(PLAY if name == "7" else SHOW, by_machine=True)
    key(page, name)
    until_pressed(page, companion, name)
    assert companion.meant_for == [seen, seen + 1]
    expect(page.get_by_role("alert")).to_have_count(0)


def test_a_press_that_the_machine_has_overtaken_is_told_of_where_something_else_is_asked(
    page: Page, companion: RehearsedClient
) -> None:
    companion.change_unheard(SHOW, by_machine=True)
    key(page, "7")
    expect(page.get_by_role("alert")).to_contain_text("The computer moved first")
    assert companion.pressed == []


UNSHOWN = "() => import('/page/store.js').then((store) => !store.isSettled())"
"""Whether the page has heard of a state that it can't show yet."""


@pytest.mark.parametrize("is_asked_again", [True, False])
def test_a_press_is_meant_for_what_was_shown_though_the_page_has_heard_of_more(
    page: Page, companion: RehearsedClient, *, is_asked_again: bool
) -> None:
    """The computer's move is half received: its state, but not its page."""
    seen = companion.seq
    companion.change_unheard(SHOW, by_machine=True)
    companion.tell("state")
    page.wait_for_function(UNSHOWN)
    if is_asked_again:
        companion.change_unheard(PLAY, by_machine=True)
    key(page, "7")
    if is_asked_again:
        until_pressed(page, companion, "7")
        assert companion.meant_for == [seen, seen + 2]
        expect(page.get_by_role("alert")).to_have_count(0)
    else:
        expect(page.get_by_role("alert")).to_contain_text("The computer moved first")
        assert (companion.pressed, companion.meant_for) == ([], [seen])


def test_a_press_behind_another_is_meant_for_what_comes_of_that_one(
    page: Page, companion: RehearsedClient
) -> None:
    """The machine answers the 7, and the same is asked again: the 8 was not meant for what it played."""
    seen = companion.seq
    companion.held = []
    key(page, "7")
    key(page, "8")
    until_held(page, companion, 1)
    companion.held.pop()()
    until_held(page, companion, 1)
    companion.change_unheard(PLAY, by_machine=True)
    companion.let_go()
    expect(page.get_by_role("alert")).to_contain_text("The computer moved first")
    assert (companion.pressed, companion.meant_for) == (["7"], [seen, seen + 1])


@pytest.mark.parametrize(
    ("name", "wanted"), [("New count with the K", "OK"), ("Wrong key", "UNDO"), ("BLUE says go", "GO")]
)
def test_a_question_has_a_button_for_each_answer_that_says_what_it_does(
    page: Page, companion: RehearsedClient, name: str, wanted: str
) -> None:
    companion.change(QUESTION)
    expect(asked(page)).to_have_text(re.compile("over 31"))
    page.locator(".asked").get_by_role("button", name=name, exact=True).click()
    until_pressed(page, companion, wanted)


def test_an_answer_that_is_late_is_said_to_be(page: Page, companion: RehearsedClient) -> None:
    held: list[Route] = []
    intercept(page, "**/api/press", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks it
    key(page, "7")
    expect(line(page)).to_have_text("cribpi hasn't answered yet.")
    held[0].continue_()
    until_pressed(page, companion, "7")
    expect(line(page)).to_have_count(0)


def test_a_refusal_goes_when_the_line_is_lost(page: Page, companion: RehearsedClient) -> None:
    key(page, "OK")
    expect(page.get_by_role("alert")).to_have_text(WRONG)
    intercept(page, "**/api/press", lambda route: route.abort())
    key(page, "7")
    expect(line(page)).to_contain_text("Disconnected, reconnecting.")
    expect(page.get_by_role("alert")).to_have_count(0)
    page.unroute("**/api/press")
    until_pressed(page, companion, "7")
    expect(line(page)).to_have_count(0)
