"""Whose decision it is in a game that the computer deals: the seats, people and computers, it waits for."""

from __future__ import annotations

from cribpi.cribbage.game.events import CardPlayed, Discarded, Entry, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State


def deciders(state: State) -> tuple[int, ...]:
    """Return the seats that owe a card now, the first to be asked first.

    Before the starter these are all that have not discarded, from the dealer's left, as the order is free; in
    the play it is the seat whose turn it is.  Empty if the next step is nobody's choice, as with the deal,
    the starter and the show, and in a game with real cards.
    """
    deal = state.deal
    if state.entry is not Entry.DEALT or deal is None or state.winner is not None:
        return ()
    if state.phase is Phase.DEAL:
        return tuple(seat for seat in deal.show_order if deal.dealt[seat] and not deal.discards[seat])
    return (deal.turn,) if state.phase is Phase.PLAY and deal.turn is not None else ()


def persons(state: State) -> tuple[int, ...]:
    """Return the seats of persons."""
    return tuple(seat for seat in range(state.players) if state.is_person(seat))


def next_person(state: State) -> int | None:
    """Return the next person who owes a card, if any."""
    return next((seat for seat in deciders(state) if state.is_person(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the machine's seat that acts next, if any.

    A dealer who has to take his heels does so before anything else.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and not state.is_person(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if not state.is_person(seat)), None)


def moves(state: State, seat: int) -> tuple[Event, ...]:
    """Return every single event by which *seat* can go on now; none while it has to choose its discard."""
    deal = state.deal
    if deal is None or state.winner is not None:
        return ()
    heels = (HeelsTaken(),) if deal.heels_open and seat == deal.dealer else ()
    if state.phase is not Phase.PLAY or seat not in deciders(state):
        return heels
    plays = tuple(CardPlayed(seat, card) for card in sight_of(state, seat).playable)
    return (*heels, *(plays or (GoSaid(seat),)))


def is_by_machine(state: State, event: Event) -> bool:
    """Return whether *event*, in the game of *state*, was the decision of a machine's seat.

    The deal, the starter and the show are nobody's decision, whoever presses OK for them.
    """
    match event:
        case Discarded(seat) | CardPlayed(seat) | GoSaid(seat):
            return not state.is_person(seat)
        case HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False
