"""`cribpi review`: what each decision cost in a past game, or in a record."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from pathlib import Path

from cribpi.app.config import state_folder
from cribpi.commands.errors import CommandError, passing_on
from cribpi.commands.export import chosen
from cribpi.commands.replay import replay
from cribpi.core.events import Event, GameStarted
from cribpi.storage.journal import JournalTrouble
from cribpi.storage.past_games import KeptGames, ask_of_games


def run(options: Namespace) -> int:
    """Review a game and print what came of it; of a damaged record, what comes before the damage.

    Raises:
        CommandError: If there is no such game, it can't be read, or only in part, or the tables are missing.
    """
    events, damage = _events(options.game, options.state)
    from cribpi.analysis.tables import TablesError  # noqa: PLC0415  NumPy, for a game that can be read
    from cribpi.review.review import review  # noqa: PLC0415  as above
    from cribpi.review.told import review_json, review_lines  # noqa: PLC0415  as above

    with passing_on(TablesError):
        found = review(events, progress())
    if damage is None or found.decisions or found.course:
        print(json.dumps(review_json(found)) if options.json else "\n".join(review_lines(found)))
    if damage is not None:
        raise CommandError(damage)
    return 0


def progress() -> Callable[[int, int], None]:
    """Return what is told of the deals that are reviewed: a terminal shows them, a pipe does not."""
    return _progress if sys.stderr.isatty() else _silent


def _progress(done: int, deals: int) -> None:
    end = "\r" if done < deals else "\r\033[K"
    sys.stderr.write(f"deal {done + 1} of {deals}{end}" if done < deals else end)
    sys.stderr.flush()


def _silent(done: int, deals: int) -> None:
    del done, deals


def _events(game: str | None, folder: Path | None) -> tuple[Sequence[Event], str | None]:
    """Return the events of a game of the journal by its number, of the last finished one, or of a record.

    With them what is wrong with what follows, if anything is.
    """
    if game is not None and not game.isdecimal():
        return _of_record(Path(game))
    number = None if game is None else int(game)
    with passing_on(JournalTrouble):
        return ask_of_games(folder or state_folder(), lambda games: _of_journal(games, number)), None


def _of_journal(games: KeptGames, number: int | None) -> Sequence[Event]:
    last = chosen(games, number)
    if number is not None:
        return last.replayed()[0]
    for game in games.newest_first():
        events, state = game.replayed()
        if state.winner is not None:
            return events
    raise CommandError("no game is finished yet: give the number of one, or finish one first")


def _of_record(path: Path) -> tuple[Sequence[Event], str | None]:
    """Return the events of the first game in the record *path*, and why it could not be read further."""
    events: list[Event] = []
    try:
        for event, _ in replay(path):
            if isinstance(event, GameStarted) and events:
                return events, (
                    f"{path}: more than one game: import it with cribpi import, then give the number of one"
                )
            events.append(event)
    except CommandError as damage:
        if not events:
            raise
        return events, str(damage)
    if not events:
        raise CommandError(f"{path}: no game in it: give a game record, a .crib file")
    return events, None
