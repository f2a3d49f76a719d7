"""The level `solid`: what hand and crib bring together, exactly, and the play some cards ahead."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.discards import ways_of
from cribpi.opponents.solid_pegging import solid_card


@dataclass(frozen=True, slots=True)
class Solid:
    """Takes every point that can be expected, and has no eye for the score."""

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return what leaves most in hand and crib, the crib added where it is its own side's, else taken
        off.
        """
        return ways_of(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        """Return the card that pegs most, less the reply, with what the cards left are worth."""
        return solid_card(sight)
