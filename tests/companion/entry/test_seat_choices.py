"""A seat's own view of a game that the computer deals: its hand and no other, and all that it can do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from support.presses import chance_event, choices, press, prompt

from cribpi.companion.entry.hands import open_hand
from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.keys import card_of
from cribpi.companion.entry.next_game import NextGame
from cribpi.cribbage.game.events import CardPlayed, Discarded, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.legal import deciders, legal
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.game.step import NEW_TABLE, step

GAMES = [(2, "standard"), (2, "lowe"), (3, "standard"), (4, "standard")]


def game(players: int, rules: str, seed: int) -> Iterator[State]:
    """Yield each state of a game in which every seat does at random what its own choices hold."""
    chance = Random(seed)
    setup = NextGame(players=players, target=61, entry="dealt", rules=rules, levels=("",) * players)
    state = step(NEW_TABLE, setup.event())
    while state.winner is None:
        yield state
        event = decision(state, chance)
        if event is None:  # the deal, the starter, the show: OK is all there is
            event = chance_event(state, press(state, InputState(), "OK"), chance.randrange(10_000))
        assert event is not None
        state = step(state, event)


def decision(state: State, chance: Random) -> Event | None:
    """Return what a seat does that is asked now, by presses of its own."""
    asked = list(deciders(state))
    if not asked:
        return None
    seat, input_state = chance.choice(asked), InputState()
    while True:
        keys = [
            choice.key
            for choice in choices(state, input_state, seat=seat)
            if choice.is_likely and choice.key != "FLNB"
        ]
        effect = press(state, input_state, "OK" if "OK" in keys else chance.choice(keys), seat=seat)
        if effect.event is not None:
            return effect.event
        input_state = effect.input_state
    raise AssertionError(f"seat {seat} came to no decision")


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_a_seat_is_offered_its_own_cards_and_all_that_it_can_play(players: int, rules: str) -> None:
    for state in game(players, rules, seed=players):
        if state.deal is None or state.phase not in {Phase.DEAL, Phase.PLAY} or not any(state.deal.dealt):
            continue
        for seat in range(players):
            offered = choices(state, InputState(), seat=seat)
            cards = {card for choice in offered if (card := card_of(choice.key)) and card.suit}
            assert cards <= set(sight_of(state, seat).hand)
            assert all(step(state, event) for event in legal(state, seat))
            if state.phase is Phase.PLAY and seat in deciders(state):
                playable: set[Event] = {CardPlayed(seat, card) for card in sight_of(state, seat).playable}
                assert set(legal(state, seat)) - {HeelsTaken()} == (playable or {GoSaid(seat)})
            elif seat not in deciders(state):
                assert not cards
                assert set(legal(state, seat)) <= {HeelsTaken()}


@pytest.mark.parametrize(("players", "rules"), GAMES)
def test_the_computers_hand_lies_open_for_nobody(players: int, rules: str) -> None:
    """A phone may ask for it all the same: it has had the seat in a game in which a person played it."""
    for state in game(players, rules, seed=players):
        against = replace(state, levels=("", "thrifty", "", "thrifty")[:players])
        for input_state in (InputState(), InputState(open_seat=1)):
            assert open_hand(against, input_state, 1) is None
            if state.deal is not None and state.phase in {Phase.DEAL, Phase.PLAY}:
                offered = choices(against, input_state, seat=1)
                assert not [choice for choice in offered if card_of(choice.key)]
                assert not [choice for choice in offered if isinstance(choice.effect.event, HeelsTaken)]
            assert open_hand(state, input_state, players) is None, "there is no such seat"


def test_two_discard_at_the_same_time_each_from_a_view_of_its_own() -> None:
    state = next(one for one in game(3, "standard", 5) if len(deciders(one)) == 3)
    for seat in (2, 0, 1):  # in an order that a shared screen does not offer
        assert open_hand(state, InputState(), seat) == seat
        assert prompt(state, InputState(), seat=seat).startswith("Choose one card for ")
        own = str(sight_of(state, seat).hand[0])
        input_state = press(state, InputState(), own, seat=seat).input_state
        event = press(state, input_state, "OK", seat=seat).event
        assert event == Discarded(seat, (sight_of(state, seat).hand[0],))
        state = step(state, event)
        assert not any(isinstance(move, Discarded | CardPlayed) for move in legal(state, seat))


def test_a_shared_screen_shows_nobodys_hand_until_it_is_opened() -> None:
    state = next(one for one in game(3, "standard", 5) if len(deciders(one)) == 3)
    assert not [choice for choice in choices(state, InputState()) if card_of(choice.key)]
    assert prompt(state, InputState()).startswith("Pass to ")
