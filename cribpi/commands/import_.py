"""`cribpi import`: games from records into the journal, checked by the rules first."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cribpi import streams
from cribpi.commands.errors import CommandError
from cribpi.commands.replay import replay
from cribpi.config import ConfigError, config_file, read_config, state_folder
from cribpi.core.events import Event, GameStarted
from cribpi.core.state import State, side_name
from cribpi.entry.desk import Desk, from_json, to_json
from cribpi.journal import Journal, JournalTrouble, StateFolder, StateFolderTrouble


@dataclass(frozen=True, slots=True)
class Record:
    """A record that holds by the rules: its file, its events, and where they lead."""

    path: Path
    events: tuple[Event, ...]
    state: State

    @property
    def games(self) -> int:
        """How many games it has, 1 or more."""
        return sum(isinstance(event, GameStarted) for event in self.events)


def take_in(paths: Sequence[Path], folder: Path | None) -> Iterator[str]:
    """Take the records *paths* into the journal of *folder*, or of the usual one, giving a line for each when it is on the disk.

    Every record is checked before the folder is touched.  Each is one transaction.

    Raises:
        CommandError: If a file is no record, has an event that is illegal, or the folder can't be used.
    """
    records = [read_record(path) for path in paths]
    try:
        with opened(folder or state_folder()) as journal:
            for record in records:
                desk, seq = _desk(journal)
                at = datetime.now(UTC).isoformat(timespec="milliseconds")
                try:
                    journal.take_in(record.events, seq + 1, json.dumps(to_json(desk)), at)
                except JournalTrouble as refused:
                    raise CommandError(f"{record.path}: {refused}") from None
                yield _done(record)
    except StateFolderTrouble as bad:
        raise CommandError(str(bad)) from None


def read_record(path: Path) -> Record:
    """Read the record *path* and play it through the engine.

    Raises:
        CommandError: If it can't be read, is no record, has an illegal event, or has no game.
    """
    moments = list(replay(path))
    if not moments:
        raise CommandError(f"{path}: line 1, column 1: no game is in it: a record begins with a line game")
    return Record(path, tuple(event for event, _ in moments), moments[-1][1])


@contextlib.contextmanager
def opened(folder: Path) -> Iterator[Journal]:
    """Hold *folder*, with its journal open.

    Raises:
        StateFolderTrouble: If a companion runs on it, or it can't be used.
    """
    held = StateFolder(folder)
    try:
        journal, notice = held.open_journal()
        if notice:
            streams.complain(f"cribpi import: {notice}")
        with contextlib.closing(journal):
            yield journal
    finally:
        held.close()


def _desk(journal: Journal) -> tuple[Desk, int]:
    """Return an empty desk with the set-up that is kept, or else the settings', and the last press's number."""
    found = journal.desk()
    with contextlib.suppress(ValueError, RecursionError):
        if found is not None:
            return from_json(json.loads(found[1])).cleared(), found[0]
    try:
        setup = read_config(config_file()).setup()
    except ConfigError as bad:
        raise CommandError(str(bad)) from None
    return Desk(setup), found[0] if found else 0


def _done(record: Record) -> str:
    state, games = record.state, record.games
    scores = ", ".join(f"{side_name(state, side)} {score}" for side, score in enumerate(state.scores()))
    return (
        f"{record.path}: {games} game{'s' * (games != 1)} taken in, {len(record.events)} events; "
        f"the table stands at {scores}"
    )
