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
from cribpi.companion.journal.database import CHECKED_AT_START, check, connect, opened, prepare, transaction
from cribpi.companion.journal.location import copies, files, log_of, make_private
from cribpi.companion.journal.watched import WatchedFiles

IN_MEMORY: Final = ":memory:"
"""The path of a journal that is not on disk."""

PRAGMAS: Final = {
    "journal_mode": "WAL",
    "synchronous": "FULL",  # WAL's usual NORMAL syncs once in about 12 commits: a pulled plug loses the rest
    "foreign_keys": "ON",
    "journal_size_limit": "0",  # `_Log` depends on it: a restarted log is truncated
    "wal_autocheckpoint": "0",  # `checkpoint` does it, so that nobody else changes the main file unnoticed
    "cache_size": str(-CHECKED_AT_START // 1024),  # what is read stays in memory, should the file be damaged
    "mmap_size": "0",
}

_CHECKPOINT_FROM: Final = 4_000_000
"""Bytes of the log from which its pages are copied to the main file, as SQLite would do by itself."""

_UNREADABLE: Final = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
}
"""SQLite's errors for a file that lacks what should be in it, whatever the disk does."""

_LOG_HEADER: Final = 32
"""Bytes of the log's header, which changes each time the log is restarted."""


class JournalFile:
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
            self._log = _Log(path)
            self.watched = WatchedFiles(path)
        except BaseException:
            self.db.close()
            raise

    @property
    def may_come_back(self) -> bool:
        """Whether a refused transaction could not be cut off the log yet."""
        return self._log.is_open

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
            self._log.begin()
            yield
            self._log.is_open = False  # from here on only SQLite can tell whether it succeeded
            self.db.execute("COMMIT")
        except BaseException as error:
            if isinstance(error, sqlite3.Error):
                self._log.refuses()
            self._roll_back()
            raise
        finally:
            self.watched.note(is_log_whole=not self._log.is_open)
        if self._log.end() > _CHECKPOINT_FROM:
            self.checkpoint()

    def checkpoint(self) -> None:
        """Copy the log's pages to the main file, as far as nobody reads them; ignore errors of the disk."""
        if self.watched.are_as_left():
            with contextlib.suppress(sqlite3.Error):
                self.db.execute("PRAGMA wal_checkpoint(PASSIVE)")
            self.watched.note(is_main_written=True, is_log_whole=not self._log.is_open)

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
                self._log.cut()
            finally:
                self.db.execute("ROLLBACK")

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
            code = getattr(bad, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)  # none if we have raised it
            if not _UNREADABLE & {code, code & 0xFF}:
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
        self._log.close()
        self.watched.close()


def _has_log(path: Path) -> bool:
    """Return whether a killed program has left a log, or a running one has it open."""
    with contextlib.suppress(OSError):
        return log_of(path).stat().st_size > 0
    return False


class _Log:
    """SQLite's log beside an open journal, its WAL: a refused transaction is cut off its end.

    A commit writes its pages at the end of the log, the last of them with a commit mark, and then syncs.  If
    only the sync fails, SQLite refuses the transaction and forgets it, but pages and mark are in the log, and
    whoever opens the file next, as after `kill -9`, takes them for committed: the refused press would be
    back.  So the log is truncated to its length before (https://www.sqlite.org/walformat.html).

    That length is known thanks to `PRAGMA journal_size_limit=0`: when SQLite restarts the log, it truncates
    it after the first transaction, so the log always ends with the last valid page.

    Only the holder of the journal's write lock may use it.
    """

    def __init__(self, journal: Path) -> None:
        """Open the log beside *journal*, unless that is in memory, or on a disk that can't have one.

        Raises:
            OSError: If it can't be written.
        """
        log = log_of(journal)
        self._file = os.open(log, os.O_RDWR | os.O_CLOEXEC) if log.exists() else None
        self._header = b""
        self._end = 0
        self.is_open = False
        """Whether the log may hold what was begun and does not count."""

    def end(self) -> int:
        """Return the length of the log in bytes."""
        return os.fstat(self._file).st_size if self._file is not None else 0

    def begin(self) -> None:
        """Note where the log ends, after cutting off what was refused earlier and is still there.

        Raises:
            OSError: If the disk refuses.
        """
        if self._file is None:
            return
        if self.is_open:
            self.cut()
        self._header, self._end = os.pread(self._file, _LOG_HEADER, 0), os.fstat(self._file).st_size
        self.is_open = True

    def refuses(self) -> None:
        """Note that SQLite refused what was begun, if only by its commit."""
        self.is_open = self._file is not None

    def cut(self) -> None:
        """Cut off what was written since `begin`, for whoever opens the journal next.

        Raises:
            OSError: If the disk refuses.
        """
        if self._file is None or not self.is_open:
            return
        # A log restarted since then contains nothing else: its former contents are in the journal.
        is_same = os.pread(self._file, _LOG_HEADER, 0) == self._header
        os.ftruncate(self._file, min(self._end, os.fstat(self._file).st_size) if is_same else 0)
        self.is_open = False
        # If the disk syncs again by now, the cut survives a pulled plug, too.
        with contextlib.suppress(OSError):
            os.fdatasync(self._file)

    def close(self) -> None:
        """Close the log; SQLite has its own descriptor."""
        if self._file is not None:
            os.close(self._file)
