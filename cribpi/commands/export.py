"""`cribpi export`: a game from the journal as a record, while a companion runs too."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from cribpi import __version__
from cribpi.commands.errors import CommandError
from cribpi.config import state_folder
from cribpi.core.record import Comment, print_record
from cribpi.core.state import State, side_name
from cribpi.disk import reason, remedy
from cribpi.journal import JournalTrouble
from cribpi.kept_games import KeptGame, kept_games


def games(folder: Path | None) -> tuple[KeptGame, ...]:
    """Return the games on the line to where the table of *folder*, or the usual one, stands; oldest first.

    Raises:
        CommandError: If there is no journal, or it can't be read.
    """
    try:
        return kept_games(folder or state_folder())
    except JournalTrouble as bad:
        raise CommandError(str(bad)) from None


def record(folder: Path | None, number: int | None) -> str:
    """Return the record of game *number* of *folder*, or of the usual one, from 1; without a number, of the current game.

    Raises:
        CommandError: If there is no such game, or it can't be read.
    """
    found = games(folder)
    if not found:
        raise CommandError(
            "no game stands on the table: play one first, or choose another folder with --state"
        )
    number = len(found) if number is None else number
    if not 1 <= number <= len(found):
        raise CommandError(f"there is no game {number}: choose 1 to {len(found)}; --list shows them")
    game = found[number - 1]
    try:
        state, events = game.state(), game.events()
    except JournalTrouble as bad:
        raise CommandError(str(bad)) from None
    head = (
        f"{' and '.join(_sides(state))}, {_rules(state)}",
        f"begun {_time(game.began)}; {_scores(state)}; {_winner(state)}",
        f"exported by cribpi {__version__}",
    )
    return print_record([*map(Comment, head), *events])


def write(path: Path, text: str, *, is_forced: bool) -> None:
    """Write *text* to *path*, whole or not at all; over a file that is there only if *is_forced*.

    Raises:
        CommandError: If there is one, or the disk refuses.
    """
    try:
        if path.exists() and not path.is_file():
            raise CommandError(f"{path}: it is no plain file: choose another name")
        beside = path.with_name(f".{path.name}.{os.getpid()}")
        _write_new(beside if is_forced else path, text)
        if is_forced:
            beside.replace(path)
    except FileExistsError:
        raise CommandError(
            f"{path}: it is there already: choose another name, or write over it with --force"
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


def list_lines(found: Sequence[KeptGame]) -> Iterator[str]:
    """Give a line a game: its number, when it began, the scores, the rules, who has won."""
    for game in found:
        head = f"{game.number:>3}  {_time(game.began)}  "
        try:
            state = game.state()
        except JournalTrouble as bad:
            yield f"{head}{bad}"
        else:
            yield f"{head}{_scores(state)}; {_rules(state)}; {_winner(state)}"


def list_json(found: Sequence[KeptGame]) -> str:
    """Return the same as JSON."""
    return json.dumps({"games": list(map(_as_json, found))})


def _as_json(game: KeptGame) -> dict[str, object]:
    known: dict[str, object] = {"game": game.number, "begun": game.began, "events": len(game.steps)}
    try:
        state = game.state()
    except JournalTrouble as bad:
        return known | {"error": str(bad)}
    return known | {
        "rules": state.rules.name,
        "target": state.rules.target,
        "entry": state.entry,
        "seats": list(state.names),
        "sides": [
            {"name": name, "score": score} for name, score in zip(_sides(state), state.scores(), strict=True)
        ],
        "winner": state.winner,
    }


def _sides(state: State) -> list[str]:
    return [side_name(state, side) for side in range(state.sides)]


def _rules(state: State) -> str:
    return f"to {state.rules.target}, {state.rules.name}"


def _scores(state: State) -> str:
    return ", ".join(f"{name} {score}" for name, score in zip(_sides(state), state.scores(), strict=True))


def _winner(state: State) -> str:
    return "not over" if state.winner is None else f"{side_name(state, state.winner)} has won"


def _time(at: str) -> str:
    """Return the journal's time in short.

    >>> _time("2026-05-03T19:04:14.000+00:00")
    '2026-05-03 19:04 UTC'
    """
    found = re.match(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)", at)
    return f"{found[1]} {found[2]} UTC" if found else "at a time unknown"
