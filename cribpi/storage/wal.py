"""The journal's log, SQLite's WAL: a transaction that was refused is cut off its end.

A commit writes its pages at the end of the log, the last of them with a mark, and then syncs.  Where only
the sync fails, SQLite refuses the transaction and forgets it, but pages and mark lie in the log, and whoever
opens the file next, as after `kill -9`, takes them for committed: the press that was refused would be back.
So the log is cut where it ended before (https://www.sqlite.org/walformat.html).

What makes that end known is `PRAGMA journal_size_limit=0`: SQLite then cuts a log that it begins again
behind its first transaction, so that the log always ends with the last page that counts.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from cribpi.storage.location import log_of

_HEADER: Final = 32
"""Bytes of the log's header, which is another one each time the log is begun again."""


class Log:
    """The log of an open journal.  Only who holds the journal's write lock may use it."""

    def __init__(self, journal: Path) -> None:
        """Open the log beside *journal*; one that is kept in memory, or on a disk that can have no log, has
        none.

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
        """Note where the log ends; what was refused before, and could not be cut off then, is cut off now.

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
        """Note that what was begun is being committed: from here on SQLite alone can tell whether it
        counts.
        """
        self.is_open = False

    def refuses(self) -> None:
        """Note that SQLite has refused what was being committed."""
        self.is_open = self._file is not None

    def cut(self) -> None:
        """Cut off what was written since `begin`, for whoever opens the journal next.

        Raises:
            OSError: If the disk refuses.
        """
        if self._file is None or not self.is_open:
            return
        # A log that was begun again since then holds nothing else: what it held before is in the journal.
        is_same = self._read_header(self._file) == self._header
        os.ftruncate(self._file, min(self._end, os.fstat(self._file).st_size) if is_same else 0)
        self.is_open = False
        with contextlib.suppress(
            OSError
        ):  # a disk that syncs again keeps the cut when the plug is pulled, too
            os.fdatasync(self._file)

    def close(self) -> None:
        """Close the log; SQLite has a way to it of its own."""
        if self._file is not None:
            os.close(self._file)

    def _read_header(self, file: int) -> bytes:
        return os.pread(file, _HEADER, 0)
