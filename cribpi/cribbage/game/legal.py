"""The legal decisions of each seat, and the seats that must decide.

Only a game dealt by the computer has them. With real cards, only the players see the hands, so taking his
heels is the only decision.
"""

from __future__ import annotations

from itertools import combinations

from cribpi.cribbage.game.events import CardPlayed, Discarded, Entry, Event, GoSaid, HeelsTaken
from cribpi.cribbage.game.sight import sight_of
from cribpi.cribbage.game.state import Phase, State


def deciders(state: State) -> tuple[int, ...]:
    """Return the seats that must discard or play now.

    While discarding, these are all seats that have not discarded, starting at the dealer's left. They can
    discard in any order. The deal, the starter and the show need no decision.
    """
    deal = state.deal
    if state.entry is not Entry.DEALT or deal is None or state.winner is not None:
        return ()
    if state.phase is Phase.DEAL:
        return tuple(seat for seat in deal.show_order if deal.dealt[seat] and not deal.discards[seat])
    return (deal.turn,) if state.phase is Phase.PLAY and deal.turn is not None else ()


def legal(state: State, seat: int) -> tuple[Event, ...]:
    """Return all legal decisions of *seat*. His heels, if open, come first.

    `step` accepts no other decision of that seat, except for a discard with its cards in another order.
    """
    deal = state.deal
    if deal is None or state.winner is not None:
        return ()
    heels = (HeelsTaken(),) if deal.heels_open and seat == deal.dealer else ()
    if seat not in deciders(state):
        return heels
    sight = sight_of(state, seat)
    if state.phase is Phase.DEAL:
        discards = combinations(sight.hand, state.rules.sizes.discarded)
        return tuple(Discarded(seat, cards) for cards in discards)
    plays = tuple(CardPlayed(seat, card) for card in sight.playable)
    return (*heels, *(plays or (GoSaid(seat),)))  # go is legal only if no card can be played
