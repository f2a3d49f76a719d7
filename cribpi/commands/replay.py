"""`cribpi replay`: print a game record event by event, or the state after each event."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from cribpi.companion.entry.input_state import InputState
from cribpi.companion.entry.view import view_of
from cribpi.companion.files.disk import Unreadable, text_of
from cribpi.companion.web.json.state import state_json
from cribpi.cribbage.game.step import NEW_TABLE
from cribpi.cribbage.record.legacy import played
from cribpi.cribbage.rules.errors import RecordError, UserError
from cribpi.cribbage.words.log import LogEntry


def run(options: Namespace) -> None:
    """Print each event of a record with the scores. With --json, print each state instead."""
    for seq, entry in enumerate(replay(Path(options.file)), start=1):
        if options.json:
            print(
                json.dumps(state_json(view_of(entry.after, InputState()), seq, may_undo=True, may_redo=False))
            )
        else:
            scores = " - ".join(map(str, entry.after.scores()))
            print(f"{scores:>10}  {entry.text}")


def replay(path: Path) -> Iterator[LogEntry]:
    """Yield the log entries of the record at *path*. It may contain several games.

    Raises:
        UserError: If the file can't be read, is not a record, or has an illegal event. The message has the
            line and column.
    """
    try:
        text = text_of(path)
    except Unreadable as bad:
        raise UserError(f"{path}: {bad}: give a game record, a .crib file") from None
    before = NEW_TABLE
    try:
        for event, after in played(text):
            yield LogEntry(before, event, after)
            before = after
    except RecordError as bad:
        raise UserError(f"{path}: {bad}") from None
