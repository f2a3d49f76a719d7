"""The file in which a contest is kept, so that it can be stopped and taken up again: one JSON with its sums.

It is written whole beside the old one and then takes its name, so that who is killed leaves the one or the other.
Who adds to it holds a lock beside it: of two, one would lose what the other has played.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from cribpi.core.options import BY_NAME, written
from cribpi.opponents.arena import Contest
from cribpi.opponents.arena_notes import Sums

FORMAT: Final = 1
"""The version of the file's form."""


class ArenaFileError(Exception):
    """The file cannot be used.  Its text is one sentence with the remedy."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold *path*, which need not be there yet, so that nobody else adds to it.

    Raises:
        ArenaFileError: If another process holds it, or the disk refuses.
    """
    beside = path.with_name(f".{path.name}.lock")
    try:
        lock = _locked(beside)
    except BlockingIOError:
        raise ArenaFileError(
            f"{path}: another cribpi arena adds to it now: wait for that one, or give another name"
        ) from None
    except OSError as refused:
        raise _refused(path, refused) from None
    try:
        yield
    finally:
        with suppress(OSError):  # an empty file that stays is in nobody's way
            beside.unlink()
        os.close(lock)


def _locked(path: Path) -> int:
    """Return a lock that is held on the file *path*, which is made if need be.

    Raises:
        BlockingIOError: If another holds it.
        OSError: If the disk refuses.
    """
    while True:
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_at(path, lock):
                return lock
        except BaseException:
            os.close(lock)
            raise
        os.close(lock)  # whoever held it took the file away before we locked it


def _is_at(path: Path, opened: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(opened))
    except FileNotFoundError:
        return False


def load(path: Path, contest: Contest) -> Sums:
    """Return the sums of *contest* that *path* keeps; none where there is no such file.

    Raises:
        ArenaFileError: If it cannot be read, is no such file, or has another contest.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return Sums()
    except (OSError, UnicodeDecodeError) as refused:
        reason = getattr(refused, "strerror", None) or "it is no text"
        raise ArenaFileError(f"{path}: {reason.lower()}: give another name") from None
    kept, sums = _read(path, text)
    theirs, ours = kept, _told(contest)
    for key, value in ours.items():
        if theirs.get(key) != value:
            raise ArenaFileError(
                f"{path}: it has {_differing(key, theirs.get(key), value)}: "
                f"give another name, or ask for what it has"
            )
    if sums["games"] != sums["sets"] * contest.games_in_set:
        raise _no_result(path)
    return sums


def save(path: Path, contest: Contest, sums: Mapping[str, int]) -> None:
    """Keep the *sums* of *contest* in *path*, whole or not at all.

    Raises:
        ArenaFileError: If the disk refuses.
    """
    kept = {"format": FORMAT, **_told(contest), "sums": dict(sorted(sums.items()))}
    beside = path.with_name(f".{path.name}.part")
    try:
        with beside.open("w", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(kept, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    except OSError as refused:
        raise _refused(path, refused) from None


def _refused(path: Path, error: OSError) -> ArenaFileError:
    reason = (error.strerror or str(error)).lower()
    return ArenaFileError(f"{path}: {reason}: choose a folder that you can write to, or make room")


def _told(contest: Contest) -> dict[str, Any]:
    """Return what must be the same, for games to be added to those that are kept."""
    rules = contest.rules
    return {
        "a": contest.a,
        "b": contest.b,
        "players": rules.players,
        "rules": rules.name,
        "options": {name: written(getattr(rules, name)) for name in BY_NAME},
        "seed": contest.seed,
    }


def _read(path: Path, text: str) -> tuple[dict[str, Any], Sums]:
    try:
        kept = json.loads(text)
    except ValueError:
        raise _no_result(path) from None
    sums = kept.get("sums") if isinstance(kept, dict) else None
    if not isinstance(sums, dict) or any(type(many) is not int or many < 0 for many in sums.values()):
        raise _no_result(path)
    if kept.get("format") != FORMAT:
        raise ArenaFileError(
            f"{path}: it was written by another version of cribpi: give another name, and begin again"
        )
    return kept, Sums(sums)


def _no_result(path: Path) -> ArenaFileError:
    return ArenaFileError(f"{path}: it is no file of cribpi arena: give another name")


def _differing(key: str, theirs: object, ours: object) -> str:
    if key == "options" and isinstance(theirs, dict) and isinstance(ours, dict):
        key, value = next((name, value) for name, value in ours.items() if theirs.get(name) != value)
        return f"{key}={theirs.get(key)}, not {value}"
    return f"{key} {theirs}, not {ours}"
