"""What is still to be told: the journal's steps after the last one that the broker has acknowledged.

Nothing is queued in memory and nothing is lost: a step is on the disk before anybody sees it, and the place
up to which the broker has all of them is kept in a file beside the journal.  A step may be told twice, with
the same ids, never in another order.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cribpi.core.earlier import as_accepted
from cribpi.core.errors import RuleError
from cribpi.core.game import NEW_TABLE, fold, step
from cribpi.core.record import RecordError, parse_event
from cribpi.core.state import State
from cribpi.mqtt.messages import SCHEMA, UNDO, Told, events_of, result_of, state_of
from cribpi.storage import database
from cribpi.storage.steps_table import Step, game_to, last_row, step_at

FILE: Final = "mqtt.json"
"""Beside the journal: which journal it is, and the row up to which the broker has everything."""

AT_ONCE: Final = 50
"""Steps that are read at a time."""

_STATES: Final = 400
"""States that are kept, so that a step can be told from the one before it."""


@dataclass(frozen=True, slots=True)
class StepTold:
    """A step of the journal as it is told."""

    row: int
    events: tuple[Told, ...]
    """The event messages, in order, each with its `id`."""
    state: Told
    """The table after it."""
    result: Told | None
    """How a game has ended with it, or that an end was taken back."""


class Outbox:
    """What is still to be told of the journal in *folder*; one thread uses it."""

    def __init__(self, folder: Path, board: str) -> None:
        """Take the state folder, and what the board is called."""
        self._journal = folder / "journal.db"
        self._file = folder / FILE
        self._board = board
        self._states: OrderedDict[int | None, State] = OrderedDict({None: NEW_TABLE})
        kept = _kept(self._file)
        self.told: int = kept.get("row", 0)
        """The row up to which the broker has everything."""
        self._mark: str = kept.get("mark", "")
        self.journal: str = kept.get("journal") or secrets.token_hex(4)
        """A name for this journal, so that ids of one that was replaced never come again."""
        self._is_checked = False
        if not kept:
            self._keep()

    def acknowledged(self, row: int) -> None:
        """Keep it that the broker has everything up to *row*."""
        if row <= self.told:
            return
        self.told = row
        with suppress(Exception), self._opened() as db:
            self._mark = _mark(step_at(db, row))
        self._keep()

    def _keep(self) -> None:
        text = json.dumps({"journal": self.journal, "row": self.told, "mark": self._mark})
        beside = self._file.with_suffix(".new")
        # If the disk refuses, steps are told again after the next start.
        with suppress(OSError):
            beside.write_text(text, encoding="utf-8")
            beside.replace(self._file)

    def after(self, row: int) -> list[StepTold]:
        """Return the next steps after *row*, `AT_ONCE` of them at most.

        Raises:
            sqlite3.Error, RecordError: If they can't be read.
        """
        with self._opened() as db:
            if not self._is_checked:
                row = self._checked(db, row)
            found = db.execute(
                "SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id > ? "
                "ORDER BY id LIMIT ?",
                (row, AT_ONCE),
            )
            return [self._told(db, Step(*one).whole()) for one in found.fetchall()]

    def now(self) -> tuple[int, Told]:
        """Return the last row, and the table after it.

        Raises:
            sqlite3.Error, RecordError: If they can't be read.
        """
        with self._opened() as db:
            row = last_row(db)
            head = step_at(db, row).head if row else None
            return row, self._with_names({**state_of(self._state(db, head)), "seq": row})

    def _opened(self) -> Any:  # noqa: ANN401  a context manager of sqlite3's
        return database.opened(database.reading(self._journal)[0])

    def _checked(self, db: Any, row: int) -> int:  # noqa: ANN401  as above
        """Begin anew where this is another journal than the one whose place was kept."""
        self._is_checked = True
        is_same = row == 0
        if row and row <= last_row(db):
            is_same = not self._mark or _mark(step_at(db, row)) == self._mark
        if is_same:
            return row
        self.journal, self.told, self._mark = secrets.token_hex(4), 0, ""
        self._keep()
        return 0

    def _state(self, db: Any, head: int | None) -> State:  # noqa: ANN401  as above
        found = self._states.get(head)
        if found is None:
            found = fold(as_accepted(parse_event(one.whole().event) for one in game_to(db, head)))
            self._remember(head, found)
        return found

    def _remember(self, head: int | None, state: State) -> None:
        self._states[head] = state
        while len(self._states) > _STATES:
            oldest = next(one for one in self._states if one is not None)
            del self._states[oldest]

    def _told(self, db: Any, row: Step) -> StepTold:  # noqa: ANN401  as above
        if row.act == "undo":
            return self._undone(db, row)
        event_row = row.head if row.act == "redo" else row.id
        event = parse_event(step_at(db, event_row).event)
        before = self._state(db, step_at(db, event_row).parent)
        try:
            after = step(before, event)
        except RuleError:  # what an earlier version accepted
            after = self._state(db, event_row)
        self._remember(event_row, after)
        more = {"redone": event_row} if row.act == "redo" else {}
        told = self._numbered(row, events_of(before, event, after), more)
        result = result_of(after) if before.winner is None else None
        return StepTold(row.id, told, self._as_state(row, after), self._as_result(row, result))

    def _undone(self, db: Any, row: Step) -> StepTold:  # noqa: ANN401  as above
        taken = _undone_row(db, row)
        after, before = self._state(db, row.head), self._state(db, taken)
        told: Told = {
            "event_type": UNDO,
            "seat": None,
            "side": None,
            "name": None,
            "points": 0,
            "cards": [],
            "text": "undone",
            "undone": taken,
        }
        result = None
        if before.winner is not None and after.winner is None:
            result = {"taken_back": True, "undone": taken}
        return StepTold(
            row.id,
            self._numbered(row, iter([told]), {}),
            self._as_state(row, after),
            self._as_result(row, result),
        )

    def _numbered(self, row: Step, told: Iterator[Told], more: Told) -> tuple[Told, ...]:
        return tuple(
            self._with_names(
                {
                    "id": f"{self.journal}-{row.id}-{number}",
                    "seq": row.id,
                    "at": row.at,
                    **one,
                    **more,
                }
            )
            for number, one in enumerate(told)
        )

    def _as_state(self, row: Step, after: State) -> Told:
        return self._with_names({**state_of(after), "seq": row.id})

    def _as_result(self, row: Step, result: Told | None) -> Told | None:
        if result is None:
            return None
        return self._with_names(
            {"id": f"{self.journal}-{row.id}", "seq": row.id, "at": row.at, "taken_back": False} | result
        )

    def _with_names(self, told: Told) -> Told:
        return {"schema": SCHEMA, "board": self._board, "journal": self.journal, **told}


def _undone_row(db: Any, row: Step) -> int | None:  # noqa: ANN401  as above
    """Return the event that the undo *row* has taken back: the head before it."""
    found = db.execute("SELECT head FROM steps WHERE id < ? ORDER BY id DESC LIMIT 1", (row.id,)).fetchone()
    return found[0] if found else None


def _mark(row: Step) -> str:
    return f"{row.crc or 0}"


def _kept(file: Path) -> dict[str, Any]:
    with suppress(OSError, ValueError):
        found = json.loads(file.read_text(encoding="utf-8"))
        if isinstance(found, dict) and isinstance(found.get("row"), int):
            return found
    return {}


__all__ = ["FILE", "Outbox", "RecordError", "StepTold"]
