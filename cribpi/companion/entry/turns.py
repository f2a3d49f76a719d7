"""Who acts next in a game that the computer deals: a person, or a computer's seat."""

from __future__ import annotations

from cribpi.cribbage.game.events import CardPlayed, Discarded, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.legal import deciders
from cribpi.cribbage.game.state import State


def persons(state: State) -> tuple[int, ...]:
    return tuple(seat for seat in range(state.players) if state.is_person(seat))


def next_person(state: State) -> int | None:
    """Return the first person who owes a card, if any."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the computer's seat that acts next, if any.

    A dealer who has to take his heels does so before anything else.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event*, in the game of *state*, was the decision of a computer's seat.

    Nobody decides the deal, the starter or the show, even if somebody presses OK for them.
    """
    match event:
        case Discarded(seat) | CardPlayed(seat) | GoSaid(seat):
            return not state.is_person(seat)
        case HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False
