"""A game kept by points: what can be pegged in it, by the rules."""

from __future__ import annotations

import pytest
from support.records import after

from cribpi.core.errors import ImpossiblePoints
from cribpi.core.events import PointsPegged
from cribpi.core.game import step
from cribpi.core.rules import changed, preset
from cribpi.core.scores import Kind
from cribpi.core.steps.points import highest_play, play_points


def test_by_points_there_is_no_last_card_where_it_is_worth_nothing() -> None:
    rules = changed(preset("standard"), {"last_card": "none"})
    assert Kind.LAST not in play_points(rules)
    assert (highest_play(rules), highest_play(preset("standard"))) == (14, 15)
    state = after('game "A" "B" last_card=none entry=peg dealer=1', "next", "next")
    for event in (PointsPegged(0, 1, Kind.LAST), PointsPegged(0, 15)):
        with pytest.raises(ImpossiblePoints):
            step(state, event)
    assert step(state, PointsPegged(0, 14)).scores() == (14, 0)


def test_thirty_one_is_one_only_where_the_go_before_it_was_pegged_at_the_call() -> None:
    standard = preset("standard")
    assert play_points(standard)[Kind.THIRTY_ONE] == (2,)
    assert play_points(changed(standard, {"go_award": "call"}))[Kind.THIRTY_ONE] == (2, 1)


@pytest.mark.parametrize("points", [0, 1, 18, 20, 24, 28, 29])
def test_by_points_a_show_can_be_what_some_hand_counts(points: int) -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "next", "next", f"peg 0 {points}")
    assert state.scores() == (points, 0)


@pytest.mark.parametrize("points", [19, 25, 26, 27, 30])
def test_by_points_a_show_can_not_be_what_no_hand_counts(points: int) -> None:
    state = after('game "A" "B" entry=peg dealer=1', "next", "next", "next")
    with pytest.raises(ImpossiblePoints, match=f"no hand or crib counts {points}"):
        step(state, PointsPegged(0, points))
