"""A summary takes apart what the engine pegged: nothing is lost in it, and nothing counted twice."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest
from support.games import random_event, random_start

from cribpi.core.cards import Rank
from cribpi.core.errors import RuleError
from cribpi.core.events import (
    CardsLaidAway,
    CribShown,
    Entry,
    Event,
    HandShown,
    PackShuffled,
    PointsPegged,
    StarterTurned,
)
from cribpi.core.game import NEW_TABLE, step
from cribpi.core.scores import Kind
from cribpi.core.state import State
from cribpi.core.summary import Gains, summary

STEPS = 3000  # of a game; one by cards has some 250


def game(seed: int, entry: Entry, players: int) -> list[tuple[Event, State]]:
    """Play a random game, corrections and all, until it is won."""
    chance = Random(seed)
    start = random_start(chance, players, entry=entry)
    line: list[tuple[Event, State]] = [(start, step(NEW_TABLE, start))]
    for _ in range(STEPS):
        if line[-1][1].winner is not None:
            return line
        event = random_event(line[-1][1], chance)
        with suppress(RuleError):  # some of what chance asks for is refused
            line.append((event, step(line[-1][1], event)))
    raise AssertionError(f"seed {seed}: no end after {STEPS} steps")


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("entry", list(Entry))
def test_what_each_side_got_adds_up_to_its_score(entry: Entry, players: int) -> None:
    for seed in range(4):
        line = game(seed, entry, players)
        end = line[-1][1]
        found = summary(line, end.sides)
        assert [gains.total for gains in found.gains] == list(end.scores())
        assert found.course[-1] == end.scores()
        assert sum(lead > 0 for lead in found.leads) >= 1
        best = max((show.points for show in found.shows), default=None)
        assert (found.best.points if found.best else None) == best


def test_every_show_is_listed_with_its_cards() -> None:
    line = game(5, Entry.DEALT, 2)
    found = summary(line, 2)
    steps = pairwise(line)
    shown = [(old, new) for (_, old), (event, new) in steps if isinstance(event, HandShown | CribShown)]
    assert len(found.shows) == len(shown)
    for show, (before, after) in zip(found.shows, shown, strict=True):
        assert before.deal is not None
        assert show.starter == before.deal.starter
        assert len(show.cards) == 4
        assert after.last is not None
        assert show.points == after.last.points


def total(gains: Gains) -> int:
    return gains.pegging + gains.hands + gains.cribs + gains.heels + gains.other


def test_his_heels_a_lead_and_a_crib_are_told_for_what_they_are() -> None:
    heels = 0
    for seed in range(30):
        line = game(seed, Entry.DEALT, 2)
        found = summary(line, 2)
        turned = [event.card.rank for event, _ in line if isinstance(event, StarterTurned)]
        jacks = turned.count(Rank.JACK)
        heels += jacks
        if not any(gains.other for gains in found.gains):
            assert sum(gains.heels for gains in found.gains) in {2 * jacks, 2 * jacks - 1}
        fronts = [state.scores() for _, state in line if state.pegs]
        assert found.leads == tuple(
            max(max(one[side] - one[1 - side], 0) for one in fronts) for side in (0, 1)
        )
        cribs = [show for show in found.shows if show.is_crib]
        assert [sorted(card.rank for card in crib.cards) for crib in cribs] == discarded(line)[: len(cribs)]
    assert heels


@pytest.mark.parametrize("players", [2, 3])
def test_by_points_heels_are_told_by_their_kind_and_a_lead_is_over_all_others(players: int) -> None:
    heels = 0
    for seed in range(20):
        line = game(seed, Entry.PEG, players)
        found = summary(line, players)
        fronts = [state.scores() for _, state in line if state.pegs]
        others = range(players)
        assert found.leads == tuple(
            max(max(0, one[side] - max(one[other] for other in others if other != side)) for one in fronts)
            for side in others
        )
        if any(gains.other for gains in found.gains):
            continue
        pegged = [
            after.scores()[event.side] - before.scores()[event.side]
            for (_, before), (event, after) in pairwise(line)
            if isinstance(event, PointsPegged) and event.kind is Kind.HEELS
        ]
        heels += len(pegged)
        assert sum(gains.heels for gains in found.gains) >= sum(pegged)
    assert heels or players == 3


def discarded(line: list[tuple[Event, State]]) -> list[list[int]]:
    """The ranks that two players sent to each crib that was shown."""
    cribs: list[list[int]] = []
    sent: list[int] = []
    for event, _ in line:
        match event:
            case PackShuffled():
                sent = []
            case CardsLaidAway(cards=cards):
                sent += [card.rank for card in cards]
            case CribShown():
                cribs.append(sorted(sent))
    return cribs
