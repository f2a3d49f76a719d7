"""Salvage of a damaged journal: finds rows by their byte layout, and verifies them by their checksums.

SQLite reads a row only if all pages that lead to it are intact. This module needs none of those pages: a row
begins with the lengths of its columns, and its checksum proves that it is unchanged. A flipped bit costs only
the row that contains it. SQLite documents the formats of rows and of the log:
https://www.sqlite.org/fileformat2.html, sections 2.1 and 4.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeAlias

from cribpi.companion.journal.database import GAMES, HOUSE, REMOVED, SUMMARIES, TABLES
from cribpi.companion.journal.games_table import INSERT, GameFinder, GameRow, Removal
from cribpi.companion.journal.house_table import FactRow
from cribpi.companion.journal.location import log_of
from cribpi.companion.journal.steps_table import StepRow

_CHUNK: Final = 1 << 20
"""Bytes per read. This is a multiple of every page size."""

_HEADS: Final = re.compile(rb"[\x06-\x0b]\x00[\x0d-\x7f]")
"""Pattern of a row's first bytes: header length, null for the rowid, and the type of a short text."""

_INTEGERS: Final = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""Size of an integer in bytes, by SQLite's serial type."""

_SalvagedRow: TypeAlias = StepRow | GameRow | Removal | FactRow
_LOG: Final = struct.Struct(">8xI4x8s8x")
_FRAME: Final = struct.Struct(">4xI8s8x")


@dataclass(frozen=True, slots=True)
class Salvage:
    """The intact rows, in a temporary database."""

    db: sqlite3.Connection
    lost: tuple[int, ...]
    """Numbers of missing or damaged steps."""
    has_notes: bool
    """Whether rows of `games` were found, which record the starts of games."""
    start: int | None
    """Row that begins the current game, or None if unknown."""


@contextlib.contextmanager
def salvaged(path: Path) -> Iterator[Salvage]:
    """Yield the intact rows of the journal *path*, until the block ends.

    Raises:
        OSError: If the file can't be read.
        sqlite3.Error: If there is no room for the copy, or the rows contradict each other.
    """
    # An empty name makes SQLite use a temporary file.
    with contextlib.closing(sqlite3.connect("", isolation_level=None)) as db:
        db.executescript(f"{TABLES}{GAMES};{SUMMARIES};{REMOVED};{HOUSE}; BEGIN")
        noted = _fill(db, path)
        finder = GameFinder(db, noted)
        db.executemany(INSERT, (begun.checked() for begun in finder.begun.values()))
        last = db.execute("SELECT head, depth FROM steps ORDER BY id DESC LIMIT 1").fetchone() or (None, 0)
        rows = (row for (row,) in db.execute("SELECT id FROM steps ORDER BY id"))
        lost = (row for before, after in pairwise(chain((0,), rows)) for row in range(before + 1, after))
        yield Salvage(db, tuple(lost), bool(noted), finder.game_at(*last))


def _fill(db: sqlite3.Connection, path: Path) -> dict[int, GameRow]:
    """Copy the steps, removals and facts of *path* into *db*. Return the rows of `games`, by start.

    A step with contradictory duplicates is left out.
    """
    noted: dict[int, GameRow] = {}
    ambiguous: set[int] = set()
    for row in _rows(path):
        if isinstance(row, GameRow):
            noted[row.start] = row
        elif isinstance(row, Removal):
            db.execute("INSERT OR IGNORE INTO removed VALUES (?, ?, ?, ?, ?)", row)
        elif isinstance(row, FactRow):
            db.execute("INSERT OR IGNORE INTO house VALUES (?, ?, ?, ?, ?, ?)", row)
        elif not db.execute("INSERT OR IGNORE INTO steps VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row).rowcount:
            stored = db.execute("SELECT * FROM steps WHERE id = ?", (row.id,)).fetchone()
            if stored != row:
                ambiguous.add(row.id)
    db.executemany("DELETE FROM steps WHERE id = ?", ((row,) for row in ambiguous))
    return noted


# --- pages ------------------------------------------------------------------------------------------


def _rows(path: Path) -> Iterator[_SalvagedRow]:
    for data in _pages(path):
        for match in _HEADS.finditer(data):
            with contextlib.suppress(IndexError, ValueError):
                yield _row(data, match.start())


def _pages(path: Path) -> Iterator[bytes]:
    """Yield the file's pages, many at a time, then newer versions of pages from the log."""
    with path.open("rb") as file:
        while data := file.read(_CHUNK):
            yield data
    with contextlib.suppress(FileNotFoundError), log_of(path).open("rb") as log:
        yield from _committed(log)


def _committed(log: BinaryIO) -> Iterator[bytes]:
    """Yield the pages of *log* up to its last commit. Frames of an earlier log have another salt."""
    head = log.read(_LOG.size)
    if len(head) < _LOG.size:
        return
    size, salt = _LOG.unpack(head)
    pages: list[bytes] = []
    # A frame cut short by a crash was never committed.
    while len(head := log.read(_FRAME.size)) == _FRAME.size and len(page := log.read(size)) == size:
        is_commit, its_salt = _FRAME.unpack(head)
        if its_salt != salt:
            return
        pages.append(page)
        if is_commit:
            yield from pages
            pages.clear()


# --- a row in bytes ---------------------------------------------------------------------------------


def _row(data: bytes, start: int) -> _SalvagedRow:
    """Parse the row that begins at *start* of *data*.

    Raises:
        IndexError, ValueError: If no row begins there, or the row is damaged.
    """
    columns, end = _columns(data, start)
    number, before = _number_before(data, start)
    if not data.endswith(_as_number(end - start), 0, before):
        raise ValueError("its length has changed")
    row: _SalvagedRow
    if len(columns) in {5, 6}:
        row = (Removal if len(columns) == 5 else FactRow)(number, *columns[1:])
        is_whole = row.is_whole
    elif isinstance(columns[2], str):
        missing = [None] if len(columns) == 7 else []  # version 1 had seven columns, without a checksum
        row = StepRow(number, *columns[1:], *missing)
        is_whole = row.is_whole and (row.crc is not None or len(columns) == 7)
    else:
        row = GameRow(number, *columns[1:])
        is_whole = row.is_whole
    if not is_whole:
        raise ValueError("it has changed since it was written")
    return row


def _columns(data: bytes, start: int) -> tuple[list[Any], int]:
    """Return the columns of the row that begins at *start*, and the position of the row's end."""
    place, end = start + 1, start + data[start]
    columns: list[Any] = []
    body = end
    while place < end:
        kind, place = _number(data, place)
        size = _INTEGERS.get(kind, max(0, kind - 12) // 2)
        columns.append(_column(kind, data[body : body + size]))
        body += size
    if not 5 <= len(columns) <= 8 or place != end or body > len(data):
        raise ValueError("its columns are not ours")
    return columns, body


def _column(kind: int, data: bytes) -> object:
    if kind in _INTEGERS:
        return int.from_bytes(data, "big", signed=True)
    if kind in {8, 9}:
        return kind - 8
    if kind >= 12:
        return data.decode(errors="replace") if kind % 2 else data
    return None


def _number(data: bytes, start: int) -> tuple[int, int]:
    """Parse the varint at *start*, seven bits per byte. Return its value and its end."""
    value, place = 0, start
    while data[place] >= 0x80:
        value = value << 7 | data[place] & 0x7F
        place += 1
    return value << 7 | data[place], place + 1


def _number_before(data: bytes, end: int) -> tuple[int, int]:
    """Parse the varint that ends at *end*, after another varint. Return its value and its start."""
    start = end - 1
    while data[start - 1] >= 0x80 and end - start < 9:
        start -= 1
    value, its_end = _number(data, start)
    if its_end != end or start < 1:
        raise ValueError("there is no number")
    return value, start


def _as_number(length: int) -> bytes:
    """Return *length* as a varint. The maximum is 16,383."""
    return bytes([length >> 7 | 0x80, length & 0x7F] if length > 0x7F else [length])
