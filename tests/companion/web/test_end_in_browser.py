"""The end of a game on the page: once more, again card by card, and for others as a picture and a record."""

from __future__ import annotations

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import SplitResult, urlsplit

import pytest
from companion.web.browser import needs_chromium, resize, visit, wait_until
from companion.web.real_table import RealTable, real_table
from PIL import Image
from playwright.sync_api import Browser, Download, Page, expect
from support.greedy_games import greedy_game, journal_of

pytestmark = [pytest.mark.browser, needs_chromium]

LONG = "<img src=x onerror=alert(1)> 🦊 محمد"
FEW_COLOURS = 1000
FEW_OF_WOOD = 400
BOARD = (720, 160, 1120, 176)
"""Wood above the holes."""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    with real_table(journal_of(tmp_path, greedy_game(2, ("Ann", LONG), 61))) as table:
        yield table


def test_a_rematch_has_the_same_players_and_rules_and_the_loser_deals(
    table: RealTable, browser: Browser
) -> None:
    before = table.state()
    with visit(browser, table.url, path="#table") as page:
        page.get_by_role("button", name="Rematch").click()
        expect(page.locator("main.table")).not_to_have_attribute("data-kind", "result")
        after = table.state()
        assert [seat["name"] for seat in after["seats"]] == [seat["name"] for seat in before["seats"]]
        assert (after["target"], after["rules"], after["entry"]) == (61, before["rules"], before["entry"])
        assert after["seats"][after["dealer"]]["side"] != before["winner"]


@pytest.mark.parametrize(
    ("seed", "said"), [(1, "Ann wins by 64, a double skunk"), (11, "Bob wins by 33, a skunk")]
)
def test_the_result_says_a_skunk(tmp_path: Path, browser: Browser, seed: int, said: str) -> None:
    with (
        real_table(journal_of(tmp_path, greedy_game(seed, ("Ann", "Bob")))) as table,
        visit(browser, table.url, path="#table") as page,
    ):
        expect(page.locator(".result h1")).to_have_text(said)
        gains = page.locator(".gains tbody tr").first.get_by_role("cell")
        result: Any = table.companion.page()["result"]
        expect(gains).to_have_text([str(side["pegging"]) for side in result["sides"]])
        expect(page.locator(".tile")).to_have_count(2)
        expect(page.locator(".tiles")).not_to_contain_text("deals")


def test_review_goes_through_the_decisions_of_the_game(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#table") as page:
        page.get_by_role("link", name="Review").click()
        expect(page.get_by_role("heading", name="Review of game 1")).to_be_visible()
        expect(page.locator(".reviewed")).to_be_visible()


def test_the_course_is_drawn_anew_for_a_window_of_another_size(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#table") as page:
        for size in ((390, 664), (844, 390)):
            resize(page, *size)
            page.wait_for_function(
                """() => {
  const drawn = document.querySelector(".course");
  return drawn && Math.abs(drawn.getBoundingClientRect().width / drawn.viewBox.baseVal.width - 1) < 0.2;
}"""
            )


def shared(page: Page) -> dict[str, bytes]:
    saved: list[Download] = []
    page.on("download", lambda one: saved.append(one))  # noqa: PLW0108  Playwright marks its listeners
    page.get_by_role("button", name="Share").click()
    expect(page.locator(".told")).to_contain_text("downloads")
    wait_until(page, lambda: len(saved) == 2)
    return {one.suggested_filename: Path(one.path()).read_bytes() for one in saved}


def test_to_share_saves_a_picture_and_the_record_and_asks_no_other_host(
    table: RealTable, browser: Browser
) -> None:
    asked: set[SplitResult] = set()
    with visit(browser, table.url, path="#table") as page:
        page.on("request", lambda request: asked.add(urlsplit(request.url)))
        files = shared(page)
    assert set(files) == {"game-1.png", "game-1.crib"}
    with Image.open(BytesIO(files["game-1.png"])) as picture:
        assert picture.size == (1200, 630)
        drawn = picture.convert("RGB")
        colours = drawn.getcolors(1 << 20)
        assert colours is not None
        assert len(colours) > FEW_COLOURS, "something is drawn"
        wood = drawn.crop(BOARD).getcolors(1 << 20)
        assert wood is not None
        assert len(wood) > FEW_OF_WOOD, "the board has its grain"
    assert "Ann" in files["game-1.crib"].decode()
    assert {one.netloc for one in asked if one.scheme not in {"blob", "data"}} <= {urlsplit(table.url).netloc}


def test_where_the_system_shares_files_it_is_given_both(table: RealTable, browser: Browser) -> None:
    with visit(browser, table.url, path="#table") as page:
        page.evaluate("""() => {
          navigator.canShare = () => true;
          navigator.share = async ({ files, title }) => { window.given = [title, ...files.map(({ name }) => name)]; };
        }""")
        page.get_by_role("button", name="Share").click()
        page.wait_for_function("() => window.given")
        title, *names = page.evaluate("window.given")
        assert " wins by " in title
        assert names == ["game-1.png", "game-1.crib"]
        expect(page.locator(".told")).to_have_text("")
