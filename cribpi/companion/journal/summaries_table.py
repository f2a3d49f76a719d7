"""The journal's table of summaries: each finished game's result, so that no game is replayed twice.

A row stands under the step with which a game ended.  If that end is undone, another step ends the game, and
the row is read no more.  Like the table of games it contains only what follows from the steps: a row that is
missing or damaged is made again.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Final

from cribpi.companion.journal.steps_table import check_value

_ONE: Final = "SELECT data, crc FROM summaries WHERE last = ?"
_KEEP: Final = "INSERT OR REPLACE INTO summaries VALUES (?, ?, ?)"


def keep_summaries(db: sqlite3.Connection, found: Mapping[int, str]) -> None:
    """Write summaries, each under the row of the last step of its game.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    db.executemany(_KEEP, ((last, data, check_value((last, data))) for last, data in found.items()))


def kept_summary(db: sqlite3.Connection, last: int | None) -> str | None:
    """Return the summary of the game that ended with step *last*; None if there is none, or it is damaged.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    row = db.execute(_ONE, (last,)).fetchone()
    return str(row[0]) if row is not None and row[1] == check_value((last, row[0])) else None
