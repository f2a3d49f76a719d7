"""The level `chance`: anything legal, by chance alone."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight


@dataclass(frozen=True, slots=True)
class Chance:
    """Knows the rules, and nothing else."""

    chance: Random

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return any cards of the hand, so many as are laid away."""
        return tuple(self.chance.sample(sight.hand, seats.cards_laid_away(sight.players)))

    def play(self, sight: SeatSight) -> Card:
        """Return any playable card."""
        return self.chance.choice(sight.playable)
