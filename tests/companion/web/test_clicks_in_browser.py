"""A deal against the computer, counted in clicks as a person makes them: which, and on what."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import MOST_LOOKS, TABLE, needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from companion.web.test_drag_in_browser import by_mouse, grip, middle
from playwright.sync_api import Browser, Locator, Page, expect
from support.companions import start_of
from support.patience import PATIENCE

from cribpi.companion.entry.next_game import USUALLY_AUTOMATIC

pytestmark = [pytest.mark.browser, needs_chromium]

LOOK = """async () => {
  for (const moving of document.getAnimations()) moving.finish();
  const { seq, table, hand } = await fetch("/api/page").then((answer) => answer.json());
  const main = document.querySelector("main.table");
  return {
    deal: table.deal, phase: main.dataset.phase, kind: main.dataset.kind, cards: hand?.wanted ? hand.playable : [],
    chosen: hand?.chosen.length ?? 0,
    isReady: main.dataset.seq === String(seq) && main.dataset.waiting === "0" && !document.querySelector("[data-rests], .felt.closed"),
  };
}"""


class Person:
    """Who plays with the mouse, and notes each click."""

    def __init__(self, page: Page, *, drags: bool) -> None:
        self.page, self.drags = page, drags
        self.clicks: list[str] = []

    def click(self, on: Locator, what: str) -> None:
        """Click, and let the time pass within which a second click is the other half of a double click."""
        self.page.mouse.click(*(grip(on) if "card" in what else middle(on)))
        self.clicks.append(what)
        self.page.clock.run_for(500)

    def give(self, card: str, place: str) -> None:
        held = self.page.locator(f'.hand [data-card="{card}"]')
        if self.drags:
            by_mouse(self.page, held, self.page.locator(place))
            self.clicks.append(f"{card} dragged to {place}")
        else:
            self.click(held, f"card {card}")

    def main(self) -> None:
        main = self.page.locator(".asked .main, .show .main")
        self.click(main, main.inner_text())


def look(page: Page) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate(LOOK)
    return found


def play_deal(page: Page, person: Person) -> None:
    """Play the deal on the table to its end, with no click but what is needed."""
    deal, has_pressed = look(page)["deal"], False
    for _ in range(MOST_LOOKS):
        now = look(page)
        if now["deal"] != deal or now["kind"] == "result":
            return
        if not now["isReady"]:
            page.clock.run_for(200)
        elif now["phase"] == "deal" and now["cards"] and now["chosen"] < 2:
            person.give(now["cards"][now["chosen"] * 2], ".slots")
        elif now["phase"] == "deal" and now["chosen"] == 2 and not person.drags:
            person.main()
        elif now["phase"] == "play" and now["cards"]:
            person.give(now["cards"][-1], ".pile")
        elif now["kind"] == "show" and not has_pressed:
            person.main()
            has_pressed = True
        else:
            page.clock.run_for(200)
    pytest.fail(f"no end: {person.clicks}")


def begin(table: RealTable) -> None:
    request = {
        "rules": "standard", "players": 2, "entry": "dealt", "options": {"target": "121"}, "speed": "fast",
        "levels": ["", "thrifty"], "automatic": list(USUALLY_AUTOMATIC),
    }  # fmt: skip
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted


@pytest.mark.parametrize(("drags", "most"), [(False, 8), (True, 7)], ids=["clicks", "drags"])
def test_a_deal_takes_few_clicks_and_each_count_is_walked_through(
    tmp_path: Path, browser: Browser, *, drags: bool, most: int
) -> None:
    with real_table(tmp_path, seed=3) as table:
        begin(table)
        with visit(browser, table.url, is_still=True, path=TABLE) as page:
            page.evaluate(
                "() => { window.walked = new Set(); setInterval(() => document.querySelector('.show .tally .now') && window.walked.add(document.querySelector('h1').textContent), 50); }"
            )
            page.locator(".hand button.card").first.wait_for()
            person = Person(page, drags=drags)
            play_deal(page, person)
            print(f"{len(person.clicks)} clicks: {', '.join(person.clicks)}")
            assert len(person.clicks) <= most, person.clicks
            assert page.evaluate("window.walked.size") >= 2, (
                "the counts that nobody pressed for are walked through"
            )


def wait(page: Page) -> None:
    """Let twenty seconds pass, in which a count goes on if nothing holds it."""
    for _ in range(40):
        page.clock.run_for(500)


def prefer_one_press(page: Page, *, is_on: bool) -> None:
    page.evaluate("async (isOn) => (await import('/page/preferences.js')).prefer('carry', isOn)", is_on)


def at_show(page: Page) -> None:
    expect(page.locator("main.table")).to_have_attribute("data-kind", "show")
    page.clock.run_for(1000)
    expect(page.locator(".show .main:not([aria-disabled])")).to_have_count(1)


def test_pause_and_undo_end_what_goes_on_by_itself(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path, seed=3) as table:
        begin(table)
        with visit(browser, table.url, is_still=True, path=TABLE) as page:
            page.locator(".hand button.card").first.wait_for()
            person = Person(page, drags=False)
            while look(page)["kind"] != "show":
                now = look(page)
                if now["isReady"] and now["phase"] == "deal" and now["cards"] and now["chosen"] < 2:
                    person.give(now["cards"][now["chosen"]], ".slots")
                elif now["isReady"] and now["phase"] == "deal" and now["chosen"] == 2:
                    person.main()
                elif now["isReady"] and now["phase"] == "play" and now["cards"]:
                    person.give(now["cards"][-1], ".pile")
                else:
                    page.clock.run_for(200)
            at_show(page)
            first = table.state()["seq"]
            wait(page)
            assert table.state()["seq"] == first, "the first hand waits for a press"
            prefer_one_press(page, is_on=False)
            page.keyboard.press("Enter")
            expect(page.locator("main.table")).not_to_have_attribute("data-seq", str(first))
            second = table.state()["seq"]
            wait(page)
            assert table.state()["seq"] == second, "who wants to press for each hand does"
            prefer_one_press(page, is_on=True)
            page.clock.run_for(500)
            page.get_by_role("button", name="Pause").click()
            wait(page)
            assert table.state()["seq"] == second
            page.get_by_role("button", name="Go on", exact=True).click()
            wait(page)
            expect(page.locator("main.table")).not_to_have_attribute("data-seq", str(second))
            page.locator("[data-tool=undo]").click()
            expect(page.locator("main.table")).to_have_attribute("data-waiting", "0")
            page.clock.run_for(500)
            taken = table.state()["seq"]
            wait(page)
            assert table.state()["seq"] == taken, "what was taken back is not done again by itself"
