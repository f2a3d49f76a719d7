"""The plate as files for machines: DXF for a laser cutter, and pieces as STL for a 3D printer.

A key switch clips into a thickness of 1.5 mm, but the plate is 3 mm thick.  A laser cuts two layers: the
plate with wider openings for the keys, and a thin plate for the keys on top of it.  A printed piece combines
both: the opening of a key is wider in its back half.

A piece is in millimetres, seen from the front, with x to the right, y upward, and its back on z = 0.  All
pieces have the coordinates of the whole plate, so that they fit together when loaded together.  Each face is
divided into rectangles: one around each opening, and others between these.  If a corner of one rectangle is
on the edge of another, it is added to that edge, so that the mesh has no T-junctions.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise
from typing import Final, Literal, NamedTuple, TypeAlias

from cribpi.companion.kit import RIM, Kit
from cribpi.workshop.drawings import dxf
from cribpi.workshop.drawings.shapes import Box, Circle, Path, Point, Rectangle, TextLine
from cribpi.workshop.drawings.solid import ROOM, Block, Triangle, joints, pillar
from cribpi.workshop.drawings.strip import RELIEF, THICK
from cribpi.workshop.drawings.template import template_shapes

Layer: TypeAlias = Literal["LIGHTS", "FIXING", "WINDOW", "KEYS"]

CLIP: Final = 1.5
"""Thickness in mm into which a key switch clips: 1.5 +/- 0.1 (Cherry's data sheet of the MX1A)."""

_LAYERS: Final[dict[str, Layer]] = {
    "hole": "LIGHTS",
    "fixing": "FIXING",
    "window": "WINDOW",
    "key": "KEYS",
}
"""The layer of the shapes of the template, by their role."""


@dataclass(frozen=True, slots=True)
class Cut:
    """An opening on a *layer*: the rectangle *box*, or the circle inscribed in it.

    For a key, *box* is the narrower opening into which the switch clips.
    """

    layer: Layer
    box: Box
    is_round: bool


def cuts(kit: Kit) -> Iterator[Cut]:
    for shape in template_shapes(kit):
        if isinstance(shape, (Circle, Rectangle)) and shape.role in _LAYERS:
            box = shape.box().grown(-RELIEF if shape.role == "key" else 0.0)
            yield Cut(_LAYERS[shape.role], box, isinstance(shape, Circle))


# --- the pieces for a printer ------------------------------------------------------------------------


BED: Final = 200.0
"""Maximum side of a piece; most printers have a bed of at least 210 mm."""


class Piece(NamedTuple):
    """A part of the plate, named by row and column such as A1."""

    name: str
    box: Box
    cuts: tuple[Cut, ...]


def pieces(kit: Kit) -> tuple[Piece, ...]:
    """Return the pieces of the plate row by row, from the top."""
    width, height = kit.front
    openings = list(cuts(kit))
    # The plate is always cut along the lower edge of the board.
    levels = sorted({0.0, kit.board.height, height})
    rows = [
        (top, bottom)
        for start, end in pairwise(levels)
        for top, bottom in pairwise(
            joints(start, end, [(cut.box.top, cut.box.bottom) for cut in openings], BED)
        )
    ]
    parts = []
    for row, (top, bottom) in enumerate(rows):
        spans = [(cut.box.left, cut.box.right) for cut in openings if top < cut.box.middle[1] < bottom]
        for column, (left, right) in enumerate(pairwise(joints(0, width, spans, BED)), start=1):
            box = Box(left, top, right, bottom)
            inside = tuple(cut for cut in openings if cut.box.meets(box))
            parts.append(Piece(f"{chr(ord('A') + row)}{column}", box, inside))
    return tuple(parts)


# --- the plate for a laser ---------------------------------------------------------------------------


LAYERS: Final = {"PLATE": 7, "LIGHTS": 5, "FIXING": 4, "WINDOW": 1, "KEYS": 6, "ENGRAVE": 3}
"""The layers and their colours, as AutoCAD's colour numbers."""

_ENGRAVED: Final = {"number", "skunk", "whose"}
"""Roles of the template's texts and lines that are engraved for players.  Others only help with building."""


def as_dxf(kit: Kit) -> str:
    width, height = kit.front
    pairs = [*dxf.frame("PLATE", Box(0, 0, width, height), height)]
    for cut in cuts(kit):
        box = cut.box.grown(RELIEF) if cut.layer == "KEYS" else cut.box
        pairs += (dxf.circle if cut.is_round else dxf.frame)(cut.layer, box, height)
    for shape in template_shapes(kit):
        if isinstance(shape, Path) and shape.role in _ENGRAVED:
            pairs += dxf.line("ENGRAVE", shape.points[0], shape.points[-1], height)
        elif isinstance(shape, TextLine) and shape.role in _ENGRAVED:
            pairs += dxf.text("ENGRAVE", shape, height)
    return dxf.document(LAYERS, pairs)


# --- the plate of the keys ---------------------------------------------------------------------------


_AROUND: Final = (5.0, 4.0, 3.0, RIM)


class KeyPlate(NamedTuple):
    """The thin plate into which the key switches clip: its openings, and the names of the keys."""

    box: Box
    cuts: tuple[Cut, ...]
    names: tuple[TextLine, ...]


def key_plate(kit: Kit) -> KeyPlate | None:
    """Return the thin plate around the keys of *kit*, in the whole plate's coordinates; None without keys.

    It extends 5 mm beyond the keys, or less if its edge would cross another opening.  It also has the other
    openings that are in its area.
    """
    openings = list(cuts(kit))
    keys = [cut.box for cut in openings if cut.layer == "KEYS"]
    if not keys:
        return None
    lefts, tops, rights, bottoms = zip(*keys, strict=True)
    inner = Box(min(lefts), min(tops), max(rights), max(bottoms))
    front = Box(0, 0, *kit.front)
    boxes = [inner.grown(around) for around in _AROUND]
    box = next((box for box in boxes if _is_whole(box, front, openings)), boxes[-1])
    names = (
        shape for shape in template_shapes(kit) if isinstance(shape, TextLine) and shape.role == "key name"
    )
    return KeyPlate(box, tuple(cut for cut in openings if cut.box.meets(box)), tuple(names))


def _is_whole(box: Box, front: Box, openings: Iterable[Cut]) -> bool:
    """Return whether *box* is inside *front* and its edge crosses no opening."""
    near = (cut.box for cut in openings if cut.box.meets(box.grown(ROOM)))
    return _holds(front, box) and all(_holds(box.grown(-ROOM), other) for other in near)


def _holds(outer: Box, inner: Box) -> bool:
    lows, highs = (*outer[:2], *inner[2:]), (*inner[:2], *outer[2:])
    return all(low <= high for low, high in zip(lows, highs, strict=True))


def keys_dxf(plate: KeyPlate) -> str:
    left, top, _, bottom = plate.box
    moved = [(cut, _moved(cut.box, left, top)) for cut in plate.cuts]
    height = bottom - top
    pairs = [*dxf.frame("PLATE", _moved(plate.box, left, top), height)]
    for cut, box in moved:
        pairs += (dxf.circle if cut.is_round else dxf.frame)(cut.layer, box, height)
    for name in plate.names:
        pairs += dxf.text("ENGRAVE", replace(name, x=name.x - left, y=name.y - top), height)
    return dxf.document(LAYERS, pairs)


def _moved(box: Box, left: float, top: float) -> Box:
    return Box(box.left - left, box.top - top, box.right - left, box.bottom - top)


def keys_solid(plate: KeyPlate) -> Iterator[Block]:
    """Yield the blocks of *plate*, with its back on z = 0."""
    yield Block(plate.box, 0, CLIP)
    for cut in plate.cuts:
        if cut.is_round:
            yield from (part.as_hole() for part in pillar(cut.box.middle, cut.box.size[0], 0, CLIP))
        else:
            yield Block(cut.box, 0, CLIP, is_full=False)


# --- a piece as a solid ------------------------------------------------------------------------------


Ring: TypeAlias = tuple[Point, ...]
Flat: TypeAlias = tuple[Point, Point, Point]
_RIM: Final = 0.25  # distance in mm from an opening to the edge of the rectangle around it
_SIDES: Final = 24  # number of sides of the polygon for a round hole


def is_solid(piece: Piece) -> bool:
    """Return whether the openings of *piece* are far enough apart for a valid mesh."""
    boxes = [*map(_around, piece.cuts)]
    edge = piece.box
    inside = all(
        edge.left < box.left and edge.top < box.top and box.right < edge.right and box.bottom < edge.bottom
        for box in boxes
    )
    return inside and not any(box.meets(other) for box, other in combinations(boxes, 2))


def triangles(piece: Piece) -> Iterator[Triangle]:
    """Yield the surface of *piece* as triangles; corners are counterclockwise, seen from outside."""
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
    """Return *box* with y upward.  ``top`` is still the smaller y, now that of the lower edge."""
    return Box(round(box.left, 3), round(-box.bottom, 3), round(box.right, 3), round(-box.top, 3))


def _around(cut: Cut) -> Box:
    """Return the rectangle of the face around an opening."""
    return cut.box.grown(_RIM + (RELIEF if cut.layer == "KEYS" else 0.0))


def _loops(cut: Cut) -> tuple[Ring, Ring]:
    """Return the edge of an opening in the front and in the back, counterclockwise."""
    if cut.is_round:
        (x, y), radius = cut.box.middle, (cut.box.right - cut.box.left) / 2
        # The polygon is drawn around the circle, so that it is nowhere narrower than the hole.
        radius /= math.cos(math.pi / _SIDES)
        angles = (2 * math.pi * step / _SIDES for step in range(_SIDES))
        ring = tuple(
            (round(x + radius * math.cos(angle), 3), round(-y + radius * math.sin(angle), 3))
            for angle in angles
        )
        return ring, ring
    front = _corners(_flat(cut.box))
    return front, _corners(_flat(cut.box.grown(RELIEF))) if cut.layer == "KEYS" else front


def _corners(box: Box) -> Ring:
    left, low, right, high = box
    return (left, low), (right, low), (right, high), (left, high)


def _between(area: Box, boxes: Sequence[Box]) -> Iterator[Box]:
    """Yield rectangles that cover *area* except *boxes*, row by row."""
    levels = sorted({area.top, area.bottom, *(edge for box in boxes for edge in (box.top, box.bottom))})
    for low, high in pairwise(levels):
        covered = sorted((box.left, box.right) for box in boxes if box.top <= low and high <= box.bottom)
        starts = [area.left, *(right for _, right in covered)]
        ends = [*(left for left, _ in covered), area.right]
        yield from (Box(left, low, right, high) for left, right in zip(starts, ends, strict=True))


def _edge(box: Box, corners: set[Point]) -> Ring:
    """Return the edge of *box*, counterclockwise, with all *corners* that lie on it."""
    left, low, right, high = box
    level = {y: sorted(x for x, cy in corners if cy == y and left <= x < right) for y in (low, high)}
    upright = {x: sorted(y for cx, y in corners if cx == x and low <= y < high) for x in (left, right)}
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
    for a, b in pairwise((*ring, ring[0])):
        yield middle, a, b


def _band(outer: Ring, inner: Ring) -> Iterator[Flat]:
    """Yield triangles between two nested rings.  Each step chooses the shorter new edge."""
    start = min(range(len(outer)), key=lambda index: math.dist(outer[index], inner[0]))
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
    """Yield the wall along *ring*, facing to the right of its direction."""
    for a, b in pairwise((*ring, ring[0])):
        yield (*a, low), (*b, low), (*b, high)
        yield (*a, low), (*b, high), (*a, high)
