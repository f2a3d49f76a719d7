"""[plate] of a kit.toml: the front that the board is a part of, with openings for the screen and the keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import dist
from typing import Final, NamedTuple

from cribpi.companion.files.section import Section

KEY_PITCH: Final = 19.05
"""Millimetres from one key to the next: 0.75 inch, as on nearly every keypad and keyboard."""

KEY_OPENING: Final = 14.0
"""Side of the square opening that a key switch of the usual kind (MX) clips into, in millimetres."""

WINDOW: Final = (24.0, 13.0)
"""The usual window: a 0.96 inch OLED shows 21.7 x 10.9 mm."""

_RIM: Final = 2.0  # of wood that is left between two openings, and to the edge
_HOLE: Final = 2.5  # radius of the widest hole for an LED


class Opening(NamedTuple):
    """An upright opening in the plate, by its edges in millimetres; *name* is a key's, or "screen"."""

    name: str
    left: float
    top: float
    right: float
    bottom: float

    @property
    def middle(self) -> tuple[float, float]:
        return round((self.left + self.right) / 2, 3), round((self.top + self.bottom) / 2, 3)

    def is_near(self, other: Opening) -> bool:
        """Return whether less than a rim is left between the two."""
        return (
            self.left - _RIM < other.right
            and other.left - _RIM < self.right
            and self.top - _RIM < other.bottom
            and other.top - _RIM < self.bottom
        )

    def away(self, point: tuple[float, float]) -> float:
        """Return how far *point* is from the opening; 0 inside."""
        x, y = point
        nearest = min(max(x, self.left), self.right), min(max(y, self.top), self.bottom)
        return dist(point, nearest)


@dataclass(frozen=True, slots=True)
class Plate:
    """The front, *width* by *height* millimetres from the board's upper left corner, and its openings."""

    width: float
    height: float
    openings: tuple[Opening, ...]

    @property
    def screen(self) -> Opening:
        """The window; it is the first opening, and the keys follow."""
        return self.openings[0]


def read_plate(
    section: Section,
    board: tuple[float, float],
    grid: tuple[tuple[str, ...], ...],
    holes: Iterable[tuple[float, float]],
) -> Plate:
    """Return the plate around a *board* of that width and height, with openings for the keys of *grid*.

    *grid* is empty where the keys are not on the plate.

    Raises:
        KitError: If it is smaller than the board, or an opening lies over its edge, a hole or another one.
    """
    width = section.length("width") if section.has("width") else board[0]
    height = section.length("height")
    for key, size, least in (("width", width, board[0]), ("height", height, board[1])):
        if size < least:
            raise section.refusal(key, f"the board on it is {least:g} mm; give that or more")
    x, y = section.point("screen", width, height)
    across, down = section.size("window") if section.has("window") else WINDOW
    found = [Opening("screen", x - across / 2, y - down / 2, x + across / 2, y + down / 2)]
    if grid:
        found += _key_openings(*section.point("keys", width, height), grid)
    section.finish()
    _check(section, width, height, found, tuple(holes))
    return Plate(width, height, tuple(found))


def _key_openings(x: float, y: float, grid: tuple[tuple[str, ...], ...]) -> Iterator[Opening]:
    """Yield the opening of each key, the upper left one around *x*, *y*."""
    half = KEY_OPENING / 2
    for row, names in enumerate(grid):
        for column, name in enumerate(names):
            if name:
                at_x, at_y = x + KEY_PITCH * column, y + KEY_PITCH * row
                edges = (at_x - half, at_y - half, at_x + half, at_y + half)
                yield Opening(name, *(round(edge, 3) for edge in edges))


def _check(
    section: Section,
    width: float,
    height: float,
    found: list[Opening],
    holes: tuple[tuple[float, float], ...],
) -> None:
    def refuse(opening: Opening, why: str) -> None:
        is_screen = opening.name == "screen"
        what = "the window" if is_screen else f"key {opening.name}"
        raise section.refusal("screen" if is_screen else "keys", f"{what} would lie {why}; move it")

    for opening in found:
        if not (
            opening.left >= _RIM
            and opening.top >= _RIM
            and opening.right <= width - _RIM
            and opening.bottom <= height - _RIM
        ):
            refuse(opening, f"over the edge of the plate of {width:g} x {height:g} mm")
        if any(opening.away(hole) < _HOLE + _RIM for hole in holes):
            refuse(opening, "over a hole of the board")
    for one, other in combinations(found, 2):
        if one.is_near(other):
            refuse(other, "over the window" if one.name == "screen" else f"over key {one.name}")
