"""An opponent that fails does not stop the game: its seat goes to `thrifty`, and it is said so."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Final

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.greedy import Greedy
from cribpi.opponents.opponent import Opponent, may_lay_away

_LOG = logging.getLogger(__name__)

MOST: Final = 200
"""The most letters of what an error says that is none of ours."""


@dataclass(slots=True)
class WithFallback:
    """An *opponent* of a *level*, until it raises, or answers with cards that cannot be: from then on,
    thrifty.

    Errors that are no `Exception`, as Ctrl-C, pass through.
    """

    level: str
    opponent: Opponent
    trouble: str | None = field(default=None, init=False)
    """The sentence that says why thrifty has the seat, for all to read; None as long as all is well."""

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return what the opponent lays away, or what thrifty does."""
        try:
            cards = tuple(self.opponent.lay_away(sight))
            if may_lay_away(sight, cards):
                return cards
            why, answer = "it chose an impossible discard", cards
        except Exception as failed:  # noqa: BLE001  whatever it is, the game goes on
            why, answer = reason(failed), None
        return self._hand_over(sight, why, answer).lay_away(sight)

    def play(self, sight: SeatSight) -> Card:
        """Return the card that the opponent plays, or thrifty's."""
        try:
            card = self.opponent.play(sight)
            if card in sight.playable:
                return card
            why, answer = f"it chose an impossible card at a count of {sight.count}", (card,)
        except Exception as failed:  # noqa: BLE001  whatever it is, the game goes on
            why, answer = reason(failed), None
        return self._hand_over(sight, why, answer).play(sight)

    def _hand_over(self, sight: SeatSight, why: str, answer: tuple[Card, ...] | None) -> Opponent:
        """Give the seat to thrifty, and say *why*; its cards, with the *answer*, stand in the log alone."""
        self.trouble = f"{self.level} failed in seat {sight.seat} ({why}): thrifty plays on there"
        cards = "" if answer is None else f"; it was {_named(answer)} of {_named(sight.hand)}"
        _LOG.warning("%s%s", self.trouble, cards)
        self.opponent = Greedy()
        return self.opponent


def made(level: str, make: Callable[[], Opponent]) -> WithFallback:
    """Return what *make* makes, for the seat of a *level*; thrifty where that fails too."""
    try:
        return WithFallback(level, make())
    except Exception as failed:  # noqa: BLE001  a table that is missing must not stop a game
        found = WithFallback(level, Greedy())
        found.trouble = f"{level} cannot play ({reason(failed)}): thrifty plays in its place"
        _LOG.warning("%s", found.trouble)
        return found


def reason(failed: Exception) -> str:
    """Return what went wrong, in a line that fits a page: our own errors are sentences, others are named
    too.
    """
    if isinstance(failed, ImportError) and isinstance(failed.__cause__, Exception):
        failed = failed.__cause__  # where NumPy cannot be loaded, it writes pages over the cause
    if type(failed).__module__.startswith("cribpi."):
        return str(failed)
    return f"{type(failed).__name__}: {shorten(str(failed), MOST, placeholder=' ...')}"


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards)) or "nothing"
