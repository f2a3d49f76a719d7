"""The games of a journal with their summaries: those that are kept, and those that are made on the way."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from cribpi.companion.history.past_games import KeptGame, KeptGames
from cribpi.companion.journal.database import opened, reading
from cribpi.companion.journal.steps_table import game_to
from cribpi.companion.journal.summaries_table import kept_summary
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE, fold, step
from cribpi.cribbage.record import RecordError, parse_event
from cribpi.cribbage.record.earlier import as_accepted
from cribpi.cribbage.results.games import read_listing
from cribpi.cribbage.results.statistics import Digest, digest, read_digest
from cribpi.cribbage.rules.errors import RuleError

UNFINISHED: Final = "null"
"""The summary of a game that was left before it was won."""


class Summaries:
    """Gives the digests of *games*, and makes up to *most* that are not kept yet; None is no limit."""

    def __init__(self, games: KeptGames, most: int | None) -> None:
        self._games = games
        self._most = most
        self.made: dict[int, str] = {}
        """The summaries that were made, by the rows of the games' last steps."""
        self.lacking: list[int] = []
        """The rows of the games that were passed over."""

    def finished(self) -> Iterator[tuple[int, Digest]]:
        """Yield the finished games by their numbers, oldest first, but for those that are lacking.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        for game in self._games:
            found = self.of(game)
            if found is not None:
                yield game.number, found

    def of(self, game: KeptGame) -> Digest | None:
        """Return the digest of *game*; None if it was not won, or is passed over.

        Raises:
            sqlite3.DatabaseError: If the journal turns out to be damaged.
        """
        text = kept_summary(game.db, game.last)
        if text not in {None, UNFINISHED} and _read(text) is None:
            text = None  # it is of an earlier version, or damaged: the game is there to make it from
        is_current = game.number == len(self._games)
        if text is None:
            if game.last is None or (game.stood and read_listing(game.stood).winner is None):
                return None
            if not is_current and self._most is not None and len(self.made) >= self._most:
                self.lacking.append(game.last)
                return None
            text = summarized(game.db, game.last)
            if text is None or (is_current and text == UNFINISHED):
                return None
            self.made[game.last] = text
        return _read(text)


def _read(text: str) -> Digest | None:
    try:
        return None if text == UNFINISHED else read_digest(text)
    except (ValueError, LookupError, TypeError):
        return None


def summarized(db: sqlite3.Connection, last: int) -> str | None:
    """Replay the game whose last event is in row *last*, and return its summary; None if it can't be read."""
    try:
        events = as_accepted(parse_event(row.whole().event) for row in game_to(db, last))
        found = digest(fold(events))
    except (RuleError, RecordError, sqlite3.DatabaseError, IndexError):
        return None
    return UNFINISHED if found is None else found.text()


def replayed(events: Iterator[Event] | Sequence[Event]) -> list[tuple[Event, State]]:
    """Return the *events* of a game, each with the state after it.

    Raises:
        RuleError: If one is illegal, and always was.
    """
    state, line = NEW_TABLE, []
    for event in as_accepted(events):
        state = step(state, event)
        line.append((event, state))
    return line


def summarize(path: Path, lacking: Sequence[int]) -> dict[int, str]:
    """Make the summaries of the games whose last events are in the rows *lacking* of the journal *path*.

    Raises:
        sqlite3.Error: If it can't be read.
    """
    with opened(reading(path)[0]) as db:
        found = {last: summarized(db, last) for last in lacking}
    return {last: text for last, text in found.items() if text is not None}
