"""What each seat may do now, and for which seats the game waits, where the computer deals.

With real cards only the table sees the hands: there nobody is waited for, and only his heels are found.
"""

from __future__ import annotations

from itertools import combinations

from cribpi.cribbage.game.events import CardPlayed, Discarded, Entry, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State


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
        away = combinations(sight.hand, state.rules.sizes.discarded)
        return tuple(Discarded(seat, cards) for cards in away)
    plays = tuple(CardPlayed(seat, card) for card in sight.playable)
    return (*heels, *(plays or (GoSaid(seat),)))  # who can play must, so a go is for who cannot
