"""The level `solid`: hand and crib together, exactly, and a play that looks some cards ahead."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.discards import ways_of
from cribpi.opponents.solid_pegging import solid_card


@dataclass(frozen=True, slots=True)
class Solid:
    """Maximizes expected points, and ignores the score."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return the best discard by hand plus its own side's crib, or minus the other side's."""
        return ways_of(sight)[0].away

    def play(self, sight: SeatSight) -> Card:
        return solid_card(sight)
