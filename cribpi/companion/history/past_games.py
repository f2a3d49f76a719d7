"""Past games: those on a journal's line up to its current state, readable while a companion runs.

A journal is checked before it is read. From a damaged one the intact games are returned, with a description
of the damage: a returned game is exactly as it was written, event by event.
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
from cribpi.companion.journal.steps_table import Step, not_as_written
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
    """A game: its number on the line, from 1, the time of its start, and the rows of its events."""

    number: int
    began: str
    """ISO 8601, UTC."""
    length: int
    """The number of its events."""
    start: int
    last: int | None
    """The rows of its first and last event."""
    kept: str | None
    """Its summary in the journal; None if it must be replayed."""
    db: sqlite3.Connection
    is_salvaged: bool
    """Whether the journal is damaged, so that the game may lack steps."""
    is_removed: bool = False
    """Whether it was removed: lists and statistics leave it out, and it can be put back."""
    renamed: tuple[Renaming, ...] = ()
    """All renamings in the journal."""

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

    def replayed(self) -> GameLog:
        """Return its log.

        Raises:
            JournalTrouble: If its cards must stay hidden, it can't be read, or it breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        line = self._replayed()
        if summary_of(end_of(line)).hides_cards:
            raise JournalTrouble(f"game {self.number} is not over: its cards stay hidden until it is")
        return line

    def events(self) -> list[Event]:
        """Return its events without replaying them; an unfinished game's events include hidden cards.

        Raises:
            JournalTrouble, sqlite3.DatabaseError: As `replayed`.
        """
        try:
            return as_accepted(parse_event(row.event) for row in self.steps())
        except (RecordError, RuleError) as bad:
            raise self._trouble(bad) from bad

    def with_names_of_now(self, line: GameLog) -> GameLog:
        """Return its log *line* with people's current names; the journal itself is unchanged.

        Raises:
            JournalTrouble: If it breaks the rules.
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
        """Return its summary, replayed if the journal has none.

        Raises:
            JournalTrouble: If it can't be read, or breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        return self._summary(read_summary)

    def brief(self) -> Summary:
        """Return its summary up to the winner, in a fraction of the time.

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
    """A finished game of a person at *seat*."""

    number: int
    seat: int
    events: tuple[Event, ...]
    """As in the journal."""
    state: State
    """Its end, with people's current names."""


class KeptGames:
    """The games on the line, oldest first, except removed ones; *damage* describes the damage, if any."""

    def __init__(
        self, db: sqlite3.Connection, start: int | None, last: Step | None, damage: str = ""
    ) -> None:
        """Find the game that begins in row *start*; *last* is the journal's last step.

        Raises:
            sqlite3.DatabaseError: If it is not in the table of games.
        """
        self.damage = damage
        self._db = db
        self._renamed = renamings(db)
        self._removed = removed_games(db)
        self._step = last
        self._last = None if start is None else next(line_to(db, start))[0]

    def __len__(self) -> int:
        """Return the number of the last game; removed games keep their numbers."""
        return 0 if self._last is None else self._last.number

    def __iter__(self) -> Iterator[KeptGame]:
        """Yield the games in order.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        yield from reversed(list(self.newest_first()))

    def __getitem__(self, number: int) -> KeptGame:
        """Return game *number*, from 1, even if it is removed.

        Raises:
            IndexError: If there is none of that number.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self._on_line():
            if game.number == number:
                return game
        raise IndexError(f"there is no game {number}")

    def newest_first(self) -> Iterator[KeptGame]:
        return (game for game in self._on_line() if not game.is_removed)

    def _on_line(self) -> Iterator[KeptGame]:
        """Yield the games, newest first, including removed ones."""
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
        """Return the number of games that must be replayed for their summaries, without the current one.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        return sum(not (game.kept or "").startswith(BEGINNING) for game in islice(self._on_line(), 1, None))

    def finished(self) -> Iterator[tuple[int, Summary]]:
        """Yield numbers and summaries of the games with a winner, oldest first; leave out unreadable ones.

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
        """Yield the finished games of the person *name*, newest first.

        Raises:
            JournalTrouble: If one can't be read, or breaks the rules.
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
    """Return the result of *read* for the games in *folder*'s journal; write and create no file.

    Undone games are not on the line.  Unless *is_checked*, damage is found only in the parts that are read: a
    running companion need not check its whole file for each request.  *read* may be called again if the
    journal turns out to be damaged, or if a companion starts to write meanwhile.

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
    # A damaged length can demand more memory than there is.
    except (sqlite3.DatabaseError, MemoryError) as bad:
        if isinstance(bad, database.NewerJournal) or database.is_the_disks_fault(bad):
            raise
        with salvaged(path) as salvage:
            if salvage.start is None:
                raise
            return read(_salvaged_games(salvage, one_line(bad), written))


def _whole_games(db: sqlite3.Connection, *, is_checked: bool) -> KeptGames:
    """Return the games of an undamaged journal.

    Raises:
        sqlite3.DatabaseError: If it is damaged.
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
    """Return the games of a damaged journal; *written* is the number of steps ever written, if known."""
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
    """Return the record of a game that *began* at that time, with comments about its result."""
    events, summary = [entry.event for entry in line], summary_of(end_of(line))
    head = (
        f"{summary.side_names()}, {summary.of_the_game()}",
        f"started {minute(began)}; {summary.shown_scores()}; {summary.outcome()}",
        f"exported by cribpi {__version__}",
    )
    return print_record([*map(Comment, head), *events])


def minute(at: str) -> str:
    """Abbreviate the journal's timestamp.

    >>> minute("2026-05-03T19:04:14.000+00:00"), minute("of a damaged journal")
    ('2026-05-03 19:04 UTC', 'at an unknown time')
    """
    match = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", at)
    return f"{match[1]} {match[2]} UTC" if match else "at an unknown time"
