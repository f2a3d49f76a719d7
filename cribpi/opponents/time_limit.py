"""A time limit for opponents: each decision runs in a thread of its own, abandoned after some seconds."""

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
    """There was no answer in time.  The message gives the limit."""


def within(seconds: float, answer: Callable[[], T]) -> T:
    """Return what *answer* returns within *seconds*.

    Nothing can end a thread from outside: one that hangs is abandoned, and a late answer is dropped.

    Raises:
        TookTooLong: If there is no answer in time.
        BaseException: Whatever *answer* raises.
    """
    found: Future[T] = Future()

    def run() -> None:
        try:
            found.set_result(answer())
        except BaseException as error:  # noqa: BLE001  raised again for the caller
            found.set_exception(error)

    threading.Thread(target=run, name="thinking", daemon=True).start()
    try:
        return found.result(seconds)
    except FutureTimeoutError:
        if found.done():  # the error is the answer's own, not ours
            raise
        raise TookTooLong(f"no answer within {seconds:g} seconds") from None


@dataclass(frozen=True, slots=True)
class Timed:
    """An *opponent* that raises `TookTooLong` if a decision takes more than *seconds*."""

    opponent: Opponent
    seconds: float

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return within(self.seconds, lambda: self.opponent.discard(sight))

    def play(self, sight: SeatSight) -> Card:
        return within(self.seconds, lambda: self.opponent.play(sight))
