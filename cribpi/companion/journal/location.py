"""The journal's location: its files, which only their owner can read, and the lock of its folder."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import stat
from pathlib import Path
from typing import Final

from cribpi.companion.files.atomic import sync

BESIDE: Final = ("", "-wal", "-shm")
"""Suffixes of a journal's files. SQLite keeps a log (`-wal`) and an index (`-shm`) next to the database."""

_ASIDE: Final = "journal-aside-{}.db"

_OTHERS: Final = 0o077
"""Permission bits of group and others."""
_LARGEST_MARK: Final = 1 << 53
"""Exclusive upper limit of press numbers."""
_NO_LOCKS: Final = {errno.EBADF, errno.EINVAL, errno.EISDIR, errno.ENOTSUP}
"""Error codes of file systems without locking."""


def files(journal: Path) -> tuple[Path, ...]:
    """Return the paths of *journal* and of the files that SQLite keeps next to it."""
    return tuple(journal.with_name(f"{journal.name}{end}") for end in BESIDE)


def log_of(journal: Path) -> Path:
    """Return the path of SQLite's log. It is next to the real file, even if *journal* is a link."""
    return files(journal.resolve())[1]


def make_private(journal: Path) -> None:
    """Create the file *journal* if needed. Only its owner can read it and the files next to it.

    The file stores the complete pack of a game dealt by the computer.

    Raises:
        OSError: If the file can't be created.
    """
    if not journal.exists():
        os.close(os.open(journal, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    for path in files(journal):
        _keep_from_others(path)


def _keep_from_others(path: Path) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError):  # the file may belong to another user
        mode = path.stat().st_mode
        if stat.S_ISREG(mode) and mode & _OTHERS:
            path.chmod(stat.S_IMODE(mode) & ~_OTHERS)


def is_emptied(journal: Path) -> bool:
    """Return whether *journal* had games, but its file is now empty or missing.

    SQLite would take an empty file for a new database, and delete the log next to it.
    """
    main, log, index = map(_size, files(journal.resolve()))
    if main is None:
        return bool(log)
    if main > 0:
        return False
    return log is not None or index is not None or any(journal.parent.glob(_ASIDE.format("*")))


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def set_aside(journal: Path) -> Path | None:
    """Rename *journal* and the files next to it to unused names.

    Return the new path, or None if there were no files.

    Raises:
        OSError: If the write fails.
    """
    number, was_there = 1, False
    while any(map(os.path.lexists, files(aside := journal.with_name(_ASIDE.format(number))))):
        number += 1
    for path, new in zip(files(journal), files(aside), strict=True):
        with contextlib.suppress(FileNotFoundError):
            path.rename(new)
            was_there = True
    return aside if was_there else None


def copies(journal: Path) -> tuple[Path, Path]:
    """Return the paths of a copy of *journal*: while it is being written, and once it is complete."""
    return journal.with_name("journal-begun.db"), journal.with_name("journal-whole.db")


def put_in_place(journal: Path) -> Path | None:
    """Rename the complete copy, if any, to *journal*.

    Return the new path of the file that it replaces, or None.

    Raises:
        OSError: If the write fails.
    """
    _, whole = copies(journal)
    if not whole.exists():
        return None
    aside = set_aside(journal)
    whole.rename(journal)
    sync(journal.parent)
    return aside


def lock_folder(folder: Path) -> list[int]:
    """Create *folder* if needed, and lock it. Return the open descriptors, for `unlock`.

    Both the folder and the file `lock` in it are locked. The file alone is not enough: if it were deleted,
    another process could lock a new one. The folder alone is not enough either, because earlier versions lock
    only the file.

    Raises:
        BlockingIOError: If another process has locked the folder.
        OSError: If the folder can't be used.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    locks: list[int] = []
    try:
        locks.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        try:
            fcntl.flock(locks[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as refused:  # some network file systems can lock files but not folders
            if refused.errno not in _NO_LOCKS:
                raise
        locks.append(os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
        fcntl.flock(locks[1], fcntl.LOCK_EX | fcntl.LOCK_NB)
        _keep_from_others(folder / "lock")
    except BaseException:
        unlock(locks)
        raise
    return locks


def unlock(locks: list[int]) -> None:
    while locks:
        os.close(locks.pop())


def marked(folder: Path) -> int:
    """Return the last press recorded by `StateFolder.mark` in *folder*, or 0."""
    with contextlib.suppress(OSError, ValueError):
        mark = int((folder / "lock").read_bytes()[:21])
        return mark if 0 < mark < _LARGEST_MARK else 0
    return 0
