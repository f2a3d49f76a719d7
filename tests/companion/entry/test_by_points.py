"""Keys in a game kept by points: amounts, scored events, and hands counted by their cards."""

from __future__ import annotations

import pytest
from support.presses import at, last

from cribpi.companion.entry.effect import WrongKey
from cribpi.companion.entry.input_state import CountHand
from cribpi.cribbage.game import events
from cribpi.cribbage.game.events import Entry


def test_ok_pegs_his_heels_for_the_dealer() -> None:
    assert last(at("OK 2 OK", entry=Entry.PEG)) == events.PointsPegged(1, 2)


def test_an_amount_takes_the_place_of_a_scored_event() -> None:
    assert last(at("OK OK MENU 4 OK 5 P1", entry=Entry.PEG)) == events.PointsPegged(0, 5)


def test_undo_takes_a_scored_event_back_that_waits_for_its_side() -> None:
    model = at("OK OK MENU 4 OK UNDO", entry=Entry.PEG)
    assert (model.input_state.kind, model.input_state.typed) == (None, ())
    assert at("OK OK GO UNDO 3 P1", entry=Entry.PEG).state.scores() == (3, 0)


def test_the_name_of_a_scored_event_is_kept() -> None:
    event = last(at("OK OK MENU 4 OK P1", entry=Entry.PEG))
    assert isinstance(event, events.PointsPegged)
    assert str(event.kind) == "pair-royal"


def test_what_is_typed_at_a_show_is_not_thrown_away() -> None:
    model = at("OK OK OK 8", entry=Entry.PEG)
    with pytest.raises(WrongKey):
        model.press("FLNB")
    assert model.input_state.typed == (8,)


def test_undo_takes_one_card_of_a_counted_hand_back() -> None:
    assert at("OK OK OK FLNB 5 5 UNDO", entry=Entry.PEG).input_state.dialog == CountHand(("5",))
    assert at("OK OK OK FLNB UNDO", entry=Entry.PEG).input_state.dialog is None


def test_the_fifth_card_of_a_counted_hand_is_the_starter() -> None:
    event = last(at("OK OK OK FLNB 5 5 5 J 6 OK", entry=Entry.PEG))
    assert isinstance(event, events.HandCounted)
    assert [str(card) for card in (*event.cards, event.starter)] == ["5", "5", "5", "J", "6"]


def test_a_hand_that_a_player_has_counted_keeps_that_count_when_its_cards_are_counted() -> None:
    model = at("OK OK OK 8 FLNB 5 5 5 J 6 OK", entry=Entry.PEG, miscount="lost")
    event = last(model)
    assert isinstance(event, events.HandCounted)
    assert event.points == 8
    assert model.state.scores() == (8, 0), "14 is lost"
