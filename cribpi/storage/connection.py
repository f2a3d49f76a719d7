"""The journal's file while it is open for writing: its SQLite connection, its log, and its location."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from cribpi.storage.database import check, connect, prepare, transaction
from cribpi.storage.location import Place, copies, files, log_of, make_private, sync
from cribpi.storage.wal import Log

IN_MEMORY: Final = ":memory:"
"""The path of a journal that is not on disk."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",  # WAL's usual NORMAL syncs once in about 12 commits: a pulled plug loses the rest
    "foreign_keys": "ON",
    "journal_size_limit": "0",  # `storage.wal` depends on it: a restarted log is truncated
}


class Opened:
    def __init__(self, path: Path) -> None:
        """Open or create *path*, and bring it to this version.

        Raises:
            sqlite3.DatabaseError: If it is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If the disk refuses.
        """
        is_new, was_left = not path.exists(), _has_log(path)
        if str(path) != IN_MEMORY:
            make_private(path.resolve())
        self.path = path
        self.db = connect(path)
        try:
            if not is_new:
                check(self.db)
            for name, value in PRAGMAS.items():
                self.db.execute(f"PRAGMA {name}={value}")
            with transaction(self.db):
                prepare(self.db)
            if was_left:  # it may end with a transaction that was refused
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            self._log = Log(path)
            self._place = Place(path)
        except BaseException:
            self.db.close()
            raise

    def is_in_place(self) -> bool:
        """Return whether each of its files is still where it was opened."""
        return self._place.is_kept()

    @property
    def may_come_back(self) -> bool:
        """Whether a refused transaction could not be cut off the log yet."""
        return self._log.is_open

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the body as one transaction, which is on the disk when this ends.

        If it is refused, nothing of it is there, also after a restart.

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
        """Roll back, and cut the transaction off the log while nobody else can write."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._log.cut()
            finally:
                self.db.execute("ROLLBACK")

    def write_copy(self) -> None:
        """Write all its contents to a new file beside it, for `put_in_place` to rename once complete.

        Its own files may no longer have a name.

        Raises:
            sqlite3.Error, OSError: If the disk refuses.
        """
        begun, whole = copies(self.path)
        for path in (*files(begun), whole):
            path.unlink(missing_ok=True)  # from an unfinished attempt
        make_private(begun)
        with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as db:
            db.execute("PRAGMA journal_mode=OFF")
            self.db.backup(db)
        sync(begun)
        begun.rename(whole)

    def close(self) -> None:
        self._log.close()
        self.db.close()


def _has_log(path: Path) -> bool:
    """Return whether a killed program has left a log, or a running one has it open."""
    with contextlib.suppress(OSError):
        return log_of(path).stat().st_size > 0
    return False
