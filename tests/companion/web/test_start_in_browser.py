"""The start: whoever opens the page plays within two clicks, whatever the screen, and goes on where a game lies open."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest
from companion.web.browser import intercept, needs_chromium, visit, wait_until
from companion.web.real_table import RealTable, real_table
from companion.web.test_past_games_in_browser import SIDEWAYS
from playwright.sync_api import Browser, Locator, Page, Route, expect
from support.companions import served
from support.patience import PATIENCE
from support.samples import some_of
from support.screens import ROUND_3

from cribpi.companion.entry.next_game import Changes
from cribpi.companion.entry.requests import SetPairing, Start
from cribpi.companion.run.bootstrap import apply_club_request
from cribpi.cribbage.words.levels import OFFERED

pytestmark = [pytest.mark.browser, needs_chromium]

WHOLE = pytest.mark.prove
SIZES = [
    (1280, 800),
    pytest.param((390, 664), marks=WHOLE),
    (320, 568),
    pytest.param((844, 390), marks=WHOLE),
]
BY_TITLE = {level.title: level for level in OFFERED}
COUNT = "() => { window.clicks = 0; addEventListener('click', () => { window.clicks += 1; }, true); }"
HAND = ".hand button.card"


def of(page: Page, name: str) -> Locator:
    """Return the way in of this name."""
    return page.locator(".way", has=page.get_by_role("heading", name=name))


def opened(page: Page, name: str) -> None:
    """Have the way in of this name lie open: on a phone only one does."""
    way = of(page, name)
    if "folded" in (way.get_attribute("class") or ""):
        page.get_by_role("heading", name=name).click()


def test_a_way_is_set_up_with_arrows_and_begun_with_enter(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        keep = of(page, "Keep score")
        keep.get_by_role("radio", name="Every card").focus()
        page.keyboard.press("ArrowRight")
        expect(keep.get_by_role("radio", name="Points only")).to_be_focused()
        page.keyboard.press("Tab")  # one stop for all of a kind
        expect(keep.get_by_role("radio", name="to 121")).to_be_focused()
        page.keyboard.press("ArrowDown")  # round to the first
        expect(keep.get_by_role("radio", name="to 61")).to_be_checked()
        page.keyboard.press("Enter")
        page.wait_for_selector("main.table")
        state = table.state()
        assert (state["entry"], state["target"]) == ("peg", 61)


def test_programs_of_others_stand_under_the_levels_where_there_is_no_room_beside_them(
    tmp_path: Path, browser: Browser
) -> None:
    engines = (("fredericx", "/bin/true"), ("mortimerx", "/bin/true"))
    with (
        real_table(tmp_path, engines=engines) as table,
        visit(browser, table.url, (320, 568), path="") as page,
    ):
        opened(page, "Play the computer")
        expect(of(page, "Play the computer").get_by_role("radio", name="Mortimerx")).to_be_visible()
        assert page.evaluate(SIDEWAYS) == []


@pytest.mark.parametrize("size", some_of(SIZES, 0), ids=str)
def test_from_a_first_visit_to_six_cards_it_is_one_click(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="") as page:
        page.evaluate(COUNT)
        page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
        expect(page.locator(HAND)).to_have_count(6)
        assert page.evaluate("window.clicks") == 1
        state = table.state()
        assert [seat["level"] for seat in state["seats"]] == [None, "medium"]
        assert (state["entry"], state["target"], state["phase"]) == ("dealt", 121, "deal")


@pytest.mark.parametrize(
    "size", some_of([(320, 568), (640, 400), (568, 320), (390, 664), (844, 390), (1280, 800)], 0, 1), ids=str
)
def test_all_three_ways_in_are_in_the_first_view(
    tmp_path: Path, browser: Browser, size: tuple[int, int]
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="") as page:
        are_in_view(page)
        begun(page, table)
        page.get_by_role("link", name="cribpi").click()
        expect(page.locator(".open-game")).to_be_visible()
        are_in_view(page)


def are_in_view(page: Page) -> None:
    for button in page.locator(".way .begin").all():
        expect(button).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_on_a_phone_a_way_is_unfolded_by_the_keyboard_and_says_what_it_is_set_to(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 664), path="") as page:
        way = page.get_by_role("button", name="Keep score")
        expect(way).to_contain_text("2 players, to 121")
        expect(way).to_have_attribute("aria-expanded", "false")
        way.focus()
        page.keyboard.press("Enter")
        expect(way).to_have_attribute("aria-expanded", "true")
        expect(of(page, "Keep score").get_by_label("Player 1")).to_be_visible()


def test_players_are_added_by_the_keyboard_and_named_at_once(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        way = of(page, "Keep score")
        way.get_by_role("button", name="Make it 3 players").focus()
        page.keyboard.press("Enter")
        expect(way.get_by_label("Player 3")).to_be_focused()
        page.keyboard.type("Cid")
        way.get_by_role("button", name="Make it 4 players").press("Enter")
        expect(way.get_by_label("Player 4")).to_be_focused()
        expect(way.get_by_label("Player 3")).to_have_value("Cid")
        expect(way).to_contain_text("Player 1 and Cid against Player 2 and Player 4")
        way.get_by_role("button", name="Make it 3 players").press("Enter")
        expect(way.get_by_label("Player 3")).to_be_focused()
        way.get_by_role("button", name="Start").click()
        expect(page.locator(".tile b")).to_have_text(["ORANGE", "BLUE", "Cid"])


def games_of(table: RealTable) -> int:
    return int(httpx.get(f"{table.url}api/games").json()["all"])


def test_a_double_click_on_deal_deals_one_game(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        of(page, "Play the computer").get_by_role("button", name="Deal").dblclick()
        expect(page.locator(HAND)).to_have_count(6)
        page.keyboard.press("m")  # it is sent once the presses before it are answered
        wait_until(page, lambda: table.companion.page()["table"]["dialog"] == "Menu")
        assert games_of(table) == 1


def test_of_two_pages_that_start_a_game_at_once_one_is_heard_and_the_other_is_told(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:

        def behind_another(route: Route) -> None:
            table.companion.do(Start(Changes(players=2, entry="cards"))).result(PATIENCE)
            route.continue_()

        intercept(page, "**/api/game", behind_another)
        of(page, "Keep score").get_by_role("button", name="Start").click()
        expect(page.get_by_role("alert")).to_contain_text("your press did not count")
        assert games_of(table) == 1


def test_phones_are_one_click_from_the_start(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        page.get_by_role("link", name="Phones").click()
        expect(page.get_by_role("heading", level=1, name="Phones")).to_be_visible()
        expect(page.get_by_role("button", name="Let phones join")).to_be_visible()


def test_to_a_game_with_real_cards_it_is_one_click_and_the_cut(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        of(page, "Keep score").get_by_label("Player 1").fill("Ann")
        page.evaluate(COUNT)
        page.get_by_role("button", name="Start").click()
        page.locator('.key[data-key="2"]').click()
        page.locator('.key[data-key="K"]').click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Ann deals")
        assert page.evaluate("window.clicks") == 3
        names = [seat["name"] for seat in table.state()["seats"]]
        assert names == ["Ann", "BLUE"]


def test_with_real_cards_points_alone_can_be_entered(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        opened(page, "Keep score")
        page.get_by_role("radio", name="Points only").click()
        page.get_by_role("button", name="Start").click()
        expect(page.get_by_role("heading", name="Who deals first?")).to_be_visible()
        assert table.state()["entry"] == "peg"
        page.goto(table.url)  # what was chosen last is chosen already
        opened(page, "Play the computer")
        expect(page.get_by_role("radio", name="Points only")).to_be_checked()


def test_what_is_typed_and_chosen_stays_when_another_screen_changes_something(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        opened(page, "Keep score")
        first = of(page, "Keep score").get_by_label("Player 1")
        first.fill("Ann")
        page.get_by_role("radio", name="Points only").click()
        httpx.post(f"{table.url}api/rules", json={"options": {"crib_flush": "four"}, "menu": False})
        expect(page.get_by_role("link", name="Rules: Standard")).to_contain_text("1 house rule")
        expect(first).to_have_value("Ann")
        expect(page.get_by_role("radio", name="Points only")).to_be_checked()


def test_what_a_game_is_played_to_is_no_house_rule(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url) as page:
        httpx.post(f"{table.url}api/rules", json={"options": {"target": "61"}, "menu": False})
        rules = page.get_by_role("link", name="Rules: Standard")
        expect(rules).to_contain_text("House rules, match")
        httpx.post(
            f"{table.url}api/rules", json={"options": {"target": "61", "crib_flush": "four"}, "menu": False}
        )
        expect(rules).to_contain_text("1 house rule")
        rules.click()
        expect(page.locator(".differences li")).to_have_count(2)
        assert page.locator("em", has_text="house rule").count() == 1


@pytest.mark.parametrize(("players", "cards"), [(3, 5), pytest.param(4, 5, marks=WHOLE)])
def test_with_more_at_the_table_every_other_seat_is_a_computers_each_at_its_level(
    tmp_path: Path, browser: Browser, players: int, cards: int
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 664)) as page:
        way = page.locator(".way", has_text="Play the computer")
        way.get_by_role("radio", name="Easy").click()  # and so are those who come to it
        way.get_by_role("radio", name="4", exact=True).click()
        expect(way.locator(".whom")).to_have_text(
            ["An opponent", "Your partner, opposite you", "An opponent"]
        )
        way.get_by_role("radio", name=str(players), exact=True).click()
        hard = way.get_by_role("radiogroup", name=f"How well player {players} plays").get_by_role(
            "radio", name="Hard"
        )
        hard.click()
        way.get_by_role("button", name="Deal").click()
        expect(page.locator(HAND)).to_have_count(cards)
        levels = [seat["level"] for seat in table.state()["seats"]]
        assert levels == [None, *["easy"] * (players - 2), "expert"]
        page.goto(table.url)
        expect(way).to_contain_text(f"Easy, Hard, {players} players, to 121")
        opened(page, "Play the computer")
        expect(way.get_by_role("radio", name=str(players), exact=True)).to_be_checked()
        expect(hard).to_be_checked()


@pytest.mark.parametrize("players", [2, pytest.param(3, marks=WHOLE), pytest.param(4, marks=WHOLE)])
def test_people_pass_the_screen_and_no_hand_is_open_before_its_turn(
    tmp_path: Path, browser: Browser, players: int
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        way = page.locator(".way", has_text="Pass and play")
        for many in range(3, players + 1):
            way.get_by_role("button", name=f"Make it {many} players").click()
        expect(way.get_by_role("combobox")).to_have_count(players)
        way.get_by_role("button", name="Deal").click()
        shows = page.locator(".asked .main")
        expect(shows).to_contain_text("Show ")
        assert page.locator(HAND).count() == 0
        shows.click()
        expect(page.locator(HAND)).to_have_count(6 if players == 2 else 5)
        assert len(table.state()["seats"]) == players


def test_the_level_and_the_target_are_those_that_were_chosen(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (390, 844), path="") as page:
        way = page.locator(".way", has_text="Play the computer")
        way.get_by_role("radio", name="Easy").click()
        way.get_by_role("radio", name="to 61").click()
        way.get_by_role("button", name="Deal").click()
        expect(page.locator(HAND)).to_have_count(6)
        state = table.state()
        assert ([seat["level"] for seat in state["seats"]], state["target"]) == ([None, "easy"], 61)
        page.goto(table.url)  # what was chosen last is chosen already
        opened(page, "Play the computer")
        expect(way.get_by_role("radio", name="Easy")).to_be_checked()
        expect(way.get_by_role("radio", name="to 61")).to_be_checked()


def test_an_open_game_is_gone_on_with_from_the_start_and_after_a_reload(
    tmp_path: Path, browser: Browser
) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="") as page:
        begun(page, table)
        hand = page.locator(HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
        page.get_by_role("link", name="cribpi").click()
        expect(page.locator(".open-game")).to_contain_text("You 0")
        page.get_by_role("link", name="Continue").click()
        expect(page.locator(HAND)).to_have_count(6)
        page.reload()
        expect(page.locator(HAND)).to_have_count(6)
        assert page.locator(HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)") == hand


def begun(page: Page, table: RealTable) -> None:
    page.locator(".way", has_text="Play the computer").get_by_role("button", name="Deal").click()
    expect(page.locator(HAND)).to_have_count(6)
    assert table.state()["phase"] == "deal"


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=WHOLE), (390, 664)], ids=str)
def test_any_hand_is_counted_typed_or_tapped(tmp_path: Path, browser: Browser, size: tuple[int, int]) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, size, path="") as page:
        page.get_by_role("link", name="Count a hand").click()
        page.get_by_label("Type").fill("7h 8c 8d ks")
        expect(page.locator(".total output")).to_have_text("7.92")
        page.get_by_role("radiogroup", name="Suit").get_by_role("radio", name="\u2660").click()
        page.get_by_role("button", name="nine of spades").click()
        expect(page.locator(".total output")).to_have_text("12")
        expect(page.locator(".tally .words summary")).to_have_count(5)
        page.get_by_text("a pair is six").click()
        expect(page.locator(".tally")).to_contain_text("A board set: ")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


TYPED = [
    # what is typed, the cards that lie there, what is said of them
    ("5H5S5DJC5C", "5H 5S 5D JC 5C", "29"),
    ("555J 5", "5 5 5 J 5", "28"),
    ("5\u2665\ufe0f, 5\u2660\ufe0f; 5\u2666/jc - 5c", "5H 5S 5D JC 5C", "29"),
    ("55,5 J-5", "5 5 5 J 5", "It may be 29: not all suits are given."),
    ("\uff15 five \U0001f0b5", "5 5 5H", "1 more card, then the starter."),
]


def test_cards_are_typed_as_on_the_command_line(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#count") as page:
        field, cards = page.get_by_label("Type"), page.locator(".shown button.card")
        for typed, laid, said in TYPED:
            field.fill(typed)
            expect(page.locator(".counted")).to_contain_text(said)
            expect(cards).to_have_count(len(laid.split()))
            for place, card in enumerate(laid.split()):
                expect(cards.nth(place)).to_have_accessible_name(f"Remove the {spoken(card)}")
        kinds = page.get_by_role("radiogroup", name="Hand or crib")
        field.fill("2H 4H 8H KH 6S crib")
        expect(page.locator(".total output")).to_have_text("0")
        expect(kinds.get_by_role("radio", name="Crib")).to_be_checked()
        field.fill("2H 4H 8H KH 6S")
        kinds.get_by_role("radio", name="Hand").click()
        expect(page.locator(".total output")).to_have_text("4")
        field.fill("5h 5s 11")
        expect(page.locator(".called")).to_contain_text("write A for an ace, 10 for a ten, J, Q or K")
        expect(cards).to_have_count(0)
        field.fill("")
        expect(cards).to_have_count(0)


HELD = """() => {
  window.requestAnimationFrame = () => 0; // effects that wait for a picture come late
  const send = window.fetch;
  window.held = [];
  window.fetch = async (...request) => {
    const answer = await send(...request);
    await new Promise((go) => window.held.push(go));
    return answer;
  };
}"""


def test_an_answer_on_its_way_undoes_no_choice(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, path="#count") as page:
        page.get_by_label("Type").fill("2H 4H 8H KH 6S crib")
        expect(page.get_by_role("radio", name="Crib")).to_be_checked()
        expect(page.locator(".total output")).to_have_text("0")
        page.evaluate(HELD)
        page.get_by_label("Type").fill("2H 4H 8H KH 6S")
        page.wait_for_function("() => window.held.length > 0")
        page.get_by_role("radio", name="Hand").evaluate("(hand) => (hand.click(), window.held.shift()())")
        page.wait_for_function("() => window.held.length > 0")
        page.evaluate("() => window.held.shift()()")
        expect(page.locator(".total output")).to_have_text("4")


def spoken(card: str) -> str:
    rank = {"5": "five", "J": "jack"}[card[0]]
    suit = {"H": "hearts", "S": "spades", "D": "diamonds", "C": "clubs"}.get(card[1:])
    return f"{rank} of {suit}" if suit else rank


def test_on_a_clubs_night_the_next_game_is_one_click(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (parts, url), visit(browser, url, path="") as page:
        apply_club_request(parts.loop, SetPairing(ROUND_3))
        next_game = page.get_by_role("region", name="Next at this board")
        expect(next_game).to_contain_text("Board 7, round 3 of 9")
        expect(next_game.locator(".scores")).to_have_text("ANN BOB")
        next_game.get_by_role("link", name="Start").click()
        expect(page.locator(".asked")).to_be_visible()
        seats: Any = parts.companion.state()["seats"]
        assert [seat["name"] for seat in seats] == ["ANN", "BOB"]


def test_what_is_wrong_with_the_board_is_shown_before_a_game(tmp_path: Path, browser: Browser) -> None:
    with served(tmp_path) as (parts, url), visit(browser, url, path="") as page:
        expect(page.locator(".start .refused")).to_have_count(0)
        parts.loop.trouble("state folder", "state folder: on tmpfs")
        expect(page.locator(".start .refused")).to_have_text("state folder: on tmpfs")


def test_below_the_levels_a_line_says_what_the_chosen_one_knows(tmp_path: Path, browser: Browser) -> None:
    with real_table(tmp_path) as table, visit(browser, table.url, (320, 568), path="") as page:
        way = of(page, "Play the computer")
        knows, button = way.locator(".knows"), way.get_by_role("button", name="Deal")
        bottoms = set()
        for title, level in BY_TITLE.items():
            way.get_by_role("radio", name=title).click()
            expect(knows).to_have_text(level.knows)
            expect(button).to_be_in_viewport(ratio=1)
            bottoms.add(button.evaluate("(each) => each.getBoundingClientRect().bottom"))
        assert len(bottoms) == 1, "each is one line, and nothing moves"
        way.get_by_role("radio", name="3", exact=True).click()
        expect(knows).to_have_text("With three, it plays for points, not the score.")
        way.get_by_role("radiogroup", name="How well player 3 plays").get_by_role(
            "radio", name="Easy"
        ).click()
        expect(knows).to_have_count(0)
