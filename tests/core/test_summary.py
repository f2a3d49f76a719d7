"""A summary takes apart what the engine pegged: nothing is lost in it, and nothing counted twice."""

from __future__ import annotations

from contextlib import suppress
from itertools import pairwise
from random import Random

import pytest
from support.games import random_event, random_start, referee_game

from cribpi.core.errors import RuleError
from cribpi.core.events import CribShown, Entry, Event, HandShown
from cribpi.core.game import NEW_TABLE, step
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


def test_the_deals_add_up_to_the_whole_and_the_dealer_takes_turns() -> None:
    for seed in range(4):
        chance = Random(seed)
        state = NEW_TABLE
        line: list[tuple[Event, State]] = []
        for expected in referee_game(chance, 2, 121, suited=True):
            state = step(state, expected.event)
            line.append((expected.event, state))
        found = summary(line, 2)
        for side in (0, 1):
            assert sum((deal.gains[side] for deal in found.deals), Gains()) == found.gains[side]
        assert all(one.dealer != other.dealer for one, other in pairwise(found.deals))
        assert len(found.deals) == len(found.course)
