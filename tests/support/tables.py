"""Tables on a real journal, and random presses on them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random

from cribpi.companion.entry.requests import Play, Press
from cribpi.companion.journal.journal import Journal, StateFolder
from cribpi.companion.table.sessions import COMPUTER
from cribpi.companion.table.table import Clock, Table
from cribpi.companion.web.json.state import AS_JSON
from support.presses import machine_event, random_key, shuffled

KILLED = Path(__file__).with_name("killed.py")
"""Program that presses keys until it is killed."""


def clock() -> Clock:
    """Return a clock that advances by a second at each call."""
    seconds = count()
    return lambda: f"2030-01-01T{next(seconds):08}Z"


def table_of(journal: Journal) -> Table:
    """Return a table on *journal*. Random draws depend only on the position in the game.

    A press that failed to be written therefore gets the same draw when it is repeated.
    """
    table = Table(
        journal,
        formatter=AS_JSON,
        clock=clock(),
        draw=lambda: table.now.seq,
        shuffle=lambda: shuffled(table.now.seq),
    )
    return table


@contextmanager
def opened(folder: Path) -> Iterator[tuple[Journal, Table]]:
    """Open the folder as a companion does, and close it at the end."""
    state_folder = StateFolder(folder)
    try:
        journal, _ = state_folder.open_journal()
        try:
            yield journal, table_of(journal)
        finally:
            journal.close()
    finally:
        state_folder.close()


def pragmas(journal: Journal) -> dict[str, object]:
    """Return the settings on which the file's safety depends, as SQLite reports them."""
    names = ("journal_mode", "synchronous", "application_id", "user_version")
    return {name: journal._db.execute(f"PRAGMA {name}").fetchone()[0] for name in names}


def play_on(table: Table, chance: Random, presses: int, name: str | None = None) -> None:
    """Press random keys, and check that each is answered. If a computer's seat acts next, it acts instead.

    *name* is the id of a single press.
    """
    for _ in range(presses):
        now = table.now
        event = machine_event(now.state, chance) if now.input_state.dialog is None else None
        if event is not None and chance.random() < 0.8:
            assert table.do(Play(event, now.state), COMPUTER).is_accepted
            continue
        answer = table.do(Press(random_key(table.now.state, table.now.saved, chance)), id=name)
        assert answer.is_accepted or answer.refused is not None


def play_to(table: Table, chance: Random, seq: int) -> None:
    """Press random keys until *seq* presses are accepted."""
    while table.now.seq < seq:
        play_on(table, chance, 1)
