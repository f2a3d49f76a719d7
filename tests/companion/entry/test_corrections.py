"""Keys of the corrections: which lines there are, what they begin with, and where they stop."""

from __future__ import annotations

import pytest
from support.presses import PLAY, at, last, lit_keys
from support.refusals import refused

from cribpi.companion.entry import corrections
from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import Correct, FalseWin
from cribpi.companion.entry.menu import items
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry
from cribpi.cribbage.game.state import Phase


def test_muggins_is_no_line_where_what_is_missed_is_lost() -> None:
    assert "muggins" not in corrections.lines(at(f"{PLAY} 4 OK", "acc").state)
    assert "muggins" in corrections.lines(at(f"{PLAY} 4 OK", "acc-muggins").state)


def test_what_was_missed_is_offered_to_the_others_alone() -> None:
    model = at("2 4 5 6 4 5 6 7 8 9 10 J Q", players=3, miscount="muggins")
    while model.state.phase is Phase.PLAY:
        model.press(
            "GO" if lit_keys(model.state, model.saved) == ("GO",) else lit_keys(model.state, model.saved)[0]
        )
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


WON = "9 P1 FLNB P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 P2 OK"
"""ANN's score is put right to the game hole."""


def test_the_true_score_of_a_false_win_is_below_the_game_hole() -> None:
    model = at(f"{WON} P1 FLNB" + " P2" * 30)
    assert model.input_state.dialog == FalseWin(0, 120, 10)


def test_a_score_stops_at_the_start_and_at_the_game_hole() -> None:
    assert at("9 P1 P1 P1").input_state.dialog == Correct(side=0, score=0)
    high = at("9 P1 FLNB" + " P2" * 30).input_state.dialog
    assert isinstance(high, Correct)
    assert high.score == 121


def test_undo_leaves_the_corrections_and_the_menu_without_a_change() -> None:
    for text in ("9 P1 P2 P2 UNDO", "9 MENU UNDO", "9 MENU MENU", "9 7 K 9 K UNDO"):
        model = at(text)
        assert model.input_state.dialog is None, text
        assert model.state.scores() == at("9").state.scores(), text


def test_a_score_that_is_not_changed_just_closes() -> None:
    model = at("9 P1 OK")
    assert model.input_state.dialog is None
    assert isinstance(last(model), events.StarterTurned)


def test_a_game_that_was_not_won_is_taken_back_by_the_menu_too() -> None:
    model = at(f"9 P1 P2 P2 P2 OK {WON.removeprefix('9 ')} MENU A OK")
    assert model.input_state.dialog == FalseWin(0, model.state.pegs[0].back)
    texts = [item.sentence for item in items(model.view)]
    assert "misdeal: deal again" not in texts
    assert "ANN has not won" in texts


def test_the_true_score_of_a_false_win_is_not_below_the_start() -> None:
    assert at(f"{WON} P1 P1 P1").input_state.dialog == FalseWin(0, 0)
    assert at(f"{WON} P1 FLNB P2 P1 P1").input_state.dialog == FalseWin(0, 0, 10)
    assert last(at(f"{WON} P1 FLNB P1 OK")) == events.FalseWinRuled(0, 0)


@pytest.mark.parametrize("rule", ["lose", "acc"])
def test_who_wins_by_the_ruling_on_a_false_claim_has_claimed_nothing_to_take_back(rule: str) -> None:
    model = at(f"{WON} P1", false_win=rule)
    model.press_all("OK")
    if rule == "acc":  # what was claimed too much is enough for BOB
        assert model.state.scores()[1] == 121
    assert model.state.winner == 1
    said = refused(WrongKey, model.press, "P2")
    assert said.startswith("BOB wins 121-"), "no key says that BOB has not won: UNDO takes the ruling back"
    assert not [item for item in items(model.view) if "not won" in item.sentence]
    model.press("UNDO")
    assert model.state.winner == 0
