"""Muggins: what can be called for after a count, by whom, and what is left to call then."""

from __future__ import annotations

from dataclasses import replace

import pytest
from support.records import MISSED, after

from cribpi.core.errors import ImpossiblePoints, WrongSeat
from cribpi.core.events import MugginsCalled
from cribpi.core.game import step
from cribpi.core.options import changed
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
