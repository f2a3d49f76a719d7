"""The games on a journal's line up to its current state, readable while a companion runs.

A journal is checked before it is read.  From a damaged one the intact games are returned, with a description
of the damage: a game that is returned is as it was written, event by event, whatever happened to the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cribpi.companion.files.disk import one_line
from cribpi.companion.journal import database, steps_table
from cribpi.companion.journal.games_table import MOST_LOST, fill, game_that_begins, lacks_games, line_to
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.journal.salvage import Salvage, salvaged
from cribpi.companion.journal.steps_table import Step, not_as_written
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.earlier import as_accepted
from cribpi.cribbage.results.games import Listing, listing_of, read_listing
from cribpi.cribbage.rules.errors import RuleError

Asked = TypeVar("Asked")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game: its number on the line, from 1, when it began, and where its events are."""

    number: int
    began: str
    """ISO 8601, UTC."""
    length: int
    """The number of its events."""
    start: int
    last: int | None
    """The rows of its first and last event."""
    stood: str | None
    """Its recorded standing; None if it must be replayed."""
    db: sqlite3.Connection
    is_salvaged: bool
    """Whether the journal is damaged, so that the game may lack steps."""

    def steps(self) -> list[Step]:
        """Return its rows.

        Raises:
            JournalTrouble: If one is lost, in a journal known to be damaged.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        steps = steps_table.game_to(self.db, self.last)
        odd = next((step.id for step in steps if not step.is_whole), None)
        if odd is None and steps and steps[0].id == self.start and len(steps) == self.length:
            return steps
        missing = steps[0].parent if steps else self.last
        bad = sqlite3.DatabaseError(not_as_written([odd or missing or self.start]))
        raise self._trouble(bad) if self.is_salvaged else bad

    def replayed(self) -> tuple[tuple[Event, ...], State]:
        """Return its events, and its current state.

        Raises:
            JournalTrouble: If not everybody may see its cards yet, it can't be read, or it breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        events, state = self._replayed()
        if listing_of(state).hides_cards:
            raise JournalTrouble(f"game {self.number} is not over: its cards stay hidden until it is")
        return events, state

    def _replayed(self) -> tuple[tuple[Event, ...], State]:
        steps = self.steps()
        try:
            events = tuple(as_accepted(parse_event(step.event) for step in steps))
            return events, fold(events)
        except (RecordError, RuleError) as bad:
            raise self._trouble(bad) from bad

    def listing(self) -> Listing:
        """Return its summary.

        Raises:
            JournalTrouble: If it can't be read, or breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        if self.stood is None:
            return listing_of(self._replayed()[1])
        if self.is_salvaged:
            self.steps()
        return read_listing(self.stood)

    def _trouble(self, bad: Exception) -> JournalTrouble:
        return JournalTrouble(f"game {self.number} can't be read ({bad}): choose another; --list shows them")


@dataclass(frozen=True, slots=True)
class PersonsGame:
    """A finished game of a person, who had *seat*."""

    number: int
    seat: int
    events: tuple[Event, ...]
    state: State


class KeptGames:
    """The games on the line, oldest first; *damage* describes the damage, if any."""

    def __init__(
        self, db: sqlite3.Connection, start: int | None, head: int | None, depth: int, damage: str = ""
    ) -> None:
        """Find the game that begins in row *start* and ends at row *head*, *depth* events on.

        Raises:
            sqlite3.DatabaseError: If it is not in the table of games.
        """
        self.damage = damage
        self._db = db
        self._head = head
        self._depth = depth
        self._last = None if start is None else game_that_begins(db, start)

    def __len__(self) -> int:
        """Return the number of the last game."""
        return 0 if self._last is None else self._last.number

    def __iter__(self) -> Iterator[KeptGame]:
        """Yield the games in order.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        yield from reversed(list(self.newest_first()))

    def __getitem__(self, number: int) -> KeptGame:
        """Return game *number*, from 1.

        Raises:
            IndexError: If there is none of that number.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self.newest_first():
            if game.number == number:
                return game
        raise IndexError(f"there is no game {number}")

    def newest_first(self) -> Iterator[KeptGame]:
        last, depth, stood = self._head, self._depth, None
        try:
            for begun in line_to(self._db, self._last.start) if self._last else ():
                length, is_salvaged = depth - begun.depth + 1, bool(self.damage)
                yield KeptGame(
                    begun.number, begun.at, length, begun.start, last, stood, self._db, is_salvaged
                )
                last, depth, stood = begun.parent, begun.depth - 1, begun.stood
        except sqlite3.DatabaseError as bad:
            if not self.damage:
                raise
            self.damage = f"{self.damage}; {bad}"

    def of_person(self, name: str) -> Iterator[PersonsGame]:
        """Yield the finished games of the person *name*, newest first.

        Raises:
            JournalTrouble: If one can't be read, or breaks the rules.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self.newest_first():
            stood = game.listing()
            if stood.winner is None or name not in stood.seats:
                continue
            events, state = game.replayed()
            seat = state.names.index(name)
            if state.is_person(seat):
                yield PersonsGame(game.number, seat, events, state)


def read_games(folder: Path, ask: Callable[[KeptGames], Asked], *, is_checked: bool = True) -> Asked:
    """Return the result of *ask* on the games in *folder*'s journal; nothing is written or created.

    Games that were undone are not on the line.  Unless *is_checked*, damage is found only in what is read: a
    running companion need not check its whole file for each question.  *ask* may be called again, if the
    journal turns out to be damaged, or a companion starts to write meanwhile.

    Raises:
        JournalTrouble: If there is no journal, or nothing in it can be read.
    """
    path = folder / "journal.db"
    try:
        if not path.exists():
            raise JournalTrouble(f"{folder}: no journal here: choose its folder with --state")
        return database.settled(path, lambda uri: _asked(path, uri, ask, is_checked=is_checked))
    except (OSError, sqlite3.Error) as bad:
        raise JournalTrouble(
            f"{path}: it can't be read ({one_line(bad)}): choose another folder with --state"
        ) from bad


def _asked(path: Path, uri: str, ask: Callable[[KeptGames], Asked], *, is_checked: bool) -> Asked:
    written = None
    try:
        with database.opened(uri) as db:
            written = steps_table.steps_written(db)
            return ask(_whole_games(db, is_checked=is_checked))
    # A damaged length may ask for more memory than there is.
    except (sqlite3.DatabaseError, MemoryError) as bad:
        if isinstance(bad, database.NewerJournal) or database.is_the_disks_fault(bad):
            raise
        with salvaged(path) as salvage:
            if salvage.start is None:
                raise
            return ask(_salvaged_games(salvage, one_line(bad), written))


def _whole_games(db: sqlite3.Connection, *, is_checked: bool) -> KeptGames:
    """Return the games of an undamaged journal.

    Raises:
        sqlite3.DatabaseError: If it is damaged.
    """
    if is_checked and (found := database.damage(db, whole=database.size(db) <= database.CHECKED_BY_ROW)):
        raise sqlite3.DatabaseError(found)
    if not database.has_games(db) or lacks_games(db):
        # A temporary table hides the file's own until *db* is closed.
        db.execute(database.GAMES.replace("CREATE TABLE", "CREATE TEMP TABLE"))
        fill(db)
    if not database.has_summaries(db):
        db.execute(database.SUMMARIES.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    last = steps_table.last_step(db)
    if last is None or last.head is None:
        return KeptGames(db, None, None, 0)
    start = steps_table.start_of(db, last.head)
    if start is None:
        raise sqlite3.DatabaseError("its steps do not lead to the current game")
    return KeptGames(db, start, last.head, last.depth)


def _salvaged_games(salvage: Salvage, damage: str, written: int | None) -> KeptGames:
    """Return the games of a damaged journal, in which this many steps were *written*, if known."""
    last = steps_table.last_step(salvage.db)
    if last is None or salvage.start is None:
        return KeptGames(salvage.db, None, None, 0, damage)
    behind = range(last.id + 1, min(written or 0, last.id + MOST_LOST) + 1)
    lost = not_as_written([*salvage.lost, *behind])
    if lost not in damage:
        damage = f"{damage}; {lost}"
    if (salvage.lost or behind) and not salvage.has_notes:
        damage = f"{damage}; if a game began with one of them, the numbers of the games may be too low"
    if written is None:
        damage = f"{damage}; whether anything came after step {last.id} is unknown"
    return KeptGames(salvage.db, salvage.start, last.head, last.depth, damage)
