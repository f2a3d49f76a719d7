"""What no other test of the entry would notice if it were wrong: bugs that were planted on purpose have survived it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.presses import Model

from cribpi.core import events
from cribpi.core.cards import Card
from cribpi.core.errors import ImpossiblePoints, RuleError
from cribpi.core.events import Entry, Event
from cribpi.core.game import fold
from cribpi.core.options import changed
from cribpi.core.presets import preset
from cribpi.core.state import Phase, State
from cribpi.entry import corrections, menus
from cribpi.entry.debounce import Debouncer, Edge
from cribpi.entry.desk import Correct, CountHand, Desk, FalseWin, NewGame, Setup, Undone
from cribpi.entry.press import press
from cribpi.entry.reply import Move, Reply, WrongKey
from cribpi.views.next_keys import keys

NAMES = ("ANN", "BOB", "CAT", "DAN")
PLAY = "7 3 6 8 K GO GO 9 6 10 GO 10"
"""A deal of two with a seven turned up: ANN plays 3 8 9 10, which is worth six."""
WON = "9 P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 OK"
"""ANN's score is put right to the game hole."""


def at(
    text: str, rules: str = "standard", players: int = 2, entry: Entry = Entry.CARDS, **house: str
) -> Model:
    """Return a table after the keys of *text*; ANN leads where two play."""
    model = Model()
    wanted = changed(preset(rules, players), house)
    start = events.GameStarted(NAMES[:players], wanted, entry, dealer=players - 1)
    model.events.append(start)
    model.states.append(fold([start]))
    model.press_all(text)
    return model


def last(model: Model) -> Event:
    return model.events[-1]


def who_led(model: Model) -> int:
    event = last(model)
    assert isinstance(event, events.NewCountLed)
    return event.seat


# --- who deals, who leads ---------------------------------------------------------------------------


@pytest.mark.parametrize(("draw", "dealer"), [(0, 0), (1, 1), (2, 2), (3, 0), (98, 2)])
def test_chance_gives_the_first_deal_to_every_seat(draw: int, dealer: int) -> None:
    model = Model()
    model.events.append(events.GameStarted(NAMES[:3], preset("standard", 3)))
    model.states.append(fold(model.events))
    model.press("OK", draw)
    assert last(model) == events.DealerChosen(dealer)


def test_ok_leads_the_new_count_for_who_said_go_first_where_the_house_has_it_so() -> None:
    text = "8 K Q 7 GO 3 K OK"  # ANN said go at 27, and BOB played on to 30
    assert who_led(at(text, players=3, lead_after_close="first-go")) == 0
    assert who_led(at(text, players=3)) == 2


def test_ok_leads_the_new_count_for_the_seat_to_the_left_of_the_last_to_play() -> None:
    model = at("7 K Q 9 GO K OK", players=3)
    assert who_led(model) == 0
    assert who_led(at("7 K Q 5 5 K OK", players=3)) == 1, "30 by ANN: all say go"


# --- players count ----------------------------------------------------------------------------------


def test_go_does_not_throw_a_count_away_that_is_typed() -> None:
    model = at(f"{PLAY} 5", "acc")
    with pytest.raises(WrongKey):
        model.press("GO")
    assert model.desk.typed == (5,)


@pytest.mark.parametrize(
    ("rules", "typed", "key", "says"),
    [("acc-muggins", "K K K K K K K", "K", "104"), ("acc", "10 10", "10", "counts 30")],
)
def test_a_count_cannot_grow_without_end(rules: str, typed: str, key: str, says: str) -> None:
    model = at(f"{PLAY} {typed}", rules)
    with pytest.raises(ImpossiblePoints, match=says):
        model.press(key)


@pytest.mark.parametrize("rules", ["acc", "acc-muggins"])
def test_a_count_on_the_way_to_another_may_be_one_that_no_hand_has(rules: str) -> None:
    assert at(f"{PLAY} 10 9", rules).desk.amount == 19
    assert at(f"{PLAY} 10 9 A OK", rules).state.scores() == at(f"{PLAY} 6 OK", rules).state.scores()


def test_muggins_is_no_line_where_what_is_missed_is_lost() -> None:
    assert "muggins" not in corrections.lines(at(f"{PLAY} 4 OK", "acc").state)
    assert "muggins" in corrections.lines(at(f"{PLAY} 4 OK", "acc-muggins").state)


def test_what_was_missed_is_offered_to_the_others_alone() -> None:
    model = at("2 4 5 6 4 5 6 7 8 9 10 J Q", players=3, miscount="muggins")
    while model.state.phase is Phase.PLAY:
        model.press("GO" if keys(model.state, model.desk) == ("GO",) else keys(model.state, model.desk)[0])
    model.press("GO")  # ANN counts nothing
    counted = model.state.counted
    assert counted is not None
    assert counted.least > 1
    own, other = corrections.open_for(model.state, 0), corrections.open_for(model.state, 2)
    lines = corrections.lines(model.state)
    assert lines[own.line] == "score"
    assert (lines[other.line], other.muggins) == ("muggins", counted.least)
    assert corrections.missed_by(model.state, 2) == 0


def test_in_a_game_by_points_muggins_is_called_on_the_next_side() -> None:
    model = at("OK OK P1 3 OK", entry=Entry.PEG, miscount="muggins")
    assert last(model) == events.MugginsCalled(0, 1, 1)


# --- corrections ------------------------------------------------------------------------------------


def test_the_true_score_of_a_false_win_is_below_the_game_hole() -> None:
    model = at(f"{WON} P1 FLNB" + " P2" * 30)
    assert model.desk.dialog == FalseWin(0, 120, 10)


def test_a_score_stops_at_the_start_and_at_the_game_hole() -> None:
    assert at("9 P1 P1 P1").desk.dialog == Correct(0, 0)
    high = at("9 P1 FLNB" + " P2" * 30).desk.dialog
    assert isinstance(high, Correct)
    assert high.score == 121


def test_undo_leaves_the_corrections_and_the_menu_without_a_change() -> None:
    for text in ("9 P1 P2 P2 UNDO", "9 MENU UNDO", "9 MENU MENU", "9 7 K 9 K UNDO"):
        model = at(text)
        assert model.desk.dialog is None, text
        assert model.state.scores() == at("9").state.scores(), text


def test_a_score_that_is_not_changed_just_closes() -> None:
    model = at("9 P1 OK")
    assert model.desk.dialog is None
    assert isinstance(last(model), events.StarterTurned)


def test_a_game_that_was_not_won_is_taken_back_by_the_menu_too() -> None:
    model = at(f"9 P1 P2 P2 P2 OK {WON.removeprefix('9 ')} MENU A OK")
    assert model.desk.dialog == FalseWin(0, model.state.pegs[0].back)
    texts = [item.text for item in menus.items(model.state, model.desk)]
    assert "misdeal: deal again" not in texts
    assert "ANN has not won" in texts


# --- games by points --------------------------------------------------------------------------------


def test_ok_pegs_his_heels_for_the_dealer() -> None:
    assert last(at("OK 2 OK", entry=Entry.PEG)) == events.PointsPegged(1, 2)


def test_an_amount_takes_the_place_of_a_scored_event() -> None:
    assert last(at("OK OK MENU 4 OK 5 P1", entry=Entry.PEG)) == events.PointsPegged(0, 5)


def test_undo_takes_a_scored_event_back_that_waits_for_its_side() -> None:
    model = at("OK OK MENU 4 OK UNDO", entry=Entry.PEG)
    assert (model.desk.kind, model.desk.typed) == (None, ())
    assert at("OK OK GO UNDO 3 P1", entry=Entry.PEG).state.scores() == (3, 0)


def test_the_name_of_a_scored_event_is_kept() -> None:
    event = last(at("OK OK MENU 4 OK P1", entry=Entry.PEG))
    assert isinstance(event, events.PointsPegged)
    assert str(event.kind) == "pair-royal"


def test_what_is_typed_at_a_show_is_not_thrown_away() -> None:
    model = at("OK OK OK 8", entry=Entry.PEG)
    with pytest.raises(WrongKey):
        model.press("FLNB")
    assert model.desk.typed == (8,)


def test_undo_takes_one_card_of_a_counted_hand_back() -> None:
    assert at("OK OK OK FLNB 5 5 UNDO", entry=Entry.PEG).desk.dialog == CountHand(("5",))
    assert at("OK OK OK FLNB UNDO", entry=Entry.PEG).desk.dialog is None


# --- the set-up -------------------------------------------------------------------------------------


def new_game(setup: Setup, text: str) -> Setup:
    model = Model()
    model.desk = replace(model.desk, setup=setup, dialog=NewGame())
    model.press_all(text)
    return model.desk.setup


def test_a_target_of_the_house_stays_among_those_offered() -> None:
    setup = Setup().with_rules(None, {"target": "100"})
    assert [new_game(setup, "2" + " P2" * turns).target for turns in range(4)] == [100, 61, 121, 100]


def test_what_the_house_changed_falls_away_where_it_makes_no_sense() -> None:
    four = Setup().with_rules(None, {"players": "4", "heels": "none", "partners_scorekeeper": "on"})
    assert dict(new_game(four, "P2").options) == {"heels": "none"}
    kept = Setup().with_rules(None, {"heels": "none"})
    assert new_game(kept, "P2").options == (("heels", "none"),)


def test_another_preset_is_chosen_unchanged_and_the_house_keeps_its_own() -> None:
    house = Setup().with_rules(None, {"heels": "none", "target": "100"})
    other = house.with_preset("travel-61")
    assert (other.options, other.target) == ((), 61)
    again = other.with_preset("standard")
    assert (again.options, again.target) == ((("heels", "none"),), 100)


def test_changes_of_the_house_add_up_and_make_sense_together() -> None:
    setup = Setup().with_rules(None, {"heels": "none", "last_card": "none"})
    assert dict(setup.options) == {"heels": "none", "last_card": "none"}
    with pytest.raises(RuleError, match="double_skunk=off"):
        Setup().with_rules(None, {"skunk": "off"})


def test_players_turn_among_those_that_a_preset_knows() -> None:
    assert new_game(Setup().with_preset("acc"), "P2").players == 2
    assert new_game(Setup(players=3).with_preset("computer-game"), "P2").players == 2


def test_the_fifth_card_of_a_counted_hand_is_the_starter() -> None:
    event = last(at("OK OK OK FLNB 5 5 5 J 6 OK", entry=Entry.PEG))
    assert isinstance(event, events.HandCounted)
    assert [str(card) for card in (*event.cards, event.starter)] == ["5", "5", "5", "J", "6"]


def test_the_last_line_of_the_menu_is_to_redo() -> None:
    model = at("9 7 UNDO")
    item = menus.items(model.state, model.desk)[-1]
    assert (item.text, item.reply.move) == ("redo", Move.REDO)


def test_ok_after_an_undo_takes_the_remark_away_and_does_nothing_more() -> None:
    desk = Desk(dialog=Undone("ANN 7: seven", 1))
    assert press(State(), desk, "OK") == Reply(Desk())
    assert press(at("9").state, desk, "7").event == events.CardPlayed(0, Card.parse("7")), "other keys go on"


def test_a_hand_that_a_player_has_counted_keeps_that_count_when_its_cards_are_counted() -> None:
    model = at("OK OK OK 8 FLNB 5 5 5 J 6 OK", entry=Entry.PEG, miscount="lost")
    event = last(model)
    assert isinstance(event, events.HandCounted)
    assert event.points == 8
    assert model.state.scores() == (8, 0), "14 is lost"


# --- bouncing buttons -------------------------------------------------------------------------------


def presses_of(*edges: tuple[str, bool, float]) -> list[str]:
    """Return the keys that come of *edges*, up to the last."""
    keypad, keys_pressed = Debouncer(), []
    for button, closed, time in edges:
        keypad, presses = keypad.feed(Edge(button, closed, time))
        keys_pressed += [press.key for press in presses]
    return keys_pressed


def test_each_bounce_begins_the_quiet_anew() -> None:
    assert presses_of(("7", True, 0.0), ("7", False, 0.004), ("7", True, 0.011)) == ["7"]
    assert presses_of(("7", True, 0.0), ("7", False, 0.004), ("7", True, 0.015)) == ["7", "7"]


def test_a_key_is_let_go_and_pressed_again_while_another_is_held() -> None:
    edges = (
        ("UNDO", True, 0.0),
        ("7", True, 0.1),
        ("7", False, 0.15),
        ("7", True, 0.3),
        ("UNDO", False, 0.4),
    )
    assert presses_of(*edges, ("8", True, 0.5)) == ["7", "7", "UNDO", "8"]
