"""Solids for a 3D printer: axis-aligned blocks that are added or subtracted, and their surface as binary STL.

Coordinates are in millimetres, with x to the right, y and z upward.  The faces of all blocks divide space
into cells, each full or empty.  The faces between full and empty cells are merged into rectangles.  If a
corner of one rectangle is on the edge of another, it is added to that edge, so that the mesh has no
T-junctions.
"""

from __future__ import annotations

import math
import struct
from bisect import bisect
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from cribpi.workshop.drawings.shapes import Box, Point

Vertex: TypeAlias = tuple[float, float, float]
Triangle: TypeAlias = tuple[Vertex, Vertex, Vertex]
"""Corners are counterclockwise, seen from outside."""

_Voxel: TypeAlias = tuple[int, int, int]
_Mask: TypeAlias = npt.NDArray[np.bool_]


class Block(NamedTuple):
    """A block over *area*, from the height *low* to *high*.  In *area*, y is downward as in all drawings."""

    area: Box
    low: float
    high: float
    is_full: bool = True
    """Whether the block is added, rather than subtracted."""

    def as_hole(self) -> Block:
        """Return a block of the same size that is subtracted."""
        return self._replace(is_full=False)

    def edges(self) -> tuple[tuple[float, float], ...]:
        """Return the extent along x, y and z, with y upward."""
        left, top, right, bottom = self.area
        ends = (left, right), (-bottom, -top), (self.low, self.high)
        return tuple((round(start, 3), round(end, 3)) for start, end in ends)


_TURNS: Final = tuple(math.radians(angle) for angle in (15, 35, 55, 75))


def pillar(middle: Point, diameter: float, low: float, high: float) -> Iterator[Block]:
    """Yield blocks that together approximate a cylinder and are nowhere wider than *diameter*."""
    (x, y), radius = middle, diameter / 2
    for turn in _TURNS:
        dx, dy = radius * math.cos(turn), radius * math.sin(turn)
        yield Block(Box(x - dx, y - dy, x + dx, y + dy), low, high)


ROOM: Final = 1.0  # minimum distance in mm from an opening to the edge of a piece
_STEP: Final = 0.5  # distance in mm between the positions that are tried


def joints(start: float, end: float, spans: Sequence[tuple[float, float]], bed: float) -> list[float]:
    """Return *start*, the positions of the cuts, and *end*, spaced as evenly as possible.

    No cut is inside one of *spans*.  A piece is longer than *bed* only if there is no possible cut.
    """
    tried = (start + step * _STEP for step in range(1, math.ceil((end - start) / _STEP)))
    free = [place for place in tried if not any(low - ROOM < place < high + ROOM for low, high in spans)]
    fewest = math.ceil((end - start) / bed)
    tries = (_even(start, end, free, count, bed) for count in range(fewest, fewest + 4))
    return min(tries, key=lambda places: max(bed, *(b - a for a, b in pairwise(places))))


def _even(start: float, end: float, free: Sequence[float], count: int, bed: float) -> list[float]:
    """Return a list of *start*, the cuts into *count* pieces as equal as possible, and *end*.

    Each cut is at a *free* position, at most *bed* after the one before.
    """
    places = [start]
    for number in range(1, count):
        wish = start + (end - start) * number / count
        near = [place for place in free if places[-1] < place <= places[-1] + bed]
        if near:
            places.append(min(near, key=lambda place: abs(place - wish)))
    return [*places, end]


def stl(triangles: Iterable[Triangle]) -> bytes:
    """Return the binary STL file; the same triangles give the same bytes."""
    facets = list(triangles)
    data = bytearray(b"cribpi".ljust(80) + struct.pack("<I", len(facets)))
    for corners in facets:
        # The normal is zero: readers compute it from the order of the corners.
        data += struct.pack("<12fH", 0, 0, 0, *(edge for corner in corners for edge in corner), 0)
    return bytes(data)


def surface(blocks: Sequence[Block]) -> Iterator[Triangle]:
    """Yield the surface of *blocks*; a later block overrides earlier ones."""
    edges = [block.edges() for block in blocks]
    lines = [sorted({end for ends in edges for end in ends[axis]}) for axis in range(3)]
    # The array has a layer of empty cells on all sides.
    full = np.zeros([len(line) + 1 for line in lines], dtype=bool)
    for block, ends in zip(blocks, edges, strict=True):
        places = (slice(*(bisect(line, end) for end in span)) for line, span in zip(lines, ends, strict=True))
        full[tuple(places)] = block.is_full
    faces = list(_faces(full))
    between = _Between(corner for face, _ in faces for corner in face)
    for face, is_up in faces:
        ring = between.ring(face)
        spots = [(lines[0][x], lines[1][y], lines[2][z]) for x, y, z in ring]
        for a, b, c in _fan(spots):
            yield (a, b, c) if is_up else (c, b, a)


_Quad: TypeAlias = tuple[_Voxel, _Voxel, _Voxel, _Voxel]


def _faces(full: _Mask) -> Iterator[tuple[_Quad, bool]]:
    """Yield the rectangles between full and empty cells, as indices into the grid lines of each axis.

    The flag is true if the rectangle faces in the positive direction of its axis.  Its corners are
    counterclockwise, seen from there.
    """
    for axis in range(3):
        turned = np.moveaxis(full, (axis, (axis + 1) % 3, (axis + 2) % 3), (0, 1, 2))
        for level, (before, after) in enumerate(pairwise(turned)):
            for mask, is_up in ((before & ~after, True), (after & ~before, False)):
                for left, low, right, high in _rectangles(mask):
                    flat = (left, low), (right, low), (right, high), (left, high)
                    a, b, c, d = (_turned_back((level, x, y), axis) for x, y in flat)
                    yield (a, b, c, d), is_up


def _turned_back(cell: _Voxel, axis: int) -> _Voxel:
    return cell[-axis % 3], cell[(1 - axis) % 3], cell[(2 - axis) % 3]


def _rectangles(mask: _Mask) -> Iterator[tuple[int, int, int, int]]:
    """Yield rectangles that together cover *mask*, as indices of grid lines; *mask* is empty at its edges."""
    remaining = mask.copy()
    for x, y in np.argwhere(mask).tolist():
        if remaining[x, y]:
            end = y + int(np.argmin(remaining[x, y:]))
            wide = remaining[x:, y:end].all(axis=1)
            last = x + int(np.argmin(wide))
            remaining[x:last, y:end] = False
            # Cell 0 is the empty edge, so grid line 0 is before cell 1.
            yield x - 1, y - 1, last - 1, end - 1


class _Between:
    """An index of the corners of all faces, which finds those on the edges of a face."""

    def __init__(self, corners: Iterable[_Voxel]) -> None:
        self._lines: dict[tuple[int, int, int], set[int]] = defaultdict(set)
        for corner, axis in product(set(corners), range(3)):
            self._lines[self._line(corner, axis)].add(corner[axis])
        self._sorted = {line: sorted(places) for line, places in self._lines.items()}

    @staticmethod
    def _line(corner: _Voxel, axis: int) -> tuple[int, int, int]:
        return axis, corner[(axis + 1) % 3], corner[(axis + 2) % 3]

    def ring(self, face: _Quad) -> list[_Voxel]:
        """Return the corners of *face*, and all other corners on its edges, in order."""
        ring: list[_Voxel] = []
        for a, b in pairwise((*face, face[0])):
            axis = next(axis for axis in range(3) if a[axis] != b[axis])
            low, high = sorted((a[axis], b[axis]))
            on_line = self._sorted[self._line(a, axis)]
            steps = on_line[bisect(on_line, low - 1) : bisect(on_line, high)]
            if a[axis] == high:
                steps = steps[::-1]
            ring += ((*a[:axis], step, *a[axis + 1 :]) for step in steps[:-1])  # type: ignore[misc]
        return ring


def _fan(ring: Sequence[Vertex]) -> Iterator[Triangle]:
    """Yield the triangles of a rectangle: two, or a fan from its middle if other corners are on its edges."""
    if len(ring) == 4:
        yield ring[0], ring[1], ring[2]
        yield ring[0], ring[2], ring[3]
        return
    x, y, z = (round((min(ends) + max(ends)) / 2, 4) for ends in zip(*ring, strict=True))
    for a, b in pairwise((*ring, ring[0])):
        yield (x, y, z), a, b
