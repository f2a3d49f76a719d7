"""Atomic writes: after a power failure a file is the old one or the new one, but always complete."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes, mode: int | None = None) -> None:
    """Write *data* to the file *path*, with the permissions *mode* or the default ones.

    A power failure during the call leaves the old file or the new one; after the call, the new one.

    Raises:
        OSError: If the write fails.
    """
    beside = path.with_name(f".{path.name}.new")
    try:
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
        handle = os.open(beside, flags, 0o666 if mode is None else mode)
        with os.fdopen(handle, "wb") as file:
            if mode is not None:
                os.fchmod(handle, mode)
            file.write(data)
            file.flush()
            os.fsync(handle)
        put(beside, path)
    except OSError:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def put(new: Path, path: Path) -> None:
    """Rename the file *new* to *path*, durably.

    Raises:
        OSError: If the write fails.
    """
    new.replace(path)
    _sync_folder(path.parent)


def erase(path: Path) -> None:
    """Remove the file *path*, if it exists, durably; that needs no free space.

    Raises:
        OSError: If the write fails.
    """
    path.unlink(missing_ok=True)
    _sync_folder(path.parent)


def sync(path: Path) -> None:
    """Sync *path*, a file or a folder, to the disk.

    Raises:
        OSError: If the write fails.
    """
    file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    try:
        sync(folder)
    except OSError as refused:
        if refused.errno != errno.EINVAL:  # some network file systems can't sync folders
            raise
