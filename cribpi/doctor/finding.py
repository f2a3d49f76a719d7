"""A finding of the doctor: one line, and the command that fixes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found about *name*, and if it is not well the *remedy*, preferably a command."""

    name: str
    is_well: bool
    says: str
    remedy: str = ""


def well(name: str, says: str) -> Finding:
    return Finding(name, is_well=True, says=says)


def ill(name: str, says: str, remedy: str) -> Finding:
    return Finding(name, is_well=False, says=says, remedy=remedy)
