"""Checks that are the same on every machine: journal, free space, and the page's port."""

from __future__ import annotations

import errno
import http.client
import json
import os
import shutil
import socket
import sqlite3
from pathlib import Path
from typing import Final

from cribpi.doctor.finding import Finding, ill, well
from cribpi.storage import disk
from cribpi.storage.database import (
    NewerJournal,
    damage,
    desk_row,
    has_games,
    is_the_disks_fault,
    last_step,
    opened,
    settled,
)
from cribpi.storage.games_table import faults_of_games

ROOM: Final = 50_000_000
"""Bytes that must be free for the journal; a game takes less than a fiftieth of this."""
AS_THE_SERVICE: Final = "sudo -u cribpi env XDG_STATE_HOME=/var/lib cribpi doctor"
"""Asks an installed companion, which has its own user and state folder."""
_SET_ASIDE: Final = (
    "start the companion: it keeps this one as journal-aside-1.db and begins a new one (see "
    "docs/how-to/trouble.md)"
)
_ANOTHER: Final = "make it a file that you can read and write, or choose another folder with --state"
_FORGET_GAMES: Final = "DELETE FROM games"
"""Empties the table of games, which is then rebuilt."""
_LOOPBACK: Final = "127.0.0.1"


def check_room(state: Path) -> Finding:
    """Check the free space where the journal is, or will be."""
    name = "free space"
    folder = _there(state)
    free = shutil.disk_usage(folder).free
    says = f"{free / 1e6:,.0f} MB are free at {folder}"
    if free < ROOM:
        return ill(
            name, f"{says}; at least {ROOM / 1e6:.0f} are needed", "sudo apt clean, or use a larger card"
        )
    return well(name, says)


def check_journal(state: Path) -> Finding:
    """Check the journal without writing to it, even while a companion uses it."""
    name, path = "journal", state / "journal.db"
    if not _there(state).is_dir():
        return ill(name, f"{_there(state)} is not a folder", "choose a folder with --state")
    if not os.access(_there(state), os.R_OK | os.X_OK):
        return ill(name, f"{state} may not be read", f"run as its user: {AS_THE_SERVICE}")
    closed = _unwritable(state)
    if closed is not None:
        return closed
    if not path.exists():
        return well(name, f"none yet at {state}: the first game creates it")
    try:
        return settled(path, lambda uri: _looked_through(path, uri))
    except NewerJournal as newer:
        return ill(
            name,
            f"{path}: {newer}",
            "update cribpi; this one keeps it as journal-aside-1.db, and begins a new one",
        )
    except sqlite3.Error as error:
        mends = disk.remedy(error, _ANOTHER) if is_the_disks_fault(error) else _SET_ASIDE
        return ill(name, f"{path} can't be read ({disk.one_line(error)})", mends)


def _looked_through(path: Path, uri: str) -> Finding:
    """Check everything that has a checksum in the journal *path*, which *uri* opens.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    name = "journal"
    with opened(uri) as db:
        if found := damage(db, whole=True, indexes=True):
            return ill(name, f"{path} is damaged ({found})", _SET_ASIDE)
        if has_games(db) and (games := faults_of_games(db)):
            return ill(
                name, f"{path}: {games}", f'sqlite3 "{path}" "{_FORGET_GAMES}": the next start makes it again'
            )
        if has_games(db) and (desk := desk_row(db)) and not desk[1]:
            return ill(
                name,
                f"{path}: what was half entered, and the setup of the next game, is damaged",
                "start the companion: it clears these, and the game goes on",
            )
        last = last_step(db)
        steps = last.depth if last else 0
        return well(name, f"{path} is intact, with {steps:,} steps up to now")


def _there(state: Path) -> Path:
    """Return *state* or, if it does not exist, the nearest parent that does."""
    return next(path for path in (state, *state.parents) if path.exists())


def _unwritable(state: Path) -> Finding | None:
    """Return what keeps a companion from writing its journal in *state*, if anything; nothing is written."""
    for path in (_there(state), state / "journal.db", state / "lock"):
        if not path.exists() or os.access(path, os.W_OK):
            continue
        remedy = f"run as its user: {AS_THE_SERVICE}; or choose a folder that you can write to with --state"
        if os.statvfs(path).f_flag & os.ST_RDONLY:
            remedy = disk.remedy(OSError(errno.EROFS, ""), "")
        return ill("journal", f"{path} can't be written, so no game can be kept", remedy)
    return None


def check_port(port: int) -> Finding:
    """Check that the page's port is free, or a companion's."""
    name = "port"
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((_LOOPBACK, port))
        except PermissionError:
            return ill(name, f"only root can use {port}", "cribpi run --port 8121")
        except OSError:
            pass
        else:
            return well(name, f"{port} is free for the page")
    if _is_companion(port):
        return well(name, f"cribpi is running there already, at http://{_LOOPBACK}:{port}/")
    return ill(name, f"another program has {port}", "cribpi run --port 8122, or port = 8122 in config.toml")


def _is_companion(port: int) -> bool:
    line = http.client.HTTPConnection(_LOOPBACK, port, timeout=2)
    try:
        line.request("GET", "/api/state")
        return "phase" in json.loads(line.getresponse().read(100_000))
    except (OSError, http.client.HTTPException, ValueError, TypeError):
        return False
    finally:
        line.close()
