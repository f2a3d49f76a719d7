"""The level `chance`: random legal choices."""

from __future__ import annotations

from dataclasses import dataclass

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import draws
from cribpi.cribbage.rules import seats


@dataclass(frozen=True, slots=True)
class RandomPlayer:
    """Knows the rules, and nothing else."""

    seed: int

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return tuple(draws(self.seed, sight).sample(sight.hand, seats.cards_discarded(sight.players)))

    def play(self, sight: SeatSight) -> Card:
        return draws(self.seed, sight).choice(sight.playable)
