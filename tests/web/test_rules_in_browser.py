"""The dialog with the rules of the next game, in a real browser: wide and narrow, by mouse and by
keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, Route, expect

from cribpi.core.rules import OPTIONS, PRESETS
from cribpi.web.server import PageServer
from web.browser import needs_chromium, show, until_pressed, visit
from web.rehearsed import RehearsedCompanion
from web.scene import Scene
from web.scenes import IDLE, SHOW, WON_ONE
from web.test_page_in_browser import CONTRAST

pytestmark = [pytest.mark.browser, needs_chromium]

DESK, PHONE = (1280, 800), (390, 844)
desk_and_phone = pytest.mark.parametrize("page", [DESK, PHONE], ids=["desk", "phone"], indirect=True)


@pytest.fixture(params=[DESK, pytest.param(PHONE, marks=pytest.mark.prove)], ids=["desk", "phone"])
def page(browser: Browser, server: PageServer, request: pytest.FixtureRequest) -> Iterator[Page]:
    with visit(browser, server.url, request.param) as page:
        yield page


ROWS = """() => Object.fromEntries([...document.querySelectorAll("#rules .option")].map((row) => [row.dataset.option, {
  values: [...row.querySelectorAll("select option")].map((option) => option.value),
  sentence: row.querySelector(":scope > .sentence")?.textContent,
  summary: row.querySelector("summary")?.textContent,
}]))"""
CHANGED = """() => {
  const names = (rows) => rows.map((row) => row.dataset.option);
  const seen = (row) => [...row.querySelectorAll(".changed")].some((mark) => mark.checkVisibility());
  const options = [...document.querySelectorAll("#rules .option")];
  return [names(options.filter((row) => row.classList.contains("house"))), names(options.filter(seen))];
}"""
WIDER = (
    "[...document.querySelectorAll('#rules, #rules .scroll')].map((node) => node.scrollWidth - "
    "node.clientWidth)"
)


def ask(page: Page) -> Locator:
    page.get_by_role("button", name="Rules", exact=True).click()
    dialog = page.get_by_role("dialog", name="Rules for the next game")
    expect(dialog).to_be_visible()
    return dialog


def closed(page: Page) -> None:
    expect(page.get_by_role("dialog")).to_have_count(0)


def value(page: Page, option: str) -> Locator:
    return page.locator(f"#rule-{option}")


def set_up(page: Page) -> None:
    page.get_by_role("button", name="Set up the next game").click()


def changed(page: Page) -> list[str]:
    """Return the options that are marked as changed by the house."""
    rows, marks = page.evaluate(CHANGED)
    assert marks == rows
    return list(rows)


def test_every_preset_and_option_has_its_values_and_its_sentence(page: Page) -> None:
    ask(page)
    assert value(page, "rules").locator("option").all_text_contents() == list(PRESETS)
    shown = page.evaluate(ROWS)
    for option in OPTIONS:
        row = shown[option.name]
        assert row["values"] == [*option.values, *(["other"] if option.others else [])]
        assert re.fullmatch(r"\S.{14,}\.", row["sentence"]), option.name
        assert row["summary"] == "Where is this rule from?"
    assert changed(page) == []


def test_what_is_chosen_is_sent_as_it_is_written(page: Page, companion: RehearsedCompanion) -> None:
    ask(page)
    value(page, "rules").select_option("lowe")
    value(page, "players").select_option("3")
    value(page, "entry").select_option("peg")
    value(page, "heels").select_option("none")
    value(page, "match").select_option("other")
    page.keyboard.type("best-of-7")
    assert changed(page) == ["match", "heels"]
    set_up(page)
    closed(page)
    assert companion.set_ups == [
        {
            "rules": "lowe",
            "players": 3,
            "entry": "peg",
            "options": {"heels": "none", "match": "best-of-7"},
        }
    ]  # with cards of paper nobody is asked who plays
    ask(page)
    expect(value(page, "players")).to_have_value("3")
    expect(value(page, "match")).to_have_value("other")
    expect(page.locator("[data-option=match] input")).to_have_value("best-of-7")
    assert changed(page) == ["match", "heels"]


def test_a_preset_brings_its_rules_and_a_change_can_be_put_back(page: Page) -> None:
    ask(page)
    value(page, "skunk").select_option("off")
    value(page, "double_skunk").select_option("off")
    page.get_by_role("button", name="Reset 2 changes").click()
    assert changed(page) == []
    expect(value(page, "skunk")).to_have_value("on")
    value(page, "skunk").select_option("off")
    value(page, "skunk").select_option("on")
    assert changed(page) == []
    value(page, "renege").select_option("2")
    value(page, "rules").select_option("travel-61")
    assert changed(page) == []
    for option, has in (("target", "61"), ("last_card", "none"), ("renege", "noted"), ("deal", "six")):
        expect(value(page, option)).to_have_value(has)
    expect(value(page, "players")).to_be_disabled()
    value(page, "rules").select_option("standard")
    value(page, "players").select_option("4")
    expect(value(page, "deal")).to_have_value("five")
    expect(value(page, "partners_scorekeeper")).to_have_value("on")
    assert changed(page) == []


@desk_and_phone
def test_a_refused_combination_is_said_in_the_words_of_the_dialog_and_marked(
    page: Page, companion: RehearsedCompanion
) -> None:
    dialog = ask(page)
    value(page, "rules").select_option("acc")
    value(page, "heels").select_option("none")
    set_up(page)
    said = "“His heels: a jack turned up is worth nothing” leaves nothing to take in time: choose “Taking his"
    expect(dialog.get_by_role("alert")).to_contain_text(said)
    blamed = page.locator("select[aria-invalid=true]")
    assert blamed.evaluate_all("(all) => all.map((s) => s.id)") == ["rule-heels", "rule-heels_deadline"]
    expect(blamed.first).to_be_in_viewport()
    expect(dialog.get_by_role("button", name="Cancel")).to_be_in_viewport()
    assert companion.set_ups == []
    value(page, "heels_deadline").select_option("none")
    expect(blamed).to_have_count(0)
    set_up(page)
    closed(page)
    assert len(companion.set_ups) == 1


@desk_and_phone
def test_what_is_to_be_changed_is_in_view_beside_what_it_does_not_go_with(page: Page) -> None:
    ask(page)
    value(page, "heels").select_option("none")
    value(page, "miscount").select_option("lost")
    value(page, "heels_deadline").select_option("first-card")
    page.locator("#rules .scroll").evaluate("(place) => place.scrollTo(0, 0)")
    set_up(page)
    for option in ("heels_deadline", "heels"):
        expect(value(page, option)).to_have_attribute("aria-invalid", "true")
        expect(value(page, option)).to_be_in_viewport(ratio=1)


@desk_and_phone
def test_a_refused_number_is_marked_in_the_box_that_it_was_typed_in(page: Page) -> None:
    dialog = ask(page)
    value(page, "target").select_option("other")
    field = page.get_by_role("textbox", name="Target: 31 to 121")
    field.fill("500")
    set_up(page)
    expect(dialog.get_by_role("alert")).to_contain_text("a target of 500")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_in_viewport(ratio=1)
    assert page.locator("select[aria-invalid=true]").evaluate_all("(all) => all.map((s) => s.id)") == [
        "rule-target"
    ]


@desk_and_phone
def test_a_value_is_told_again_only_where_its_select_cuts_it_off(page: Page) -> None:
    ask(page)
    value(page, "self_combinations").select_option("any")
    again = page.locator("[data-option=self_combinations] .control .sentence")
    expect(again).to_have_text("any cards in a row count, even your own across a go")
    whole = page.locator("[data-option=crib_flush] .control .sentence")
    expect(whole).to_be_hidden()
    value(page, "go_award").select_option("call")
    expect(page.locator("[data-option=go_award] .control .sentence")).to_contain_text("is one more")
    page.set_viewport_size({"width": 639, "height": 800})  # one column, and a select as wide as the dialog
    expect(again).to_be_hidden()


def test_a_number_of_ones_own_that_cannot_be_is_refused_with_what_can(page: Page) -> None:
    dialog = ask(page)
    value(page, "target").select_option("other")
    set_up(page)
    expect(dialog.get_by_role("alert")).to_contain_text("is not offered")
    field = page.get_by_role("textbox", name="Target: 31 to 121")
    field.fill("500")
    set_up(page)
    expect(dialog.get_by_role("alert")).to_contain_text("31 to 121")
    field.fill("100")
    set_up(page)
    closed(page)


def test_whose_rule_it_is_comes_on_demand_with_the_sources_own_words(page: Page) -> None:
    ask(page)
    row = page.locator("[data-option=crib_flush]")
    words = row.get_by_text("“The Crib is tallied the same as a hand")
    expect(words).to_be_hidden()
    row.locator("summary").click()
    expect(words).to_be_visible()
    expect(row.locator(".reason").filter(has_text="Computer game:")).to_contain_text("four will do")
    expect(row.locator(".reason").filter(has_text="ACC:")).not_to_contain_text("“")
    silent = page.locator("[data-option=match]")
    silent.locator("summary").click()
    expect(silent).to_contain_text("No source mentions it.")


@pytest.mark.parametrize(
    ("scene", "said"),
    [
        pytest.param(SHOW, "This game stays on standard, 2 players, to 121.", id="a game is on"),
        pytest.param(IDLE, "", id="none is"),
    ],
)
def test_the_rules_of_the_game_on_the_table_are_told_beside_those_of_the_next(
    page: Page, companion: RehearsedCompanion, scene: Scene, said: str
) -> None:
    show(page, companion, scene)
    dialog = ask(page)
    assert said in dialog.locator(".playing").inner_text()
    own = dialog.get_by_text("Rules of this game")
    if not said:
        expect(own).to_have_count(0)
        return
    own.click()
    expect(dialog.locator("dl div")).to_have_count(len(OPTIONS))
    expect(dialog.locator("dl div").filter(has_text="Counting the hands")).to_contain_text(
        "the computer counts"
    )


def test_the_keyboard_alone_is_enough(page: Page, companion: RehearsedCompanion) -> None:
    page.get_by_role("button", name="Rules", exact=True).focus()
    page.keyboard.press("Enter")
    expect(value(page, "rules")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(value(page, "rules")).to_have_value("computer-game")
    page.keyboard.press("Shift+Tab")
    for _ in range(5):
        if page.evaluate("document.activeElement.textContent") == "Set up the next game":
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    closed(page)
    assert [asked["rules"] for asked in companion.set_ups] == ["computer-game"]
    assert companion.pressed == []


@pytest.mark.parametrize("way", ["Cancel", "Escape"])
def test_who_leaves_changes_nothing_and_the_next_enter_is_ok(
    page: Page, companion: RehearsedCompanion, way: str
) -> None:
    show(page, companion, SHOW)
    dialog = ask(page)
    value(page, "heels").select_option("none")
    dialog.get_by_role("heading").click()  # the focus is nowhere now, and the letters are still no presses
    page.keyboard.press("f")
    if way == "Escape":
        page.keyboard.press(way)
    else:
        dialog.get_by_role("button", name=way).click()
    closed(page)
    page.keyboard.press("Enter")
    until_pressed(page, companion, "OK")
    assert companion.set_ups == []
    ask(page)
    assert changed(page) == []


def test_a_game_that_is_over_is_told_so(page: Page, companion: RehearsedCompanion) -> None:
    companion.change(WON_ONE)
    dialog = ask(page)
    told = dialog.locator(".playing")
    expect(told).to_contain_text("Last game: standard, 2 players, to 121.")


def test_rules_that_cannot_be_loaded_are_said(page: Page) -> None:
    def fail(route: Route) -> None:
        route.fulfill(status=500, json={"error": "broken"})

    page.route("**/api/rules", fail)
    page.get_by_role("button", name="Rules", exact=True).click()
    expect(page.locator("#refusal")).to_contain_text("Can't load the rules: cribpi failed with error 500.")
    closed(page)


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
def test_the_dialog_fits_and_every_text_in_it_stands_out(
    browser: Browser, server: PageServer, size: tuple[int, int]
) -> None:
    with visit(browser, server.url, size) as page:
        dialog = ask(page)
        value(page, "rules").select_option("acc")
        value(page, "heels").select_option("none")
        page.locator("[data-option=crib_flush] summary").click()
        dialog.get_by_text("Rules of this game").click()
        set_up(page)
        expect(dialog.get_by_role("alert")).not_to_have_text("")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            box = dialog.bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= size[0]
            assert box["height"] <= size[1]
            assert page.evaluate(WIDER) == [0, 0]
            ratio, text = page.evaluate(CONTRAST)
            assert ratio >= 4.5, (scheme, text)
