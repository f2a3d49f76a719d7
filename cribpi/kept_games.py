"""The games that a journal keeps on the line to where its table stands, read beside a running companion."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from cribpi.core.earlier import as_accepted
from cribpi.core.errors import RuleError
from cribpi.core.events import Event
from cribpi.core.game import fold
from cribpi.core.record import RecordError, parse_event
from cribpi.core.state import State
from cribpi.journal import JournalTrouble
from cribpi.journal_file import Step, read_line


@dataclass(frozen=True, slots=True)
class KeptGame:
    """One game: its number on the line, from 1, and its rows, the first of them when it began."""

    number: int
    steps: tuple[Step, ...]

    @property
    def began(self) -> str:
        """When it began, as the journal has it: ISO 8601, UTC."""
        return str(self.steps[0].at)

    def events(self) -> tuple[Event, ...]:
        """Return its events.

        Raises:
            JournalTrouble: If one is not as it was written, or no event.
        """
        try:
            return tuple(as_accepted(parse_event(step.whole().event) for step in self.steps))
        except (sqlite3.DatabaseError, RecordError, RuleError) as bad:
            raise self._trouble(bad) from bad

    def state(self) -> State:
        """Return where it stands.

        Raises:
            JournalTrouble: If it can't be read, or is against the rules.
        """
        try:
            return fold(self.events())
        except RuleError as bad:
            raise self._trouble(bad) from bad

    def _trouble(self, bad: Exception) -> JournalTrouble:
        return JournalTrouble(f"game {self.number} can't be read ({bad}): choose another; --list shows them")


def kept_games(folder: Path) -> tuple[KeptGame, ...]:
    """Return the games that the journal in *folder* keeps, oldest first; nothing is written or made.

    Games that were taken back are not on the line.

    Raises:
        JournalTrouble: If there is no journal, or it can't be read.
    """
    path = folder / "journal.db"
    try:
        if not path.exists():
            raise JournalTrouble(f"{folder}: there is no journal here: choose its folder with --state")
        line = read_line(path)
    except (OSError, sqlite3.Error) as bad:
        raise JournalTrouble(f"{path}: it can't be read ({bad}): choose another folder with --state") from bad
    return tuple(KeptGame(number, steps) for number, steps in enumerate(_games(line), start=1))


def _games(line: list[Step]) -> Iterator[tuple[Step, ...]]:
    """Cut *line* where a game begins."""
    game: list[Step] = []
    for step in line:
        if game and step.begins_a_game:
            yield tuple(game)
            game = []
        game.append(step)
    if game:
        yield tuple(game)
