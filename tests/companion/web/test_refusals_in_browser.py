"""A refusal is an answer like others: the page says it, and the browser's console says nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import MOST_LOOKS, needs_chromium, visit
from companion.web.real_table import RealTable, real_table
from pictures.scenes import next_key
from playwright.sync_api import Browser, Page, expect
from support.clients import client_of
from support.companions import start_of
from support.patience import PATIENCE

from cribpi.cribbage.game.cards import PACK

pytestmark = [pytest.mark.browser, needs_chromium]

PRESS = "(key) => import('/page/store.js').then((store) => store.press(key))"
SETTLED = "() => document.querySelector('main.table')?.dataset.waiting === '0'"


def told(table: RealTable) -> dict[str, Any]:
    return {**table.state(), **table.companion.page()}


def press(page: Page, key: str) -> None:
    page.evaluate(PRESS, key)
    page.wait_for_function(SETTLED)


def begin(table: RealTable) -> None:
    request = {"rules": "standard", "players": 2, "entry": "dealt", "options": {"target": "31"}}
    request |= {"levels": ["", "solid"], "speed": "fast", "automatic": ["cut", "deal", "starter"]}
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted


@pytest.mark.prove
def test_a_game_with_refused_presses_leaves_the_console_empty(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, path="#table") as page:
        noise: list[str] = []
        page.on("console", lambda message: noise.append(message.text))
        begin(table)
        page.wait_for_selector("main.table")
        refused = 0
        for _ in range(MOST_LOOKS):
            now = told(table)
            if now["winner"] is not None:
                break
            if now["thinking"] is not None or now["table"]["by_itself"]:
                page.wait_for_timeout(20)
                continue
            if now["hand"] and refused < 8:
                held = now["hand"]["cards"]
                press(page, next(str(card) for card in PACK if str(card) not in held))
                expect(page.get_by_role("alert")).not_to_have_text("")
                refused += 1
            press(page, next_key(now))
        assert told(table)["winner"] is not None
        assert refused == 8
        page.goto(f"{table.url}#names")
        for seat, name in ((1, "Ann"), (2, "Ann")):
            page.get_by_label(f"Seat {seat}").fill(name)
        page.get_by_role("button", name="Save the names").click()
        expect(page.get_by_role("alert")).to_contain_text("must all be different")
        page.get_by_label("Seat 1").fill("A\u200bnn")
        page.get_by_role("button", name="Save the names").click()
        expect(page.get_by_role("alert")).to_contain_text("is invisible")
        page.goto(f"{table.url}#count")
        page.get_by_label("Type").fill("5H 5H 5S JD 5D")
        expect(page.get_by_role("alert")).to_contain_text("5\u2665 twice")
        assert noise == []


def test_a_refusal_begins_with_a_capital_but_where_a_name_begins_it(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "cards", "names": ["ann", "Bob"]}
        request |= {"options": {"play_rounds": "one"}}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        expect(page.locator("main.table[data-phase=cut]")).to_be_visible()
        said = []
        for key in "P2 2 K Q J GO GO OK 5 6 OK 7 8 9 OK OK".split():
            press(page, key)
            said += page.get_by_role("alert").all_inner_texts()
        assert [words.split()[0] for words in said] == ["ann", "The"], said


@pytest.mark.parametrize(("body", "usual"), [({"key": "K"}, 409), ({"key": "what"}, 422)])
def test_only_who_prefers_it_is_refused_with_200(tmp_path: Path, body: dict[str, str], usual: int) -> None:
    with real_table(tmp_path) as table, client_of(table.url) as client:
        plain = client.post("/api/press", json=body)
        preferred = client.post("/api/press", json=body, headers={"Prefer": "refused=200"})
        assert (plain.status_code, preferred.status_code) == (usual, 200)
        assert preferred.json()["error"] == plain.json()["error"]
        missing = client.get("/api/what", headers={"Prefer": "refused=200"})
        assert missing.status_code == 404
        assert "seq" in client.get("/api/state", headers={"Prefer": "refused=200"}).json()
