"""The journal's file while it is open for writing: its SQLite connection, its log, and its location."""

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
"""The path of a journal in memory."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",  # WAL's usual NORMAL syncs once in about 12 commits: a pulled plug loses the rest
    "foreign_keys": "ON",
    "journal_size_limit": "0",  # makes SQLite truncate a restarted log, which is how the log's end is known
    "wal_autocheckpoint": "0",  # `checkpoint` does it: each change of the main file must be ours
    "cache_size": str(-CHECKED_AT_START // 1024),  # pages once read stay in memory if the file is damaged
    "mmap_size": "0",
}

_CHECKPOINT_FROM: Final = 4_000_000
"""Size of the log in bytes above which its pages are copied to the main file; SQLite's own default."""

_MALFORMED: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
}

_LOG_HEADER: Final = 32
"""Bytes of the log's header, which changes each time the log is restarted."""


def is_malformed(bad: Exception) -> bool:
    """Return whether SQLite reports a malformed file, rather than a failed read or write."""
    if not isinstance(bad, sqlite3.DatabaseError):
        return False
    code = getattr(bad, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # our own errors have no code
    return bool(_MALFORMED & {code, code & 0xFF})


class JournalFile:
    """The connection, and SQLite's log next to it, its WAL: a failed transaction is cut off its end.

    A commit writes its pages at the end of the log, the last of them with a commit mark, and then syncs. If
    only the sync fails, SQLite reports failure and forgets the transaction, but pages and mark are in the
    log, and the next program that opens the file, as after `kill -9`, takes them for committed: the failed
    press would come back. So the log is truncated to its length before
    (https://www.sqlite.org/walformat.html).

    That length is known thanks to `PRAGMA journal_size_limit=0`: when SQLite restarts the log, it truncates
    it after the first transaction, so the log always ends with the last valid page.
    """

    def __init__(self, path: Path) -> None:
        """Open or create *path*, and bring it to this version.

        Raises:
            sqlite3.DatabaseError: If it is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If a read or write fails.
        """
        log = log_of(path)
        # An existing log was left by a killed program, or a running one has it open.
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
            # A leftover log may end with a failed transaction; and a new journal must be readable even if its
            # log is lost.
            if is_new or was_left:
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # A journal in memory has no log, nor has one on a file system that does not support it.
            self._log = os.open(log, os.O_RDWR | os.O_CLOEXEC) if log.exists() else None
            self._log_header, self._log_end = b"", 0
            self.watched = WatchedFiles(path)
        except BaseException:
            self.db.close()
            raise

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the body as one transaction, which is on the disk when this ends.

        If it fails, none of it is stored, also after a restart. The files must be unchanged by others.

        Raises:
            sqlite3.Error, OSError: If the write fails.
        """
        self._check_writable()
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self._note_end_of_log()
            yield
            self.may_come_back = False  # from here on SQLite itself decides whether it has succeeded
            self.db.execute("COMMIT")
        except BaseException as error:
            if isinstance(error, sqlite3.Error):  # if only the sync has failed, the transaction is in the log
                self.may_come_back = self._log is not None
            self._roll_back()
            raise
        finally:
            self.watched.note(is_log_whole=not self.may_come_back)
        if self._log is not None and os.fstat(self._log).st_size > _CHECKPOINT_FROM:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Copy the log's pages to the main file, except those in use by readers; ignore errors."""
        if self.watched.are_as_left():
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self.watched.note(is_main_written=True, is_log_whole=not self.may_come_back)

    def _check_writable(self) -> None:
        """Check that the file system is not read-only.

        A file system that becomes read-only while the file is open accepts writes and syncs silently, and
        discards them: ext4 does so after an emergency remount.

        Raises:
            OSError: If it is.
        """
        if str(self.path) != IN_MEMORY and os.statvfs(self.path).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.path))

    def _roll_back(self) -> None:
        """Roll back, and cut the transaction off the log while no other connection can write."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._cut_log()
            finally:
                self.db.execute("ROLLBACK")

    def _note_end_of_log(self) -> None:
        """Record the length of the log, after cutting off an earlier failed transaction.

        Raises:
            OSError: If the write fails.
        """
        if self._log is not None:
            self._cut_log()
            self._log_header = os.pread(self._log, _LOG_HEADER, 0)
            self._log_end = os.fstat(self._log).st_size
            self.may_come_back = True

    def _cut_log(self) -> None:
        """Cut off a failed transaction, so that it does not come back when the journal is next opened.

        Raises:
            OSError: If the write fails.
        """
        if self._log is None or not self.may_come_back:
            return
        # A log restarted since then contains nothing else: its former pages are in the main file.
        is_same = os.pread(self._log, _LOG_HEADER, 0) == self._log_header
        os.ftruncate(self._log, min(self._log_end, os.fstat(self._log).st_size) if is_same else 0)
        self.may_come_back = False
        # If syncing works again by now, the cut survives a power failure, too.
        with contextlib.suppress(OSError):
            os.fdatasync(self._log)

    def write_copy(self, is_right: Callable[[sqlite3.Connection], bool]) -> bool:
        """Write the whole journal to a new file next to it, for `put_in_place` to rename once complete.

        The journal's own files may have lost their names, or been changed: SQLite still has recently used
        pages in memory. Return whether the copy is complete and *is_right* confirms it; otherwise the copy is
        not kept.

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
        """Sync the written copy, and give it the name of a complete one.

        Raises:
            OSError: If the write fails.
        """
        begun, whole = copies(self.path)
        sync(begun)
        begun.rename(whole)

    def remove_copies(self) -> None:
        """Remove the copy, complete or not.

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
