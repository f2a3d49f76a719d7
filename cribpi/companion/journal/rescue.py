"""What SQLite can still give of a journal whose files are no longer what they were, for a new one."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Final

from cribpi.companion.journal.games_table import line_to
from cribpi.companion.journal.steps_table import game_to, start_of
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.record import RecordError, parse_event

MOST_GAMES: Final = 500
"""Earlier games that are read: a press waits for it."""


@dataclass(frozen=True, slots=True)
class RescuedGame:
    """A game: when it began, its events, and its summary, if it was kept."""

    began: str
    events: Sequence[Event]
    summary: str | None


def games_before(db: sqlite3.Connection, head: int | None) -> list[RescuedGame]:
    """Return the games before the one that ends in row *head*, oldest first.

    They are whole, and without a gap: what comes before a game that can't be read is left out.
    """
    found: list[RescuedGame] = []
    with contextlib.suppress(sqlite3.Error, RecordError):
        start = start_of(db, head)
        line = line_to(db, start) if start is not None else iter(())
        for (later, summary), (begun, _) in pairwise(islice(line, MOST_GAMES + 1)):
            steps = game_to(db, later.parent)
            if not steps or steps[0].id != begun.start or len(steps) != later.depth - begun.depth:
                break
            events = [parse_event(step.whole().event) for step in steps]
            found.append(RescuedGame(begun.at, events, summary))
    return found[::-1]


def last_answers(db: sqlite3.Connection) -> Iterator[tuple[str, int, str]]:
    """Yield the answers that can be read, the last one first: id, status and body."""
    with contextlib.suppress(sqlite3.Error):
        yield from db.execute("SELECT id, status, body FROM answers ORDER BY place DESC")
