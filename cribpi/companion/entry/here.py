"""Phones and pairings as last reported; they are reported again after a restart, not saved."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phones
from cribpi.cribbage.game.events import Event, GameStarted


@dataclass(frozen=True, slots=True)
class Begun:
    """A pairing whose game has begun."""

    night: str
    round: int
    depth: int
    """The number of steps in the journal, including the start of that game."""


@dataclass(frozen=True, slots=True)
class Here:
    phones: Phones | None = NO_PHONES
    """The phones at this table, stored in the phone registry; None on a phone's desk, which lists none."""
    away: tuple[int, ...] = ()
    """The seats whose players hold their cards on a phone; this desk never shows their hands."""
    pairing: Pairing | None = None
    """The game that the club's director has assigned to this board."""
    begun: tuple[Begun, ...] = ()
    """The pairings of the latest night whose games have started here and are not undone."""
    is_result_seen: bool = False
    """Whether OK was pressed at the result of the finished game, so that the next one can be offered."""
    club_page: str = ""
    """Web address of the club night, such as `192.168.1.20:8131`; empty until the club sends it."""

    @property
    def is_waiting(self) -> bool:
        """Whether the game of the pairing has not started yet."""
        if self.pairing is None:
            return False
        return (self.pairing.night, self.pairing.round) not in {(one.night, one.round) for one in self.begun}

    def at(self, depth: int) -> Here:
        """Return the reports after an undo that left *depth* steps."""
        begun = tuple(one for one in self.begun if one.depth <= depth)
        return replace(self, begun=begun, is_result_seen=False)

    def started(self, event: Event) -> Event:
        """Return *event*, with the night and round added if it starts the game of the pairing.

        Any game with the same players and rules counts as that game, however it is started.
        """
        pairing = self.pairing
        if pairing is None or not self.is_waiting or not isinstance(event, GameStarted):
            return event
        game = pairing.game(event.entry)
        if (event.names, event.rules) != (game.names, game.rules):
            return event
        return replace(event, night=game.night, round=game.round)

    def after(self, event: Event, depth: int) -> Here:
        """Return the reports after *event*, the journal's step number *depth*."""
        if not isinstance(event, GameStarted) or not event.night:
            return replace(self, is_result_seen=False) if self.is_result_seen else self
        of_the_night = (one for one in self.begun if one.night == event.night)
        begun = (*of_the_night, Begun(event.night, event.round, depth))
        return replace(self, begun=begun, is_result_seen=False)


NOBODY: Final = Here()
