"""The journal's table of games: where each begins, and how the game before it stood then.

A game's row is written in the same transaction as the event that begins it, and contains only what follows
from the steps: missing rows, as in a journal of an earlier version, are rebuilt.  With it, games are found
and listed without a walk through everything that was ever played.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cribpi.storage.database import check_value

INSERT: Final = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_ALL: Final = "SELECT start, at, parent, depth, before, number, stood, crc FROM games"
_ONE: Final = f"{_ALL} WHERE start = ?"

_STEPS: Final = """
SELECT id, act = 'event', ifnull(substr(event, 1, 5) = 'game ', 0), at, parent, depth FROM steps ORDER BY id
"""
"""All steps: whether each is an event, and whether it begins a game."""

_START: Final = """
WITH RECURSIVE chain (id, parent, begins) AS (
    SELECT id, parent, substr(event, 1, 5) = 'game ' FROM steps WHERE id = ?
    UNION ALL
    SELECT steps.id, steps.parent, substr(steps.event, 1, 5) = 'game '
    FROM steps JOIN chain ON steps.id = chain.parent
    WHERE NOT chain.begins AND steps.id < chain.id  -- a damaged chain must not go in circles
)
SELECT id FROM chain WHERE begins
"""

_LINE: Final = """
WITH RECURSIVE line (start, at, parent, depth, before, number, stood, crc) AS (
    SELECT start, at, parent, depth, before, number, stood, crc FROM games WHERE start = ?
    UNION ALL
    SELECT games.start, games.at, games.parent, games.depth,
        games.before, games.number, games.stood, games.crc
    FROM games JOIN line ON games.start = line.before WHERE games.start < line.start
)
SELECT start, at, parent, depth, before, number, stood, crc FROM line
"""


_UNTOLD: Final = """
SELECT start, parent FROM games
WHERE stood IS NULL AND before IS NOT NULL AND (:below IS NULL OR start < :below)
ORDER BY start DESC LIMIT :most
"""

_COUNTED: Final = """
SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM steps WHERE substr(event, 1, 5) = 'game ')
"""

_OTHERWISE: Final = """
SELECT games.start FROM games
LEFT JOIN steps ON steps.id = games.start LEFT JOIN games AS earlier ON earlier.start = games.before
WHERE games.at IS NOT steps.at OR games.parent IS NOT steps.parent OR games.depth IS NOT steps.depth
    OR games.number <> ifnull(earlier.number, 0) + 1 OR (games.before IS NULL) <> (games.parent IS NULL)
    OR games.before > games.parent
"""
"""Rows that do not follow from the steps."""

MOST_LOST: Final = 1_000_000
"""If more steps than this seem to be missing, the number of the next one is wrong instead."""


class Begun(NamedTuple):
    """A row of `games`.  In a damaged file a column may hold anything."""

    start: int
    """The row of `steps` that begins the game."""
    at: str
    parent: int | None
    """The row it follows: the last of the game before it."""
    depth: int
    """The number of events up to and including its start."""
    before: int | None
    """Where the game before it began."""
    number: int
    """Its number on the line, from 1."""
    stood: str | None = None
    """How the game before it stood then, as JSON; None if that was never recorded."""
    crc: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the row is as it was written."""
        return self.crc == check_value(self[:-1])

    def checked(self) -> Begun:
        """Return the row with its checksum."""
        return self._replace(crc=check_value(self[:-1]))


def note_start(db: sqlite3.Connection, row: int | None, stood: str | None) -> None:
    """Record that the event in *row* of `steps` began a game; *stood* is how the game before it stood.

    If the steps before it can't be followed, nothing is written: a reader will find that it is missing.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    at, parent, depth = db.execute("SELECT at, parent, depth FROM steps WHERE id = ?", (row,)).fetchone()
    before, number = None, 1
    if parent is not None:
        before = start_of(db, parent)
        found = db.execute("SELECT number FROM games WHERE start = ?", (before,)).fetchone()
        if found is None:
            return
        number = found[0] + 1
    db.execute(INSERT, Begun(row or 0, at, parent, depth, before, number, stood).checked())


def record_standing(db: sqlite3.Connection, start: int, stood: str) -> None:
    """Record how the game before the one beginning in row *start* stood, unless it is already recorded.

    Raises:
        sqlite3.Error: If the disk refuses, or there is no such row.
    """
    begun = game_that_begins(db, start)._replace(stood=stood).checked()
    db.execute(
        "UPDATE games SET stood = ?, crc = ? WHERE start = ? AND stood IS NULL", (stood, begun.crc, start)
    )


def without_standing(db: sqlite3.Connection, below: int | None, most: int) -> list[tuple[int, int]]:
    """Return the starts of games whose preceding game has no recorded standing, and that game's last row.

    At most *most* of them, newest first, and below row *below* if it is given.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    found = db.execute(_UNTOLD, {"below": below, "most": most})
    return [(start, parent) for start, parent in found]


def start_of(db: sqlite3.Connection, row: int | None) -> int | None:
    """Return the row that begins the game to which *row* belongs, or None if there is none.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    found = db.execute(_START, (row,)).fetchone()
    return int(found[0]) if found else None


def game_that_begins(db: sqlite3.Connection, start: int) -> Begun:
    """Return the row of the game beginning in row *start* of `steps`.

    Raises:
        sqlite3.Error: If it can't be read, is missing, or is not as it was written.
    """
    found = db.execute(_ONE, (start,)).fetchone()
    return _whole(Begun(*found) if found else None, start)


def line_to(db: sqlite3.Connection, start: int) -> Iterator[Begun]:
    """Yield the games on the line up to the one beginning in row *start*, that one first.

    Raises:
        sqlite3.Error: If one can't be read, is missing, or is not as it was written.
    """
    wanted: int | None = start
    number = None
    for row in map(Begun._make, db.execute(_LINE, (start,))):
        begun = _whole(row, row.start)
        if number is not None and begun.number != number - 1:
            raise sqlite3.DatabaseError(f"game {number} stands on game {begun.number}")
        yield begun
        wanted, number = begun.before, begun.number
    if wanted is not None or number != 1:
        _whole(None, wanted)


def _whole(begun: Begun | None, start: int | None) -> Begun:
    if begun is None or not begun.is_whole:
        raise sqlite3.DatabaseError(_not_whole(start))
    return begun


def _not_whole(start: int | None) -> str:
    return f"the note of the game that begins with step {start} is not as it was written"


def lacks_games(db: sqlite3.Connection) -> bool:
    """Return whether the table is empty although something was played, as in an earlier version's journal.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    steps, games = db.execute("SELECT EXISTS (SELECT 1 FROM steps), EXISTS (SELECT 1 FROM games)").fetchone()
    return bool(steps and not games)


def fill(db: sqlite3.Connection) -> None:
    """Fill the table from the steps.

    Raises:
        sqlite3.Error: If the disk refuses, or the steps can't be read.
    """
    db.executemany(INSERT, (begun.checked() for begun in GameFinder(db).begun))


def faults_of_games(db: sqlite3.Connection) -> str:
    """Return what in the table is damaged or does not follow from the steps; empty if all is well.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    for row in map(Begun._make, db.execute(_ALL)):
        if not row.is_whole:
            return _not_whole(row.start)
    noted, begun = db.execute(_COUNTED).fetchone()
    if noted != begun:
        return f"{begun:,} games have begun, and {noted:,} are noted"
    other = db.execute(_OTHERWISE).fetchone()
    return f"the note of the game that begins with step {other[0]} is of another game" if other else ""


class GameFinder:
    """The games that the steps of a journal imply, even if some steps are lost."""

    def __init__(self, db: sqlite3.Connection, noted: Mapping[int, Begun] | None = None) -> None:
        """Read all steps of *db* in order; *noted* are the undamaged rows of `games`, by start.

        Raises:
            sqlite3.Error: If they can't be read.
        """
        self._db = db
        self._noted = noted or {}
        self._gaps: list[_Gap] = []
        self._game_of = array("i", [0])
        """For each row the start of its game; 0 for what is no event, or lost."""
        self._numbers: dict[int, int] = {}
        self.begun: list[Begun] = []
        """A row for each game, oldest first, without check values."""
        try:
            self._read()
        except (TypeError, OverflowError) as bad:  # rows of version 1 have no checksum to reveal damage
            raise sqlite3.DatabaseError(f"its steps make no sense ({bad})") from bad

    def _read(self) -> None:
        game_of = self._game_of
        for row, is_event, begins, at, parent, depth in self._db.execute(_STEPS):
            if row > len(game_of):
                self._skip(len(game_of), row)
            if not is_event:
                game_of.append(0)
            elif begins:
                game_of.append(row)
                self._begin(row, at, parent, depth)
            elif parent is not None and 0 < parent < row and game_of[parent]:
                game_of.append(game_of[parent])
            else:
                game_of.append(self.game_at(parent, depth - 1) or 0)

    def game_at(self, row: int | None, depth: int) -> int | None:
        """Return the start of the game that contains the event in *row*, with *depth* events up to it.

        The row may be lost.  A gap contains only forward steps if there are as many as the depth has grown
        by; then the lost row belongs to the same game as the row before the gap.
        """
        if row is None or not 0 < row < len(self._game_of):
            return None
        if self._game_of[row]:
            return self._game_of[row]
        place = bisect_right(self._gaps, row, key=lambda gap: gap.first)
        gap = self._gaps[place - 1] if place else None
        if gap is None or row > gap.last or depth - gap.depth != row - gap.first + 1:
            return None
        starts = [start for start in self._noted if gap.first <= start <= row]
        return max(starts, default=None) or self.game_at(gap.head, gap.depth)

    def _skip(self, first: int, row: int) -> None:
        """Mark the rows from *first* up to, not including, *row* as lost."""
        if row - first > MOST_LOST:
            raise sqlite3.DatabaseError(f"after step {first - 1} comes step {row}")
        head, depth = None, 0
        if first > 1:
            head, depth = self._db.execute(
                "SELECT head, depth FROM steps WHERE id = ?", (first - 1,)
            ).fetchone()
        self._gaps.append(_Gap(first, row - 1, head, depth))
        for lost in range(first, row):
            self._game_of.append(lost if lost in self._noted else 0)
            if noted := self._noted.get(lost):
                self._numbers[lost] = noted.number
                self.begun.append(noted)

    def _begin(self, row: int, at: str, parent: int | None, depth: int) -> None:
        if (noted := self._noted.get(row)) is not None:
            self._numbers[row] = noted.number
            self.begun.append(noted)
            return
        before = self.game_at(parent, depth - 1)
        if before is None and parent is not None:
            before = max(self._numbers, default=None)  # assume that the games follow each other as they began
        number = 1 if before is None else self._numbers[before] + 1
        self._numbers[row] = number
        self.begun.append(Begun(row, at, parent, depth, before, number))


class _Gap(NamedTuple):
    """Lost rows, and the table's head and depth before them."""

    first: int
    last: int
    head: int | None
    depth: int
