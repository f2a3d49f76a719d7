"""The review of a game on the page: found from its result, each mistake looked at, tried again, and told."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from companion.web.browser import intercept, needs_chromium, visit
from companion.web.paper import needs_pdftotext, printed
from companion.web.real_table import RealTable, real_table
from companion.web.test_past_games_in_browser import SIDEWAYS
from playwright.sync_api import Browser, Page, Route, expect
from support.greedy_games import greedy_game, journal_of

pytestmark = [pytest.mark.browser, needs_chromium]

EDGE, PAPER = "12mm", 703
"""The margins of A4, and CSS pixels between them."""
SCROLLED = """() => [...document.querySelectorAll("#app *")]
  .filter((each) => each.checkVisibility() && each.clientHeight && each.scrollHeight > each.clientHeight + 1)
  .filter((each) => getComputedStyle(each).overflowY !== "visible")
  .map((each) => each.className)"""
"""What is cut off below, and would be scrolled to."""
COSTLY = ("inaccuracy", "mistake", "blunder")


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    games = [greedy_game(8, ("Ann", "BLUE"), 61, ("", "medium")), greedy_game(3, ("Bob", "Cleo", "Ann"), 61)]
    with real_table(journal_of(tmp_path, *games, greedy_game(4, ("Ann", "Bob"))[:9])) as table:
        yield table


def reviewed(page: Page, game: int) -> None:
    page.wait_for_selector(".reviewed")
    expect(page.get_by_role("heading", level=1)).to_have_text(f"Review of game {game}")


def told(table: RealTable, game: int) -> dict[str, object]:
    found: dict[str, object] = httpx.get(f"{table.url}api/games/{game}/review", trust_env=False).json()
    assert found["pending"] == 0
    return found


def test_a_past_game_is_reviewed_and_a_mistake_tried_again(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games/1") as page:
        page.get_by_role("link", name="Review").click()
        reviewed(page, 1)
        found = told(table, 1)
        mine = [one for one in found["decisions"] if one["seat"] == 0]  # type: ignore[attr-defined]
        costly = [one for one in mine if one["mark"] in COSTLY]
        assert len(costly) > 2
        expect(page.locator(".decisions li")).to_have_count(len(mine))
        expect(page.locator(".figures-of")).to_contain_text("8% of the chance of winning 50%")
        expect(page.locator(".decided h2")).to_contain_text(costly[0]["words"])
        page.keyboard.down("Enter")
        page.keyboard.down("Enter")  # as a keyboard repeats it
        page.keyboard.up("Enter")
        expect(page.locator(".decided h2")).to_contain_text(costly[1]["words"])
        for name, at in (("Next mistake", 2), ("Previous", 1)):
            page.get_by_role("button", name=name).click()
            expect(page.locator(".decided h2")).to_contain_text(costly[at]["words"])
        page.get_by_role("radio", name="Mistakes").click()
        expect(page.locator(".decisions li")).to_have_count(len(costly))
        page.locator(".decisions li button").last.click()
        discard = next(one for one in costly if one["which"] == "discard")
        page.goto(f"{table.url}#games/1/review/{discard['number']}")
        expect(page.locator(".decided h2")).to_contain_text(discard["words"])
        page.get_by_role("button", name="Try it yourself").click()
        for card in discard["options"][discard["chosen"]]["cards"]:
            page.locator(".trying button").nth(discard["hand"].index(card)).click()
        expect(page.locator(".verdict")).to_contain_text("costs")
        for card in discard["options"][discard["chosen"]]["cards"]:
            page.locator(".trying button").nth(discard["hand"].index(card)).click()
        for card in discard["options"][0]["cards"]:
            page.locator(".trying button").nth(discard["hand"].index(card)).click()
        expect(page.locator(".verdict")).to_contain_text("the best choice")
        page.get_by_role("link", name="See the table").click()
        page.wait_for_selector(f'.past-game[data-step="{discard["number"] - 1}"]')


def test_luck_is_a_sentence_and_no_chance_is_above_a_hundred(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games/1/review") as page:
        reviewed(page, 1)
        course: dict[str, Any] = told(table, 1)["course"]  # type: ignore[assignment]
        said = page.locator(".luck").inner_text()
        shares = [100 * lost / len(course["deals"]) for lost in course["lost"]]
        whom = "you" if course["luck"] > 0 else "Medium"
        assert re.fullmatch(
            rf"Luck favoured {whom}( a little| a lot)?\. \w+(?:'s)? decisions cost {shares[0]:.1f}% per deal, "
            rf"\w+(?:'s)? {shares[1]:.1f}%\.",
            said,
        ), said


def test_mistakes_are_tried_one_after_the_other_and_no_answer_is_seen_first(
    table: RealTable, browser: Browser
) -> None:
    with visit(browser, table.url, path="#games/1/review") as page:
        reviewed(page, 1)
        found = told(table, 1)
        mine = [one for one in found["decisions"] if one["seat"] == 0]  # type: ignore[attr-defined]
        second = [one for one in mine if one["mark"] in COSTLY][1]
        page.get_by_role("button", name="Try it yourself").click()
        page.get_by_role("button", name="Next mistake").click()
        expect(page.locator(".decisions [aria-current]")).to_contain_text(second["what"])
        expect(page.locator(".trying button")).to_have_count(len(second["hand"]))
        expect(page.locator(".decided .option")).to_have_count(0)
        page.get_by_role("button", name="Show the answer").click()
        expect(page.locator(".decided h2")).to_contain_text(second["words"])


def test_the_line_is_filled_with_the_colour_of_who_is_ahead(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games/1/review") as page:
        reviewed(page, 1)
        page.get_by_role("radio", name="Medium").click()
        deals = told(table, 1)["course"]["deals"]  # type: ignore[index]
        filled = page.locator(".chance polygon")
        expect(filled).to_have_count(2)
        even = float(page.locator(".chance line").nth(1).get_attribute("y1") or 0)
        for each in range(2):
            points = (filled.nth(each).get_attribute("points") or "").split()
            heights = [even - float(point.split(",")[1]) for point in points]
            sign = 1 if filled.nth(each).get_attribute("data-side") == "1" else -1
            assert all(sign * height >= 0 for height in heights)
            assert any(heights) == any(sign * (0.5 - one["after"]) > 0 for one in deals)


def test_another_player_and_three_at_the_table(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games/2/review", size=(320, 568)) as page:
        reviewed(page, 2)
        expect(page.locator(".pending")).to_contain_text("With three players")
        expect(page.locator(".chance")).to_have_count(0)
        page.get_by_role("radio", name="Cleo").click()
        expect(page.locator(".figures-of")).to_contain_text("three points 50%")
        found = told(table, 2)
        mine = [one for one in found["decisions"] if one["seat"] == 1]  # type: ignore[attr-defined]
        expect(page.locator(".decisions li")).to_have_count(len(mine))
        assert page.evaluate(SIDEWAYS) == []


def test_how_far_it_is_is_said_and_a_game_that_is_not_over_hides_its_cards(
    table: RealTable, browser: Browser
) -> None:
    with visit(browser, table.url, path="") as page:
        intercept(page, "**/api/games/1/review", lambda route: _pending(route, 7))
        page.goto(f"{table.url}#games/1/review")
        expect(page.get_by_role("status")).to_have_text("Going through the game: 7 deals to go.")
        page.unroute_all(behavior="wait")
        page.goto(f"{table.url}#games/3/review")
        expect(page.get_by_role("status")).to_have_text("This game can't be reviewed now.")


def _pending(route: Route, deals: int) -> None:
    route.fulfill(json={"pending": deals})


@needs_pdftotext
def test_a_review_is_printed_whole_on_a_sheet_of_paper(
    table: RealTable, browser: Browser, tmp_path: Path
) -> None:
    with visit(browser, table.url, path="#games/1/review", is_dark=True) as page:
        reviewed(page, 1)
        mine = [one for one in told(table, 1)["decisions"] if one["seat"] == 0]  # type: ignore[attr-defined]
        expect(page.locator(".decisions li")).to_have_count(len(mine))
        said = printed(page, tmp_path, margin={"top": EDGE, "right": EDGE, "bottom": EDGE, "left": EDGE})
        page.set_viewport_size({"width": PAPER, "height": 400})
        page.emulate_media(media="print")
        assert page.evaluate(SIDEWAYS) == []
        assert page.evaluate(SCROLLED) == []
        ways = page.locator(".review").get_by_role("link").or_(page.get_by_role("radio"))
        assert [one for one in ways.all() if one.is_visible()] == []
        pressed = page.get_by_role("button").locator("visible=true")
        expect(pressed).to_have_count(len(mine))  # the decisions themselves
        page.emulate_media(media="screen")
    lines = re.findall(
        r"^ *\S+ +.*(?:Best|Good|Inaccuracy|Mistake|Blunder).*$", said, re.MULTILINE | re.IGNORECASE
    )
    assert len(lines) >= len(mine), said
