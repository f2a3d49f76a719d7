"""A whole game on the page, by clicks alone: the real companion on its twin, and a person who reads the marks."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page, expect
from support.server import ask, companion

from web.browser import needs_chromium, open_browser, visit

pytestmark = [pytest.mark.browser, needs_chromium, pytest.mark.timeout(600)]

PRESSES = 1000  # a game of two takes some 150


def click(page: Page, name: str) -> None:
    page.locator(f'#keypad [data-key="{name}"]').click()
    expect(page.locator("#keypad .waiting")).to_have_count(0)


def marked(page: Page) -> list[str]:
    """Return the keys that the page marks, the one that it marks most of all first."""
    keys = "[...document.querySelectorAll('#keypad [data-next=first], #keypad [data-next=also]')]"
    found: list[str] = page.evaluate(
        f"{keys}.sort((a, b) => (b.dataset.next === 'first') - (a.dataset.next === 'first')).map((k) => k.dataset.key)",
    )
    return found


def test_a_game_is_played_to_its_end_by_clicking_what_is_marked(tmp_path: Path) -> None:
    chance = Random(121)
    with companion(tmp_path) as (_, url), open_browser() as browser, visit(browser, url) as page:
        expect(page.locator("#prompt")).to_contain_text("OK")
        state = ask(f"{url}api/state")[1]
        for _ in range(PRESSES):
            _, state = ask(f"{url}api/state")
            if state["winner"] is not None:
                break
            page.wait_for_function(
                "(seq) => Number(document.getElementById('table').dataset.seq) >= seq",
                arg=state["seq"],
            )
            keys = marked(page)
            assert keys, state["prompt"]
            first = page.locator("#keypad [data-next=first]").count()
            click(page, keys[0] if first else chance.choice(keys))
        else:
            pytest.fail(f"no end after {PRESSES} presses: {state['prompt']}")
        front = page.locator("#scores .wins .front")
        expect(front).to_have_text(str(state["target"]))
        expect(page.locator("#scores .wins")).to_contain_text("has won")
        click(page, "OK")  # and the next game can begin
        assert ask(f"{url}api/state")[1]["winner"] is None
