"""A piece of the plate as a solid, for a printer: a binary STL, in millimetres.

Seen from the front, x goes to the right and y upward, both as on the whole plate, so that pieces that are
loaded together lie together; the back lies on z = 0.  A key's opening is wider in its
back half, where the clips of a switch hold on to 1.5 mm.

Each face is divided into rectangles, one around each opening and the rest between them.  A corner of one that
lies on the edge of another becomes a corner of both, so that no triangle's edge is without its neighbour.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise
from typing import Final, TypeAlias

from cribpi.workshop.drawings.plate import Cut, Piece
from cribpi.workshop.drawings.shapes import Box, Point

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
