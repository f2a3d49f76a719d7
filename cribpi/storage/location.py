"""The journal's location: its files, private to their owner, and the folder's lock.

The files of an open journal can be deleted, moved or replaced: SQLite goes on writing to files without a
name, and in the end all of it is lost.  Device and inode reveal this.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Final, TypeAlias

BESIDE: Final = ("", "-wal", "-shm")
"""The suffixes of a journal's files: SQLite keeps a log and an index beside it."""

_OTHERS: Final = 0o077
"""The permissions of group and others."""
_NO_LOCKS: Final = {errno.EBADF, errno.EINVAL, errno.EISDIR, errno.ENOTSUP}
"""Error codes of file systems that cannot lock what they were asked to."""


_Identity: TypeAlias = tuple[int, int] | None


def identities(names: Iterable[Path]) -> dict[Path, tuple[_Identity, _Identity]]:
    """Return which file each of *names* stands for; if it is a link, both the link and its target count."""
    return {name: (_identity(name, follow_symlinks=False), _identity(name)) for name in names}


def files(journal: Path) -> tuple[Path, ...]:
    """Return the names of *journal* and of the files SQLite keeps beside it."""
    return tuple(journal.with_name(f"{journal.name}{end}") for end in BESIDE)


def log_of(journal: Path) -> Path:
    """Return the path of SQLite's log: beside the real file, even if *journal* is a link to it."""
    return files(journal.resolve())[1]


def _identity(path: Path, *, follow_symlinks: bool = True) -> _Identity:
    try:
        found = path.stat(follow_symlinks=follow_symlinks)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def make_private(journal: Path) -> None:
    """Create the file *journal* if need be, and let nobody else read it or the files beside it.

    A game dealt by the machine stores its whole pack there.

    Raises:
        OSError: If it can't be created.
    """
    if not journal.exists():
        os.close(os.open(journal, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for path in files(journal):
        _keep_from_others(path)


def _keep_from_others(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):  # the file may be another user's
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def set_aside(journal: Path) -> str | None:
    """Rename *journal* and the files beside it to an unused name.

    Return that name, or None if there was no file, or only what SQLite had left beside it.

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
    """Return the names of a copy of *journal* while it is written, and once it is complete."""
    return journal.with_name("journal-begun.db"), journal.with_name("journal-whole.db")


def put_in_place(journal: Path) -> str | None:
    """Rename the complete copy, if there is one, to *journal*.

    Return the new name of the file that had that name; None if there was none.

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
    """Flush *path*, a file or a folder, to the disk.

    Raises:
        OSError: If the disk refuses.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


class FolderLock:
    """A locked folder: nobody else can lock it until it is released.

    Both the folder and a file `lock` in it are locked.  The file can be deleted, and then another process
    would lock a new one; the folder can't be deleted without all its contents.  Earlier versions look at the
    file.
    """

    def __init__(self, folder: Path) -> None:
        """Create *folder* if need be, and lock it.

        Raises:
            BlockingIOError: If another process holds it.
            OSError: If it can't be used.
        """
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder
        self._locks: list[int] = []
        try:
            self._locks.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
            try:
                self._lock_newest()
            except OSError as refused:  # a network file system may lock files but not folders
                if refused.errno not in _NO_LOCKS:
                    raise
            self._locks.append(os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
            self._lock_newest()
            _keep_from_others(folder / "lock")
        except BaseException:
            self.close()
            raise

    def _lock_newest(self) -> None:
        fcntl.flock(self._locks[-1], fcntl.LOCK_EX | fcntl.LOCK_NB)

    def is_there(self) -> bool:
        """Return whether the locked folder still has its name."""
        held = os.fstat(self._locks[0])
        return _identity(self._folder) == (held.st_dev, held.st_ino)

    def close(self) -> None:
        """Release the lock."""
        while self._locks:
            os.close(self._locks.pop())
