"""An opponent that may hang: each decision is made in a thread of its own, and given up after some
seconds.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass
from typing import TypeVar

from cribpi.core.cards import Card
from cribpi.core.sight import SeatSight
from cribpi.opponents.opponent import Opponent

T = TypeVar("T")


class TookTooLong(Exception):
    """There was no answer in time.  Its text says in which."""


def within(seconds: float, answer: Callable[[], T]) -> T:
    """Return what *answer* returns, which gets *seconds* for it.

    Nothing can end a thread from outside: one that hangs is left to itself, and what it answers late is
    dropped.

    Raises:
        TookTooLong: If there is no answer in time.
        BaseException: What *answer* raises.
    """
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(answer())
        except BaseException as error:  # noqa: BLE001  the asker is told
            found.set_exception(error)

    threading.Thread(target=run, name="thinking", daemon=True).start()
    try:
        return found.result(seconds)
    except FutureTimeoutError:
        if found.done():  # it is the answer's own
            raise
        raise TookTooLong(f"no answer within {seconds:g} seconds") from None


@dataclass(frozen=True, slots=True)
class Timed:
    """An *opponent* that gets so many *seconds* for each decision, and then `TookTooLong` is raised."""

    opponent: Opponent
    seconds: float

    def lay_away(self, sight: SeatSight) -> tuple[Card, ...]:
        """Return what the opponent lays away."""
        return within(self.seconds, lambda: self.opponent.lay_away(sight))

    def play(self, sight: SeatSight) -> Card:
        """Return the card that the opponent plays."""
        return within(self.seconds, lambda: self.opponent.play(sight))
