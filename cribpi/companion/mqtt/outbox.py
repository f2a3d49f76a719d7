"""The messages still to be published: the journal's steps after the last acknowledged one.

No message is queued in memory, and none is lost: a step is on the disk before it is shown, and a file next to
the journal holds the last row whose messages the broker has acknowledged. A step may be published twice, with
the same ids, but never out of order.
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

from cribpi.companion.files.atomic import write_whole
from cribpi.companion.journal import database
from cribpi.companion.journal.house_table import renamings
from cribpi.companion.journal.steps_table import StepRow, game_to, last_row, start_of, step_at
from cribpi.companion.mqtt import messages
from cribpi.companion.mqtt.messages import Payload, plain_event, result_of, state_of
from cribpi.cribbage.game.events import GameStarted
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.legacy import as_accepted
from cribpi.cribbage.rules.errors import RuleError
from cribpi.cribbage.words.log import LogEntry

FILE: Final = "mqtt.json"
"""The file next to the journal that holds the journal's name and the last acknowledged row."""

AT_ONCE: Final = 50
"""Steps per read."""

_STATES: Final = 400
"""Size of the cache of states, from which the messages of the next step are made."""


@dataclass(frozen=True, slots=True)
class StepMessages:
    """The messages of a step of the journal."""

    row: int
    events: tuple[Payload, ...]
    """The event messages, in order, each with its `id`."""
    state: Payload
    """The table after the step."""
    result: Payload | None
    """The result of a game that the step has ended, or the note that an end was undone."""


class Outbox:
    """The messages still to be published of the journal in *folder*; used by one thread."""

    def __init__(self, folder: Path, board: str, *, takes_pairings: bool = False) -> None:
        """Set the state folder, the board's name, and whether a club can send pairings to it."""
        self._journal = folder / "journal.db"
        self._file = folder / FILE
        self._board = board
        self._takes_pairings = takes_pairings
        self._states: OrderedDict[int | None, State] = OrderedDict({None: NEW_TABLE})
        self.acknowledged_row = 0
        """The row up to which the broker has acknowledged everything."""
        self.journal = ""
        """A name for this journal, derived from its first row; empty while it has none."""

    def load(self) -> None:
        """Load the journal's name and the last acknowledged row.

        Of a journal that was never published, it begins with the current game.

        Raises:
            sqlite3.Error: If it can't be read.
        """
        with self._opened() as db:
            self._load(db)

    def _load(self, db: sqlite3.Connection) -> None:
        name = _name(db)
        if name == self.journal:
            return
        self.journal, saved = name, _load_place(self._file)
        last = last_row(db)
        if saved is None:
            head = step_at(db, last).head if last else None
            self.acknowledged_row = (start_of(db, head) or 1) - 1 if last else 0
        else:
            row = saved.get("row")
            is_this = saved.get("journal") == name and isinstance(row, int) and 0 <= row <= last
            self.acknowledged_row = row if is_this and isinstance(row, int) else 0

    def acknowledged(self, row: int) -> None:
        """Record that the broker has everything up to *row*."""
        if row > self.acknowledged_row:
            self.acknowledged_row = row
            text = json.dumps({"journal": self.journal, "row": row})
            # If the write fails, steps are published again after the next start, with the same ids.
            with suppress(OSError):
                write_whole(self._file, text.encode())

    def after(self, row: int) -> list[StepMessages]:
        """Return the messages of the next steps after *row*, at most `AT_ONCE` of them.

        A step that can't be read becomes a gap.

        Raises:
            sqlite3.Error: If none can be read.
        """
        with self._opened() as db:
            if not self.journal:
                self._load(db)
            rows = db.execute(
                "SELECT id, at, act, event, parent, depth, head, crc FROM steps WHERE id > ? "
                "ORDER BY id LIMIT ?",
                (row, AT_ONCE),
            )
            return [self._messages_or_gap(db, StepRow(*row_values)) for row_values in rows.fetchall()]

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
        """Return the result of the last game, to be published again; None during a game.

        A broker that was killed may have lost it after acknowledging it.

        Raises:
            sqlite3.Error: If the disk can't be read.
        """
        with self._opened() as db:
            row = last_row(db)
            try:
                head = step_at(db, row).head if row else None
                if head is None or row > self.acknowledged_row:
                    return None
                return self._as_result(db, step_at(db, head), head, result_of(self._state(db, head)))
            except (RecordError, RuleError):
                return None  # a damaged step has no result
            except sqlite3.DatabaseError as bad:
                if database.is_the_disks_fault(bad):
                    raise
                return None  # a damaged page has no result

    def _opened(self) -> AbstractContextManager[sqlite3.Connection]:
        return database.opened(database.reading(self._journal)[0])

    def _state(self, db: sqlite3.Connection, head: int | None) -> State:
        state = self._states.get(head)
        if state is None:
            state = fold(as_accepted(parse_event(row.whole().event) for row in game_to(db, head)))
            self._remember(head, state)
        return state

    def _remember(self, head: int | None, state: State) -> None:
        self._states[head] = state
        while len(self._states) > _STATES:
            oldest = next(key for key in self._states if key is not None)
            del self._states[oldest]

    def _messages_or_gap(self, db: sqlite3.Connection, row: StepRow) -> StepMessages:
        try:
            return self._messages(db, row.whole())
        except (sqlite3.DatabaseError, RecordError, RuleError) as bad:
            if database.is_the_disks_fault(bad):
                raise  # the next read may succeed
            gap = plain_event(messages.GAP, "a step that can't be read")
            return StepMessages(row.id, (self._stamped(row, "-0", gap),), {}, None)

    def _messages(self, db: sqlite3.Connection, row: StepRow) -> StepMessages:
        if row.act == "undo":
            # The undone event is the head before this step.
            heads = db.execute("SELECT head FROM steps WHERE id < ? ORDER BY id DESC LIMIT 1", (row.id,))
            (event_row,) = heads.fetchone() or (None,)
            event = parse_event(step_at(db, event_row).event)
            before, after = self._state(db, event_row), self._state(db, row.head)
            payloads, more = iter([plain_event(messages.UNDO, "undone")]), {"undone": event_row}
        else:
            event_row = row.head if row.act == "redo" else row.id
            event = parse_event(step_at(db, event_row).event)
            before = self._state(db, step_at(db, event_row).parent)
            try:
                after = step(before, event)
            except RuleError:  # an earlier version accepted this event
                after = self._state(db, event_row)
            self._remember(event_row, after)
            payloads, more = messages.events_of(LogEntry(before, event, after)), {}
            if row.act == "redo":
                more = {"redone": event_row}
        result = None if isinstance(event, GameStarted) else _result(before, after)
        if result is not None and "undone" in more:
            result |= more
        state = self._with_names({**state_of(after), "seq": row.id})
        as_result = self._as_result(db, row, event_row, result)
        events = tuple(
            self._stamped(row, f"-{number}", payload | more) for number, payload in enumerate(payloads)
        )
        return StepMessages(row.id, events, state, as_result)

    def _as_result(
        self, db: sqlite3.Connection, row: StepRow, event: int | None, result: Payload | None
    ) -> Payload | None:
        """Return *result* as a message of *row*; the row *event* belongs to the game."""
        if result is None:
            return None
        return self._stamped(row, "", {"taken_back": False} | _as_paired(db, event, result))

    def _stamped(self, row: StepRow, suffix: str, payload: Payload) -> Payload:
        """Return *payload* as a message of *row*; *suffix* makes its id unique among the row's messages."""
        return self._with_names(
            {"id": f"{self.journal}-{row.id}{suffix}", "seq": row.id, "at": row.at, **payload}
        )

    def _with_names(self, payload: Payload) -> Payload:
        return {"schema": messages.SCHEMA, "board": self._board, "journal": self.journal, **payload}


def _result(before: State, after: State) -> Payload | None:
    """Return the result of a game that ended in this step, or a note that its end was undone; else None."""
    if before.winner == after.winner:
        return None
    return result_of(after) or {"taken_back": True}


def _as_paired(db: sqlite3.Connection, row: int | None, result: Payload) -> Payload:
    """Return the *result* of the game of *row* with its club night and round, which may be None.

    A player who was renamed here since the game began gets the earlier name, as in the pairing.
    """
    first = start_of(db, row) or 0
    start = parse_event(step_at(db, first).event)
    if not isinstance(start, GameStarted) or not start.night:
        return {"night": None, "round": None} | result
    message: dict[str, Any] = {"night": start.night, "round": start.round} | result
    if "sides" in message:
        since = [(new, old) for old, new, after in renamings(db) if first <= after]
        for now, before in reversed(since):
            message["sides"] = [_with_earlier_name(side, now, before) for side in message["sides"]]
    return message


def _with_earlier_name(side: Payload, now: str, before: str) -> Payload:
    """Return a *side* of a game of two, in which the player *now* is called *before*."""
    if side["name"] != now:
        return side
    return {**side, "name": before, "seats": [before]}


def _name(db: sqlite3.Connection) -> str:
    """Return a unique name for the journal: a hash of its first step, which has the time."""
    first = db.execute("SELECT id, at, event FROM steps ORDER BY id LIMIT 1").fetchone()
    return hashlib.sha256(repr(first).encode()).hexdigest()[:8] if first else ""


def _load_place(file: Path) -> dict[str, Any] | None:
    """Return the saved place; empty if the file is damaged, and None if it does not exist."""
    try:
        place = json.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        return {}
    return place if isinstance(place, dict) else {}
