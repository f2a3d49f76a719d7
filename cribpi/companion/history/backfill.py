"""Fills in what a journal lacks while the companion runs: how earlier games stood, and summaries.

The list of games needs the one, for journals of earlier versions, and the statistics the other, for games
just won, imported, or of old journals.  Each game must be replayed, which for many games takes minutes on a
small machine.  So a thread does a few at a time with rests between, and no press waits; only the writing is
done by the loop.
"""

from __future__ import annotations

import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final, Generic, TypeVar

from cribpi.companion.history.past_games import KeptGames, read_games
from cribpi.companion.history.summaries import Summaries, summarize
from cribpi.companion.journal.database import opened, reading
from cribpi.companion.journal.games_table import without_standing
from cribpi.companion.journal.journal import Journal, JournalTrouble
from cribpi.companion.journal.steps_table import game_to
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.earlier import as_accepted
from cribpi.cribbage.results.games import listing_of
from cribpi.cribbage.rules.errors import RuleError

AT_ONCE: Final = 10
"""Games between two rests, written in one transaction."""

REST: Final = 4.0
"""The thread rests this many times as long as it has worked."""

Batch = TypeVar("Batch")


class Backfill(Generic[Batch]):
    """A thread that waits until it is woken, and then writes what is missing.

    Args:
        batches: Finds what is missing and makes it, some games at a time.
        write: Keeps a batch; its thread is that of *call*.
        call: Schedules a function on the loop's thread.
    """

    def __init__(
        self,
        batches: Callable[[], Iterator[Batch]],
        write: Callable[[Batch], None],
        call: Callable[[Callable[[], None]], None],
    ) -> None:
        self._batches = batches
        self._write = write
        self._call = call
        self._wanted = threading.Event()
        self._stop = threading.Event()
        self._written = threading.Event()
        self._thread = threading.Thread(target=self._run, name="late work", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop; whoever starts or asks next resumes."""
        self._stop.set()
        self._wanted.set()
        self._written.set()
        if self._thread.ident is not None:
            self._thread.join()

    def join(self, timeout: float) -> None:
        """Wait so many seconds at most for its end."""
        self._thread.join(timeout)

    def wake(self) -> None:
        """Make what is missing now."""
        self._wanted.set()

    def keep(self, made: Batch) -> None:
        """Have the loop write what somebody else has *made*."""
        if made:
            self._call(lambda: self._write(made))

    def _run(self) -> None:
        while True:
            self._wanted.wait()
            self._wanted.clear()
            if self._stop.is_set():
                return
            with suppress(sqlite3.Error, OSError, JournalTrouble):  # whoever asks next tries again
                self._make_all()

    def _make_all(self) -> None:
        began = time.monotonic()
        for batch in self._batches():
            self._written.clear()
            if self._stop.is_set():  # `stop` may have set it before the clear
                return
            self._call(lambda batch=batch: self._write_one(batch))  # type: ignore[misc]
            self._written.wait()
            if self._stop.wait((time.monotonic() - began) * REST):
                return
            began = time.monotonic()

    def _write_one(self, batch: Batch) -> None:
        try:
            self._write(batch)
        finally:
            self._written.set()


# --- how games stood ----------------------------------------------------------------------------------


def late_standings(
    journal: Journal, call: Callable[[Callable[[], None]], None]
) -> Backfill[dict[int, str | None]]:
    """Return the thread that records how the games of an earlier version's *journal* stood."""

    def write(games: dict[int, str | None]) -> None:
        journal.record_standings({start: stood for start, stood in games.items() if stood})

    return Backfill(lambda: _standings(journal), write, call)


def _standings(journal: Journal) -> Iterator[dict[int, str | None]]:
    """Yield how the games before some starts stood, the latest first; None is for one that can't be read."""
    below = sys.maxsize
    while True:
        with opened(reading(journal.path)[0]) as db:
            games = {start: _standing(db, last) for start, last in without_standing(db, below, AT_ONCE)}
        if not games:
            return
        below = min(games)
        yield games


def _standing(db: sqlite3.Connection, last: int) -> str | None:
    """Return the standing of the game whose last event is in row *last*, or None if it can't be read."""
    try:
        events = as_accepted(parse_event(step.whole().event) for step in game_to(db, last))
        return listing_of(fold(events)).text()
    except (RuleError, RecordError, sqlite3.DatabaseError, IndexError):
        return None


# --- summaries ----------------------------------------------------------------------------------------


def late_summaries(journal: Journal, call: Callable[[Callable[[], None]], None]) -> Backfill[dict[int, str]]:
    """Return the thread that makes the summaries that *journal* lacks."""
    return Backfill(lambda: _summaries(journal), journal.keep_summaries, call)


def _summaries(journal: Journal) -> Iterator[dict[int, str]]:
    lacking = read_games(journal.path.parent, _lacking, is_checked=False)
    while lacking:
        yield summarize(journal.path, lacking[-AT_ONCE:])
        del lacking[-AT_ONCE:]


def _lacking(games: KeptGames) -> list[int]:
    found = Summaries(games, most=0)
    for _ in found.finished():
        pass
    return [*found.lacking, *found.made]
