"""Phones and pairings as last reported; they are reported again after a start, and never stored."""

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
    """How many steps the journal had with that."""


@dataclass(frozen=True, slots=True)
class Here:
    """The phones and pairings reported."""

    phones: Phones | None = NO_PHONES
    """The phones at this table, which are kept elsewhere; None on a phone's own desk, which shows none."""
    away: tuple[int, ...] = ()
    """The seats whose persons hold their cards on a phone: no hand of theirs is opened at this desk."""
    pairing: Pairing | None = None
    """The game that a club's desk wants at this board."""
    begun: tuple[Begun, ...] = ()
    """The pairings of the last night whose games have begun here, as the journal's line has them."""
    is_result_seen: bool = False
    """Whether OK was pressed at the result of the game that is over: only then is the next one offered."""
    club_page: str = ""
    """Where the night is in a browser, such as `192.168.1.20:8131`; empty until the desk tells."""

    @property
    def is_waiting(self) -> bool:
        """Whether the game of the pairing has still to begin."""
        if self.pairing is None:
            return False
        return (self.pairing.night, self.pairing.round) not in {(one.night, one.round) for one in self.begun}

    def at(self, depth: int) -> Here:
        """Return the reports after an undo that left *depth* steps."""
        begun = tuple(one for one in self.begun if one.depth <= depth)
        return replace(self, begun=begun, is_result_seen=False)

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

    def after(self, event: Event, depth: int) -> Here:
        """Return the reports after *event*, the journal's step number *depth*."""
        if not isinstance(event, GameStarted) or not event.night:
            return replace(self, is_result_seen=False) if self.is_result_seen else self
        of_the_night = (one for one in self.begun if one.night == event.night)
        begun = (*of_the_night, Begun(event.night, event.round, depth))
        return replace(self, begun=begun, is_result_seen=False)


NOBODY: Final = Here()
