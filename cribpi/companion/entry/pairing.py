"""A club night's pairing for this board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.rules.rules import preset

PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Pairing:
    """A game that the club's director has assigned to this board."""

    night: str
    """Name of the night: a date, or any other text."""
    round: int
    """Number of the round, from 1. Night and round identify the pairing."""
    games: int
    """Number of rounds of the night."""
    board: int
    """Number of the table."""
    players: tuple[str, ...]
    rules: str

    @property
    def names(self) -> str:
        return " - ".join(self.players)

    def game(self, entry: str) -> GameStarted:
        """Return the event that starts the game. It is in points mode if *entry* is, otherwise in cards mode.

        The computer never deals, because club games are played with real cards.
        """
        kept = Entry.PEG if entry == Entry.PEG else Entry.CARDS
        return GameStarted(self.players, preset(self.rules, PAIR), kept, night=self.night, round=self.round)
