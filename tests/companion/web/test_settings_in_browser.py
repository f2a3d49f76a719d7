"""The settings page: what the browser keeps, and what the program keeps for every screen."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from support.patience import PATIENCE, until

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Change, ChangeNextGame
from cribpi.companion.table.table import ShutdownResult
from cribpi.companion.web.client import BoardClient

pytestmark = [pytest.mark.browser, needs_chromium]

PHONE, SMALL = (390, 664), (320, 568)


def value(table: RealTable, name: str) -> object:
    settings = table.companion.page()["settings"]
    assert isinstance(settings, dict)
    return settings[name]


def test_what_is_changed_on_one_page_is_seen_on_another_and_stays(tmp_path: Path, browser: Browser) -> None:
    with (
        real_table(tmp_path) as table,
        visit(browser, table.url, PHONE, path="#settings") as page,
        visit(browser, table.url, path="#settings") as other,
    ):
        other.get_by_role("radiogroup", name="Say go").get_by_role("radio", name="On").click()
        page.get_by_role("radiogroup", name="The computer's speed").get_by_role("radio", name="Fast").click()
        for each in (page, other):
            expect(
                each.get_by_role("radiogroup", name="Say go").get_by_role("radio", name="On")
            ).to_be_checked()
            expect(
                each.get_by_role("radiogroup", name="The computer's speed").get_by_role("radio", name="Fast")
            ).to_be_checked()
        assert (value(table, "auto_go"), value(table, "speed")) == ("on", "fast")
        page.reload()
        expect(page.get_by_role("radiogroup", name="Say go").get_by_role("radio", name="On")).to_be_checked()


def test_the_board_is_dark_where_dark_was_chosen_whatever_the_system_has(
    tmp_path: Path, browser: Browser
) -> None:
    def wood(page: Page) -> int:
        picture = Image.open(BytesIO(page.locator(".board .slab").screenshot())).convert("L").resize((1, 1))
        return int(picture.tobytes()[0])

    with (
        real_table(tmp_path) as table,
        visit(browser, table.url, path="#device") as light,
        visit(browser, table.url, path="#device", is_dark=True) as dark,
    ):
        assert wood(light) > wood(dark) + 5
        ground = "() => getComputedStyle(document.body).backgroundColor"
        day, night = light.evaluate(ground), dark.evaluate(ground)
        light.evaluate("() => location.hash = 'settings'")
        light.get_by_role("radiogroup", name="Light or dark").get_by_role("radio", name="Dark").click()
        light.evaluate("() => location.hash = 'device'")
        assert abs(wood(light) - wood(dark)) < 3
        assert light.evaluate(ground) == night != day
        dark.evaluate("() => location.hash = 'settings'")
        dark.get_by_role("radiogroup", name="Light or dark").get_by_role("radio", name="Light").click()
        assert dark.evaluate(ground) == day


def test_brightness_is_a_slider_that_the_keyboard_moves_and_sleep_a_list(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, SMALL, path="#settings") as page:
        slider = page.get_by_role("slider", name="Lights")
        slider.focus()
        page.keyboard.press("ArrowLeft")
        expect(slider).to_have_attribute("aria-valuetext", "90 %")
        page.keyboard.press("Home")
        expect(slider).to_have_attribute("aria-valuetext", "0 %")
        page.get_by_label("Go dark after").select_option(label="Never")
        expect(page.get_by_label("Go dark after")).to_have_value("never")
        until(lambda: (value(table, "brightness"), value(table, "sleep")) == ("0", "never"))


def test_who_counts_is_a_rule_of_the_next_game_and_says_so(tmp_path: Path, browser: Browser) -> None:
    def counts() -> object:
        rules: Any = table.companion.rules()
        return rules["setup"]["effective"]["miscount"]

    with real_table(tmp_path) as table, visit(browser, table.url, PHONE, path="#settings") as page:
        first = page.locator("main .setting").first
        who = first.get_by_role("radiogroup", name="Who counts")
        expect(who.locator("label")).to_have_text(["cribpi", "I do", "I do, and muggins"])
        who.get_by_role("radio", name="I do, and muggins").click()
        expect(who.get_by_role("radio", name="I do, and muggins")).to_be_checked()
        expect(first.get_by_role("status")).to_have_text(
            "From the next game: you count; points you miss go to your opponent."
        )
        assert counts() == "muggins"
        page.goto(f"{table.url}#")
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        page.goto(f"{table.url}#settings")
        who.get_by_role("radio", name="cribpi").click()
        expect(first.get_by_role("status")).to_have_text(
            "From the next game: the computer counts. "
            "In your open game: you count; points you miss go to your opponent."
        )
        assert counts() == "machine"


def test_who_counts_that_the_rules_refuse_comes_with_what_to_choose_as_well(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, PHONE, path="#settings") as page:
        assert (
            table.companion.do(ChangeNextGame(Changes(rules="acc"), opens_menu=False))
            .result(PATIENCE)
            .is_accepted
        )
        who = page.get_by_role("radiogroup", name="Who counts")
        expect(who.get_by_role("radio", name="I do", exact=True)).to_be_checked()
        who.get_by_role("radio", name="cribpi").click()
        page.get_by_role("alert").get_by_role("button", name="Also choose").click()
        expect(who.get_by_role("radio", name="cribpi")).to_be_checked()
        expect(page.get_by_role("alert")).to_have_count(0)


def test_rules_and_opponents_are_one_click_from_the_settings(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, PHONE, path="#settings") as page:
        for name, shown in {"Rules": ".rules-page", "Opponents": ".ways"}.items():
            page.goto(f"{table.url}#settings")
            page.get_by_role("link", name=name, exact=False).first.click()
            expect(page.locator(shown)).to_be_visible()


def test_what_the_table_keeps_is_not_asked_of_the_browser(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        assert table.companion.do(Change({"auto_deal": "off"})).result(PATIENCE).is_accepted
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        expect(page.locator(".asked .main")).to_have_text("Shuffle and deal")


def test_the_large_index_is_this_browsers_own(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#settings") as page:
        page.get_by_role("radiogroup", name="Large index").get_by_role("radio", name="On").click()
        page.get_by_role("radiogroup", name="Deck").get_by_role("radio", name="Four").click()
        page.reload()
        page.wait_for_selector("html[data-large][data-deck=four]")
        with visit(browser, table.url, path="#settings") as other:
            assert other.locator("html[data-large]").count() == 0


def test_without_a_pi_nothing_offers_to_switch_it_off(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#settings") as page:
        expect(page.get_by_role("slider", name="Lights")).to_be_visible()
        expect(page.get_by_role("button", name="Switch off")).to_have_count(0)


def test_a_pi_is_restarted_only_when_it_is_asked_for_twice(tmp_path: Path, browser: Browser) -> None:
    asked = []

    def power(move: str) -> ShutdownResult:
        asked.append(move)
        return ShutdownResult("restarting: wait a minute")

    with real_table(tmp_path) as table:
        assert isinstance(table.companion, BoardClient)
        there = table.companion.loop.table
        context = there.now.context
        machine = replace(context.machine, is_pi=True)
        there.now = replace(there.now, context=replace(context, machine=machine))
        there._power = power
        with visit(browser, table.url, PHONE, path="#settings") as page:
            page.get_by_role("button", name="Restart").click()
            expect(page.get_by_role("button", name="Cancel")).to_be_focused()
            page.get_by_role("button", name="Cancel").click()
            page.get_by_role("button", name="Restart").click()
            assert asked == []
            page.get_by_role("button", name="Restart").click()
            expect(page.get_by_text("restarting: wait a minute")).to_be_visible()
            assert asked == ["restart"]


def test_the_menu_opens_the_settings_in_mid_game_and_done_goes_back(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, PHONE, path="") as page:
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        expect(page.locator(".hand button.card")).to_have_count(6)
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="Settings").click()
        go = page.get_by_role("radiogroup", name="Say go").get_by_role("radio", name="On")
        go.click()
        expect(go).to_be_checked()
        page.get_by_role("button", name="Done").click()
        expect(page.locator(".hand button.card")).to_have_count(6)
        assert value(table, "auto_go") == "on"
