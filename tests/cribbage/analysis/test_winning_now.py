"""The chance of winning in a game under way: the table's before a deal, moved by what all can see alone."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.games import referee_game
from support.referee import Referee
from support.worlds import another_world, open_cards

from cribpi.cribbage.analysis.winning import EVEN, chance, chances_now
from cribpi.cribbage.game.deal import Deal
from cribpi.cribbage.game.events import Entry, Event
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.rules.rules import STANDARD, preset
from cribpi.cribbage.rules.seats import Pegs

DEAL = (Phase.DEAL, Phase.STARTER, Phase.PLAY, Phase.SHOW, Phase.CRIB)
scores = st.integers(0, 120)


def at(phase: Phase, first: int, second: int, *, dealer: int = 0, played: int = 0, shown: int = 0) -> State:
    deal = replace(
        Deal.new(1, dealer, STANDARD), order=(0, 1) * (played // 2) + (0,) * (played % 2), shown=shown
    )
    return State(phase, STANDARD, names=("", ""), pegs=(Pegs(first), Pegs(second)), deal=deal)


def first_chance(state: State) -> float:
    found = chances_now(state)
    assert found is not None
    return found[0]


@given(scores, scores, st.integers(0, 1))
def test_before_a_deal_it_is_that_of_the_table(first: int, second: int, dealer: int) -> None:
    for phase in DEAL[:2]:
        expected = chance(first, second, is_dealer=dealer == 0)
        assert first_chance(at(phase, first, second, dealer=dealer)) == pytest.approx(expected, abs=2e-4)


@given(st.sampled_from(DEAL), scores, scores, st.integers(0, 8), st.integers(0, 1))
def test_it_is_a_chance_and_the_same_from_either_side(
    phase: Phase, first: int, second: int, played: int, shown: int
) -> None:
    mine = chances_now(at(phase, first, second, played=played, shown=shown))
    theirs = chances_now(at(phase, second, first, dealer=1, played=played, shown=shown))
    assert mine is not None
    assert theirs == pytest.approx(mine[::-1])
    assert sum(mine) == pytest.approx(1)
    assert min(mine) >= 0


@given(st.sampled_from(DEAL), st.integers(0, 119), scores, st.integers(0, 8), st.integers(0, 1))
def test_a_point_more_is_never_a_loss(phase: Phase, first: int, second: int, played: int, shown: int) -> None:
    fewer, more = (at(phase, score, second, played=played, shown=shown) for score in (first, first + 1))
    assert first_chance(more) >= first_chance(fewer) - 1e-4


def test_the_play_goes_over_from_before_it_to_after_it() -> None:
    course = [first_chance(at(Phase.PLAY, 100, 104, played=played)) for played in range(9)]
    assert len(set(course)) == 9
    assert course in (sorted(course), sorted(course, reverse=True)), "no step back"
    assert course[-1] == pytest.approx(first_chance(at(Phase.SHOW, 100, 104)))


def test_what_is_still_to_be_counted_counts() -> None:
    """At 115 each pone, who counts first, is nearly home, then the dealer; last is the crib."""
    before, after, crib = (
        first_chance(at(Phase.SHOW, 115, 115)),
        first_chance(at(Phase.SHOW, 115, 115, shown=1)),
        first_chance(at(Phase.CRIB, 115, 115, shown=2)),
    )
    assert before < crib < after


def test_it_is_even_before_the_cut_decided_at_the_end_and_unknown_elsewhere() -> None:
    cut = replace(at(Phase.CUT, 0, 0), deal=None)
    assert chances_now(cut) == (EVEN, EVEN)
    assert chances_now(replace(at(Phase.GAME_OVER, 121, 100), winner=0)) == (1.0, 0.0)
    assert chances_now(replace(at(Phase.GAME_OVER, 90, 121), winner=1)) == (0.0, 1.0)
    assert chances_now(NEW_TABLE) is None
    state = NEW_TABLE
    for expected in islice(referee_game(Random(1), 3, 61, suited=True), 30):
        state = step(state, expected.event)
        assert chances_now(state) is None


def test_with_four_it_is_that_of_both_pairs_and_follows_all_four_hands_and_the_crib() -> None:
    """At 115 each every hand may end it, so each that the other side is to show first is a danger."""

    def first(phase: Phase, *, dealer: int = 0, shown: int = 0) -> float:
        deal = replace(Deal.new(1, dealer, preset("standard", 4)), shown=shown)
        pegs = Pegs(115), Pegs(115)
        found = chances_now(State(phase, preset("standard", 4), names=("",) * 4, pegs=pegs, deal=deal))
        assert found is not None
        assert sum(found) == pytest.approx(1)
        return found[0]

    course = [first(Phase.SHOW, shown=shown) for shown in range(4)] + [first(Phase.CRIB, shown=4)]
    assert course[0] < course[2] < course[1] < course[4] < course[3], "the dealer's side is odd, and last"
    for seat in range(4):
        assert first(Phase.SHOW, dealer=seat) == pytest.approx(course[0] if seat % 2 == 0 else 1 - course[0])
    state = NEW_TABLE
    for expected in referee_game(Random(1), 4, 61, suited=True):
        state = step(state, expected.event)
        known = chances_now(state)
        assert known is not None
        assert min(known) >= 0
    assert sorted(chances_now(state) or ()) == [0.0, 1.0]


def test_no_closed_card_moves_it() -> None:
    chances, compared = Random(5), 0
    done = list[Event]()
    referee = Referee(preset("standard", 2), chances, entry=Entry.DEALT, levels=("", ""))
    for expected in islice(referee.game(), 100):
        done.append(expected.event)
        state = fold(done)
        if state.deal is not None and any(state.deal.dealt) and state.phase in {Phase.DEAL, Phase.STARTER}:
            other = fold(another_world(done, open_cards(state), chances))
            assert chances_now(other) == chances_now(state)
            compared += other != state
    assert compared > 8


def test_no_card_at_all_moves_it_but_by_its_points() -> None:
    """Whatever was played, turned up and shown: with the same scores in the same phase it is the same."""
    state = NEW_TABLE
    for expected in referee_game(Random(6), 2, 61, suited=True):
        state = step(state, expected.event)
        if state.deal is None or state.winner is not None:
            continue
        bare = replace(
            Deal.new(7, state.deal.dealer, STANDARD), order=state.deal.order, shown=state.deal.shown
        )
        assert chances_now(replace(state, deal=bare, outcomes=())) == chances_now(state)
