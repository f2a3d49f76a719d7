"""Who plays, in a browser: You and Medium, one's own name, and the people of real cards from evening to evening."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Locator, Page, expect
from support.companions import start_of
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

FORTY = "Wilhelmina Alexandrina van den Oudenrijn"
SIZES = [(320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080)]
CUT_OFF = """() => [...document.querySelectorAll(".tile b, .tile .fact")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1 || one.getBoundingClientRect().width < 8).map((one) => one.textContent)"""
"""What a score's box doesn't show whole."""


def way(page: Page, title: str) -> Locator:
    """Return the way into a game, unfolded."""
    found = page.locator(".way", has=page.get_by_role("heading", name=title))
    if "folded" in (found.get_attribute("class") or ""):
        page.get_by_role("heading", name=title).click()
    return found


def tiles(page: Page) -> Locator:
    return page.locator(".tile b")


@pytest.mark.parametrize("size", some_of(SIZES, 0, 3), ids=str)
def test_against_the_computer_it_is_you_and_medium_side_by_side_as_the_pegs_are(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="") as page:
        way(page, "Play the computer").get_by_role("button", name="Deal").click()
        expect(page.locator(".hand button.card")).to_have_count(6)
        expect(tiles(page)).to_have_text(["You", "Medium"])
        expect(page.locator(".tile small", has_text="deals")).to_have_count(1)
        left, right = (page.locator(".tile").nth(at).bounding_box() for at in (0, 1))
        assert left is not None
        assert right is not None
        assert (left["x"], left["y"]) < (right["x"], right["y"] + 1)
        for card in page.locator(".hand button.card").all()[:2]:
            card.click()
        page.locator(".asked .main").click()
        expect(page.locator(".tile small", has_text="cards")).to_have_count(2)
        assert page.evaluate(CUT_OFF) == []


def test_ones_own_name_is_two_clicks_from_the_start_and_the_computers(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        page.get_by_role("link", name="Your name").click()
        page.get_by_label("Your name").fill("Medium")
        page.get_by_role("button", name="Save the names").click()
        expect(page.get_by_role("status")).to_have_text("Saved.")
        page.get_by_role("link", name="Close").click()
        expect(page.get_by_role("link", name="Medium")).to_be_visible()
        way(page, "Play the computer").get_by_role("button", name="Deal").click()
        expect(tiles(page)).to_have_text(["Medium", "Medium 2"])
        expect(page.locator(".tile").first).to_contain_text("you")


def test_the_people_of_real_cards_stay_through_a_game_against_the_computer(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        keep = way(page, "Keep score")
        keep.get_by_label("Player 1").fill("Ann")
        keep.get_by_label("Player 2").fill("Bob")
        keep.get_by_role("button", name="Start").click()
        expect(tiles(page)).to_have_text(["Ann", "Bob"])
        page.goto(table.url)
        way(page, "Play the computer").get_by_role("button", name="Deal").click()
        expect(page.locator(".hand button.card")).to_have_count(6)
        expect(tiles(page)).to_have_text(["You", "Medium"])
        page.goto(table.url)
        for title in ("Keep score", "Pass and play"):
            expect(way(page, title).get_by_label("Player 2")).to_have_value("Bob")
        way(page, "Pass and play").get_by_role("button", name="Deal").click()
        expect(page.locator(".asked .main")).to_have_text("Show Ann's cards")


def test_a_name_is_chosen_from_those_who_have_played(tmp_path: Path, browser: Browser) -> None:
    games = journal_of(
        tmp_path, greedy_game(1, ("Zoe", "BLUE"), 31), greedy_game(2, ("You", "Medium"), 31, ("", "medium"))
    )
    with real_table(games) as table, visit(browser, table.url, path="") as page:
        field = way(page, "Keep score").get_by_label("Player 2")
        field.focus()
        expect(page.locator("datalist#keepers option")).to_have_count(1)
        expect(page.locator("datalist#keepers option")).to_have_attribute("value", "Zoe")


def test_of_four_it_is_said_who_ones_partner_is(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        computer = way(page, "Play the computer")
        computer.get_by_role("radio", name="4", exact=True).click()
        expect(computer.locator(".whom")).to_have_text(
            ["An opponent", "Your partner, opposite you", "An opponent"]
        )
        computer.get_by_role("button", name="Deal").click()
        expect(page.locator(".tile").first).to_contain_text("You+Medium 2")
        expect(page.locator(".tile").first).to_contain_text("your partner: Medium 2")


def ended(table: RealTable, side: int, *names: str) -> None:
    """Begin a game against the computer, and end it by the corrections, won by *side*."""
    body: dict[str, object] = {
        "players": 2,
        "entry": "dealt",
        "levels": ["", "medium"],
        "options": {"target": "31"},
        "automatic": [],
    }
    if names:
        body["names"] = list(names)
    assert table.companion.do(start_of(body)).result(PATIENCE).is_accepted
    table.press(*f"P1 P{side + 1} FLNB P2 P2 P2 FLNB P2 OK".split())
    assert table.state()["winner"] == side, json.dumps(table.state()["prompt"])


@pytest.mark.parametrize(("side", "said"), [(0, "You win by 31"), (1, "You lose by 31")])
def test_at_the_end_it_is_you_who_win_or_lose(tmp_path: Path, browser: Browser, side: int, said: str) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        for names, first in ((), "You"), ((FORTY, ""), FORTY):
            ended(table, side, *names)
            expect(page.locator(".result h1")).to_contain_text(said)
            expect(page.locator(".gains th").nth(0)).to_contain_text(first)
            expect(page.locator(".gains th").nth(1)).to_contain_text("Medium")


def test_partners_are_two_who_win(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        names = ["Ann", "Bob", "Cid", "Dee"]
        game = {"players": 4, "entry": "cards", "names": names, "options": {"target": "31"}}
        assert table.companion.do(start_of(game)).result(PATIENCE).is_accepted
        table.press(*"P1 P1 FLNB P2 P2 P2 FLNB P2 OK".split())
        expect(page.locator(".result h1")).to_contain_text("Ann and Cid win by 31")
        assert table.state()["prompt"].startswith("Ann and Cid win 31-0")
        page.goto(table.url)
        expect(page.locator(".last-game h2")).to_contain_text("Today: Ann and Cid beat Bob and Dee by 31")


def test_a_person_is_renamed_where_his_games_are_counted_and_who_comes_later_counts_apart(
    tmp_path: Path, browser: Browser
) -> None:
    games = journal_of(tmp_path, greedy_game(1, ("Ann", "Bob"), 31), greedy_game(2, ("Ann", "Cid"), 31))
    with real_table(games) as table, visit(browser, table.url, path="#names") as page:
        page.get_by_role("link", name="Statistics").click()
        page.get_by_role("link", name="Ann", exact=True).click()
        page.get_by_role("button", name="Rename").click()
        field = page.get_by_label("New name")
        field.fill("Bob")
        expect(page.get_by_role("status")).to_contain_text("Bob has played here too")
        field.fill("BLUE")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_contain_text("can't be used as a name")
        field.fill(FORTY)
        page.get_by_role("button", name="Save").click()
        expect(page.get_by_role("heading", level=1)).to_have_text(FORTY)
        expect(page.get_by_role("status")).to_have_text("Saved.")
        expect(page.locator(".facts-row dd").first).to_have_text("2")
        assert violations(page) == []
        assert (
            table.companion.do(
                start_of(
                    {"players": 2, "entry": "cards", "names": ["Ann", "Bob"], "options": {"target": "31"}}
                )
            )
            .result(PATIENCE)
            .is_accepted
        )
        table.press(*"P1 P1 FLNB P2 P2 P2 FLNB P2 OK".split())
        page.goto(f"{table.url}#stats")
        rows = page.locator("tbody tr")
        expect(rows).to_have_count(4)
        counted = {row.locator("th").inner_text(): row.locator("td").first.inner_text() for row in rows.all()}
        assert counted == {FORTY: "2", "Bob": "2", "Ann": "1", "Cid": "1"}
        page.goto(f"{table.url}#games/2")
        expect(page.locator(".tile b").first).to_have_text(FORTY)
        expect(page.locator(".result h1")).to_contain_text("beat")
