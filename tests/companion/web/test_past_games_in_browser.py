"""Past games and statistics on the page: every game again card by card, and what each player has done."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from companion.web.browser import intercept, needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, expect
from support.greedy_games import greedy_game, journal_of
from support.patience import PATIENCE

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import Peg, Start
from cribpi.cribbage.record import Comment, parse

pytestmark = [pytest.mark.browser, needs_chromium]

LONG = "<img src=x onerror=alert(1)> & forty / %"
SIZES = [
    pytest.param((1280, 800), marks=pytest.mark.prove),
    (390, 664),
    pytest.param((844, 390), marks=pytest.mark.prove),
    pytest.param((320, 568), marks=pytest.mark.prove),
]
SIDEWAYS = """() => [...document.querySelectorAll("main, main *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .filter((each) => getComputedStyle(each.parentElement).overflowX !== "hidden")
  .map((each) => each.outerHTML.slice(0, 99))"""
"""What stands out of the window, but for what is cut with an ellipsis."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    games = [
        greedy_game(1, ("Ann", "BLUE"), 61, ("", "medium")),
        greedy_game(2, ("Ann", LONG), 61),
        greedy_game(3, ("Bob", "Cleo", "Ann", "Dan"), 61),
    ]
    with real_table(journal_of(tmp_path, *games, greedy_game(4, ("Ann", "Bob"))[:9])) as table:
        yield table


def test_a_game_that_was_left_is_listed_and_opens_nothing(tmp_path: Path, browser: Browser) -> None:
    games = [greedy_game(4, ("Ann", "Bob"))[:40], greedy_game(2, ("Ann", "Cleo"), 31)]
    with real_table(journal_of(tmp_path, *games)) as table, visit(browser, table.url, path="") as page:
        intercept(page, "**/api/games", lambda route: route.continue_(url=f"{route.request.url}?limit=1"))
        page.goto(f"{table.url}#games")
        rows = page.locator(".game-row")
        expect(rows).to_have_count(1)
        page.get_by_role("button", name="More games").click()
        expect(rows).to_have_count(2)
        expect(rows.last).to_contain_text("not over: cards hidden")
        assert [row.locator("a.whom").count() for row in rows.all()] == [1, 0]
        assert rows.first.locator("a.whom").get_attribute("href") == "#games/2"


INKS = """() => [...document.querySelectorAll(".best .face")].map((face) =>
  new Set([...face.querySelectorAll(".index")].map((index) => getComputedStyle(index.querySelector("text")).fill)).size)"""


def test_both_indices_of_a_card_have_one_colour(table: RealTable, browser: Browser) -> None:
    """Once all style sheets are there."""
    with visit(browser, table.url, path="#games/1") as page:
        expect(page.locator(".best .face")).to_have_count(5)
        assert page.evaluate(INKS) == [1] * 5


BROKEN = """() => [...document.querySelectorAll(".game-row .when small")].filter((one) => {
  one.textContent = "Game 12, 11:15 AM";
  return one.getBoundingClientRect().height > 1.6 * parseFloat(getComputedStyle(one).fontSize);
}).length"""


@pytest.mark.parametrize("size", [(1280, 800), (390, 664)])
def test_the_time_of_a_game_stands_in_one_line(
    table: RealTable, browser: Browser, size: tuple[int, int]
) -> None:
    with visit(browser, table.url, size, path="#games") as page:
        expect(page.locator(".game-row")).to_have_count(4)
        assert page.evaluate(BROKEN) == 0


def until_step(page: Page, step: int) -> None:
    page.wait_for_selector(f'.past-game[data-step="{step}"]')


def test_a_game_is_found_by_a_name_and_stepped_through(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="") as page:
        page.get_by_role("link", name="Games and statistics").click()
        expect(page.locator(".game-row")).to_have_count(4)
        here = page.locator(".game-row").first
        assert here.locator("a.whom").get_attribute("href") == "#table", "that one is still played"
        page.get_by_label("Player").select_option(LONG)
        expect(page.locator(".game-row")).to_have_count(1)
        expect(page.locator(".game-row")).to_contain_text(LONG)
        page.locator(".game-row").click()
        heading = page.get_by_role("heading", level=1)
        expect(heading).to_contain_text(" beat ")
        expect(page).to_have_title(f"{heading.inner_text()} – cribpi")  # noqa: RUF001
        with page.expect_download() as saved:
            page.get_by_role("link", name="Save the record").click()
        assert saved.value.suggested_filename == "game-2.crib"
        page.get_by_role("link", name="Step through it").click()
        until_step(page, 1)
        lines = httpx.get(f"{table.url}api/games/2", trust_env=False).json()["lines"]
        for step in range(2, 8):
            page.get_by_role("button", name="Next").click()
            until_step(page, step)
        page.keyboard.press("ArrowLeft")
        until_step(page, 6)
        expect(page).to_have_title(f"{heading.inner_text()} – cribpi")  # noqa: RUF001
        page.keyboard.press("End")
        until_step(page, len(lines))
        expect(page.get_by_role("button", name="Next")).to_be_disabled()
        _, second_deal, *_ = (line["step"] for line in lines if "starter" in line["text"])
        first_play = second_deal + 1
        page.goto(f"{table.url}#games/2/{first_play}")
        until_step(page, first_play)
        at = httpx.get(f"{table.url}api/games/2/{first_play}", trust_env=False).json()
        shown = page.locator(".held-hands .card").evaluate_all("(all) => all.map((one) => one.dataset.card)")
        assert shown == [card for hand in (*at["hands"], at["crib"]) for card in hand]
        crib = page.locator(".held-hands .held").last.locator(".peg")
        expect(crib).to_have_attribute("data-side", str(at["state"]["seats"][at["state"]["dealer"]]["side"]))
        laid = page.locator(".pile .card").evaluate_all("(all) => all.map((one) => one.dataset.card)")
        assert laid == at["state"]["pile"]
        pegged = page.locator(".log .head b").all_inner_texts()
        assert pegged == [" ".join(f"+{one['points']}" for one in line["pegged"]) for line in lines]
        line = page.locator(".log [aria-current=step]")
        said = [line["text"] for line in lines if line["step"] == first_play]
        assert line.evaluate("(line) => line.querySelector('span').textContent.length") == len(said[0])
        expect(line).to_be_in_viewport()


BARS = """(all) => all.map((one) => [
  one.querySelector("title").textContent.split(": ")[1],
  one.querySelector("rect").y.baseVal.value < one.closest("svg").querySelector("line").y1.baseVal.value,
])"""


def signed(number: int) -> str:
    return f"{number:+}".replace("-", "\u2212") if number else "0"


def told_of_results(page: Page) -> tuple[list[list[object]], list[str]]:
    """Return the margin of each bar and whether it goes up, and the spreads against others."""
    spreads = page.locator(".sheet", has_text="Head to head").locator("td:last-child")
    return page.locator(".plot.results a").evaluate_all(BARS), spreads.all_inner_texts()


def results_of(found: dict[str, Any]) -> tuple[list[list[object]], list[str]]:
    results = [[signed(one["margin"]), one["won"]] for one in found["results"]]
    return results, [signed(one["spread"]) for one in found["against"]]


def test_statistics_say_what_the_table_says(table: RealTable, browser: Browser) -> None:
    found = httpx.get(f"{table.url}api/stats", trust_env=False).json()
    for number, one in enumerate(found["players"]):
        one |= {"skunks": 10 + number, "skunked": 20 + number}
    with visit(browser, table.url, path="") as page:
        intercept(page, "**/api/stats", lambda route: route.fulfill(json=found))
        page.goto(f"{table.url}#stats")
        names = page.locator("tbody th")
        expect(names).to_have_count(6)
        assert set(names.all_inner_texts()) == {"Ann", "Bob", "Cleo", "Dan", LONG, "Medium"}
        for row, one in zip(page.locator("tbody tr").all(), found["players"], strict=True):
            cells = row.locator("td").all_inner_texts()
            tenths = [one["tenths"][role] for role in ("dealer", "pone")]
            assert cells[2:4] == ["\u2013" if each is None else f"{each:.1f}" for each in tenths]
            assert cells[4:6] == [str(one["skunks"]), str(one["skunked"])]
        page.get_by_role("link", name=LONG).click()
        expect(page.get_by_role("heading", level=1)).to_have_text(LONG)
        expect(page.locator(".facts-row dd").first).to_have_text("1")
        shown = told_of_results(page)
        assert shown == results_of(httpx.get(f"{table.url}api/stats/{quote(LONG)}", trust_env=False).json())
        assert [won for _, won in shown[0]] == [False]
        page.get_by_role("link", name="Ann", exact=True).click()
        found = httpx.get(f"{table.url}api/stats/Ann", trust_env=False).json()
        expect(page.locator(".facts-row dd").first).to_have_text("3")
        shown = told_of_results(page)
        assert shown == results_of(found)
        assert [won for _, won in shown[0]] == [True] * 3
        assert page.locator(".bests > li > b").all_inner_texts() == [
            str(best["points"]) for best in found["best"]
        ]
        for role, averages in zip(page.locator(".role").all(), (found["dealer"], found["pone"]), strict=True):
            told = float(role.locator("h3 b").inner_text())
            assert told == pytest.approx(averages["all"], abs=0.051)
            parts = [float(part) for part in role.locator(".legend b").all_inner_texts()]
            assert round(sum(parts), 1) == told


def test_what_is_not_there_is_said(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#stats/nobody") as page:
        expect(page.get_by_role("alert")).to_have_text("No finished games for nobody.")
        page.goto(f"{table.url}#games/77")
        expect(page.get_by_role("status")).to_have_text("This game can't be shown.")


def test_without_games_the_page_says_what_will_be_here(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#games") as page:
        expect(page.locator(".empty")).to_contain_text("No games yet")
        page.get_by_role("link", name="Statistics").click()
        expect(page.locator(".empty")).to_contain_text("No finished games yet")


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_nothing_is_wider_than_the_screen(table: RealTable, browser: Browser, size: tuple[int, int]) -> None:
    with visit(browser, table.url, size, path="#games") as page:
        places = {
            "games": ".game-row",
            "games/2": ".gains",
            "games/3/30": ".held-hands",
            "stats": ".figures",
            "stats/Ann": ".bests",
        }
        for place, there in places.items():
            page.goto(f"{table.url}#{place}")
            page.wait_for_selector(there)
            assert page.evaluate(SIDEWAYS) == [], place


FIVE_CARD = """cribpi record 1
game "Ann" "Bob" rules=five-card entry=peg dealer=1
next
next
peg 0 4
next
peg 0 8
peg 1 6
peg 1 5
next
put-right 0 61
"""


def test_five_card_has_averages_of_its_own_beside_no_line(tmp_path: Path, browser: Browser) -> None:
    events = [event for event in parse(FIVE_CARD) if not isinstance(event, Comment)]
    games = [events, greedy_game(2, ("Ann", "Bob"), 61)]
    with (
        real_table(journal_of(tmp_path, *games)) as table,
        visit(browser, table.url, path="#stats/Ann") as page,
    ):
        roles = page.locator(".role")
        expect(roles).to_have_count(4)
        expect(roles.last.locator("h3")).to_contain_text("five-card 12.0 1 deal")
        assert [role.locator("line.usual").count() for role in roles.all()] == [1, 1, 0, 0]


def test_a_player_called_like_a_card_is_no_card_in_a_game_that_is_over(
    tmp_path: Path, browser: Browser
) -> None:
    """Whoever plays at the table by now: the names are those of the game that is shown."""
    games = [greedy_game(2, ("JD", "Bob"), 31), greedy_game(4, ("Ann", "Cleo"))[:9]]
    with (
        real_table(journal_of(tmp_path, *games)) as table,
        visit(browser, table.url, path="#games/1/4") as page,
    ):
        said = page.locator(".log .head", has_text="JD")
        expect(said.first).to_be_visible()
        assert "J\u2666 " not in page.locator(".log").inner_text()
        page.goto(f"{table.url}#table")
        expect(page.locator(".tile b").first).to_have_text("Ann")


def test_a_review_is_offered_where_it_can_be_had(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        for rules in ("standard", "five-card"):  # the latter last: it is on the table, and on the start
            options = {"target": "31"}
            table.companion.do(Start(Changes(rules=rules, players=2, options=options, entry="peg"))).result(
                PATIENCE
            )
            table.press("P1", "OK", "OK")
            for points in (15, 15, 2):
                table.companion.do(Peg(1, points=points)).result(PATIENCE)
        rows = httpx.get(f"{table.url}api/games").json()["games"]
        assert [(row["winner"], row["reviewable"]) for row in rows] == [(1, False), (1, True)]
        expect(page.locator(".result")).to_be_visible()
        for path, offers in (("#table", 0), ("#", 1), ("#games", 1), ("#games/1", 1), ("#games/2", 0)):
            page.goto(table.url + path)
            page.reload()
            expect(page.locator(".result, .game-row, .last-game h2").first).to_be_visible()
            expect(page.get_by_role("link", name="Review", exact=False)).to_have_count(offers)


def test_at_five_card_there_are_places_for_three_cards(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        table.companion.do(Start(Changes(rules="five-card", players=2, entry="cards"))).result(PATIENCE)
        table.press(*"P2 4 5 6 7 9 GO GO".split())
        expect(page.locator(".pile .card, .pile .slot")).to_have_count(3)
        expect(page.locator(".next .slot")).to_have_count(4)
