"""The journal's file while it is open for writing: its SQLite connection, its log, and its location."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from cribpi.companion.files.whole import sync
from cribpi.companion.journal.database import CHECKED_AT_START, check, connect, opened, prepare
from cribpi.companion.journal.location import copies, files, log_of, make_private
from cribpi.companion.journal.watched import WatchedFiles

IN_MEMORY: Final = ":memory:"
"""The path of a journal that is not on disk."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",  # WAL's usual NORMAL syncs once in about 12 commits: a pulled plug loses the rest
    "foreign_keys": "ON",
    "journal_size_limit": "0",  # the log is cut by that: a restarted log is truncated
    "wal_autocheckpoint": "0",  # `checkpoint` does it, so that nobody else changes the main file unnoticed
    "cache_size": str(-CHECKED_AT_START // 1024),  # what is read stays in memory, should the file be damaged
    "mmap_size": "0",
}

_CHECKPOINT_FROM: Final = 4_000_000
"""Bytes of the log from which its pages are copied to the main file, as SQLite would do by itself."""

_MALFORMED: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
}

_LOG_HEADER: Final = 32
"""Bytes of the log's header, which changes each time the log is restarted."""


def is_malformed(bad: Exception) -> bool:
    """Return whether SQLite reports a malformed file, rather than a fault of the disk."""
    if not isinstance(bad, sqlite3.DatabaseError):
        return False
    code = getattr(bad, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none if we have raised it
    return bool(_MALFORMED & {code, code & 0xFF})


class JournalFile:
    """The connection, and SQLite's log beside it, its WAL: a refused transaction is cut off its end.

    A commit writes its pages at the end of the log, the last of them with a commit mark, and then syncs.  If
    only the sync fails, SQLite refuses the transaction and forgets it, but pages and mark are in the log, and
    whoever opens the file next, as after `kill -9`, takes them for committed: the refused press would be
    back.  So the log is truncated to its length before (https://www.sqlite.org/walformat.html).

    That length is known thanks to `PRAGMA journal_size_limit=0`: when SQLite restarts the log, it truncates
    it after the first transaction, so the log always ends with the last valid page.
    """

    def __init__(self, path: Path) -> None:
        """Open or create *path*, and bring it to this version.

        Raises:
            sqlite3.DatabaseError: If it is damaged, or is not a journal of a known version.
            OSError, sqlite3.OperationalError: If the disk refuses.
        """
        log = log_of(path)
        # A log that is there was left by a killed program, or a running one has it open.
        is_new, was_left = not path.exists(), log.exists() and log.stat().st_size > 0
        if str(path) != IN_MEMORY:
            make_private(path.resolve())
        self.path = path
        self.db = connect(path)
        self.may_come_back = False
        """Whether the log may end with what was begun and does not count."""
        try:
            if not is_new:
                check(self.db)
            for name, value in PRAGMAS.items():
                self.db.execute(f"PRAGMA {name}={value}")
            self.db.execute("BEGIN IMMEDIATE")
            prepare(self.db)
            self.db.execute("COMMIT")
            # What was left may end with a refused transaction; and a new journal must be readable even if its
            # log is lost.
            if is_new or was_left:
                self.db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            # Neither a journal in memory has a log, nor one on a disk that can't have it.
            self._log = os.open(log, os.O_RDWR | os.O_CLOEXEC) if log.exists() else None
            self._log_header, self._log_end = b"", 0
            self.watched = WatchedFiles(path)
        except BaseException:
            self.db.close()
            raise

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run the body as one transaction, which is on the disk when this ends.

        If it is refused, nothing of it is there, also after a restart.  The files must be as left.

        Raises:
            sqlite3.Error, OSError: If the disk refuses.
        """
        self._check_writable()
        self.db.execute("BEGIN IMMEDIATE")
        try:
            self._note_end_of_log()
            yield
            self.may_come_back = False  # from here on only SQLite can tell whether it succeeded
            self.db.execute("COMMIT")
        except BaseException as error:
            if isinstance(error, sqlite3.Error):  # it may be in the log, if only its sync has failed
                self.may_come_back = self._log is not None
            self._roll_back()
            raise
        finally:
            self.watched.note(is_log_whole=not self.may_come_back)
        if self._log is not None and os.fstat(self._log).st_size > _CHECKPOINT_FROM:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Copy the log's pages to the main file, as far as nobody reads them; ignore errors of the disk."""
        if self.watched.are_as_left():
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self.watched.note(is_main_written=True, is_log_whole=not self.may_come_back)

    def _check_writable(self) -> None:
        """Check that the file system is not read-only.

        One that becomes so while the file is open takes writes and syncs without a word, and forgets them: so
        does ext4 after an emergency remount.

        Raises:
            OSError: If it is.
        """
        if str(self.path) != IN_MEMORY and os.statvfs(self.path).f_flag & os.ST_RDONLY:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(self.path))

    def _roll_back(self) -> None:
        """Roll back, and cut the transaction off the log while nobody else can write."""
        with contextlib.suppress(sqlite3.Error, OSError):
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            self.db.execute("BEGIN IMMEDIATE")
            try:
                self._cut_log()
            finally:
                self.db.execute("ROLLBACK")

    def _note_end_of_log(self) -> None:
        """Note where the log ends, after cutting off what was refused earlier and is still there.

        Raises:
            OSError: If the disk refuses.
        """
        if self._log is not None:
            self._cut_log()
            self._log_header = os.pread(self._log, _LOG_HEADER, 0)
            self._log_end = os.fstat(self._log).st_size
            self.may_come_back = True

    def _cut_log(self) -> None:
        """Cut off what was begun and does not count, for whoever opens the journal next.

        Raises:
            OSError: If the disk refuses.
        """
        if self._log is None or not self.may_come_back:
            return
        # A log restarted since then contains nothing else: its former contents are in the journal.
        is_same = os.pread(self._log, _LOG_HEADER, 0) == self._log_header
        os.ftruncate(self._log, min(self._log_end, os.fstat(self._log).st_size) if is_same else 0)
        self.may_come_back = False
        # If the disk syncs again by now, the cut survives a pulled plug, too.
        with contextlib.suppress(OSError):
            os.fdatasync(self._log)

    def write_copy(self, is_right: Callable[[sqlite3.Connection], bool]) -> bool:
        """Write all its contents to a new file beside it, for `put_in_place` to rename once complete.

        Its own files may no longer have a name, or no longer be what they were: of them SQLite still has in
        memory what it has read or written lately.  Return whether that is everything, and *is_right* says so
        of the copy; if not, there is none.

        Raises:
            sqlite3.Error, OSError: If the disk refuses.
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
        """Have what is written of a copy on the disk, under the name of a complete one.

        Raises:
            OSError: If the disk refuses.
        """
        begun, whole = copies(self.path)
        sync(begun)
        begun.rename(whole)

    def remove_copies(self) -> None:
        """Remove what is there of a copy.

        Raises:
            OSError: If the disk refuses.
        """
        begun, whole = copies(self.path)
        for path in (*files(begun), whole):
            path.unlink(missing_ok=True)

    def close(self) -> None:
        self.db.close()
        if self._log is not None:
            os.close(self._log)
        self.watched.close()
