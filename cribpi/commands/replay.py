"""`cribpi replay`: a game record played through the rules."""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from cribpi.companion.entry.desk import Desk
from cribpi.companion.entry.view import view_of
from cribpi.companion.files.disk import Unreadable, text_of
from cribpi.companion.web.json.state import state_json
from cribpi.cribbage.game.events import Event
from cribpi.cribbage.game.state import State
from cribpi.cribbage.record.earlier import played
from cribpi.cribbage.rules.errors import RecordError, UserError
from cribpi.cribbage.words.tell import tell


def run(options: Namespace) -> None:
    """Print each event of a record with the scores, or each state."""
    for seq, (event, state) in enumerate(replay(Path(options.file)), start=1):
        if options.json:
            print(json.dumps(state_json(view_of(state, Desk()), seq, may_undo=True, may_redo=False)))
        else:
            scores = " - ".join(map(str, state.scores()))
            print(f"{scores:>10}  {tell(event, state)}")


def replay(path: Path) -> Iterator[tuple[Event, State]]:
    """Yield each event of the record *path* with the state after it.

    Raises:
        UserError: If the file can't be read, is not a record, or has an illegal event; it gives line and
            column.
    """
    try:
        text = text_of(path)
    except Unreadable as bad:
        raise UserError(f"{path}: {bad}: give a game record, a .crib file") from None
    try:
        yield from played(text)
    except RecordError as bad:
        raise UserError(f"{path}: {bad}") from None
