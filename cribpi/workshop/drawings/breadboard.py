"""The level shifter on a breadboard: the holes of its parts and wires, and a picture.

Holes are named as printed on the board: a row from ``a`` (in front) to ``j`` and a column from 1, such as
``a6``; or a rail and a column: ``+`` and ``-`` are behind row j, ``_`` is the minus rail in front of row a.
The five holes a to e of a column are connected, and so are f to j; a rail is connected along its length.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.circuit import BLACK, GREEN, RED, Colour
from cribpi.workshop.drawings.parts import rows
from cribpi.workshop.drawings.shapes import (
    GREY,
    Circle,
    DrawnShape,
    Path,
    Pen,
    Point,
    Rectangle,
    TextLine,
    line,
)
from cribpi.workshop.drawings.svg import figure

COLUMNS: Final = 30
_STEP: Final = 5.0  # millimetres from hole to hole in the picture: twice the true size
_ROWS: Final = "jihgfedcba"


@dataclass(frozen=True, slots=True)
class Link:
    """A wire, or a part with two leads and a *name*, from one *hole* to the *other*.

    An end off the breadboard is a description, such as "Pi, pin 6".
    """

    hole: str
    other: str
    colour: Colour
    name: str = ""


def links(kit: Kit) -> Iterator[Link]:
    """Yield all wires and parts on the breadboard except the chip, in the order of building."""
    colours = {colour.name: colour for colour in (BLACK, GREEN, RED)}
    for row in rows(kit, "link"):
        yield Link(row["hole"], row["other"], colours[row["colour"]], row.get("name", ""))


def _column(hole: str) -> int:
    return int(hole[1:])


def is_hole(end: str) -> bool:
    """Return whether *end* names a hole.

    >>> is_hole("a6"), is_hole("+12"), is_hole("Pi, pin 6")
    (True, True, False)
    """
    return end[0] in "+-_" + _ROWS and end[1:].isdigit()


def at(hole: str) -> Point:
    """Return the position of *hole* in the picture, with a gap of three steps between rows e and f."""
    x = _STEP * _column(hole)
    if hole[0] in "+-":
        return x, _STEP * (1.5 if hole[0] == "-" else 2.5)
    if hole[0] == "_":
        return x, _STEP * 17.5
    row = _ROWS.index(hole[0])
    return x, _STEP * (4.5 + row + (2 if row > 4 else 0))


def picture(kit: Kit) -> Iterator[DrawnShape]:
    """Draw the breadboard with the chip and all links, 155 x 94 mm plus the space `above` it."""
    width = _STEP * (COLUMNS + 1)
    yield Rectangle(0, 0, width, 94, Pen("#c9c4b8", 0.4), "#f4f1ea", 2)
    for rail, sign, colour in (("-1", "-", BLACK), ("+1", "+", RED), ("_1", "-", BLACK)):
        y = at(rail)[1]
        yield line(4, y - 2.2, width - 4, y - 2.2, Pen(colour.ink, 0.25))
        yield TextLine(1.4, y + 0.9, sign, 3, is_bold=True)
    for row in _ROWS:
        yield TextLine(1.4, at(f"{row}1")[1] + 0.7, row, 2, colour=GREY)
        yield TextLine(width - 2.6, at(f"{row}1")[1] + 0.7, row, 2, colour=GREY)
    for column in range(1, COLUMNS + 1):
        for row in "-+_" + _ROWS:
            x, y = at(f"{row}{column}")
            yield Rectangle(x - 0.7, y - 0.7, 1.4, 1.4, None, "#b9b4a8", 0.2)
        if column == 1 or column % 5 == 0:
            yield TextLine(at(f"j{column}")[0], at("j1")[1] - 1.8, str(column), 2, "middle", colour=GREY)
    yield from figure("chip")
    for link in links(kit):
        yield from _link(link)
    for left, block in zip((0.0, 80.0), rows(kit, "terminal"), strict=False):
        yield from _terminal(left, block)


def above(kit: Kit) -> float:
    """Return the space in mm for wires and terminals above the breadboard."""
    return 56.0 if any(rows(kit, "terminal")) else 22.0


_SCREWS_APART: Final = 19.0


def _terminal(left: float, row: dict[str, str]) -> Iterator[DrawnShape]:
    ink = {colour.name: colour.ink for colour in (BLACK, RED)}[row["colour"]]
    yield TextLine(left, -51, row["name"], 3, is_bold=True, colour=ink)
    yield Rectangle(left, -35, 4 * _SCREWS_APART - 2, 8, Pen(ink, 0.6), "#dfe8df", 1)
    for n, words in enumerate(row["joins"].split("|")):
        x = left + _SCREWS_APART * (n + 0.5) - 1
        yield Path(((x, -39), (x, -31)), Pen(ink, 1.4), role="lead")
        yield Circle(x, -31, 2.2, Pen(GREY, 0.4), "#c9ced4")
        yield line(x - 1.4, -31, x + 1.4, -31, Pen(GREY, 0.5))
        for below, text in enumerate(words.split("/")):
            yield TextLine(x, -44.5 + 3.2 * below, text, 2.4, "middle")


def _link(link: Link) -> Iterator[DrawnShape]:
    if is_hole(link.hole) and is_hole(link.other):
        first, second = ends = at(link.hole), at(link.other)
        middle = (first[0] + second[0]) / 2, (first[1] + second[1]) / 2
        yield from figure(link.name, *middle) if link.name else _wire(ends, link.colour)
        return
    inside, outside = (link.hole, link.other) if is_hole(link.hole) else (link.other, link.hole)
    (x, y), column = at(inside), _column(inside)
    is_left = column < COLUMNS / 2
    # Outer wires are longer, so that their labels don't cross the inner wires.
    level = (7 - column) // 2 if is_left else (column - 26) // 2
    is_behind = inside[0] in "+-"
    end = -4.0 - 4.2 * level if is_behind else 97.0
    yield from _wire(((x, y), (x, end)), link.colour)
    words = f"{outside} ({link.name})" if link.name else outside
    below = end + (1 if is_behind else 2.5)
    beside = x + (1.4 if is_left else -1.4)
    yield TextLine(beside, below, words, 2.6, "start" if is_left else "end", is_bold=True)


def _wire(points: tuple[Point, ...], colour: Colour) -> Iterator[DrawnShape]:
    yield Path(points, Pen("#ffffff", 2.2))
    yield Path(points, Pen(colour.ink, 1.4), role="lead")
    for x, y in points:
        yield Circle(x, y, 0.9, None, colour.ink)
