"""An upgrade that can be undone: what the old program had is kept until the new one is seen to serve.

The games are never put back over something that the new program has answered.
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

from cribpi.companion.files.whole import put, write_whole
from cribpi.companion.journal import database
from cribpi.companion.journal.location import copies, put_in_place

COPY: Final = "journal-before-update.db"
"""The games as the old program left them, beside the journal."""

WITHIN: Final = 120.0
"""Seconds for which a new program may start without answering; one that still runs then is well."""

LOG: Final = "`journalctl -u cribpi` shows why"

_TAKEN: Final = tuple(path for _, path in OWN_FILES if path != CONFIG)
"""What belongs to a version of the program; the settings belong to people."""


def keep_files(root: Path) -> None:
    """Keep the unit and what belongs to it as they are now, unless they are kept already."""
    kept, begun = root / KEPT, root / f"{KEPT}.new"
    if kept.exists():
        return
    clear(begun)
    begun.mkdir(parents=True)
    for path in _TAKEN:
        if (root / path).is_file():
            (begun / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(root / path, begun / path)
    os.sync()
    begun.rename(kept)


def _put_files_back(root: Path) -> None:
    for path in _TAKEN:
        there, old = root / path, root / KEPT / path
        if old.is_file():
            write_whole(there, old.read_bytes(), mode=0o644)
        else:
            there.unlink(missing_ok=True)
    with suppress(OSError):  # it has other files, or is not there
        (root / DROP_INS).rmdir()


def keep_games(root: Path) -> None:
    """Copy the journal, which nobody has open, for a program that may not understand it any more.

    Raises:
        Failed: If it can't be copied.
    """
    journal = root / STATE / "journal.db"
    if not journal.exists():
        return
    copy = journal.with_name(COPY)
    begun = copy.with_name(f".{COPY}.new")
    try:
        begun.unlink(missing_ok=True)
        with closing(sqlite3.connect(begun)) as target:
            database.settled(journal, lambda db: db.backup(target))
        owner = journal.stat()
        os.chown(begun, owner.st_uid, owner.st_gid)
        begun.chmod(0o600)
        put(begun, copy)
    except sqlite3.Error as error:
        raise Failed(f"the games can't be copied ({error}); `cribpi doctor` shows what to do") from None


def release(root: Path) -> None:
    """Remove what only a way back needs: the old program, its files, and games that it could still read."""
    clear(spare(root))
    clear(root / KEPT)
    if (root / STAMP).exists():
        (root / OLD_STAMP).unlink(missing_ok=True)
    journal, copy = root / STATE / "journal.db", root / STATE / COPY
    with suppress(sqlite3.Error):
        if copy.exists() and _version(journal) == _version(copy):
            copy.unlink()


def has_old(root: Path) -> bool:
    """Return whether there is a whole program to go back to."""
    return (root / KEPT).exists() and (spare(root) / "bin" / "cribpi").exists()


def wait(port: int) -> None:
    """Wait until the service, which has just been started, answers, or has gone on running for long.

    Raises:
        Failed: If it has ended meanwhile.
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
    """Put the old program back, with its files and its games, but for starting it.

    Raises:
        Failed: If the new one has answered a press that the old one could not read; nothing is changed then.
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
    """Return whether *journal* has more steps or presses than *copy*, or can't be read."""
    row = "SELECT (SELECT max(id) FROM steps), (SELECT seq FROM desk)"
    try:
        if not journal.exists():
            return False
        now, before = (
            database.settled(one, lambda db: db.execute(row).fetchone()) for one in (journal, copy)
        )
    except sqlite3.Error:
        return True
    return bool(now != before)


def _version(journal: Path) -> int:
    return database.settled(journal, database.version_of)
