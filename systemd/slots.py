"""Two slots for the program. A new version is installed into the spare slot, and then a link is switched.

A power cut at any moment leaves either the old or the new program working. If the new one does not start, the
old one can be restored.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from pathlib import Path
from typing import Final

from cribpi.companion.files.atomic import sync

VENV: Final = "opt/cribpi/venv"
"""Link to the program in use. In installations without slots, it is the program's folder."""

SLOTS: Final = ("opt/cribpi/venv-1", "opt/cribpi/venv-2")

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # constants from linux/fcntl.h and linux/fs.h


def used(root: Path) -> Path:
    """Return the folder of the program in use below *root*."""
    venv = root / VENV
    return venv.parent / venv.readlink() if venv.is_symlink() else venv


def spare(root: Path) -> Path:
    """Return the slot that is not in use."""
    return next(root / slot for slot in SLOTS if root / slot != used(root))


def clear(slot: Path) -> None:
    """Delete *slot*, which may be a folder, a file or a link.

    Raises:
        OSError: If deleting fails.
    """
    if slot.is_dir() and not slot.is_symlink():
        shutil.rmtree(slot)
    else:
        slot.unlink(missing_ok=True)


def switch(root: Path, slot: Path) -> None:
    """Make *slot* the program in use, atomically. The previous program is then in the spare slot.

    Raises:
        OSError: If a rename fails.
    """
    venv = root / VENV
    if venv.is_dir() and not venv.is_symlink():  # an installation without slots
        link = next(root / other for other in SLOTS if root / other != slot)
    else:
        link = venv.with_name(".venv.new")
    clear(link)
    link.symlink_to(slot.name)
    if link.parent / link.name in {root / other for other in SLOTS}:
        exchange(link, venv)
    else:
        link.replace(venv)
    sync(venv.parent)


def exchange(first: Path, second: Path) -> None:
    """Swap the names of two files. This is atomic if the file system supports it.

    Raises:
        OSError: If a rename fails.
    """
    names = os.fsencode(first), os.fsencode(second)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE):
        between = first.with_name(f".{first.name}.new")
        second.rename(between)
        first.rename(second)
        between.rename(first)
