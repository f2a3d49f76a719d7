"""The journal's file while it is open for writing: SQLite's way to it, its log, and where it lies."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cribpi.storage.database import Connection, check, prepare, readable, transaction
from cribpi.storage.location import Place, copies, files, log_of, make_private, sync
from cribpi.storage.wal import Log

IN_MEMORY: Final = ":memory:"
"""The path of a journal that is kept on no disk."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",
    "foreign_keys": "ON",
    "journal_size_limit": "0",  # what `storage.wal` rests on
}


class Opened:
    """An open journal."""

    def __init__(self, path: Path) -> None:
        """Open *path*, or make it; its version is this one's then.

        Raises:
            sqlite3.DatabaseError: If it is damaged or no journal of this version.
            OSError, sqlite3.OperationalError: If the disk refuses.
        """
        is_new, was_left = not path.exists(), _has_log(path)
        if str(path) != IN_MEMORY:
            make_private(path.resolve())
        self.path = path
        self.db = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=Connection)
        try:
            readable(self.db)
            if not is_new:
                check(self.db)
            for name, value in PRAGMAS.items():
                self.db.execute(f"PRAGMA {name}={value}")
            with transaction(self.db):
                prepare(self.db)
            if was_left:  # it may end with what does not count
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._log = Log(path)
            self._place = Place(path)
        except BaseException:
            self.db.close()
            raise

    def is_in_place(self) -> bool:
        """Tell whether each of its files lies where it was opened."""
        return self._place.is_kept()

    @property
    def may_come_back(self) -> bool:
        """Whether something that was refused could not be cut off the log yet."""
        return self._log.is_open

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Do all that follows, or nothing of it, now and after a restart; it is on the disk when this ends.

        Raises:
            sqlite3.Error, OSError: If the disk refuses.
        """
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self._log.begin()
            yield
        except BaseException:
            self._take_back()
            raise
        self._log.commits()
        try:
            self.db.execute("COMMIT")
        except sqlite3.Error:
            self._log.refuses()
            self._take_back()
            raise

    def _take_back(self) -> None:
        """Undo what was begun, and cut it off the log while nobody else writes."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._log.cut()
            finally:
                self.db.execute("ROLLBACK")

    def write_copy(self) -> None:
        """Write all that is in it to a new file beside it, which `put_in_place` takes when it is whole.

        Its own files may have no name any more.

        Raises:
            sqlite3.Error, OSError: If the disk refuses.
        """
        begun, whole = copies(self.path)
        for path in (*files(begun), whole):
            path.unlink(missing_ok=True)  # of one that was not finished
        make_private(begun)
        with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=OFF")
            self.db.backup(db)
        sync(begun)
        begun.rename(whole)

    def close(self) -> None:
        """Close all of it."""
        self._log.close()
        self.db.close()


def _has_log(path: Path) -> bool:
    """Tell whether a program that was killed has left a log, or one that runs has it open."""
    with contextlib.suppress(OSError):
        return log_of(path).stat().st_size > 0
    return False
