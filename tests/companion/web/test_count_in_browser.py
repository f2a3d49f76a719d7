"""Any hand is counted as it is typed, wherever the page was touched last."""

from __future__ import annotations

import re

import pytest
from companion.web.browser import needs_chromium, visit
from playwright.sync_api import Browser, expect

from cribpi.companion.web.server import PageServer

pytestmark = [pytest.mark.browser, needs_chromium]


def test_what_is_typed_is_a_card_before_anything_was_clicked(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, path="#count") as page:
        field = page.get_by_role("textbox")
        page.keyboard.type("5h 5c")
        expect(field).to_have_value("5h 5c")
        expect(page.locator(".shown button.card")).to_have_count(2)
        page.get_by_role("button", name="clear").click()
        page.keyboard.type("5h 5c 5s jd")
        expect(field).to_have_value("5h 5c 5s jd")
        expect(page.locator(".shown button.card")).to_have_count(4)
        field.blur()
        page.keyboard.press("Backspace")
        expect(field).to_have_value("5h 5c 5s j")
        field.fill("")
        expect(page.locator(".shown button.card")).to_have_count(0)


def test_what_another_part_needs_is_not_taken_from_it(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, path="#count") as page:
        for sign, name, red in (
            ("♥", "hearts", 13),
            ("♣", "clubs", 0),
            ("♦", "diamonds", 13),
            ("♠", "spades", 0),
        ):
            page.get_by_role("radio", name=sign).click()
            expect(page.get_by_role("button", name=f"jack of {name}")).to_have_text(f"J{sign}")
            expect(page.locator(".ranks .sign.red")).to_have_count(red)
        page.get_by_role("button", name="five of spades").focus()
        page.keyboard.press("Space")
        expect(page.locator(".shown button.card")).to_have_count(1)
        rules = page.get_by_role("combobox")
        rules.focus()
        page.keyboard.press("l")
        expect(rules).to_be_focused()
        page.keyboard.press("Control+a")
        expect(page.get_by_role("textbox")).to_have_value("")


def test_at_five_card_a_hand_of_three_and_a_starter_are_counted(browser: Browser, server: PageServer) -> None:
    with visit(browser, server.url, path="#count") as page:
        expect(page.locator(".shown > *")).to_have_count(5)
        page.get_by_role("combobox").select_option("five-card")
        expect(page.locator(".shown > *")).to_have_count(4)
        page.keyboard.type("7h 8h 9h kh")
        expect(page.locator(".shown .cut")).to_have_attribute("aria-label", re.compile("king of hearts"))
        expect(page.locator(".total output")).to_have_text("9")
        page.get_by_text("Crib", exact=True).click()
        expect(page.locator(".shown > *")).to_have_count(5)
