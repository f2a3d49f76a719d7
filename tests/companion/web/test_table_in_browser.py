"""Whole games on the page, on wide, upright and lying screens: everything to play with is in view, and all that is
offered is accepted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from companion.web.browser import MOST_LOOKS, needs_chromium, until_rested, visit
from companion.web.real_table import RealTable, real_table
from playwright.sync_api import Browser, Page, expect
from support.companions import start_of
from support.patience import PATIENCE
from support.samples import some_of

pytestmark = [pytest.mark.browser, needs_chromium]

ACT = """() => {
  for (const moving of document.getAnimations()) moving.finish(); // as the next tap does
  document.querySelector("main.table > .felt.closed")?.click(); // so is the wait for a closed count
  const on = (node) => node && node.offsetParent !== null && node.getAttribute("aria-disabled") !== "true";
  const table = document.querySelector("main.table");
  const main = document.querySelector(".buttons .main");
  const card = [...document.querySelectorAll(".hand button.card[aria-pressed=false]")].find(on);
  const wants = table.dataset.kind === "result" || table.dataset.waiting !== "0" ? null : on(main) ? main : card ?? null;
  const seen = {
    seq: Number(table.dataset.seq), kind: table.dataset.kind, phase: table.dataset.phase, refused: "", hit: true, moves: false,
    scrolls: document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth,
    scores: [...document.querySelectorAll(".tile")].map((tile) => [Number(tile.dataset.side), Number(tile.querySelector(".score").textContent)]),
  };
  seen.refused = document.querySelector(".remark.wrong")?.textContent ?? "";
  seen.called = document.querySelector(".called")?.textContent ?? "";
  if (wants) {
    const { x, y, width, height } = wants.getBoundingClientRect();
    const at = wants === card ? x + 12 : x + width / 2;
    seen.hit = wants.contains(document.elementFromPoint(at, y + height / 2)) && y >= 0 && y + height <= innerHeight + 1;
    seen.small = wants !== card && (height < 44 || width < 44);
    seen.moves = wants === main || seen.phase === "deal";
    wants.click();
  }
  return seen;
}"""
"""Look and click at one go: the computer moves on meanwhile, and what was seen may be gone when a mouse comes to it."""
CUT_OFF = """() => {
  for (const moving of document.getAnimations()) moving.finish();
  const felt = document.querySelector(".felt").getBoundingClientRect();
  const laid = [...document.querySelectorAll(".laid")].map((card) => card.getBoundingClientRect());
  const narrow = laid.slice(1).filter((card, at) => card.left - laid[at].left < 12);
  const parts = [...document.querySelectorAll(".count output, .starter .card, .laid")];
  const cut = parts.filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    return left < felt.left || right > felt.right || top < felt.top || bottom > felt.bottom;
  });
  return [...narrow.map(() => "a card hides the one below"), ...cut.map((part) => part.outerHTML.slice(0, 80))];
}"""
"""What of the felt's cards and count can't be seen whole."""
RESTED = "() => !document.querySelector('.buttons .main[aria-disabled=true]')"
"""Whether the button that stands out takes a press: not for a moment after it has changed its meaning."""
MOVED_ON = "(seq) => Number(document.querySelector('main.table').dataset.seq) > seq"


def set_up(table: RealTable, *levels: str, target: str) -> None:
    request = {
        "rules": "standard", "players": len(levels), "entry": "dealt", "options": {"target": target}, "speed": "fast",
        "levels": list(levels), "automatic": ["cut", "deal", "starter"],
    }  # fmt: skip
    assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted


def play(page: Page) -> list[dict[str, Any]]:
    """Click what is offered until the game is over; return what was seen."""
    seen: list[dict[str, Any]] = []
    for _ in range(MOST_LOOKS):
        now = page.evaluate(ACT)
        seen.append(now)
        assert now["refused"] == "", (now, seen[-3:])  # what the page offers is accepted
        assert now["hit"], now  # a finger would hit it, without scrolling
        assert not now["scrolls"], now
        assert not now.get("small"), now
        if now["kind"] == "result":
            return seen
        if now["moves"]:
            page.wait_for_function(MOVED_ON, arg=now["seq"])
        else:
            page.wait_for_timeout(20)
        page.wait_for_function(RESTED)
    return pytest.fail(f"no end after {MOST_LOOKS} looks: {seen[-1]}")


@pytest.mark.parametrize(
    "size",
    [
        pytest.param((1280, 800), marks=pytest.mark.prove),
        pytest.param((390, 664), marks=pytest.mark.prove),
        pytest.param((844, 390), marks=pytest.mark.prove),
        (320, 568),
        pytest.param((640, 400), marks=pytest.mark.prove),  # 1280 by 800 at 200 %
        pytest.param((1366, 650), marks=pytest.mark.prove),  # a laptop's low window
    ],
    ids=str,
)
def test_a_person_plays_medium_to_the_end_with_everything_in_view(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, size, path="#table") as page:
        noise: list[str] = []
        page.on("console", lambda message: noise.append(message.text))
        set_up(table, "", "solid", target="31")
        page.wait_for_selector("main.table")
        seen = play(page)
        state = table.state()
        assert {"play", "show", "result"} <= {now["kind"] for now in seen}
        assert dict(seen[-1]["scores"]) == {at: side["front"] for at, side in enumerate(state["sides"])}
        ends = ("You win by ", "You lose by ")[state["winner"]]
        expect(page.get_by_role("heading", level=1)).to_contain_text(ends)
        assert not any("fifteen two" in now["called"] for now in seen), "the call of a show is over with it"
        assert noise == []


@pytest.mark.prove
@pytest.mark.parametrize(
    "levels",
    [
        pytest.param(("", ""), id="2"),
        pytest.param(("", "", ""), id="3"),
        pytest.param(("", "solid", "", "solid"), id="4"),
    ],
)
def test_people_pass_one_phone_through_a_whole_game(
    tmp_path: Path, browser: Browser, levels: tuple[str, ...]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 844), path="#table") as page:
        set_up(table, *levels, target="31")
        page.wait_for_selector("main.table")
        play(page)
        assert table.state()["winner"] is not None


def test_a_card_is_lifted_first_and_played_with_the_second_tap_or_the_button(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, is_touch=True, path="#table") as page:
        set_up(table, "", "solid", target="121")
        page.wait_for_selector(".hand button.card")
        reach_play(page)
        seq = table.state()["seq"]
        card = page.locator(".hand button.card[aria-disabled=false]").first
        name = card.get_attribute("data-card")
        card.tap()
        assert table.state()["seq"] == seq
        expect(page.locator(".asked .main")).to_contain_text("Play ")
        card.tap()
        page.wait_for_function(MOVED_ON, arg=seq)
        assert name in {play["card"] for count in page_of(table)["table"]["counts"] for play in count}


def test_the_count_is_walked_through_line_by_line(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, path="#table") as page:
        set_up(table, "", "solid", target="121")
        page.wait_for_selector("main.table")
        for _ in range(MOST_LOOKS):
            if page.locator(".show").count():
                break
            page.evaluate(ACT)
            page.wait_for_timeout(30)
        shown = page_of(table)["felt"]["shown"]
        lines = page.locator(".tally li")
        expect(page.locator(".show .total small")).to_have_text("total")
        expect(page.locator(".show .total output")).to_have_text(str(shown["points"]))
        if shown["points"]:
            assert lines.locator(".words").all_inner_texts() == [line["words"] for line in shown["tally"]]
            totals = [str(line["total"]) for line in shown["tally"]]
            assert lines.locator(".sum").all_inner_texts() == totals


def test_who_counts_first_sees_no_total_until_he_asks_for_the_count(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, path="#table") as page:
        page.evaluate("localStorage.setItem('cribpi', JSON.stringify({ hideTotal: true }))")
        page.reload()
        set_up(table, "", "solid", target="121")
        page.wait_for_selector("main.table")
        for _ in range(MOST_LOOKS):
            if page.locator(".show").count():
                break
            page.evaluate(ACT)
            page.wait_for_timeout(30)
        points = page_of(table)["felt"]["shown"]["points"]
        show = page.locator(".show")
        expect(show.locator(".total")).to_have_text("?How many points?")
        expect(show.locator(".tally li")).to_have_count(0)
        expect(show.locator("button")).to_have_text(["Show the count"])
        until_rested(page)
        page.keyboard.press("Enter")
        expect(show.locator(".total output")).to_have_text(str(points))
        expect(show.locator(".total small")).to_have_text("total")
        expect(show.locator(".main")).to_have_text(f"Peg {points}" if points else "Nothing to peg")


def test_where_players_count_for_themselves_the_count_is_entered_on_the_pad(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path, seed=6) as table, visit(browser, table.url, (390, 664), path="#table") as page:
        request = {"rules": "acc-muggins", "players": 2, "entry": "dealt", "options": {}, "speed": "fast"}
        request |= {"levels": ["", "solid"], "automatic": ["cut", "deal", "starter", "peg"]}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        page.wait_for_selector("main.table")
        for _ in range(MOST_LOOKS):
            if page.locator(".pad").count():
                break
            page.evaluate(ACT)
            page.wait_for_timeout(30)
        page.get_by_role("button", name="2", exact=True).click()
        expect(page.locator(".pad output")).to_have_text("2")
        expect(page.locator(".pad .main")).to_have_text("Peg 2")
        expect(page.locator(".tally li")).to_have_count(0)


@pytest.mark.parametrize(
    "size",
    some_of([(1280, 800), (390, 664), (320, 568), (844, 390), (1366, 650), (1024, 600)], 2),
    ids=str,
)
def test_with_real_cards_the_count_and_every_card_of_it_are_in_view(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "cards", "options": {}}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        for key in ("2", "K", "5", "8", "7", "7", "2"):
            page.locator(f'.key[data-key="{key}"]').click()
        expect(page.locator(".count output")).to_have_text("24")
        expect(page.locator(".laid")).to_have_count(4)
        assert page.evaluate(CUT_OFF) == []


def test_the_line_of_a_correction_that_is_selected_is_marked(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 664), path="#table") as page:
        request = {"rules": "standard", "players": 2, "entry": "cards", "options": {}}
        assert table.companion.do(start_of(request)).result(PATIENCE).is_accepted
        for key in ("2", "K", "5", "P1"):
            page.locator(f'.key[data-key="{key}"]').click()
        marked = page.locator('.line[aria-current="true"]')
        expect(marked).to_have_text("Set score to 0")
        page.get_by_role("button", name="Penalty -2").click()
        expect(marked).to_have_text("Penalty -2")
        page.get_by_role("button", name="10 more").click()
        expect(marked).to_have_text("Penalty +8")
        expect(page.locator(".dialog .main")).to_have_text("Give ORANGE 8")


def test_what_happened_opens_on_a_phone(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 664), path="#table") as page:
        set_up(table, "", "solid", target="121")
        page.wait_for_selector("main.table")
        page.get_by_role("button", name="What happened").click()
        expect(page.get_by_role("complementary", name="What happened")).to_contain_text("Deal 1")
        page.get_by_role("complementary").get_by_role("button", name="Close").click()
        expect(page.get_by_role("complementary")).to_have_count(0)


def reach_play(page: Page) -> None:
    for _ in range(20):
        if (
            page.get_attribute("main.table", "data-phase") == "play"
            and page.locator(".hand button.card[aria-disabled=false]").count()
        ):
            return
        if page.get_attribute("main.table", "data-phase") == "deal":
            page.evaluate(ACT)
        page.wait_for_timeout(60)


def page_of(table: RealTable) -> dict[str, Any]:
    return {**table.companion.page()}
