"""The fallback for an opponent that fails or takes too long: `thrifty` takes over, with a log message."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeoutError
from dataclasses import dataclass, field
from textwrap import shorten
from typing import Final, TypeVar

from cribpi.cribbage.game.cards import Card
from cribpi.cribbage.game.sight import SeatSight
from cribpi.cribbage.players.opponent import Greedy, Opponent, may_discard

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

MOST: Final = 200
"""Maximum length in characters of a third-party error's message."""


@dataclass(slots=True)
class WithFallback:
    """An *opponent* that thrifty replaces once it raises, takes too long or makes an illegal choice.

    *level* names the opponent in messages.  Only an `Exception` is caught: Ctrl-C, for one, passes through.
    """

    level: str
    opponent: Opponent
    patience: float | None = None
    """The timeout of a decision in seconds; None for no timeout."""
    trouble: str | None = field(default=None, init=False)
    """The reason why thrifty has taken over, as a message for all players; None if it has not."""

    def discard(self, sight: SeatSight) -> tuple[Card, ...]:
        return self._answer(
            sight,
            lambda: tuple(self.opponent.discard(sight)),
            lambda cards: may_discard(sight, cards),
            "it chose an impossible discard",
        )

    def play(self, sight: SeatSight) -> Card:
        (card,) = self._answer(
            sight,
            lambda: (self.opponent.play(sight),),
            lambda cards: cards[0] in sight.playable,
            f"it chose an impossible card at a count of {sight.count}",
        )
        return card

    def _answer(
        self,
        sight: SeatSight,
        ask: Callable[[], tuple[Card, ...]],
        is_legal: Callable[[tuple[Card, ...]], bool],
        wrong: str,
    ) -> tuple[Card, ...]:
        """Return the opponent's choice; if it fails or is illegal, switch to thrifty for good.

        *wrong* describes an illegal choice in the message, which all players see.  It names no cards: these
        and the notes of an error are only logged.
        """
        answer: tuple[Card, ...] | None = None
        notes: list[str] = []
        try:
            answer = within(self.patience, ask)
            if is_legal(answer):
                return answer
            why = wrong
        except Exception as failed:  # noqa: BLE001  whatever the error, the game must go on
            why = reason(failed)
            notes = getattr(failed, "__notes__", notes)
        self.trouble = f"{self.level} failed in seat {sight.seat} ({why}): thrifty plays on in its place"
        if answer is not None:
            notes = [f"it was {_named(answer)} of {_named(sight.hand)}"]
        _LOG.warning("%s", "; ".join([self.trouble, *notes]))
        self.opponent = Greedy()
        return ask()  # *ask* calls `self.opponent`, which is thrifty now


def with_fallback(level: str, make: Callable[[], Opponent], patience: float | None = None) -> WithFallback:
    """Return the opponent created by *make* for *level*, or thrifty if *make* fails or takes too long."""
    try:
        return WithFallback(level, within(patience, make), patience)
    except Exception as failed:  # noqa: BLE001  a missing table must not stop a game
        thrifty = WithFallback(level, Greedy())
        thrifty.trouble = f"{level} cannot play ({reason(failed)}): thrifty plays in its place"
        _LOG.warning("%s", thrifty.trouble)
        return thrifty


def reason(failed: Exception) -> str:
    """Return a one-line description of an error; third-party errors are prefixed with their type."""
    if isinstance(failed, ImportError) and isinstance(failed.__cause__, Exception):
        failed = failed.__cause__  # NumPy's own message is pages of advice; the cause is short
    if type(failed).__module__.startswith("cribpi."):
        return str(failed)
    return f"{type(failed).__name__}: {shorten(str(failed), MOST, placeholder=' ...')}"


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards)) or "nothing"


class TookTooLong(Exception):
    """The timeout expired.  The message has the limit."""


def within(seconds: float | None, answer: Callable[[], T]) -> T:
    """Return the result of *answer*, called with a timeout of *seconds*, or None for no timeout.

    *answer* runs on its own thread.  Python can't stop a thread from outside: after a timeout it is
    abandoned, and a late result is discarded.

    Raises:
        TookTooLong: If the timeout expires.
        BaseException: Any error of *answer*.
    """
    if seconds is None:
        return answer()
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(answer())
        except BaseException as error:  # noqa: BLE001  raised again for the caller
            result.set_exception(error)

    threading.Thread(target=run, name="thinking", daemon=True).start()
    try:
        return result.result(seconds)
    except FutureTimeoutError:
        if result.done():  # *answer* itself raised a TimeoutError
            raise
        unit = "second" if seconds == 1 else "seconds"
        raise TookTooLong(f"no answer within {seconds:g} {unit}") from None
