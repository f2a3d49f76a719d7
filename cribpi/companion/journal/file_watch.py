"""The files of an open journal: whether they are in their place, and unchanged by other programs.

Another program can delete, move, replace, truncate or overwrite them. SQLite does not notice: it goes on
writing, and in the end everything is lost. So device, inode, size and the time of the last write are compared
before each transaction; reads, `chmod` and new hard links are not noticed.

SQLite's index is mapped into memory, and writes to it don't update its mtime reliably: its content is
compared instead (https://www.sqlite.org/walformat.html, section 2).
"""

from __future__ import annotations

import contextlib
import os
import struct
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

from cribpi.companion.journal.location import files

_HEADERS: Final = 96
"""Bytes of the two equal headers with which the index begins."""
_READERS: Final = 136
"""The end of the part behind the headers that readers also write to."""
_FIRST_PAGES: Final = 4062
"""Number of frames whose pages are listed in the first 32 KiB of the index."""
_HEADER: Final = struct.Struct("=14xHI12x8s8x")
"""The size of a page, the number of valid frames in the log, and the log's salt."""

_LOG_HEADER: Final = 32
_LOG_SALT: Final = slice(16, 24)
"""The salt in the log's header, repeated in the index; a log rewritten from its start gets a new one."""
_FRAME_HEADER: Final = 24

_NO_INDEX: Final = bytes(1 << 15)
"""An index that makes SQLite read the whole log, and write its index again."""
_LONGEST_INDEX: Final = 1 << 24
"""Size in bytes of the index of a log of 8 GB."""

Stamp: TypeAlias = tuple[int, int, int, int] | None
"""Device, inode, size, and time of the last write in microseconds; None for a missing file.

Microseconds, because a program that restores the time of the last reading, as some backup programs do, may
not support finer times.
"""
_UNLIKE_ANY: Final = (-1, 0)
"""A size and a time that no file has."""


class _Look(NamedTuple):
    name: Stamp
    """Stamp of the journal's name, which may be a link to the main file."""
    main: Stamp
    log: Stamp
    index_stamp: Stamp
    """Stamp without a time."""
    index_bytes: bytes
    """Content of the index."""


class _Frames(NamedTuple):
    """The valid frames of the log: a frame is a page with a header."""

    number: int
    length: int
    """The length of a frame."""
    salt: bytes
    """Distinguishes this log from the one before."""

    @property
    def end(self) -> int:
        return _LOG_HEADER + self.number * self.length


class WatchedFiles:
    def __init__(self, journal: Path) -> None:
        """Watch the files of the open *journal*, beginning with their present state.

        Raises:
            OSError: If its log and index can't be opened; a disk that can't have them is no error.
        """
        self._name = str(journal)
        beside = files(journal.resolve())
        self._main, self._log, self._index = map(str, beside)
        # Keep them open until SQLite has closed its own: closing a file releases this process's locks on it.
        self._open = [os.open(path, os.O_RDWR | os.O_CLOEXEC) for path in beside[1:] if path.exists()]
        self.is_unreadable = False
        """Whether the last read of the log or the index failed."""
        self._left = self._look()
        self._end = self._last_frame(self._left.index_bytes)
        self._opened = _identities(self._left)

    def close(self) -> None:
        """Close the files; SQLite must have closed its own before."""
        while self._open:
            os.close(self._open.pop())

    @property
    def has_log(self) -> bool:
        return len(self._open) == 2

    def are_in_place(self) -> bool:
        """Return whether each name still leads to the file that was opened."""
        return _identities(self._look()) == self._opened

    def are_as_left(self) -> bool:
        """Return whether the files are unchanged by other programs."""
        current, left = self._look(), self._left
        return current[:-1] == left[:-1] and _is_same(current.index_bytes, left.index_bytes)

    def note(self, *, is_main_written: bool = False, is_log_whole: bool = True) -> None:
        """Record the files' state after a write by this program: to the log, or also to the main file.

        Other changes since then are found the next time. *is_log_whole* is whether the log should end with
        its last valid frame.
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
        """Restore the index as last recorded; if that is unknown, let SQLite make it again from the log.

        SQLite would crash while reading a missing part of it, and would read wrong pages by another index.

        Raises:
            OSError: If it can't be written.
        """
        content = self._left.index_bytes
        if self.has_log and not _is_same(self._read(1, len(content), 0), content):
            os.pwrite(self._open[1], content, 0)

    def drop_log(self, aside: Path) -> None:
        """Delete the log, in its place or next to *aside*, if it is unchanged.

        Its pages are stored elsewhere by then; a program that opened another file next to it would get them.
        """
        for log, index in ((self._log, self._index), map(str, files(aside)[1:])):
            if _stamp(log) == self._left.log:
                for path in (log, index):
                    with contextlib.suppress(OSError):
                        os.unlink(path)  # noqa: PTH108  the names are texts here, for speed

    def _look(self) -> _Look:
        main, index = _stamp(self._main), _stamp(self._index)
        name = main if self._name == self._main else _stamp(self._name)
        self.is_unreadable, content = False, b""
        if index and self.has_log:
            content = self._read(1, min(index[2], _LONGEST_INDEX), 0)
        return _Look(name, main, _stamp(self._log), index and (*index[:3], 0), content)

    def _is_log_of(self, index: bytes, left: bytes) -> bool:
        """Return whether the log has the length given by *index*, and continues the log of *left*."""
        frames = _frames(index)
        if frames.number and os.fstat(self._open[0]).st_size != frames.end:
            return False
        if frames.number and self._read(0, _LOG_HEADER, 0)[_LOG_SALT] != frames.salt:
            return False
        # A log that was cut before it grew again has the right length, but zeros in between.
        return frames.salt != _frames(left).salt or self._last_frame(left) == self._end

    def _last_frame(self, index: bytes) -> bytes:
        """Return the last valid frame of the log according to *index*."""
        frames = _frames(index)
        return self._read(0, frames.length, frames.end - frames.length) if frames.number else b""

    def _read(self, file: int, size: int, place: int) -> bytes:
        """Return the contents of the log (*file* 0) or the index (1); empty if the read fails.

        A press may be on the disk by then: it is answered, and the next press finds the fault.
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
    """Return whether SQLite can have made *index* from the index *left*."""
    if len(index) < len(left) or index[: _HEADERS // 2] != index[_HEADERS // 2 : _HEADERS]:
        return False
    now, before = _frames(index), _frames(left)
    pages = slice(_READERS, _READERS + 4 * min(now.number, before.number, _FIRST_PAGES))  # 4 bytes per frame
    return now.salt != before.salt or index[pages] == left[pages]


def _is_same(index: bytes, left: bytes) -> bool:
    """Return whether *index* equals *left*, except the part that readers write to."""
    return index == left or (index[:_HEADERS], index[_READERS:]) == (left[:_HEADERS], left[_READERS:])
