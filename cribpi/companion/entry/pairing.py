"""Who meets whom at this board on a club's night, and which of those games have begun."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.cribbage.game.events import Entry, Event, GameStarted
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


@dataclass(frozen=True, slots=True)
class Begun:
    """A pairing whose game has begun."""

    night: str
    round: int
    depth: int
    """How many steps the journal had with that."""
    counts: bool = True
    """Whether it still does: not while it is undone."""


@dataclass(frozen=True, slots=True)
class Club:
    """What a club's desk has sent to this board."""

    pairing: Pairing | None = None
    begun: tuple[Begun, ...] = ()
    """The pairings of one night whose games have begun here; this alone is kept."""
    is_result_seen: bool = False
    """Whether OK was pressed at the result of the game that is over: only then is the next one offered."""
    page: str = ""
    """Where the night is in a browser, such as `192.168.1.20:8131`; empty until the desk tells."""

    @property
    def is_waiting(self) -> bool:
        """Whether the game of the pairing has still to begin."""
        if self.pairing is None:
            return False
        key = self.pairing.night, self.pairing.round
        return key not in {(one.night, one.round) for one in self.begun if one.counts}

    def at(self, depth: int) -> Club:
        """Return the club once an undo or a redo has left the journal *depth* steps."""
        begun = tuple(replace(one, counts=one.depth <= depth) for one in self.begun)
        return Club(self.pairing, begun, page=self.page)

    def started(self, event: Event) -> Event:
        """Return *event* with night and round, if it starts the game of the pairing.

        However it is started, a game of the same players by the same rules is that one.
        """
        pairing = self.pairing
        if pairing is None or not self.is_waiting or not isinstance(event, GameStarted):
            return event
        game = pairing.game(event.entry)
        if (event.names, event.rules) != (game.names, game.rules):
            return event
        return replace(event, night=game.night, round=game.round)

    def after(self, event: Event, depth: int) -> Club:
        """Return the club after *event*, by which the journal has *depth* steps: what was undone is gone."""
        begun = tuple(one for one in self.begun if one.counts)
        if isinstance(event, GameStarted) and event.night:
            of_the_night = (one for one in begun if one.night == event.night)
            begun = (*of_the_night, Begun(event.night, event.round, depth))
        return Club(self.pairing, begun, page=self.page)


NO_CLUB: Final = Club()
