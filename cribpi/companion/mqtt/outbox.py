"""What is still to be told: the journal's steps after the last one that the broker has acknowledged.

Nothing is queued in memory and nothing is lost: a step is on the disk before anybody sees it, and the place
up to which the broker has all of them is kept in a file beside the journal.  A step may be told twice, with
the same ids, never in another order.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import OrderedDict
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from cribpi.companion.files.whole import write_whole
from cribpi.companion.journal import database
from cribpi.companion.journal.house_table import renamings
from cribpi.companion.journal.steps_table import Step, game_to, last_row, start_of, step_at
from cribpi.companion.mqtt import messages
from cribpi.companion.mqtt.messages import Payload, plain_event, result_of, state_of
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.earlier import as_accepted
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.words.log import LogEntry

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
    events: tuple[Payload, ...]
    """The event messages, in order, each with its `id`."""
    state: Payload
    """The table after it."""
    result: Payload | None
    """How a game has ended with it, or that an end was taken back."""


class Outbox:
    """What is still to be told of the journal in *folder*; one thread uses it."""

    def __init__(self, folder: Path, board: str, *, takes_pairings: bool = False) -> None:
        """Take the state folder, what the board is called, and whether a club's desk can pair it."""
        self._journal = folder / "journal.db"
        self._file = folder / FILE
        self._board = board
        self._takes_pairings = takes_pairings
        self._states: OrderedDict[int | None, State] = OrderedDict({None: NEW_TABLE})
        self.told = 0
        """The row up to which the broker has everything."""
        self.journal = ""
        """A name for this journal, from its first row; empty as long as it has none."""

    def look(self) -> None:
        """Find out which journal this is, and how far the broker has heard of it.

        Of a journal of which no broker has ever heard, it begins with the current game.

        Raises:
            sqlite3.Error: If it can't be read.
        """
        with self._opened() as db:
            self._look(db)

    def _look(self, db: sqlite3.Connection) -> None:
        name = _name(db)
        if name == self.journal:
            return
        self.journal, kept = name, _kept(self._file)
        last = last_row(db)
        if kept is None:
            head = step_at(db, last).head if last else None
            self.told = (start_of(db, head) or 1) - 1 if last else 0
        else:
            row = kept.get("row")
            is_this = kept.get("journal") == name and isinstance(row, int) and 0 <= row <= last
            self.told = row if is_this and isinstance(row, int) else 0

    def acknowledged(self, row: int) -> None:
        """Keep it that the broker has everything up to *row*."""
        if row > self.told:
            self.told = row
            text = json.dumps({"journal": self.journal, "row": row})
            # If the disk refuses, steps are told again after the next start, by the same ids.
            with suppress(OSError):
                write_whole(self._file, text.encode())

    def after(self, row: int) -> list[StepTold]:
        """Return the next steps after *row*, `AT_ONCE` of them at most.

        A step that can't be read is told as a gap.

        Raises:
            sqlite3.Error: If none can be read.
        """
        with self._opened() as db:
            if not self.journal:
                self._look(db)
            found = db.execute(
                "SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id > ? "
                "ORDER BY id LIMIT ?",
                (row, AT_ONCE),
            )
            return [self._told_or_gap(db, Step(*one)) for one in found.fetchall()]

    def now(self) -> tuple[int, Payload]:
        """Return the last row, and the table after it.

        Raises:
            sqlite3.Error, RecordError: If they can't be read.
        """
        with self._opened() as db:
            row = last_row(db)
            head = step_at(db, row).head if row else None
            more = {"seq": row, "club": self._takes_pairings}
            return row, self._with_names({**state_of(self._state(db, head)), **more})

    def last_result(self) -> Payload | None:
        """Return how the last game has ended, to be told again; None while one is going on.

        A broker that was killed may have forgotten it, though it had acknowledged it.

        Raises:
            sqlite3.Error: If the disk can't be read.
        """
        with self._opened() as db:
            row = last_row(db)
            try:
                head = step_at(db, row).head if row else None
                if head is None or row > self.told:
                    return None
                return self._as_result(db, step_at(db, head), head, result_of(self._state(db, head)))
            except (RecordError, RuleError):
                return None  # it is damaged
            except sqlite3.DatabaseError as bad:
                if database.is_the_disks_fault(bad):
                    raise
                return None  # as above

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return database.opened(database.reading(self._journal)[0])

    def _state(self, db: sqlite3.Connection, head: int | None) -> State:
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

    def _told_or_gap(self, db: sqlite3.Connection, row: Step) -> StepTold:
        try:
            return self._told(db, row.whole())
        except (sqlite3.DatabaseError, RecordError, RuleError) as bad:
            if database.is_the_disks_fault(bad):
                raise  # it may be read the next time
            gap = plain_event(messages.GAP, "a step that can't be read")
            return StepTold(row.id, (self._stamped(row, "-0", gap),), {}, None)

    def _told(self, db: sqlite3.Connection, row: Step) -> StepTold:
        if row.act == "undo":
            # The event that it has taken back: the head before it.
            heads = db.execute("SELECT head FROM steps WHERE id < ? ORDER BY id DESC LIMIT 1", (row.id,))
            (event_row,) = heads.fetchone() or (None,)
            event = parse_event(step_at(db, event_row).event)
            before, after = self._state(db, event_row), self._state(db, row.head)
            told, more = iter([plain_event(messages.UNDO, "undone")]), {"undone": event_row}
        else:
            event_row = row.head if row.act == "redo" else row.id
            event = parse_event(step_at(db, event_row).event)
            before = self._state(db, step_at(db, event_row).parent)
            try:
                after = step(before, event)
            except RuleError:  # what an earlier version accepted
                after = self._state(db, event_row)
            self._remember(event_row, after)
            told, more = messages.events_of(LogEntry(before, event, after)), {}
            if row.act == "redo":
                more = {"redone": event_row}
        result = None if isinstance(event, GameStarted) else _result(before, after)
        if result is not None and "undone" in more:
            result |= more
        state = self._with_names({**state_of(after), "seq": row.id})
        as_result = self._as_result(db, row, event_row, result)
        events = tuple(self._stamped(row, f"-{number}", one | more) for number, one in enumerate(told))
        return StepTold(row.id, events, state, as_result)

    def _as_result(
        self, db: sqlite3.Connection, row: Step, event: int | None, result: Payload | None
    ) -> Payload | None:
        """Return *result*, told by *row*, of the game to which the row *event* belongs."""
        if result is None:
            return None
        return self._stamped(row, "", {"taken_back": False} | _as_paired(db, event, result))

    def _stamped(self, row: Step, which: str, told: Payload) -> Payload:
        """Return what is *told* by *row*; *which* tells it from others by the same."""
        return self._with_names(
            {"id": f"{self.journal}-{row.id}{which}", "seq": row.id, "at": row.at, **told}
        )

    def _with_names(self, told: Payload) -> Payload:
        return {"schema": messages.SCHEMA, "board": self._board, "journal": self.journal, **told}


def _result(before: State, after: State) -> Payload | None:
    """Return how the game has ended with a step, or that its end no longer counts; None if it is neither."""
    if before.winner == after.winner:
        return None
    return result_of(after) or {"taken_back": True}


def _as_paired(db: sqlite3.Connection, row: int | None, result: Payload) -> Payload:
    """Return the *result* of the game of *row* with its club's night and round; None if it is of no night.

    Who has been renamed here since it began is called there as before: so the pairing has it.
    """
    first = start_of(db, row) or 0
    start = parse_event(step_at(db, first).event)
    if not isinstance(start, GameStarted) or not start.night:
        return {"night": None, "round": None} | result
    found: dict[str, Any] = {"night": start.night, "round": start.round} | result
    if "sides" in found:
        since = [(new, old) for old, new, after in renamings(db) if first <= after]
        for now, before in reversed(since):
            found["sides"] = [_called(side, now, before) for side in found["sides"]]
    return found


def _called(side: Payload, now: str, before: str) -> Payload:
    """Return a *side* of two players with one who is called *now* as he was *before*."""
    if side["name"] != now:
        return side
    return {**side, "name": before, "seats": [before]}


def _name(db: sqlite3.Connection) -> str:
    """Return a name that no other journal has: from its first step, which has the time."""
    found = db.execute("SELECT id, at, event FROM steps ORDER BY id LIMIT 1").fetchone()
    return hashlib.sha256(repr(found).encode()).hexdigest()[:8] if found else ""


def _kept(file: Path) -> dict[str, Any] | None:
    """Return what was kept; empty if it is damaged, and None if nothing ever was."""
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
