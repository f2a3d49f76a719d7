"""The journal's log, SQLite's WAL: a refused transaction is cut off its end.

A commit writes its pages at the end of the log, the last of them with a commit mark, and then syncs.  If only
the sync fails, SQLite refuses the transaction and forgets it, but pages and mark are in the log, and whoever
opens the file next, as after `kill -9`, takes them for committed: the refused press would be back.  So the
log is truncated to its length before (https://www.sqlite.org/walformat.html).

That length is known thanks to `PRAGMA journal_size_limit=0`: when SQLite restarts the log, it truncates it
after the first transaction, so the log always ends with the last valid page.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from cribpi.storage.location import log_of

_HEADER: Final = 32
"""Bytes of the log's header, which changes each time the log is restarted."""


class Log:
    """The log of an open journal.  Only the holder of the journal's write lock may use it."""

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

    def begin(self) -> None:
        """Note where the log ends, after cutting off what was refused earlier and is still there.

        Raises:
            OSError: If the disk refuses.
        """
        if self._file is None:
            return
        if self.is_open:
            self.cut()
        self._header, self._end = self._read_header(self._file), os.fstat(self._file).st_size
        self.is_open = True

    def commits(self) -> None:
        """Note that a commit begins: from here on only SQLite can tell whether it succeeded."""
        self.is_open = False

    def refuses(self) -> None:
        """Note that SQLite refused the commit."""
        self.is_open = self._file is not None

    def cut(self) -> None:
        """Cut off what was written since `begin`, for whoever opens the journal next.

        Raises:
            OSError: If the disk refuses.
        """
        if self._file is None or not self.is_open:
            return
        # A log restarted since then contains nothing else: its former contents are in the journal.
        is_same = self._read_header(self._file) == self._header
        os.ftruncate(self._file, min(self._end, os.fstat(self._file).st_size) if is_same else 0)
        self.is_open = False
        # If the disk syncs again by now, the cut survives a pulled plug, too.
        with contextlib.suppress(OSError):
            os.fdatasync(self._file)

    def close(self) -> None:
        """Close the log; SQLite has its own descriptor."""
        if self._file is not None:
            os.close(self._file)

    def _read_header(self, file: int) -> bytes:
        return os.pread(file, _HEADER, 0)
