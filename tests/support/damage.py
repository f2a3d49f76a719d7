"""Damage to a journal's files by another program, while a companion runs."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Final, TypeAlias

Damage: TypeAlias = Callable[[Path, Path], object]
"""Function that damages the journal in the first folder. The second folder has another journal."""

MAIN, LOG, INDEX = "journal.db", "journal.db-wal", "journal.db-shm"


def _cut(name: str, size: int = 0) -> Damage:
    return lambda folder, _: os.truncate(folder / name, size)


def _overwrite(name: str) -> Damage:
    """Overwrite the file in place with another journal's file, as `cp` does."""
    return lambda folder, other: (folder / name).write_bytes((other / name).read_bytes())


def _scramble(name: str) -> Damage:
    """Overwrite the whole file with random bytes of the same length."""

    def do(folder: Path, _: Path) -> None:
        with (folder / name).open("r+b") as file:
            file.write(Random(1).randbytes((folder / name).stat().st_size))

    return do


def _lengthen(folder: Path, _: Path) -> None:
    with (folder / MAIN).open("ab") as file:
        file.write(b"more")


def _all(*damages: Damage) -> Damage:
    def do(folder: Path, other: Path) -> None:
        for damage in damages:
            damage(folder, other)

    return do


DAMAGES: Final[dict[str, Damage]] = {
    "journal emptied": _cut(MAIN),
    "journal cut": _cut(MAIN, 8192),
    "journal overwritten": _overwrite(MAIN),
    "journal scrambled": _scramble(MAIN),
    "journal lengthened": _lengthen,
    "journal touched": lambda folder, _: os.utime(folder / MAIN, (0, 0)),
    "log emptied": _cut(LOG),
    "log cut": _cut(LOG, 20_000),
    "log overwritten": _overwrite(LOG),
    "log scrambled": _scramble(LOG),
    "index emptied": _cut(INDEX),
    "index cut": _cut(INDEX, 100),
    "index overwritten": _overwrite(INDEX),
    "index scrambled": _scramble(INDEX),
    "journal and log emptied": _all(_cut(MAIN), _cut(LOG)),
    "all emptied": _all(*map(_cut, (MAIN, LOG, INDEX))),
    "all overwritten": _all(*map(_overwrite, (MAIN, LOG, INDEX))),
}

DAMAGES_OF_A_PART: Final = {name: do for name, do in DAMAGES.items() if not name.startswith("all")}
"""Damages that lose nothing, even if they end the program.

SQLite crashes if it reads its index at the moment when the index is truncated.
"""

READ_ONLY_USES: Final[dict[str, Damage]] = {
    "read": lambda folder, _: [(folder / name).read_bytes() for name in (MAIN, LOG)],
    "last read another time": lambda folder, _: os.utime(
        folder / MAIN, ns=(0, (folder / MAIN).stat().st_mtime_ns // 1000 * 1000)
    ),
    "linked": lambda folder, _: os.link(folder / MAIN, folder / "link"),
    "of another mode": lambda folder, _: (folder / MAIN).chmod(0o640),
}
"""Harmless actions, as backup programs do."""
