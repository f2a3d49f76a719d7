"""Detection of changes that other programs make to the files of an open journal.

Another program can delete, move, replace, truncate or overwrite the files. SQLite does not notice: it
continues to write, and everything is lost in the end. Device, inode, size and modification time are therefore
compared before each transaction. Reads, `chmod` and new hard links don't change them.

SQLite maps its index (the `-shm` file) into memory, and writing to it does not reliably update the
modification time. Its content is compared instead (https://www.sqlite.org/walformat.html, section 2).
"""

from __future__ import annotations

import contextlib
import os
import struct
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from cribpi.companion.journal.location import files

_HEADERS: Final = 96
"""Size in bytes of the two equal headers at the start of the index."""
_READERS: Final = 136
"""End of the part after the headers that readers write to as well."""
_FIRST_PAGES: Final = 4062
"""Number of frames whose page numbers are in the first 32 KiB of the index."""
_HEADER: Final = struct.Struct("=14xHI12x8s8x")
"""Layout of the index header: page size, number of valid frames in the log, and the log's salt."""

_LOG_HEADER: Final = 32
_LOG_SALT: Final = slice(16, 24)
"""Position of the salt in the log's header. The index repeats it.

A log rewritten from its start has a new salt.
"""
_FRAME_HEADER: Final = 24

_NO_INDEX: Final = bytes(1 << 15)
"""Index content that makes SQLite rebuild the index from the log."""
_LONGEST_INDEX: Final = 1 << 24
"""Maximum size in bytes of the index that is compared: that of an 8 GB log."""

Stamp: TypeAlias = tuple[int, int, int, int] | None
"""Device, inode, size, and modification time in microseconds; None for a missing file.

Backup programs may restore the modification time, some of them only to the microsecond.
"""
_UNLIKE_ANY: Final = (-1, 0)
"""A size and a time that no file has, so that the next comparison fails."""


class _Look(NamedTuple):
    name: Stamp
    """Stamp of the journal's path, which may be a link to the main file."""
    main: Stamp
    log: Stamp
    index_stamp: Stamp
    """Stamp with time 0."""
    index_bytes: bytes
    """Content of the index."""


class _Frames(NamedTuple):
    """The valid frames of the log. A frame is a page with a header."""

    number: int
    length: int
    """Size of a frame in bytes."""
    salt: bytes
    """Random value that distinguishes this log from the one before."""

    @property
    def end(self) -> int:
        return _LOG_HEADER + self.number * self.length


class WatchedFiles:
    def __init__(self, journal: Path) -> None:
        """Watch the files of the open *journal*, starting with their current state.

        A file system that supports no log and index is no error.

        Raises:
            OSError: If an existing log or index can't be opened.
        """
        self._name = str(journal)
        beside = files(journal.resolve())
        self._main, self._log, self._index = map(str, beside)
        # Held open until SQLite has closed its own files: closing a file releases all locks this process has
        # on it.
        self._open = [os.open(path, os.O_RDWR | os.O_CLOEXEC) for path in beside[1:] if path.exists()]
        self.is_unreadable = False
        """Whether the last read of the log or the index failed."""
        self._left = self._look()
        self._end = self._last_frame(self._left.index_bytes)
        self._opened = _identities(self._left)

    def close(self) -> None:
        """Close the files. SQLite must have closed its own files before."""
        while self._open:
            os.close(self._open.pop())

    @property
    def has_log(self) -> bool:
        return len(self._open) == 2

    def are_in_place(self) -> bool:
        """Return whether each path still leads to the file that was opened."""
        return _identities(self._look()) == self._opened

    def are_as_left(self) -> bool:
        """Return whether no other program has changed the files."""
        current, left = self._look(), self._left
        return current[:-1] == left[:-1] and _is_same(current.index_bytes, left.index_bytes)

    def note(self, *, is_main_written: bool = False, is_log_whole: bool = True) -> None:
        """Record the state of the files after this program has written to the log or the main file.

        Changes by other programs are not recorded: the next check finds them. *is_log_whole* states whether
        the log must end with its last valid frame.
        """
        current, left = self._look(), self._left
        if self.has_log:
            if not is_main_written:
                current = current._replace(name=left.name, main=left.main)
            if not _follows(current.index_bytes, left.index_bytes):
                current = current._replace(index_bytes=_NO_INDEX)
            elif is_log_whole and current.log and not self._is_log_of(current.index_bytes, left.index_bytes):
                current = current._replace(log=(*current.log[:2], *_UNLIKE_ANY))
            self._end = self._last_frame(current.index_bytes)
        self._left = current

    def restore_index(self) -> None:
        """Restore the index as last recorded. If that is unknown, make SQLite rebuild the index from the log.

        If part of the index is missing, SQLite crashes. With a wrong index, SQLite reads wrong pages.

        Raises:
            OSError: If the index can't be written.
        """
        content = self._left.index_bytes
        if self.has_log and not _is_same(self._read(1, len(content), 0), content):
            os.pwrite(self._open[1], content, 0)

    def drop_log(self, aside: Path) -> None:
        """Delete the log next to the journal or next to *aside*, if it is unchanged.

        By then, its pages are stored elsewhere. SQLite would apply a leftover log to any other file of the
        same name.
        """
        for log, index in ((self._log, self._index), map(str, files(aside)[1:])):
            if _stamp(log) == self._left.log:
                for path in (log, index):
                    with contextlib.suppress(OSError):
                        os.unlink(path)  # noqa: PTH108  texts, not `Path`, for speed

    def _look(self) -> _Look:
        main, index = _stamp(self._main), _stamp(self._index)
        name = main if self._name == self._main else _stamp(self._name)
        self.is_unreadable, content = False, b""
        if index and self.has_log:
            content = self._read(1, min(index[2], _LONGEST_INDEX), 0)
        return _Look(name, main, _stamp(self._log), index and (*index[:3], 0), content)

    def _is_log_of(self, index: bytes, left: bytes) -> bool:
        """Return whether the log is as long as *index* says, and extends the log of the index *left*."""
        frames = _frames(index)
        if frames.number and os.fstat(self._open[0]).st_size != frames.end:
            return False
        if frames.number and self._read(0, _LOG_HEADER, 0)[_LOG_SALT] != frames.salt:
            return False
        # A log that was truncated, and then grew again, has the right length but zeros in between.
        return frames.salt != _frames(left).salt or self._last_frame(left) == self._end

    def _last_frame(self, index: bytes) -> bytes:
        """Return the last valid frame of the log, as located by *index*."""
        frames = _frames(index)
        return self._read(0, frames.length, frames.end - frames.length) if frames.number else b""

    def _read(self, file: int, size: int, place: int) -> bytes:
        """Return *size* bytes at *place* of the log (*file* 0) or the index (1), or b"" if the read fails.

        No error is raised, because a key press may already be on disk. The next press finds the fault.
        """
        try:
            return os.pread(self._open[file], size, place)
        except OSError:
            self.is_unreadable = True
            return b""


def _stamp(path: str) -> Stamp:
    try:
        status = os.lstat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns // 1000


def _identities(look: _Look) -> list[tuple[int, ...] | None]:
    return [stamp and stamp[:2] for stamp in (look.name, look.main, look.log, look.index_stamp)]


def _frames(index: bytes) -> _Frames:
    if len(index) < _HEADERS:
        return _Frames(0, 0, b"")
    page, number, salt = _HEADER.unpack_from(index)
    return _Frames(number, _FRAME_HEADER + (page if page > 1 else 1 << 16), salt)


def _follows(index: bytes, left: bytes) -> bool:
    """Return whether SQLite can have turned the index *left* into *index*."""
    if len(index) < len(left) or index[: _HEADERS // 2] != index[_HEADERS // 2 : _HEADERS]:
        return False
    now, before = _frames(index), _frames(left)
    # The index has 4 bytes per frame.
    pages = slice(_READERS, _READERS + 4 * min(now.number, before.number, _FIRST_PAGES))
    return now.salt != before.salt or index[pages] == left[pages]


def _is_same(index: bytes, left: bytes) -> bool:
    """Return whether *index* equals *left*, ignoring the part that readers write to."""
    return index == left or (index[:_HEADERS], index[_READERS:]) == (left[:_HEADERS], left[_READERS:])
