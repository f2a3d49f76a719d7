"""The journal's file: its tables, its version, and how damage in it is told.

Each row of `steps` carries a check value, so that a bit that has flipped inside it is found even where
the row still reads as a legal event.  Rows of version 1 have none, and are read as they are.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from zlib import crc32

APPLICATION_ID: Final = 0x43524942
"""Marks the file as ours: "CRIB"."""

VERSION: Final = 2
"""The version of the tables.  Each version ever shipped is still read.

1: the first.  2: `steps` has the column `crc`.
"""

TABLES: Final = """
CREATE TABLE steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,                                             -- time, ISO 8601, UTC
    act TEXT NOT NULL CHECK (act IN ('event', 'undo', 'redo')),
    event TEXT,                                                   -- a line of the game record
    parent INTEGER,                                               -- the row on which an event stood
    depth INTEGER NOT NULL,                                       -- events up to the head, after this row
    head INTEGER,                                                 -- where the table stands, after this row
    crc INTEGER                                                   -- check value of the row, none in version 1
);
CREATE TABLE desk (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
"""

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


class Step(NamedTuple):
    """A row of `steps`.  In a damaged file a column may hold anything."""

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
        """Whether the row is as it was written; of a row of version 1 nobody can tell."""
        return self.crc is None or self.crc == check_value(self[:-1])

    @property
    def begins_a_game(self) -> bool:
        """Whether its event is the start of a game."""
        return str(self.event).startswith("game ")

    def whole(self) -> Step:
        """Return the row itself.

        Raises:
            sqlite3.DatabaseError: If it is not as it was written.
        """
        if not self.is_whole:
            raise sqlite3.DatabaseError(f"step {self.id} is not as it was written")
        return self


def check_value(row: Sequence[object]) -> int:
    """Return the CRC-32 of a row of `steps` without its last column: of its JSON text, in ASCII.

    >>> check_value((2, "2026-05-03T19:04:21.000+00:00", "event", "dealer 1", 1, 2, 2))
    4027199307
    """
    return crc32(json.dumps(row, default=repr).encode())


def step_at(db: sqlite3.Connection, row: int | None) -> Step | None:
    """Return the row *row*, or None where there is none.

    Raises:
        sqlite3.Error: If it can't be read, or is not as it was written.
    """
    found = db.execute(_STEP, (row,)).fetchone()
    return Step(*found).whole() if found else None


def last_step(db: sqlite3.Connection) -> Step | None:
    """Return the last row, which tells where the table stands; None of a new journal.

    Raises:
        sqlite3.Error: If it can't be read, or is not as it was written.
    """
    return step_at(db, db.execute("SELECT max(id) FROM steps").fetchone()[0])


def game_to(db: sqlite3.Connection, row: int | None) -> list[Step]:
    """Return the rows from the start of a game to *row*, as they are read, whole or not.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    return list(map(Step._make, db.execute(_GAME, (row,))))


def prepare(db: sqlite3.Connection) -> None:
    """Make the tables where there are none, and bring those of an earlier version up to this one.

    Raises:
        sqlite3.Error: If the disk refuses, or the tables are not what the version says.
    """
    version = _version(db)
    if version == 0:
        for table in TABLES.split(";"):
            db.execute(table)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    elif version == 1:
        db.execute("ALTER TABLE steps ADD COLUMN crc INTEGER")
    if version < VERSION:
        db.execute(f"PRAGMA user_version={VERSION}")
    else:  # a write, so that a disk that takes none is found now
        db.execute("UPDATE desk SET seq = seq")


def check(db: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError`, with the reason, if the file is no whole journal of a known version."""
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is damaged: {found}")
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if _version(db) or tables:
        check_kind(db)


def in_a_line(said: object) -> str:
    r"""Return what SQLite has said, which may be several lines, as one.

    >>> in_a_line("*** in database main ***\nPage 2: free space corruption")
    'in database main; Page 2: free space corruption'
    """
    return "; ".join(line.strip(" *") for line in str(said).splitlines() if line.strip(" *"))


def check_kind(db: sqlite3.Connection) -> int:
    """Return the file's version.

    Raises:
        sqlite3.DatabaseError: If it is no journal, or one of a version that is not known yet.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is a database, but no journal of cribpi")
    version = _version(db)
    if version > VERSION:
        raise sqlite3.DatabaseError(
            f"it is of version {version}, newer than this cribpi's {VERSION}: update cribpi"
        )
    return version


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def readable(db: sqlite3.Connection) -> None:
    """Let a damaged text be read with marks in it: it is no error of the disk."""
    db.text_factory = _text


def _text(text: bytes) -> str:
    return text.decode(errors="replace")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Do all that follows, or nothing of it; it is on the disk when this ends."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


# --- reading beside a companion ---------------------------------------------------------------------

_LINE: Final = """
WITH RECURSIVE chain (id, parent) AS (
    SELECT id, parent FROM steps WHERE id = ?
    UNION ALL
    SELECT steps.id, steps.parent FROM steps JOIN chain ON steps.id = chain.parent WHERE steps.id < chain.id
)
SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id IN (SELECT id FROM chain) ORDER BY id
"""

_AS_VERSION_2: Final = "CREATE TEMP VIEW steps AS SELECT *, NULL AS crc FROM main.steps"


def reading(path: Path) -> tuple[str, bool]:
    """Return how to open the journal *path* so that nothing is written, and whether a companion has it open.

    Without a companion SQLite would leave files of its own beside it, unless told that none will come.
    """
    is_open = path.with_name(f"{path.name}-wal").exists()
    return f"{path.absolute().as_uri()}?{'mode=ro' if is_open else 'immutable=1'}", is_open


def read_line(path: Path) -> list[Step]:
    """Return the rows of all events that lead to where the table stands, whole or not, oldest first.

    Nothing is written, also where a companion is writing: what it has committed is read.

    Raises:
        sqlite3.Error: If it can't be read, or is no journal of a known version.
    """
    while True:
        uri, is_open = reading(path)
        found = _read_line(uri)
        if is_open or not reading(path)[1]:
            return found


def _read_line(uri: str) -> list[Step]:
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as db:
        readable(db)
        if check_kind(db) == 1:
            db.execute(_AS_VERSION_2)
        db.execute("BEGIN")  # all is read as it was at one moment
        last = last_step(db)
        return list(map(Step._make, db.execute(_LINE, (last.head if last else None,))))
