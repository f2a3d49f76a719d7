"""The JSON file with a contest's sums, so that a contest can be stopped and resumed.

It is written atomically.  A process that adds to it holds a lock file, since otherwise one process could
overwrite the results of another.
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

from cribpi.companion.files.atomic import write_whole
from cribpi.companion.files.disk import Unreadable, reason, remedy, text_of
from cribpi.cribbage.rules.errors import UserError
from cribpi.cribbage.rules.shown import shown
from cribpi.workshop.arena.contest import Contest, Sums

FORMAT: Final = 1
"""The version of the file format."""

LARGEST: Final = 1_000_000
"""Maximum size in bytes: a file with the times of all levels has some 10,000."""

_FIELDS: Final = ("a", "b", "players", "rules", "options", "seed")
_MAY_LACK: Final = {"met": 0}
"""Optional fields and their defaults."""
_CHECK: Final = "check"
_MOST: Final = 10**15
"""Larger than any real sum; huge integers would not convert to a float for division."""


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Lock *path*, which need not exist yet, against other processes.

    Raises:
        UserError: If another process has locked it, or writing fails.
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
            os.close(lock)  # the former holder has unlinked this file: lock the new one
    except BlockingIOError:
        raise UserError(
            f"{path}: another cribpi arena is writing to it: wait for that one, or give another name"
        ) from None
    except OSError as refused:
        raise _refused(path, refused) from None
    try:
        yield
    finally:
        with suppress(OSError):  # a leftover lock file does no harm
            beside.unlink()
        os.close(lock)


def load(path: Path, contest: Contest) -> Sums:
    """Return the sums of *contest* in *path*; empty if there is no such file.

    Raises:
        UserError: If the file cannot be read, is another kind of file, is damaged, or has another contest.
    """
    if not os.path.exists(path):  # noqa: PTH110  unlike Path.exists, False if the name is too long
        return Sums()
    try:
        text = text_of(path, LARGEST)
    except Unreadable as bad:
        raise UserError(f"{path}: {bad}, or give another name") from None
    document = _read(path, text)
    for key, value in (_MAY_LACK | _identity(contest)).items():
        document.setdefault(key, _MAY_LACK.get(key))
        if _canonical(document[key]) != _canonical(value):
            raise UserError(
                f"{path}: it has {_difference(key, document[key], value)}: "
                f"give another name, or ask for what it has"
            )
    return Sums(document["sums"])


def save(path: Path, contest: Contest, sums: Sums) -> None:
    """Write the *sums* of *contest* to *path* atomically.

    Raises:
        UserError: If the write fails.
    """
    document = {"format": FORMAT, **_identity(contest), "sums": dict(sorted(sums.items()))}
    document[_CHECK] = check_value(document)
    try:
        write_whole(path, (json.dumps(document, indent=1) + "\n").encode())
    except OSError as refused:
        raise _refused(path, refused) from None


def _refused(path: Path, error: OSError) -> UserError:
    mends = remedy(error, "choose a folder that you can write to")
    return UserError(f"{path}: {reason(error)}: {mends}")


def _identity(contest: Contest) -> dict[str, Any]:
    """Return the fields that must match the file's for games to be added to it."""
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
    """Return the file's contents if its check value is right; files of cribpi 0.1.0 have none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = None
    document = document if isinstance(document, dict) else {}
    form = document.get("format")
    if form is not None and _canonical(form) != str(FORMAT):
        raise UserError(
            f"{path}: it was written by another version of cribpi: update cribpi, or give another name"
        )
    if form is None or not document.keys() >= {*_FIELDS, "sums"} or not isinstance(document["sums"], dict):
        raise UserError(f"{path}: not a file of cribpi arena: give another name")
    for name in document.keys() - {*_FIELDS, *_MAY_LACK, "format", "sums", _CHECK}:
        raise _damaged(path, name)
    for name, many in document["sums"].items():
        if type(many) is not int or not 0 <= many <= _MOST:
            raise _damaged(path, name)
    if _CHECK in document and _canonical(document.pop(_CHECK)) != str(check_value(document)):
        raise _damaged(path, "its check value")
    return document


def check_value(document: Mapping[str, Any]) -> int:
    """Return the CRC-32 of the canonical JSON of *document*, which has no check value yet."""
    return crc32(_canonical(document).encode())


def _canonical(value: object) -> str:
    """Return *value* as JSON with sorted keys, in which 1 and true differ; "" if it is nested too deeply."""
    try:
        return json.dumps(value, sort_keys=True)
    except RecursionError:
        return ""


def _damaged(path: Path, what: str) -> UserError:
    return UserError(
        f"{path}: it is damaged ({shown(what, str)} cannot be): move it away, or give another name"
    )


def _difference(key: str, stored: object, expected: object) -> str:
    if isinstance(stored, dict) and isinstance(expected, dict):
        for name in sorted({*stored, *expected}):
            if name not in stored or name not in expected or stored[name] != expected[name]:
                return f"{shown(name, str)}={shown(stored.get(name), str)}, not {expected.get(name)}"
    return f"{key} {shown(stored, str)}, not {shown(expected, str)}"
