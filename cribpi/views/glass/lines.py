"""Lines of a menu: each with the key that picks it, lit where the cursor is, and a bar beside a long list."""

from __future__ import annotations

from typing import Final

from cribpi.views.glass.canvas import CELL, WIDTH, fit_width
from cribpi.views.glass.caps import cap
from cribpi.views.glass.font import SMALL
from cribpi.views.glass.sheet import Sheet

PITCH: Final = 9
"""Px from one line that can be lit to the next."""

_GAP: Final = 3
"""Px between a key and the name of its line."""

_BAR: Final = 2
"""Width of the bar beside a long list, in px."""


def write_line(
    sheet: Sheet, y: int, key: str, name: str, value: str = "", *, is_at: bool, is_short: bool = False
) -> None:
    """Write a line that *key* picks, lit where the cursor is; one that *is_short* has a bar beside it."""
    right = WIDTH - (_BAR + 2 if is_short else 1)
    # A rank key that stands for a side changes a line, and picks none.
    shown = (cap(key, sheet.pad) if key not in dict(sheet.pad.sides) else None) or ""
    if shown:
        sheet.legend.append((key, name))
        sheet.small(2, y, shown, inverse=True)
    left = 2 + len(shown) * CELL + _GAP * bool(shown)
    room = right - SMALL.width_of(value) - _GAP - left if value else right - left
    sheet.small(left, y, fit_width(name, room, SMALL))
    sheet.small(right, y, value, align="right")
    if is_at:
        sheet.plate(0, y - 1, right + 1 - is_short, PITCH)


def scroll_bar(sheet: Sheet, y: int, first: int, seen: int, lines: int) -> None:
    """Draw at the right edge which part of a long list is seen, beside the line with its top at *y*."""
    whole = seen * PITCH
    start, length = first * whole // lines, -(-seen * whole // lines)
    sheet.fill(WIDTH - _BAR, y - 1 + min(start, whole - length), _BAR, length)
