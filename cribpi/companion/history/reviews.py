"""Reviews of past games, stored next to the journal. The page and the terminal share them.

A review takes some seconds, on a small Pi half a minute. The page's reviews are made in a thread, and
requests meanwhile return the progress.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from cribpi.companion.files.atomic import write_whole
from cribpi.cribbage.game.events import Event, GameStarted, SeatsNamed
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import print_record
from cribpi.cribbage.review import FORMAT, GAMES

_LOG = logging.getLogger(__name__)

FOLDER: Final = "reviews"
"""Subfolder of the state folder."""

MOST: Final = 200
"""Maximum number of stored reviews, about 10 kB each. The oldest are deleted, and made again on request."""


def keys_of(events: Sequence[Event]) -> tuple[str, str]:
    """Return the key of a game's review, and its key in earlier versions.

    Names can change later, so the key does not depend on them. In earlier versions it did.
    """
    ends = max((at for at, event in enumerate(events, 1) if not isinstance(event, SeatsNamed)), default=0)
    return _hashed(list(map(_unnamed, events[:ends]))), _hashed(events)


def _unnamed(event: Event) -> Event:
    """Return *event* without players' names.

    It is not left out, because a review refers to events by number.
    """
    if not isinstance(event, GameStarted | SeatsNamed):
        return event
    return replace(event, names=tuple(map(str, range(len(event.names)))))


def _hashed(events: Sequence[Event]) -> str:
    return hashlib.sha256(print_record(events).encode()).hexdigest()[:32]


def load(state: Path, keys: Iterable[str]) -> dict[str, Any] | None:
    """Return the review stored under one of *keys* in the state folder *state*, or None."""
    return next(filter(None, (_read(state / FOLDER / key) for key in keys)), None)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        review = json.loads(gzip.decompress(file.read_bytes()))
    except (OSError, EOFError, ValueError):  # the file is missing or damaged
        return None
    is_sound = isinstance(review, dict) and review.get("format") == FORMAT
    return review if is_sound else None


def keep(state: Path, key: str, review: dict[str, Any]) -> None:
    """Write a review to the state folder *state*. All but the newest `MOST` reviews are deleted.

    Raises:
        OSError: If the write fails.
    """
    folder = state / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / key, gzip.compress(json.dumps(review).encode(), mtime=0))
    others = sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime)
    for old in others[:-MOST]:
        old.unlink()


# --- in a thread --------------------------------------------------------------------------------------


class NoReview(Exception):
    """A review can't be made. The message is a sentence for the user."""


class _Stopped(Exception):
    pass


@dataclass(slots=True)
class _Making:
    """The review being made, or the last one.

    *remaining* is the number of deals left to review. *failed* is the error message, or "".
    """

    key: str
    remaining: int
    failed: str = ""


class Reviews:
    """Reviews of games, stored in *folder*. If a write fails, the review stays in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._unkept: dict[str, dict[str, Any]] = {}
        self._players: dict[str, list[dict[str, Any]]] = {}
        self._making: _Making | None = None
        self._thread: threading.Thread | None = None
        self._is_stopping = threading.Event()

    def of(self, events: Sequence[Event]) -> dict[str, Any]:
        """Return the review of a game.

        Until it is made, return only `pending`, the number of deals left to review.

        Raises:
            NoReview: If the review can't be made.
        """
        key, earlier = keys_of(events)
        review = self._found((key, earlier))
        if review is not None:
            return {"pending": 0, **review}
        making = self._making
        if making is not None and making.key == key and making.failed:
            self._making = None  # the next request tries again
            raise NoReview(making.failed)
        if making is not None and making.key == key and self._is_at_work():
            return {"pending": making.remaining}
        deal = fold(events).deal
        deals = deal.number if deal else 1
        if not self._is_at_work():  # only one review runs at a time; a later request starts this one
            making = self._making = _Making(key, deals)
            self._thread = threading.Thread(
                target=self._make, args=(making, tuple(events)), name="review", daemon=True
            )
            self._thread.start()
        return {"pending": deals}

    def keys(self) -> frozenset[str]:
        """Return the keys of all stored reviews.

        If there are none, callers need not compute the key of a game.
        """
        files = (self._folder / FOLDER).glob("[!.]*") if self._folder else ()
        return frozenset(self._unkept).union(file.name for file in files)

    def players(self, key: str) -> list[dict[str, Any]] | None:
        """Return each player's results in the review *key*, or None if there is no such review."""
        if key not in self._players and (review := self._found((key,))) is not None:
            self._players[key] = review["players"]
        return self._players.get(key)

    def _found(self, keys: Sequence[str]) -> dict[str, Any] | None:
        return (load(self._folder, keys) if self._folder else None) or self._unkept.get(keys[0])

    def _is_at_work(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Cancel the review being made. This waits until its current deal is reviewed."""
        self._is_stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _make(self, making: _Making, events: Sequence[Event]) -> None:
        def report(done: int, deals: int) -> None:
            making.remaining = max(deals - done, 1)
            if self._is_stopping.is_set():
                raise _Stopped

        try:
            from cribpi.cribbage.review.report import review_json  # noqa: PLC0415  loads NumPy, only if needed
            from cribpi.cribbage.review.review import review  # noqa: PLC0415  loads NumPy, only if needed

            result = review_json(review(events, report))
        except _Stopped:
            return
        # A failed review must not stop the game; the user gets the reason.
        except Exception as bad:  # noqa: BLE001
            _LOG.warning("a review failed: %s: %s", type(bad).__name__, bad)
            making.failed = f"this game can't be reviewed ({bad})"
            return
        self._keep(making.key, result)

    def _keep(self, key: str, review: dict[str, Any]) -> None:
        """Save a review. If the write fails, keep it in memory."""
        if self._folder is not None:
            try:
                keep(self._folder, key, review)
            except OSError as bad:
                _LOG.warning("a review could not be saved: %s", bad)
            else:
                return
        self._unkept[key] = review
        for old in list(self._unkept)[:-GAMES]:  # a practice request needs this many reviews at once
            del self._unkept[old]
