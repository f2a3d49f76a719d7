"""Par: by who dealt and how often alone."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import referee_game

from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import step
from cribpi.cribbage.results.games import AVERAGE_DEAL, par_holes
from cribpi.cribbage.rules.rules import STANDARD, preset


def before(number: int, first: int = 0, target: int = 121, players: int = 2) -> State:
    """Return a game before deal *number*, from 1, in which the seat *first* dealt first."""
    dealer = (first + number - 1) % players
    rules = replace(STANDARD, target=target)
    return State(
        Phase.DEAL, rules, names=("",) * players, deal=Deal.new(number, dealer, preset("standard", players))
    )


@pytest.mark.parametrize(
    ("number", "holes", "why"),
    [
        (1, (None, None), "no deal is over, and nobody has left the start"),
        (2, (16, 10), "the first deal was the first seat's"),
        (3, (26, 26), "each has dealt once"),
        (4, (42, 36), "the first seat has dealt twice"),
        (9, (105, 105), "four deals each"),
        (10, (None, 115), "the first would have won with 121.3"),
        (11, (None, None), "both would have"),
    ],
)
def test_par_of_a_game_to_121(number: int, holes: tuple[int | None, int | None], why: str) -> None:
    assert par_holes(before(number)) == holes, why
    assert par_holes(before(number, first=1)) == holes[::-1], why


def test_there_is_no_par_for_three_and_four_players_and_before_the_deal_is_known() -> None:
    assert par_holes(before(4, players=3)) == par_holes(before(4, players=4)) == ()
    assert par_holes(replace(before(4), deal=None)) == ()
    assert par_holes(replace(before(4), rules=preset("five-card"))) == (), "the averages are of six cards"


@given(st.integers(1, 30), st.integers(0, 1), st.integers(31, 121))
def test_par_is_on_the_way_grows_and_adds_up(number: int, first: int, target: int) -> None:
    now, then = par_holes(before(number, first, target)), par_holes(before(number + 1, first, target))
    for hole, following in zip(now, then, strict=True):
        assert hole is None or 0 < hole < target
        assert hole is None or following is None or following > hole
    if None not in now:
        assert sum(hole or 0 for hole in now) == pytest.approx((number - 1) * sum(AVERAGE_DEAL), abs=1)


def test_nothing_of_a_deal_moves_par() -> None:
    """Neither cards nor points do: it is the same from the first event of a deal to its last."""
    found: dict[int, set[tuple[int | None, ...]]] = {}
    state = State()
    for expected in referee_game(Random(4), 2, 121, suited=True):
        state = step(state, expected.event)
        if state.deal is not None and state.winner is None:
            found.setdefault(state.deal.number, set()).add(par_holes(state))
    assert all(len(each) == 1 for each in found.values())
    assert len(set().union(*found.values())) == 10, "eight deals in which both are on the way, and two more"
