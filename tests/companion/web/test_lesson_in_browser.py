"""The lesson: a newcomer's first deal, step by step; to be left, reloaded and restarted at any of them.  And the hint,
marked on the cards that the server names."""

from __future__ import annotations

import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import MOST_LOOKS, needs_chromium, resize, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, expect
from support.companions import page_of, running, start_of
from support.patience import PATIENCE

from cribpi.companion.entry.requests import Press
from cribpi.companion.table.machine_seats import PAUSES

pytestmark = [pytest.mark.browser, needs_chromium]

ALL = list(range(1, 9))
DEALER, PONE = 6, 1  # seeds with which the learner is that in the first deal
LOOK = """(met) => {
  for (const moving of document.getAnimations()) moving.finish();
  const table = document.querySelector("main.table"), coach = document.querySelector(".coach");
  if (!table) return { at: location.hash, step: null };
  const on = (node) => node && node.getAttribute("aria-disabled") !== "true" ? node : null;
  const centre = (node) => { const { x, y, width, height } = node.getBoundingClientRect(); return [x + Math.min(12, width / 2), y + height / 2]; };
  const isOver = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const isUnder = (node) => { const { x, y } = node.getBoundingClientRect(); return coach?.contains(document.elementFromPoint(x + 12, y + 8)); };
  const ringed = [...document.querySelectorAll("main.table *")].filter((node) => node.offsetParent && getComputedStyle(node).outlineWidth === "4px");
  const points = (table.dataset.points ?? "").split(" ");
  const step = coach && !coach.hidden ? Number(coach.dataset.step) : null;
  if (met && step && !met.includes(step)) return { at: location.hash, step };
  const cards = [...document.querySelectorAll(".hand button.card")].filter(on);
  const card = table.dataset.phase === "deal" ? cards.find((one) => one.getAttribute("aria-pressed") === "false") : cards[0];
  const main = on(document.querySelector(".asked .main, .show .main"));
  const pointed = points.includes("main") ? main : points.includes("hand") ? card : null;
  const gotIt = coach?.querySelector(".got-it");
  const wants = table.dataset.waiting !== "0" ? null : step && !window.playsOn && !(pointed && step > 1) && !points.includes("count") ? gotIt : pointed ?? main ?? card ?? null;
  const seen = {
    step, at: location.hash, text: coach?.querySelector("p").textContent ?? "", points,
    ringed: ringed.length, covered: ringed.filter(isUnder).length,
    small: step ? [...coach.querySelectorAll("button")].some((one) => one.offsetHeight < 44 || one.offsetWidth < 44) : false,
    tools: step ? [...document.querySelectorAll(".tools .tool")].filter((one) => one.offsetParent && !one.contains(document.elementFromPoint(...centre(one)))).map((one) => one.title) : [],
    overlaps: step !== null && isOver(coach.getBoundingClientRect(), document.querySelector(".tools").getBoundingClientRect()),
    kinds: document.querySelectorAll(".tally.kinds li").length,
    hides: step ? [...document.querySelectorAll(step === 8 ? ".tiles, .board, .strip, .hand, .asked" : ".felt, .hand, .asked button")].filter((one) => one.offsetParent && isOver(coach.getBoundingClientRect(), one.getBoundingClientRect())).map((one) => one.className) : [],
    scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
    hit: !wants || wants.contains(document.elementFromPoint(...centre(wants))),
  };
  if (step && !window.shifts) {
    const places = () => JSON.stringify([...table.querySelectorAll(".felt, .hand, .asked, .tiles")].map((one) => one.getBoundingClientRect()));
    const before = places();
    coach.hidden = true;
    seen.shifts = places() !== before;
    coach.hidden = false;
  }
  wants?.click();
  return seen;
}"""
"""Look, and press what the lesson points at, or its "Got it", or what the table offers;
nothing at a step that is not yet *met*."""
STEP = ".coach:not([hidden])"
HAND = ".hand button.card"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lesson's game is slow; the tests are not."""
    monkeypatch.setitem(PAUSES, "slow", 0.0)


def begin(page: Page) -> None:
    page.get_by_role("button", name="Learn to play").click()
    expect(page.locator(HAND)).to_have_count(6)


def learn(page: Page) -> list[dict[str, Any]]:
    """Follow the lesson to its end; return what was seen."""
    seen: list[dict[str, Any]] = []
    for _ in range(MOST_LOOKS):
        now = page.evaluate(LOOK)
        if now["at"] == "#table":
            return seen
        seen.append(now)
        assert now["hit"], now
        assert not now["small"], now
        assert not now["scrolls"], now
        assert not now["covered"], now
        assert not now["tools"], now
        assert not now["overlaps"], now
        assert not now["hides"], now
        assert now["step"] != 6 or now["kinds"] == 5, now
        assert not now.get("shifts"), now
        page.wait_for_timeout(20)
    return pytest.fail(f"no end after {MOST_LOOKS} looks: {seen[-1]}")


def until_step(page: Page, step: int) -> None:
    """Follow the lesson until it shows this *step*."""
    others = [one for one in ALL if one != step]
    for _ in range(MOST_LOOKS):
        if page.evaluate(LOOK, others)["step"] == step:
            return
        page.wait_for_timeout(20)
    pytest.fail(f"step {step} never comes")


@pytest.mark.parametrize(
    ("size", "seed"),
    [
        ((320, 568), DEALER),
        pytest.param((320, 568), PONE, marks=pytest.mark.prove),
        pytest.param((844, 390), PONE, marks=pytest.mark.prove),
        pytest.param((568, 320), PONE, marks=pytest.mark.prove),
        pytest.param((640, 400), PONE, marks=pytest.mark.prove),
        pytest.param((1280, 800), DEALER, marks=pytest.mark.prove),
        pytest.param((390, 844), DEALER, marks=pytest.mark.prove),
        pytest.param((390, 844), PONE, marks=pytest.mark.prove),
        pytest.param((1920, 1080), DEALER, marks=pytest.mark.prove),
    ],
    ids=str,
)
def test_a_newcomer_is_led_through_the_first_deal_in_eight_steps(
    tmp_path: Path, browser: Browser, size: tuple[int, int], seed: int
) -> None:
    with real_table(tmp_path, seed=seed) as table, visit(browser, table.url, size, path="") as page:
        begin(page)
        if seed == PONE:  # who counts first elsewhere is shown what counts here
            page.evaluate("import('/page/preferences.js').then((kept) => kept.prefer('hideTotal', true))")
        state = table.state()
        assert ([seat["level"] for seat in state["seats"]], state["target"]) == ([None, "beginner"], 61)
        assert page.evaluate("fetch('/api/page').then((it) => it.json())")["settings"]["speed"] == "slow"
        seen = learn(page)
        steps = [now["step"] for now in seen if now["step"]]
        assert sorted(steps) == steps
        assert sorted(set(steps)) == ALL
        texts = {now["step"]: now["text"] for now in reversed(seen) if now["step"]}  # the first of each
        assert ("this deal it is yours" in texts[2]) == (seed == DEALER)
        mine, theirs = (side["front"] for side in table.state()["sides"])
        assert f"You have {mine} of 61, Beginner {theirs}" in texts[8]
        pointless = [now for now in seen if now["step"] not in {None, 5} and not now["ringed"]]
        assert not pointless, "each points at something"
        assert page.locator(".coach").count() == 0
        assert table.state()["winner"] is None
        assert page.evaluate("localStorage['cribpi.lesson']") == "done"


def test_who_plays_on_past_a_step_is_told_of_the_show_with_his_own_cards(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path, seed=PONE) as table, visit(browser, table.url, path="") as page:
        begin(page)
        page.evaluate("window.playsOn = true")
        told = []
        for _ in range(MOST_LOOKS):
            told.append(page.evaluate(LOOK, None))
            if table.state()["phase"] == "crib":
                break
            page.wait_for_timeout(20)
        assert any(now["step"] == 5 for now in told)
        sixth = next(now["text"] for now in told if now["step"] == 6)
        assert sixth.startswith("The show: your four cards")


def test_the_game_on_a_page_is_there_to_come_back_to(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (320, 568), path="") as page:
        page.get_by_role("link", name="Cribbage in five minutes").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Cribbage in five minutes")
        for card in ("six of hearts", "eight of clubs", "eight of diamonds", "nine of spades"):
            expect(page.get_by_role("img", name=card)).to_be_visible()
        for size in ((1280, 800), (320, 568)):
            resize(page, *size)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, size
            assert violations(page) == [], size
        page.keyboard.press("Enter")  # the main button: the lesson
        expect(page.locator(STEP)).to_contain_text("First to 61")
        page.goto(f"{table.url}#learn/five-minutes")
        page.get_by_role("link", name="Continue").click()
        expect(page.locator(STEP)).to_contain_text("First to 61")


def test_it_is_left_at_any_step_and_an_ordinary_game_goes_on(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        for number in (1, 2):
            begin(page)
            for _ in range(number - 1):
                page.get_by_role("button", name="Got it").click()
            expect(page.locator(".coach small")).to_have_text(f"{number} of 8")
            page.get_by_role("button", name="Leave the lesson").click()
            expect(page.locator(".coach")).to_have_count(0)
            expect(page.locator(HAND)).to_have_count(6)
            page.get_by_role("link", name="cribpi").click()
            assert page.get_by_role("link", name="Continue").get_attribute("href") == "#table"


def test_on_a_wide_screen_the_scores_that_it_speaks_of_are_seen(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (1280, 800), path="") as page:
        begin(page)
        expect(page.locator(STEP)).to_contain_text("You play the computer, Beginner.")
        for name in ("You", "Beginner"):
            page.locator(".tile b", has_text=name).click(trial=True)  # nothing lies over it
        expect(page.locator("aside.log h2")).to_be_visible()
        page.locator("aside.log h2").click(trial=True)


def test_after_it_the_start_is_as_it_was_before(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        begin(page)
        page.get_by_role("button", name="Leave the lesson").click()
        page.get_by_role("link", name="cribpi").click()
        way = page.locator(".way", has_text="Play the computer")
        expect(way.get_by_role("radio", name="Medium")).to_be_checked()
        expect(way.get_by_role("radio", name="to 121")).to_be_checked()


@pytest.mark.prove
def test_it_can_be_left_at_all_eight(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path, seed=DEALER) as table, visit(browser, table.url, path="") as page:
        begin(page)
        left: list[int] = []
        for _ in range(MOST_LOOKS):
            now = page.evaluate(LOOK, left)
            if now["at"] == "#table":
                break
            step = now["step"]
            if step and step not in left:
                page.get_by_role("button", name="Leave the lesson").click()
                expect(page.locator(".coach")).to_have_count(0)
                left.append(step)
                page.evaluate(f"localStorage.setItem('cribpi.lesson', '{step - 1}'); location.hash = 'learn'")
                page.reload()  # as if it had never been left
                expect(page.locator(".coach small")).to_have_text(f"{step} of 8")
            page.wait_for_timeout(20)
        page.evaluate("localStorage.clear()")
        assert left == ALL


def test_a_reload_and_a_restart_of_the_program_go_on_where_it_was(tmp_path: Path, browser: Browser) -> None:
    with ExitStack() as first, ExitStack() as second:
        parts = first.enter_context(running(tmp_path, seed=DEALER, still=True))
        server = first.enter_context(page_of(parts.companion))
        with visit(browser, server.url, path="") as page:
            begin(page)
            page.get_by_role("button", name="Got it").click()
            page.reload()
            expect(page.locator(".coach small")).to_have_text("2 of 8")
            page.get_by_role("link", name="cribpi").click()
            page.get_by_role("link", name="Continue").click()
            expect(page.locator(".coach small")).to_have_text("2 of 8")
            first.close()
            expect(page.get_by_role("status").filter(has_text="Disconnected")).to_be_visible()
            parts = second.enter_context(running(tmp_path, still=True))
            second.enter_context(page_of(parts.companion, urlsplit(server.url).port or 0))
            expect(page.locator(".remark.wrong")).to_have_count(0)
            page.locator(HAND).nth(4).click()
            page.locator(HAND).nth(5).click()
            expect(page.locator(STEP)).to_contain_text("send them to your crib")
            page.locator(".asked .main").click()
            expect(page.locator(".coach small")).to_have_text("3 of 8")
            page.evaluate("localStorage.clear()")


@pytest.mark.prove
def test_a_browser_that_stores_nothing_takes_the_step_from_the_table(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table:
        context = browser.new_context()
        context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw new Error('off'); } })"
        )
        page = context.new_page()
        page.goto(table.url)
        begin(page)
        page.get_by_role("button", name="Got it").click()
        expect(page.locator(".coach small")).to_have_text("2 of 8")
        page.reload()
        expect(page.locator(".coach small")).to_have_text("1 of 8")  # the cards are still to be chosen
        context.close()


@pytest.mark.parametrize(
    ("size", "is_dark"), [((390, 664), False), pytest.param((1280, 800), True, marks=pytest.mark.prove)]
)
def test_axe_finds_nothing_in_a_step(
    tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, is_dark=is_dark, path="") as page:
        begin(page)
        expect(page.locator(STEP).get_by_role("status")).to_contain_text("First to 61 points wins")
        assert violations(page) == []
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".hand .hinted")).to_have_count(2)
        assert violations(page) == []
        for step in (6, 8):
            until_step(page, step)
            assert violations(page) == [], step
            resize(page, size[0], 600)  # here the kinds of points are scrolled
            assert violations(page) == [], step
            resize(page, *size)
        page.evaluate("localStorage.clear()")


def page_told(table: RealTable) -> dict[str, Any]:
    return {**table.companion.page()}


def test_the_hint_marks_the_cards_that_the_server_names_and_they_are_accepted(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path, seed=PONE) as table, visit(browser, table.url, path="") as page:
        begin(page)
        page.get_by_role("button", name="Leave the lesson").click()
        names: list[str] = []
        for wanted in (2, 1):  # the discard, then a card of the play
            page.get_by_role("button", name="Hint").click()
            marked = page.locator(".hand .hinted")
            expect(marked).to_have_count(wanted)
            hint = page_told(table)["hand"]["hint"]
            names = marked.evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
            assert sorted(names) == sorted(hint["cards"])
            expect(page.locator(".hint-said")).to_contain_text(
                f"Hint: {'Keep' if wanted == 2 else 'Play the'}"
            )
            for label in marked.evaluate_all("(cards) => cards.map((card) => card.ariaLabel)"):
                assert label.endswith(", hint")
            page.locator(".asked .main").click()
            expect(marked).to_have_count(0)
            if wanted == 2:
                expect(page.locator(".asked h1")).to_have_text("Choose a card to play")
        plays = page_told(table)["table"]["counts"]
        assert {"card": names[0], "seat": 0} in [
            {"card": one["card"], "seat": one["seat"]} for count in plays for one in count
        ]


def next_key(told: dict[str, Any]) -> str | None:
    if told["felt"]["ok"]:
        return "OK"
    hand = told["hand"] or {"playable": [], "chosen": []}
    return next((card for card in hand["playable"] if card not in hand["chosen"]), None)


def test_where_players_count_for_themselves_no_hint_tells_the_count(tmp_path: Path) -> None:
    with real_table(tmp_path) as table:
        request = {"rules": "acc-muggins", "players": 2, "entry": "dealt", "options": {}, "speed": "fast"}
        request |= {"levels": ["", "beginner"], "automatic": ["cut", "deal", "starter"]}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        told = page_told(table)
        for _ in range(MOST_LOOKS):
            if told["shower"] is not None:
                break
            key = next_key(told)
            if key:
                table.companion.do(Press(key)).result(PATIENCE)
            else:
                time.sleep(0.01)  # the computer plays
            told = page_told(table)
        assert told["shower"] is not None
        assert told["hand"] is None
        assert "FLNB" not in {choice["key"] for choice in told["choices"] if choice["label"] == "Hint"}
