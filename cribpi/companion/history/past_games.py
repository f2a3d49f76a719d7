"""Past games of a journal, readable while a companion runs. Undone games are not included.

A journal is checked before it is read. If it is damaged, only the intact games are returned, with a
description of the damage. A returned game is exactly as it was written, event by event.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TypeVar

from cribpi import __version__
from cribpi.companion.files.disk import one_line
from cribpi.companion.journal import database, steps_table
from cribpi.companion.journal.games_table import (
    MOST_LOST,
    damaged_removals,
    fill,
    kept_summary,
    lacks_games,
    line_to,
    removed_games,
)
from cribpi.companion.journal.house_table import Renaming, damaged_facts, renamings
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.journal.salvage import Salvage, salvaged
from cribpi.companion.journal.steps_table import StepRow, not_as_written
from cribpi.cribbage.game.events import Event, GameStarted, SeatsNamed
from cribpi.cribbage.game.state import State
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.legacy import as_accepted
from cribpi.cribbage.record.text import Comment, print_record
from cribpi.cribbage.results.statistics import (
    BEGINNING,
    Summary,
    is_computer,
    read_brief,
    read_summary,
    summary_of,
)
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.rules.names import renamed
from cribpi.cribbage.words.log import GameLog, end_of, game_log

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game in a journal."""

    number: int
    began: str
    """Start time: ISO 8601, UTC."""
    length: int
    """Number of its events."""
    start: int
    last: int | None
    """Rows of the game's first and last event."""
    kept: str | None
    """Its summary as stored in the journal; None if the game must be replayed."""
    db: sqlite3.Connection
    is_salvaged: bool
    """Whether the journal is damaged. The game may then lack steps."""
    is_removed: bool = False
    """Whether the game was removed from lists and statistics. It can be put back."""
    renamed: tuple[Renaming, ...] = ()
    """All renamings in the journal."""

    def steps(self) -> list[StepRow]:
        """Return the rows of this game.

        Raises:
            JournalTrouble: If a row is lost and the journal is already known to be damaged.
            sqlite3.DatabaseError: If a row is lost or changed, which shows that the journal is damaged.
        """
        steps = steps_table.game_to(self.db, self.last)
        odd = next((step.id for step in steps if not step.is_whole), None)
        if odd is None and steps and steps[0].id == self.start and len(steps) == self.length:
            return steps
        missing = steps[0].parent if steps else self.last
        bad = sqlite3.DatabaseError(not_as_written([odd or missing or self.start]))
        raise self._trouble(bad) if self.is_salvaged else bad

    def replayed(self) -> GameLog:
        """Return the log of this game.

        Raises:
            JournalTrouble: If the game can't be read or breaks the rules, or its cards must stay hidden until
                it ends.
            sqlite3.DatabaseError: As `steps`.
        """
        line = self._replayed()
        if summary_of(end_of(line)).hides_cards:
            raise JournalTrouble(f"game {self.number} is not over: its cards stay hidden until it is")
        return line

    def events(self) -> list[Event]:
        """Return the events without replaying them. An unfinished game's events include hidden cards.

        Raises:
            JournalTrouble, sqlite3.DatabaseError: As `replayed`.
        """
        try:
            return as_accepted(parse_event(row.event) for row in self.steps())
        except (RecordError, RuleError) as bad:
            raise self._trouble(bad) from bad

    def with_names_of_now(self, line: GameLog) -> GameLog:
        """Return the log *line* of this game with people's current names. The journal is unchanged.

        Raises:
            JournalTrouble: If the game breaks the rules.
        """
        are_computers: list[bool] = []
        events = [entry.event for entry in line]
        for at, event in enumerate(events):
            if isinstance(event, GameStarted):
                are_computers = [*map(bool, event.levels)] or [False] * len(event.names)
            if isinstance(event, GameStarted | SeatsNamed):
                names = event.names
                for old, new, _ in self._renamed_since():
                    names = renamed(names, are_computers, old, new)
                events[at] = replace(event, names=names)
        return line if events == [entry.event for entry in line] else self._played(events)

    def _renamed_since(self) -> Iterator[Renaming]:
        return (renaming for renaming in self.renamed if self.start <= renaming[2])

    def _replayed(self) -> GameLog:
        return self._played(self.events())

    def _played(self, events: Sequence[Event]) -> GameLog:
        try:
            return game_log(events)
        except RuleError as bad:
            raise self._trouble(bad) from bad

    def summary(self) -> Summary:
        """Return the summary of this game. The game is replayed if the journal has no summary.

        Raises:
            JournalTrouble: If the game can't be read, or breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        return self._summary(read_summary)

    def brief(self) -> Summary:
        """Return the first part of the summary, up to the winner. This takes a fraction of the time.

        Raises:
            JournalTrouble, sqlite3.DatabaseError: As `summary`.
        """
        return self._summary(read_brief)

    def _summary(self, read: Callable[[str], Summary]) -> Summary:
        try:
            summary = read(self.kept or "")
        except (ValueError, LookupError, TypeError):  # missing, or by an earlier version
            summary = summary_of(end_of(self._replayed()))
        for old, new, _ in self._renamed_since():
            summary = summary.with_person_renamed(old, new)
        return summary

    def _trouble(self, bad: Exception) -> JournalTrouble:
        return JournalTrouble(f"game {self.number} can't be read ({bad}): choose another; --list shows them")


@dataclass(frozen=True, slots=True)
class PersonsGame:
    """A finished game in which a person played at *seat*."""

    number: int
    seat: int
    events: tuple[Event, ...]
    """Events with the names as in the journal."""
    state: State
    """Final state with people's current names."""


class KeptGames:
    """The games up to the journal's current state, oldest first. Removed games are left out.

    *damage* describes the journal's damage; it is "" if the journal is intact.
    """

    def __init__(
        self, db: sqlite3.Connection, start: int | None, last: StepRow | None, damage: str = ""
    ) -> None:
        """Find the game that begins in row *start*. *last* is the journal's last step.

        Raises:
            sqlite3.DatabaseError: If the table of games has no such game.
        """
        self.damage = damage
        self._db = db
        self._renamed = renamings(db)
        self._removed = removed_games(db)
        self._step = last
        self._last = None if start is None else next(line_to(db, start))[0]

    def __len__(self) -> int:
        """Return the number of the last game. Removed games count, because they keep their numbers."""
        return 0 if self._last is None else self._last.number

    def __iter__(self) -> Iterator[KeptGame]:
        """Yield the games, oldest first.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        yield from reversed(list(self.newest_first()))

    def __getitem__(self, number: int) -> KeptGame:
        """Return game *number*, from 1, even if it is removed.

        Raises:
            IndexError: If there is no such game.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self._on_line():
            if game.number == number:
                return game
        raise IndexError(f"there is no game {number}")

    def newest_first(self) -> Iterator[KeptGame]:
        return (game for game in self._on_line() if not game.is_removed)

    def _on_line(self) -> Iterator[KeptGame]:
        """Yield all games, newest first, including removed ones."""
        if self._last is None or self._step is None:
            return
        last, depth = self._step.head, self._step.depth
        try:
            summary = kept_summary(self._db, last)
            for begun, before in line_to(self._db, self._last.start):
                length, is_salvaged = depth - begun.depth + 1, bool(self.damage)
                yield KeptGame(
                    begun.number,
                    begun.at,
                    length,
                    begun.start,
                    last,
                    summary,
                    self._db,
                    is_salvaged,
                    begun.start in self._removed,
                    self._renamed,
                )
                last, depth = begun.parent, begun.depth - 1
                summary = before
        except sqlite3.DatabaseError as bad:
            if not self.damage:
                raise
            self.damage = f"{self.damage}; {bad}"

    def lacking(self) -> int:
        """Return the number of games without a current summary. The current game does not count.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        return sum(not (game.kept or "").startswith(BEGINNING) for game in islice(self._on_line(), 1, None))

    def finished(self) -> Iterator[tuple[int, Summary]]:
        """Yield number and summary of each game with a winner, oldest first. Unreadable games are left out.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self:
            with suppress(JournalTrouble):
                if (summary := game.summary()).winner is not None:
                    yield game.number, summary

    def have_person(self, name: str) -> bool:
        """Return whether a person called *name* plays in a readable game.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        if is_computer(name):
            return False
        for game in self.newest_first():
            with suppress(JournalTrouble):
                summary = game.brief()
                if name in (*summary.seats, *summary.players):
                    return True
        return False

    def of_person(self, name: str) -> Iterator[PersonsGame]:
        """Yield the finished games of the person called *name*, newest first.

        Raises:
            JournalTrouble: If a game can't be read, or breaks the rules.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self.newest_first():
            summary = game.brief()
            if summary.winner is None or name not in summary.players or is_computer(name):
                continue
            line = game.replayed()
            events, now = tuple(entry.event for entry in line), end_of(game.with_names_of_now(line))
            yield PersonsGame(game.number, summary.players.index(name), events, now)


def read_games(folder: Path, read: Callable[[KeptGames], Result], *, is_checked: bool = True) -> Result:
    """Call *read* with the games of the journal in *folder*, and return its result.

    No file is changed or created.

    *is_checked* checks the whole file for damage first. A running companion skips this for each request;
    damage is then found only in the parts that are read. *read* is called again if the journal turns out to
    be damaged, or if a companion starts to write meanwhile.

    Raises:
        JournalTrouble: If there is no journal, or it can't be read at all.
    """
    path = folder / "journal.db"
    try:
        if not path.exists():
            raise JournalTrouble(f"{folder}: no journal here: choose its folder with --state")
        return _read(path, read, is_checked=is_checked)
    except (OSError, sqlite3.Error) as bad:
        raise JournalTrouble(
            f"{path}: it can't be read ({one_line(bad)}): choose another folder with --state"
        ) from bad


def _read(path: Path, read: Callable[[KeptGames], Result], *, is_checked: bool) -> Result:
    written = None

    def read_whole(db: sqlite3.Connection) -> Result:
        nonlocal written
        written = steps_table.steps_written(db)
        return read(_whole_games(db, is_checked=is_checked))

    try:
        return database.settled(path, read_whole)
    # Reading a damaged length can demand more memory than there is.
    except (sqlite3.DatabaseError, MemoryError) as bad:
        if isinstance(bad, database.NewerJournal) or database.is_the_disks_fault(bad):
            raise
        with salvaged(path) as salvage:
            if salvage.start is None:
                raise
            return read(_salvaged_games(salvage, one_line(bad), written))


def _whole_games(db: sqlite3.Connection, *, is_checked: bool) -> KeptGames:
    """Return the games of an intact journal.

    Raises:
        sqlite3.DatabaseError: If the journal is damaged.
    """
    if is_checked:
        whole = database.size(db) <= database.CHECKED_BY_ROW
        if fault := database.damage(db, whole=whole):
            raise sqlite3.DatabaseError(fault)
        if damaged_removals(db):
            raise sqlite3.DatabaseError("which games are removed has changed since it was written")
        if damaged_facts(db):
            raise sqlite3.DatabaseError("what was said of this house has changed since it was written")
    version = database.version_of(db)
    if version < 3 or lacks_games(db):
        # A temporary table hides the file's own until *db* is closed.
        db.execute(database.GAMES.replace("CREATE TABLE", "CREATE TEMP TABLE"))
        fill(db)
    if version < 4:
        db.execute(database.SUMMARIES.replace("CREATE TABLE", "CREATE TEMP TABLE"))
    last = steps_table.last_step(db)
    if last is None or last.head is None:
        return KeptGames(db, None, None)
    start = steps_table.start_of(db, last.head)
    if start is None:
        raise sqlite3.DatabaseError("its steps do not lead to the current game")
    return KeptGames(db, start, last)


def _salvaged_games(salvage: Salvage, damage: str, written: int | None) -> KeptGames:
    """Return the games of a damaged journal.

    *written* is the number of steps ever written, or None if unknown.
    """
    last = steps_table.last_step(salvage.db)
    if last is None or salvage.start is None:
        return KeptGames(salvage.db, None, None, damage)
    behind = range(last.id + 1, min(written or 0, last.id + MOST_LOST) + 1)
    lost = not_as_written([*salvage.lost, *behind])
    if lost not in damage:
        damage = f"{damage}; {lost}"
    if (salvage.lost or behind) and not salvage.has_notes:
        damage = f"{damage}; if a game began with one of them, the numbers of the games may be too low"
    if written is None:
        damage = f"{damage}; whether anything came after step {last.id} is unknown"
    return KeptGames(salvage.db, salvage.start, last, damage)


# --- export of a game --------------------------------------------------------------------------------


def exported(line: GameLog, began: str) -> str:
    """Return a game's record with comments on its start and result. *began* is the start time, ISO 8601."""
    events, summary = [entry.event for entry in line], summary_of(end_of(line))
    head = (
        f"{summary.side_names()}, {summary.of_the_game()}",
        f"started {minute(began)}; {summary.shown_scores()}; {summary.outcome()}",
        f"exported by cribpi {__version__}",
    )
    return print_record([*map(Comment, head), *events])


def minute(at: str) -> str:
    """Format a journal timestamp to the minute.

    >>> minute("2026-05-03T19:04:14.000+00:00"), minute("of a damaged journal")
    ('2026-05-03 19:04 UTC', 'at an unknown time')
    """
    match = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", at)
    return f"{match[1]} {match[2]} UTC" if match else "at an unknown time"
