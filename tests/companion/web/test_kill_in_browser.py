"""The whole program, killed in the middle of a game with the page open, and started again: the page says that
there is no line, comes back by itself, and no press is lost or done twice."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from companion.web.browser import intercept, needs_chromium, visit
from pictures.scenes import alone, play
from playwright.sync_api import Browser, Page, Route, expect
from support.patience import PATIENCE
from support.server import ask, companion

pytestmark = [pytest.mark.browser, needs_chromium]

HAND = ".hand button.card"
CHOSEN = f"{HAND}[aria-pressed=true]"
DISCONNECTED = "Disconnected, reconnecting."


def chooses(now: dict[str, Any]) -> bool:
    """Tell whether the person is to choose cards for the crib, in a deal in which there are points already."""
    return (
        now["phase"] == "deal" and now["table"]["deal"] > 1 and bool(now["hand"]) and now["thinking"] is None
    )


def cards(page: Page, where: str) -> list[str]:
    found: list[str] = page.locator(where).evaluate_all("(all) => all.map((one) => one.dataset.card)")
    return found


def test_a_press_whose_answer_was_lost_with_the_program_is_done_once(
    tmp_path: Path, browser: Browser
) -> None:
    with ExitStack() as first:
        process, url = first.enter_context(companion(tmp_path))
        alone(url)
        play(url, chooses)
        before = ask(f"{url}api/state")[1]
        assert any(side["front"] for side in before["sides"])
        with visit(browser, url, path="#table") as page:
            page.evaluate("window.isTheSame = true")
            expect(page.locator(HAND)).to_have_count(6)
            hand = cards(page, HAND)
            page.locator(HAND).nth(0).click()
            expect(page.locator(CHOSEN)).to_have_count(1)

            def answer_is_lost(route: Route) -> None:
                route.fetch()  # it is done, and kept
                process.kill()
                process.wait(PATIENCE)
                route.abort()

            intercept(page, "**/api/press", answer_is_lost)
            page.locator(HAND).nth(3).click()
            expect(page.get_by_role("status").filter(has_text=DISCONNECTED)).to_contain_text("To be sent: ")
            page.unroute("**/api/press")
            page.locator(HAND).nth(5).click(trial=True)  # what is there can still be looked at
            with companion(tmp_path, "--port", str(urlsplit(url).port)):
                expect(page.get_by_role("status").filter(has_text=DISCONNECTED)).to_have_count(0)
                expect(page.locator('main.table[data-waiting="0"]')).to_have_count(1)
                expect(page.locator(CHOSEN)).to_have_count(2)
                assert cards(page, HAND) == hand
                assert sorted(cards(page, CHOSEN)) == sorted([hand[0], hand[3]])
                after = ask(f"{url}api/state")[1]
                assert after["sides"] == before["sides"]
                assert after["dealer"] == before["dealer"]
                assert page.evaluate("window.isTheSame"), "it came back without being loaded again"
                page.locator(".asked .main").click()
                expect(page.locator(HAND)).to_have_count(4)


@pytest.mark.prove
def test_a_press_while_the_program_is_away_is_done_once_when_it_is_back(
    tmp_path: Path, browser: Browser
) -> None:
    with companion(tmp_path) as (process, url):
        alone(url)
        play(url, chooses)
        with visit(browser, url, path="#table") as page:
            hand = cards(page, HAND)
            process.kill()
            process.wait(PATIENCE)
            expect(page.get_by_role("status").filter(has_text=DISCONNECTED)).to_be_visible()
            page.locator(HAND).nth(1).click()
            expect(page.get_by_role("status").filter(has_text=DISCONNECTED)).to_contain_text(hand[1])
            with companion(tmp_path, "--port", str(urlsplit(url).port)):
                expect(page.get_by_role("status").filter(has_text=DISCONNECTED)).to_have_count(0)
                expect(page.locator(CHOSEN)).to_have_count(1)
                assert cards(page, CHOSEN) == [hand[1]]
                assert ask(f"{url}api/page")[1]["hand"]["chosen"] == [hand[1]]
