"""Rollback of a failed upgrade. The old program's files are kept until the new program is known to work.

The old journal is not restored if the new program has already recorded further steps.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import time
from contextlib import closing, suppress
from pathlib import Path
from typing import Final

from guard import page_answers
from slots import VENV, clear, spare, switch
from steps import (
    CONFIG,
    DROP_INS,
    KEPT,
    OLD_STAMP,
    OWN_FILES,
    STAMP,
    STATE,
    Failed,
    printed,
    run,
    say,
)

from cribpi.companion.files.atomic import put, write_whole
from cribpi.companion.journal import database
from cribpi.companion.journal.location import copies, put_in_place

COPY: Final = "journal-before-update.db"
"""Copy of the journal from before the upgrade. It is next to the journal."""

WITHIN: Final = 120.0
"""Timeout in seconds for the new program's page. A program that is still running then counts as working."""

LOG: Final = "`journalctl -u cribpi` shows why"

_VERSION_FILES: Final = tuple(path for _, path in OWN_FILES if path != CONFIG)
"""Files that belong to a version of the program. The settings belong to the user instead."""


def keep_files(root: Path) -> None:
    """Back up the systemd unit and related files, unless there is a backup."""
    backup, unfinished = root / KEPT, root / f"{KEPT}.new"
    if backup.exists():
        return
    clear(unfinished)
    unfinished.mkdir(parents=True)
    for path in _VERSION_FILES:
        if (root / path).is_file():
            (unfinished / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, unfinished / path)
    os.sync()
    unfinished.rename(backup)


def _put_files_back(root: Path) -> None:
    for path in _VERSION_FILES:
        current, old = root / path, root / KEPT / path
        if old.is_file():
            write_whole(current, old.read_bytes(), mode=0o644)
        else:
            current.unlink(missing_ok=True)
    with suppress(OSError):  # fails if the folder is missing, or has the user's files
        (root / DROP_INS).rmdir()


def keep_games(root: Path) -> None:
    """Copy the journal, because the new program may migrate it to a newer version.

    The journal must be closed.

    Raises:
        Failed: If copying fails.
    """
    journal = root / STATE / "journal.db"
    if not journal.exists():
        return
    copy = journal.with_name(COPY)
    unfinished = copy.with_name(f".{COPY}.new")
    try:
        unfinished.unlink(missing_ok=True)
        with closing(sqlite3.connect(unfinished)) as target:
            database.settled(journal, lambda db: db.backup(target))
        owner = journal.stat()
        os.chown(unfinished, owner.st_uid, owner.st_gid)
        unfinished.chmod(0o600)
        put(unfinished, copy)
    except sqlite3.Error as error:
        raise Failed(f"the games can't be copied ({error}); `cribpi doctor` shows what to do") from None


def release(root: Path) -> None:
    """Delete the old program and its files.

    The journal's copy is kept if its version differs from the journal's.
    """
    clear(spare(root))
    clear(root / KEPT)
    if (root / STAMP).exists():
        (root / OLD_STAMP).unlink(missing_ok=True)
    journal, copy = root / STATE / "journal.db", root / STATE / COPY
    with suppress(sqlite3.Error):
        if copy.exists() and _version(journal) == _version(copy):
            copy.unlink()


def has_old(root: Path) -> bool:
    """Return whether a complete old program can be restored."""
    return (root / KEPT).exists() and (spare(root) / "bin" / "cribpi").exists()


def wait(port: int) -> None:
    """Wait until the service, which has just started, answers. Give up after `WITHIN` seconds.

    Raises:
        Failed: If the service exits or restarts meanwhile.
    """
    pid, until = _pid(), time.monotonic() + WITHIN
    while time.monotonic() < until:
        if pid == "0" or _pid() != pid:
            raise Failed("the new program has ended again")
        if page_answers(port):
            return
        time.sleep(1)


def _pid() -> str:
    return printed("systemctl", "show", "--property=MainPID", "--value", "cribpi")


def go_back(root: Path, why: str) -> None:
    """Restore the old program, its files and its journal. It is not started.

    Raises:
        Failed: If the new program has recorded steps that the old one can't read. Nothing is restored then.
    """
    journal, copy = root / STATE / "journal.db", root / STATE / COPY
    run("systemctl", "stop", "cribpi", remedy="see `systemctl status cribpi`")
    if copy.exists() and _is_newer(journal, copy):
        if _has_gone_on(journal, copy):
            run("systemctl", "start", "--no-block", "cribpi", remedy=LOG)
            raise Failed(
                f"{why}, but your games went on in it and the old program can't read them, so it stays; {LOG}"
            )
        put(copy, copies(journal)[1])
        put_in_place(journal)
    _put_files_back(root)
    switch(root, spare(root))
    say("done", f"/{VENV} leads to the old program again, with all games")


def _is_newer(journal: Path, copy: Path) -> bool:
    try:
        return not journal.exists() or _version(journal) != _version(copy)
    except sqlite3.Error:
        return True


def _has_gone_on(journal: Path, copy: Path) -> bool:
    """Return whether *journal* has changed since *copy* was made, or can't be read."""
    row = "SELECT (SELECT max(id) FROM steps), (SELECT seq FROM desk)"
    try:
        if not journal.exists():
            return False
        now, before = (
            database.settled(file, lambda db: db.execute(row).fetchone()) for file in (journal, copy)
        )
    except sqlite3.Error:
        return True
    return bool(now != before)


def _version(journal: Path) -> int:
    return database.settled(journal, database.version_of)
