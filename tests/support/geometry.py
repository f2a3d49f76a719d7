"""Geometric checks of drawings: overlaps that the eye can't judge reliably."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, pairwise

from cribpi.workshop.drawings.shapes import Box, Drawing, Path, Point, Rectangle, TextLine

Piece = tuple[Point, Point]


def wires(sheet: Drawing) -> list[Path]:
    """Return the wires of a wiring diagram."""
    return [shape for shape in sheet.shapes if isinstance(shape, Path) and shape.role == "wire"]


def texts(sheet: Drawing) -> list[TextLine]:
    return [shape for shape in sheet.shapes if isinstance(shape, TextLine)]


def boxes(sheet: Drawing) -> list[Rectangle]:
    """Return the outlines of the devices."""
    return [shape for shape in sheet.shapes if isinstance(shape, Rectangle) and shape.role == "box"]


def pieces(wire: Path) -> Iterator[Piece]:
    """Yield the straight pieces of a wire."""
    return pairwise(wire.points)


def is_orthogonal(wire: Path) -> bool:
    return all(a[0] == b[0] or a[1] == b[1] for a, b in pieces(wire))


def runs_through(piece: Piece, box: Box) -> bool:
    """Return whether a horizontal or vertical piece crosses the inside of *box*."""
    (ax, ay), (bx, by) = piece
    return (
        min(ax, bx) < box.right - 1e-6
        and max(ax, bx) > box.left + 1e-6
        and min(ay, by) < box.bottom - 1e-6
        and max(ay, by) > box.top + 1e-6
    )


def on_each_other(sheet: Drawing, room: float = 1.0) -> list[tuple[str, str]]:
    """Return pairs of wires that run in parallel nearer than *room*, for a length of more than *room*."""
    return [
        (one.name, other.name)
        for one, other in combinations(wires(sheet), 2)
        for a in pieces(one)
        for b in pieces(other)
        if _shared(a, b, 0, room) > room or _shared(a, b, 1, room) > room
    ]


def _shared(a: Piece, b: Piece, along: int, room: float) -> float:
    """Return the length for which two pieces run side by side along an axis."""
    across = 1 - along
    if a[0][across] != a[1][across] or b[0][across] != b[1][across]:
        return 0
    if abs(a[0][across] - b[0][across]) >= room:
        return 0
    first = max(min(a[0][along], a[1][along]), min(b[0][along], b[1][along]))
    last = min(max(a[0][along], a[1][along]), max(b[0][along], b[1][along]))
    return last - first
