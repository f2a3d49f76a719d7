"""A card that pegs the shows before it is one decision: one undo takes all back, one redo brings it again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.presses import random_key, view_at
from support.sync_faults import after_kill, without_sync
from support.tables import opened

from cribpi.companion.entry.implied import implied_presses
from cribpi.companion.entry.input_state import Undone
from cribpi.companion.entry.requests import Press
from cribpi.companion.table.table import Table
from cribpi.companion.web.requests import parse_request
from cribpi.cribbage.game.state import Phase

TO_THE_SHOW = "OK OK P2 4 5 6 7 9 GO GO 8 K J 3"


def press(table: Table, keys: str) -> None:
    for key in keys.split():
        answer = table.do(Press(key))
        assert answer.is_accepted, (key, answer)


def tap(table: Table, rank: str) -> None:
    """Press what *rank* says as a page does."""
    assert table.do(Press(rank, carry=True), if_seq=table.now.seq).is_accepted


def undone(table: Table) -> str:
    press(table, "UNDO")
    dialog = table.now.input_state.dialog
    assert isinstance(dialog, Undone)
    return dialog.what


def test_one_undo_takes_back_the_cribs_first_card_with_both_hands(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        before = table.now.state
        tap(table, "5")
        after = table.now.state
        assert (after.phase, after.pegs != before.pegs) == (Phase.CRIB, True)
        assert undone(table) == "The 5 in the crib was taken back (with the counts of two hands)"
        assert table.now.state == before
    with opened(tmp_path) as (_, table):  # and after a restart
        press(table, "hold:UNDO")
        assert table.now.state == after
        assert table.now.input_state.message == "The 5 in the crib is back (with the counts of two hands)"
        tap(table, "Q")
        assert undone(table) == "The Q in the crib was taken back"
        undone(table)
        assert table.now.state == before
        tap(table, "6H")  # the right card
        assert table.now.state.pegs == after.pegs
        undone(table)
        assert table.now.state == before
        assert undone(table) == "BLUE took back the 3"


def test_a_hand_that_a_person_pegged_is_a_decision_of_its_own(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        press(table, "OK")
        pegged = table.now.state
        tap(table, "5")
        assert undone(table) == "The 5 in the crib was taken back (with the count of BLUE's hand)"
        assert table.now.state == pegged
        assert undone(table) == "The count of ORANGE's hand was taken back"


def test_on_the_keypad_each_press_goes_back_by_itself(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        tap(table, "5")
        press(table, "UNDO OK OK OK 5")
        assert undone(table) == "The 5 in the crib was taken back"
        assert undone(table) == "The count of BLUE's hand was taken back"


def test_the_next_starter_goes_back_with_the_crib_that_it_has_pegged(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        for rank in "5 Q K J".split():
            tap(table, rank)
        crib = table.now.state
        tap(table, "2")
        assert table.now.state.phase is Phase.PLAY
        assert undone(table) == "The starter was taken back (with the count of BLUE's crib)"
        assert table.now.state == crib
        press(table, "hold:UNDO")
        assert table.now.input_state.message == "The starter is back (with the count of BLUE's crib)"


@pytest.mark.parametrize("sent", [1, 2, 9])
def test_no_client_says_what_a_card_carries(tmp_path: Path, sent: int) -> None:
    """A phone of an earlier version counts the shows itself: another player's count stays all the same."""
    with opened(tmp_path) as (_, table):
        press(table, f"{TO_THE_SHOW} OK OK")
        pegged = table.now.state
        assert table.do(
            parse_request("press", f'{{"key": "5", "carries": {sent}}}'.encode()).request
        ).is_accepted
        assert undone(table) == "The 5 in the crib was taken back"
        assert table.now.state == pegged


def test_a_card_that_carries_nothing_is_a_card(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        tap(table, "OK")
        assert undone(table) == "The count of ORANGE's hand was taken back"
        press(table, "OK OK OK")
        tap(table, "5")
        assert undone(table) == "The 5 in the crib was taken back"


def test_a_card_is_saved_with_the_shows_that_it_pegs_or_not_at_all(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        before = table.now
        assert not without_sync(lambda: table.do(Press("5", carry=True))).is_accepted
        assert replace(table.now, refusal=None) == before
        tap(table, "5")
        assert table.now.state.phase is Phase.CRIB
        assert after_kill(tmp_path) == table.now


def at_random(table: Table, chance: Random, presses: int) -> int:
    """Press so many keys and cards, and return how many cards have carried something.

    What was there before such a card is there after an undo, and what it led to after a redo.
    """
    carried = 0
    for _ in range(presses):
        now = table.now
        found = implied_presses(view_at(now.state, now.saved, now.pad))
        if not found.keys or chance.random() < 0.3:
            key = random_key(now.state, now.saved, chance)
            if "MENU" not in key or chance.random() < 0.1:  # few leave the game
                table.do(Press(key))
            continue
        rank = chance.choice(list(found.keys))
        tap(table, rank)
        carried, after = carried + 1, table.now.state
        if chance.random() < 0.5:
            undone(table)
            assert table.now.state == now.state, rank
            press(table, "hold:UNDO")
            assert table.now.state == after, rank
    return carried


@given(st.integers(0, 2**32))
def test_a_tap_and_its_undo_and_redo_are_nothing(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    folder = tmp_path_factory.mktemp("state")
    with opened(folder) as (_, table):
        press(table, TO_THE_SHOW)
        assert at_random(table, Random(seed), 80)
        assert after_kill(folder).state == table.now.state
