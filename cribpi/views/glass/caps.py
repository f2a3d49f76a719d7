"""What the screen shows for a key: what is printed on it on the kit that people have."""

from __future__ import annotations

from typing import Final

from cribpi.entry.pad import Pad
from cribpi.views.glass import texts

_GLYPHS: Final = {"UP": "↑", "DOWN": "↓", "LEFT": "←", "RIGHT": "→", "Enter": "↵"}
"""What takes one cell of the glass."""

ANY_NUMBER: Final = "1..9"
"""The keys of an amount, where the court cards' are the sides'."""


def cap(key: str, pad: Pad) -> str | None:
    """Return what the glass shows for *key* on *pad*, or None where it has no such key.

    >>> from cribpi.entry.pad import TWENTY, Pad
    >>> stick = Pad(("LEFT", "OK"), caps=(("OK", "Enter"),))
    >>> cap("P1", stick), cap("OK", stick), cap("FLNB", stick), cap("A..K", stick), cap("7", TWENTY)
    ('←', '↵', None, None, '7')
    """
    if key in {texts.ANY_RANK, ANY_NUMBER}:
        return key if pad.has_ranks else None
    own = pad.reach(key)
    if own is None:
        return None
    printed = dict(pad.caps).get(own, own)
    return _GLYPHS.get(printed, printed)


def amount_keys(pad: Pad) -> tuple[str, ...]:
    """Return the keys that make an amount in a game kept by points, as a screen names them."""
    if not pad.has_ranks:
        return "UP", "DOWN"
    return (ANY_NUMBER,) if pad.sides else (texts.ANY_RANK,)
