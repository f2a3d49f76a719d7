"""Reviews of past games: kept next to the journal, for the page and the terminal alike.

A review takes some seconds, on a small Pi half a minute.  For the page it is made in its own thread; whoever
asks meanwhile is told how far it is.
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

from cribpi.companion.files.whole import write_whole
from cribpi.cribbage.game.events import Event, GameStarted, SeatsNamed
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import print_record
from cribpi.cribbage.review import FORMAT, GAMES

_LOG = logging.getLogger(__name__)

FOLDER: Final = "reviews"
"""Below the journal's folder."""

MOST: Final = 200
"""Reviews that are kept, some 10 kB each; the oldest give way, and are made again where somebody asks."""


def keys_of(events: Sequence[Event]) -> tuple[str, str]:
    """Return the name under which a game's review is kept, and that under which earlier versions kept it.

    What was played is the game, whatever its players are called, by then or later; earlier versions took
    their names for a part of it.
    """
    ends = max((at for at, one in enumerate(events, 1) if not isinstance(one, SeatsNamed)), default=0)
    return _hashed(list(map(_unnamed, events[:ends]))), _hashed(events)


def _unnamed(event: Event) -> Event:
    """Return *event* without names, but in its place: a review counts the events."""
    if not isinstance(event, GameStarted | SeatsNamed):
        return event
    return replace(event, names=tuple(map(str, range(len(event.names)))))


def _hashed(events: Sequence[Event]) -> str:
    return hashlib.sha256(print_record(events).encode()).hexdigest()[:32]


def kept(state: Path, keys: Iterable[str]) -> dict[str, Any] | None:
    """Return the review of one of *keys* from the journal's folder *state*; None if it has to be made."""
    return next(filter(None, (_read(state / FOLDER / key) for key in keys)), None)


def _read(file: Path) -> dict[str, Any] | None:
    try:
        found = json.loads(gzip.decompress(file.read_bytes()))
    except (OSError, EOFError, ValueError):  # not there, or damaged
        return None
    is_sound = isinstance(found, dict) and found.get("format") == FORMAT
    return found if is_sound else None


def keep(state: Path, key: str, found: dict[str, Any]) -> None:
    """Keep a review in the journal's folder *state*, and no more than the newest 200.

    Raises:
        OSError: If the disk refuses.
    """
    folder = state / FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / key, gzip.compress(json.dumps(found).encode(), mtime=0))
    others = sorted(folder.glob("[!.]*"), key=lambda path: path.stat().st_mtime)
    for old in others[:-MOST]:
        old.unlink()


# --- in a thread --------------------------------------------------------------------------------------


class NoReview(Exception):
    """It can't be made; the message is the sentence for whoever asked."""


class _Stopped(Exception):
    pass


@dataclass(slots=True)
class _Making:
    """The review that is being made, or was made last: how many deals are left, and why it has failed."""

    key: str
    left: int
    failed: str = ""


class Reviews:
    """Reviews by the events of their game; kept in *folder*, or where that refuses the last few in memory."""

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._unkept: dict[str, dict[str, Any]] = {}
        self._players: dict[str, list[dict[str, Any]]] = {}
        self._making: _Making | None = None
        self._thread: threading.Thread | None = None
        self._is_stopping = threading.Event()

    def of(self, events: Sequence[Event]) -> dict[str, Any]:
        """Return the review of a game, or how many of its deals are still to be reviewed, as `pending`.

        Raises:
            NoReview: If it can't be made.
        """
        key, earlier = keys_of(events)
        found = self._found((key, earlier))
        if found is not None:
            return {"pending": 0, **found}
        making = self._making
        if making is not None and making.key == key and making.failed:
            self._making = None  # whoever asks again has it tried again
            raise NoReview(making.failed)
        if making is not None and making.key == key and self._is_at_work():
            return {"pending": making.left}
        deal = fold(events).deal
        deals = deal.number if deal else 1
        if not self._is_at_work():  # else it waits for another
            making = self._making = _Making(key, deals)
            self._thread = threading.Thread(
                target=self._make, args=(making, tuple(events)), name="review", daemon=True
            )
            self._thread.start()
        return {"pending": deals}

    def keys(self) -> frozenset[str]:
        """Return the keys of the reviews that are there: without one, nobody need work out that of a game."""
        files = (self._folder / FOLDER).glob("[!.]*") if self._folder else ()
        return frozenset(self._unkept).union(file.name for file in files)

    def players(self, key: str) -> list[dict[str, Any]] | None:
        """Return what the review *key* says of each player, if it is there; it is not made for that."""
        if key not in self._players and (found := self._found((key,))) is not None:
            self._players[key] = found["players"]
        return self._players.get(key)

    def _found(self, keys: Sequence[str]) -> dict[str, Any] | None:
        return (kept(self._folder, keys) if self._folder else None) or self._unkept.get(keys[0])

    def _is_at_work(self) -> bool:
        return self._thread is not None and self._thread.is_alive()

    def stop(self) -> None:
        """Give up the review that is being made, and wait for the end of its current deal."""
        self._is_stopping.set()
        if self._thread is not None:
            self._thread.join()

    def _make(self, making: _Making, events: Sequence[Event]) -> None:
        def tell(done: int, deals: int) -> None:
            making.left = max(deals - done, 1)
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
                _LOG.warning("a review could not be saved: %s", bad)
            else:
                return
        self._unkept[key] = found
        for old in list(self._unkept)[:-GAMES]:  # whoever practises asks for so many at once
            del self._unkept[old]
