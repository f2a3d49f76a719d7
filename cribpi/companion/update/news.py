"""The changes in a newer version."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cribpi.companion.installed import CHANGES, Source


@dataclass(frozen=True, slots=True)
class News:
    """A version that is newer than the installed one.

    Args:
        source: The version itself.
        changes: The lines of its changelog that the installed one's lacks.
        prepare: Makes it ready to install, and returns the command for that, without options.
    """

    source: Source
    changes: tuple[str, ...]
    prepare: Callable[[], tuple[str, ...]]


def new_lines(changelog: str, root: Path) -> tuple[str, ...]:
    """Return the lines of *changelog* that the installed one below *root* lacks; empty without that."""
    try:
        old = set((root / CHANGES).read_text(encoding="utf-8").splitlines())
    except (OSError, UnicodeDecodeError):
        return ()
    return tuple(line for line in changelog.splitlines() if line.strip() and line not in old)
