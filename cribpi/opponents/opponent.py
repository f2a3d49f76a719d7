"""The interface of an opponent: it discards and plays by what its seat sees."""

from __future__ import annotations

from typing import Protocol

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight


class Opponent(Protocol):
    """Whoever plays a machine's seat."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the cards of `sight.hand` that go to the crib: two of six, or one of five."""
        ...

    def play(self, sight: SeatSight) -> Card:
        """Return the card to play, one of `sight.playable`.  Called only if there is one."""
        ...


def may_discard(sight: SeatSight, cards: tuple[Card, ...]) -> bool:
    """Return whether *cards* are a legal discard: the right number, all different, all from the hand."""
    held = list(sight.hand)
    for card in cards:
        if card not in held:
            return False
        held.remove(card)
    return len(cards) == seats.cards_discarded(sight.players)
