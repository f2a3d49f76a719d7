"""News: a newer version and its changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cribpi.companion.installed import CHANGES, Source


@dataclass(frozen=True, slots=True)
class News:
    """A version that is newer than the installed one.

    Args:
        source: Source of that version.
        changes: Lines that only that version's changelog has.
        prepare: Function that prepares the installation. It returns the command to run, without options.
    """

    source: Source
    changes: tuple[str, ...]
    prepare: Callable[[], tuple[str, ...]]


def new_lines(changelog: str, root: Path) -> tuple[str, ...]:
    """Return the lines of *changelog* that the changelog installed below *root* lacks.

    Empty if that is missing.
    """
    try:
        old = set((root / CHANGES).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(line for line in changelog.splitlines() if line.strip() and line not in old)
