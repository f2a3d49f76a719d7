"""The file of a contest, so that it can be stopped and resumed: JSON with its sums.

It is written whole beside the old one and then renamed over it, so a killed process leaves one or the other.
A process that adds to it holds a lock file beside it: without that, of two, one would overwrite the other.
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
"""The version of the file format."""

LARGEST: Final = 1_000_000
"""The most bytes of a file: one with the times of all levels has some 10,000."""

_FIELDS: Final = ("a", "b", "players", "rules", "options", "seed")
_CHECK: Final = "check"
_MOST: Final = 10**15
"""More than any sum; larger values might not even convert to a float for division."""


class ArenaFileError(Exception):
    """The file cannot be used.  The message is one sentence with the remedy."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold *path*, which need not exist yet, so that no other process adds to it.

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
        with suppress(OSError):  # an empty file left behind does no harm
            beside.unlink()
        os.close(lock)


def _locked(path: Path) -> int:
    """Lock the file *path*, creating it if needed, and return its descriptor.

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
        os.close(lock)  # its former holder removed the file before we locked it


def _is_at(path: Path, opened: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(opened))
    except FileNotFoundError:
        return False


def load(path: Path, contest: Contest) -> Sums:
    """Return the sums of *contest* in *path*; empty if there is no such file.

    Raises:
        ArenaFileError: If it cannot be read, is some other file, is damaged, or has another contest.
    """
    if not os.path.exists(path):  # noqa: PTH110  a name that is too long is for `save` to refuse
        return Sums()
    try:
        text = text_of(path, LARGEST)
    except Unreadable as bad:
        raise ArenaFileError(f"{path}: {bad}, or give another name") from None
    kept, sums = _read(path, text)
    for key, value in _identity(contest).items():
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
    """Write the *sums* of *contest* to *path*, whole or not at all.

    Raises:
        ArenaFileError: If the disk refuses.
    """
    kept = {"format": FORMAT, **_identity(contest), "sums": dict(sorted(sums.items()))}
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


def _identity(contest: Contest) -> dict[str, Any]:
    """Return what must be equal for games to be added to those in the file."""
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
    """Return the file's contents and its sums; check its fields, and its check value if it has one."""
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
    """Return the CRC-32 of the file's canonical JSON without its check value."""
    return crc32(_canonical(kept).encode())


def _canonical(value: object) -> str:
    """Return *value* as JSON with sorted keys; "" if it is nested too deeply.

    Unlike `==`, the text tells 1 from true.
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
