"""The journal's location: its files, private to their owner, and the lock of its folder."""

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
"""The suffixes of a journal's files: SQLite keeps a log and an index next to it."""

_ASIDE: Final = "journal-aside-{}.db"

_OTHERS: Final = 0o077
"""The permissions of group and others."""
_LARGEST_MARK: Final = 1 << 53
"""The upper limit of the numbers of presses, itself excluded."""
_NO_LOCKS: Final = {errno.EBADF, errno.EINVAL, errno.EISDIR, errno.ENOTSUP}
"""Error codes of file systems that do not support locking."""


def files(journal: Path) -> tuple[Path, ...]:
    """Return the names of *journal* and of the files SQLite keeps next to it."""
    return tuple(journal.with_name(f"{journal.name}{end}") for end in BESIDE)


def log_of(journal: Path) -> Path:
    """Return the path of SQLite's log: next to the real file, even if *journal* is a link to it."""
    return files(journal.resolve())[1]


def make_private(journal: Path) -> None:
    """Create the file *journal* if needed, and make it and the files next to it readable by its owner only.

    A game dealt by the computer stores its whole pack there.

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


def is_emptied(journal: Path) -> bool:
    """Return whether there were games in *journal*, and its file is empty or gone.

    SQLite takes an empty file for a new database, and deletes the log next to it.
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
    """Rename *journal* and the files next to it to unused names; return the new name, or None without files.

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
    """Return the path of a copy of *journal* while it is being written, and its path once complete."""
    return journal.with_name("journal-begun.db"), journal.with_name("journal-whole.db")


def put_in_place(journal: Path) -> Path | None:
    """Rename the complete copy, if any, to *journal*; return the new name of the file that was in its place.

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
    """Create *folder* if needed, and lock it; return the open descriptors for `unlock`.

    Both the folder and a file `lock` in it are locked. The file can be deleted, and then another process
    would lock a new one; the folder can't be deleted without all its contents. Earlier versions lock only the
    file.

    Raises:
        BlockingIOError: If another process holds the lock.
        OSError: If the folder can't be used.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    locks: list[int] = []
    try:
        locks.append(os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC))
        try:
            fcntl.flock(locks[0], fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as refused:  # a network file system may lock files but not folders
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
    """Return the number of the last press recorded in *folder* by `StateFolder.mark`; 0 if there is none."""
    with contextlib.suppress(OSError, ValueError):
        mark = int((folder / "lock").read_bytes()[:21])
        return mark if 0 < mark < _LARGEST_MARK else 0
    return 0
