"""The file in which a contest is kept, so that it can be stopped and taken up again: one JSON with its sums.

It is written whole beside the old one and then takes its name, so that who is killed leaves the one or the
other.  Who adds to it holds a lock beside it: of two, one would lose what the other has played.
"""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final
from zlib import crc32

from cribpi.core.rules import BY_NAME, written
from cribpi.core.shown import shown
from cribpi.opponents.arena.checks import misfit
from cribpi.opponents.arena.contest import Contest
from cribpi.opponents.arena.tally import Sums
from cribpi.storage.disk import Unreadable, reason, remedy, text_of

FORMAT: Final = 1
"""The version of the file's form."""

LARGEST: Final = 1_000_000
"""The most bytes of a file: one of all levels' times has some 10,000."""

_FIELDS: Final = ("a", "b", "players", "rules", "options", "seed")
_CHECK: Final = "check"
_MOST: Final = 10**15
"""More than any sum comes to; what is larger would not even be a number to divide."""


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
        ArenaFileError: If it cannot be read, is no such file, is damaged, or has another contest.
    """
    if not os.path.exists(path):  # noqa: PTH110  a name that is too long is for `save` to refuse
        return Sums()
    try:
        text = text_of(path, LARGEST)
    except Unreadable as bad:
        raise ArenaFileError(f"{path}: {bad}, or give another name") from None
    kept, sums = _read(path, text)
    for key, value in _told(contest).items():
        if _canonical(kept[key]) != _canonical(value):
            raise ArenaFileError(
                f"{path}: it has {_differing(key, kept[key], value)}: "
                f"give another name, or ask for what it has"
            )
    wrong = misfit(contest, sums)
    if wrong is not None:
        raise _damaged(path, wrong)
    return sums


def save(path: Path, contest: Contest, sums: Mapping[str, int]) -> None:
    """Keep the *sums* of *contest* in *path*, whole or not at all.

    Raises:
        ArenaFileError: If the disk refuses.
    """
    kept = {"format": FORMAT, **_told(contest), "sums": dict(sorted(sums.items()))}
    kept[_CHECK] = check_value(kept)
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
    mends = remedy(error, "choose a folder that you can write to")
    return ArenaFileError(f"{path}: {reason(error)}: {mends}")


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
    """Return what the file keeps, and its sums; its fields are there, and whole where a check value says
    so.
    """
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        raise _no_result(path) from None
    if not isinstance(kept, dict) or "format" not in kept:
        raise _no_result(path)
    if _canonical(kept.get("format")) != str(FORMAT):
        raise ArenaFileError(
            f"{path}: it was written by another version of cribpi: update cribpi, or give another name"
        )
    if not kept.keys() >= {*_FIELDS, "sums"} or not isinstance(sums := kept["sums"], dict):
        raise _no_result(path)
    for name in kept.keys() - {*_FIELDS, "format", "sums", _CHECK}:
        raise _damaged(path, name)
    for name, many in sums.items():
        if type(many) is not int or not 0 <= many <= _MOST:
            raise _damaged(path, name)
    if _CHECK in kept:  # files of cribpi 0.1.0 have none
        check = kept.pop(_CHECK)
        if type(check) is not int or check != check_value(kept):
            raise _damaged(path, "its check value")
    return kept, Sums(sums)


def check_value(kept: Mapping[str, Any]) -> int:
    """Return the CRC-32 of what a file keeps, its check value left out: of its JSON text, with its keys in
    order.
    """
    return crc32(_canonical(kept).encode())


def _canonical(value: object) -> str:
    """Return *value* as JSON: two texts for two that differ in type alone, such as 1 and true; else
    nothing.
    """
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return ""


def _no_result(path: Path) -> ArenaFileError:
    return ArenaFileError(f"{path}: not a file of cribpi arena: give another name")


def _damaged(path: Path, what: str) -> ArenaFileError:
    return ArenaFileError(
        f"{path}: it is damaged ({shown(what, str)} cannot be): move it away, or give another name"
    )


def _differing(key: str, theirs: object, ours: object) -> str:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in sorted({*theirs, *ours}):
            if name not in theirs or name not in ours or theirs[name] != ours[name]:
                return f"{shown(name, str)}={shown(theirs.get(name), str)}, not {ours.get(name)}"
    return f"{key} {shown(theirs, str)}, not {shown(ours, str)}"
