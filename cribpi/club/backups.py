"""Database backups of the club log, one after each round. Any desk can continue from one."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Final

from cribpi.club.desk import Desk
from cribpi.club.log import Log, LogTrouble
from cribpi.companion.files.atomic import write_whole

KEPT: Final = 20
"""Maximum number of backups; the oldest are deleted."""


def file_name() -> str:
    """Return the name of a backup made now. Names sort by time."""
    return f"club-{datetime.now().astimezone():%Y-%m-%d-%H%M%S}.db"


class Backups:
    """Back up *log* to *folder* after each round. *report* gets an error message, or None after success."""

    def __init__(self, log: Log, desk: Desk, folder: Path, report: Callable[[str | None], None]) -> None:
        self._log, self._desk = log, desk
        self._folder, self._report = folder, report
        self._lock = threading.Lock()
        self._seen = desk.name, desk.night.entries
        self._copied: object = self._stands()
        desk.subscribe(self._on_change)

    def _stands(self) -> object:
        """Return the results to back up, or None before round 1 and during a round."""
        night = self._desk.night
        is_between = night.round and not night.missing
        return (self._desk.name, night.reports, night.playoff_games) if is_between else None

    def _on_change(self) -> None:
        with self._lock:
            now = self._desk.name, self._desk.night.entries
            if now == self._seen:  # most changes are only a board's score
                return
            self._seen, stands = now, self._stands()
            if stands is not None and stands != self._copied:
                self._copied = stands
                self._copy()

    def _copy(self) -> None:
        try:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            write_whole(self._folder / (new := file_name()), self._log.copy(), mode=0o600)
            # Names later than the new one were written by a fast clock: delete them first.
            every = sorted(self._folder.glob("club-*.db"), key=lambda one: (one.name <= new, one.name))
            for old in every[:-KEPT]:
                old.unlink()
            self._report(None)
        except (OSError, LogTrouble) as bad:
            why = (bad.strerror or type(bad).__name__).lower() if isinstance(bad, OSError) else bad
            self._report(f"The copy of this night can't be saved in {self._folder} ({why}).")
