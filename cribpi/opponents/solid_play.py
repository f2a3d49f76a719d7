"""The play of `solid`: what a card pegs, less the reply to be feared, and what the cards left are worth."""

from __future__ import annotations

from cribpi.analysis.playing_seen import counted, position
from cribpi.analysis.playing_tables import policy
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight


def solid_card(sight: SeatSight) -> Card:
    """Return the card to play: the best by `playing_policy.Policy`, at the same worth the lowest.

    The reply is an exact expectation over the cards that *sight* does not show, the next player's goes taken
    into account.  What is left is worth what it was on the average of millions of deals.

    Raises:
        ValueError: If no card of the hand fits.
    """
    cards = sorted(sight.playable, key=lambda card: card.rank)
    if not cards:
        raise ValueError("no card can be played: say go")
    if cards[0].rank == cards[-1].rank:
        return cards[0]
    deals = position(sight)
    values = policy(sight.rules).values(deals, counted(tuple(card.rank - 1 for card in sight.laid_away)))
    rank = int(deals.hold()[0, values[0].argmax()])
    return next(card for card in cards if card.rank - 1 == rank)
