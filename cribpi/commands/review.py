"""`cribpi review`: print the cost of each decision in a game of the journal or in a record."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from cribpi.commands.export import chosen
from cribpi.commands.replay import replay
from cribpi.companion.history.past_games import KeptGame, KeptGames, read_games
from cribpi.companion.history.reviews import keep, keys_of, load
from cribpi.companion.run.config import state_folder
from cribpi.cribbage.game.events import Event, GameStarted
from cribpi.cribbage.game.state import State
from cribpi.cribbage.game.step import fold
from cribpi.cribbage.review.by_name import by_name
from cribpi.cribbage.review.lines import review_lines
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.words.log import end_of


def run(options: Namespace) -> None:
    """Review a game and print the result. Of a damaged record, only the part before the damage is reviewed.

    Raises:
        UserError: If there is no such game, it can't be read completely, or the tables are missing.
    """
    game, damage = options.game, None
    if game is not None and not game.isdecimal():
        folder, (events, damage) = None, _of_record(Path(game))
        by_now = fold(events)
    else:
        number, folder = None if game is None else int(game), options.state or state_folder()
        events, by_now = read_games(folder, lambda games: _of_journal(games, number))
    review = by_name(reviewed(events, folder), by_now)
    if damage is None or review["decisions"] or review["course"]:
        print(json.dumps(review) if options.json else "\n".join(review_lines(review)))
    if damage is not None:
        raise UserError(damage)


def reviewed(events: Sequence[Event], folder: Path | None) -> dict[str, Any]:
    """Return the saved review of a game from the state *folder*, or make it and save it there.

    It is saved only if the game is over and the folder belongs to this user. In the folder of another user's
    service, all files must belong to that user.

    Raises:
        UserError: If the tables are missing.
    """
    keys = keys_of(events)
    saved = load(folder, keys) if folder else None
    if saved is not None:
        return saved
    from cribpi.cribbage.review.report import review_json  # noqa: PLC0415  loads NumPy
    from cribpi.cribbage.review.review import review  # noqa: PLC0415  loads NumPy

    made = review_json(review(events, _progress))
    with suppress(OSError):  # a review that can't be saved is made again next time
        if folder and made["winner"] is not None and folder.stat().st_uid == os.geteuid():
            keep(folder, keys[0], made)
    return made


def _progress(done: int, deals: int) -> None:
    if not sys.stderr.isatty():
        return
    end = "\r" if done < deals else "\r\033[K"
    sys.stderr.write(f"deal {done + 1} of {deals}{end}" if done < deals else end)
    sys.stderr.flush()


def _of_journal(games: KeptGames, number: int | None) -> tuple[Sequence[Event], State]:
    """Return the events of a game, and its final state with the players' current names.

    The default is the last finished game.
    """
    game: KeptGame | None = chosen(games, number)
    if number is None:
        game = next((game for game in games.newest_first() if game.brief().winner is not None), None)
    if game is None:
        raise UserError("no game is finished yet: give the number of one, or finish one first")
    line = game.replayed()
    return [entry.event for entry in line], end_of(game.with_names_of_now(line))


def _of_record(path: Path) -> tuple[Sequence[Event], str | None]:
    """Return the events of the only game in the record at *path*.

    The second value is the error that stopped the reading, or None.
    """
    events: list[Event] = []
    try:
        for entry in replay(path):
            if isinstance(entry.event, GameStarted) and events:
                return events, (
                    f"{path}: more than one game: import it with cribpi import, then give the number of one"
                )
            events.append(entry.event)
    except UserError as damage:
        if not events:
            raise
        return events, str(damage)
    if not events:
        raise UserError(f"{path}: no game in it: give a game record, a .crib file")
    return events, None
