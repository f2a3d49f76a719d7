"""Reading of files that people write, and remedies for failed reads and writes."""

from __future__ import annotations

import errno
import sqlite3
import tomllib
from pathlib import Path
from typing import Any, Final

_ROOM: Final = "make room on the disk"
_READ_ONLY: Final = "make the disk writable again (a worn card becomes read-only)"
_BUSY: Final = "stop any other program that has the journal open"
_FAILING: Final = "check the card or disk, which is failing (dmesg has more)"
_DAMAGED: Final = "start cribpi again: it checks the file, and sets it aside if it is damaged"

_REMEDIES: Final = {
    errno.ENOSPC: _ROOM,
    errno.EDQUOT: _ROOM,
    errno.EROFS: _READ_ONLY,
    errno.EIO: _FAILING,
}
_SQLITE_REMEDIES: Final = {
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_FULL: _ROOM,
    sqlite3.SQLITE_IOERR_SHMSIZE: _ROOM,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _FAILING,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
}
_KIND: Final = 0xFF
"""Masks the primary code out of SQLite's extended error codes."""

LARGEST_TEXT: Final = 64_000_000
"""Most bytes of a file other than TOML: a record of 10,000 games has 20 million; a device may be endless."""
LARGEST_TOML: Final = 100_000
"""Greatest size of a TOML file, in bytes: the largest shipped kit has 2,200."""
LONGEST_LINE: Final = 4_000
"""Most characters in a line of TOML: Python's parser takes minutes for a key with ten thousand dots."""


class Unreadable(ValueError):
    """A file that cannot be read in the expected format. The message has the reason and the remedy."""


def one_line(message: object) -> str:
    r"""Join SQLite's message, which may have several lines, into one.

    >>> one_line("*** in database main ***\nPage 2: free space corruption")
    'in database main; Page 2: free space corruption'
    """
    return "; ".join(line.strip(" *") for line in str(message).splitlines() if line.strip(" *"))


def reason(refused: OSError | sqlite3.Error) -> str:
    """Return the reason of a failed read or write, in the system's words or SQLite's."""
    return (refused.strerror or str(refused)).lower() if isinstance(refused, OSError) else one_line(refused)


def remedy(refused: OSError | sqlite3.Error, usual: str) -> str:
    """Return the remedy for a failed read or write: *usual*, unless the disk is full, read-only or failing.

    >>> full = OSError(errno.ENOSPC, "")
    >>> remedy(full, "choose another folder"), remedy(PermissionError(), "choose another folder")
    ('make room on the disk', 'choose another folder')
    """
    if isinstance(refused, OSError):
        return _REMEDIES.get(refused.errno or 0, usual)
    code = getattr(refused, "sqlite_errorcode", 0)
    return _SQLITE_REMEDIES.get(code) or _SQLITE_REMEDIES.get(code & _KIND, usual)


def text_of(path: Path, largest: int = LARGEST_TEXT) -> str:
    """Return the text of the UTF-8 file *path*, with or without a byte order mark.

    Raises:
        Unreadable: If it cannot be read, has more bytes than *largest*, or is not UTF-8.
    """
    try:
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except OSError as refused:
        why = refused.strerror or str(refused)
        raise Unreadable(f"it cannot be read ({why}); {remedy(refused, 'check the path')}") from None
    except ValueError as bad:  # the path contains a NUL
        raise Unreadable(f"it cannot be read ({bad}); check the path") from None
    if len(data) > largest:
        raise Unreadable(f"it has more than {largest:,} bytes; check that it is the right file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as bad:
        raise Unreadable(f"byte {bad.start} is not UTF-8; save the file as UTF-8 text") from None


def toml_of(path: Path) -> dict[str, Any]:
    """Parse the TOML file *path*.

    Raises:
        Unreadable: If it cannot be read, or is not TOML.
    """
    text = text_of(path, LARGEST_TOML)
    for number, line in enumerate(text.splitlines(), start=1):
        if len(line) > LONGEST_LINE:
            raise Unreadable(
                f"line {number} has {len(line):,} characters; break it into lines of at most {LONGEST_LINE:,}"
            )
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as bad:
        raise Unreadable(f"this is not TOML: {bad}; correct it there") from None
    except ValueError:  # Python does not parse an int of more than 4,300 digits
        raise Unreadable("this is not TOML: a number has thousands of digits") from None
    except RecursionError:
        raise Unreadable("this is not TOML: too many nested brackets; close them") from None
