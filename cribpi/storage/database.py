"""The journal's file: its tables, its version, and how damage is detected.

Each row of `steps` carries a checksum, so that a flipped bit is found even if the row still reads as a legal
event.  Rows of version 1 have none, and are read as they are.  The single row of `desk` has one too.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from itertools import compress
from operator import ne
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, TypeVar
from zlib import crc32

from cribpi.storage.location import log_of

if TYPE_CHECKING:
    from sqlite3 import _Parameters

Read = TypeVar("Read")

CHECKED_AT_START: Final = 8_000_000
"""Up to this many bytes, some 700 games, every start runs SQLite's check over the whole file."""

CHECKED_BY_ROW: Final = 16_000_000
"""Up to this many bytes, some 1,400 games, `cribpi export` checks every row, whatever it is asked for."""

APPLICATION_ID: Final = 0x43524942
"""Marks the file as ours: "CRIB"."""

VERSION: Final = 4
"""The version of the tables.  Every version ever shipped can still be read.

1: the first.  2: `steps` has the column `crc`.  3: so has `desk`, and there is the table `games`.
4: there is the table `summaries`.
"""

GAMES: Final = """
CREATE TABLE games (
    start INTEGER PRIMARY KEY,                                    -- the row of `steps` in which a game begins
    at TEXT NOT NULL,                                             -- when
    parent INTEGER,                                               -- the row on which it stands
    depth INTEGER NOT NULL,                                       -- events up to its start
    before INTEGER,                                               -- where the game before it began
    number INTEGER NOT NULL,                                      -- its number on the line, from 1
    stood TEXT,                                                   -- how the game before it stood, as JSON
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

SUMMARIES: Final = """
CREATE TABLE summaries (
    last INTEGER PRIMARY KEY,                                     -- the row of `steps` that ended a game
    data TEXT NOT NULL,                                           -- what it came to, as JSON
    crc INTEGER NOT NULL                                          -- check value of the row
)
"""

LARGEST_SEQ: Final = 1 << 53
"""The first number no press may have: beyond it, JavaScript cannot tell consecutive numbers apart."""

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
        """Whether the row is as it was written; always true for version 1, which has no checksum."""
        return self.crc is None or self.crc == check_value(self[:-1])

    def whole(self) -> Step:
        """Return the row itself.

        Raises:
            sqlite3.DatabaseError: If it is not as it was written.
        """
        if not self.is_whole:
            raise sqlite3.DatabaseError(f"step {self.id} is not as it was written")
        return self


def check_value(row: Sequence[object]) -> int:
    """Return the CRC-32 of a row, such as one of `steps` without its last column: of its JSON, in ASCII.

    >>> check_value((2, "2026-05-03T19:04:21.000+00:00", "event", "dealer 1", 1, 2, 2))
    4027199307
    """
    return crc32(_as_json(row).encode())


_as_json: Final = json.JSONEncoder(default=repr).encode


def event_row(row: int, at: str, event: str, parent: int | None, depth: int) -> Step:
    """Return row number *row*: an event on *parent*, with *depth* events up to and including it."""
    step = Step(row, at, "event", event, parent, depth, row, None)
    return step._replace(crc=check_value(step[:-1]))


def next_row(db: sqlite3.Connection) -> int:
    """Return the number of the next row of `steps`.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    last = db.execute("SELECT max(id) FROM steps").fetchone()[0]
    return max(last or 0, steps_written(db) or 0) + 1


def step_at(db: sqlite3.Connection, row: int | None) -> Step | None:
    """Return the row *row*, or None if there is none.

    Raises:
        sqlite3.Error: If it can't be read, or is not as it was written.
    """
    found = db.execute(_STEP, (row,)).fetchone()
    return Step(*found).whole() if found else None


def last_step(db: sqlite3.Connection) -> Step | None:
    """Return the last row, which gives the state of the table; None for a new journal.

    Raises:
        sqlite3.Error: If it can't be read, or is not as it was written.
    """
    return step_at(db, db.execute("SELECT max(id) FROM steps").fetchone()[0])


def game_to(db: sqlite3.Connection, row: int | None) -> list[Step]:
    """Return the rows from the start of a game to *row* as they are read, whole or not.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    return list(map(Step._make, db.execute(_GAME, (row,))))


def games_beside(db: sqlite3.Connection, line: Sequence[Step], word: str) -> Iterator[list[Step]]:
    """Yield, newest first, the rows up to each event not on *line* whose line begins with *word*.

    They are from the game of *line*, which is not empty, or from an identical one: with the same beginning,
    after the same game.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    root, known = line[0], {step.id for step in line}
    before = _start_of(db, root.parent)
    for (row,) in db.execute(_BESIDE, (before or 0, f"{word} %")).fetchall():
        if row not in known:
            beside = game_to(db, row)
            if beside[0].event == root.event and _start_of(db, beside[0].parent) == before:
                yield beside


def _start_of(db: sqlite3.Connection, row: int | None) -> int | None:
    """Return the row that began the game of *row*."""
    return game_to(db, row)[0].id if row else None


def desk_row(db: sqlite3.Connection) -> tuple[int, str] | None:
    """Return the number of the last accepted press and the unfinished input, or None if there is no row.

    If the row is damaged, the input is empty, and the number at least a possible one.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    found = db.execute("SELECT seq, data, crc FROM desk").fetchone()
    if found is None:
        return None
    seq, data, crc = found
    if crc == check_value((seq, data)):
        return int(seq), str(data)
    steps = db.execute("SELECT ifnull(max(id), 0) FROM steps").fetchone()[0]
    return (seq if isinstance(seq, int) and steps <= seq < LARGEST_SEQ else steps), ""


def keep_desk(db: sqlite3.Connection, seq: int, data: str) -> None:
    """Write the single row of `desk`.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    db.execute("INSERT OR REPLACE INTO desk VALUES (1, ?, ?, ?)", (seq, data, check_value((seq, data))))


def _check_desk(db: sqlite3.Connection) -> None:
    """Add the checksum to a `desk` of version 1 or 2."""
    db.execute("ALTER TABLE desk ADD COLUMN crc INTEGER")
    for seq, data in db.execute("SELECT seq, data FROM desk").fetchall():
        keep_desk(db, seq, data)


def prepare(db: sqlite3.Connection) -> None:
    """Create missing tables, and migrate those of an earlier version.

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
    if version in {1, 2}:
        _check_desk(db)
    if version in {0, 1, 2}:
        db.execute(GAMES)
    if version < VERSION:
        db.execute(SUMMARIES)
    # Written even if nothing changes, so that a disk that refuses writes is found now.  SQLite skips the page
    # of a row updated to its own value, but writes the header's page each time.
    db.execute(f"PRAGMA user_version={VERSION}")


def check(db: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError`, with the reason, unless the file is an intact journal.

    Its version must be known.  Of a large file only the end is checked, with the current state, so that no
    start has to wait for all games ever played; `cribpi doctor` checks the rest.
    """
    if size(db) <= CHECKED_AT_START and (found := faults(db)):
        raise sqlite3.DatabaseError(f"it is damaged: {found}")
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if _version(db) or tables:
        check_kind(db)
        if lost := steps_lost_at_the_end(db):
            raise sqlite3.DatabaseError(f"its last steps are lost, {lost} of them")


def size(db: sqlite3.Connection) -> int:
    """Return the size of the file in bytes."""
    pages, each = (db.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size"))
    return int(pages) * int(each)


def faults(db: sqlite3.Connection, *, indexes: bool = False) -> str:
    """Return what SQLite's own check finds wrong with the file, on one line; empty if nothing.

    *indexes* also compares the indexes with their tables.
    """
    found = db.execute(f"PRAGMA {'integrity' if indexes else 'quick'}_check(1)").fetchone()[0]
    return "" if found == "ok" else in_a_line(found)


def steps_lost_at_the_end(db: sqlite3.Connection) -> int:
    """Return how many steps were written after the last one present."""
    last = db.execute("SELECT ifnull(max(id), 0) FROM steps").fetchone()[0]
    return max((steps_written(db) or 0) - int(last), 0)


def steps_written(db: sqlite3.Connection) -> int | None:
    """Return how many steps were ever written, or None if unknown."""
    found = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'steps'").fetchone()
    return int(found[0]) if found and isinstance(found[0], int) else None


def in_a_line(said: object) -> str:
    r"""Join SQLite's message, which may have several lines, into one.

    >>> in_a_line("*** in database main ***\nPage 2: free space corruption")
    'in database main; Page 2: free space corruption'
    """
    return "; ".join(line.strip(" *") for line in str(said).splitlines() if line.strip(" *"))


class NewerJournal(sqlite3.DatabaseError):
    """A journal written by a newer version of cribpi."""


def check_kind(db: sqlite3.Connection) -> int:
    """Return the file's version.

    Raises:
        NewerJournal: If the version is not known yet.
        sqlite3.DatabaseError: If it is not a journal.
    """
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is a database, but not a cribpi journal")
    version = _version(db)
    if version > VERSION:
        raise NewerJournal(f"it is of version {version}, newer than this cribpi's {VERSION}: update cribpi")
    return version


def is_the_disks_fault(error: Exception) -> bool:
    """Return whether the disk refuses or the file is in use, rather than malformed (a missing table)."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def _version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


class Connection(sqlite3.Connection):
    """A connection to a file that may be damaged.

    If the names of its tables are damaged, SQLite quotes them, and the sqlite3 module fails to decode the
    quote.
    """

    def execute(self, sql: str, parameters: _Parameters = (), /) -> sqlite3.Cursor:
        """Execute *sql*.

        Raises:
            sqlite3.Error: As always; also if its own message can't be decoded.
        """
        try:
            return super().execute(sql, parameters)
        except UnicodeDecodeError as bad:
            raise sqlite3.DatabaseError("the names of its tables are damaged") from bad


def readable(db: sqlite3.Connection) -> None:
    """Read damaged text with replacement characters: it is not an error of the disk."""
    db.text_factory = _text


def _text(text: bytes) -> str:
    return text.decode(errors="replace")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """Run the body as one transaction, which is on the disk when this ends."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


# --- reading beside a companion ---------------------------------------------------------------------

_AS_VERSION_2: Final = "CREATE TEMP VIEW steps AS SELECT *, NULL AS crc FROM main.steps"


def reading(path: Path) -> tuple[str, bool]:
    """Return a URI that opens the journal *path* without writing, and whether a companion has it open.

    Without a companion, SQLite would create files beside it unless told that the file is immutable.
    """
    is_open = log_of(path).exists()
    return f"{path.absolute().as_uri()}?{'mode=ro' if is_open else 'immutable=1'}", is_open


def settled(path: Path, read: Callable[[str], Read]) -> Read:
    """Return *read*'s result, given a URI that opens *path*; again if a companion started meanwhile."""
    while True:
        uri, is_open = reading(path)
        try:
            found = read(uri)
        except Exception:
            if is_open or not reading(path)[1]:
                raise
        else:
            if is_open or not reading(path)[1]:
                return found


@contextlib.contextmanager
def opened(uri: str) -> Iterator[sqlite3.Connection]:
    """Open a snapshot of a journal for reading, with its steps in the format of this version.

    Raises:
        NewerJournal: If its version is not known yet.
        sqlite3.Error: If it can't be read, or is not a journal.
    """
    with contextlib.closing(sqlite3.connect(uri, uri=True, isolation_level=None, factory=Connection)) as db:
        readable(db)
        if check_kind(db) == 1:
            db.execute(_AS_VERSION_2)
        db.execute("BEGIN")
        yield db


def has_games(db: sqlite3.Connection) -> bool:
    """Return whether the journal's version has the table `games`."""
    return _version(db) >= 3


def make_games_beside(db: sqlite3.Connection) -> None:
    """Create an empty temporary table `games` that hides the file's until *db* is closed."""
    db.execute(GAMES.replace("CREATE TABLE", "CREATE TEMP TABLE"))


def make_summaries_beside(db: sqlite3.Connection) -> None:
    """Hide the file's table `summaries`, if its version has one, behind an empty temporary one."""
    db.execute(SUMMARIES.replace("CREATE TABLE", "CREATE TEMP TABLE"))


def has_summaries(db: sqlite3.Connection) -> bool:
    """Return whether the journal's version has the table `summaries`."""
    return _version(db) >= 4


# --- checking every row -----------------------------------------------------------------------------


def damage(db: sqlite3.Connection, *, whole: bool, indexes: bool = False) -> str:
    """Return what is damaged, on one line; empty if nothing is.

    *whole* checks the contents of each row, and *indexes* compares the indexes with their tables.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    if found := faults(db, indexes=indexes):
        return found
    rows, last = db.execute("SELECT (SELECT count(*) FROM steps), (SELECT max(id) FROM steps)").fetchone()
    written = max(steps_written(db) or 0, last or 0)
    if rows != written:
        return f"of {written:,} steps {rows:,} are there"
    if whole and (odd := rows_not_whole(db)):
        return not_as_written(odd)
    return ""


def not_as_written(rows: Sequence[int]) -> str:
    """Say which steps are not as they were written.

    >>> not_as_written([]), not_as_written([7])
    ('every step is whole', 'step 7 is not as it was written')
    >>> not_as_written([2, 5, 6, 7, 9, 12])
    'steps 2, 5 to 7, 9 and 1 more are not as they were written'
    """
    if not rows:
        return "every step is whole"
    if len(rows) == 1:
        return f"step {rows[0]} is not as it was written"
    runs: list[list[int]] = []
    for row in rows:
        if runs and runs[-1][-1] == row - 1:
            runs[-1][1:] = [row]
        else:
            runs.append([row])
    named, more = runs[:3], sum(run[-1] - run[0] + 1 for run in runs[3:])
    words = [" to ".join(map(str, run)) for run in named] + [f"{more:,} more"] * bool(more)
    listed = " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])
    return f"steps {listed} are not as they were written"


_PLAIN: Final = """
SELECT printf('[%d, "%s", "event", "%s", %d, %d, %d]', id, at, event, parent, depth, head), crc, id
FROM steps WHERE act = 'event'
"""
"""The JSON text behind the checksum of most events: with a parent, and nothing to escape."""
_MOVES: Final = "SELECT id FROM steps WHERE act <> 'event'"
_ODD: Final = """
SELECT id FROM steps
WHERE typeof(at) <> 'text' OR typeof(act) <> 'text' OR typeof(event) <> iif(act = 'event', 'text', 'null')
    OR crc IS NULL AND id > (SELECT min(id) FROM steps WHERE crc IS NOT NULL)
"""
"""Columns of another type than was written, and rows without a checksum after rows that have one."""


def rows_not_whole(db: sqlite3.Connection) -> list[int]:
    """Return the rows of `steps` that are not as they were written, in ascending order.

    A million rows take two seconds, as most are compared in bulk.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    odd = {row for (row,) in db.execute(_ODD)}
    doubtful = {row for (row,) in db.execute(_MOVES)}
    usual, db.text_factory = db.text_factory, bytes
    try:
        plain = db.execute(_PLAIN)
        while rows := plain.fetchmany(1024):
            texts, written, numbers = zip(*rows, strict=True)
            if (found := tuple(map(crc32, texts))) != written:
                doubtful.update(compress(numbers, map(ne, found, written)))
    finally:
        db.text_factory = usual
    odd.update(row for row in doubtful if not Step(*db.execute(_STEP, (row,)).fetchone()).is_whole)
    return sorted(odd)
