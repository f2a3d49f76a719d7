"""What a seat may do where the computer deals: just what `step` accepts."""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations
from random import Random

import pytest
from support.games import random_event

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import (
    Discarded,
    Entry,
    GameStarted,
)
from cribpi.cribbage.game.legal import legal
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, step
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.rules import changed, preset

NAMES = ("ANN", "BOB", "CAT", "DAN")


def is_legal(state: State, event: events.Event) -> bool:
    try:
        step(state, event)
    except RuleError:
        return False
    return True


@pytest.mark.parametrize("players", [2, 3, 4])
def test_what_is_legal_is_accepted_and_nothing_else_that_a_seat_could_decide(players: int) -> None:
    rules = changed(preset("standard", players), {"heels_deadline": "first-card", "miscount": "lost"})
    start = GameStarted(NAMES[:players], rules, Entry.DEALT, dealer=0)
    chance, state, seen = Random(players), step(NEW_TABLE, start), set[type[events.Event]]()
    for _ in range(600):
        for seat in range(players):
            can = legal(state, seat)
            seen |= set(map(type, can))
            some = chance.sample(PACK, 3) + list(state.deal.dealt[seat] if state.deal else ())
            discards = [Discarded(seat, cards) for size in (1, 2) for cards in permutations(some, size)]
            plays = [events.CardPlayed(seat, card) for card in dict.fromkeys(some)]
            heels = [events.HeelsTaken()] if state.deal and state.deal.dealer == seat else []
            tried: list[events.Event] = [*heels, *discards, *plays, events.GoSaid(seat)]
            accepted = [event for event in tried if is_legal(state, event)]
            assert {in_any_order(event) for event in accepted} == {in_any_order(event) for event in can}
        with suppress(RuleError):
            state = step(state, random_event(state, chance))
        if state.winner is not None:
            state = step(NEW_TABLE, start)
    assert seen == {events.HeelsTaken, Discarded, events.CardPlayed, events.GoSaid}


def in_any_order(event: events.Event) -> events.Event | frozenset[Card]:
    return frozenset(event.cards) if isinstance(event, Discarded) else event
