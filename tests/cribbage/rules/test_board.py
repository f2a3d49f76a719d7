"""Pegs leapfrog, no further than the game hole; and where the skunk lines run."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cribpi.cribbage.rules.errors import BadSetup
from cribpi.cribbage.rules.rules import Rules
from cribpi.cribbage.rules.seats import Pegs

holes = st.integers(0, 121)


@given(st.builds(Pegs, holes, holes), st.integers(0, 29), st.sampled_from([61, 121]))
def test_pegs_leapfrog_and_stop_at_the_game_hole(pegs: Pegs, points: int, target: int) -> None:
    after = pegs.advance(points, target)
    if points == 0:
        assert after == pegs
    else:
        assert after == Pegs(min(pegs.front + points, target), pegs.front)


@given(st.builds(Pegs, holes, holes), holes)
def test_a_score_put_right_moves_the_front_peg_alone(pegs: Pegs, score: int) -> None:
    assert pegs.put_right(score) == Pegs(score, pegs.back)


@given(st.builds(Pegs, holes, holes), st.integers(max_value=-1))
def test_pegs_never_advance_backward(pegs: Pegs, points: int) -> None:
    with pytest.raises(ValueError, match="put_right"):
        pegs.advance(points, 121)


def test_the_skunk_lines_are_the_congress_ones() -> None:
    assert (Rules().skunk_below, Rules().double_skunk_below) == (91, 61), "90 is skunked, 91 is not"
    assert (Rules(target=61).skunk_below, Rules(target=61).double_skunk_below) == (31, 0)


@pytest.mark.parametrize("target", [0, 30, 122, -121, 1210])
def test_a_target_that_is_not_offered_is_refused_with_those_that_are(target: int) -> None:
    with pytest.raises(BadSetup, match="choose 121 or 61"):
        Rules(target=target)


@pytest.mark.parametrize("name", ["seven-card", "captain", "lowball", "auction", "jokers"])
def test_a_game_that_is_not_played_here_is_named_with_what_is(name: str) -> None:
    word = name.split("-", maxsplit=1)[0].rstrip("s")
    with pytest.raises(BadSetup, match=rf"(?i)\b{word}.* not played here.*Choose one of standard, "):
        Rules(name)


def test_rules_that_are_not_known_are_refused() -> None:
    with pytest.raises(
        BadSetup, match=r"^rules 'pagat' are not known: choose one of standard, computer-game, lowe"
    ):
        Rules("pagat")
