"""The journal's file: its tables, its version, and the detection of damage.

`steps_table` defines the rows of `steps`. The single row of `desk` has a checksum too.
"""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from cribpi.companion.files.disk import one_line
from cribpi.companion.journal.location import is_emptied, log_of
from cribpi.companion.journal.steps_table import (
    are_types,
    check_value,
    damaged_rows,
    last_row,
    next_row,
    not_as_written,
)

if TYPE_CHECKING:
    from sqlite3 import _Parameters

Read = TypeVar("Read")

CHECKED_AT_START: Final = 8_000_000
"""File size in bytes up to which every start runs SQLite's check on the whole file: some 700 games."""

CHECKED_BY_ROW: Final = 16_000_000
"""File size in bytes up to which `cribpi export` checks every row: some 1,400 games."""

APPLICATION_ID: Final = 0x43524942
"""SQLite application id that marks a cribpi journal: "CRIB" in ASCII."""

VERSION: Final = 4
"""Current version of the tables. Journals of every released version can be read.

Version 1 is the first. In version 2, `steps` gets the column `crc`. In version 3, `desk` gets it too, and the
table `games` is added. In version 4, the table `summaries` is added. The tables `removed` and `house` are
created if missing, in any version, because earlier programs ignore them.
"""

GAMES: Final = """
CREATE TABLE games (
    start INTEGER PRIMARY KEY,                                    -- the row of `steps` in which a game begins
    at TEXT NOT NULL,                                             -- when
    parent INTEGER,                                               -- the row on which it stands
    depth INTEGER NOT NULL,                                       -- events up to its start
    before INTEGER,                                               -- where the game before it began
    number INTEGER NOT NULL,                                      -- its number on the line, from 1
    stood TEXT,                                                   -- no longer used
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

SUMMARIES: Final = """
CREATE TABLE summaries (
    last INTEGER PRIMARY KEY,                                     -- the last row of `steps` of a game
    data TEXT NOT NULL,                                           -- what it came to, as JSON
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

REMOVED: Final = """
CREATE TABLE IF NOT EXISTS removed (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,                                             -- when
    start INTEGER NOT NULL,                                       -- the row of `steps` in which a game begins
    is_removed INTEGER NOT NULL,                                  -- 0: it was put back
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

HOUSE: Final = """
CREATE TABLE IF NOT EXISTS house (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL,                                             -- when
    after INTEGER NOT NULL,                                       -- the last row of `steps` before
    step INTEGER,                                                 -- the row of `steps` that it goes with
    said TEXT NOT NULL,                                           -- a word and its values: a JSON list
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

LARGEST_SEQ: Final = 1 << 53
"""Exclusive upper limit of press numbers. JavaScript can't represent all larger integers."""

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
CREATE TABLE desk (
    one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL,
    crc INTEGER                                                   -- check value of seq and data
);
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
"""


def desk_row(db: sqlite3.Connection) -> tuple[int, str] | None:
    """Return the number of the last accepted press and the unfinished input, or None if there is no row.

    If the row is damaged, the input is empty, and the number is only a lower bound.

    Raises:
        sqlite3.Error: If the row can't be read.
    """
    row = db.execute("SELECT seq, data, crc FROM desk").fetchone()
    if row is None:
        return None
    seq, data, crc = row
    if crc == check_value((seq, data)) and are_types((seq, data), (int, str)):
        return seq, data
    steps = last_row(db)
    return (seq if isinstance(seq, int) and steps <= seq < LARGEST_SEQ else steps), ""


def write_desk_row(db: sqlite3.Connection, seq: int, data: str) -> None:
    """Write the single row of `desk`.

    Raises:
        sqlite3.Error: If the write fails.
    """
    db.execute("INSERT OR REPLACE INTO desk VALUES (1, ?, ?, ?)", (seq, data, check_value((seq, data))))


def prepare(db: sqlite3.Connection) -> None:
    """Create missing tables, and migrate tables of an earlier version.

    Raises:
        sqlite3.Error: If the write fails, or the tables do not match the version.
    """
    version = version_of(db)
    if version == 0:
        for table in TABLES.split(";"):
            db.execute(table)
        db.execute(f"PRAGMA application_id={APPLICATION_ID}")
    elif version == 1:
        db.execute("ALTER TABLE steps ADD COLUMN crc INTEGER")
    if version in {1, 2}:
        db.execute("ALTER TABLE desk ADD COLUMN crc INTEGER")
        for seq, data in db.execute("SELECT seq, data FROM desk").fetchall():
            write_desk_row(db, seq, data)
    if version in {0, 1, 2}:
        db.execute(GAMES)
    if version < VERSION:
        db.execute(SUMMARIES)
    db.execute(REMOVED)
    db.execute(HOUSE)
    # Written even if unchanged, so that a failing disk is detected now. Updating a row to its own value would
    # not do: SQLite skips such a page, but it always writes the header's page.
    db.execute(f"PRAGMA user_version={VERSION}")


def check(db: sqlite3.Connection) -> None:
    """Check that the file is an intact journal of a known version.

    Of a large file, only the end is checked, which has the current state. A full check would delay the start,
    and `cribpi doctor` can run it.

    Raises:
        sqlite3.DatabaseError: If the file is damaged, or is not a journal of a known version.
    """
    if size(db) <= CHECKED_AT_START and (fault := faults(db)):
        raise sqlite3.DatabaseError(f"it is damaged: {fault}")
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if version_of(db) or tables:
        check_kind(db)
        if lost := next_row(db) - 1 - last_row(db):
            raise sqlite3.DatabaseError(f"its last steps are lost, {lost} of them")


def size(db: sqlite3.Connection) -> int:
    """Return the size of the file in bytes."""
    row = db.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()
    return int(row[0])


def faults(db: sqlite3.Connection, *, indexes: bool = False) -> str:
    """Return the first fault that SQLite's own check finds, on one line, or "".

    *indexes* also compares the indexes with their tables.
    """
    result = db.execute(f"PRAGMA {'integrity' if indexes else 'quick'}_check(1)").fetchone()[0]
    return "" if result == "ok" else one_line(result)


class NewerJournal(sqlite3.DatabaseError):
    """A journal written by a newer version of cribpi."""


def check_kind(db: sqlite3.Connection) -> int:
    """Return the version of a journal.

    Raises:
        NewerJournal: If a newer version of cribpi has written the file.
        sqlite3.DatabaseError: If the file is not a journal.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is a database, but not a cribpi journal")
    version = version_of(db)
    if version > VERSION:
        raise NewerJournal(f"its version is {version}, newer than this cribpi's {VERSION}: update cribpi")
    return version


def is_the_disks_fault(error: Exception) -> bool:
    """Return whether a read or write failed, or the file is in use. False for a malformed file."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def version_of(db: sqlite3.Connection) -> int:
    """Return the version of the tables, or 0 if the file is not a journal yet."""
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def connect(database: Path | str, *, uri: bool = False) -> Connection:
    """Connect to a file that may be damaged. Damaged text is read with replacement characters.

    Raises:
        sqlite3.Error: If the file can't be opened.
    """
    db = sqlite3.connect(database, uri=uri, isolation_level=None, check_same_thread=False, factory=Connection)
    db.text_factory = lambda text: text.decode(errors="replace")  # decoding must not fail on damaged text
    return db


class Connection(sqlite3.Connection):
    """A connection that raises sqlite3.Error even if it can't decode SQLite's error message.

    Decoding fails if the message quotes a damaged table name.
    """

    def execute(self, sql: str, parameters: _Parameters = (), /) -> sqlite3.Cursor:
        """Execute *sql*.

        Raises:
            sqlite3.Error: If the statement fails, even if its error message can't be decoded.
        """
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as bad:
            raise sqlite3.DatabaseError("the names of its tables are damaged") from bad


# --- reading beside a companion ---------------------------------------------------------------------

_AS_VERSION_2: Final = "CREATE TEMP VIEW steps AS SELECT *, NULL AS crc FROM main.steps"


def reading(path: Path) -> tuple[str, bool]:
    """Return a URI that opens the journal *path* read-only, and whether a companion has the journal open.

    If none has, the URI says that the file is immutable. Otherwise SQLite would create files next to the
    journal, and would delete the log of an empty file.
    """
    is_open = log_of(path).exists() and not is_emptied(path)
    return f"{path.absolute().as_uri()}?{'mode=ro' if is_open else 'immutable=1'}", is_open


def settled(path: Path, read: Callable[[sqlite3.Connection], Read]) -> Read:
    """Call *read* on a snapshot of *path* and return its result. Repeat if a companion started meanwhile.

    Raises:
        NewerJournal, sqlite3.Error: As `opened`.
    """
    while True:
        uri, is_open = reading(path)
        try:
            with opened(uri) as db:
                result = read(db)
        except Exception:
            if is_open or not reading(path)[1]:
                raise
        else:
            if is_open or not reading(path)[1]:
                return result


@contextlib.contextmanager
def opened(uri: str) -> Iterator[sqlite3.Connection]:
    """Open a snapshot of a journal for reading. Steps of old versions are converted to the current columns.

    Raises:
        NewerJournal: If a newer version of cribpi has written the journal.
        sqlite3.Error: If the file can't be read, or is not a journal.
    """
    with contextlib.closing(connect(uri, uri=True)) as db:
        if check_kind(db) == 1:
            db.execute(_AS_VERSION_2)
        db.execute("BEGIN")
        yield db


def damage(db: sqlite3.Connection, *, whole: bool, indexes: bool = False) -> str:
    """Return the first fault found, on one line, or "" if the file is intact.

    *whole* checks the contents of each row. *indexes* compares the indexes with their tables.

    Raises:
        sqlite3.Error: If the file can't be read.
    """
    if fault := faults(db, indexes=indexes):
        return fault
    rows, written = db.execute("SELECT count(*) FROM steps").fetchone()[0], next_row(db) - 1
    if rows != written:
        return f"only {rows:,} of its {written:,} steps are there"
    if whole and (odd := damaged_rows(db)):
        return not_as_written(odd)
    return ""
