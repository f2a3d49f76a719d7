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

from cribpi.companion.files.disk import Unreadable, reason, remedy, text_of
from cribpi.companion.files.whole import write_whole
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown
from cribpi.workshop.arena.contest import Contest, Sums

FORMAT: Final = 1
"""The version of the file format."""

LARGEST: Final = 1_000_000
"""The most bytes of a file: one with the times of all levels has some 10,000."""

_FIELDS: Final = ("a", "b", "players", "rules", "options", "seed")
_MAY_LACK: Final = {"met": 0}
"""Fields of some files alone, and what the others have."""
_CHECK: Final = "check"
_MOST: Final = 10**15
"""More than any sum; larger values might not even convert to a float for division."""


@contextmanager
def held(path: Path) -> Iterator[None]:
    """Hold *path*, which need not exist yet, so that no other process adds to it.

    Raises:
        UserError: If another process holds it, or the disk refuses.
    """
    beside = path.with_name(f".{path.name}.lock")
    try:
        while True:
            lock = os.open(beside, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BaseException:
                os.close(lock)
                raise
            if os.fstat(lock).st_nlink:
                break
            os.close(lock)  # its former holder removed the file before we locked it
    except BlockingIOError:
        raise UserError(
            f"{path}: another cribpi arena is writing to it: wait for that one, or give another name"
        ) from None
    except OSError as refused:
        raise _refused(path, refused) from None
    try:
        yield
    finally:
        with suppress(OSError):  # an empty file left behind does no harm
            beside.unlink()
        os.close(lock)


def load(path: Path, contest: Contest) -> Sums:
    """Return the sums of *contest* in *path*; empty if there is no such file.

    Raises:
        UserError: If it cannot be read, is some other file, is damaged, or has another contest.
    """
    if not os.path.exists(path):  # noqa: PTH110  a name that is too long is for `save` to refuse
        return Sums()
    try:
        text = text_of(path, LARGEST)
    except Unreadable as bad:
        raise UserError(f"{path}: {bad}, or give another name") from None
    kept = _read(path, text)
    for key, value in (_MAY_LACK | _identity(contest)).items():
        kept.setdefault(key, _MAY_LACK.get(key))
        if _canonical(kept[key]) != _canonical(value):
            raise UserError(
                f"{path}: it has {_differing(key, kept[key], value)}: "
                f"give another name, or ask for what it has"
            )
    return Sums(kept["sums"])


def save(path: Path, contest: Contest, sums: Sums) -> None:
    """Write the *sums* of *contest* to *path*, whole or not at all.

    Raises:
        UserError: If the disk refuses.
    """
    kept = {"format": FORMAT, **_identity(contest), "sums": dict(sorted(sums.items()))}
    kept[_CHECK] = check_value(kept)
    try:
        write_whole(path, (json.dumps(kept, indent=1) + "\n").encode())
    except OSError as refused:
        raise _refused(path, refused) from None


def _refused(path: Path, error: OSError) -> UserError:
    mends = remedy(error, "choose a folder that you can write to")
    return UserError(f"{path}: {reason(error)}: {mends}")


def _identity(contest: Contest) -> dict[str, Any]:
    """Return what must be equal for games to be added to those in the file."""
    rules = contest.rules
    return {
        "a": contest.a,
        "b": contest.b,
        "players": rules.players,
        "rules": rules.name,
        "options": rules.as_written(),
        "seed": contest.seed,
        **({"met": contest.met} if contest.met else {}),
    }


def _read(path: Path, text: str) -> dict[str, Any]:
    """Return the file's contents, if its check value vouches for them; files of cribpi 0.1.0 have none."""
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        kept = None
    kept = kept if isinstance(kept, dict) else {}
    form = kept.get("format")
    if form is not None and _canonical(form) != str(FORMAT):
        raise UserError(
            f"{path}: it was written by another version of cribpi: update cribpi, or give another name"
        )
    if form is None or not kept.keys() >= {*_FIELDS, "sums"} or not isinstance(kept["sums"], dict):
        raise UserError(f"{path}: not a file of cribpi arena: give another name")
    for name in kept.keys() - {*_FIELDS, *_MAY_LACK, "format", "sums", _CHECK}:
        raise _damaged(path, name)
    for name, many in kept["sums"].items():
        if type(many) is not int or not 0 <= many <= _MOST:
            raise _damaged(path, name)
    if _CHECK in kept and _canonical(kept.pop(_CHECK)) != str(check_value(kept)):
        raise _damaged(path, "its check value")
    return kept


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


def _damaged(path: Path, what: str) -> UserError:
    return UserError(
        f"{path}: it is damaged ({shown(what, str)} cannot be): move it away, or give another name"
    )


def _differing(key: str, theirs: object, ours: object) -> str:
    if isinstance(theirs, dict) and isinstance(ours, dict):
        for name in sorted({*theirs, *ours}):
            if name not in theirs or name not in ours or theirs[name] != ours[name]:
                return f"{shown(name, str)}={shown(theirs.get(name), str)}, not {ours.get(name)}"
    return f"{key} {shown(theirs, str)}, not {shown(ours, str)}"
