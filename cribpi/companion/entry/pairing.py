"""A pairing of a club night at this board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from cribpi.cribbage.game.events import Entry, GameStarted
from cribpi.cribbage.rules.rules import preset

PAIR: Final = 2


@dataclass(frozen=True, slots=True)
class Pairing:
    """The game that a club's desk wants at this board."""

    night: str
    """What it is called: a date, or any other name."""
    round: int
    """From 1; with the night, it tells this pairing from all others."""
    games: int  # the rounds of the night
    board: int
    """The table's number."""
    players: tuple[str, ...]
    rules: str

    @property
    def names(self) -> str:
        return " - ".join(self.players)

    def game(self, entry: str) -> GameStarted:
        """Return its game, kept by points if *entry* is so; else by cards, as such games have real ones."""
        kept = Entry.PEG if entry == Entry.PEG else Entry.CARDS
        return GameStarted(self.players, preset(self.rules, PAIR), kept, night=self.night, round=self.round)
