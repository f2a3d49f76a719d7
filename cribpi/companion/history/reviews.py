"""Reviews of past games for the page: made in their own thread, and kept next to the journal.

A review takes some seconds, on a small Pi half a minute; whoever asks meanwhile is told how far it is.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cribpi.companion.history.kept_reviews import keep, kept, key_of
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.review import GAMES

_LOG = logging.getLogger(__name__)


class NoReview(Exception):
    """It can't be made; the message is the sentence for whoever asked."""


class _Stopped(Exception):
    pass


@dataclass(slots=True)
class _Made:
    """The review that is being made, or was made last."""

    key: str
    done: int = 0
    deals: int = 0
    failed: str = ""


class Reviews:
    """Reviews by the events of their game; kept in *folder*, or where that refuses the last few in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._unkept: dict[str, dict[str, Any]] = {}
        self._making: _Made | None = None
        self._thread: threading.Thread | None = None
        self._is_stopping = threading.Event()

    def of(self, events: Sequence[Event]) -> dict[str, Any]:
        """Return the review of a game, or how many of its deals are still to be reviewed, as `pending`.

        Raises:
            NoReview: If it can't be made.
        """
        key = key_of(events)
        found = (kept(self._folder, key) if self._folder else None) or self._unkept.get(key)
        if found is not None:
            return {"pending": 0, **found}
        making = self._making
        if making is not None and making.key == key and making.failed:
            self._making = None  # whoever asks again has it tried again
            raise NoReview(making.failed)
        if self._thread is None or not self._thread.is_alive():
            making = self._making = _Made(key)
            self._thread = threading.Thread(
                target=self._make, args=(making, tuple(events)), name="review", daemon=True
            )
            self._thread.start()
        if making is None or making.key != key or not making.deals:  # it waits for another, or has just begun
            return {"pending": deals_in(events)}
        return {"pending": max(making.deals - making.done, 1)}

    def stop(self) -> None:
        """Give up the review that is being made, and wait for the end of its current deal."""
        self._is_stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _make(self, making: _Made, events: Sequence[Event]) -> None:
        def tell(done: int, deals: int) -> None:
            making.done, making.deals = done, deals
            if self._is_stopping.is_set():
                raise _Stopped

        try:
            from cribpi.cribbage.review.report import review_json  # noqa: PLC0415  as above
            from cribpi.cribbage.review.review import review  # noqa: PLC0415  NumPy, for who asks for one

            found = review_json(review(events, tell))
        except _Stopped:
            return
        except Exception as bad:  # noqa: BLE001  whatever it is, the game goes on, and it is said
            _LOG.warning("a review failed: %s: %s", type(bad).__name__, bad)
            making.failed = f"this game can't be reviewed ({bad})"
            return
        self._keep(making.key, found)

    def _keep(self, key: str, found: dict[str, Any]) -> None:
        """Keep a review, in memory if the disk refuses: it is there to be seen, and can be made again."""
        if self._folder is not None:
            try:
                keep(self._folder, key, found)
            except OSError as bad:
                _LOG.warning("a review is not kept: %s", bad)
            else:
                return
        self._unkept[key] = found
        for old in list(self._unkept)[:-GAMES]:  # whoever practises asks for so many at once
            del self._unkept[old]


def deals_in(events: Sequence[Event]) -> int:
    """Return how many deals a game had, at least 1."""
    deal = fold(events).deal
    return deal.number if deal else 1
