"""Phones and pairings as last reported.

Most are not saved, because they are reported again after a restart.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from cribpi.companion.entry.pairing import Pairing
from cribpi.companion.entry.phones import NO_PHONES, Phones
from cribpi.cribbage.game.events import Event, GameStarted


@dataclass(frozen=True, slots=True)
class StartedPairing:
    """A pairing whose game has started."""

    night: str
    round: int
    depth: int
    """Number of steps in the journal, up to the start of that game."""


@dataclass(frozen=True, slots=True)
class Here:
    phones: Phones | None = NO_PHONES
    """Phones at this table, as stored in the phone registry.

    None in a phone's view, which lists no phones.
    """
    away: tuple[int, ...] = ()
    """Seats whose players hold their cards on a phone. This screen never shows their hands."""
    pairing: Pairing | None = None
    """The game that the club's director has assigned to this board, or None."""
    begun: tuple[StartedPairing, ...] = ()
    """Pairings of the latest night whose games have started here. Undone games are left out."""
    is_result_seen: bool = False
    """Whether OK was pressed at the result of the finished game. The next game can then be offered."""
    club_page: str = ""
    """Web address of the club night, such as `192.168.1.20:8131`, or ""."""

    @property
    def is_waiting(self) -> bool:
        """Whether there is a pairing whose game has not started yet."""
        if self.pairing is None:
            return False
        return (self.pairing.night, self.pairing.round) not in {(one.night, one.round) for one in self.begun}

    def at(self, depth: int) -> Here:
        """Return the reports after an undo. *depth* steps are left."""
        begun = tuple(one for one in self.begun if one.depth <= depth)
        return replace(self, begun=begun, is_result_seen=False)

    def started(self, event: Event) -> Event:
        """Return *event*. If it starts the game of the pairing, its night and round are added.

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
        """Return the reports after *event*, which is step *depth* of the journal."""
        if not isinstance(event, GameStarted) or not event.night:
            return replace(self, is_result_seen=False) if self.is_result_seen else self
        of_the_night = (one for one in self.begun if one.night == event.night)
        begun = (*of_the_night, StartedPairing(event.night, event.round, depth))
        return replace(self, begun=begun, is_result_seen=False)


NOBODY: Final = Here()
