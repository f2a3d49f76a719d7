"""The second evening: the start knows the last game, offers its rematch and its review, and says who played whom."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import intercept, needs_chromium, resize, visit
from companion.web.real_table import real_table
from companion.web.test_past_games_in_browser import SIDEWAYS
from companion.web.test_start_in_browser import COUNT, HAND, are_in_view
from playwright.sync_api import Browser, Page, expect
from support.greedy_games import greedy_game
from support.patience import until
from support.tables import opened

from cribpi.cribbage.game.events import Event

pytestmark = [pytest.mark.browser, needs_chromium]

SIZES = [(320, 568), (390, 844), (844, 390), (1280, 800), (1920, 1080)]
LONG = "W" * 40
AGAINST = greedy_game(8, ("ORANGE", "BLUE"), 31, ("", "medium"))


def evening(folder: Path, *games: tuple[int, list[Event]]) -> Path:
    """Leave a journal of *games* in *folder*, each begun at noon so many days ago."""
    noon = datetime.now().astimezone().replace(hour=12, minute=0, second=0, microsecond=0)
    with opened(folder) as (journal, _):
        seq = 0
        for days, events in games:
            seq += len(events)
            at = (noon - timedelta(days=days)).astimezone(UTC).isoformat(timespec="milliseconds")
            journal.commit(at, seq, "{}", events)
    return folder


def banner(page: Page) -> str:
    return page.get_by_role("region", name="Your last game").get_by_role("heading").inner_text()


def test_yesterdays_game_is_offered_again_and_a_rematch_is_one_click(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(evening(tmp_path, (1, AGAINST))) as table, visit(browser, table.url, path="") as page:
        row = httpx.get(f"{table.url}api/games", trust_env=False).json()["games"][0]
        mine, theirs = (side["score"] for side in row["sides"])
        told = f"beat Medium by {mine - theirs}" if mine > theirs else f"lost to Medium by {theirs - mine}"
        expect(page.locator(".last-game h2")).to_contain_text(f"Yesterday: you {told}")
        expect(page.locator(".last-game p")).to_have_text(f"{mine}\u2013{theirs} · not reviewed yet")
        assert page.locator("main .main").all_inner_texts() == ["Rematch"], "one button stands out"
        pegs = page.locator(".final-pegs circle[data-side]")
        assert pegs.evaluate_all("(all) => all.map((one) => one.dataset.side)") == ["1", "1", "0", "0"], (
            "one's own are the lowest"
        )
        page.evaluate(COUNT)
        page.get_by_role("button", name="Rematch").click()
        expect(page.locator(HAND)).to_have_count(6)
        assert page.evaluate("window.clicks") == 1
        state = table.state()
        assert [(seat["name"], seat["level"]) for seat in state["seats"]] == [
            ("ORANGE", None),
            ("BLUE", "medium"),
        ]
        assert (state["target"], state["entry"]) == (31, "dealt")
        page.get_by_role("link", name="cribpi").click()
        expect(page.locator(".open-game")).to_be_visible()
        expect(page.locator(".last-game")).to_have_count(0)
        expect(page.locator(".your-games .game-row")).to_have_count(1)


def test_a_rematch_is_by_the_rules_of_the_last_game_though_the_menu_for_another_lies_open(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(evening(tmp_path, (1, AGAINST))) as table, visit(browser, table.url, path="") as page:
        httpx.post(f"{table.url}api/rules", json={"options": {"target": "121"}}, trust_env=False)
        until(lambda: table.state()["phase"] == "new-game")
        page.goto(table.url)
        page.get_by_role("button", name="Rematch").click()
        expect(page.locator(HAND)).to_have_count(6)
        assert table.state()["target"] == 31


def test_a_review_is_one_click_and_its_accuracy_is_told_from_then_on(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(evening(tmp_path, (0, AGAINST))) as table, visit(browser, table.url, path="") as page:
        page.locator(".last-game").get_by_role("link", name="Review").click()
        expect(page.locator(".reviewed")).to_be_visible()
        assert violations(page) == []
        found = httpx.get(f"{table.url}api/games/1/review", trust_env=False).json()["players"][0]
        percent = f"{round(100 * found['accuracy'])}%"
        page.get_by_role("link", name="cribpi").click()
        expect(page.locator(".last-game h2")).to_contain_text("Today: you ")
        expect(page.locator(".last-game p")).to_contain_text(f"{percent} accuracy · ")
        expect(page.locator(".game-row .accuracy")).to_have_text(f"{percent} accuracy")
        page.goto(f"{table.url}#stats/ORANGE")
        expect(page.locator(".accuracies circle")).to_have_count(1)
        assert violations(page) == []
        expect(page.get_by_text(f"{percent} in the only game")).to_be_visible()


def test_the_last_three_say_when_with_whom_and_how_they_ended(tmp_path: Path, browser: Browser) -> None:
    games = [
        (7, greedy_game(11, ("Ann", "Bob"), levels=("", "medium"))),
        (3, greedy_game(2, ("Ann", "Bob"), 31)),
        (2, greedy_game(1, ("You", "BLUE", "Easy 2"), 31, ("", "easy", "easy"))),
        (1, greedy_game(4, ("Bob", "Ann", "Cleo", "Dan"), 31)),
    ]
    with real_table(evening(tmp_path, *games)) as table, visit(browser, table.url, path="") as page:
        rows = page.locator(".your-games .game-row")
        expect(rows).to_have_count(3)
        days = [(datetime.now().astimezone() - timedelta(days=days)).strftime("%A") for days in (2, 3)]
        assert [row.locator(".when").inner_text() for row in rows.all()] == ["Yesterday", *days]
        assert [" ".join(row.locator(".whom").inner_text().split()) for row in rows.all()] == [
            "Ann+Dan and Bob+Cleo · pass and play",
            "Easy and Easy 2 · computer",
            "Ann and Bob · pass and play",
        ]
        assert banner(page).startswith("Yesterday: ")
        assert " beat " in banner(page)
        assert [row.locator(":is(.won, .lost)").count() for row in rows.all()] == [0, 1, 0]
        expect(rows.nth(1).locator(".won")).to_have_text("Won by 9")  # over the second, not the last
        page.get_by_role("link", name="All games and statistics").click()
        expect(page.locator(".game-row")).to_have_count(4)
        expect(page.locator(".game-row").last).to_contain_text("Game 1, ")
        expect(page.locator(".game-row").last.locator(".lost")).to_have_text("Lost by 33, a skunk")
        year = str((datetime.now().astimezone() - timedelta(days=7)).year)
        expect(page.locator(".game-row").last.locator(".when")).to_contain_text(year)  # no weekday any more
        expect(page.locator(".game-row").nth(2).locator(".outcome")).to_contain_text(" won by ")


def test_a_score_has_one_order_wherever_it_stands(tmp_path: Path, browser: Browser) -> None:
    """Whoever of two people has won: theirs is the first score, in the banner and in each list."""
    games = [(days, greedy_game(seed, ("Ann", "Bob"), 31)) for days, seed in enumerate((9, 1, 10, 2, 3), 1)]
    with real_table(evening(tmp_path, *games)) as table, visit(browser, table.url, path="") as page:
        expect(page.locator(".your-games .game-row")).to_have_count(3)
        score = page.locator(".your-games .score").first.inner_text()
        expect(page.locator(".last-game p")).to_contain_text(f"{score} ·")
        page.goto(f"{table.url}#games")
        expect(page.locator(".game-row")).to_have_count(5)
        winners = [row.locator(".outcome b").inner_text() for row in page.locator(".game-row").all()]
        assert len(set(winners)) == 2, "each has won one"
        for row, winner in zip(page.locator(".game-row").all(), winners, strict=True):
            first, second = map(int, row.locator(".score").inner_text().split("\u2013"))
            assert first > second
            assert row.locator(".whom").inner_text().startswith(winner)


def test_who_has_never_played_is_asked_in_and_who_has_learned_finds_the_lesson_again(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        expect(page.locator(".newcomer")).to_be_visible()
        expect(page.locator(".more > *")).to_have_count(6)
        page.evaluate("localStorage.setItem('cribpi.lesson', 'done')")
        page.reload()
        expect(page.locator(".more").get_by_role("button", name="Learn to play")).to_be_visible()
        expect(page.locator(".newcomer")).to_have_count(0)
        expect(page.locator(".more > *")).to_have_count(6)


ROWS_OF_TILES = """() => {
  const rows = {};
  for (const tile of document.querySelectorAll(".more > *")) {
    const { top, bottom } = tile.getBoundingClientRect();
    (rows[Math.round(top)] ??= []).push(bottom);
  }
  return Object.values(rows);
}"""


@pytest.mark.parametrize("is_dark", [False, pytest.param(True, marks=pytest.mark.prove)])
def test_no_tile_stands_alone_or_is_cut_off_and_nothing_is_too_wide(
    tmp_path: Path, browser: Browser, *, is_dark: bool, whole: bool
) -> None:
    sizes = SIZES if whole else SIZES[::3]
    games = [
        (3, greedy_game(1, (LONG, "מרים 🦊"), 31)),
        (2, AGAINST),
        (1, greedy_game(2, ("Medium", LONG), 31)),
    ]
    with (
        real_table(evening(tmp_path, *games)) as table,
        visit(browser, table.url, sizes[0], is_dark=is_dark, path="") as page,
    ):
        expect(page.locator(".your-games .game-row")).to_have_count(3)
        for size in sizes:
            resize(page, *size)
            are_in_view(page)
            rows = page.evaluate(ROWS_OF_TILES)
            assert len({len(row) for row in rows}) == 1, f"each row is full, {size}"
            if size >= (1280, 800):
                assert max(max(row) for row in rows) <= size[1], size
            assert page.evaluate(SIDEWAYS) == [], size
            assert violations(page) == [], size
        page.goto(f"{table.url}#games")
        expect(page.locator(".game-row")).to_have_count(3)
        for size in sizes:
            resize(page, *size)
            assert page.evaluate(SIDEWAYS) == [], size
        assert violations(page) == []


IN_SIGHT = """() => {
  const row = document.querySelector(".decisions [aria-current]").getBoundingClientRect();
  const list = document.querySelector(".decisions .list").getBoundingClientRect();
  return row.top > list.top - 1 && row.bottom < list.bottom + 1 && list.bottom <= innerHeight;
}"""


AT_STEP = "(at) => location.hash.endsWith(`/${at}`)"


def test_a_review_runs_forwards_by_its_arrow_keys_and_the_chosen_row_stays_in_sight(
    tmp_path: Path, browser: Browser
) -> None:
    game = greedy_game(8, ("Ann", "BLUE"), 61, ("", "medium"))
    with (
        real_table(evening(tmp_path, (1, game))) as table,
        visit(browser, table.url, path="#games/1/review") as page,
    ):
        expect(page.locator(".reviewed")).to_be_visible()
        heads = page.locator(".decisions h3").all_inner_texts()
        deals = [int(head.split()[1]) for head in heads]
        assert deals == sorted(deals)
        mine = [
            one["number"]
            for one in httpx.get(f"{table.url}api/games/1/review", trust_env=False).json()["decisions"]
            if one["seat"] == 0
        ]
        page.locator(".decisions li button").first.click()
        for number in mine[1:]:
            page.keyboard.press("ArrowDown")
            page.wait_for_function(AT_STEP, arg=number)
            page.wait_for_function(IN_SIGHT)
        page.keyboard.press("ArrowLeft")
        page.wait_for_function(AT_STEP, arg=mine[-2])
        page.keyboard.press("Home")
        page.wait_for_function(AT_STEP, arg=mine[0])
        page.wait_for_function(IN_SIGHT)
        expect(page.locator(".decisions li button").first).to_be_focused()


STREAK = """([ago, days]) => localStorage.setItem("cribpi.practice", JSON.stringify(
  { at: new Date(new Date().setHours(-24 * (ago - 1), 0, 0, -1)).toISOString(), days, right: 4, most: 9 }))"""
"""Answers in the last moment of the day so many days ago, and the days in a row by then."""


def test_practice_keeps_its_streaks(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        page.evaluate(STREAK, [2, 6])
        page.reload()
        expect(page.get_by_role("link", name="Practice")).to_contain_text("Discards and counts")
        page.evaluate(STREAK, [1, 6])
        page.reload()
        expect(page.get_by_role("link", name="Practice")).to_contain_text("6 days in a row")
        task = httpx.get(f"{table.url}api/practice/counting", trust_env=False).json() | {"points": 8}
        intercept(page, "**/api/practice/counting", lambda route: route.fulfill(json=task))
        page.goto(f"{table.url}#practice/counting")
        for typed, told in ((8, "5 in a row, best 9"), (7, "0 in a row, best 9")):
            page.get_by_label("Points").fill(str(typed))
            page.keyboard.press("Enter")
            expect(page.locator(".figures-of")).to_contain_text(told)
            expect(page.locator(".figures-of")).to_contain_text("7 days in a row")
            page.keyboard.press("Enter")
            expect(page.get_by_label("Points")).to_have_value("")
