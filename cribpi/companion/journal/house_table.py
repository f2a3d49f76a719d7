"""The journal's table `house`: what people have said of this house for good, such as who is renamed.

A row is never changed: what takes another one back is a row, too, and names it.  The table came without a new
version of the journal, as an earlier program passes over it.  Until the next version, the row of `desk` has
what that one looks for, and what that one has added there is taken up from it.
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

Said: TypeAlias = Sequence[Any]
"""A word and its values, as JSON has them."""

Renaming: TypeAlias = tuple[str, str, int]
"""The old name, the new one, and the last row of `steps` before: who is called so later is another person."""

RENAMED: Final = "renamed"
TAKEN_BACK: Final = "taken back"
"""The row that this names does not count."""


class Fact(NamedTuple):
    """A row of `house`.  In a damaged file a column may hold anything."""

    id: int
    at: str
    after: int
    """The last row of `steps` before."""
    step: int | None
    """The row of `steps` that it goes with: an undo of that takes it back."""
    data: str
    crc: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether the row is as it was written."""
        return self.crc == check_value(self[:-1]) and are_types(self, _TYPES)

    @property
    def said(self) -> Said:
        return tuple(json.loads(self.data))


_TYPES: Final = (int, str, int, int | None, str, int)


def rows_of(db: sqlite3.Connection) -> list[Fact]:
    """Return the rows, oldest first, whole or not; none if the table isn't there.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'house')").fetchone()[0]:
        return []
    return list(map(Fact._make, db.execute("SELECT id, at, after, step, said, crc FROM house ORDER BY id")))


def facts(db: sqlite3.Connection, steps: Sequence[int] = (), *, is_undo: bool = False) -> list[Fact]:
    """Return the valid facts, oldest first, after undoing or redoing these *steps*.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    rows = [row for row in rows_of(db) if row.is_whole]
    more = enumerate(_turned(rows, steps, is_undo=is_undo), start=rows[-1].id + 1 if rows else 1)
    return _counting([*rows, *(Fact(id_, "", 0, step, json.dumps(said)) for id_, (step, said) in more)])


def _counting(rows: Sequence[Fact]) -> list[Fact]:
    gone, found = set[int](), list[Fact]()
    for row in reversed(rows):
        word, *values = row.said
        if row.id in gone:
            continue
        if word == TAKEN_BACK:
            gone.add(values[0])
        else:
            found.append(row)
    return found[::-1]


def _turned(rows: Sequence[Fact], steps: Iterable[int], *, is_undo: bool) -> list[tuple[int, Said]]:
    """Return the facts to append that take back those of *steps*, or restore them.

    The last row that goes with a step is taken back: the fact itself, or what took that back.
    """
    counting = {row.id for row in _counting(rows)}
    mine = ((step, [row.id for row in rows if row.step == step]) for step in steps)
    return [(step, (TAKEN_BACK, ids[-1])) for step, ids in mine if ids and (ids[0] in counting) is is_undo]


def keep_fact(db: sqlite3.Connection, at: str, after: int, step: int | None, said: Said) -> None:
    """Write what was *said* at that time, and the step that it goes with, if any.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    last = db.execute("SELECT ifnull(max(id), 0) FROM house").fetchone()[0]
    row = Fact(last + 1, at, after, step, json.dumps(said))
    db.execute("INSERT INTO house VALUES (?, ?, ?, ?, ?, ?)", row._replace(crc=check_value(row[:-1])))


def turn(db: sqlite3.Connection, at: str, after: int, steps: Sequence[int], *, is_undo: bool) -> None:
    """Take back what goes with these rows of *steps*, or bring it back.

    Raises:
        sqlite3.Error: If the disk refuses.
    """
    if not db.execute("SELECT EXISTS (SELECT 1 FROM house WHERE step >= ?)", (min(steps),)).fetchone()[0]:
        return  # as nearly always
    rows = [row for row in rows_of(db) if row.is_whole]
    for step, said in _turned(rows, steps, is_undo=is_undo):
        keep_fact(db, at, after, step, said)


def renamings(db: sqlite3.Connection) -> tuple[Renaming, ...]:
    """Return the renamings in order; those added by an earlier program come last.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    said = ((row.said, row.after) for row in facts(db))
    return (*((one[1], one[2], after) for one, after in said if one[0] == RENAMED), *unknown(db))


def unknown(db: sqlite3.Connection) -> list[Renaming]:
    """Return the renamings that only the row of `desk` has: an earlier program has added them.

    Their positions are ignored: a rewritten journal numbers its rows anew.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    there = Counter(tuple(row.said[1:]) for row in facts(db) if row.said[0] == RENAMED)
    found: list[Renaming] = []
    with suppress(
        sqlite3.OperationalError, ValueError, LookupError, TypeError
    ):  # version 2 has no `desk.crc`
        for old, new, after in json.loads((desk_row(db) or (0, ""))[1])["setup"][RENAMED]:
            if there[old, new]:
                there[old, new] -= 1
            else:
                found.append((str(old), str(new), int(after)))
    return found


def damaged_facts(db: sqlite3.Connection) -> list[int]:
    """Return the rows that are not as they were written.

    Raises:
        sqlite3.Error: If they can't be read.
    """
    return [row.id for row in rows_of(db) if not row.is_whole]
