"""Two places for the program: a new one is made whole beside the one in use, then one link is switched.

A plug that is pulled at any moment leaves the old program or the new one, and a new one that does not start
has the old one to go back to.
"""

from __future__ import annotations

import ctypes
import os
import shutil
from pathlib import Path
from typing import Final

from cribpi.companion.files.whole import sync

VENV: Final = "opt/cribpi/venv"
"""The link to the program in use.  Earlier installations have the program itself there."""

SLOTS: Final = ("opt/cribpi/venv-1", "opt/cribpi/venv-2")

_AT_FDCWD, _RENAME_EXCHANGE = -100, 2  # of linux/fcntl.h and linux/fs.h


def used(root: Path) -> Path:
    """Return the folder of the program in use below *root*."""
    venv = root / VENV
    return venv.parent / venv.readlink() if venv.is_symlink() else venv


def spare(root: Path) -> Path:
    """Return the slot that is not in use."""
    return next(root / slot for slot in SLOTS if root / slot != used(root))


def clear(slot: Path) -> None:
    """Remove what is in *slot*, whatever it is.

    Raises:
        OSError: If it can't be removed.
    """
    if slot.is_dir() and not slot.is_symlink():
        shutil.rmtree(slot)
    else:
        slot.unlink(missing_ok=True)


def switch(root: Path, slot: Path) -> None:
    """Have the program in *slot* used, at once; the other one is then in the spare slot.

    Raises:
        OSError: If the disk refuses.
    """
    venv = root / VENV
    if venv.is_dir() and not venv.is_symlink():  # of an earlier installation
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


def exchange(one: Path, other: Path) -> None:
    """Have *one* and *other* swap their names: at once, but on file systems that can't.

    Raises:
        OSError: If the disk refuses.
    """
    names = os.fsencode(one), os.fsencode(other)
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE):
        between = one.with_name(f".{one.name}.new")
        other.rename(between)
        one.rename(other)
        between.rename(one)
