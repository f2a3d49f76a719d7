"""Lines of a menu: how a key moves from one to another, or changes the one it is at."""

from __future__ import annotations

from typing import Final

from cribpi.entry.keys import RANKS, amount_of
from cribpi.entry.reply import WrongKey

STEPS: Final = {"P1": -1, "LEFT": -1, "P2": 1, "RIGHT": 1}
"""How the keys that change a line change it."""


def line_of(key: str, line: int, lines: int) -> int:
    """Return the line, from 0, that *key* moves to from *line* of *lines*.

    Raises:
        WrongKey: If it moves to none.
    """
    if key == "UP" and lines:
        return (line - 1) % lines
    if key == "DOWN" and lines:
        return (line + 1) % lines
    picked = amount_of(key)
    if picked is None or picked > lines:
        picks = f"A to {RANKS[min(lines, len(RANKS)) - 1]} picks a line, " if lines > 1 else ""
        raise WrongKey(f"{key} does nothing here: {picks}P1 and P2 change it, OK accepts")
    return picked - 1
