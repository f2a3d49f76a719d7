"""Practice on the page: one's own mistakes first, each answer judged at once, hands counted line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import httpx
import pytest
from companion.web.browser import intercept, needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from companion.web.test_past_games_in_browser import SIDEWAYS
from playwright.sync_api import Browser, Page, expect
from support.greedy_games import greedy_game, journal_of

pytestmark = [pytest.mark.browser, needs_chromium]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    with real_table(journal_of(tmp_path, greedy_game(8, ("Ann", "BLUE"), 61, ("", "medium")))) as table:
        yield table


def test_ones_own_mistakes_come_first_and_an_answer_is_judged(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#games", size=(390, 664)) as page:
        page.get_by_role("link", name="Practice").click()
        page.get_by_role("radio", name="Pegging").click()
        page.get_by_label("Practise").select_option("Ann")
        expect(page.locator(".decided")).to_contain_text("From game 1")
        review = httpx.get(f"{table.url}api/games/1/review", trust_env=False).json()
        mine = [one for one in review["decisions"] if one["seat"] == 0 and one["which"] == "play"]
        worst = max(mine, key=lambda one: one["lost"])
        expect(page.locator(".decided")).to_contain_text(f"deal {worst['deal']}.")
        best = worst["options"][0]["cards"][0]
        page.locator(".trying button").nth(worst["hand"].index(best)).click()
        expect(page.locator(".verdict")).to_have_text("Yes, that's the best choice.")
        expect(page.locator(".figures-of")).to_contain_text("1 of 1 right")
        assert page.evaluate(SIDEWAYS) == []
        page.get_by_role("button", name="Next").click()
        expect(page.locator(".verdict")).to_have_count(0)


def test_with_partners_ones_own_score_is_that_of_the_side(table: RealTable, browser: Browser) -> None:
    option = {
        "cards": ["4D"],
        "mark": "best",
        "lost": 0,
        "chance": None,
        "points": 0,
        "hand": 0,
        "crib": 0,
        "play": 0,
    }
    asked = {
        "number": 9,
        "deal": 3,
        "game": 1,
        "seat": 3,
        "which": "play",
        "players": 4,
        "dealer": 1,
        "scores": [20, 33],
        "hand": ["4D", "6H"],
        "starter": "5S",
        "before": ["KD", "QS", "9C"],
        "pile": ["3H"],
        "count": 3,
        "what": "6 on 3",
        "mark": "mistake",
        "lost": 2,
        "lost_points": 2,
        "words": "",
        "chosen": 0,
        "options": [option, {**option, "cards": ["6H"], "mark": "good", "lost": 0.1}],
    }
    with visit(browser, table.url, path="#practice/pegging") as page:
        intercept(
            page, "**/mistakes?*", lambda route: route.fulfill(json={"pending": 0, "mistakes": [asked]})
        )
        page.get_by_label("Practise").select_option("Ann")
        expect(page.locator(".decided .where")).to_contain_text(
            "You have 33, your opponents 20. Your partner deals."
        )
        expect(page.locator(".decided .where")).to_contain_text(
            "In earlier counts K♦ Q♠ 9♣. On the table, 3: 3♥"
        )
        page.get_by_role("button", name="six of hearts").click()
        expect(page.locator(".figures-of")).to_contain_text("1 of 1 right")  # next to the best is good


def test_without_a_name_the_deals_are_random(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#practice") as page:
        expect(page.get_by_role("heading", level=2)).to_have_text(
            re.compile("Which two go to (your own|your opponent's) crib\\?")
        )
        for place in range(2):
            page.locator(".trying button").nth(place).click()
        expect(page.locator(".verdict")).to_be_visible()
        expect(page.locator(".trying button").first).to_be_disabled()
        expect(page.locator(".decided .option").first).to_contain_text("Your choice")


EDGES = """(cards) => cards.map((card) => {
  const { left, right, top } = card.getBoundingClientRect();
  return [left, right, top];
})"""


def test_a_hand_is_counted_and_then_said_line_by_line(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#practice/counting", size=(320, 568)) as page:
        page.get_by_label("Points").fill("19")
        edges = page.locator(".decided .card").evaluate_all(EDGES)
        assert len(edges) == 5
        assert all(one[1] <= other[0] and one[2] == other[2] for one, other in pairwise(edges))
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_have_text(re.compile(r"^No: \d+\.$"))
        points = int((page.locator(".verdict").text_content() or "")[4:-1])
        totals = page.locator(".counted-lines b").all_text_contents()
        assert points == (int(totals[-1]) if totals else 0)
        expect(page.locator(".figures-of")).to_contain_text("0 of 1 right")
        assert page.evaluate(SIDEWAYS) == []
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_have_count(0)


def race(page: Page, points: int, *, wrong: int = 0) -> None:
    """Count ten hands of so many *points*, the first few *wrong*."""
    for hand in range(10):
        expect(page.locator("p.race")).to_contain_text(f"Hand {hand + 1} of 10.")
        page.get_by_label("Points").fill("19" if hand < wrong else str(points))
        page.keyboard.press("Enter")
        expect(page.locator(".verdict")).to_be_visible()
        page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Race again")).to_be_visible()


def test_ten_hands_are_counted_against_the_clock_and_the_best_time_is_kept(
    table: RealTable, browser: Browser
) -> None:
    task = httpx.get(f"{table.url}api/practice/counting", trust_env=False).json()
    with visit(browser, table.url, path="#practice/counting", size=(390, 664)) as page:
        intercept(page, "**/api/practice/counting", lambda route: route.fulfill(json=task))
        page.get_by_role("button", name="Race: ten hands").click()
        race(page, task["points"], wrong=2)
        expect(page.locator(".verdict")).to_have_text(
            "2 wrong, so 20 seconds more. That's your time to beat."
        )
        first = float((page.locator(".decided h2").text_content() or "").removesuffix(" seconds"))
        assert 20 < first < 60
        expect(page.locator(".figures-of")).to_contain_text("8 of 10 right")
        assert page.evaluate(SIDEWAYS) == []
        page.get_by_role("button", name="Race again").click()
        race(page, task["points"])
        expect(page.locator(".verdict")).to_have_text(f"All ten right. Your best was {first:.1f}.")
        best = float((page.locator(".decided h2").text_content() or "").removesuffix(" seconds"))
        assert best < first
        page.reload()
        page.get_by_role("button", name="Race: ten hands").click()
        race(page, task["points"], wrong=10)
        expect(page.locator(".verdict")).to_have_text(
            f"10 wrong, so 100 seconds more. Your best is {best:.1f}."
        )
        page.get_by_role("button", name="Count without a clock").click()
        expect(page.get_by_role("button", name="Race: ten hands")).to_be_visible()
        expect(page.get_by_label("Points")).to_be_enabled()
        expect(page.locator("p.race")).to_have_count(0)


def test_what_cannot_be_practised_is_not_found(table: RealTable) -> None:
    refused = httpx.get(f"{table.url}api/practice/juggling", trust_env=False)
    assert refused.status_code == 404
    assert refused.json() == {"error": "practise discards, pegging or counting"}
