"""`cribpi export`: write a game of the journal as a record. A running companion does not prevent it."""

from __future__ import annotations

import json
import os
import sys
from argparse import Namespace
from dataclasses import dataclass
from pathlib import Path

from cribpi.commands.streams import writing
from cribpi.companion.files.atomic import put
from cribpi.companion.history.past_games import KeptGame, KeptGames, exported, minute, read_games
from cribpi.companion.journal.journal import JournalTrouble
from cribpi.companion.run.config import state_folder
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import amount, visible


@dataclass(frozen=True, slots=True)
class Export:
    """The text to print, and a message if the journal is damaged."""

    text: str
    damage: str | None = None


def run(options: Namespace) -> None:
    """List the games, or print the record of a game or write it to a file.

    Raises:
        UserError: If options contradict each other, a game can't be read, or the write fails.
    """
    if options.list:
        if options.file or options.game is not None or options.force:
            raise UserError("--list only lists the games: leave out FILE, --game and --force")
        found = listed(options.state, is_json=options.json)
        sys.stdout.write(found.text)
    elif options.json:
        raise UserError(
            "a record is not JSON: use --json with --list, or cribpi replay --json for the states of a game"
        )
    else:
        found = record(options.state, options.game)
        if options.file:
            write(Path(options.file), found.text, is_forced=options.force)
        else:
            sys.stdout.buffer.write(found.text.encode())  # a record is UTF-8 everywhere
    if found.damage:
        raise UserError(found.damage)


def record(folder: Path | None, number: int | None) -> Export:
    """Return the record of game *number*, from 1, or of the latest game if it is None.

    *folder* is the state folder; None means the default one.

    Raises:
        UserError: If there is no such game, or it can't be read.
    """

    def read(games: KeptGames) -> Export:
        game = chosen(games, number)
        return Export(exported(game.replayed(), game.began), _damage(games))

    return read_games(folder or state_folder(), read)


def listed(folder: Path | None, *, is_json: bool) -> Export:
    """Return a list of the games in the state *folder*, as text lines or JSON. None means the default folder.

    Each game has its number, start time, scores, rules and winner. A game that can't be read has an error
    message instead.

    Raises:
        UserError: If there is no journal, or no game can be read.
    """

    def read(games: KeptGames) -> Export:
        found: list[dict[str, object]] = []
        lines: list[str] = []
        troubles = 0
        for game in games:
            known = {"game": game.number, "begun": game.began, "events": game.length}
            try:
                summary = game.brief()
            except JournalTrouble as bad:
                troubles += 1
                found.append(known | {"error": str(bad)})
                text = str(bad)
            else:
                found.append(known | summary.json())
                text = f"{summary.shown_scores()}; {summary.of_the_game()}; {summary.outcome()}"
            lines.append(f"{game.number:>3}  {minute(game.began)}  {visible(text)}\n")
        unreadable = f"{amount(troubles, 'game')} can't be read: see the list" if troubles else None
        text = json.dumps({"games": found}) + "\n" if is_json else "".join(lines)
        return Export(text, _damage(games) or unreadable)

    return read_games(folder or state_folder(), read)


def chosen(games: KeptGames, number: int | None) -> KeptGame:
    """Return game *number*, from 1, even if it has been removed.

    None means the latest game that is not removed.

    Raises:
        UserError: If there is no such game.
    """
    last = next(games.newest_first(), None)
    if number is None and last is not None:
        return last
    if number is None or not len(games):
        raise UserError(
            f"the journal is damaged ({games.damage}), and no game in it can be read: keep a copy of it"
            if games.damage
            else "no game found: play one first, or choose another folder with --state"
        )
    try:
        return games[number]
    except IndexError:
        raise UserError(
            f"there is no game {number}: choose 1 to {len(games)}; cribpi export --list shows them"
        ) from None


def _damage(games: KeptGames) -> str | None:
    if not games.damage:
        return None
    return (
        f"the journal is damaged ({games.damage}): its undamaged games were exported; keep a copy of it "
        f"before you play on"
    )


def write(path: Path, text: str, *, is_forced: bool) -> None:
    """Write *text* to *path* atomically. An existing file is overwritten only if *is_forced*.

    Raises:
        UserError: If the file exists, or the write fails.
    """
    with writing(path, "choose a folder that you can write to"):
        if path.exists() and not path.is_file():
            raise UserError(f"{path}: not an ordinary file: choose another name")
        new = path.with_name(f".{path.name}.{os.getpid()}") if is_forced else path
        try:
            file = new.open("x", encoding="utf-8", newline="\n")
        except FileExistsError:
            raise UserError(
                f"{path}: already exists: choose another name, or overwrite it with --force"
            ) from None
        with file:
            try:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            except BaseException:
                new.unlink()
                raise
        if is_forced:
            put(new, path)
