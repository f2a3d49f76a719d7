"""Whose decision it is, in a game that the machine deals: which seats the game waits for, persons and
machines.
"""

from __future__ import annotations

from cribpi.core.events import CardPlayed, CardsLaidAway, Entry, Event, GoSaid, HeelsTaken
from cribpi.core.state import Phase, State


def deciders(state: State) -> tuple[int, ...]:
    """Return the seats of which a card is wanted now, the first to be asked first.

    These are all that have not laid away yet, from the dealer's left, as they may do it in any order; in the
    play it is the seat whose turn it is.  There is none where the next step is nobody's choice, as with the
    deal, the starter and the show, and none in a game with cards of paper.
    """
    deal = state.deal
    if state.entry is not Entry.DEALT or deal is None or state.winner is not None:
        return ()
    if state.phase is Phase.DEAL:
        return tuple(seat for seat in deal.show_order if deal.dealt[seat] and not deal.laid_away[seat])
    return (deal.turn,) if state.phase is Phase.PLAY and deal.turn is not None else ()


def persons(state: State) -> tuple[int, ...]:
    """Return the seats in which persons sit."""
    return tuple(seat for seat in range(state.players) if not state.level(seat))


def next_person(state: State) -> int | None:
    """Return the person of whom a card is wanted next; None if of none."""
    return next((seat for seat in deciders(state) if not state.level(seat)), None)


def next_machine(state: State) -> int | None:
    """Return the machine's seat that acts next; None if none does.

    A dealer who is to take his heels himself does so before anything else.
    """
    deal = state.deal
    if deal is not None and deal.heels_open and state.winner is None and state.level(deal.dealer):
        return deal.dealer
    return next((seat for seat in deciders(state) if state.level(seat)), None)


def is_by_machine(state: State, event: Event) -> bool:
    """Tell whether *event*, of the game in which *state* stands, was a decision of a seat of the machine.

    The deal, the starter and the show are nobody's decision: whoever presses OK for them, they are none.
    """
    match event:
        case CardsLaidAway(seat) | CardPlayed(seat) | GoSaid(seat):
            return bool(state.level(seat))
        case HeelsTaken():
            return state.deal is not None and bool(state.level(state.deal.dealer))
        case _:
            return False
