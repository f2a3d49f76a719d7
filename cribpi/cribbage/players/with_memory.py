"""An opponent that has met the other before, and remembers how the other plays."""

from __future__ import annotations

from dataclasses import dataclass, replace

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.deal import PlayedDeal
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import Opponent


@dataclass(frozen=True, slots=True)
class WithMemory:
    """An *opponent* of two that sees the play of *past* games too, with the seats as they are in this one."""

    opponent: Opponent
    past: tuple[PlayedDeal, ...]

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self.opponent.discard(sight)

    def play(self, sight: SeatSight) -> Card:
        return self.opponent.play(replace(sight, past=(*self.past, *sight.past)))
