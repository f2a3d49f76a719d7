"""Whose decision it is, where the computer deals: persons and computers, in the order in which they act."""

from __future__ import annotations

from random import Random

import pytest

from cribpi.companion.entry.hands import is_by_machine, next_machine, next_person, persons
from cribpi.cribbage.game import events
from cribpi.cribbage.game.cards import PACK, Card, Rank
from cribpi.cribbage.game.events import (
    Discarded,
    Entry,
    GameStarted,
    HandDealt,
    PackShuffled,
    StarterTurned,
)
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.rules.rules import preset

NAMES = ("ANN", "BOB", "CAT", "DAN")


def dealt(*levels: str, seed: int = 1, rules: str = "standard", dealer: int = 0) -> State:
    players = len(levels)
    start = GameStarted(NAMES[:players], preset(rules, players), Entry.DEALT, dealer, levels=levels)
    return fold([start, PackShuffled(tuple(Random(seed).sample(PACK, len(PACK))))])


def discard(state: State, seat: int) -> State:
    size = 2 if state.players == 2 else 1
    return step(state, Discarded(seat, sight_of(state, seat).hand[:size]))


def test_all_lay_away_in_any_order_the_dealers_left_asked_first() -> None:
    state = dealt("", "chance", "", "solid", dealer=1)
    assert deciders(state) == (2, 3, 0, 1)
    assert (persons(state), next_person(state), next_machine(state)) == ((0, 2), 2, 3)
    state = discard(discard(state, 3), 2)
    assert (deciders(state), next_person(state), next_machine(state)) == ((0, 1), 0, 1)


def test_the_starter_and_the_show_are_nobodys_decision() -> None:
    state = discard(discard(dealt("", "chance"), 0), 1)
    assert (deciders(state), next_person(state), next_machine(state)) == ((), None, None)


def test_in_the_play_it_is_the_one_whose_turn_it_is() -> None:
    state = discard(discard(dealt("", "chance"), 0), 1)
    assert state.deal is not None
    assert state.deal.to_turn is not None
    state = step(state, StarterTurned(state.deal.to_turn))
    assert (deciders(state), next_person(state), next_machine(state)) == ((1,), None, 1)
    state = step(state, events.CardPlayed(1, sight_of(state, 1).hand[0]))
    assert (deciders(state), next_person(state), next_machine(state)) == ((0,), 0, None)


@pytest.mark.parametrize("entry", [Entry.CARDS, Entry.PEG])
def test_with_real_cards_the_game_waits_for_nobody(entry: Entry) -> None:
    state = fold([GameStarted(("ANN", "BOB"), preset("standard", 2), entry, 0)])
    if entry is Entry.CARDS:
        state = step(state, HandDealt(0, PACK[:6]))
    assert (deciders(state), next_person(state), next_machine(state)) == ((), None, None)
    assert deciders(NEW_TABLE) == ()


def test_a_machine_that_deals_takes_two_for_his_heels_before_anything_else() -> None:
    seed = next(seed for seed in range(99) if is_jack(dealt("", "chance", seed=seed, rules="acc", dealer=1)))
    state = discard(discard(dealt("", "chance", seed=seed, rules="acc", dealer=1), 0), 1)
    assert state.deal is not None
    assert state.deal.to_turn is not None
    state = step(state, StarterTurned(state.deal.to_turn))
    assert (next_person(state), next_machine(state)) == (0, 1)
    taken = step(state, events.HeelsTaken())
    assert (taken.scores(), next_machine(taken)) == ((0, 2), None)
    assert is_by_machine(taken, events.HeelsTaken())


def is_jack(state: State) -> bool:
    turned = state.deal.to_turn if state.deal else None
    return turned is not None and turned.rank is Rank.JACK


def test_what_a_machine_has_done_is_told_from_what_a_person_did_and_from_what_nobody_chose() -> None:
    state = dealt("", "chance")
    card = Card.parse("7H")
    own = (
        Discarded(1, (card, card)),
        events.CardPlayed(1, card),
        events.GoSaid(1),
    )
    assert all(is_by_machine(state, event) for event in own)
    others = (
        Discarded(0, (card, card)),
        events.CardPlayed(0, card),
        events.GoSaid(0),
        events.HeelsTaken(),
        PackShuffled(PACK),
        StarterTurned(card),
        events.HandShown(1),
        events.CribShown(),
    )
    assert not any(is_by_machine(state, event) for event in others)
