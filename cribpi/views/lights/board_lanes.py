"""The lanes of a drawn board: lines through the holes of a track; x + y i is a place, in millimetres."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

from cribpi.kit import Board

BED: Final = 3.6
"""Half of a lane's width in millimetres."""


def lane(holes: dict[int, complex], board: Board) -> list[complex]:
    """Return the line through *holes* of a track, round where the next street runs back."""
    return [at for hole in sorted(holes) for at in (holes[hole], *bend(holes, hole, board))]


def bend(holes: dict[int, complex], hole: int, board: Board) -> list[complex]:
    """Return points of the turn after *hole*, the middle one its outermost; none where there is no turn."""
    if not {hole - 1, hole + 1, hole + 2} <= holes.keys():
        return []
    here, there, out = holes[hole], holes[hole + 1], way(holes[hole - 1], holes[hole])
    if (out * way(there, holes[hole + 2]).conjugate()).real > -0.5:
        return []
    middle, reach = (here + there) / 2, abs(there - here) / 2
    room = (board.width - middle.real if out.real > 0 else middle.real) - BED - 1
    bulge = min(reach, room) if abs(out.real) > 0.5 else reach
    return [
        middle + (here - middle) * cos(pi * step / 16) + out * bulge * sin(pi * step / 16)
        for step in range(17)
    ]


def way(start: complex, end: complex) -> complex:
    """Return the way from *start* to *end*, one millimetre long."""
    return (end - start) / abs(end - start)
