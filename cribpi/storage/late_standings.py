"""How the games in an earlier version's journal stood, computed once, in the background.

The list of games needs them.  Each game must be replayed, which for many games takes minutes on a small
machine.  So it is done while the companion runs, a few games at a time with rests between; only the writing
is done by the loop.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Final

from cribpi.core.earlier import as_accepted
from cribpi.core.errors import RuleError
from cribpi.core.game import fold
from cribpi.core.record import RecordError, parse_event
from cribpi.core.standing import standing_of
from cribpi.storage.database import game_to, opened, reading
from cribpi.storage.games_table import without_standing
from cribpi.storage.journal import Journal

AT_ONCE: Final = 10
"""Games recorded in one transaction."""

REST: Final = 4.0
"""The thread rests this many times as long as it has worked."""


class LateStandings:
    """The thread that computes how games stood.

    Args:
        journal: Where they are recorded; its thread is that of *call*.
        call: Schedules a function on the loop's thread.
    """

    def __init__(self, journal: Journal, call: Callable[[Callable[[], None]], None]) -> None:
        self._journal = journal
        self._call = call
        self._stop = threading.Event()
        self._written = threading.Event()
        self._thread = threading.Thread(target=self._run, name="late standings", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop; the next start resumes."""
        self._stop.set()
        self._written.set()
        self._thread.join()

    def join(self) -> None:
        """Wait until everything is recorded."""
        self._thread.join()

    def _run(self) -> None:
        below = sys.maxsize
        with suppress(sqlite3.Error, OSError):  # the next start tries again
            while not self._stop.is_set():
                began = time.monotonic()
                with opened(reading(self._journal.path)[0]) as db:
                    games = {
                        start: _standing(db, last) for start, last in without_standing(db, below, AT_ONCE)
                    }
                if not games:
                    return
                below = min(games)
                self._written.clear()
                if self._stop.is_set():  # `stop` may have set both events before the clear
                    return
                self._call(partial(self._write, games))
                self._written.wait()
                self._stop.wait((time.monotonic() - began) * REST)

    def _write(self, games: dict[int, str | None]) -> None:
        """Record how the games before some starts stood; None is for one that can't be read."""
        try:
            self._journal.record_standings({start: stood for start, stood in games.items() if stood})
        finally:
            self._written.set()


def _standing(db: sqlite3.Connection, last: int) -> str | None:
    """Return the standing of the game whose last event is in row *last*, or None if it can't be read."""
    try:
        events = as_accepted(parse_event(step.whole().event) for step in game_to(db, last))
        return standing_of(fold(events)).text()
    except (RuleError, RecordError, sqlite3.DatabaseError, IndexError):
        return None
