"""The games on a journal's line up to its current state, read beside a running companion.

A journal is checked before it is read.  From a damaged one the intact games are returned, with a description
of the damage: a game that is returned is as it was written, event by event, whatever happened to the file.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from cribpi.core.earlier import as_accepted
from cribpi.core.errors import RuleError
from cribpi.core.events import Event
from cribpi.core.game import fold
from cribpi.core.record import RecordError, parse_event
from cribpi.core.standing import Standing, read_standing, standing_of
from cribpi.core.state import State
from cribpi.storage.database import (
    CHECKED_BY_ROW,
    NewerJournal,
    Step,
    damage,
    game_to,
    has_games,
    has_summaries,
    in_a_line,
    is_the_disks_fault,
    last_step,
    make_games_beside,
    make_summaries_beside,
    not_as_written,
    opened,
    settled,
    size,
    steps_written,
)
from cribpi.storage.games_table import (
    MOST_LOST,
    Begun,
    fill,
    game_that_begins,
    lacks_games,
    line_to,
    start_of,
)
from cribpi.storage.journal import JournalTrouble
from cribpi.storage.salvage import Salvage, salvaged

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
        steps = game_to(self.db, self.last)
        odd = next((step.id for step in steps if not step.is_whole), None)
        if odd is None and steps and steps[0].id == self.start and len(steps) == self.length:
            return steps
        missing = steps[0].parent if steps else self.last
        bad = sqlite3.DatabaseError(not_as_written([odd or missing or self.start]))
        raise self._trouble(bad) if self.is_salvaged else bad

    def events(self) -> tuple[Event, ...]:
        """Return its events.

        Raises:
            JournalTrouble: If one can't be read.
            sqlite3.DatabaseError: As `steps`.
        """
        steps = self.steps()
        try:
            return tuple(as_accepted(parse_event(step.event) for step in steps))
        except (RecordError, RuleError) as bad:
            raise self._trouble(bad) from bad

    def state(self) -> State:
        """Return its current state.

        Raises:
            JournalTrouble: If it can't be read, or breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        try:
            return fold(self.events())
        except RuleError as bad:
            raise self._trouble(bad) from bad

    def standing(self) -> Standing:
        """Return its summary.

        Raises:
            JournalTrouble: If it can't be read, or breaks the rules.
            sqlite3.DatabaseError: As `steps`.
        """
        if self.is_salvaged:
            self.steps()
        return standing_of(self.state()) if self.stood is None else read_standing(self.stood)

    def _trouble(self, bad: Exception) -> JournalTrouble:
        return JournalTrouble(f"game {self.number} can't be read ({bad}): choose another; --list shows them")


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
        line = list(self._newest_first())
        while line:
            yield self._game(*line.pop())

    def newest_first(self) -> Iterator[KeptGame]:
        """Yield the games in reverse order, without a look at those that are not asked for.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for begun, after in self._newest_first():
            yield self._game(begun, after)

    def __getitem__(self, number: int) -> KeptGame:
        """Return game *number*, from 1.

        Raises:
            IndexError: If there is none of that number.
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for begun, after in self._newest_first():
            if begun.number == number:
                return self._game(begun, after)
        raise IndexError(f"there is no game {number}")

    def _newest_first(self) -> Iterator[tuple[Begun, Begun | None]]:
        """Yield the rows of the games, each with that of the game after it."""
        after = None
        try:
            for begun in line_to(self._db, self._last.start) if self._last else ():
                yield begun, after
                after = begun
        except sqlite3.DatabaseError as bad:
            if not self.damage:
                raise
            self.damage = f"{self.damage}; {bad}"

    def _game(self, begun: Begun, after: Begun | None) -> KeptGame:
        last, depth, stood = self._head, self._depth, None
        if after is not None:
            last, depth, stood = after.parent, after.depth - 1, after.stood
        length = depth - begun.depth + 1
        return KeptGame(begun.number, begun.at, length, begun.start, last, stood, self._db, bool(self.damage))


def ask_of_games(folder: Path, ask: Callable[[KeptGames], Asked], *, is_checked: bool = True) -> Asked:
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
        return settled(path, lambda uri: _asked(path, uri, ask, is_checked=is_checked))
    except (OSError, sqlite3.Error) as bad:
        raise JournalTrouble(
            f"{path}: it can't be read ({in_a_line(bad)}): choose another folder with --state"
        ) from bad


def _asked(path: Path, uri: str, ask: Callable[[KeptGames], Asked], *, is_checked: bool) -> Asked:
    written = None
    try:
        with opened(uri) as db:
            written = steps_written(db)
            return ask(_whole_games(db, is_checked=is_checked))
    except NewerJournal:
        raise
    except (
        sqlite3.DatabaseError,
        MemoryError,
    ) as bad:  # a damaged length may ask for more memory than there is
        if is_the_disks_fault(bad):
            raise
        found = bad
    with salvaged(path) as salvage:
        if salvage.start is None:
            raise found
        return ask(_salvaged_games(salvage, in_a_line(found), written))


def _whole_games(db: sqlite3.Connection, *, is_checked: bool) -> KeptGames:
    """Return the games of an undamaged journal.

    Raises:
        sqlite3.DatabaseError: If it is damaged.
    """
    if is_checked and (found := damage(db, whole=size(db) <= CHECKED_BY_ROW)):
        raise sqlite3.DatabaseError(found)
    if not has_games(db) or lacks_games(db):
        make_games_beside(db)
        fill(db)
    if not has_summaries(db):
        make_summaries_beside(db)
    last = last_step(db)
    start = start_of(db, last.head) if last else None
    if last and last.head is not None and start is None:
        raise sqlite3.DatabaseError("its steps do not lead to the current game")
    return KeptGames(db, start, last.head if last else None, last.depth if last else 0)


def _salvaged_games(salvage: Salvage, damage: str, written: int | None) -> KeptGames:
    """Return the games of a damaged journal, in which this many steps were *written*, if known."""
    last = last_step(salvage.db)
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
