"""`cribpi import`: check records against the rules, and add their games to the journal."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from cribpi.commands import streams
from cribpi.commands.replay import replay
from cribpi.companion.entry.input_context import InputContext, SavedInput
from cribpi.companion.entry.input_state import NO_INPUT
from cribpi.companion.entry.kept import from_text, to_text
from cribpi.companion.history.fill import fill_in
from cribpi.companion.journal.journal import Journal, JournalTrouble, StateFolder
from cribpi.companion.run.config import config_file, read_config, state_folder
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import amount

AT_ONCE = 5000
"""Number of events after which a batch of records is written: some thirty games."""


@dataclass(frozen=True, slots=True)
class Record:
    """A valid record: its file, its events, and the state after them."""

    path: Path
    events: tuple[Event, ...]
    state: State


def run(options: Namespace) -> None:
    """Import records, and print a line for each."""
    for line in take_in([Path(file) for file in options.files], options.state):
        print(line)


def take_in(paths: Sequence[Path], folder: Path | None) -> Iterator[str]:
    """Import the records *paths* into the journal of the state *folder*. None means the default folder.

    Yields a line for each record once it is on disk. All records are checked before anything is written.
    Short records are written in batches, because syncing to disk is slow; a batch is written atomically.

    Raises:
        UserError: If a file is not a record or has an illegal event, or the folder can't be used.
    """
    records = [read_record(path) for path in paths]
    with closing(StateFolder(folder or state_folder())) as held:
        journal, notice = held.open_journal()
        with closing(journal):
            if notice:
                streams.print_error(f"cribpi import: {notice}")
            yield from _import(records, journal)
            fill_in(journal)


def _import(records: Iterable[Record], journal: Journal) -> Iterator[str]:
    for batch in _batches(records):
        saved, seq = _saved(journal)
        timestamp = datetime.now(UTC).isoformat(timespec="milliseconds")
        events = (event for record in batch for event in record.events)
        try:
            journal.commit(
                timestamp, seq + 1, to_text(saved, journal.renamed()), events, again="import again"
            )
        except JournalTrouble as refused:
            where = f"{batch[0].path} to {batch[-1].path}" if len(batch) > 1 else batch[0].path
            raise UserError(f"{where}: {refused}") from None
        for record in batch:
            state = record.state
            games = amount(sum(isinstance(event, GameStarted) for event in record.events), "game")
            scores = ", ".join(
                f"{state.side_name(side)} {score}" for side, score in enumerate(state.scores())
            )
            many = amount(len(record.events), "event")
            yield f"{record.path}: {games} imported, {many}; the score is now {scores}"


def _batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    """Group *records* into batches of at least `AT_ONCE` events. The last batch may have fewer."""
    batch: list[Record] = []
    events = 0
    for record in records:
        batch.append(record)
        events += len(record.events)
        if events >= AT_ONCE:
            yield batch
            batch, events = [], 0
    if batch:
        yield batch


def read_record(path: Path) -> Record:
    """Read the record at *path*, and check it against the rules.

    Raises:
        UserError: If the file can't be read, is not a record, has an illegal event, or has no game.
    """
    events: list[Event] = []
    state = NEW_TABLE
    for entry in replay(path):
        events.append(entry.event)
        state = entry.after
    if not events:
        raise UserError(f"{path}: line 1, column 1: no game in it: a record begins with a game line")
    return Record(path, tuple(events), state)


def _saved(journal: Journal) -> tuple[SavedInput, int]:
    """Return the saved input to write with an import, and the journal's last `seq`.

    No input is in progress. The next game's set-up is the stored one, or else that of the settings.
    """
    seq, kept = journal.saved_input() or (0, "")
    saved = from_text(kept, SavedInput(NO_INPUT, InputContext(read_config(config_file()).setup())))
    return SavedInput(NO_INPUT, saved.context), seq
