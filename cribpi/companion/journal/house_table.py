"""The journal's table `house`: lasting facts about this house, such as renamed people.

A row is never changed: to cancel a fact, a later row names its row. The table needed no new version of the
journal, because earlier programs ignore it. For them, the row of `desk` also lists the renamings, until the
next version. Renamings that they add there are imported.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple, TypeAlias

from cribpi.companion.journal.database import desk_row
from cribpi.companion.journal.steps_table import are_types, check_value

Statement: TypeAlias = Sequence[Any]
"""A keyword and its values, as a JSON list."""

Renaming: TypeAlias = tuple[str, str, int]
"""The old name, the new name, and the last row of `steps` before the renaming.

A player who uses the old name after that row is a different person.
"""

RENAMED: Final = "renamed"
TAKEN_BACK: Final = "taken back"
"""Keyword of a row that cancels another. Its value is the number of that row."""


class FactRow(NamedTuple):
    """A row of `house`. In a damaged file, a column may have any type."""

    id: int
    at: str
    after: int
    """Last row of `steps` before the fact."""
    step: int | None
    """Row of `steps` that the fact belongs to, or None. Undoing that step cancels the fact."""
    data: str
    crc: int = 0

    @property
    def is_whole(self) -> bool:
        return self.crc == check_value(self[:-1]) and are_types(self, _TYPES)

    @property
    def statement(self) -> Statement:
        return tuple(json.loads(self.data))


_TYPES: Final = (int, str, int, int | None, str, int)


def rows_of(db: sqlite3.Connection) -> list[FactRow]:
    """Return all rows, oldest first, including damaged ones. Empty if the table is missing.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'house')").fetchone()[0]:
        return []
    return list(
        map(FactRow._make, db.execute("SELECT id, at, after, step, said, crc FROM house ORDER BY id"))
    )


def facts(db: sqlite3.Connection, steps: Sequence[int] = (), *, is_undo: bool = False) -> list[FactRow]:
    """Return the facts in force, oldest first.

    With *steps*, they are as after undoing or redoing these steps.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    rows = [row for row in rows_of(db) if row.is_whole]
    more = enumerate(_turned(rows, steps, is_undo=is_undo), start=rows[-1].id + 1 if rows else 1)
    return _in_force([*rows, *(FactRow(id_, "", 0, step, json.dumps(data)) for id_, (step, data) in more)])


def _in_force(rows: Sequence[FactRow]) -> list[FactRow]:
    cancelled, in_force = set[int](), list[FactRow]()
    for row in reversed(rows):
        word, *values = row.statement
        if row.id in cancelled:
            continue
        if word == TAKEN_BACK:
            cancelled.add(values[0])
        else:
            in_force.append(row)
    return in_force[::-1]


def _turned(rows: Sequence[FactRow], steps: Iterable[int], *, is_undo: bool) -> list[tuple[int, Statement]]:
    """Return the rows to append to `house` when *steps* are undone or redone.

    Each of these rows cancels the last row of a step. An undo cancels the fact itself; a redo cancels the
    cancellation.
    """
    in_force = {row.id for row in _in_force(rows)}
    by_step = ((step, [row.id for row in rows if row.step == step]) for step in steps)
    return [(step, (TAKEN_BACK, ids[-1])) for step, ids in by_step if ids and (ids[0] in in_force) is is_undo]


def keep_fact(db: sqlite3.Connection, at: str, after: int, step: int | None, statement: Statement) -> None:
    """Write *statement* with the time *at*. *step* is the step that it belongs to, or None.

    Raises:
        sqlite3.Error: If the write fails.
    """
    last = db.execute("SELECT ifnull(max(id), 0) FROM house").fetchone()[0]
    row = FactRow(last + 1, at, after, step, json.dumps(statement))
    db.execute("INSERT INTO house VALUES (?, ?, ?, ?, ?, ?)", row._replace(crc=check_value(row[:-1])))


def turn(db: sqlite3.Connection, at: str, after: int, steps: Sequence[int], *, is_undo: bool) -> None:
    """Cancel the facts that belong to *steps* if *is_undo*, otherwise restore them.

    Raises:
        sqlite3.Error: If the write fails.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM house WHERE step >= ?)", (min(steps),)).fetchone()[0]:
        return  # the usual case, so it must be fast
    rows = [row for row in rows_of(db) if row.is_whole]
    for step, statement in _turned(rows, steps, is_undo=is_undo):
        keep_fact(db, at, after, step, statement)


def renamings(db: sqlite3.Connection) -> tuple[Renaming, ...]:
    """Return the renamings, oldest first. Those added by an earlier version of cribpi come last.

    Raises:
        sqlite3.Error: If the tables can't be read.
    """
    statements = ((row.statement, row.after) for row in facts(db))
    return (
        *((words[1], words[2], after) for words, after in statements if words[0] == RENAMED),
        *unknown(db),
    )


def unknown(db: sqlite3.Connection) -> list[Renaming]:
    """Return the renamings that are only in the row of `desk`. An earlier version of cribpi has added them.

    They are matched by names only: a rewritten journal numbers its rows differently.

    Raises:
        sqlite3.Error: If the tables can't be read.
    """
    known = Counter(tuple(row.statement[1:]) for row in facts(db) if row.statement[0] == RENAMED)
    added: list[Renaming] = []
    with suppress(
        sqlite3.OperationalError, ValueError, LookupError, TypeError
    ):  # version 2 has no `desk.crc`
        for old, new, after in json.loads((desk_row(db) or (0, ""))[1])["setup"][RENAMED]:
            if known[old, new]:
                known[old, new] -= 1
            else:
                added.append((str(old), str(new), int(after)))
    return added


def damaged_facts(db: sqlite3.Connection) -> list[int]:
    """Return the ids of the damaged rows.

    Raises:
        sqlite3.Error: If the table can't be read.
    """
    return [row.id for row in rows_of(db) if not row.is_whole]
