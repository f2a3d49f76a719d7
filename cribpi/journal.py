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
import fcntl
import os
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from cribpi.core.events import Event
from cribpi.core.game import fold
from cribpi.core.record import RecordError, parse_event, print_event
from cribpi.disk import reason, remedy
from cribpi.journal_file import (
    check,
    check_value,
    game_to,
    in_a_line,
    last_step,
    prepare,
    readable,
    step_at,
    transaction,
)

ANSWERS_KEPT: Final = 4096


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
    """One transaction: at most one event or one move, the desk with its number, at most one answer."""

    seq: int
    desk: str
    event: Event | None = None
    move: Literal["undo", "redo"] | None = None
    steps: int = 1
    """How many events *move* takes back or brings back."""
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
        readable(db)
        try:
            if not new:
                check(db)
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("PRAGMA synchronous=FULL")
            db.execute("PRAGMA foreign_keys=ON")
            with transaction(db):
                prepare(db)
        except BaseException:
            db.close()
            raise
        return db

    def _resume(self) -> None:
        last = last_step(self._db)
        self.head = last.head if last else None
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
        step = step_at(self._db, self.head)
        return step.depth if step else 0

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
    def undone_event(self, ahead: int = 0) -> Event:
        """Return the event that a redo brings back, or the one *ahead* so many steps after it.

        Raises:
            JournalTrouble: If it can't be read.
        """
        step = step_at(self._db, self.undone[-1 - ahead])
        if step is None:
            raise sqlite3.DatabaseError("it is missing")
        return parse_event(step.event)

    def _game(self, last: int | None) -> list[Event]:
        return [parse_event(step.whole().event) for step in game_to(self._db, last)]

    def _parent(self, row: int | None) -> int | None:
        step = step_at(self._db, row)
        return step.parent if step else None

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
        with self._writing("then press again"):
            if write.event is not None:
                head, undone = self._append(write.event, head, self.depth, at), []
            elif write.move is not None:
                for step in range(1, write.steps + 1):
                    head, undone = self._moved(write.move, head, undone)
                    self._move(write.move, head, self.depth + (step if write.move == "redo" else -step), at)
            self._keep_desk(write.seq, write.desk)
            if write.answer is not None:
                self._keep_answer(*write.answer)
        self.head, self.undone = head, undone

    def take_in(self, events: Iterable[Event], seq: int, desk: str, at: str) -> None:
        """Write *events* in one transaction, each a step of its own that can be undone.

        *seq* and *desk* are the desk's after the last of them.

        Raises:
            JournalTrouble: If the disk refuses; then nothing is written.
        """
        head = self.head
        with self._writing("then import again"):
            for depth, event in enumerate(events, start=self.depth):
                head = self._append(event, head, depth, at)
            self._keep_desk(seq, desk)
        self.head, self.undone = head, [] if head != self.head else self.undone

    @contextlib.contextmanager
    def _writing(self, again: str) -> Iterator[None]:
        """Write all or nothing, and turn a disk that refuses into a sentence: what mends it, and what to do *again*."""
        try:
            with transaction(self._db):
                yield
        except sqlite3.ProgrammingError:
            raise  # a fault of ours, and not of the disk
        except sqlite3.Error as refused:
            mends = remedy(refused, "stop any other program that has the journal open")
            raise JournalTrouble(
                f"not saved, and nothing has changed ({refused}): {mends}, {again}"
            ) from refused

    def refuse(self, name: str, answer: Answer) -> None:
        """Keep the answer to a press that was refused; where the disk does not take it, go on without."""
        with contextlib.suppress(sqlite3.Error), transaction(self._db):
            self._keep_answer(name, answer)

    def _append(self, event: Event, parent: int | None, depth: int, at: str) -> int | None:
        """Write an event that stands on *parent*, which has *depth* events up to it; return its row."""
        new = self._db.execute(
            "INSERT INTO steps (at, act, event, parent, depth) VALUES (?, 'event', ?, ?, ?)",
            (at, line := print_event(event), parent, depth + 1),
        ).lastrowid
        crc = check_value((new, at, "event", line, parent, depth + 1, new))
        self._db.execute("UPDATE steps SET head = id, crc = ? WHERE id = ?", (crc, new))
        return new

    def _moved(
        self, move: Literal["undo", "redo"], head: int | None, undone: list[int]
    ) -> tuple[int | None, list[int]]:
        """Return where the table stands after one step of *move*, and what can be brought back then."""
        if move == "redo":
            return undone[-1], undone[:-1]
        return (head, undone) if head is None else (self._parent(head), [*undone, head])

    def _move(self, act: str, head: int | None, depth: int, at: str) -> None:
        new = self._db.execute(
            "INSERT INTO steps (at, act, depth, head) VALUES (?, ?, ?, ?)", (at, act, depth, head)
        ).lastrowid
        crc = check_value((new, at, act, None, None, depth, head))
        self._db.execute("UPDATE steps SET crc = ? WHERE id = ?", (crc, new))

    def _keep_desk(self, seq: int, desk: str) -> None:
        self._db.execute(
            "INSERT INTO desk VALUES (1, ?, ?) ON CONFLICT DO UPDATE SET seq = excluded.seq, data = excluded.data",
            (seq, desk),
        )

    def _keep_answer(self, name: str, answer: Answer) -> None:
        place = self._db.execute(
            "INSERT OR REPLACE INTO answers (id, status, body) VALUES (?, ?, ?)",
            (name, answer.status, answer.body),
        ).lastrowid
        self._db.execute("DELETE FROM answers WHERE place <= ?", ((place or 0) - ANSWERS_KEPT,))


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
            mends = remedy(refused, "make it a folder you can write to")
            raise StateFolderTrouble(
                f"{path}: {reason(refused)}: {mends}, or choose another with --state"
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
                return (
                    Journal(path),
                    f"the journal could not be read ({in_a_line(bad)}): it is kept as {aside}, and a new one begun",
                )
        except (OSError, sqlite3.Error) as refused:
            mends = remedy(refused, "make the folder and the file writable")
            raise StateFolderTrouble(
                f"{path}: {refused}: {mends}, or choose another with --state"
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
