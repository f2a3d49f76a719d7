"""`cribpi export`: a game from the journal as a record, even while a companion runs."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cribpi.app.config import state_folder
from cribpi.commands.errors import CommandError
from cribpi.core.record.export import exported, minute
from cribpi.core.standing import standing_of
from cribpi.storage.disk import reason, remedy
from cribpi.storage.journal import JournalTrouble
from cribpi.storage.past_games import KeptGame, KeptGames, ask_of_games


@dataclass(frozen=True, slots=True)
class Export:
    """The output, and a sentence about damage to the journal, if any."""

    text: str
    damage: str | None = None


def record(folder: Path | None, number: int | None) -> Export:
    """Return the record of game *number*, from 1, or of the current one, in *folder* or the default one.

    Raises:
        CommandError: If there is no such game, or it can't be read.
    """
    return _ask(folder, lambda games: _record(games, number))


def listed(folder: Path | None, *, is_json: bool) -> Export:
    """Return a list of the games in *folder*, or in the default one, as lines or JSON.

    Each has its number, when it began, and how it stands.

    Raises:
        CommandError: If there is no journal, or nothing in it can be read.
    """
    return _ask(folder, _json if is_json else _lines)


def _ask(folder: Path | None, ask: Callable[[KeptGames], Export]) -> Export:
    try:
        return ask_of_games(folder or state_folder(), ask)
    except JournalTrouble as bad:
        raise CommandError(str(bad)) from None


def _record(games: KeptGames, number: int | None) -> Export:
    if not len(games):
        raise CommandError(
            f"the journal is damaged ({games.damage}), and no game in it can be read: keep a copy of it"
            if games.damage
            else "no game found: play one first, or choose another folder with --state"
        )
    number = len(games) if number is None else number
    try:
        game = games[number]
    except IndexError:
        raise CommandError(
            f"there is no game {number}: choose 1 to {len(games)}; --list shows them"
        ) from None
    events, standing = game.events(), standing_of(game.state())
    return Export(exported(events, standing, game.began), _damage(games))


def _damage(games: KeptGames) -> str | None:
    if not games.damage:
        return None
    return (
        f"the journal is damaged ({games.damage}): what is undamaged was exported; keep a copy of the file "
        f"before you play on"
    )


def write(path: Path, text: str, *, is_forced: bool) -> None:
    """Write *text* to *path*, whole or not at all; overwrite a file only if *is_forced*.

    Raises:
        CommandError: If there is one, or the disk refuses.
    """
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{path}: not an ordinary file: choose another name")
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        _write_new(beside if is_forced else path, text)
        if is_forced:
            beside.replace(path)
    except FileExistsError:
        raise CommandError(
            f"{path}: already exists: choose another name, or overwrite it with --force"
        ) from None
    except OSError as refused:
        mends = remedy(refused, "choose a folder that you can write to")
        raise CommandError(f"{path}: {reason(refused)}: {mends}") from None


def _write_new(path: Path, text: str) -> None:
    with path.open("x", encoding="utf-8", newline="\n") as file:
        try:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            path.unlink()
            raise


def _lines(games: KeptGames) -> Export:
    """Return a line per game: its number, when it began, the scores, the rules, the winner."""
    lines = io.StringIO()
    troubles = 0
    for game in games:
        lines.write(f"{game.number:>3}  {minute(game.began)}  ")
        try:
            one = game.standing()
        except JournalTrouble as bad:
            lines.write(f"{bad}\n")
            troubles += 1
        else:
            lines.write(f"{one.scores()}; {one.of_the_game()}; {one.outcome()}\n")
    return Export(lines.getvalue(), _damage(games) or _unreadable(troubles))


def _json(games: KeptGames) -> Export:
    """Return the same as JSON."""
    found = [_as_json(game) for game in games]
    troubles = sum("error" in game for game in found)
    return Export(json.dumps({"games": found}) + "\n", _damage(games) or _unreadable(troubles))


def _unreadable(games: int) -> str | None:
    return f"{games} game{'s' * (games != 1)} can't be read: see the list" if games else None


def _as_json(game: KeptGame) -> dict[str, object]:
    known: dict[str, object] = {"game": game.number, "begun": game.began, "events": game.length}
    try:
        return known | game.standing().json()
    except JournalTrouble as bad:
        return known | {"error": str(bad)}
