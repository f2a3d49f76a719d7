"""The journal's table `steps`: its rows, the games that they make up, and the detection of damaged rows.

Each row has a checksum, so that a flipped bit is detected even if it gives a legal event. Rows of version 1
have no checksum, and are not verified.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from itertools import compress, groupby
from operator import ne
from types import UnionType
from typing import Final, NamedTuple
from zlib import crc32

from cribpi.cribbage.rules.grammar import series

_STEP: Final = "SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id = ?"

_GAME: Final = """
WITH RECURSIVE chain (id, parent, event) AS (
    SELECT id, parent, event FROM steps WHERE id = ?
    UNION ALL
    SELECT steps.id, steps.parent, steps.event FROM steps JOIN chain ON steps.id = chain.parent
    WHERE chain.event NOT LIKE 'game %' AND steps.id < chain.id  -- a damaged chain must not go in circles
)
SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id IN (SELECT id FROM chain) ORDER BY id
"""
_BESIDE: Final = "SELECT id FROM steps WHERE id > ? AND act = 'event' AND event LIKE ? ORDER BY id DESC"


class StepRow(NamedTuple):
    """A row of `steps`. In a damaged file, a column may have any type."""

    id: int
    at: str
    act: str
    event: str
    parent: int | None
    depth: int
    head: int | None
    crc: int | None

    @property
    def is_whole(self) -> bool:
        """Whether the row is unchanged since it was written.

        Of a version 1 row, only the types are checked.
        """
        return (self.crc is None or self.crc == check_value(self[:-1])) and are_types(self, _TYPES)

    def whole(self) -> StepRow:
        """Return this row if it is intact.

        Raises:
            sqlite3.DatabaseError: If the row has changed since it was written.
        """
        if not self.is_whole:
            raise sqlite3.DatabaseError(f"step {self.id} has changed since it was written")
        return self


_TYPES: Final = (int, str, str, str | None, int | None, int, int | None)
"""Column types, without the checksum."""


def are_types(row: Sequence[object], types: Sequence[type | UnionType]) -> bool:
    """Return whether the columns of *row* have these *types*. In a damaged or foreign file they may not.

    >>> are_types((1, "at"), (int, str)), are_types((1, None), (int, str))
    (True, False)
    """
    return all(map(isinstance, row, types))


def check_value(row: Sequence[object]) -> int:
    """Return the checksum of *row*, which comes without one: the CRC-32 of its JSON in ASCII.

    >>> check_value((2, "2026-05-03T19:04:21.000+00:00", "event", "dealer 1", 1, 2, 2))
    4027199307
    """
    return crc32(_as_json(row).encode())


_as_json: Final = json.JSONEncoder(default=repr).encode


def write_step(db: sqlite3.Connection, *columns: object) -> None:
    """Write a row of `steps`. *columns* are those from `id` to `head`; the checksum is added.

    Raises:
        sqlite3.Error: If the write fails.
    """
    db.execute("INSERT INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (*columns, check_value(columns)))


def next_row(db: sqlite3.Connection) -> int:
    """Return the number of the next row of `steps`.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    return max(last_row(db), steps_written(db) or 0) + 1


def last_row(db: sqlite3.Connection) -> int:
    """Return the number of the last row of `steps`, or 0 if there is none."""
    return int(db.execute("SELECT ifnull(max(id), 0) FROM steps").fetchone()[0])


def step_at(db: sqlite3.Connection, row: int | None) -> StepRow:
    """Return the row number *row* of `steps`.

    Raises:
        sqlite3.Error: If the row can't be read, is missing, or has changed since it was written.
    """
    columns = db.execute(_STEP, (row,)).fetchone()
    if columns is None:
        raise sqlite3.DatabaseError(f"step {row} is missing")
    return StepRow(*columns).whole()


def last_step(db: sqlite3.Connection) -> StepRow | None:
    """Return the last row, which has the current head and depth, or None for a new journal.

    Raises:
        sqlite3.Error: If the row can't be read, or has changed since it was written.
    """
    row = last_row(db)
    return step_at(db, row) if row else None


def game_to(db: sqlite3.Connection, row: int | None) -> list[StepRow]:
    """Return the rows of a game from its start to *row*, including damaged ones.

    Raises:
        sqlite3.Error: If the read fails.
    """
    return list(map(StepRow._make, db.execute(_GAME, (row,))))


def start_of(db: sqlite3.Connection, row: int | None) -> int | None:
    """Return the row that begins the game of *row*, or None if there is none.

    Raises:
        sqlite3.Error: If the rows can't be read.
    """
    first = next(iter(game_to(db, row)), None)
    return first.id if first and str(first.event).startswith("game ") else None


def games_beside(db: sqlite3.Connection, line: Sequence[StepRow], word: str) -> Iterator[list[StepRow]]:
    """Yield each branch that leaves *line* and ends in an event of the kind *word*, newest branch first.

    A branch is its rows from the start of the game. *line*, which is not empty, has the rows of one game. A
    branch counts if it is of that game, or of a game with the same first event after the same previous game.

    Raises:
        sqlite3.Error: If the read fails.
    """
    root, known = line[0], {step.id for step in line}
    before = start_of(db, root.parent)
    for (row,) in db.execute(_BESIDE, (before or 0, f"{word} %")).fetchall():
        if row not in known:
            beside = game_to(db, row)
            if beside[0].event == root.event and start_of(db, beside[0].parent) == before:
                yield beside


def steps_written(db: sqlite3.Connection) -> int | None:
    """Return the number of steps ever written, or None if unknown."""
    row = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'steps'").fetchone()
    return int(row[0]) if row and isinstance(row[0], int) else None


# --- checking every row -----------------------------------------------------------------------------


def not_as_written(rows: Sequence[int]) -> str:
    """Describe the steps that have changed since they were written.

    >>> not_as_written([]), not_as_written([7])
    ('every step is intact', 'step 7 has changed since it was written')
    >>> not_as_written([2, 5, 6, 7, 9, 12])
    'steps 2, 5 to 7, 9 and 1 more have changed since they were written'
    """
    if not rows:
        return "every step is intact"
    if len(rows) == 1:
        return f"step {rows[0]} has changed since it was written"
    # Within a run of consecutive numbers, number minus index is constant.
    runs = [[row for _, row in run] for _, run in groupby(enumerate(rows), lambda at: at[1] - at[0])]
    words = [f"{run[0]} to {run[-1]}" if len(run) > 1 else str(run[0]) for run in runs[:3]]
    if len(runs) > 3:
        words.append(f"{sum(map(len, runs[3:])):,} more")
    return f"steps {series(words)} have changed since they were written"


_PLAIN: Final = """
SELECT printf('[%d, "%s", "event", "%s", %d, %d, %d]', id, at, event, parent, depth, head), crc, id
FROM steps WHERE act = 'event'
"""
"""Query for the JSON text under most events' checksums: those with a parent and nothing to escape."""
_MOVES: Final = "SELECT id FROM steps WHERE act <> 'event'"
_ODD: Final = """
SELECT id FROM steps
WHERE typeof(at) <> 'text' OR typeof(act) <> 'text' OR typeof(event) <> iif(act = 'event', 'text', 'null')
    OR crc IS NULL AND id > (SELECT min(id) FROM steps WHERE crc IS NOT NULL)
"""
"""Query for rows with a column of the wrong type, and rows without a checksum after rows that have one."""


def damaged_rows(db: sqlite3.Connection) -> list[int]:
    """Return the numbers of the damaged rows of `steps`, in ascending order.

    Most rows are compared in bulk, so a million rows take only two seconds.

    Raises:
        sqlite3.Error: If the rows can't be read.
    """
    odd = {row for (row,) in db.execute(_ODD)}
    doubtful = {row for (row,) in db.execute(_MOVES)}
    usual, db.text_factory = db.text_factory, bytes
    try:
        plain = db.execute(_PLAIN)
        while rows := plain.fetchmany(1024):
            texts, written, numbers = zip(*rows, strict=True)
            if (computed := tuple(map(crc32, texts))) != written:
                doubtful.update(compress(numbers, map(ne, computed, written)))
    finally:
        db.text_factory = usual
    odd.update(row for row in doubtful if not StepRow(*db.execute(_STEP, (row,)).fetchone()).is_whole)
    return sorted(odd)
