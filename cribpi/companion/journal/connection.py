"""The journal's SQLite file, open for writing: its connection, its write-ahead log and its location."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from cribpi.companion.files.atomic import sync
from cribpi.companion.journal.database import CHECKED_AT_START, check, connect, opened, prepare
from cribpi.companion.journal.file_watch import WatchedFiles
from cribpi.companion.journal.location import copies, files, log_of, make_private

IN_MEMORY: Final = ":memory:"
"""Path that stands for a journal in memory."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    # Sync every commit. NORMAL, the default of some builds in WAL mode, syncs the log only at a checkpoint: a
    # power cut would lose the commits since then.
    "synchronous": "FULL",
    "foreign_keys": "ON",
    # SQLite truncates a restarted log, so that the log ends with its last valid page.
    "journal_size_limit": "0",
    # Only `checkpoint` copies pages: `watched` must know about each change of the main file.
    "wal_autocheckpoint": "0",
    # Large enough to keep every page read, in case the file is damaged later.
    "cache_size": str(-CHECKED_AT_START // 1024),
    "mmap_size": "0",
}

_CHECKPOINT_FROM: Final = 4_000_000
"""Size of the log in bytes from which its pages are copied to the main file, like SQLite's default."""

_MALFORMED: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
}

_LOG_HEADER: Final = 32
"""Size of the log's header in bytes. The header changes each time the log is restarted."""


def is_malformed(bad: Exception) -> bool:
    """Return whether SQLite found a malformed file. A failed read or write is not one."""
    if not isinstance(bad, sqlite3.DatabaseError):
        return False
    code = getattr(bad, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # this project's own errors have no code
    return bool(_MALFORMED & {code, code & 0xFF})


class JournalFile:
    """The SQLite connection and its write-ahead log (WAL). A failed transaction is cut off the log.

    A commit appends its pages to the log, the last with a commit mark, and then syncs. If only the sync
    fails, SQLite reports a failure and forgets the transaction. Its pages and mark are still in the log,
    however, and the next program to open the file takes them for committed: the failed key press would come
    back. The log is therefore truncated to its previous length (https://www.sqlite.org/walformat.html).

    That length is known because of `PRAGMA journal_size_limit=0`. When SQLite restarts the log, it truncates
    the log after the first transaction, so that the log always ends with the last valid page.
    """

    def __init__(self, path: Path) -> None:
        """Open or create the journal at *path*, and migrate it to the current version.

        Raises:
            sqlite3.DatabaseError: If the file is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If a read or write fails.
        """
        log = log_of(path)
        # An existing log belongs to a program that was killed, or to one that is running.
        is_new, was_left = not path.exists(), log.exists() and log.stat().st_size > 0
        if str(path) != IN_MEMORY:
            make_private(path.resolve())
        self.path = path
        self.db = connect(path)
        self.may_come_back = False
        """Whether the log may end with a transaction that failed."""
        try:
            if not is_new:
                check(self.db)
            for name, value in PRAGMAS.items():
                self.db.execute(f"PRAGMA {name}={value}")
            self.db.execute("BEGIN IMMEDIATE")
            prepare(self.db)
            self.db.execute("COMMIT")
            # A log left by a killed program may end with a failed transaction. A new journal must be readable
            # even if its log is lost.
            if is_new or was_left:
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # A journal in memory has no log. Some file systems don't support one either.
            self._log = os.open(log, os.O_RDWR | os.O_CLOEXEC) if log.exists() else None
            self._log_header, self._log_end = b"", 0
            self.watched = WatchedFiles(path)
        except BaseException:
            self.db.close()
            raise

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the body as one transaction. It is on disk at the end of the block.

        If it fails, nothing of it is stored, even after a restart. The caller must have checked that no other
        program has changed the files.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        self._check_writable()
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self._note_end_of_log()
            yield
            # Once COMMIT runs, its error shows whether the log may hold the transaction.
            self.may_come_back = False
            self.db.execute("COMMIT")
        except BaseException as error:
            if isinstance(error, sqlite3.Error):  # if only the sync failed, the transaction is in the log
                self.may_come_back = self._log is not None
            self._roll_back()
            raise
        finally:
            self.watched.note(is_log_whole=not self.may_come_back)
        if self._log is not None and os.fstat(self._log).st_size > _CHECKPOINT_FROM:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Copy the log's pages to the main file, except those that readers still use. Errors are ignored."""
        if self.watched.are_as_left():
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self.watched.note(is_main_written=True, is_log_whole=not self.may_come_back)

    def _check_writable(self) -> None:
        """Check that the file system is writable.

        After an emergency remount, ext4 is read-only: it accepts writes and syncs to open files, but discards
        them.

        Raises:
            OSError: If the file system is read-only.
        """
        if str(self.path) != IN_MEMORY and os.statvfs(self.path).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.path))

    def _roll_back(self) -> None:
        """Roll back, and cut the transaction off the log. Meanwhile no other connection can write."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._cut_log()
            finally:
                self.db.execute("ROLLBACK")

    def _note_end_of_log(self) -> None:
        """Record the length of the log. First, an earlier failed transaction is cut off.

        Raises:
            OSError: If the write fails.
        """
        if self._log is not None:
            self._cut_log()
            self._log_header = os.pread(self._log, _LOG_HEADER, 0)
            self._log_end = os.fstat(self._log).st_size
            self.may_come_back = True

    def _cut_log(self) -> None:
        """Cut a failed transaction off the log. Otherwise it would come back when the journal is next opened.

        Raises:
            OSError: If the write fails.
        """
        if self._log is None or not self.may_come_back:
            return
        # If the log was restarted since, all of it is the failed transaction: earlier pages are in the main
        # file.
        is_same = os.pread(self._log, _LOG_HEADER, 0) == self._log_header
        os.ftruncate(self._log, min(self._log_end, os.fstat(self._log).st_size) if is_same else 0)
        self.may_come_back = False
        # If syncing works again, the cut also survives a power cut.
        with contextlib.suppress(OSError):
            os.fdatasync(self._log)

    def write_copy(self, is_right: Callable[[sqlite3.Connection], bool]) -> bool:
        """Write the whole journal to a new file next to it. `put_in_place` can then rename that file.

        The journal's own files may have been deleted or changed, but SQLite still has recently used pages in
        memory. *is_right* checks the copy. Return whether the copy is complete and right; otherwise it is
        discarded.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        begun, _ = copies(self.path)
        self.remove_copies()
        make_private(begun)
        self.watched.restore_index()
        try:
            with contextlib.closing(sqlite3.connect(begun, isolation_level=None)) as db:
                db.execute("PRAGMA journal_mode=OFF")
                self.db.backup(db)
            with opened(f"{begun.absolute().as_uri()}?immutable=1") as db:
                if not is_right(db):
                    return False
        except sqlite3.DatabaseError as bad:
            if not is_malformed(bad):
                raise
            return False
        self.complete_copy()
        return True

    def complete_copy(self) -> None:
        """Sync the copy to disk, and rename it to mark it as complete.

        Raises:
            OSError: If the write fails.
        """
        begun, whole = copies(self.path)
        sync(begun)
        begun.rename(whole)

    def remove_copies(self) -> None:
        """Delete the copy, complete or not.

        Raises:
            OSError: If the write fails.
        """
        begun, whole = copies(self.path)
        for path in (*files(begun), whole):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        self.db.close()
        if self._log is not None:
            os.close(self._log)
        self.watched.close()
