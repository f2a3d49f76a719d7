"""Phones at the table, each in a browser of its own: they join, choose what they are, and show no hand but their own."""

from __future__ import annotations

import io
import re
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from companion.web.access_in_browser import violations
from companion.web.browser import SETTLE, intercept, needs_chromium, patience, resize, usual_port
from companion.web.phone_table import (
    HAND,
    LYING,
    PHONE,
    SMALL,
    TELEVISION,
    PhoneTable,
    act,
    act_on_keypad,
    phone_table,
)
from companion.web.test_lesson_in_browser import next_key
from PIL import Image
from playwright.sync_api import Browser, Page, Route, expect
from support.companions import page_of, start_of
from support.patience import PATIENCE, until
from support.samples import some
from support.worlds import open_cards, own_cards

from cribpi.companion.entry.phones import ClosePhones, RemovePhone
from cribpi.companion.web.server import PageServer
from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.state import State

pytestmark = [pytest.mark.browser, needs_chromium]

TWO = ("person", "person")
SAID = ".said"


def hidden_from(state: State, seat: int | None) -> set[Card]:
    """Return the cards of this deal that whoever sits in *seat* may not know."""
    if state.deal is None:
        return set()
    dealt = set(state.deal.crib).union(*state.deal.dealt)
    return dealt - open_cards(state) - (own_cards(state, seat) if seat is not None else set())


def cards_on(page: Page) -> set[str]:
    """Return every card that is anywhere in the page, but for the log, where those of earlier deals are."""
    return set(
        page.evaluate(
            """() => {
  const whole = document.documentElement.cloneNode(true);
  for (const log of whole.querySelectorAll("aside.log, [role=log]")) log.remove();
  const text = whole.outerHTML + whole.textContent;
  const signs = { "♥": "H", "♦": "D", "♠": "S", "♣": "C" };
  const named = text.match(/\\b(?:10|[A2-9JQK])[CDHS]\\b(?!\\.svg)/g) ?? [];
  const drawn = [...text.matchAll(/(10|[A2-9JQK])([♥♦♠♣])/g)].map(([, rank, sign]) => rank + signs[sign]);
  return [...named, ...drawn];
}"""
        )
    )


def board_page(table: PhoneTable) -> AbstractContextManager[PageServer]:
    return page_of(table.parts.companion, usual_port("127.0.0.1"))


# --- joining ---


def test_a_phone_that_scans_the_code_is_at_the_table_with_one_tap(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        page = table.window()
        page.goto(f"{table.url}J/{table.code}")
        expect(page.get_by_role("heading", name="What is this phone for?")).to_be_visible()
        assert page.url == table.url, "the code does not stay in the address, and not in its history"
        expect(page.get_by_role("button", name="Play as ORANGE")).to_contain_text("Your hand on this phone.")
        page.get_by_role("button", name="Play as ORANGE").click()
        expect(page.get_by_role("heading", name="The game starts at the board.")).to_be_visible()
        expect(page.locator(".choice", has_text="ORANGE")).to_contain_text("this phone")
        expect(page.locator(".choice", has_text="BLUE")).to_contain_text("at the board")
        table.begin()
        expect(page.locator(HAND)).to_have_count(6)
        page.reload()
        expect(page.locator(HAND)).to_have_count(6)


def test_a_wrong_code_is_said_and_the_right_one_may_be_typed_in_small_letters(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        page = table.window()
        page.goto(table.url)
        expect(page.get_by_text("Scan the code on the board's screen")).to_be_visible()
        expect(page.locator(SAID)).to_have_count(0)
        page.goto(f"{table.url}j/OOOOOO")
        expect(page.locator(SAID)).to_have_text("That is not the code on the board's screen. Scan it again.")
        assert page.url == table.url
        page.get_by_role("button", name="Join").click()
        expect(page.locator(SAID)).to_have_text("The code has six letters and digits.")
        page.get_by_label("Code").press_sequentially(f" {table.code.lower()}")
        expect(page.get_by_role("heading", name="What is this phone for?")).to_be_visible()


def test_too_many_wrong_codes_are_said(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        page = table.window()
        page.goto(table.url)
        for _ in range(10):
            page.get_by_label("Code").fill("000000")
            expect(page.locator(SAID)).to_contain_text("That is not the code")
        page.get_by_label("Code").fill(table.code)
        expect(page.locator(SAID)).to_contain_text("Too many codes were tried.")


def test_a_board_that_cant_be_reached_is_said(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        page = table.window()
        page.goto(table.url)
        intercept(page, "**/api/join", lambda route: route.abort())
        page.get_by_label("Code").fill(table.code)
        expect(page.locator(SAID)).to_have_text("Can't reach the board. Are you on its Wi-Fi?")


# --- choosing ---


def test_a_seat_that_another_phone_has_cant_be_taken_until_it_is_free(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        bob = table.window()
        bob.goto(f"{table.url}j/{table.code}")
        taken = bob.get_by_role("button", name="Play as ORANGE")
        expect(taken).to_be_disabled()
        expect(taken).to_contain_text("Phone 1 has this seat")
        ann.locator("[data-tool=phone]").click()
        ann.get_by_role("button", name="Leave the table").click()
        expect(ann.locator(SAID)).to_have_text("You have left the table.")
        expect(ann.locator(SAID)).to_have_text("You have left the table.")
        expect(taken).to_be_enabled()
        taken.click()
        expect(bob.locator(".choice.own")).to_contain_text("ORANGE")


def test_of_two_who_take_one_seat_at_the_same_time_the_second_is_told(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        bob = table.window()
        bob.goto(f"{table.url}j/{table.code}")
        seat = bob.get_by_role("button", name="Play as ORANGE")
        expect(seat).to_be_enabled()
        intercept(bob, "**/api/events*", lambda route: route.abort())
        bob.reload()
        expect(seat).to_be_enabled()
        table.joined("Play as ORANGE")
        seat.click()
        expect(bob.locator(SAID)).to_contain_text("Phone 2 has that seat")


# --- at a seat ---


def test_at_a_seat_only_what_a_phone_can_do_is_offered(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        expect(ann.locator(HAND)).to_have_count(6)
        for tool in ("menu", "redo", "keypad"):
            expect(ann.locator(f"[data-tool={tool}]")).to_have_count(0)
        expect(ann.locator("[data-tool=undo]")).to_be_disabled()
        expect(ann.locator(".table a[href]")).to_have_count(0)
        for card in ann.locator(HAND).all()[:2]:
            card.click()
        ann.locator(".asked .main").click()
        expect(ann.locator("[data-tool=undo]")).to_be_enabled()
        for route in ("settings", "games", "stats", "count", "rules", "device", "names", "table", "learn"):
            ann.evaluate("(route) => (location.hash = route)", route)
            expect(ann.locator("main.table")).to_be_visible()
            assert ann.locator("main").count() == 1
        table.press("OK")  # at the board: the other person's hand
        expect(ann.locator("[data-tool=undo]")).to_be_enabled()


def test_a_phone_that_is_removed_shows_no_hand_any_more(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        ann.reload()
        expect(ann.locator(HAND)).to_have_count(6)
        held: list[Route] = []
        intercept(ann, "**/api/press", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks it
        for card in ann.locator(HAND).all()[:2]:
            card.click()
        expect(ann.locator(f"{HAND}.chosen")).to_have_count(2)
        ann.evaluate(
            """() => {
  window.gone = null;
  new MutationObserver(() => {
    if (!document.querySelector(".hand button.card")) window.gone ??= performance.now();
  }).observe(document.body, { childList: true, subtree: true });
}"""
        )
        began = ann.evaluate("performance.now()")
        table.parts.phones.registry.do(RemovePhone(1))
        expect(ann.locator(SAID)).to_have_text("This phone was removed at the board.")
        assert ann.evaluate("window.gone") - began < 1000
        own = {str(card) for card in own_cards(table.parts.loop.table.now.state, 0)}
        assert not own & cards_on(ann)
        ann.get_by_label("Code").fill(table.code)
        ann.get_by_role("button", name="Play as ORANGE").click()
        expect(ann.locator(HAND)).to_have_count(6)
        expect(ann.locator(f"{HAND}.chosen")).to_have_count(0)  # what it had pressed went with it
        for route in held:
            route.abort()


def test_a_phone_that_is_removed_before_its_page_is_all_there_is_told_so(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        held: list[Route] = []
        intercept(ann, "**/page/join.js*", lambda route: held.append(route))  # noqa: PLW0108  Playwright marks it
        with ann.expect_request("**/page/join.js*"):
            ann.reload()
        expect(ann.locator(HAND)).to_have_count(6)
        table.parts.phones.registry.do(RemovePhone(1))
        expect(ann.locator(HAND)).to_have_count(0)
        for route in held:
            route.continue_()
        expect(ann.locator(SAID)).to_have_text("This phone was removed at the board.")


def test_when_the_board_closes_to_phones_no_hand_stays(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        expect(ann.locator(HAND)).to_have_count(6)
        table.parts.phones.registry.do(ClosePhones())
        expect(ann.locator(SAID)).to_have_text("This phone was removed at the board.")
        expect(ann.locator(HAND)).to_have_count(0)


def test_a_seat_that_the_next_game_has_not_is_chosen_anew(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        bob = table.joined("Play as BLUE")
        table.begin()
        expect(bob.locator(HAND)).to_have_count(6)
        request = {
            "rules": "standard",
            "players": 2,
            "entry": "dealt",
            "levels": ["", "solid"],
            "options": {},
        }
        assert table.parts.companion.do(start_of(request)).result(PATIENCE).is_accepted
        expect(bob.locator(SAID)).to_have_text("Your seat is not in this game. Choose again.")
        expect(bob.locator(HAND)).to_have_count(0)
        expect(bob.get_by_role("button", name="Play as")).to_have_count(1)


def test_a_phone_that_has_slept_asks_anew_and_is_at_its_hand(tmp_path: Path, browser: Browser) -> None:
    deaf = """const open = window.EventSource;
      window.lines = 0;
      window.EventSource = function (path) {
        const line = new open(path);
        if (window.lines++ === 0) line.addEventListener = () => {};
        return line;
      };
      window.EventSource.CLOSED = open.CLOSED;"""
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE", script="")  # in a window that no other test has after it
        ann.add_init_script(deaf)
        ann.reload()
        expect(ann.locator(".lobby")).to_be_visible()
        table.begin()
        expect(ann.locator(HAND)).to_have_count(0)
        assert ann.evaluate("window.lines") == 1
        ann.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
        expect(ann.locator(HAND)).to_have_count(6)
        assert ann.evaluate("window.lines") == 2


def test_another_role_is_two_taps_away_and_the_hand_goes_with_the_seat(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        expect(ann.locator(HAND)).to_have_count(6)
        ann.locator("[data-tool=phone]").click()
        expect(ann.get_by_role("dialog")).to_contain_text("You play ORANGE's seat.")
        ann.get_by_role("link", name="Change role").click()
        expect(ann.locator(HAND)).to_have_count(0)
        expect(ann.get_by_role("button", name="Play as ORANGE")).to_contain_text("This phone has it now")
        ann.get_by_role("link", name="Back to the table").click()
        expect(ann.locator(HAND)).to_have_count(6)
        ann.goto(f"{table.url}#role")
        ann.get_by_role("button", name="Watch").click()
        expect(ann.locator("main.table")).to_be_visible()
        state = table.parts.loop.table.now.state
        assert not {str(card) for card in hidden_from(state, None)} & cards_on(ann)
        expect(ann.locator(".asked button")).to_have_count(0)


# --- keypad, and who watches ---


def test_a_keypad_has_the_keys_and_no_hand(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        table.joined("Play as ORANGE")
        table.joined("Play as BLUE")
        keys = table.joined("Keypad")
        table.begin()
        expect(keys.locator(".asked h1")).to_have_text(re.compile("^(ORANGE|BLUE) and .* to discard$"))
        expect(keys.locator(".keypad .key")).to_have_count(20)
        expect(keys.locator(HAND)).to_have_count(0)
        keys.locator('.key[data-key="MENU"]').click()
        expect(keys.get_by_role("heading", name="Menu")).to_be_visible()
        assert table.parts.companion.page()["table"]["dialog"] is None


def test_with_real_cards_a_keypad_scores_them(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser) as table:
        table.begin()
        keys = table.joined("Keypad")
        for key in ("P1", "K", "8", "7"):
            keys.locator(f'.key[data-key="{key}"]').click()
        expect(keys.locator(".count output")).to_have_text("15")
        expect(keys.locator(".tile", has_text="ORANGE").locator(".score")).to_have_text("2")
        keys.goto(f"{table.url}#role")
        keys.get_by_role("button", name="Scoreboard").click()
        expect(keys.locator(".scoreboard .count")).to_have_text("1516 to 31")


def test_with_real_cards_a_seat_presses_its_own(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser) as table:
        ann = table.joined("Play as ORANGE")
        table.begin()
        table.press("P1", "K")
        expect(ann.locator(".asked h1")).to_have_text("BLUE to play")
        expect(ann.locator(".keypad .key:not(.dull)")).to_have_count(0)
        table.press("8")
        ann.locator('.key[data-key="7"]').click()
        expect(ann.locator(".count output")).to_have_text("15")
        ann.locator("[data-tool=phone]").click()
        expect(ann.get_by_role("dialog")).to_contain_text("enter your cards here")


def test_who_watches_has_no_keys(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser) as table:
        table.begin()
        table.press("P1", "K", "8")
        page = table.joined("Watch")
        expect(page.locator(".count output")).to_have_text("8")
        expect(page.locator(".asked h1")).to_have_text("ORANGE to play")
        tools = page.locator("button:visible").evaluate_all("(found) => found.map((one) => one.className)")
        assert tools == ["tool", "tool", "strip"], "what happened, the phone itself, and the board in large"


def test_partners_who_wait_have_the_peg_of_their_side(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, "person", "person", "solid", "person") as table:
        page = table.joined("Watch")
        sides = page.locator(".choice .peg").evaluate_all("(pegs) => pegs.map((peg) => peg.dataset.side)")
        assert sides == ["0", "1", "1"]


def test_the_menu_of_a_keypad_leads_to_no_page_that_a_phone_has_not(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser) as table:
        table.begin()
        keys = table.joined("Keypad")
        asked: list[int] = []
        keys.on("response", lambda answer: asked.append(answer.status))
        keys.locator("[data-tool=menu]").click()
        expect(keys.get_by_role("heading", name="Menu")).to_be_visible()
        keys.get_by_role("button", name="Settings").click()
        expect(keys.locator(".dialog .line").first).to_be_visible()
        expect(keys.get_by_role("heading", name="Menu")).to_have_count(0)
        expect(keys.locator("main a[href]")).to_have_count(0)
        assert set(asked) == {200}


def test_sound_is_turned_on_at_the_phone_itself(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        ann = table.joined("Play as ORANGE")
        ann.locator("[data-tool=phone]").click()
        ann.get_by_text("Sound and display").click()
        expect(ann.get_by_role("radiogroup", name="Play with one tap")).to_be_visible()
        expect(ann.get_by_role("radiogroup", name="Chance of winning")).to_have_count(0)
        sound = ann.get_by_role("radiogroup", name="Sound").get_by_role("radio", name="On")
        sound.click()
        expect(sound).to_be_checked()


# --- the scoreboard ---


def ink_height(page: Page, selector: str) -> int:
    """Return how many pixels high the figure in *selector* is drawn."""
    picture = Image.open(io.BytesIO(page.locator(selector).first.screenshot())).convert("L")
    ground = picture.getpixel((1, 1))
    inked = picture.point(lambda grey: 255 if abs(grey - ground) > 60 else 0)
    box = inked.getbbox()
    assert box is not None
    return box[3] - box[1]


OUTSIDE = """() => [...document.querySelectorAll(".tile, .tile .score, .count output, .felt .card, .line-of, .tally li, .total, .winner, .end .best, .drawn")]
  .map((part) => [part.className, part.getBoundingClientRect(), part.closest(".tile, .felt, .line-of").getBoundingClientRect()])
  .filter(([, one, round]) => one.width && (one.left < round.left - 1 || one.right > Math.min(innerWidth, round.right) + 1
    || one.top < Math.max(0, round.top - 12) - 1 || one.bottom > Math.min(innerHeight, round.bottom + 12) + 1))
  .map(([name, one]) => `${name} ${JSON.stringify(one)}`)"""
"""What is not in view, or sticks out of what it is in."""
SCREENS = (TELEVISION, (1024, 768), (390, 844), LYING, (1280, 720))


def fits(page: Page) -> None:
    for width, height in SCREENS:
        resize(page, width, height)
        page.wait_for_timeout(100)
        page.evaluate(SETTLE)
        assert page.evaluate(OUTSIDE) == [], (width, height)
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), (width, height)


def play_until(table: PhoneTable, phones: list[Page], phase: str) -> None:
    """Play with the two *phones* until the game stands at *phase*."""
    for _ in table.rounds_until(phase):
        for page in phones:
            act(page)


@pytest.mark.prove
def test_a_scoreboard_is_read_from_five_metres_and_shows_no_hand(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        phones = [table.joined("Play as ORANGE"), table.joined("Play as BLUE")]
        far = table.joined("Scoreboard", TELEVISION)
        expect(far.get_by_role("heading", name="The game starts at the board.")).to_be_visible()
        table.begin("121")
        expect(far.locator("main.scoreboard")).to_be_visible()
        expect(far.locator(".tile", has_text="BLUE")).to_contain_text("deals")
        assert ink_height(far, ".tile .score") >= 200
        assert far.locator(".board .slab").is_visible()
        fits(far)
        play_until(table, phones, "play")
        while len(table.parts.companion.state()["pile"]) < 2:
            for page in phones:
                act(page)
        count = str(table.parts.companion.state()["count"])
        expect(far.locator(".count output")).to_have_text(count)
        expect(far.locator(".pile .card")).to_have_count(2)
        expect(far.locator(".starter .card")).to_have_count(1)
        fits(far)
        state = table.parts.loop.table.now.state
        assert not {str(card) for card in hidden_from(state, None)} & cards_on(far)
        play_until(table, phones, "show")
        expect(far.locator(".show .tally")).to_be_visible()
        expect(far.locator("button:visible")).to_have_count(2)  # full screen, and the phone's own
        fits(far)


@pytest.mark.prove
def test_three_digits_fit_three_times(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, "person", "person", "person") as table:
        far = table.joined("Scoreboard", TELEVISION)
        table.begin("121")
        expect(far.locator(".tile")).to_have_count(3)
        far.evaluate("for (const score of document.querySelectorAll('.score')) score.textContent = '120'")
        assert ink_height(far, ".tile .score") >= 200
        fits(far)


@pytest.mark.prove
def test_a_scoreboard_fills_the_screen_where_the_browser_can(tmp_path: Path, browser: Browser) -> None:
    no_lock = "delete Navigator.prototype.wakeLock"
    no_full = "Object.defineProperty(Document.prototype, 'fullscreenEnabled', { get: () => false })"
    asked = """window.asked = [];
      Navigator.prototype.__defineGetter__("wakeLock", () => ({
        request: async (kind) => (window.asked.push(kind), { release: async () => window.asked.push("released") }) }));"""
    with phone_table(tmp_path, browser, *TWO) as table:
        table.begin()
        far = table.joined("Scoreboard", TELEVISION, script=asked)
        far.wait_for_function("() => window.asked.join() === 'screen'")
        expect(far.get_by_text("sleep in this screen's own settings")).to_have_count(0)
        far.get_by_role("button", name="Full screen").click()
        far.wait_for_function("() => document.fullscreenElement !== null")
        expect(far.get_by_role("button", name="Full screen")).to_have_count(0)
        far.evaluate("document.exitFullscreen()")
        far.locator("[data-tool=phone]").click()
        far.get_by_role("link", name="Change role").click()
        far.wait_for_function("() => window.asked.join() === 'screen,released'")
        plain = table.joined("Scoreboard", TELEVISION, script=f"{no_lock}; {no_full}")
        expect(plain.get_by_text("sleep in this screen's own settings")).to_be_visible()
        expect(plain.get_by_role("button", name="Full screen")).to_have_count(0)


# --- a home screen's icon ---


def test_a_phone_can_put_the_page_on_its_home_screen(tmp_path: Path, browser: Browser) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        page = table.joined("Watch")
        link = page.locator("link[rel=manifest]").get_attribute("href")
        manifest: dict[str, Any] = page.evaluate("(path) => fetch(path).then((each) => each.json())", link)
        assert (manifest["display"], manifest["start_url"]) == ("standalone", "/")
        kind = page.evaluate("(p) => fetch(p).then((each) => each.headers.get('content-type'))", link)
        assert kind == "application/manifest+json"
        for icon in manifest["icons"]:
            answer = page.request.get(table.url + icon["src"].removeprefix("/"))
            assert (answer.status, answer.headers["content-type"]) == (200, icon["type"])
            if icon["type"] == "image/png":
                size = "{}x{}".format(*Image.open(io.BytesIO(answer.body())).size)
                assert size == icon["sizes"]
        touch = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
        assert touch in {icon["src"] for icon in manifest["icons"]}


# --- the board's own page ---


def test_the_settings_let_phones_in_and_send_them_away(tmp_path: Path, browser: Browser) -> None:
    with (
        phone_table(tmp_path, browser, *TWO) as table,
        board_page(table) as server,
    ):
        table.parts.phones.registry.do(ClosePhones())
        until(lambda: not table.parts.phones._reach.addresses)
        page = table.window((1280, 900))
        page.goto(f"{server.url}#settings")
        page.get_by_role("button", name="Let phones join").click()
        expect(page.get_by_role("link", name="Start a game")).to_have_attribute("href", "#")
        expect(page.locator(".joining .address")).to_have_text(f"127.0.0.2:{table.port}/")
        expect(page.locator(".joining .code")).to_have_text(f"{table.code[:3]} {table.code[3:]}")
        expect(page.get_by_text("New code in")).to_be_visible()
        drawn = page.locator(".qr path").get_attribute("d") or ""
        told: Any = table.parts.companion.phones()
        assert drawn.count("h1v1h-1z") == sum(map(sum, told["modules"]))
        ann = table.joined("Play as ORANGE")
        picks = page.get_by_label("Role of phone 1")
        expect(picks).to_have_value("seat 0")
        bob = table.joined("Scoreboard", TELEVISION)
        page.get_by_label("Role of phone 2").select_option("Play as ORANGE")
        expect(bob.locator("main.lobby")).to_be_visible()
        expect(ann.get_by_role("button", name="Watch")).to_be_visible()
        expect(picks).to_have_value(" ")
        picks.select_option("Play as ORANGE")
        expect(ann.locator("main.lobby")).to_be_visible()
        page.get_by_role("button", name="Remove phone 2").click()
        expect(bob.locator(SAID)).to_have_text("This phone was removed at the board.")
        page.get_by_role("button", name="Remove phone 1").click()
        expect(page.get_by_text("No phone has joined yet.")).to_be_visible()
        expect(ann.locator(SAID)).to_have_text("This phone was removed at the board.")
        page.get_by_role("button", name="Turn phones off").click()
        expect(page.get_by_role("button", name="Let phones join")).to_be_visible()


def test_what_became_of_the_phones_meanwhile_outlasts_the_answer_to_a_wish(
    tmp_path: Path, browser: Browser
) -> None:
    with (
        phone_table(tmp_path, browser, *TWO) as table,
        board_page(table) as server,
    ):
        table.parts.phones.registry.do(ClosePhones())
        until(lambda: not table.parts.phones._reach.addresses)
        page = table.window((1280, 900))

        def slow(route: Route) -> None:
            if route.request.method == "POST":
                answer = route.fetch()
                until(lambda: bool(table.parts.companion.phones()["address"]))
                route.fulfill(response=answer, json={**answer.json(), "address": ""})
            else:
                answer = route.fetch()
                route.fulfill(response=answer, json={**answer.json(), "seconds": 3609})

        intercept(page, "**/api/phones", slow)
        page.goto(f"{server.url}#settings")
        page.get_by_role("button", name="Let phones join").click()
        expect(page.locator(".joining .address")).to_have_text(f"127.0.0.2:{table.port}/")
        expect(page.get_by_text(re.compile(r"New code in (?:60|5\d):\d\d$"))).to_be_visible()
        page.unroute_all(behavior="ignoreErrors")  # one may be in the middle of its answer


# --- for everyone ---


@pytest.mark.parametrize(("size", "is_dark"), some([(PHONE, False), (SMALL, True), (LYING, False)], 1))
def test_axe_finds_nothing_on_a_phone(
    tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table, board_page(table) as server:
        page = table.window(size, is_dark=is_dark)
        page.goto(f"{table.url}j/OOOOOO")
        expect(page.locator(SAID)).to_be_visible()
        assert violations(page) == []
        ann = table.joined("Play as ORANGE", size, is_dark=is_dark)
        assert violations(ann) == []
        page.get_by_label("Code").fill(table.code)
        expect(page.get_by_role("button", name="Play as ORANGE")).to_be_disabled()
        assert violations(page) == []
        page.get_by_role("button", name="Keypad").click()
        table.begin()
        expect(ann.locator(HAND)).to_have_count(6)
        assert violations(ann) == []
        ann.locator("[data-tool=phone]").click()
        assert violations(ann) == []
        expect(page.locator(".keypad")).to_be_visible()
        assert violations(page) == []
        page.goto(f"{server.url}#settings")
        expect(page.locator(".qr")).to_be_visible()
        assert violations(page) == []


@pytest.mark.parametrize(
    ("size", "is_dark"), some([(TELEVISION, True), (TELEVISION, False), (PHONE, False)], 0)
)
def test_axe_finds_nothing_on_a_scoreboard(
    tmp_path: Path, browser: Browser, size: tuple[int, int], *, is_dark: bool
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        far = table.joined("Scoreboard", size, is_dark=is_dark)
        assert violations(far) == []
        table.begin()
        for phase in ("play", "show", "game-over"):
            for _ in table.rounds_until(phase):
                table.press(next_key({**table.parts.companion.page()}) or "")
            far.wait_for_selector(f"[data-phase={phase}]")
            assert violations(far) == [], phase


# --- whole games ---


def seat_of(page: Page) -> int | None:
    seat: int | None = page.evaluate("() => fetch('/api/phone').then((a) => a.json()).then((me) => me.seat)")
    return seat


def told_of_others(table: PhoneTable, page: Page, seat: int | None) -> set[str]:
    """Return the cards in *page* that lie hidden from its *seat*, both before it is looked at and after.

    It is looked at once it shows where the game stands: before, cards of the last deal may lie there still.
    """
    shown = "() => document.querySelector('main[data-seq]')?.dataset.seq"
    until(lambda: page.evaluate(shown) in {None, str(table.parts.loop.table.now.seq)})
    before = hidden_from(table.parts.loop.table.now.state, seat)
    seen = cards_on(page)
    hidden = before & hidden_from(table.parts.loop.table.now.state, seat)
    return {str(card) for card in hidden} & seen


@pytest.mark.prove
def test_three_play_a_whole_game_on_their_phones_and_a_television_shows_it(
    tmp_path: Path, browser: Browser
) -> None:
    """The device's keypad cuts, deals and turns the starter; the rest is done on the phones."""
    with (
        phone_table(tmp_path, browser, "person", "person", "person") as table,
        board_page(table) as server,
    ):
        phones = [table.joined(f"Play as {name}", PHONE) for name in ("ORANGE", "BLUE", "WHITE")]
        far = table.joined("Scoreboard", TELEVISION)
        seats = {page: seat_of(page) for page in (*phones, far)}
        assert list(seats.values()) == [0, 1, 2, None]
        device = table.window((1280, 800))
        device.goto(f"{server.url}#device")
        table.begin("31", automatic=())
        presses, keys = 0, 0
        for _ in table.rounds_until("game-over"):
            keys += bool(act_on_keypad(device))
            for page in phones:
                if act(page):
                    presses += 1
                    for each, seat in (seats | {device: None}).items():
                        assert told_of_others(table, each, seat) == set(), seat
        assert presses > 20
        assert keys > 3
        for page in (*phones, far):
            told = page.evaluate("() => fetch('/api/log').then((each) => each.json())")
            assert told == table.parts.companion.log()
        for page in phones:
            expect(page.locator(".result h1")).to_contain_text("wins by")
            expect(page.locator(".result a")).to_have_count(0)
        expect(far.locator(".winner")).to_contain_text("wins by")
        fits(far)


@pytest.mark.prove
def test_two_on_phones_one_at_the_keypad_and_the_computer_play_a_whole_game(
    tmp_path: Path, browser: Browser
) -> None:
    levels = ("person", "person", "person", "solid")
    with phone_table(tmp_path, browser, *levels) as table, board_page(table) as server:
        phones = {table.joined("Play as BLUE"): 1, table.joined("Play as ORANGE 2", LYING): 2}
        device, board = table.window((1280, 800)), table.window((1280, 800))
        device.goto(f"{server.url}#device")
        table.begin("31")
        board.goto(f"{server.url}#table")
        seats = phones | {device: 0, board: 0}
        presses = dict.fromkeys(seats, 0)
        for _ in table.rounds_until("game-over"):
            for page in (device, *phones):
                if act_on_keypad(page) if page is device else act(page):
                    presses[page] += 1
                    for each, seat in seats.items():
                        assert told_of_others(table, each, seat) == set(), seat
        assert all(presses[page] for page in (device, *phones))
        for page in (board, *phones):
            expect(page.locator(".result h1")).to_contain_text("win")


def test_after_the_program_was_killed_and_started_again_each_is_back_at_its_hand(
    tmp_path: Path, browser: Browser
) -> None:
    with phone_table(tmp_path, browser, *TWO) as table:
        port = table.port
        context = table.browser.new_context(viewport={"width": PHONE[0], "height": PHONE[1]})
        ann = context.new_page()
        ann.set_default_timeout(patience())
        ann.goto(f"{table.url}j/{table.code}")
        ann.get_by_role("button", name="Play as ORANGE").click()
        table.begin()
        expect(ann.locator(HAND)).to_have_count(6)
        hand = ann.locator(HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
    expect(ann.get_by_text("Disconnected, reconnecting.")).to_be_visible()
    with phone_table(tmp_path, browser, port=port):
        expect(ann.get_by_text("Disconnected, reconnecting.")).to_have_count(0)
        again = ann.locator(HAND).evaluate_all("(cards) => cards.map((card) => card.dataset.card)")
        assert again == hand
        ann.locator(HAND).first.click()
        expect(ann.locator(HAND).first).to_have_attribute("aria-pressed", "true")
        context.close()
