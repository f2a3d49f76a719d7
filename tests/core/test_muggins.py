"""Muggins: what can be called for after a count, by whom, and what is left to call then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.records import MISSED, after

from cribpi.core.errors import ImpossiblePoints, WrongPhase, WrongSeat
from cribpi.core.events import MugginsCalled
from cribpi.core.game import step
from cribpi.core.options import changed
from cribpi.core.record import parse_event
from cribpi.core.state import State


def missed(state: State) -> tuple[int, int] | None:
    """Return how much muggins can be called for, at least and at most."""
    return (state.counted.least, state.counted.most) if state.counted is not None else None


def test_what_was_taken_at_once_is_not_called_for_again() -> None:
    suited = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED]
    state = after(*suited, "play 1:5", "show 0 counted=4")
    assert missed(state) == (0, 0), "two were missed, and BOB has them"
    with pytest.raises(ImpossiblePoints, match="missed nothing"):
        step(state, MugginsCalled(1, 0, 2))


def test_a_flush_that_the_table_alone_can_see_can_be_called_for() -> None:
    state = after(*MISSED, "play 1:5", "show 0 counted=6")
    assert missed(state) == (0, 5), "a flush of four, or of five"
    assert step(state, MugginsCalled(1, 0, 4)).scores()[1] == state.scores()[1] + 4


def test_by_points_no_more_can_be_missed_than_a_hand_has() -> None:
    state = after('game "A" "B" miscount=muggins entry=peg dealer=1', *["next"] * 3, "peg 0 20")
    assert missed(state) == (0, 9)
    with pytest.raises(ImpossiblePoints, match="no more than 9"):
        step(state, MugginsCalled(1, 0, 10))
    assert step(state, MugginsCalled(1, 0, 9)).scores() == (20, 9)


def test_what_was_missed_is_called_rightly_and_by_others() -> None:
    lines = [line.replace("0:3", "0:3C").replace("0:8", "0:8D") for line in MISSED[1:]]
    state = after('game "A" "B" miscount=lost dealer=1', *lines, "play 1:5", "show 0 counted=4")
    called = replace(state, rules=changed(state.rules, {"miscount": "muggins"}))
    assert missed(called) == (2, 2)
    with pytest.raises(WrongSeat, match="its own count"):
        step(called, MugginsCalled(0, 0, 2))
    with pytest.raises(ImpossiblePoints, match="the call is right"):
        step(called, MugginsCalled(1, 0, 2, is_right=False))
    assert step(called, MugginsCalled(1, 0, 2)).scores()[1] == state.scores()[1] + 2


THREE = 'game "A" "B" "C" dealer=0 miscount=muggins play_rounds=one'
EARLY = (
    "starter 2H",
    "play 1:JC 2:9C 0:JD 1:go 2:go 0:go",
    *(f"hand-card 1 {card}" for card in ("5D", "5S", "QH")),
)
"""The play has ended early, and it is B's show: ten, four fifteens and a pair."""
BY_POINTS = 'game "A" "B" "C" dealer=0 miscount=muggins entry=peg'
TO_THE_CRIB = ("next", "next", "next", "peg 1 8", "peg 2 8", "peg 0 8")
MORE_HANDS = (
    *("show 1 counted=10", *(f"hand-card 2 {card}" for card in ("3C", "4D", "7D")), "show 2 counted=7"),
    *(f"hand-card 0 {card}" for card in ("5C", "7S", "QS")),
)

CLOSES = [
    # up to a count that has missed something             what comes after it      why
    ((THREE, *EARLY, "show 1 counted=2"), "hand-card 2 3", "the next hand is turned up"),
    ((THREE, *EARLY, "show 1 counted=2"), "misdeal", "the count is retracted with its deal"),
    ((THREE, *EARLY, *MORE_HANDS, "show 0 counted=0"), "crib-card 3", "the crib is turned up"),
    ((BY_POINTS, *TO_THE_CRIB), "misdeal", "by points too"),
    ((BY_POINTS, *TO_THE_CRIB, "peg 0 8"), "next", "the next deal's starter is cut"),
]


@pytest.mark.parametrize(("lines", "then", "why"), CLOSES)
def test_muggins_is_called_before_the_game_goes_on(lines: tuple[str, ...], then: str, why: str) -> None:
    state = after(*lines)
    assert state.counted is not None
    caller = (state.counted.side + 1) % 3
    call = MugginsCalled(caller, state.counted.side, 2)
    assert step(state, call).scores()[caller] == state.scores()[caller] + 2
    gone_on = step(state, parse_event(then))
    assert gone_on.counted is None, why
    with pytest.raises(WrongPhase, match="and not later"):
        step(gone_on, call)


def test_a_second_call_knows_what_the_first_has_taken() -> None:
    state = after(THREE, *EARLY, "show 1 counted=2", "muggins 2 1 5")
    assert missed(state) == (3, 3)
    with pytest.raises(ImpossiblePoints, match="missed no more than 3"):
        step(state, MugginsCalled(0, 1, 4))
    with pytest.raises(ImpossiblePoints, match="3 were missed: the call is right"):
        step(state, MugginsCalled(0, 1, 3, is_right=False))
    assert step(state, MugginsCalled(0, 1, 3)).scores() == (1 + 3, 2, 5)


def test_all_that_was_pegged_and_called_for_a_hand_is_what_a_hand_can_count() -> None:
    state = after(BY_POINTS, "next", "next", "next", "peg 1 20", "muggins 2 1 1")
    assert missed(state) == (0, 8)
    for points in (4, 5, 6):
        with pytest.raises(ImpossiblePoints, match=f"21 and {points} is {21 + points}: no hand counts that"):
            step(state, MugginsCalled(0, 1, points))
    assert step(state, MugginsCalled(0, 1, 3)).scores() == (3, 20, 1)
