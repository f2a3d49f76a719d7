"""What a key means where it can mean more than one thing, and a joystick's way of counting."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.presses import at, lit_keys, means, press, prompt, takes_ranks, view_at
from support.screens import Evening

from cribpi.companion.entry import by_points
from cribpi.companion.entry.debounce import Debouncer, Edge, holds_of
from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import Correct, InputState, Menu, Question
from cribpi.companion.entry.keys import KEYS, RANKS, SIDES, TWENTY, Pad
from cribpi.companion.entry.menu import items
from cribpi.companion.entry.next_game import NextGame
from cribpi.companion.entry.scenes import no_ranks
from cribpi.companion.entry.view import fitted
from cribpi.companion.kit.reader import load_kit
from cribpi.companion.views.screen.screen import compose
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.show import IMPOSSIBLE_SHOWS
from cribpi.cribbage.game.state import Phase
from cribpi.cribbage.rules.errors import RuleError

NUMPAD, BONNET = load_kit("numpad").pad, load_kit("bonnet").pad
CUT = "OK OK"
DEAL = f"{CUT} 7 2"
PLAYED = f"{DEAL} 5 9 6 6 5 GO 4 GO 10 7 10"
MUGGINS = NextGame(rules="acc-muggins")
RENEGE = NextGame(options=(("renege", "2"),))
ONE_PERSON = NextGame(entry="dealt", levels=("", "chance"))
TWO_PERSONS = NextGame(entry="dealt", levels=("", ""))
WRONG_GO = f"{DEAL} K 10 9 7 GO 3 GO 4 10 5 10"
WON = f"{DEAL} P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK"

PLACES = [
    # keys from a new table, set-up, what J means there, why
    ("", NextGame(), "P1", "nobody plays: no rank is asked for"),
    ("OK", NextGame(), "P1", "the new-game menu: it changes a line"),
    (CUT, NextGame(), "J", "a jack can be cut"),
    (CUT, NextGame(options=(("first_dealer", "chosen"),)), "P1", "the table chooses who deals first"),
    (CUT, NextGame(options=(("first_dealer", "random"),)), "P1", "no card is cut"),
    (DEAL, NextGame(), "J", "the starter may be a jack"),
    (f"{DEAL} 5", NextGame(), "J", "a jack can be played"),
    (f"{DEAL} 5 9 K J", NextGame(), "J", "past 31 another card may be meant"),
    (f"{DEAL} 5 MENU", NextGame(), "P1", "the menu: it moves"),
    (f"{DEAL} 5 P1", NextGame(), "P1", "a correction: it changes the number"),
    (f"{DEAL} 5 9 UNDO", NextGame(), "J", "what was taken back is told, and any key goes on from there"),
    (f"{DEAL} 5 9 MENU J UNDO", NextGame(), "J", "the menu is closed again"),
    (PLAYED, NextGame(), "P1", "a hand that the computer counts: there is nothing to type"),
    (PLAYED, MUGGINS, "J", "a hand that its player counts: the jack is 11"),
    (f"{PLAYED} 2", MUGGINS, "J", "and so it is once a part of the count is typed"),
    (f"{PLAYED} OK OK", NextGame(), "J", "the crib's cards"),
    (f"{PLAYED} OK OK 5 J 2 2", NextGame(), "P1", "the crib is there"),
    (WRONG_GO, RENEGE, "P1", "a wrong go is ruled on"),
    (WON, NextGame(), "P1", "the game is over: the winner's key says it was not won"),
    (DEAL, NextGame(entry="peg"), "P1", "by points: the sides' keys"),
    (f"{DEAL} OK OK", NextGame(entry="peg"), "P1", "the same in the play"),
    (f"{DEAL} OK OK 2", NextGame(entry="peg"), "P1", "the same once an amount is typed"),
    (f"{DEAL} OK OK 2 P1 3 P2 OK", NextGame(entry="peg"), "P1", "and at the show"),
    (f"{DEAL} OK OK 2 P1 3 P2 OK FLNB", NextGame(entry="peg"), "J", "but a hand that is counted has cards"),
    (CUT, NextGame(entry="peg"), "J", "and so has the cut"),
    (f"{CUT} P2 OK", ONE_PERSON, "J", "a hand that lies open may have a jack"),
    (f"{CUT} P2 OK", TWO_PERSONS, "P1", "a hand that is closed is asked for no card"),
]


@pytest.mark.parametrize(("keys", "setup", "jack", "why"), PLACES)
def test_on_a_numpad_a_court_cards_key_is_a_sides_wherever_a_rank_means_nothing(
    keys: str, setup: NextGame, jack: str, why: str
) -> None:
    evening = Evening(setup).press(keys)
    found = [means(evening.state, evening.saved, key, NUMPAD) for key in "JQK"]
    assert found == (["J", "Q", "K"] if jack == "J" else list(SIDES)), why
    assert means(evening.state, evening.saved, "7", NUMPAD) == "7"
    assert [means(evening.state, evening.saved, key, TWENTY) for key in "JQK"] == ["J", "Q", "K"]


@pytest.mark.parametrize(("keys", "setup", "jack", "why"), PLACES)
def test_where_it_means_a_side_it_does_what_the_sides_key_does(
    keys: str, setup: NextGame, jack: str, why: str
) -> None:
    evening = Evening(setup).press(keys)
    for pad, key, same in (
        (NUMPAD, "J", jack),
        (NUMPAD, "Q", "P2" if jack == "P1" else "Q"),
        (BONNET, "LEFT", "P1"),
        (BONNET, "RIGHT", "P2"),
    ):
        evening.context = fitted(evening.context, pad)
        assert outcome(evening, key, pad) == outcome(evening, same, TWENTY), why


def outcome(evening: Evening, key: str, pad: Pad) -> object:
    try:
        return press(evening.state, evening.saved, key, pad=pad)
    except RuleError as refused:
        return type(refused)  # its sentence calls the keys as this kit does


@given(st.sampled_from([*KEYS, "hold:UNDO", "7H"]), st.sampled_from(PLACES))
def test_on_a_keypad_of_twenty_keys_each_key_means_itself(
    key: str, place: tuple[str, NextGame, str, str]
) -> None:
    evening = Evening(place[1]).press(place[0])
    found = means(evening.state, evening.saved, key, TWENTY)
    assert found == {"LEFT": "P1", "RIGHT": "P2"}.get(key, key)


# --- the joystick, by points ------------------------------------------------------------------------

PLAY = f"{DEAL} OK OK"
SHOW = f"{PLAY} 2 P1 OK"


def stick(keys: str, setup: NextGame | None = None) -> Evening:
    return Evening(setup or NextGame(entry="peg")).press(keys)


@pytest.mark.parametrize(
    ("before", "keys", "amount", "why"),
    [
        (PLAY, "UP", 1, "up from nothing is one"),
        (PLAY, "UP UP UP DOWN", 2, "down is one less"),
        (PLAY, "UP DOWN", 0, "down to nothing"),
        (PLAY, "DOWN", 15, "down from nothing is the most that a card can peg"),
        (PLAY, "DOWN UP", 0, "up from the most is nothing again"),
        (SHOW, "DOWN", 29, "the most that a hand can count"),
        (SHOW, "DOWN DOWN", 28, ""),
        (SHOW, "DOWN DOWN DOWN", 24, "no hand counts 27, 26 or 25"),
        (SHOW, "9 9 UP", 20, "nor 19"),
        (SHOW, "10 10 DOWN", 18, "nor 19"),
        (f"{DEAL} OK", "UP", 2, "two for his heels and nothing else"),
        (f"{DEAL} OK", "UP UP", 0, ""),
        (f"{DEAL} OK", "DOWN", 2, ""),
    ],
)
def test_up_and_down_count_the_amounts_that_can_be(before: str, keys: str, amount: int, why: str) -> None:
    assert stick(f"{before} {keys}").input_state.amount == amount, why


def test_an_amount_that_was_counted_is_pegged_to_its_side() -> None:
    evening = stick(f"{PLAY} UP UP LEFT UP RIGHT")
    assert evening.state.scores() == (2, 1)
    assert evening.input_state.typed == ()


def test_ok_pegs_what_only_one_side_can() -> None:
    evening = stick(f"{SHOW} UP UP UP UP OK")
    assert evening.state.scores() == (6, 0)


def test_counting_forgets_a_scored_event_that_was_chosen_by_its_name() -> None:
    evening = stick(f"{PLAY} MENU DOWN DOWN OK")
    assert evening.input_state.kind is not None
    assert evening.press("UP").input_state.kind is None


def test_nothing_is_counted_before_the_starter_is_cut() -> None:
    evening = stick(f"{DEAL} UP")
    assert evening.refusal is not None
    assert isinstance(evening.refusal.error, WrongKey)
    assert evening.input_state.typed == ()


@given(
    st.sampled_from([f"{DEAL} OK", PLAY, SHOW, f"{SHOW} OK OK"]), st.lists(st.sampled_from(["UP", "DOWN"]))
)
def test_whatever_was_counted_can_be_pegged(before: str, keys: list[str]) -> None:
    evening = stick(before).press(" ".join(keys))
    amount = evening.input_state.amount
    assert amount in by_points.amounts(evening.state)
    assert evening.state.phase is Phase.PLAY or amount not in IMPOSSIBLE_SHOWS
    if amount:
        side = by_points.only_side(evening.state) or 0
        evening.press(("LEFT", "RIGHT")[side])
        assert evening.refusal is None


def test_the_third_sides_amount_is_the_first_line_of_the_menu() -> None:
    evening = stick("OK OK A 5 6 OK OK UP UP UP", NextGame(players=3, entry="peg"))
    lines = [item.sentence for item in items(evening.view)]
    assert lines[:3] == ["Peg 3 for WHITE", "Peg 3 for BLUE", "Peg 3 for ORANGE"]
    assert evening.press("MENU OK").state.scores() == (0, 0, 3)
    assert evening.input_state.dialog is None
    again = stick("OK OK A 5 6 OK OK UP MENU DOWN DOWN OK", NextGame(players=3, entry="peg"))
    assert again.state.scores() == (1, 0, 0)


def test_with_two_sides_or_nothing_typed_the_menu_has_no_such_lines() -> None:
    two = stick(f"{PLAY} UP UP")
    three = stick("OK OK A 5 6 OK OK", NextGame(players=3, entry="peg"))
    for evening in (two, three):
        assert not [item for item in items(evening.view) if " for " in item.sentence]


def test_in_a_menu_the_stick_moves_and_changes() -> None:
    evening = stick("OK DOWN RIGHT")
    assert (evening.next_game.target, evening.next_game.players) == (61, 2)
    assert stick(f"{PLAY} MENU DOWN DOWN UP").input_state.dialog == Menu(1)
    correct = stick(f"{PLAY} LEFT RIGHT RIGHT").input_state.dialog
    assert isinstance(correct, Correct)
    assert (correct.side, correct.score) == (0, 2)


# --- without ranks there is no game by cards ---------------------------------------------------------


def on_the_bonnet(keys: str, before: str = "", setup: NextGame | None = None) -> Evening:
    """Press *before* on a keypad of twenty keys, and then *keys* on the bonnet that has taken its place."""
    evening = Evening(setup or NextGame()).press(before)
    evening.pad, evening.context = BONNET, fitted(evening.context, BONNET)
    return evening.press(keys)


def test_a_new_game_without_rank_keys_is_set_up_by_points_and_stays_so() -> None:
    evening = on_the_bonnet("OK DOWN DOWN")
    assert evening.next_game.entry == "peg"
    for key in ("RIGHT", "LEFT"):
        assert "needs keys for the ranks" in str(evening.press(key).error)
        assert evening.next_game.entry == "peg"
        assert key not in lit_keys(evening.state, evening.saved, BONNET)
    assert "points only" in prompt(evening.state, evening.saved, BONNET)
    assert evening.press("OK").state.entry is Entry.PEG
    assert evening.press("LEFT OK OK UP RIGHT").state.scores() == (0, 1)


def test_with_rank_keys_a_new_game_can_be_kept_in_every_way() -> None:
    for pad in (TWENTY, NUMPAD):
        evening = Evening(NextGame())
        evening.pad = pad
        change = "P2" if pad is TWENTY else "Q"
        assert evening.press("OK 3").next_game.entry == "cards"
        assert evening.press(change).next_game.entry == "peg"
        assert evening.press(change).next_game.entry == "dealt"
        assert evening.press(change).press("OK").state.entry is Entry.CARDS


@pytest.mark.parametrize(
    "before",
    [DEAL, f"{DEAL} 5 9", f"{PLAYED} OK OK", f"{PLAYED} OK OK 5 J"],
    ids=["deal", "play", "crib", "2"],
)
def test_a_game_by_cards_that_another_kit_began_is_said_to_be_so_with_the_way_out(before: str) -> None:
    evening = on_the_bonnet("", before)
    said = prompt(evening.state, evening.saved, BONNET)
    assert said == "This game needs keys for the ranks, and this kit has none: [#6] starts a new one"
    assert lit_keys(evening.state, evening.saved, BONNET) == ("MENU",)
    glass = compose(view_at(evening.state, evening.saved, BONNET))
    assert "keys for the ranks" in " ".join(text.text for text in glass.texts())
    for key in ("OK", "UP", "DOWN"):
        assert str(evening.press(key).error) == no_ranks(BONNET)
    lines = [item.sentence for item in items(evening.view)]
    evening.press("MENU " + "DOWN " * lines.index("new game") + "OK OK")
    assert evening.state.entry is Entry.PEG
    assert evening.state.phase is Phase.CUT


def test_where_ranks_are_not_wanted_a_game_by_cards_goes_on_without_them() -> None:
    evening = on_the_bonnet("OK OK", PLAYED)
    assert evening.error is None
    assert evening.state.phase is Phase.CRIB
    assert "LEFT: ORANGE deals first" in prompt(on_the_bonnet("", CUT).state, InputState(), BONNET)


def test_what_is_open_in_a_game_by_cards_can_be_closed_without_ranks() -> None:
    evening = on_the_bonnet("", f"{DEAL} 5 9 K J K")
    assert lit_keys(evening.state, evening.saved, BONNET) == ("OK", "UNDO")
    assert on_the_bonnet("UNDO", f"{DEAL} 5 9 K J K").input_state.dialog is None
    taken_back = on_the_bonnet("", f"{DEAL} 5 9 UNDO")
    assert prompt(taken_back.state, taken_back.input_state, BONNET).endswith("OK: Go on, [#5]: Undo")
    assert lit_keys(taken_back.state, taken_back.input_state, BONNET)[0] == "OK"


def test_the_next_game_after_one_by_cards_is_kept_by_points() -> None:
    evening = on_the_bonnet("OK", WON)
    assert evening.state.phase is Phase.DEAL
    assert evening.state.entry is Entry.PEG


def test_the_next_game_after_one_that_the_machine_dealt_has_no_seat_of_the_machine() -> None:
    won = f"{CUT} P2 P2 2 {'P2 ' * 88} OK P1 2 {'P2 ' * 121} OK"
    evening = on_the_bonnet("OK", won, ONE_PERSON)
    assert (evening.error, evening.state.entry) == (None, Entry.PEG)
    assert [evening.state.level(seat) for seat in (0, 1)] == ["", ""]


# --- long presses -----------------------------------------------------------------------------------

HOLDS = [
    # key    held  presses   why
    ("FLNB", 0.1, ["FLNB"], "short, when it is let go"),
    ("FLNB", 1.1, ["MENU"], "a second: the menu"),
    ("OK", 2.9, ["OK"], "three seconds are wanted to switch off"),
    ("OK", 3.1, ["hold:MENU"], "and then it is a long press of MENU"),
    ("UNDO", 1.1, ["hold:UNDO"], "as everywhere"),
    ("7", 5.0, ["7"], "an ordinary key"),
]


@pytest.mark.parametrize(("key", "held", "keys", "why"), HOLDS)
def test_a_long_press_on_the_numpad(key: str, held: float, keys: list[str], why: str) -> None:
    debouncer, presses = Debouncer(holds_of(NUMPAD.holds)).feed(Edge(key, closed=True, at=1.0))
    debouncer, later = debouncer.feed(Edge(key, closed=False, at=1.0 + held))
    _, last = debouncer.tick(60.0)
    assert [*presses, *later, *last] == keys, why


def test_a_kits_long_press_may_take_the_place_of_a_usual_one() -> None:
    debouncer, _ = Debouncer(holds_of((("UNDO", "MENU"),))).feed(Edge("UNDO", closed=True, at=0.0))
    _, presses = debouncer.tick(1.0)
    assert presses == ("MENU",)


def test_the_pads_of_the_kits() -> None:
    assert load_kit("table").pad.keys == (*RANKS[:10], *RANKS[10:], *TWENTY.keys[13:])
    assert set(BONNET.keys) == {"UP", "DOWN", "LEFT", "RIGHT", "OK", "UNDO", "MENU"}
    assert set(NUMPAD.keys) == {*RANKS, "GO", "FLNB", "UNDO", "OK"}
    assert (TWENTY.has_ranks, NUMPAD.has_ranks, BONNET.has_ranks) == (True, True, False)
    assert [pad.side_keys(3)[2] for pad in (TWENTY, NUMPAD, BONNET)] == ["GO", "P3", "MENU"]


def test_a_rank_is_asked_for_by_an_open_question_and_not_while_a_wrong_go_is_ruled_on() -> None:
    asked = at("9 7 K 9 K")
    assert asked.input_state.dialog == Question("K")
    assert takes_ranks(asked.state, asked.input_state), "another card may be meant"
    wrong = at("9 10 5 8 GO 5 GO K 4 2 6", miscount="lost", renege="2")
    assert not takes_ranks(wrong.state, wrong.input_state), "OK and GO rule on it"
    wrong.press("GO")
    assert takes_ranks(wrong.state, wrong.input_state), "and now the player counts"
