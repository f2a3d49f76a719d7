"""The plate for machines: its openings, the whole as DXF for a laser cutter, its pieces as STL for a printer.

DXF is of release 12, which every such program reads, in millimetres.  A file is lines in pairs, a code and
its value.  Its y goes upward, and 0, 0 is the lower left corner of the plate.

A piece as a solid is a binary STL, in millimetres.  Seen from the front, x goes to the right and y upward,
both as on the whole plate, so that pieces that are loaded together lie together; the back lies on z = 0.  A
key's opening is wider in its back half, where the clips of a switch hold on to 1.5 mm.  Each face is divided
into rectangles, one around each opening and the rest between them.  A corner of one that lies on the edge of
another becomes a corner of both, so that no triangle's edge is without its neighbour.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from cribpi.companion.kit import Kit
from cribpi.workshop.drawings.shapes import Box, Circle, Path, Point, Rectangle, Text
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
    parts = []
    for row, (top, bottom) in enumerate(rows):
        spans = [(cut.box.left, cut.box.right) for cut in found if top < cut.box.middle[1] < bottom]
        for column, (left, right) in enumerate(pairwise(_places(0, width, spans)), start=1):
            box = Box(left, top, right, bottom)
            inside = tuple(cut for cut in found if cut.box.meets(box))
            parts.append(Piece(f"{chr(ord('A') + row)}{column}", box, inside))
    return tuple(parts)


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
    layers: list[Pair] = [(0, "TABLE"), (2, "LAYER"), (70, str(len(LAYERS)))]
    for name, colour in LAYERS.items():
        layers += [(0, "LAYER"), (2, name), (70, "0"), (62, str(colour)), (6, "CONTINUOUS")]
    pairs = (
        *_section("HEADER", ((9, "$ACADVER"), (1, "AC1009"), (9, "$INSUNITS"), (70, "4"))),
        *_section("TABLES", (*layers, (0, "ENDTAB"))),
        *_section("ENTITIES", tuple(_entities(kit))),
        (0, "EOF"),
    )
    return "".join(f"{code}\n{value}\n" for code, value in pairs)


def _entities(kit: Kit) -> Iterator[Pair]:
    width, height = kit.front
    yield from _frame("PLATE", 0, 0, width, height)
    for cut in cuts(kit):
        left, top, right, bottom = cut.box
        if cut.is_round:
            x, y = cut.box.middle
            radius = (right - left) / 2
            yield from ((0, "CIRCLE"), (8, cut.layer), *_at(x, height - y), (40, number(radius)))
        else:
            yield from _frame(cut.layer, left, height - bottom, right, height - top)
    for shape in template_shapes(kit):
        if isinstance(shape, Path) and shape.role in _ENGRAVED:
            ends = [(x, height - y) for x, y in shape.points]
            yield from ((0, "LINE"), (8, "ENGRAVE"), *_at(*ends[0]), *_at(*ends[-1], first=11))
        elif isinstance(shape, Text) and shape.role in _ENGRAVED and not shape.text.startswith("screen "):
            yield from _text(shape, height)


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


# --- a piece as a solid ------------------------------------------------------------------------------


Ring: TypeAlias = tuple[Point, ...]
Flat: TypeAlias = tuple[Point, Point, Point]
Corner: TypeAlias = tuple[float, float, float]
Triangle: TypeAlias = tuple[Corner, Corner, Corner]

THICK: Final = 3.0
"""Of the plate."""

CLIP: Final = 1.5
"""How thick it is where a key switch clips in."""

_RELIEF: Final = 0.8  # by which a key's opening is wider behind that, on each side
_RIM: Final = 0.25  # from an opening to the rectangle around it
_SIDES: Final = 24  # of the polygon that a round hole becomes


def is_solid(piece: Piece) -> bool:
    """Return whether its openings leave enough between them to be told apart."""
    boxes = [*map(_around, piece.cuts)]
    edge = piece.box
    inside = all(
        edge.left < box.left and edge.top < box.top and box.right < edge.right and box.bottom < edge.bottom
        for box in boxes
    )
    return inside and not any(one.meets(other) for one, other in combinations(boxes, 2))


def as_stl(piece: Piece) -> bytes:
    """Return the file of *piece*; the same piece gives the same bytes."""
    found = list(triangles(piece))
    data = bytearray(b"cribpi".ljust(80) + struct.pack("<I", len(found)))
    for corners in found:
        # A normal of zeros: readers take it from the order of the corners.
        data += struct.pack("<12fH", 0, 0, 0, *(edge for corner in corners for edge in corner), 0)
    return bytes(data)


def triangles(piece: Piece) -> Iterator[Triangle]:
    """Yield the surface, each triangle's corners counterclockwise from outside."""
    area = _flat(piece.box)
    loops = [_loops(cut) for cut in piece.cuts]
    boxes = [_flat(_around(cut)) for cut in piece.cuts]
    cells = [*boxes, *_between(area, boxes)]
    corners = {corner for cell in cells for corner in _corners(cell)}
    rings = [_edge(cell, corners) for cell in cells]
    flat: list[tuple[float, int, Iterator[Flat]]] = []
    for face, z, turn in ((0, THICK, 1), (1, 0.0, -1)):
        flat += ((z, turn, _band(ring, loop[face])) for ring, loop in zip(rings, loops, strict=False))
        flat += ((z, turn, _fan(ring)) for ring in rings[len(boxes) :])
    # The ledge behind a key faces the back.
    flat += ((THICK - CLIP, -1, _band(back, front)) for front, back in loops if front != back)
    for z, turn, parts in flat:
        for a, b, c in (three[::turn] for three in parts):
            yield (*a, z), (*b, z), (*c, z)
    yield from _wall(_edge(area, {point for ring in rings for point in ring}), 0.0, THICK)
    for front, back in loops:
        yield from _wall(front[::-1], THICK - CLIP, THICK)
        yield from _wall(back[::-1], 0.0, THICK - CLIP)


def _flat(box: Box) -> Box:
    """Return *box* with y upward, its lower edge as ``top``, so that a smaller y still comes first."""
    return Box(round(box.left, 3), round(-box.bottom, 3), round(box.right, 3), round(-box.top, 3))


def _around(cut: Cut) -> Box:
    """Return the rectangle of the face around an opening."""
    return cut.box.grown(_RIM + (_RELIEF if cut.layer == "KEYS" else 0.0))


def _loops(cut: Cut) -> tuple[Ring, Ring]:
    """Return the edge of an opening in the front and in the back, counterclockwise."""
    if cut.is_round:
        (x, y), radius = cut.box.middle, (cut.box.right - cut.box.left) / 2
        # Its sides touch the circle from outside, so that what fits the hole fits this.
        radius /= math.cos(math.pi / _SIDES)
        angles = (2 * math.pi * step / _SIDES for step in range(_SIDES))
        ring = tuple(
            (round(x + radius * math.cos(angle), 3), round(-y + radius * math.sin(angle), 3))
            for angle in angles
        )
        return ring, ring
    front = _corners(_flat(cut.box))
    return front, _corners(_flat(cut.box.grown(_RELIEF))) if cut.layer == "KEYS" else front


def _corners(box: Box) -> Ring:
    left, low, right, high = box
    return (left, low), (right, low), (right, high), (left, high)


def _between(area: Box, boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield what is left of *area* beside *boxes*, in level slabs."""
    levels = sorted({area.top, area.bottom, *(edge for box in boxes for edge in (box.top, box.bottom))})
    for low, high in pairwise(levels):
        taken = sorted((box.left, box.right) for box in boxes if box.top <= low and high <= box.bottom)
        starts = [area.left, *(right for _, right in taken)]
        ends = [*(left for left, _ in taken), area.right]
        yield from (Box(left, low, right, high) for left, right in zip(starts, ends, strict=True))


def _edge(box: Box, corners: set[Point]) -> Ring:
    """Return the edge of *box* with those of *corners* that lie on it, counterclockwise."""
    left, low, right, high = box
    level = {y: sorted(x for x, at in corners if at == y and left <= x < right) for y in (low, high)}
    upright = {x: sorted(y for at, y in corners if at == x and low <= y < high) for x in (left, right)}
    return (
        *((x, low) for x in level[low]),
        *((right, y) for y in upright[right]),
        (right, high),
        *((x, high) for x in reversed(level[high]) if x > left),
        (left, high),
        *((left, y) for y in reversed(upright[left]) if y > low),
    )


def _fan(ring: Ring) -> Iterator[Flat]:
    """Yield the triangles from the middle of a rectangle to its edge."""
    xs, ys = zip(*ring, strict=True)
    middle = round((min(xs) + max(xs)) / 2, 3), round((min(ys) + max(ys)) / 2, 3)
    for one, other in pairwise((*ring, ring[0])):
        yield middle, one, other


def _band(outer: Ring, inner: Ring) -> Iterator[Flat]:
    """Yield the triangles between two rings, one inside the other: at each step the shorter edge."""
    start = min(range(len(outer)), key=lambda at: math.dist(outer[at], inner[0]))
    outside = [*outer[start:], *outer[:start], outer[start]]
    inside = [*inner, inner[0]]
    o = i = 0
    while o < len(outer) or i < len(inner):
        further_out = math.dist(outside[o + 1], inside[i]) if o < len(outer) else math.inf
        further_in = math.dist(outside[o], inside[i + 1]) if i < len(inner) else math.inf
        if further_out <= further_in:
            yield outside[o], outside[o + 1], inside[i]
            o += 1
        else:
            yield inside[i + 1], inside[i], outside[o]
            i += 1


def _wall(ring: Ring, low: float, high: float) -> Iterator[Triangle]:
    """Yield the wall along *ring*, which faces to the right of its way."""
    for a, b in pairwise((*ring, ring[0])):
        yield (*a, low), (*b, low), (*b, high)
        yield (*a, low), (*b, high), (*a, high)
