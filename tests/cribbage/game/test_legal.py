"""What a seat may do where the computer deals: just what `step` accepts."""

from __future__ import annotations

from contextlib import suppress
from itertools import permutations
from random import Random

import pytest
from support.games import random_event
from support.records import after

from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card
from cribpi.cribbage.game.events import (
    Discarded,
    Entry,
    GameStarted,
)
from cribpi.cribbage.game.legal import deciders, legal
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


def in_any_order(event: events.Event) -> events.Event | tuple[int, frozenset[Card]]:
    return (event.seat, frozenset(event.cards)) if isinstance(event, Discarded) else event


# --- for whom the game waits ----------------------------------------------------------------------------

TOP = "10C KC 10D KD 9C QC 5C 6D AC AH AD AS JH"
"""The upper cards of a pack: pone's, as B, and the dealer's by turns, and a jack as the starter."""
SHUFFLED = f"pack {' '.join([*TOP.split(), *(card for card in map(str, PACK) if card not in TOP.split())])}"
BY_MACHINE = ('game "A" "B" rules=acc entry=dealt dealer=0', SHUFFLED)
TURNED = (*BY_MACHINE, "laid-away 1 AC AD", "laid-away 0 AH AS", "starter JH")
PLAYED = (*TURNED, "play 1:10C 0:KC 1:9C 0:go 1:go 0:KD 1:10D 0:QC 1:go 0:go 1:5C 0:6D")
ENTERED = ('game "A" "B" dealer=0', "dealt 1 10C 10D 9C 5C AC AD", "laid-away 1 AC AD", "starter JH")

ASKED = [
    # up to                                   who owes a card, and why
    (('game "A" "B" entry=dealt',), (), "nobody deals yet"),
    (BY_MACHINE[:1], (), "no card is dealt"),
    (BY_MACHINE, (1, 0), "all discard, in any order, and pone is asked first"),
    (TURNED[:3], (0,), "who has discarded is not asked again"),
    (TURNED[:4], (), "the starter is nobody's to choose"),
    (TURNED, (1,), "pone leads"),
    (PLAYED, (), "a hand is shown as it is"),
    ((*TURNED, "penalty 0 +121"), (), "the game is over"),
    (ENTERED, (), "with real cards nobody waits for a seat, even one whose hand is known"),
]


@pytest.mark.parametrize(("lines", "seats", "why"), ASKED)
def test_who_owes_a_card_is_asked_for_it(lines: tuple[str, ...], seats: tuple[int, ...], why: str) -> None:
    state = after(*lines)
    assert deciders(state) == seats, why
    assert tuple(seat for seat in (1, 0) if any(map(is_owed, legal(state, seat)))) == seats, why


def is_owed(event: events.Event) -> bool:
    return not isinstance(event, events.HeelsTaken)


def test_the_dealer_may_take_his_heels_as_long_as_nobody_has_won() -> None:
    assert legal(after(*TURNED), 0) == (events.HeelsTaken(),)
    assert legal(after(*TURNED, "penalty 1 +121"), 0) == ()
