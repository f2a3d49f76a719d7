"""What the doctor found: one line, and the command that mends it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What *name* is like: well or not, in words, and, where not, the *remedy*, a command where there is
    one.
    """

    name: str
    is_well: bool
    says: str
    remedy: str = ""


def well(name: str, says: str) -> Finding:
    """Return that *name* is well."""
    return Finding(name, is_well=True, says=says)


def ill(name: str, says: str, remedy: str) -> Finding:
    """Return that *name* is not well, and what mends it."""
    return Finding(name, is_well=False, says=says, remedy=remedy)
