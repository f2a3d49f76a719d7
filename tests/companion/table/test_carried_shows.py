"""A card that pegs the shows before it is one decision: one undo takes all back, one redo brings it again."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.presses import random_key
from support.sync_faults import after_kill
from support.tables import opened

from cribpi.companion.entry.ask import Press
from cribpi.companion.entry.carry import carry
from cribpi.companion.entry.desk import Undone
from cribpi.companion.table.snapshot import Snapshot
from cribpi.companion.table.table import Table
from cribpi.cribbage.game.state import Phase

TO_THE_SHOW = "OK OK P2 4 5 6 7 9 GO GO 8 K J 3"


def press(table: Table, keys: str) -> None:
    for key in keys.split():
        answer = table.do(Press(key))
        assert answer.is_accepted, (key, answer)


def tap(table: Table, rank: str) -> None:
    """Press what *rank* says as a page does."""
    for asked in tapped(table.now, rank):
        assert table.do(asked, if_seq=table.now.seq).is_accepted


def tapped(now: Snapshot, rank: str) -> list[Press]:
    found = carry(now.state, now.desk, now.pad)
    *before, last = found.keys[rank].presses if rank in found.keys else (rank,)
    if last != rank:  # a new count: OK comes behind the card
        return [Press(rank), Press(last)]
    return [*map(Press, before), Press(rank, len(found.shows))]


def undone(table: Table) -> str:
    press(table, "UNDO")
    dialog = table.now.desk.dialog
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
        assert table.now.desk.message == "The 5 in the crib again (with the counts of two hands)"
        tap(table, "Q")
        assert undone(table) == "The Q in the crib was taken back"
        undone(table)
        assert table.now.state == before
        tap(table, "6")  # the right card
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
        assert table.now.desk.message == "The starter again (with the count of BLUE's crib)"


def test_no_more_goes_back_than_the_shows_before_the_card(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        table.do(Press("OK", 9))  # it carries nothing: the last step is a card
        assert undone(table) == "The count of ORANGE's hand was taken back"


@pytest.mark.parametrize("fell", range(3))
def test_a_kill_between_the_presses_of_a_card_leaves_what_was_answered(tmp_path: Path, fell: int) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        for asked in tapped(table.now, "5")[:fell]:
            table.do(asked)
        seen = table.now
        assert after_kill(tmp_path) == seen
    with opened(tmp_path) as (_, table):
        tap(table, "5")
        assert table.now.state.phase is Phase.CRIB
        undone(table)
        assert table.now.state == seen.state  # an earlier press pegged the hand, and that one stays


def test_somebody_elses_undo_between_the_presses_stops_the_rest(tmp_path: Path) -> None:
    with opened(tmp_path) as (_, table):
        press(table, TO_THE_SHOW)
        first, *others = tapped(table.now, "5")
        seq = table.now.seq
        assert table.do(first, if_seq=seq).is_accepted
        assert table.do(Press("UNDO"), if_seq=seq + 1).is_accepted
        before = table.now.state
        for at, asked in enumerate(others, start=1):
            assert not table.do(asked, if_seq=seq + at).is_accepted
        assert table.now.state == before


def at_random(table: Table, chance: Random, presses: int) -> int:
    """Press so many keys and cards, and return how many cards have carried something.

    What was there before such a card is there after an undo, and what it led to after a redo.
    """
    carried = 0
    for _ in range(presses):
        now = table.now
        found = carry(now.state, now.desk, now.pad)
        if not found.keys or chance.random() < 0.3:
            key = random_key(now.state, now.desk, chance)
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
