"""Where a journal lies: its files under their names, private to their owner, and the folder that is held.

The files of an open journal can be deleted, moved or replaced under it: SQLite goes on writing to what has
no name any more, and all of it is gone at the end.  Device and inode tell.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import Final

BESIDE: Final = ("", "-wal", "-shm")
"""What the names of a journal's files end in: SQLite keeps a log and an index beside it."""

_OTHERS: Final = 0o077
"""What a group or all others may do."""
_NO_LOCKS: Final = {errno.EBADF, errno.EINVAL, errno.EISDIR, errno.ENOTSUP}
"""What a disk says that does not lock what it was asked to lock."""


class Place:
    """The files of a journal as they were when it was opened."""

    def __init__(self, journal: Path) -> None:
        """Take them: those beside the file itself, and the link to it, if *journal* is one."""
        self._files = {path: _identities(path) for path in (journal, *files(journal.resolve()))}

    def is_kept(self) -> bool:
        """Tell whether each file still stands under its name."""
        return all(_identities(path) == identities for path, identities in self._files.items())


def files(journal: Path) -> tuple[Path, ...]:
    """Return the names of *journal* and of what SQLite keeps beside it."""
    return tuple(journal.with_name(f"{journal.name}{end}") for end in BESIDE)


def log_of(journal: Path) -> Path:
    """Return where SQLite keeps the log of *journal*: beside the file itself, also where that is a link to
    it.
    """
    return files(journal.resolve())[1]


def _identities(path: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return which file *path* is and, where it is a link, which one it leads to."""
    return _identity(path, follow_symlinks=False), _identity(path)


def _identity(path: Path, *, follow_symlinks: bool = True) -> tuple[int, int] | None:
    try:
        found = path.stat(follow_symlinks=follow_symlinks)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def make_private(journal: Path) -> None:
    """Make the file of *journal* where there is none; in any case nobody else may read it or what lies beside
    it.

    A game that the machine deals keeps its whole pack there.

    Raises:
        OSError: If it can't be made.
    """
    if not journal.exists():
        os.close(os.open(journal, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for path in files(journal):
        _keep_from_others(path)


def _keep_from_others(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):  # it may be another user's
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def set_aside(journal: Path) -> str | None:
    """Give *journal* and what lies beside it another name, which nothing has yet.

    Return it, or None where there was nothing of that name, or only what SQLite had left beside it.

    Raises:
        OSError: If the disk refuses.
    """
    number, is_there = 1, os.path.lexists(journal)
    while any(map(os.path.lexists, files(aside := journal.with_name(f"journal-aside-{number}.db")))):
        number += 1
    for path, new in zip(files(journal), files(aside), strict=True):
        with contextlib.suppress(FileNotFoundError):
            path.rename(new)
    return aside.name if is_there else None


def copies(journal: Path) -> tuple[Path, Path]:
    """Return the names of a copy of *journal* while it is written, and when it is whole."""
    return journal.with_name("journal-begun.db"), journal.with_name("journal-whole.db")


def put_in_place(journal: Path) -> str | None:
    """Give the whole copy, if there is one, the name *journal*.

    Return under which name what had that name is kept; None where nothing had it.

    Raises:
        OSError: If the disk refuses.
    """
    _, whole = copies(journal)
    if not whole.exists():
        return None
    aside = set_aside(journal)
    whole.rename(journal)
    sync(journal.parent)
    return aside


def sync(path: Path) -> None:
    """Have *path*, a file or a folder, on the disk when this ends.

    Raises:
        OSError: If the disk refuses.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class Held:
    """A folder that is held: nobody else can hold it until it is let go.

    Both the folder itself is locked and a file `lock` in it: the file can be deleted, and then another would
    hold a new one; the folder can't, without all that is in it.  The file is what earlier versions look at.
    """

    def __init__(self, folder: Path) -> None:
        """Make *folder*, where there is none, and hold it.

        Raises:
            BlockingIOError: If another holds it.
            OSError: If it can't be used.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._locks: list[int] = []
        try:
            self._locks.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            try:
                self._lock_last()
            except OSError as refused:  # a disk on the network may lock files and no folders
                if refused.errno not in _NO_LOCKS:
                    raise
            self._locks.append(os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._lock_last()
            _keep_from_others(folder / "lock")
        except BaseException:
            self.close()
            raise

    def _lock_last(self) -> None:
        fcntl.flock(self._locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_there(self) -> bool:
        """Tell whether what is held is still the folder of that name."""
        held = os.fstat(self._locks[0])
        return _identity(self._folder) == (held.st_dev, held.st_ino)

    def close(self) -> None:
        """Let it go."""
        while self._locks:
            os.close(self._locks.pop())
