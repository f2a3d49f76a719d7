"""The level `chance`: random legal choices."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.core import seats
from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.opponent import draws


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Knows the rules, and nothing else."""

    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return tuple(draws(self.seed, sight).sample(sight.hand, seats.cards_discarded(sight.players)))

    def play(self, sight: SeatSight) -> Card:
        return draws(self.seed, sight).choice(sight.playable)
