"""What each seat may do now, and for whose decision the game waits, in a game that the computer deals.

With real cards only the table sees the hands: there nobody is waited for, and only his heels are found.
"""

from __future__ import annotations

from itertools import combinations

from cribpi.cribbage.game.events import CardPlayed, Discarded, Entry, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State
from cribpi.cribbage.rules import seats


def deciders(state: State) -> tuple[int, ...]:
    """Return the seats that owe a card now, the first to be asked first.

    Before the starter these are all that have not discarded, from the dealer's left: the order is free.
    Nobody decides about the deal, the starter and the show.
    """
    deal = state.deal
    if state.entry is not Entry.DEALT or deal is None or state.winner is not None:
        return ()
    if state.phase is Phase.DEAL:
        return tuple(seat for seat in deal.show_order if deal.dealt[seat] and not deal.discards[seat])
    return (deal.turn,) if state.phase is Phase.PLAY and deal.turn is not None else ()


def legal(state: State, seat: int) -> tuple[Event, ...]:
    """Return every event by which *seat* may decide something now, his heels first.

    `step` accepts these and no other decision of that seat, but for the order of the cards of a discard.
    """
    deal = state.deal
    if deal is None or state.winner is not None:
        return ()
    heels = (HeelsTaken(),) if deal.heels_open and seat == deal.dealer else ()
    if seat not in deciders(state):
        return heels
    sight = sight_of(state, seat)
    if state.phase is Phase.DEAL:
        away = combinations(sight.hand, seats.cards_discarded(state.players))
        return tuple(Discarded(seat, cards) for cards in away)
    plays = tuple(CardPlayed(seat, card) for card in sight.playable)
    return (*heels, *(plays or (GoSaid(seat),)))  # who can play must, so a go is for who cannot


def moves(state: State, seat: int) -> tuple[Event, ...]:
    """Return `legal` without discards, which a seat always has to think about."""
    return tuple(event for event in legal(state, seat) if not isinstance(event, Discarded))


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

    The deal, the starter and the show are nobody's decision, whoever presses OK for them.
    """
    match event:
        case Discarded(seat) | CardPlayed(seat) | GoSaid(seat):
            return not state.is_person(seat)
        case HeelsTaken():
            return state.deal is not None and not state.is_person(state.deal.dealer)
        case _:
            return False
