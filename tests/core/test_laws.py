"""Laws that hold at every table, whatever happens there."""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import games

from cribpi.core import events
from cribpi.core.errors import RuleError
from cribpi.core.events import Entry, Event
from cribpi.core.game import NEW_TABLE, fold, step
from cribpi.core.record import parse, parse_event, print_event, print_record
from cribpi.core.scores import total
from cribpi.core.state import Phase, State
from cribpi.core.tell import call, tell

LEADS_TO: Final[dict[type, dict[Phase, set[Phase]]]] = {
    events.CardCut: {Phase.CUT: {Phase.CUT, Phase.DEAL}},
    events.DealerChosen: {Phase.CUT: {Phase.DEAL}},
    events.HandDealt: {Phase.DEAL: {Phase.DEAL}},
    events.CardsLaidAway: {Phase.DEAL: {Phase.DEAL, Phase.STARTER}},
    events.StarterTurned: {Phase.DEAL: {Phase.PLAY}, Phase.STARTER: {Phase.PLAY}},
    events.CardPlayed: {Phase.PLAY: {Phase.PLAY, Phase.SHOW}},
    events.GoSaid: {Phase.PLAY: {Phase.PLAY}},
    events.NewCountLed: {Phase.PLAY: {Phase.PLAY, Phase.SHOW}},
    events.HandShown: {Phase.SHOW: {Phase.SHOW, Phase.CRIB}},
    events.CribCardTurned: {Phase.CRIB: {Phase.CRIB}},
    events.CribShown: {Phase.CRIB: {Phase.DEAL}},
    events.PointsPegged: {
        Phase.STARTER: {Phase.PLAY},
        Phase.PLAY: {Phase.PLAY},
        Phase.SHOW: {Phase.SHOW, Phase.CRIB},
        Phase.CRIB: {Phase.DEAL},
    },
    events.HandCounted: {Phase.SHOW: {Phase.SHOW, Phase.CRIB}, Phase.CRIB: {Phase.DEAL}},
    events.StepPassed: {
        Phase.DEAL: {Phase.STARTER},
        Phase.STARTER: {Phase.PLAY},
        Phase.PLAY: {Phase.SHOW},
        Phase.SHOW: {Phase.SHOW, Phase.CRIB},
        Phase.CRIB: {Phase.DEAL},
    },
}
"""Each event, the phases that take it, and where it leads; a win leads to game over from anywhere.
Names, penalties and scores put right leave the phase as it is."""

SCORING: Final = (
    events.StarterTurned
    | events.CardPlayed
    | events.GoSaid
    | events.NewCountLed
    | events.HandShown
    | events.CribShown
    | events.PointsPegged
    | events.HandCounted
)
"""The only events that peg; corrections move pegs too."""


def check_move(before: State, event: Event, after: State) -> None:
    """Check all that must be so when *event* led from *before* to *after*."""
    _check_phase(before, event, after)
    _check_pegs(before, event, after)
    _check_winner(before, after)
    _check_deal(after)
    assert before.rules == after.rules
    assert before.entry == after.entry
    assert hash(after) == hash(after), "nothing in it can change"
    assert tell(event, after)
    assert all(call(outcome) for outcome in after.outcomes)


def _check_phase(before: State, event: Event, after: State) -> None:
    if after.winner is not None:
        assert after.phase is Phase.GAME_OVER
        if before.winner is not None:
            assert isinstance(event, events.SeatsNamed)
    elif type(event) in LEADS_TO:
        assert after.phase in LEADS_TO[type(event)][before.phase]
    else:
        assert after.phase is before.phase


def _check_pegs(before: State, event: Event, after: State) -> None:
    fresh = () if after.outcomes is before.outcomes else after.outcomes
    assert all(outcome.event is event for outcome in fresh)
    target = after.rules.target
    for side in range(after.sides):
        points = sum(outcome.points for outcome in fresh if outcome.side == side)
        assert after.pegs[side].front == min(before.pegs[side].front + points, target)
        assert 0 <= after.pegs[side].front <= target
        if after.pegs[side] != before.pegs[side]:
            correction = isinstance(event, events.PenaltyPegged | events.ScorePutRight)
            assert correction or isinstance(event, SCORING)
            if correction:
                assert after.pegs[side].back == before.pegs[side].back
            else:
                assert after.pegs[side].front > after.pegs[side].back >= before.pegs[side].front
    for outcome in fresh:
        if outcome.scores:
            assert outcome.points == total(outcome.scores)
            assert all(score.points > 0 for score in outcome.scores)
        if not isinstance(event, events.PointsPegged | events.PenaltyPegged | events.ScorePutRight):
            assert bool(outcome.points) == bool(outcome.scores), "points say what they are for"


def _check_winner(before: State, after: State) -> None:
    there = [side for side, pegs in enumerate(after.pegs) if pegs.front == after.rules.target]
    assert there == ([] if after.winner is None else [after.winner])
    won = 1 if after.winner is not None and before.winner is None else 0
    assert sum(after.games) == sum(before.games) + won


def _check_deal(after: State) -> None:
    deal = after.deal
    assert (deal is None) <= (after.phase in {Phase.CUT, Phase.GAME_OVER})
    if deal is None:
        return
    playing = after.phase is Phase.PLAY and after.entry is Entry.CARDS
    assert (deal.turn is not None) == playing
    assert deal.count <= 31
    assert all(len(played) <= 4 for played in deal.played)
    assert len(deal.crib) <= 4
    assert 0 <= deal.shown <= after.players
    if playing:
        assert deal.turn is not None
        assert deal.cards_left(deal.turn)
        assert deal.turn not in deal.out
        assert deal.count < 31, "thirty-one closes the count by itself"
    if after.phase in {Phase.SHOW, Phase.CRIB} and after.entry is Entry.CARDS:
        assert [len(played) for played in deal.played] == [4] * after.players
        assert not deal.pile
    if after.phase is Phase.SHOW:
        assert deal.shower == (deal.dealer + 1 + deal.shown) % after.players, "pone first, the dealer last"
    if after.phase is Phase.CRIB:
        assert deal.shower == deal.dealer


def check_sentence(refused: RuleError) -> None:
    """Check that a refusal is a sentence, as far as a machine can tell."""
    text = str(refused)
    assert len(text.split()) > 3
    assert not text.endswith((".", "!"))


def walk(chance: Random, players: int, entry: Entry, length: int) -> list[Event]:
    """Let random things happen, mostly legal ones; return the events that were, each checked."""
    start = games.random_start(chance, players, entry)
    state = fold([start])
    done: list[Event] = [start]
    for _ in range(length):
        event = games.random_event(state, chance)
        try:
            after = step(state, event)
        except RuleError as refused:
            check_sentence(refused)
            continue
        check_move(state, event, after)
        done.append(event)
        state = after
        if state.winner is not None:
            for late in (games.random_event(state, chance), games.wild_event(chance)):
                if not isinstance(late, events.SeatsNamed):
                    with pytest.raises(RuleError):
                        step(state, late)
            break
    return done


tables = (st.integers(0, 2**32), st.sampled_from([2, 3, 4]), st.sampled_from(Entry))


@settings(max_examples=120)
@given(*tables)
def test_whatever_happens_at_a_table_the_laws_hold(seed: int, players: int, entry: Entry) -> None:
    assert len(walk(Random(seed), players, entry, 150)) > 1


@pytest.mark.prove
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("entry", Entry)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whatever_happens_at_a_thousand_tables_the_laws_hold(players: int, entry: Entry) -> None:
    finished = 0
    for seed in range(1000):
        done = walk(Random(seed), players, entry, 400)
        finished += fold(done).winner is not None
    assert finished > 100, "many were played to the end"


@pytest.mark.parametrize("entry", Entry)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_random_tables_come_to_every_phase(players: int, entry: Entry) -> None:
    seen: set[Phase] = set()
    for seed in range(20):
        done = walk(Random(seed), players, entry, 250)
        seen |= {state.phase for state in accumulate(done, step, initial=NEW_TABLE)}
    assert seen >= set(Phase) - {Phase.STARTER}


@settings(max_examples=300)
@given(st.lists(games.any_event, max_size=12))
def test_any_events_at_all_raise_a_rule_error_or_obey_the_laws(some: list[Event]) -> None:
    state = fold([events.GameStarted(("A", "B"), dealer=0)])
    for event in some:
        try:
            after = step(state, event)
        except RuleError:
            continue
        if not isinstance(event, events.GameStarted):
            check_move(state, event, after)
        state = after


@given(games.any_event)
def test_before_a_game_only_a_game_can_begin(event: Event) -> None:
    try:
        after = step(NEW_TABLE, event)
    except RuleError:
        return
    assert isinstance(event, events.GameStarted)
    assert after.phase in {Phase.CUT, Phase.DEAL}
    assert not any(after.scores())


@settings(max_examples=60)
@given(*tables)
def test_a_record_of_a_table_reads_back_as_the_same_events(seed: int, players: int, entry: Entry) -> None:
    done = tuple(walk(Random(seed), players, entry, 120))
    text = print_record(done)
    assert parse(text) == done
    assert print_record(parse(text)) == text
    assert fold(done) == fold(parse_event(print_event(event)) for event in done)
