"""The fallback for an opponent that fails or takes too long: `thrifty` takes over, and the log says so."""

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
"""The most characters of a foreign error's message."""


@dataclass(slots=True)
class WithFallback:
    """An *opponent* of a *level* until it raises or gives an illegal answer; from then on, thrifty.

    Only an `Exception` counts: others, such as Ctrl-C, pass through.
    """

    level: str
    opponent: Opponent
    patience: float | None = None
    """The seconds that it has for a decision; None for as long as it takes."""
    trouble: str | None = field(default=None, init=False)
    """Why thrifty has taken over, as a sentence for everybody; None while all is well."""

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
        """Return what the opponent answers; if that fails or is *wrong*, what thrifty does from now on.

        The opponent's cards, and the notes of an error, go only into the log: *wrong* is for everybody.
        """
        answer: tuple[Card, ...] | None = None
        notes: list[str] = []
        try:
            answer = within(self.patience, ask)
            if is_legal(answer):
                return answer
            why = wrong
        except Exception as failed:  # noqa: BLE001  whatever it is, the game goes on
            why, answer, notes = reason(failed), None, getattr(failed, "__notes__", notes)
        self.trouble = f"{self.level} failed in seat {sight.seat} ({why}): thrifty plays on in its place"
        if answer is not None:
            notes = [f"it was {_named(answer)} of {_named(sight.hand)}"]
        _LOG.warning("%s", "; ".join([self.trouble, *notes]))
        self.opponent = Greedy()
        return ask()


def made(level: str, make: Callable[[], Opponent], patience: float | None = None) -> WithFallback:
    """Return the opponent that *make* makes for a seat of *level*; thrifty if that fails or is late."""
    try:
        return WithFallback(level, within(patience, make), patience)
    except Exception as failed:  # noqa: BLE001  a table that is missing must not stop a game
        found = WithFallback(level, Greedy())
        found.trouble = f"{level} cannot play ({reason(failed)}): thrifty plays in its place"
        _LOG.warning("%s", found.trouble)
        return found


def reason(failed: Exception) -> str:
    """Describe an error in a line short enough for a page; errors not ours are given with their type."""
    if isinstance(failed, ImportError) and isinstance(failed.__cause__, Exception):
        failed = failed.__cause__  # NumPy buries the cause under pages of advice when it can't load
    if type(failed).__module__.startswith("cribpi."):
        return str(failed)
    return f"{type(failed).__name__}: {shorten(str(failed), MOST, placeholder=' ...')}"


def _named(cards: tuple[Card, ...]) -> str:
    return " ".join(map(str, cards)) or "nothing"


class TookTooLong(Exception):
    """There was no answer in time.  The message gives the limit."""


def within(seconds: float | None, answer: Callable[[], T]) -> T:
    """Return what *answer* returns within *seconds*, if there is a limit.

    Nothing can end a thread from outside: one that hangs is abandoned, and a late answer is dropped.

    Raises:
        TookTooLong: If there is no answer in time.
        BaseException: Whatever *answer* raises.
    """
    if seconds is None:
        return answer()
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
        raise TookTooLong(f"no answer within {seconds:g} second{'s' * (seconds != 1)}") from None
