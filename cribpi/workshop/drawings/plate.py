"""The plate for machines: its openings, its pieces for a printer, and the whole as DXF for a laser cutter.

DXF is of release 12, which every such program reads, in millimetres.  A file is lines in pairs, a code and
its value.  Its y goes upward, and 0, 0 is the lower left corner of the plate.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Circle, Path, Rectangle, Text
from cribpi.workshop.drawings.svg import number
from cribpi.workshop.drawings.template import template_shapes

Layer: TypeAlias = Literal["LIGHTS", "FIXING", "WINDOW", "KEYS"]

_LAYERS: Final[dict[str, Layer]] = {
    "hole": "LIGHTS",
    "fixing": "FIXING",
    "window": "WINDOW",
    "key": "KEYS",
}
"""The layer of each role that the template has."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An opening: its *layer*, its *box*, and whether it is the circle in that box or all of it."""

    layer: Layer
    box: Box
    is_round: bool


def cuts(kit: Kit) -> Iterator[Cut]:
    """Yield every opening of the template of *kit*, in its coordinates."""
    for shape in template_shapes(kit):
        if isinstance(shape, (Circle, Rectangle)) and shape.role in _LAYERS:
            yield Cut(_LAYERS[shape.role], shape.box(), isinstance(shape, Circle))


# --- the pieces for a printer ------------------------------------------------------------------------


BED: Final = 200.0
"""The longest side of a piece: most printers have a bed of 210 mm and more."""

_ROOM: Final = 1.0  # from an opening to the edge of a piece
_STEP: Final = 0.5  # between two places that are tried


class Piece(NamedTuple):
    """A part of the plate: *name* is its row from A, and its place in the row from 1."""

    name: str
    box: Box
    cuts: tuple[Cut, ...]


def pieces(kit: Kit) -> tuple[Piece, ...]:
    """Return the pieces of the plate row by row: those of the board, then those below it."""
    width, height = kit.front
    found = list(cuts(kit))
    # Where the plate goes on below the board it is cut anyway.
    levels = sorted({0.0, kit.board.height, height})
    rows = [
        (top, bottom)
        for start, end in pairwise(levels)
        for top, bottom in pairwise(_places(start, end, [(cut.box.top, cut.box.bottom) for cut in found]))
    ]
    return tuple(
        Piece(f"{chr(ord('A') + row)}{column}", box, tuple(cut for cut in found if cut.box.meets(box)))
        for row, (top, bottom) in enumerate(rows)
        for column, box in enumerate(_columns(found, top, bottom, width), start=1)
    )


def _columns(found: Sequence[Cut], top: float, bottom: float, width: float) -> Iterator[Box]:
    """Yield the pieces of the row from *top* to *bottom*."""
    spans = [(cut.box.left, cut.box.right) for cut in found if top < cut.box.middle[1] < bottom]
    for left, right in pairwise(_places(0, width, spans)):
        yield Box(left, top, right, bottom)


def _places(start: float, end: float, spans: Sequence[tuple[float, float]]) -> list[float]:
    """Return *start*, where to cut, and *end*: as evenly as the *spans* that are not to be cut allow.

    A piece is longer than the bed only if there is no place for a cut.
    """
    tried = (start + step * _STEP for step in range(1, math.ceil((end - start) / _STEP)))
    free = [at for at in tried if not any(low - _ROOM < at < high + _ROOM for low, high in spans)]
    fewest = math.ceil((end - start) / BED)
    tries = (_even(start, end, free, count) for count in range(fewest, fewest + 4))
    return min(tries, key=lambda places: max(BED, *(b - a for a, b in pairwise(places))))


def _even(start: float, end: float, free: Sequence[float], count: int) -> list[float]:
    """Return *start*, *end*, and between them the free places that are nearest to *count* equal pieces."""
    places = [start]
    for at in range(1, count):
        wish = start + (end - start) * at / count
        near = [place for place in free if places[-1] < place <= places[-1] + BED]
        if near:
            places.append(min(near, key=lambda place: abs(place - wish)))
    return [*places, end]


# --- the plate for a laser ---------------------------------------------------------------------------


Pair: TypeAlias = tuple[int, str]

LAYERS: Final = {"PLATE": 7, "LIGHTS": 5, "FIXING": 4, "WINDOW": 1, "KEYS": 6, "ENGRAVE": 3}
"""Each layer with its colour, a number of AutoCAD's."""

_ENGRAVED: Final = {"number", "skunk", "whose", "opening"}
"""The roles of the letters and lines of the template that are for players, not for whoever builds it."""


def as_dxf(kit: Kit) -> str:
    """Return the file's text; the same kit gives the same text."""
    pairs = (*_head(), *_entities(kit), (0, "EOF"))
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _head() -> Iterator[Pair]:
    yield from _section("HEADER", ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4")))
    layers: list[Pair] = [(0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS)))]
    for name, colour in LAYERS.items():
        layers += [(0, "LAYER"), (2, name), (70, "0"), (62, str(colour)), (6, "CONTINUOUS")]
    yield from _section("TABLES", (*layers, (0, "ENDTAB")))


def _entities(kit: Kit) -> Iterator[Pair]:
    width, height = kit.front
    found = [*_frame("PLATE", 0, 0, width, height)]
    for cut in cuts(kit):
        left, top, right, bottom = cut.box
        if cut.is_round:
            x, y = cut.box.middle
            radius = (right - left) / 2
            found += [(0, "CIRCLE"), (8, cut.layer), *_at(x, height - y), (40, number(radius))]
        else:
            found += _frame(cut.layer, left, height - bottom, right, height - top)
    for shape in template_shapes(kit):
        if isinstance(shape, Path) and shape.role in _ENGRAVED:
            ends = [(x, height - y) for x, y in shape.points]
            found += ((0, "LINE"), (8, "ENGRAVE"), *_at(*ends[0]), *_at(*ends[-1], first=11))
        elif isinstance(shape, Text) and shape.role in _ENGRAVED and not shape.text.startswith("screen "):
            found += _text(shape, height)
    yield from _section("ENTITIES", tuple(found))


def _section(name: str, pairs: tuple[Pair, ...]) -> Iterator[Pair]:
    yield 0, "SECTION"
    yield 2, name
    yield from pairs
    yield 0, "ENDSEC"


def _at(x: float, y: float, first: int = 10) -> tuple[Pair, Pair]:
    """Return a point: *first* is the code of its x, and the y's is 10 more."""
    return (first, number(x)), (first + 10, number(y))


def _frame(layer: str, left: float, bottom: float, right: float, top: float) -> Iterator[Pair]:
    """Yield a closed outline."""
    yield from ((0, "POLYLINE"), (8, layer), (66, "1"), (70, "1"))
    for x, y in ((left, bottom), (right, bottom), (right, top), (left, top)):
        yield from ((0, "VERTEX"), (8, layer), *_at(x, y))
    yield from ((0, "SEQEND"), (8, layer))


def _text(text: Text, height: float) -> Iterator[Pair]:
    """Yield the letters: their corner and size, and where they are anchored, if not at their beginning."""
    anchor = {"start": "0", "middle": "1", "end": "2"}[text.anchor]
    place = _at(text.x, height - text.y)
    yield from ((0, "TEXT"), (8, "ENGRAVE"), *place, (40, number(text.size * 0.72)), (1, text.text))
    if anchor != "0":
        yield from ((72, anchor), *_at(text.x, height - text.y, first=11))
