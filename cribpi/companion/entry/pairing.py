"""A pairing of a club night at this board."""

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
    """The name of the night: a date, or any other text."""
    round: int
    """From 1; together with the night, it identifies the pairing."""
    games: int
    """The number of rounds in the night."""
    board: int
    """The table's number."""
    players: tuple[str, ...]
    rules: str

    @property
    def names(self) -> str:
        return " - ".join(self.players)

    def game(self, entry: str) -> GameStarted:
        """Return the event that starts the game: in points mode if *entry* is, otherwise in cards mode.

        The computer never deals it, because club games are played with real cards.
        """
        kept = Entry.PEG if entry == Entry.PEG else Entry.CARDS
        return GameStarted(self.players, preset(self.rules, PAIR), kept, night=self.night, round=self.round)
