"""The journal's tables of games: starts, summaries, and games removed from the lists.

A game's row is written in the same transaction as its first event. Its summary is written with the event that
wins it, or else with the first event of the next game. A summary is stored under the row of the game's last
step, so that undoing that step hides the summary.

With these two tables, games are found without reading all steps. The tables contain only data that follow
from the steps. They are rebuilt if missing, as in a journal of an earlier version.

Removals do not follow from the steps. The table `removed` has a row for each removal, and one for each game
that was put back.
"""

from __future__ import annotations

import sqlite3
from array import array
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from cribpi.companion.journal.steps_table import are_types, check_value, start_of

INSERT: Final = "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
_STEPS: Final = """
SELECT id, act = 'event', substr(event, 1, 5) = 'game ', at, parent, depth, head FROM steps ORDER BY id
"""
"""Query for all steps. It includes whether a step is an event, and whether that event begins a game."""

_ON_LINE: Final = """
WITH RECURSIVE line AS (
    SELECT * FROM games WHERE start = ?
    UNION ALL
    SELECT games.* FROM games JOIN line ON games.start = line.before WHERE games.start < line.start
)
"""
_PAIRED: Final = (
    _ON_LINE
    + """
SELECT event, line.depth FROM line JOIN steps ON id = start WHERE event LIKE '%night=%' ORDER BY id
"""
)
_LINE: Final = (
    _ON_LINE
    + """
SELECT line.*, data, summaries.crc FROM line LEFT JOIN summaries ON last = line.parent
"""
)

LACKING_SUMMARIES: Final = """
SELECT parent FROM games LEFT JOIN summaries ON last = parent
WHERE parent IS NOT NULL AND ifnull(data, '') NOT LIKE ? GROUP BY parent ORDER BY parent DESC
"""
"""Query for the last steps of games without a summary like a pattern, newest first.

The current game is left out.
"""

_COUNTS: Final = """
SELECT (SELECT count(*) FROM games), (SELECT count(*) FROM steps WHERE substr(event, 1, 5) = 'game ')
"""

_INCONSISTENT: Final = """
SELECT games.start FROM games
LEFT JOIN steps ON steps.id = games.start LEFT JOIN games AS earlier ON earlier.start = games.before
WHERE games.at IS NOT steps.at OR games.parent IS NOT steps.parent OR games.depth IS NOT steps.depth
    OR games.number <> ifnull(earlier.number, 0) + 1 OR (games.before IS NULL) <> (games.parent IS NULL)
    OR games.before > games.parent
"""
"""Query for rows that contradict the steps."""

_TYPES: Final = (int, str, int | None, int, int | None, int, str | None)
"""Column types, without the checksum."""

MOST_LOST: Final = 1_000_000
"""Maximum number of missing steps. If more seem to be missing, the number of the next step must be wrong."""


class GameRow(NamedTuple):
    """A row of `games`. In a damaged file, a column may have any type."""

    start: int
    """Row of `steps` that begins the game."""
    at: str
    parent: int | None
    """Last row of the previous game, or None if there is none."""
    depth: int
    """Number of events up to and including the game's first."""
    before: int | None
    """Row that begins the previous game, or None."""
    number: int
    """Number of the game, from 1."""
    stood: str | None = None
    """Final state of the previous game in journals of earlier versions. No longer used."""
    crc: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the row is unchanged since it was written."""
        return self.crc == check_value(self[:-1]) and are_types(self, _TYPES)

    def checked(self) -> GameRow:
        return self._replace(crc=check_value(self[:-1]))


def record_start(db: sqlite3.Connection, row: int, at: str, parent: int | None, depth: int) -> None:
    """Record that the event in *row* of `steps` began a game.

    If the steps before it can't be followed, no row is written. Readers then find that the row is missing.

    Raises:
        sqlite3.Error: If the write fails.
    """
    before, number = None, 1
    if parent is not None:
        before = start_of(db, parent)
        earlier = db.execute("SELECT number FROM games WHERE start = ?", (before,)).fetchone()
        if earlier is None:
            return
        number = earlier[0] + 1
    db.execute(INSERT, GameRow(row, at, parent, depth, before, number).checked())


def keep_summary(db: sqlite3.Connection, last: int | None, text: str) -> None:
    """Write the summary of the game that ended with the step in row *last*.

    Raises:
        sqlite3.Error: If the write fails.
    """
    db.execute("INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)", (last, text, check_value((last, text))))


def kept_summary(db: sqlite3.Connection, last: int | None) -> str | None:
    """Return the summary of the game that ended with step *last*, or None if it is missing or damaged.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    row = db.execute("SELECT data, crc FROM summaries WHERE last = ?", (last,)).fetchone()
    return _whole_summary(last, *row) if row else None


def _whole_summary(last: int | None, text: str | None, crc: int | None) -> str | None:
    return text if crc == check_value((last, text)) else None


class Removal(NamedTuple):
    """A row of `removed`: a game was removed or put back. In a damaged file, a column may have any type."""

    id: int
    at: str
    start: int
    """Row of `steps` that begins the game."""
    is_removed: int
    """1 if the game was removed, 0 if it was put back."""
    crc: int = 0

    @property
    def is_whole(self) -> bool:
        return self.crc == check_value(self[:-1]) and are_types(self, (int, str, int, int))


def keep_removal(db: sqlite3.Connection, at: str, start: int, *, is_removed: bool) -> None:
    """Record that the game that begins in row *start* was removed or put back. *at* is the time, ISO 8601.

    Raises:
        sqlite3.Error: If the write fails.
    """
    last = db.execute("SELECT ifnull(max(id), 0) FROM removed").fetchone()[0]
    row = Removal(last + 1, at, start, int(is_removed))
    db.execute("INSERT INTO removed VALUES (?, ?, ?, ?, ?)", row._replace(crc=check_value(row[:-1])))


def removed_games(db: sqlite3.Connection) -> frozenset[int]:
    """Return the rows of `steps` that begin the removed games. Damaged removals are ignored.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    last = {row.start: row.is_removed for row in _removals(db) if row.is_whole}
    return frozenset(start for start, is_removed in last.items() if is_removed)


def damaged_removals(db: sqlite3.Connection) -> list[int]:
    """Return the ids of the damaged rows of `removed`.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    return [row.id for row in _removals(db) if not row.is_whole]


def _removals(db: sqlite3.Connection) -> Iterator[Removal]:
    """Yield the rows of `removed`, oldest first. An earlier version's journal may lack the table."""
    if db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'removed')").fetchone()[0]:
        yield from map(
            Removal._make, db.execute("SELECT id, at, start, is_removed, crc FROM removed ORDER BY id")
        )


def line_to(db: sqlite3.Connection, start: int) -> Iterator[tuple[GameRow, str | None]]:
    """Yield the game that begins in row *start* and all games before it, latest first.

    Each comes with the summary of the previous game, or None if that is missing or damaged.

    Raises:
        sqlite3.Error: If a row can't be read, is missing, or has changed since it was written.
    """
    wanted: int | None = start
    number = None
    for *columns, text, crc in db.execute(_LINE, (start,)):
        begun = GameRow._make(columns)
        if not begun.is_whole:
            raise sqlite3.DatabaseError(_not_whole(begun.start))
        if number is not None and begun.number != number - 1:
            raise sqlite3.DatabaseError(f"game {number} stands on game {begun.number}")
        yield begun, _whole_summary(begun.parent, text, crc)
        wanted, number = begun.before, begun.number
    if wanted is not None or number != 1:
        raise sqlite3.DatabaseError(_not_whole(wanted))


def paired(db: sqlite3.Connection, start: int | None) -> Iterator[tuple[str, int]]:
    """Yield the first events of club games, oldest first, up to the game that begins in row *start*.

    Each comes with the number of events up to it.

    Raises:
        sqlite3.Error: If the tables can't be read.
    """
    yield from db.execute(_PAIRED, (start,))


def _not_whole(start: int | None) -> str:
    return f"the note of the game that begins with step {start} has changed since it was written"


def lacks_games(db: sqlite3.Connection) -> bool:
    """Return whether `games` is empty although there are steps, as in an earlier version's journal.

    Raises:
        sqlite3.Error: If the tables can't be read.
    """
    steps, games = db.execute("SELECT EXISTS (SELECT 1 FROM steps), EXISTS (SELECT 1 FROM games)").fetchone()
    return bool(steps and not games)


def fill(db: sqlite3.Connection) -> None:
    """Fill `games` from the steps.

    Raises:
        sqlite3.Error: If the write fails, or the steps can't be read.
    """
    db.executemany(INSERT, (begun.checked() for begun in GameFinder(db).begun.values()))


def faults_of_games(db: sqlite3.Connection) -> str:
    """Return a description of the first row of `games` that is damaged or contradicts the steps, or "".

    Raises:
        sqlite3.Error: If the tables can't be read.
    """
    for row in map(GameRow._make, db.execute("SELECT * FROM games")):
        if not row.is_whole:
            return _not_whole(row.start)
    noted, begun = db.execute(_COUNTS).fetchone()
    if noted != begun:
        return f"only {noted:,} of the {begun:,} games that have begun are noted"
    other = db.execute(_INCONSISTENT).fetchone()
    return f"the note of the game that begins with step {other[0]} belongs to another game" if other else ""


class GameFinder:
    """Finds the games in a journal's steps, even if some steps are lost."""

    def __init__(self, db: sqlite3.Connection, noted: Mapping[int, GameRow] | None = None) -> None:
        """Read all steps of *db* in order. *noted* has the undamaged rows of `games`, by start.

        Raises:
            sqlite3.Error: If the steps can't be read.
        """
        self.begun: dict[int, GameRow] = {}
        """A row for each game, by start and oldest first, without checksums."""
        self._noted = noted or {}
        self._gaps: list[_Gap] = []
        self._game_of = array("i", [0])
        """For each row of `steps`, the row that begins its game; 0 for lost rows, undos and redos."""
        try:
            self._read(db)
        except (TypeError, OverflowError) as bad:  # Rows of version 1 have no checksum to reveal damage.
            raise sqlite3.DatabaseError(f"its steps make no sense ({bad})") from bad

    def _read(self, db: sqlite3.Connection) -> None:
        last: tuple[int | None, int] = None, 0
        for row, is_event, begins, at, parent, depth, head in db.execute(_STEPS):
            if row > len(self._game_of):
                self._skip(_Gap(len(self._game_of), row - 1, *last))
            start = None
            if is_event and begins:
                start = row
                self.begun[row] = self._noted.get(row) or self._begun(row, at, parent, depth)
            elif is_event:
                start = self.game_at(parent, depth - 1)
            self._game_of.append(start or 0)
            last = head, depth

    def game_at(self, row: int | None, depth: int) -> int | None:
        """Return the row that begins the game of *row*, or None if unknown. *depth* is that event's number.

        *row* may be in a gap of lost rows. If the depth has grown by the number of lost rows, all of these
        were events. The row then belongs to the last game known to start in the gap, or else to the game
        before it.
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

    def _skip(self, gap: _Gap) -> None:
        if gap.last - gap.first >= MOST_LOST:
            raise sqlite3.DatabaseError(f"after step {gap.first - 1} comes step {gap.last + 1}")
        self._gaps.append(gap)
        for lost in range(gap.first, gap.last + 1):
            noted = self._noted.get(lost)
            self._game_of.append(lost if noted else 0)
            if noted:
                self.begun[lost] = noted

    def _begun(self, row: int, at: str, parent: int | None, depth: int) -> GameRow:
        before = self.game_at(parent, depth - 1)
        if before is None and parent is not None:
            # Assume that the games follow each other in the order of their starts.
            before = max(self.begun, default=None)
        number = 1 if before is None else self.begun[before].number + 1
        return GameRow(row, at, parent, depth, before, number)


class _Gap(NamedTuple):
    """A gap of lost rows, with the head and the depth before it."""

    first: int
    last: int
    head: int | None
    depth: int
