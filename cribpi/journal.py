"""The journal: every accepted press on the disk before anyone sees its effect; nothing is ever deleted.

One SQLite file.  Each row of `steps` is an event, an undo or a redo, with its time; events are kept in
the words of the game record.  Rows form a tree: an event's *parent* is the row on which it stood, so
that undo moves the head to the parent and redo moves it back, and no row is changed.  What lies half
entered, and the last answers by their ids, are written in the same transaction.

A transaction is on the disk when `commit` returns: WAL with `synchronous=FULL`.  What a card does with
what it has acknowledged is beyond any program.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from cribpi.core.events import Event
from cribpi.core.game import fold
from cribpi.core.record import RecordError, parse_event, print_event

APPLICATION_ID: Final = 0x43524942
"""Marks the file as ours: "CRIB"."""

VERSION: Final = 1
"""The version of the tables.  Each version ever shipped is still read."""

ANSWERS_KEPT: Final = 4096

_TABLES: Final = """
CREATE TABLE steps (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,                                             -- time, ISO 8601, UTC
    act TEXT NOT NULL CHECK (act IN ('event', 'undo', 'redo')),
    event TEXT,                                                   -- a line of the game record
    parent INTEGER,                                               -- the row on which an event stood
    depth INTEGER NOT NULL,                                       -- events up to the head, after this row
    head INTEGER                                                  -- where the table stands, after this row
);
CREATE TABLE desk (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, data TEXT NOT NULL);
CREATE TABLE answers (
    place INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, status INTEGER NOT NULL, body TEXT NOT NULL
);
"""

_CHAIN: Final = """
WITH RECURSIVE chain (id, parent, event, depth) AS (
    SELECT id, parent, event, depth FROM steps WHERE id = ?
    UNION ALL
    SELECT steps.id, steps.parent, steps.event, steps.depth FROM steps JOIN chain ON steps.id = chain.parent
    WHERE chain.event NOT LIKE 'game %' AND steps.id < chain.id  -- a damaged chain must not go in circles
)
SELECT event FROM chain ORDER BY depth
"""
"""The events from the start of a game to the row that is asked for."""


class JournalTrouble(Exception):
    """The disk does not take or give what it should.  Its text is a sentence with the remedy."""


class StateFolderTrouble(JournalTrouble):
    """The state folder can't be used at all."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a press was answered: an HTTP status, and JSON text."""

    status: int
    body: str


@dataclass(frozen=True, slots=True)
class Write:
    """One transaction: at most one step, the desk with its number, at most one answer."""

    seq: int
    desk: str
    event: Event | None = None
    move: Literal["undo", "redo"] | None = None
    answer: tuple[str, Answer] | None = None


@contextlib.contextmanager
def _reading() -> Iterator[None]:
    """Turn what the disk or a damaged row does to a press into a sentence."""
    try:
        yield
    except (sqlite3.Error, RecordError) as bad:
        raise JournalTrouble(
            f"an earlier step can't be read ({bad}), so nothing has changed: the game goes on from here"
        ) from bad


class Journal:
    """The open file.  One thread at a time uses it."""

    def __init__(self, path: Path) -> None:
        """Open *path*, or make it.

        Raises:
            sqlite3.DatabaseError: If it is damaged or no journal of this version.
            OSError, sqlite3.OperationalError: If the disk refuses.
        """
        self.path = path
        self._db = self._open()
        self.head: int | None = None
        self.undone: list[int] = []
        try:
            self._resume()
        except BaseException:
            self._db.close()
            raise

    def _open(self) -> sqlite3.Connection:
        new = not self.path.exists()
        db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        db.text_factory = lambda text: text.decode(errors="replace")  # a damaged text is no error of the disk
        try:
            if not new:
                _check(db)
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            with _transaction(db):
                if db.execute("PRAGMA user_version").fetchone()[0] == 0:
                    for table in _TABLES.split(";"):
                        db.execute(table)
                    db.execute(f"PRAGMA application_id={APPLICATION_ID}")
                    db.execute(f"PRAGMA user_version={VERSION}")
                else:  # a write, so that a disk that takes none is found now
                    db.execute("UPDATE desk SET seq = seq")
        except BaseException:
            db.close()
            raise
        return db

    def _resume(self) -> None:
        row = self._db.execute("SELECT head FROM steps ORDER BY id DESC LIMIT 1").fetchone()
        self.head = row[0] if row else None
        tip = self._db.execute("SELECT max(id) FROM steps WHERE act = 'event'").fetchone()[0]
        while tip != self.head:
            if tip is None:
                raise sqlite3.DatabaseError("its steps do not lead to where the table stands")
            self.undone.append(tip)
            later, tip = tip, self._parent(tip)
            if tip is not None and tip >= later:
                raise sqlite3.DatabaseError("its steps go in circles")

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    def pragmas(self) -> dict[str, object]:
        """Return what the safety of the file rests on, as SQLite reports it."""
        names = ("journal_mode", "synchronous", "application_id", "user_version")
        return {name: self._db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}

    @property
    def may_undo(self) -> bool:
        """Whether there is a step to take back."""
        return self.head is not None

    @property
    def may_redo(self) -> bool:
        """Whether the last thing done to the line of events was an undo."""
        return bool(self.undone)

    @property
    @_reading()
    def depth(self) -> int:
        """How many steps can be taken back.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        found = self._db.execute("SELECT depth FROM steps WHERE id = ?", (self.head,)).fetchone()
        return int(found[0]) if found else 0

    def game(self) -> list[Event]:
        """Return the events of the game in which the table stands, up to where it stands.

        Raises:
            RecordError: If one can't be read.
        """
        return self._game(self.head)

    @_reading()
    def game_before(self) -> list[Event]:
        """Return what `game` will return when the last event is taken back.

        Raises:
            JournalTrouble: If it can't be read.
        """
        return self._game(self._parent(self.head))

    @_reading()
    def undone_event(self) -> Event:
        """Return the event that a redo brings back.

        Raises:
            JournalTrouble: If it can't be read.
        """
        found = self._db.execute("SELECT event FROM steps WHERE id = ?", (self.undone[-1],)).fetchone()
        return parse_event(found[0])

    def _game(self, last: int | None) -> list[Event]:
        return [parse_event(line) for (line,) in self._db.execute(_CHAIN, (last,))]

    def _parent(self, row: int | None) -> int | None:
        found = self._db.execute("SELECT parent FROM steps WHERE id = ?", (row,)).fetchone()
        return found[0] if found else None

    def desk(self) -> tuple[int, str] | None:
        """Return the number of the last accepted press and what lay half entered, or None for a new table."""
        found = self._db.execute("SELECT seq, data FROM desk").fetchone()
        return (int(found[0]), str(found[1])) if found else None

    @_reading()
    def answer(self, name: str) -> Answer | None:
        """Return the answer that the press of id *name* was given, while it is kept.

        Raises:
            JournalTrouble: If the disk refuses.
        """
        found = self._db.execute("SELECT status, body FROM answers WHERE id = ?", (name,)).fetchone()
        return Answer(*found) if found else None

    def commit(self, write: Write, at: str) -> None:
        """Write one transaction, at the time *at*.

        Raises:
            JournalTrouble: If the disk refuses; then nothing is written.
        """
        head, undone = self.head, self.undone
        try:
            with _transaction(self._db):
                if write.event is not None:
                    head, undone = self._append(write.event, at), []
                elif write.move == "undo" and self.head is not None:
                    head, undone = self._parent(self.head), [*self.undone, self.head]
                    self._move(write.move, head, self.depth - 1, at)
                elif write.move == "redo":
                    head, undone = self.undone[-1], self.undone[:-1]
                    self._move(write.move, head, self.depth + 1, at)
                self._db.execute(
                    "INSERT INTO desk VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data",
                    (write.seq, write.desk),
                )
                if write.answer is not None:
                    self._keep_answer(*write.answer)
        except sqlite3.ProgrammingError:
            raise  # a fault of ours, and not of the disk
        except sqlite3.Error as refused:
            raise JournalTrouble(
                f"not saved, and nothing has changed ({refused}): make room on the disk, then press again"
            ) from refused
        self.head, self.undone = head, undone

    def refuse(self, name: str, answer: Answer) -> None:
        """Keep the answer to a press that was refused; where the disk does not take it, go on without."""
        with contextlib.suppress(sqlite3.Error), _transaction(self._db):
            self._keep_answer(name, answer)

    def _append(self, event: Event, at: str) -> int | None:
        new = self._db.execute(
            "INSERT INTO steps (at, act, event, parent, depth) VALUES (?, 'event', ?, ?, ?)",
            (at, print_event(event), self.head, self.depth + 1),
        ).lastrowid
        self._db.execute("UPDATE steps SET head = id WHERE id = ?", (new,))
        return new

    def _move(self, act: str, head: int | None, depth: int, at: str) -> None:
        self._db.execute(
            "INSERT INTO steps (at, act, depth, head) VALUES (?, ?, ?, ?)", (at, act, depth, head)
        )

    def _keep_answer(self, name: str, answer: Answer) -> None:
        place = self._db.execute(
            "INSERT OR REPLACE INTO answers (id, status, body) VALUES (?, ?, ?)",
            (name, answer.status, answer.body),
        ).lastrowid
        self._db.execute("DELETE FROM answers WHERE place <= ?", ((place or 0) - ANSWERS_KEPT,))


def _check(db: sqlite3.Connection) -> None:
    """Raise `sqlite3.DatabaseError`, with the reason, if the file is no whole journal of this version."""
    found = db.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise sqlite3.DatabaseError(f"it is damaged: {found}")
    version = db.execute("PRAGMA user_version").fetchone()[0]
    tables = db.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    if version == 0 and tables == 0:
        return
    if db.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
        raise sqlite3.DatabaseError("it is a database, but no journal of cribpi")
    if version > VERSION:
        raise sqlite3.DatabaseError(f"it is of version {version}, newer than this cribpi's {VERSION}")


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            db.execute("ROLLBACK")
        raise


class StateFolder:
    """The folder that holds the journal; one running companion holds the folder."""

    def __init__(self, path: Path) -> None:
        """Make and lock the folder *path*.

        Raises:
            StateFolderTrouble: If it can't be written, or another companion holds it.
        """
        self.path = path
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._lock = os.open(path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as refused:
            raise StateFolderTrouble(
                f"{path}: {_reason(refused)}: make it a folder you can write to, or choose another with --state"
            ) from refused
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._lock)
            raise StateFolderTrouble(
                f"{path}: another cribpi is running on it: stop that one, or choose another folder with --state"
            ) from None

    def close(self) -> None:
        """Let the folder go."""
        os.close(self._lock)

    def open_journal(self) -> tuple[Journal, str | None]:
        """Open the journal; one that can't be read is set aside under another name.

        Returns the journal, and a sentence if an old one was set aside.

        Raises:
            StateFolderTrouble: If the disk refuses.
        """
        path = self.path / "journal.db"
        try:
            try:
                journal = Journal(path)
                try:
                    fold(journal.game())
                    journal.desk()
                except BaseException:
                    journal.close()
                    raise
            except (sqlite3.DatabaseError, ValueError, TypeError) as bad:
                if _is_the_disks_fault(bad):
                    raise
                aside = self._set_aside(path)
                return Journal(
                    path
                ), f"the journal could not be read ({bad}): it is kept as {aside}, and a new one begun"
        except (OSError, sqlite3.Error) as refused:
            raise StateFolderTrouble(
                f"{path}: {refused}: make the folder and the file writable, make room, or choose another with --state"
            ) from refused
        return journal, None

    def _set_aside(self, path: Path) -> str:
        number = 1
        while (aside := path.with_name(f"journal-aside-{number}.db")).exists():
            number += 1
        path.rename(aside)
        for tail in ("-wal", "-shm"):
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + tail).rename(aside.with_name(aside.name + tail))
        return aside.name


def _is_the_disks_fault(error: Exception) -> bool:
    """Tell a disk that refuses, or a file in use, from a file that makes no sense (a table is missing)."""
    return isinstance(error, sqlite3.OperationalError) and error.sqlite_errorcode != sqlite3.SQLITE_ERROR


def _reason(error: OSError) -> str:
    return os.strerror(error.errno or errno.EIO).lower()
